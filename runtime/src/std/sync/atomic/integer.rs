//! The integer types.

use std::fmt;
use std::panic::{Location, RefUnwindSafe};
use std::sync::atomic::{self as real, Ordering};

use super::operations::{common, fetches};
use super::variable::{Variable, Word};
use crate::backend::Backend;

macro_rules! integers {
    ($($name:ident $t:ident,)*) => {$(
        #[doc = concat!("A variable of type `", stringify!($t), "`. See [`std::sync::atomic::", stringify!($name), "`].")]
        #[derive(Default)]
        pub struct $name(Backend<real::$name, Variable<$t>>);

        impl Word for $t {
            fn to_bits(self) -> u64 {
                // Signs are spread over the upper bits, so equal values have equal bits.
                self as u64
            }

            fn from_bits(bits: u64) -> Self {
                bits as $t
            }
        }

        common!([] $name, $name, $t);

        impl $name {
            fetches! { $t:
                /// Adds, wrapping around; the old value.
                fetch_add = $t::wrapping_add;
                /// Subtracts, wrapping around; the old value.
                fetch_sub = $t::wrapping_sub;
                /// Bitwise "and"; the old value.
                fetch_and = |old, value| old & value;
                /// Bitwise "not and"; the old value.
                fetch_nand = |old, value| !(old & value);
                /// Bitwise "or"; the old value.
                fetch_or = |old, value| old | value;
                /// Bitwise "exclusive or"; the old value.
                fetch_xor = |old, value| old ^ value;
                /// The larger one of the value and another; the old value.
                fetch_max = std::cmp::max;
                /// The smaller one of the value and another; the old value.
                fetch_min = std::cmp::min;
            }
        }
    )*};
}

integers! {
    AtomicI8 i8,
    AtomicI16 i16,
    AtomicI32 i32,
    AtomicI64 i64,
    AtomicIsize isize,
    AtomicU8 u8,
    AtomicU16 u16,
    AtomicU32 u32,
    AtomicU64 u64,
    AtomicUsize usize,
}
