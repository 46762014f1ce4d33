//! Mirror of [`std::sync::RwLock`].

mod gate;
mod guards;

use std::cell::UnsafeCell;
use std::fmt;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};

use super::poison::Controlled;
use gate::Gate;
use insyn_engine::Place;
use insyn_engine::access::{current_execution, is_alive};
use insyn_engine::objects::Answer;
use insyn_engine::record::event::Op;

pub use guards::{RwLockReadGuard, RwLockWriteGuard};

/// A lock around data for many readers or one writer. See [`std::sync::RwLock`].
///
/// Under control, as the standard library allows, a reader may or may not have to wait behind a waiting writer, and both
/// are explored. If [`Explorer::waiting_writers_block`](crate::Explorer::waiting_writers_block) is off, it never has to.
///
/// If other synchronization of the program orders every read with every write, readers are not ordered among each other:
/// any number of them is one sequence. If a writer meets them, in any execution, all events of the lock are ordered,
/// including those of readers.
///
/// ```
/// use insyn::std::sync::RwLock;
/// use insyn::std::thread;
///
/// let read = |readers| {
///     insyn::explore(move || {
///         let lock = RwLock::new(5);
///         thread::scope(|s| (0..readers).for_each(|_| drop(s.spawn(|| *lock.read().unwrap()))));
///     })
/// };
/// assert_eq!((read(2).sequences, read(6).sequences), (1, 1));
///
/// insyn::explore(|| {
///     let lock = RwLock::new(5);
///     thread::scope(|s| {
///         s.spawn(|| *lock.write().unwrap() += 1);
///         let seen = *lock.read().unwrap();
///         assert!(seen == 5 || seen == 6);
///     });
///     assert_eq!(lock.into_inner().unwrap(), 6);
/// })
/// .assert_ok();
/// ```
pub struct RwLock<T: ?Sized> {
    lock: Lock,
    data: UnsafeCell<T>,
}

enum Lock {
    Real { gate: Gate, poisoned: AtomicBool },
    Controlled(Controlled<true>),
}

// As for the standard library's: a panic while the data is being changed poisons it.
impl<T: ?Sized> UnwindSafe for RwLock<T> {}
impl<T: ?Sized> RefUnwindSafe for RwLock<T> {}

// SAFETY: the data is reached only through guards, of which there are many for reading or one for writing: the gate, or the
// engine's order of completions, ensures that.
unsafe impl<T: ?Sized + Send> Send for RwLock<T> {}
// SAFETY: as above; readers share the data.
unsafe impl<T: ?Sized + Send + Sync> Sync for RwLock<T> {}

impl<T> RwLock<T> {
    /// A lock that no thread holds. (Not `const`: under control it belongs to the execution it is made in.)
    pub fn new(data: T) -> Self {
        let lock = match current_execution() {
            None => Lock::Real { gate: Gate::default(), poisoned: AtomicBool::new(false) },
            Some(execution) => Lock::Controlled(Controlled::with_readers(execution)),
        };
        RwLock { lock, data: UnsafeCell::new(data) }
    }

    /// The data. See [`std::sync::RwLock::into_inner`].
    ///
    /// # Errors
    /// If a writer panicked; the data is in the error.
    pub fn into_inner(self) -> LockResult<T> {
        let poisoned = self.lock.is_poisoned();
        or_poison(self.data.into_inner(), poisoned)
    }
}

