//! Sequences for tests: some built by hand, and any number that random programs give.

#![allow(dead_code, unreachable_pub, reason = "each test file is a crate of its own and uses a part of this")]

pub mod build;
pub mod objects;
pub mod programs;

use insyn_sequences::Sequence;
use proptest::prelude::*;

/// Sequences of all kinds.
pub fn sequences() -> impl Strategy<Value = Sequence> {
    prop_oneof![programs::sequences(), objects::sequences()]
}
