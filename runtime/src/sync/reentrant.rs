//! A lock that its owner may take again.

use std::fmt;
use std::marker::PhantomData;
use std::ops::Deref;
use std::panic::Location;
use std::sync::{Mutex, PoisonError};
use std::thread::ThreadId;

use crate::backend::{Backend, Handle};
use crate::mailbox::{Bell, ring};
use insyn_engine::access::current_execution;
use insyn_engine::calls;
use insyn_engine::calls::completions;
use insyn_engine::objects::{Answer, State, reentrant};
use insyn_engine::record::event::{Kind, Op};
use insyn_engine::{NOWHERE, Place};

/// A lock around data that the thread which holds it may take again. Since a thread may hold the lock more than once, the
/// data is shared; use a `Cell` or a `RefCell` inside to change it.
pub struct ReentrantLock<T: ?Sized> {
    lock: Backend<Mutex<Option<(ThreadId, usize)>>, Handle>,
    data: T,
}

// SAFETY: only the owner of the lock reaches the data, and guards cannot leave their thread.
unsafe impl<T: ?Sized + Send> Sync for ReentrantLock<T> {}

impl<T> ReentrantLock<T> {
    /// A lock that no thread holds.
    pub fn new(data: T) -> Self {
        let lock = match current_execution() {
            None => Backend::Real(Mutex::new(None)),
            Some(execution) => Backend::Controlled(Handle {
                execution,
                object: completions::new_object(
                    execution,
                    Kind::ReentrantLock,
                    State::ReentrantLock(reentrant::State::default()),
                ),
            }),
        };
        ReentrantLock { lock, data }
    }
}

impl<T: ?Sized> ReentrantLock<T> {
    /// Waits until no other thread holds the lock, and takes it once more.
    #[track_caller]
    pub fn lock(&self) -> ReentrantLockGuard<'_, T> {
        self.operate(Op::Lock, Location::caller());
        ReentrantLockGuard { lock: self, not_send: PhantomData }
    }

    /// Takes the lock unless another thread holds it.
    #[track_caller]
    pub fn try_lock(&self) -> Option<ReentrantLockGuard<'_, T>> {
        let taken = self.operate(Op::TryLock, Location::caller());
        taken.then(|| ReentrantLockGuard { lock: self, not_send: PhantomData })
    }

    #[track_caller]
    fn operate(&self, op: Op, place: Place) -> bool {
        match &self.lock {
            Backend::Controlled(Handle { execution, object }) if op == Op::Unlock => {
                calls::call_in_drop(*execution, *object, op, place);
                true
            }
            Backend::Controlled(Handle { execution, object }) => {
                calls::call(*execution, *object, op, place) == Answer::Yes
            }
            Backend::Real(owner) => {
                let me = std::thread::current().id();
                let done = Bell::until(|| {
                    let mut owner = owner.lock().unwrap_or_else(PoisonError::into_inner);
                    *owner = match (*owner, op) {
                        (Some((who, n)), Op::Unlock) => (n > 1).then(|| (who, n - 1)),
                        (None, _) => Some((me, 1)),
                        (Some((who, n)), _) if who == me => Some((me, n + 1)),
                        (Some(_), Op::TryLock) => return Some(false),
                        (Some(_), _) => return None,
                    };
                    Some(true)
                });
                ring();
                done
            }
        }
    }
}

impl<T: ?Sized> fmt::Debug for ReentrantLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReentrantLock").finish_non_exhaustive()
    }
}

/// The right to use the data of a [`ReentrantLock`].
#[must_use = "if unused the lock is given back at once"]
pub struct ReentrantLockGuard<'a, T: ?Sized> {
    lock: &'a ReentrantLock<T>,
    not_send: PhantomData<*const ()>,
}

impl<T: ?Sized> Deref for ReentrantLockGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.lock.data
    }
}

impl<T: ?Sized> Drop for ReentrantLockGuard<'_, T> {
    fn drop(&mut self) {
        self.lock.operate(Op::Unlock, NOWHERE);
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for ReentrantLockGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
