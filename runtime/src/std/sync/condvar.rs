//! Mirror of [`std::sync::Condvar`].

use std::fmt;
use std::panic::Location;
use std::sync::{self as real, LockResult};

use super::MutexGuard;
use crate::execution::event::{Kind, Op};
use crate::execution::{current, objects, refuse_to_block};

/// Lets threads wait for a condition. See [`std::sync::Condvar`].
///
/// Under control nobody is woken but by a notification. Which waiter [`notify_one`](Self::notify_one) wakes is explored,
/// unless [`Explorer::longest_waiter`](crate::Explorer::longest_waiter) is set.
pub struct Condvar(Which);

enum Which {
    Real(real::Condvar),
    Controlled { stamp: u64, object: u32 },
}

impl Condvar {
    /// A condition variable on which nobody waits.
    pub fn new() -> Self {
        Condvar(match current() {
            None => Which::Real(real::Condvar::new()),
            Some(x) => {
                let stamp = x.stamp();
                Which::Controlled { stamp, object: objects::new_object(stamp, Kind::Condvar, 0, 0) }
            }
        })
    }

    /// Gives the lock up, waits to be notified, and takes the lock again. See [`std::sync::Condvar::wait`].
    ///
    /// # Errors
    /// If a thread panicked while it held the lock; the guard is in the error.
    ///
    /// # Panics
    /// If one of mutex and condition variable is under control and the other is not.
    #[track_caller]
    pub fn wait<'a, T>(&self, guard: MutexGuard<'a, T>) -> LockResult<MutexGuard<'a, T>> {
        let place = Location::caller();
        match (&self.0, guard.controlled()) {
            (Which::Real(condvar), None) => {
                refuse_to_block();
                guard.wait_real(condvar)
            }
            (Which::Controlled { stamp, object }, Some(mutex)) => {
                // On the list of waiters first, then the lock is given up: a notification in between is not lost.
                objects::call(*stamp, *object, Op::Wait, place);
                objects::call(mutex.stamp, mutex.object, Op::Unlock, place);
                objects::await_notification(*stamp, *object, place);
                objects::call(mutex.stamp, mutex.object, Op::Lock, place);
                guard.retaken()
            }
            _ => panic!(
                "insyn: a mutex and a condition variable of which one was made outside the program under test"
            ),
        }
    }

    /// Waits while `condition` is true. See [`std::sync::Condvar::wait_while`].
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    #[track_caller]
    pub fn wait_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        mut condition: F,
    ) -> LockResult<MutexGuard<'a, T>>
    where
        F: FnMut(&mut T) -> bool,
    {
        while condition(&mut *guard) {
            guard = self.wait(guard)?;
        }
        Ok(guard)
    }

    /// Wakes one waiter, if there is any. See [`std::sync::Condvar::notify_one`].
    #[track_caller]
    pub fn notify_one(&self) {
        match &self.0 {
            Which::Real(condvar) => condvar.notify_one(),
            Which::Controlled { stamp, object } => {
                objects::call(*stamp, *object, Op::NotifyOne, Location::caller());
            }
        }
    }

    /// Wakes all waiters. See [`std::sync::Condvar::notify_all`].
    #[track_caller]
    pub fn notify_all(&self) {
        match &self.0 {
            Which::Real(condvar) => condvar.notify_all(),
            Which::Controlled { stamp, object } => {
                objects::call(*stamp, *object, Op::NotifyAll, Location::caller());
            }
        }
    }
}

impl Default for Condvar {
    fn default() -> Self {
        Condvar::new()
    }
}

impl fmt::Debug for Condvar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Condvar").finish_non_exhaustive()
    }
}
