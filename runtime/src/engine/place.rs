//! Places in the source of the program under test.

use std::panic::Location;
use std::ptr;

/// The source location of an operation of the program under test.
pub(crate) type Place = &'static Location<'static>;

/// The place of what a destructor does: the compiler does not tell it where it was called from.
pub(crate) static NOWHERE: Place = Location::caller();

/// Whether two places are the same, be they in memory twice.
pub(crate) fn same_place(a: Place, b: Place) -> bool {
    ptr::eq(a, b) || (a.line() == b.line() && a.column() == b.column() && a.file() == b.file())
}
