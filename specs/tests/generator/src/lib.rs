//! Texts that are made by a grammar, and what is asked of every reader: no panic, no hang, bounded memory.
//!
//! A generator writes a text by choices that it takes from a [`Tape`]. Most texts are left as they are, so that a reader accepts
//! them; the rest is [damaged](damage) in a place or two, so that a reader nearly does. [`check`] counts how many are accepted and
//! fails if those are not the greater part: a generator that no longer fits its grammar tests nothing but the first error.

mod damage;
mod harness;
mod memory;
mod tape;
pub mod yaml;

pub use damage::damage;
pub use harness::{Limit, check};
pub use memory::{Counting, peak};
pub use tape::Tape;
