//! Texts that are made by a grammar, and the check that every reader must pass: no panic, no hang, bounded memory.
//!
//! A generator writes a text by choices that it takes from a [`Tape`]. Most texts are left as they are, so that a reader accepts
//! them; the rest are [damaged](damage) in a few places, so that a reader nearly accepts them. [`check`] counts how many are accepted and
//! fails if less than half are: a generator that no longer fits its grammar would only test the first error.

mod damage;
mod harness;
mod memory;
mod tape;
pub mod yaml;

pub use damage::damage;
pub use harness::{Limit, check};
pub use memory::{Counting, peak};
pub use tape::Tape;
