//! Counted pointers as addresses. An address has no room for the name of its count, so the name is recorded here when a
//! pointer becomes an address, and found again when the address becomes a pointer.

use insyn_engine::access::current_execution;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::mem::ManuallyDrop;
use std::sync as real;

use super::{Arc, Tally};

thread_local! {
    /// By address. Entries of an earlier execution are ignored.
    static NOTED: RefCell<BTreeMap<usize, Tally>> = const { RefCell::new(BTreeMap::new()) };
}

/// Records the count of the value at an address.
pub(super) fn note<T: ?Sized>(value: *const T, tally: Option<Tally>) -> *const T {
    let address = value.cast::<()>() as usize;
    NOTED.with_borrow_mut(|noted| {
        let Some(tally) = tally else {
            noted.remove(&address);
            return;
        };
        if noted.first_key_value().is_some_and(|(_, earlier)| earlier.execution != tally.execution) {
            noted.clear();
        }
        noted.insert(address, tally);
    });
    value
}

/// The count of the value at an address, if it is under control here.
pub(super) fn noted<T: ?Sized>(value: *const T) -> Option<Tally> {
    let execution = current_execution()?;
    let address = value.cast::<()>() as usize;
    NOTED.with_borrow(|noted| noted.get(&address).copied()).filter(|tally| tally.execution == execution)
}

impl<T: ?Sized> Arc<T> {
    /// The address of the value. See [`std::sync::Arc::as_ptr`].
    #[must_use]
    pub fn as_ptr(this: &Arc<T>) -> *const T {
        note(real::Arc::as_ptr(&this.pointer), this.tally)
    }

    /// The address of the value, which can become a pointer again. See [`std::sync::Arc::into_raw`].
    #[must_use = "losing the pointer will leak memory"]
    pub fn into_raw(this: Arc<T>) -> *const T {
        let (pointer, tally) = this.into_parts();
        note(real::Arc::into_raw(pointer), tally)
    }

    /// The pointer that [`into_raw`](Self::into_raw) was given. See [`std::sync::Arc::from_raw`].
    ///
    /// # Safety
    /// As for the standard library's.
    pub unsafe fn from_raw(ptr: *const T) -> Arc<T> {
        // SAFETY: the caller vouches for it.
        Arc::counted(unsafe { real::Arc::from_raw(ptr) }, noted(ptr))
    }

    /// One more pointer to the value at an address. See [`std::sync::Arc::increment_strong_count`].
    ///
    /// # Safety
    /// As for the standard library's.
    #[track_caller]
    pub unsafe fn increment_strong_count(ptr: *const T) {
        // SAFETY: the caller vouches for it; the pointer made of the address is not dropped.
        let this = ManuallyDrop::new(unsafe { Arc::from_raw(ptr) });
        std::mem::forget(Arc::clone(&this));
    }

    /// One pointer fewer to the value at an address. See [`std::sync::Arc::decrement_strong_count`].
    ///
    /// # Safety
    /// As for the standard library's.
    pub unsafe fn decrement_strong_count(ptr: *const T) {
        // SAFETY: the caller vouches for it.
        drop(unsafe { Arc::from_raw(ptr) });
    }
}
