//! Writing through a counted pointer that is the only one.

use std::ffi::{CStr, OsStr};
use std::panic::Location;
use std::path::Path;
use std::sync as real;

use super::{Arc, Tally, asked, parting};

/// What [`Arc::make_mut`] can clone. The standard library's own bound is not stable yet; these are the types that have it.
pub trait Duplicate {
    #[doc(hidden)]
    fn make_mut(pointer: &mut real::Arc<Self>) -> &mut Self;
}

macro_rules! duplicate {
    ($([$($generics:tt)*] $t:ty,)*) => {$(
        impl<$($generics)*> Duplicate for $t {
            fn make_mut(pointer: &mut real::Arc<Self>) -> &mut Self {
                real::Arc::make_mut(pointer)
            }
        }
    )*};
}

duplicate! {
    [T: Clone] T,
    [T: Clone] [T],
    [] str,
    [] CStr,
    [] OsStr,
    [] Path,
}

impl<T: ?Sized + Duplicate> Arc<T> {
    /// The value, to write; if there are other pointers to it, a clone takes its place. See [`std::sync::Arc::make_mut`].
    #[track_caller]
    pub fn make_mut(this: &mut Arc<T>) -> &mut T {
        let place = Location::caller();
        if let Some(tally) = asked(this.tally) {
            match tally.look(place) {
                // No other thread can increase the count.
                (1, 0) => parting::take_back(&this.pointer),
                // The weak pointers lose the value: it moves to a place of its own, with a count of its own.
                (1, _) if tally.count.drop_if_last(tally.execution, place) => {
                    parting::take_back(&this.pointer);
                    this.tally = Tally::new();
                }
                _ => {
                    // With two real pointers, the value is surely cloned.
                    let mut fresh = real::Arc::clone(&this.pointer);
                    T::make_mut(&mut fresh);
                    *this = Arc::adopt(fresh);
                }
            }
        }
        T::make_mut(&mut this.pointer)
    }
}

impl<T: Clone> Arc<T> {
    /// The value, or a clone of it if there are other pointers to it. See [`std::sync::Arc::unwrap_or_clone`].
    #[track_caller]
    pub fn unwrap_or_clone(this: Arc<T>) -> T {
        Arc::try_unwrap(this).unwrap_or_else(|this| (*this).clone())
    }
}

impl<T: ?Sized> Arc<T> {
    /// The value, to write, if no other pointer to it exists. See [`std::sync::Arc::get_mut`].
    #[track_caller]
    pub fn get_mut(this: &mut Arc<T>) -> Option<&mut T> {
        if let Some(tally) = asked(this.tally) {
            if tally.look(Location::caller()) != (1, 0) {
                return None;
            }
            parting::take_back(&this.pointer);
        }
        real::Arc::get_mut(&mut this.pointer)
    }
}
