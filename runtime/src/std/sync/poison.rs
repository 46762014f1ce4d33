//! Whether a lock is poisoned, in the order of its completions.
//!
//! A lock becomes poisoned when a panicking thread releases it, that is, when the unlock is *completed*. A thread may check
//! for poison without holding the lock, and the result must follow from the order of completions alone. So each change is
//! kept with the call that makes it, and a check observes the changes that were completed before it.

use std::cell::UnsafeCell;

use insyn_engine::access::{is_alive, with};
use insyn_engine::calls::rwlocks;
use insyn_engine::ids::{EventId, ExecutionId, ObjectId};
use insyn_engine::objects::{Answer, Argument};
use insyn_engine::record::event::{Event, Op, Pick};
use insyn_engine::threads::panics;
use insyn_engine::{NOWHERE, Place, calls};

/// A lock under control, and whether it is poisoned. Some locks have readers: many threads may read at a time.
pub(super) struct Controlled<const HAS_READERS: bool = false> {
    pub(super) execution: ExecutionId,
    pub(super) object: ObjectId,
    /// Calls that poison the lock or clear its poison. Usually there are none.
    changes: UnsafeCell<Vec<(EventId, bool)>>,
}

// SAFETY: the changes are touched only on the OS thread that runs this execution, between two suspensions: every method
// checks that first.
unsafe impl<const HAS_READERS: bool> Send for Controlled<HAS_READERS> {}
// SAFETY: as above.
unsafe impl<const HAS_READERS: bool> Sync for Controlled<HAS_READERS> {}

// This type exists to handle what a panic leaves behind.
impl<const HAS_READERS: bool> std::panic::UnwindSafe for Controlled<HAS_READERS> {}
impl<const HAS_READERS: bool> std::panic::RefUnwindSafe for Controlled<HAS_READERS> {}

impl Controlled<true> {
    /// Makes a lock with readers.
    pub(super) fn with_readers(execution: ExecutionId) -> Self {
        Controlled::new(execution, rwlocks::new(execution))
    }

    /// Takes the lock for reading.
    #[track_caller]
    pub(super) fn start_reading(&self, op: Op, place: Place) -> (EventId, Answer) {
        rwlocks::start_reading(self.execution, self.object, op, place)
    }

    /// Releases the lock in a destructor, after reading. A reader poisons nothing.
    pub(super) fn stop_reading(&self) {
        if is_alive(self.execution) {
            rwlocks::stop_reading(self.execution, self.object, NOWHERE);
        }
    }
}

impl<const HAS_READERS: bool> Controlled<HAS_READERS> {
    pub(super) fn new(execution: ExecutionId, object: ObjectId) -> Self {
        Controlled { execution, object, changes: UnsafeCell::default() }
    }

    /// Calls the lock; returns the answer, and the call, to pass to [`was_poisoned`](Self::was_poisoned).
    #[track_caller]
    pub(super) fn call(&self, op: Op, place: Place) -> (EventId, Answer) {
        self.call_as(op, Argument::None, place, |_| {})
    }

    /// As [`call`](Self::call), where what the lock protects may have changed.
    #[track_caller]
    pub(super) fn call_changed(&self, op: Op, place: Place) {
        self.call_as(op, Argument::Changed, place, |_| {});
    }

    /// Gives the lock back from a destructor, poisoned if the thread has begun to panic since it took it.
    /// `may_have_changed`: the guard was borrowed mutably.
    pub(super) fn give_back(&self, was_panicking: bool, may_have_changed: bool) {
        if !is_alive(self.execution) {
            return;
        }
        let panics = !was_panicking && panics::is_panicking();
        let argument = if may_have_changed || panics { Argument::Changed } else { Argument::None };
        self.call_as(Op::Unlock, argument, NOWHERE, |call| {
            if panics {
                self.change(call, true);
            }
        });
    }

    #[track_caller]
    fn call_as(
        &self,
        op: Op,
        argument: Argument,
        place: Place,
        before: impl FnOnce(EventId),
    ) -> (EventId, Answer) {
        match HAS_READERS {
            true => rwlocks::call(self.execution, self.object, op, argument, place, before),
            false => calls::call_as(self.execution, self.object, op, argument, place, before),
        }
    }

    /// Checks whether the lock is poisoned.
    #[track_caller]
    pub(super) fn look(&self, place: Place) -> bool {
        let (call, _) = self.call(Op::Observe, place);
        self.was_poisoned(call)
    }

    /// Clears the poison of the lock.
    #[track_caller]
    pub(super) fn clear(&self, place: Place) {
        self.call_as(Op::Observe, Argument::Changed, place, |call| self.change(call, false));
    }

    fn change(&self, call: EventId, poisoned: bool) {
        // SAFETY: see the impl of `Send`; no user code runs while the reference lives.
        unsafe { (*self.changes.get()).push((call, poisoned)) }
    }

    fn changes(&self) -> &[(EventId, bool)] {
        // SAFETY: as above.
        unsafe { &*self.changes.get() }
    }

    /// Whether the lock was poisoned when a call was completed.
    pub(super) fn was_poisoned(&self, call: EventId) -> bool {
        if self.changes().is_empty() {
            return false;
        }
        // A read that is not ordered with others is its own completion.
        let completion = with(self.execution, |engine| match *engine.run.at(call) {
            Event { pick: Pick::No, taken_by, .. } => taken_by,
            _ => Some(call),
        });
        self.last_change(|change| Some(change) < completion)
    }

    /// Whether the lock is poisoned, for a caller with exclusive access to it. No event.
    pub(super) fn is_poisoned(&self) -> bool {
        !self.changes().is_empty() && is_alive(self.execution) && self.last_change(|_| true)
    }

    /// The state after the last completed change whose completion `counts`.
    fn last_change(&self, counts: impl Fn(EventId) -> bool) -> bool {
        with(self.execution, |engine| {
            let completed =
                |&(call, poisoned): &(EventId, bool)| Some((engine.run.at(call).taken_by?, poisoned));
            let changes = self.changes().iter().filter_map(completed);
            let last = changes.filter(|&(at, _)| counts(at)).max_by_key(|&(at, _)| at);
            last.is_some_and(|(_, poisoned)| poisoned)
        })
    }
}
