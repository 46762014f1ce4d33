//! Places in the source of the program under test.

use std::panic::Location;
use std::{fmt, ptr};

/// The source location of an operation of the program under test.
pub(crate) type Place = &'static Location<'static>;

/// The place of what a destructor does: the compiler does not tell it where it was called from.
pub(crate) static NOWHERE: Place = Location::caller();

/// Whether two places are the same, be they in memory twice.
pub(crate) fn same_place(a: Place, b: Place) -> bool {
    ptr::eq(a, b) || (a.line() == b.line() && a.column() == b.column() && a.file() == b.file())
}

/// A place that the program has told, because the compiler does not know it: in a module that a macro has read from a
/// file, everything stands where the macro stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextPlace {
    /// The file, as the compiler would name it.
    pub file: &'static str,
    /// The line, from one.
    pub line: u32,
    /// The column, from one.
    pub column: u32,
}

impl fmt::Display for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}
