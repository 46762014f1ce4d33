//! Replacement for [`std::sync::Mutex`].

use std::cell::UnsafeCell;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync::{self as real, LockResult, PoisonError, TryLockError, TryLockResult};

use super::poison::Controlled;
use insyn_engine::access::{current_execution, is_alive, refuse_to_block};
use insyn_engine::calls::completions;
use insyn_engine::ids::EventId;
use insyn_engine::objects::{Answer, State, mutex};
use insyn_engine::record::event::{Kind, Op};
use insyn_engine::threads::panics;

/// A lock around data. See [`std::sync::Mutex`].
pub struct Mutex<T: ?Sized> {
    lock: Lock,
    data: UnsafeCell<T>,
}

enum Lock {
    Real(real::Mutex<()>),
    Controlled(Controlled),
}

// As for the standard library's: a panic while the data is being changed poisons it.
impl<T: ?Sized> UnwindSafe for Mutex<T> {}
impl<T: ?Sized> RefUnwindSafe for Mutex<T> {}

// SAFETY: the data is reached only through a guard, of which there is one at a time: the real mutex, or the engine's order
// of completions, ensures that.
unsafe impl<T: ?Sized + Send> Send for Mutex<T> {}
// SAFETY: as above.
unsafe impl<T: ?Sized + Send> Sync for Mutex<T> {}

impl<T> Mutex<T> {
    /// A mutex that no thread holds. (Not `const`, unlike the standard library's: under control a mutex belongs to the
    /// execution it is made in.)
    pub fn new(data: T) -> Self {
        let lock = match current_execution() {
            None => Lock::Real(real::Mutex::new(())),
            Some(execution) => {
                let object =
                    completions::new_object(execution, Kind::Mutex, State::Mutex(mutex::State::default()));
                Lock::Controlled(Controlled::new(execution, object))
            }
        };
        Mutex { lock, data: UnsafeCell::new(data) }
    }

    /// The data. See [`std::sync::Mutex::into_inner`].
    ///
    /// # Errors
    /// If a thread panicked while it held the lock; the data is in the error.
    pub fn into_inner(self) -> LockResult<T> {
        let poisoned = self.lock.is_poisoned();
        let data = self.data.into_inner();
        if poisoned { Err(PoisonError::new(data)) } else { Ok(data) }
    }
}

impl<T: ?Sized> Mutex<T> {
    /// Waits for the lock. See [`std::sync::Mutex::lock`].
    ///
    /// # Errors
    /// If a thread panicked while it held the lock; the guard is in the error.
    #[track_caller]
    pub fn lock(&self) -> LockResult<MutexGuard<'_, T>> {
        match &self.lock {
            Lock::Real(lock) => {
                if let Err(TryLockError::WouldBlock) = lock.try_lock() {
                    refuse_to_block();
                }
                match lock.lock() {
                    Ok(guard) => Ok(MutexGuard::real(self, guard)),
                    Err(poison) => Err(PoisonError::new(MutexGuard::real(self, poison.into_inner()))),
                }
            }
            Lock::Controlled(lock) => {
                let (call, _) = lock.call(Op::Lock, Location::caller());
                self.guard(lock, call)
            }
        }
    }

    /// Takes the lock if it is free. See [`std::sync::Mutex::try_lock`].
    ///
    /// # Errors
    /// If the lock is held, or if a thread panicked while it held the lock.
    #[track_caller]
    pub fn try_lock(&self) -> TryLockResult<MutexGuard<'_, T>> {
        match &self.lock {
            Lock::Real(lock) => match lock.try_lock() {
                Ok(guard) => Ok(MutexGuard::real(self, guard)),
                Err(TryLockError::WouldBlock) => Err(TryLockError::WouldBlock),
                Err(TryLockError::Poisoned(poison)) => {
                    Err(TryLockError::Poisoned(PoisonError::new(MutexGuard::real(self, poison.into_inner()))))
                }
            },
            Lock::Controlled(lock) => match lock.call(Op::TryLock, Location::caller()) {
                (_, Answer::No) => Err(TryLockError::WouldBlock),
                (call, _) => Ok(self.guard(lock, call)?),
            },
        }
    }

    /// The guard for a completed call.
    fn guard<'a>(&'a self, lock: &Controlled, call: EventId) -> LockResult<MutexGuard<'a, T>> {
        let guard = MutexGuard {
            mutex: self,
            real: None,
            was_panicking: panics::is_panicking(),
            was_borrowed: false,
            not_send: PhantomData,
        };
        if lock.was_poisoned(call) { Err(PoisonError::new(guard)) } else { Ok(guard) }
    }

    /// Whether a thread panicked while it held the lock. See [`std::sync::Mutex::is_poisoned`].
    #[track_caller]
    pub fn is_poisoned(&self) -> bool {
        match &self.lock {
            Lock::Real(lock) => lock.is_poisoned(),
            Lock::Controlled(lock) => lock.look(Location::caller()),
        }
    }

    /// Forgets that a thread panicked while it held the lock. See [`std::sync::Mutex::clear_poison`].
    #[track_caller]
    pub fn clear_poison(&self) {
        match &self.lock {
            Lock::Real(lock) => lock.clear_poison(),
            Lock::Controlled(lock) => lock.clear(Location::caller()),
        }
    }

    /// The data, without locking: the exclusive borrow keeps all other threads out.
    ///
    /// # Errors
    /// If a thread panicked while it held the lock.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let poisoned = self.lock.is_poisoned();
        let data = self.data.get_mut();
        if poisoned { Err(PoisonError::new(data)) } else { Ok(data) }
    }
}

