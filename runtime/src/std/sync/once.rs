//! Replacement for [`std::sync::Once`].

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync as real;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::backend::{Backend, Handle};
use insyn_engine::Place;
use insyn_engine::access::{current_execution, refuse_to_block};
use insyn_engine::calls::once;
use insyn_engine::calls::once::Begin;
use insyn_engine::ids::{ExecutionId, ObjectId};

const POISONED: &str = "Once instance has previously been poisoned";

/// A closure to be run once. See [`std::sync::Once`].
///
/// Under control, insyn explores which of several threads runs it; threads that come later are not ordered among each
/// other.
///
/// ```
/// use insyn::std::sync::Once;
/// use insyn::std::sync::atomic::{AtomicU32, Ordering};
/// use insyn::std::thread;
///
/// insyn::explore(|| {
///     let (once, times) = (Once::new(), AtomicU32::new(0));
///     thread::scope(|s| {
///         s.spawn(|| once.call_once(|| _ = times.fetch_add(1, Ordering::SeqCst)));
///         once.call_once(|| _ = times.fetch_add(1, Ordering::SeqCst));
///         assert_eq!(times.load(Ordering::SeqCst), 1);
///     });
/// })
/// .assert_ok();
/// ```
pub struct Once(Backend<Real, Handle>);

struct Real {
    once: real::Once,
    /// A thread is running the closure.
    busy: AtomicBool,
}

impl UnwindSafe for Once {}
impl RefUnwindSafe for Once {}

/// The state that [`Once::call_once_force`] passes to its closure. See [`std::sync::OnceState`].
pub struct OnceState {
    poisoned: bool,
    /// Not to be shared, as the standard library's.
    not_sync: PhantomData<Cell<()>>,
}

/// What to do if an earlier closure has panicked.
#[derive(Clone, Copy)]
pub(super) enum IfPoisoned {
    Force,
    Panic(&'static str),
}

impl Once {
    /// A state in which no closure has run yet. (Not `const`: under control it belongs to the execution it is made in.)
    #[expect(clippy::new_without_default, reason = "the standard library's has none")]
    #[must_use]
    pub fn new() -> Once {
        Once(match current_execution() {
            None => Backend::Real(Real { once: real::Once::new(), busy: AtomicBool::new(false) }),
            Some(execution) => Backend::Controlled(Handle { execution, object: once::new(execution) }),
        })
    }

    /// Runs the closure, or waits until another thread has run one. See [`std::sync::Once::call_once`].
    ///
    /// # Panics
    /// If an earlier closure has panicked.
    #[track_caller]
    pub fn call_once<F>(&self, f: F)
    where
        F: FnOnce(),
    {
        self.call(IfPoisoned::Panic(POISONED), |_| f(), Location::caller());
    }

    /// As [`call_once`](Self::call_once), even if an earlier closure has panicked. See
    /// [`std::sync::Once::call_once_force`].
    #[track_caller]
    pub fn call_once_force<F>(&self, f: F)
    where
        F: FnOnce(&OnceState),
    {
        self.call(IfPoisoned::Force, f, Location::caller());
    }

    #[track_caller]
    pub(super) fn call(&self, if_poisoned: IfPoisoned, f: impl FnOnce(&OnceState), place: Place) {
        match &self.0 {
            Backend::Real(Real { once, busy }) => {
                if once.is_completed() {
                    return;
                }
                if busy.load(Ordering::Relaxed) {
                    refuse_to_block();
                }
                once.call_once_force(|state| {
                    let poisoned = state.is_poisoned();
                    if poisoned && let IfPoisoned::Panic(message) = if_poisoned {
                        panic!("{message}");
                    }
                    busy.store(true, Ordering::Relaxed);
                    let _busy = ClearBusy(busy);
                    f(&OnceState::new(poisoned));
                });
            }
            &Backend::Controlled(Handle { execution, object }) => {
                if once::is_done(execution, object, place) {
                    return;
                }
                let force = matches!(if_poisoned, IfPoisoned::Force);
                match (once::begin(execution, object, force, place), if_poisoned) {
                    (Begin::Done, _) => {}
                    (Begin::Run { was_poisoned }, _) => {
                        let mut completing = Completing { execution, object, place, poisoned: true };
                        f(&OnceState::new(was_poisoned));
                        completing.poisoned = false;
                    }
                    (Begin::Poisoned, IfPoisoned::Panic(message)) => panic!("{message}"),
                    (Begin::Poisoned, IfPoisoned::Force) => unreachable!("it begins all the same"),
                }
            }
        }
    }

    /// Whether a closure has completed. See [`std::sync::Once::is_completed`].
    #[track_caller]
    pub fn is_completed(&self) -> bool {
        match &self.0 {
            Backend::Real(Real { once, .. }) => once.is_completed(),
            Backend::Controlled(Handle { execution, object }) => {
                once::is_done(*execution, *object, Location::caller())
            }
        }
    }

    /// Waits until a closure has completed. See [`std::sync::Once::wait`].
    ///
    /// # Panics
    /// If a closure has panicked.
    #[track_caller]
    pub fn wait(&self) {
        match &self.0 {
            Backend::Real(Real { once, .. }) => {
                if !once.is_completed() {
                    refuse_to_block();
                }
                once.wait();
            }
            Backend::Controlled(Handle { execution, object }) => {
                let done = once::wait(*execution, *object, Location::caller());
                assert!(done, "{POISONED}");
            }
        }
    }

    /// Waits until a closure has completed, even if others panic before it. See [`std::sync::Once::wait_force`].
    #[track_caller]
    pub fn wait_force(&self) {
        match &self.0 {
            Backend::Real(Real { once, .. }) => {
                if !once.is_completed() {
                    refuse_to_block();
                }
                once.wait_force();
            }
            Backend::Controlled(Handle { execution, object }) => {
                once::wait_force(*execution, *object, Location::caller());
            }
        }
    }

    /// A new `Once` that is not done, with the same backend.
    pub(super) fn anew(&self) -> Once {
        match &self.0 {
            Backend::Real(_) => {
                Once(Backend::Real(Real { once: real::Once::new(), busy: AtomicBool::new(false) }))
            }
            &Backend::Controlled(Handle { execution, .. }) => {
                Once(Backend::Controlled(Handle { execution, object: once::new(execution) }))
            }
        }
    }
}

/// Records that no closure is running any more.
struct ClearBusy<'a>(&'a AtomicBool);

impl Drop for ClearBusy<'_> {
    fn drop(&mut self) {
        self.0.store(false, Ordering::Relaxed);
    }
}

/// Completes the run that was begun, or poisons it if the closure panics.
struct Completing {
    execution: ExecutionId,
    object: ObjectId,
    place: Place,
    poisoned: bool,
}

impl Drop for Completing {
    fn drop(&mut self) {
        once::complete(self.execution, self.object, self.poisoned, self.place);
    }
}

impl OnceState {
    fn new(poisoned: bool) -> Self {
        OnceState { poisoned, not_sync: PhantomData }
    }

    /// Whether an earlier closure has panicked. See [`std::sync::OnceState::is_poisoned`].
    pub fn is_poisoned(&self) -> bool {
        self.poisoned
    }
}

impl fmt::Debug for Once {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Once").finish_non_exhaustive()
    }
}

impl fmt::Debug for OnceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OnceState").field("poisoned", &self.is_poisoned()).finish()
    }
}
