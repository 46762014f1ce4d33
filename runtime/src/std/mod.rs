//! Replacements for parts of the standard library, with the same signatures. Inside a program under test they are under
//! control; elsewhere they are the real thing.
//!
//! An object belongs to the place where it is made: one execution of a program under test, or the code outside. An object
//! that is used in another execution than its own panics with a message that explains this; a real object may be used
//! inside a program under test but refuses to wait there, since no thread could end the wait. For the same reason no `new`
//! of an object is `const`.

pub mod hint;
pub mod panic;
pub mod sync;
pub mod thread;
pub mod time;

#[doc(inline)]
pub use crate::thread_local;
#[doc(hidden)]
pub use macros::*;

/// The macro that has the same name as a module; a glob import allows both.
mod macros {
    #[doc(hidden)]
    pub use std::panic;
}
