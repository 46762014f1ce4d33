//! Replacement for [`std::sync::atomic::AtomicBool`].

use std::fmt;
use std::panic::{Location, RefUnwindSafe};
use std::sync::atomic::{self as real, Ordering};

use super::operations::{common, fetches};
use super::variable::{Variable, Word};
use crate::backend::Backend;

/// A variable of type `bool`. See [`std::sync::atomic::AtomicBool`].
#[derive(Default)]
pub struct AtomicBool(Backend<real::AtomicBool, Variable<bool>>);

impl Word for bool {
    fn to_bits(self) -> u64 {
        u64::from(self)
    }

    fn from_bits(bits: u64) -> Self {
        bits != 0
    }
}

common!([] AtomicBool, AtomicBool, bool);

impl AtomicBool {
    fetches! { bool:
        /// Logical "and"; the old value.
        fetch_and = |old, value| old & value;
        /// Logical "not and"; the old value.
        fetch_nand = |old, value| !(old & value);
        /// Logical "or"; the old value.
        fetch_or = |old, value| old | value;
        /// Logical "exclusive or"; the old value.
        fetch_xor = |old, value| old ^ value;
    }

    /// Logical "not"; the old value.
    #[track_caller]
    pub fn fetch_not(&self, order: Ordering) -> bool {
        self.fetch_xor(true, order)
    }
}
