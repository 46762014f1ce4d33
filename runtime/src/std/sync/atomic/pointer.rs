//! Replacement for [`std::sync::atomic::AtomicPtr`].

use std::fmt;
use std::panic::{Location, RefUnwindSafe};
use std::ptr;
use std::sync::atomic::{self as real, Ordering};

use super::operations::common;
use super::variable::{Variable, Word};
use crate::backend::Backend;

/// A variable that holds a pointer. See [`std::sync::atomic::AtomicPtr`].
///
/// Under control the engine holds the pointer as an address, so its provenance is exposed.
pub struct AtomicPtr<T>(Backend<real::AtomicPtr<T>, Variable<*mut T>>);

impl<T> Word for *mut T {
    fn to_bits(self) -> u64 {
        self.expose_provenance() as u64
    }

    fn from_bits(bits: u64) -> Self {
        ptr::with_exposed_provenance_mut(bits as usize)
    }
}

common!([T] AtomicPtr<T>, AtomicPtr, *mut T);

/// Declares the operations on the address.
macro_rules! fetches {
    ($($(#[$doc:meta])* $name:ident = $with:expr;)*) => {$(
        $(#[$doc])*
        #[track_caller]
        pub fn $name(&self, value: usize, order: Ordering) -> *mut T {
            match &self.0 {
                Backend::Real(real) => real.$name(value, order),
                Backend::Controlled(variable) => {
                    let with: fn(u64, u64, u64) -> Option<u64> = |old, value, _| {
                        let with: fn(usize, usize) -> usize = $with;
                        Some(with(old as usize, value as usize) as u64)
                    };
                    variable.change(with, value as u64, Location::caller())
                }
            }
        }
    )*};
}

impl<T> AtomicPtr<T> {
    fetches! {
        /// Moves the pointer forward by this many bytes; returns the old value.
        fetch_byte_add = usize::wrapping_add;
        /// Moves the pointer back by this many bytes; returns the old value.
        fetch_byte_sub = usize::wrapping_sub;
        /// Bitwise "or" of the address; the old value.
        fetch_or = |old, value| old | value;
        /// Bitwise "and" of the address; the old value.
        fetch_and = |old, value| old & value;
        /// Bitwise "exclusive or" of the address; the old value.
        fetch_xor = |old, value| old ^ value;
    }

    /// Moves the pointer forward by this many `T`s; returns the old value.
    #[track_caller]
    pub fn fetch_ptr_add(&self, value: usize, order: Ordering) -> *mut T {
        self.fetch_byte_add(value.wrapping_mul(size_of::<T>()), order)
    }

    /// Moves the pointer back by this many `T`s; returns the old value.
    #[track_caller]
    pub fn fetch_ptr_sub(&self, value: usize, order: Ordering) -> *mut T {
        self.fetch_byte_sub(value.wrapping_mul(size_of::<T>()), order)
    }
}

impl<T> Default for AtomicPtr<T> {
    fn default() -> Self {
        AtomicPtr::new(ptr::null_mut())
    }
}

/// This reads the value: under control, an operation of the program.
impl<T> fmt::Pointer for AtomicPtr<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Pointer::fmt(&self.load(Ordering::Relaxed), f)
    }
}
