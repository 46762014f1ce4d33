//! Replacement for [`std::sync::Condvar`].

use std::fmt;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync::{self as real, LockResult, PoisonError};
use std::time::Duration;

use super::MutexGuard;
use crate::backend::{Backend, Handle};
use crate::std::thread;
use crate::std::time::Instant;
use insyn_engine::access::{current_execution, refuse_to_block};
use insyn_engine::calls::completions;
use insyn_engine::objects::{State, condvar};
use insyn_engine::record::event::{Kind, Op};
use insyn_engine::{Place, calls, clock};

/// Lets threads wait for a condition. See [`std::sync::Condvar`].
///
/// Under control only a notification wakes a thread, unless
/// [`Explorer::spurious_wakeups`](crate::Explorer::spurious_wakeups) is set. Which waiter [`notify_one`](Self::notify_one)
/// wakes is explored, unless [`Explorer::longest_waiter`](crate::Explorer::longest_waiter) is set. A wait with a timeout
/// may time out at any point before it is notified, however long the timeout is.
///
/// ```
/// use insyn::std::sync::{Arc, Condvar, Mutex};
/// use insyn::std::thread;
///
/// insyn::explore(|| {
///     let pair = Arc::new((Mutex::new(false), Condvar::new()));
///     let other = Arc::clone(&pair);
///     thread::spawn(move || {
///         *other.0.lock().unwrap() = true;
///         other.1.notify_one();
///     });
///     let ready = pair.1.wait_while(pair.0.lock().unwrap(), |ready| !*ready).unwrap();
///     assert!(*ready);
/// })
/// .assert_ok();
/// ```
pub struct Condvar(Backend<real::Condvar, Handle>);

// As the standard library's.
impl UnwindSafe for Condvar {}
impl RefUnwindSafe for Condvar {}

/// Whether a wait ended by a timeout. See [`std::sync::WaitTimeoutResult`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WaitTimeoutResult(bool);

impl WaitTimeoutResult {
    /// Whether the wait timed out.
    #[must_use]
    pub fn timed_out(&self) -> bool {
        self.0
    }
}

impl Condvar {
    /// A condition variable on which no thread waits. (Not `const`: under control it belongs to the execution it is made
    /// in.)
    #[must_use]
    pub fn new() -> Self {
        Condvar(match current_execution() {
            None => Backend::Real(real::Condvar::new()),
            Some(execution) => Backend::Controlled(Handle {
                execution,
                object: completions::new_object(
                    execution,
                    Kind::Condvar,
                    State::Condvar(condvar::State::default()),
                ),
            }),
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
        let (guard, poisoned) = self.wait_for(guard, None, Location::caller());
        if poisoned { Err(PoisonError::new(guard.0)) } else { Ok(guard.0) }
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

    /// As [`wait`](Self::wait), but not forever. See [`std::sync::Condvar::wait_timeout`].
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    #[track_caller]
    pub fn wait_timeout<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        duration: Duration,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)> {
        let (result, poisoned) = self.wait_for(guard, Some(duration), Location::caller());
        if poisoned { Err(PoisonError::new(result)) } else { Ok(result) }
    }

    /// As [`wait_while`](Self::wait_while), but not forever. See [`std::sync::Condvar::wait_timeout_while`].
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    #[track_caller]
    pub fn wait_timeout_while<'a, T, F>(
        &self,
        mut guard: MutexGuard<'a, T>,
        duration: Duration,
        mut condition: F,
    ) -> LockResult<(MutexGuard<'a, T>, WaitTimeoutResult)>
    where
        F: FnMut(&mut T) -> bool,
    {
        let start = Instant::now();
        while condition(&mut *guard) {
            let Some(left) = duration.checked_sub(start.elapsed()) else {
                return Ok((guard, WaitTimeoutResult(true)));
            };
            guard = self.wait_timeout(guard, left)?.0;
        }
        Ok((guard, WaitTimeoutResult(false)))
    }

    /// As [`wait_timeout`](Self::wait_timeout); also returns whether it was notified. See
    /// [`std::sync::Condvar::wait_timeout_ms`].
    ///
    /// # Errors
    /// As [`wait`](Self::wait).
    #[deprecated(note = "replaced by `wait_timeout`, as in the standard library")]
    #[track_caller]
    pub fn wait_timeout_ms<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        ms: u32,
    ) -> LockResult<(MutexGuard<'a, T>, bool)> {
        let duration = Duration::from_millis(ms.into());
        let ((guard, result), poisoned) = self.wait_for(guard, Some(duration), Location::caller());
        let result = (guard, !result.timed_out());
        if poisoned { Err(PoisonError::new(result)) } else { Ok(result) }
    }

    /// Waits; also returns whether the lock is poisoned.
    #[track_caller]
    fn wait_for<'a, T>(
        &self,
        guard: MutexGuard<'a, T>,
        timeout: Option<Duration>,
        place: Place,
    ) -> ((MutexGuard<'a, T>, WaitTimeoutResult), bool) {
        match (&self.0, guard.controlled()) {
            (Backend::Real(condvar), None) => {
                refuse_to_block();
                let waited = guard.wait_real(|guard| match timeout {
                    None => match condvar.wait(guard) {
                        Ok(guard) => Ok((guard, WaitTimeoutResult(false))),
                        Err(poison) => Err(PoisonError::new((poison.into_inner(), WaitTimeoutResult(false)))),
                    },
                    Some(duration) => match condvar.wait_timeout(guard, duration) {
                        Ok((guard, result)) => Ok((guard, WaitTimeoutResult(result.timed_out()))),
                        Err(poison) => {
                            let (guard, result) = poison.into_inner();
                            Err(PoisonError::new((guard, WaitTimeoutResult(result.timed_out()))))
                        }
                    },
                });
                match waited {
                    Ok(waited) => (waited, false),
                    Err(poison) => (poison.into_inner(), true),
                }
            }
            (&Backend::Controlled(Handle { execution, object }), Some(mutex)) => {
                // The thread joins the waiters before it releases the lock: a notification in between is not lost.
                calls::call(execution, object, Op::Wait, place);
                mutex.call_changed(Op::Unlock, place);
                // What is too long for a clock is no limit.
                let timed_out = match timeout.filter(|&it| clock::nanos(it).is_some()) {
                    None => {
                        calls::await_notification(execution, object, place);
                        false
                    }
                    Some(duration) => {
                        let timed_out = calls::await_notification_or_timeout(execution, object, place);
                        if timed_out {
                            thread::pass(execution, duration);
                        }
                        timed_out
                    }
                };
                let (call, _) = mutex.call(Op::Lock, place);
                ((guard, WaitTimeoutResult(timed_out)), mutex.was_poisoned(call))
            }
            _ => panic!(
                "insyn: a mutex and a condition variable of which one was made outside the program under test"
            ),
        }
    }

    /// Wakes one waiter, if there is any. See [`std::sync::Condvar::notify_one`].
    #[track_caller]
    pub fn notify_one(&self) {
        match &self.0 {
            Backend::Real(condvar) => condvar.notify_one(),
            Backend::Controlled(Handle { execution, object }) => {
                calls::call(*execution, *object, Op::NotifyOne, Location::caller());
            }
        }
    }

    /// Wakes all waiters. See [`std::sync::Condvar::notify_all`].
    #[track_caller]
    pub fn notify_all(&self) {
        match &self.0 {
            Backend::Real(condvar) => condvar.notify_all(),
            Backend::Controlled(Handle { execution, object }) => {
                calls::call(*execution, *object, Op::NotifyAll, Location::caller());
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
