//! Mirrors of parts of the standard library, with its signatures. Inside a program under test they are under control;
//! elsewhere they are the real thing.
//!
//! An object belongs to where it is made: in one execution of a program under test, or outside. One that is used in another
//! execution than its own says so in a panic; a real one may be used inside a program but refuses to wait there, since
//! nobody could end the wait. For the same reason no `new` of an object is `const`.

pub mod hint;
pub mod panic;
pub mod sync;
pub mod thread;
pub mod time;

#[doc(inline)]
pub use crate::thread_local;
#[doc(hidden)]
pub use macros::*;

/// The macro that has the name of a mirrored module; a glob import lets it stand beside that.
mod macros {
    #[doc(hidden)]
    pub use std::panic;
}
