//! A counted pointer to the data that the handles of one object share. It counts without atomics: a program under control
//! runs on one OS thread, and a handle that is dropped on another thread only leaks.

use std::cell::Cell;
use std::ops::Deref;
use std::ptr::NonNull;

use crate::access::{current_execution, with};
use crate::ids::ExecutionId;

/// A pointer that is counted by the execution it belongs to.
pub struct Shared<T> {
    inner: NonNull<Inner<T>>,
}

struct Inner<T> {
    execution: ExecutionId,
    count: Cell<usize>,
    value: T,
}

// SAFETY: the count is touched only on the OS thread that runs this execution, which `clone` and `drop` make sure of; the
// value is shared as by any `&T` and may be dropped there, hence both bounds, as for `Arc`.
unsafe impl<T: Send + Sync> Send for Shared<T> {}
// SAFETY: as above.
unsafe impl<T: Send + Sync> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub fn new(execution: ExecutionId, value: T) -> Self {
        let inner = Box::new(Inner { execution, count: Cell::new(1), value });
        Shared { inner: NonNull::from(Box::leak(inner)) }
    }

    fn inner(&self) -> &Inner<T> {
        // SAFETY: a live pointer keeps it alive; one that cannot be counted down leaks it.
        unsafe { self.inner.as_ref() }
    }
}

impl<T> Clone for Shared<T> {
    /// # Panics
    /// Outside the execution that it belongs to.
    fn clone(&self) -> Self {
        with(self.inner().execution, |_| ());
        let count = &self.inner().count;
        count.set(count.get() + 1);
        Shared { inner: self.inner }
    }
}

impl<T> Drop for Shared<T> {
    fn drop(&mut self) {
        if current_execution() != Some(self.inner().execution) {
            return;
        }
        let count = &self.inner().count;
        count.set(count.get() - 1);
        if count.get() == 0 {
            // SAFETY: made from a box, and this was the last pointer to it.
            drop(unsafe { Box::from_raw(self.inner.as_ptr()) });
        }
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.inner().value
    }
}