impl<T: Default> Default for Mutex<T> {
    fn default() -> Self {
        Mutex::new(T::default())
    }
}

impl<T> From<T> for Mutex<T> {
    fn from(data: T) -> Self {
        Mutex::new(data)
    }
}

impl Lock {
    /// For callers with exclusive access to the lock.
    fn is_poisoned(&self) -> bool {
        match self {
            Lock::Real(lock) => lock.is_poisoned(),
            Lock::Controlled(lock) => lock.is_poisoned(),
        }
    }
}

/// As the standard library's, this tries to take the lock: under control, an operation of the program.
impl<T: ?Sized + fmt::Debug> fmt::Debug for Mutex<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Mutex");
        if let Lock::Controlled(lock) = &self.lock
            && !is_alive(lock.execution)
        {
            return shown.finish_non_exhaustive();
        }
        let poisoned = match self.try_lock() {
            Ok(guard) => {
                shown.field("data", &&*guard);
                false
            }
            Err(TryLockError::Poisoned(error)) => {
                shown.field("data", &&**error.get_ref());
                true
            }
            Err(TryLockError::WouldBlock) => {
                shown.field("data", &"<locked>");
                self.is_poisoned()
            }
        };
        shown.field("poisoned", &poisoned).finish_non_exhaustive()
    }
}

/// The right to use the data of a [`Mutex`]. See [`std::sync::MutexGuard`].
#[must_use = "if unused the Mutex will immediately unlock"]
pub struct MutexGuard<'a, T: ?Sized> {
    mutex: &'a Mutex<T>,
    real: Option<real::MutexGuard<'a, ()>>,
    was_panicking: bool,
    /// Mutably, so that the data may have changed.
    was_borrowed: bool,
    not_send: PhantomData<*const ()>,
}

// SAFETY: a shared guard gives no more than a shared reference to the data.
unsafe impl<T: ?Sized + Sync> Sync for MutexGuard<'_, T> {}

impl<'a, T: ?Sized> MutexGuard<'a, T> {
    fn real(mutex: &'a Mutex<T>, guard: real::MutexGuard<'a, ()>) -> Self {
        MutexGuard {
            mutex,
            real: Some(guard),
            was_panicking: false,
            was_borrowed: false,
            not_send: PhantomData,
        }
    }

    /// Waits on a real condition variable, by `wait`.
    pub(super) fn wait_real<R>(
        mut self,
        wait: impl FnOnce(real::MutexGuard<'a, ()>) -> LockResult<(real::MutexGuard<'a, ()>, R)>,
    ) -> LockResult<(Self, R)> {
        let guard = self.real.take().expect("the mutex is a real one");
        let (guard, result, poisoned) = match wait(guard) {
            Ok((guard, result)) => (guard, result, false),
            Err(poison) => {
                let (guard, result) = poison.into_inner();
                (guard, result, true)
            }
        };
        self.real = Some(guard);
        if poisoned { Err(PoisonError::new((self, result))) } else { Ok((self, result)) }
    }

    /// The mutex in the engine; none if it is a real one.
    pub(super) fn controlled(&self) -> Option<&'a Controlled> {
        match &self.mutex.lock {
            Lock::Real(_) => None,
            Lock::Controlled(lock) => Some(lock),
        }
    }
}

impl<T: ?Sized> Drop for MutexGuard<'_, T> {
    fn drop(&mut self) {
        if let Lock::Controlled(lock) = &self.mutex.lock {
            lock.give_back(self.was_panicking, self.was_borrowed);
        }
    }
}

impl<T: ?Sized> Deref for MutexGuard<'_, T> {
    type Target = T;
    fn deref(&self) -> &T {
        // SAFETY: the guard is the only one.
        unsafe { &*self.mutex.data.get() }
    }
}

impl<T: ?Sized> DerefMut for MutexGuard<'_, T> {
    fn deref_mut(&mut self) -> &mut T {
        self.was_borrowed = true;
        // SAFETY: the guard is the only one, and borrowed exclusively.
        unsafe { &mut *self.mutex.data.get() }
    }
}

impl<T: ?Sized + fmt::Debug> fmt::Debug for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: ?Sized + fmt::Display> fmt::Display for MutexGuard<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
