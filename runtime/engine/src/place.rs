//! Places in the source of the program under test.

use std::panic::Location;
use std::{fmt, ptr};

/// The source location of an operation of the program under test.
pub type Place = &'static Location<'static>;

/// The place of the operations of a destructor: the compiler does not pass the place of the drop to it.
pub static NOWHERE: Place = Location::caller();

/// Whether two places are the same, even if they are stored in memory twice.
pub fn same_place(a: Place, b: Place) -> bool {
    ptr::eq(a, b) || (a.line() == b.line() && a.column() == b.column() && a.file() == b.file())
}

/// A place that instrumented code has reported, because the compiler does not know it: in a module that a macro has read
/// from a file, everything has the place of the macro.
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
