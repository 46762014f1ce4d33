//! Replacements for [`std::sync::RwLockReadGuard`] and [`std::sync::RwLockWriteGuard`].

use std::fmt;
use std::marker::PhantomData;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::panic::Location;
use std::ptr::NonNull;
use std::sync::atomic::Ordering;

use super::{Lock, RwLock};
use insyn_engine::record::event::Op;
use insyn_engine::threads::panics;

/// The right to read the data of a [`RwLock`]. See [`std::sync::RwLockReadGuard`].
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockReadGuard<'a, T: ?Sized + 'a> {
    lock: &'a Lock,
    /// A pointer, as in the standard library: so the guard is covariant in `T`, and not `Send`.
    data: NonNull<T>,
}

/// The right to write the data of a [`RwLock`]. See [`std::sync::RwLockWriteGuard`].
#[must_use = "if unused the RwLock will immediately unlock"]
pub struct RwLockWriteGuard<'a, T: ?Sized + 'a> {
    lock: &'a RwLock<T>,
    was_panicking: bool,
    /// Mutably, so that the data may have changed.
    was_borrowed: bool,
    not_send: PhantomData<*const ()>,
}

// SAFETY: a shared guard gives no more than a shared reference to the data.
unsafe impl<T: ?Sized + Sync> Sync for RwLockReadGuard<'_, T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Sync> Sync for RwLockWriteGuard<'_, T> {}

impl<'a, T: ?Sized> RwLockReadGuard<'a, T> {
    /// For a thread that has taken the lock to read.
    pub(super) fn new(lock: &'a RwLock<T>) -> Self {
        // SAFETY: the pointer of a cell is never null.
        let data = unsafe { NonNull::new_unchecked(lock.data.get()) };
        RwLockReadGuard { lock: &lock.lock, data }
    }
}

impl<'a, T: ?Sized> RwLockWriteGuard<'a, T> {
    /// For a thread that has taken the lock to write.
    pub(super) fn new(lock: &'a RwLock<T>) -> Self {
        RwLockWriteGuard {
            lock,
            was_panicking: panics::is_panicking(),
            was_borrowed: false,
            not_send: PhantomData,
        }
    }

    /// Turns a writer into a reader, without letting another writer in between. See
    /// [`std::sync::RwLockWriteGuard::downgrade`].
    #[track_caller]
    pub fn downgrade(s: Self) -> RwLockReadGuard<'a, T> {
        let lock = s.lock;
        mem::forget(s);
        match &lock.lock {
            Lock::Real { gate, .. } => gate.downgrade(),
            Lock::Controlled(lock) => lock.call_changed(Op::Downgrade, Location::caller()),
        }
        RwLockReadGuard::new(lock)
    }
}

impl<T: ?Sized> Drop for RwLockReadGuard<'_, T> {
    fn drop(&mut self) {
        match self.lock {
            Lock::Real { gate, .. } => gate.end_read(),
            Lock::Controlled(lock) => lock.stop_reading(),
        }
    }
}

impl<T: ?Sized> Drop for RwLockWriteGuard<'_, T> {
    fn drop(&mut self) {
        match &self.lock.lock {
            Lock::Real { gate, poisoned } => {
                if !self.was_panicking && panics::is_panicking() {
                    poisoned.store(true, Ordering::Relaxed);
                }
                gate.end_write();
            }
            Lock::Controlled(lock) => lock.give_back(self.was_panicking, self.was_borrowed),
        }
    }
}

impl<T: ?Sized> Deref for RwLockReadGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: no thread writes while there are guards for reading.
        unsafe { self.data.as_ref() }
    }
}

impl<T: ?Sized> Deref for RwLockWriteGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the guard is the only one.
        unsafe { &*self.lock.data.get() }
    }
}

impl<T: ?Sized> DerefMut for RwLockWriteGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.was_borrowed = true;
        // SAFETY: the guard is the only one, and borrowed exclusively.
        unsafe { &mut *self.lock.data.get() }
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for RwLockReadGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for RwLockWriteGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
