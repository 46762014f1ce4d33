//! Replacement for [`std::sync::Weak`].

use std::fmt;
use std::mem::ManuallyDrop;
use std::panic::Location;
use std::sync as real;

use super::{Arc, Tally, asked, raw};
use insyn_engine::NOWHERE;
use insyn_engine::calls::pointers::Pointer;

/// A pointer that does not keep its value alive. See [`std::sync::Weak`].
///
/// Under control, whether [`upgrade`](Self::upgrade) comes before or after the last drop is explored.
pub struct Weak<T: ?Sized> {
    pointer: ManuallyDrop<real::Weak<T>>,
    tally: Option<Tally>,
}

impl<T> Weak<T> {
    /// A pointer to nothing.
    #[must_use]
    pub const fn new() -> Weak<T> {
        Weak { pointer: ManuallyDrop::new(real::Weak::new()), tally: None }
    }
}

impl<T: ?Sized> Weak<T> {
    pub(super) fn counted(pointer: real::Weak<T>, tally: Option<Tally>) -> Self {
        Weak { pointer: ManuallyDrop::new(pointer), tally }
    }

    /// The real pointer; its share of the count is passed to the caller.
    pub(super) fn into_real(self) -> real::Weak<T> {
        let mut this = ManuallyDrop::new(self);
        // SAFETY: `this` is not used any more, nor dropped.
        unsafe { ManuallyDrop::take(&mut this.pointer) }
    }

    /// A strong pointer, if the value is still there. See [`std::sync::Weak::upgrade`].
    #[must_use = "this returns a new `Arc`, without modifying the original weak pointer"]
    #[track_caller]
    pub fn upgrade(&self) -> Option<Arc<T>> {
        if let Some(tally) = asked(self.tally)
            && !tally.count.upgrade(tally.execution, Location::caller())
        {
            return None;
        }
        self.pointer.upgrade().map(|pointer| Arc::counted(pointer, self.tally))
    }

    /// How many strong pointers there are. See [`std::sync::Weak::strong_count`].
    #[must_use]
    #[track_caller]
    pub fn strong_count(&self) -> usize {
        match asked(self.tally) {
            Some(tally) => tally.look(Location::caller()).0,
            None => self.pointer.strong_count(),
        }
    }

    /// How many weak pointers there are; zero if no strong one is left. See [`std::sync::Weak::weak_count`].
    #[must_use]
    #[track_caller]
    pub fn weak_count(&self) -> usize {
        match asked(self.tally) {
            Some(tally) => match tally.look(Location::caller()) {
                (0, _) => 0,
                (_, weak) => weak,
            },
            None => self.pointer.weak_count(),
        }
    }

    /// Whether both point to the same memory. See [`std::sync::Weak::ptr_eq`].
    #[must_use]
    pub fn ptr_eq(&self, other: &Weak<T>) -> bool {
        self.pointer.ptr_eq(&other.pointer)
    }

    /// The address. See [`std::sync::Weak::as_ptr`].
    #[must_use]
    pub fn as_ptr(&self) -> *const T {
        raw::note(self.pointer.as_ptr(), self.tally)
    }

    /// The address, which can become a pointer again. See [`std::sync::Weak::into_raw`].
    #[must_use = "losing the pointer will leak memory"]
    pub fn into_raw(self) -> *const T {
        let tally = self.tally;
        raw::note(self.into_real().into_raw(), tally)
    }

    /// The pointer that [`into_raw`](Self::into_raw) was given. See [`std::sync::Weak::from_raw`].
    ///
    /// # Safety
    /// As for the standard library's.
    pub unsafe fn from_raw(ptr: *const T) -> Weak<T> {
        // SAFETY: the caller vouches for it.
        Weak::counted(unsafe { real::Weak::from_raw(ptr) }, raw::noted(ptr))
    }
}

impl<T: ?Sized> Clone for Weak<T> {
    #[track_caller]
    fn clone(&self) -> Weak<T> {
        if let Some(tally) = self.tally {
            tally.clone_pointer(Pointer::Weak, Location::caller());
        }
        Weak::counted(real::Weak::clone(&self.pointer), self.tally)
    }
}

impl<T: ?Sized> Drop for Weak<T> {
    fn drop(&mut self) {
        // The real pointer goes first: when the engine reports that no pointer is left, that must be true. SAFETY: the
        // pointer is not used after this.
        unsafe { ManuallyDrop::drop(&mut self.pointer) };
        if let Some(tally) = self.tally {
            tally.count.drop_pointer(tally.execution, Pointer::Weak, NOWHERE);
        }
    }
}

impl<T> Default for Weak<T> {
    fn default() -> Weak<T> {
        Weak::new()
    }
}

impl<T: ?Sized> fmt::Debug for Weak<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(Weak)")
    }
}