impl<T: ?Sized> RwLock<T> {
    /// Waits for the lock, to read. See [`std::sync::RwLock::read`].
    ///
    /// # Errors
    /// If a writer panicked; the guard is in the error.
    #[track_caller]
    pub fn read(&self) -> LockResult<RwLockReadGuard<'_, T>> {
        let poisoned = self.lock.take(Op::Read, Location::caller());
        or_poison(RwLockReadGuard::new(self), poisoned.expect("it waits until it may"))
    }

    /// Takes the lock to read, if that needs no wait. See [`std::sync::RwLock::try_read`].
    ///
    /// # Errors
    /// If a thread writes (or a writer waits), or if a writer panicked.
    #[track_caller]
    pub fn try_read(&self) -> TryLockResult<RwLockReadGuard<'_, T>> {
        match self.lock.take(Op::TryRead, Location::caller()) {
            Some(poisoned) => Ok(or_poison(RwLockReadGuard::new(self), poisoned)?),
            None => Err(TryLockError::WouldBlock),
        }
    }

    /// Waits for the lock, to write. See [`std::sync::RwLock::write`].
    ///
    /// # Errors
    /// If a writer panicked; the guard is in the error.
    #[track_caller]
    pub fn write(&self) -> LockResult<RwLockWriteGuard<'_, T>> {
        let poisoned = self.lock.take(Op::Write, Location::caller());
        or_poison(RwLockWriteGuard::new(self), poisoned.expect("it waits until it may"))
    }

    /// Takes the lock to write, if no thread holds it. See [`std::sync::RwLock::try_write`].
    ///
    /// # Errors
    /// If a thread holds the lock, or if a writer panicked.
    #[track_caller]
    pub fn try_write(&self) -> TryLockResult<RwLockWriteGuard<'_, T>> {
        match self.lock.take(Op::TryWrite, Location::caller()) {
            Some(poisoned) => Ok(or_poison(RwLockWriteGuard::new(self), poisoned)?),
            None => Err(TryLockError::WouldBlock),
        }
    }

    /// Whether a writer panicked. See [`std::sync::RwLock::is_poisoned`].
    #[track_caller]
    pub fn is_poisoned(&self) -> bool {
        match &self.lock {
            Lock::Real { poisoned, .. } => poisoned.load(Ordering::Relaxed),
            Lock::Controlled(lock) => lock.look(Location::caller()),
        }
    }

    /// Forgets that a writer panicked. See [`std::sync::RwLock::clear_poison`].
    #[track_caller]
    pub fn clear_poison(&self) {
        match &self.lock {
            Lock::Real { poisoned, .. } => poisoned.store(false, Ordering::Relaxed),
            Lock::Controlled(lock) => lock.clear(Location::caller()),
        }
    }

    /// The data, without locking: the exclusive borrow keeps all other threads out.
    ///
    /// # Errors
    /// If a writer panicked.
    pub fn get_mut(&mut self) -> LockResult<&mut T> {
        let poisoned = self.lock.is_poisoned();
        or_poison(self.data.get_mut(), poisoned)
    }
}

impl Lock {
    /// Takes the lock; returns whether it is poisoned, or none if it would have to wait and must not.
    #[track_caller]
    fn take(&self, op: Op, place: Place) -> Option<bool> {
        match self {
            Lock::Real { gate, poisoned } => {
                let taken = match op {
                    Op::Read => {
                        gate.read();
                        true
                    }
                    Op::Write => {
                        gate.write();
                        true
                    }
                    Op::TryRead => gate.try_read(),
                    _ => gate.try_write(),
                };
                taken.then(|| poisoned.load(Ordering::Relaxed))
            }
            Lock::Controlled(lock) => {
                let (call, answer) = match op {
                    Op::Read | Op::TryRead => lock.start_reading(op, place),
                    _ => lock.call(op, place),
                };
                (answer != Answer::No).then(|| lock.was_poisoned(call))
            }
        }
    }

    /// For callers with exclusive access to the lock.
    fn is_poisoned(&self) -> bool {
        match self {
            Lock::Real { poisoned, .. } => poisoned.load(Ordering::Relaxed),
            Lock::Controlled(lock) => lock.is_poisoned(),
        }
    }
}

fn or_poison<G>(guard: G, poisoned: bool) -> LockResult<G> {
    if poisoned { Err(PoisonError::new(guard)) } else { Ok(guard) }
}

impl<T: Default> Default for RwLock<T> {
    fn default() -> Self {
        RwLock::new(T::default())
    }
}

impl<T> From<T> for RwLock<T> {
    fn from(data: T) -> Self {
        RwLock::new(data)
    }
}

/// As the standard library's, this tries to take the lock: under control, an operation of the program.
impl<T: ?Sized + fmt::Debug> fmt::Debug for RwLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("RwLock");
        if let Lock::Controlled(lock) = &self.lock
            && !is_alive(lock.execution)
        {
            return shown.finish_non_exhaustive();
        }
        let poisoned = match self.try_read() {
            Ok(guard) => {
                shown.field("data", &&*guard);
                false
            }
            Err(TryLockError::Poisoned(error)) => {
                shown.field("data", &&**error.get_ref());
                true
            }
            Err(TryLockError::WouldBlock) => {
                shown.field("data", &format_args!("<locked>"));
                self.is_poisoned()
            }
        };
        shown.field("poisoned", &poisoned).finish_non_exhaustive()
    }
}
