//! Timers under control, and waiting with a limit.
//!
//! Under control a timer may have fired at any point, however long it is set to. For the thread that takes its message, the
//! time has passed: the clock of that thread is then not behind the timer.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ::crossbeam_channel as real;

use super::moment::{Instant, Limit};
use crate::channel;
use insyn_engine::Place;
use insyn_engine::access::{current_execution, with};
use insyn_engine::channels;
use insyn_engine::channels::{Arm, Got, Manner, Otherwise, Selected, Side};
use insyn_engine::ids::{EventId, ExecutionId, ObjectId};
use insyn_engine::ports::receives::Blocking;
use insyn_engine::schedule::steps;
use insyn_engine::shared::Shared;

/// A timer under control.
pub(super) struct Timer {
    execution: ExecutionId,
    object: ObjectId,
    /// The time between two ticks; none if it fires once.
    period: Option<Duration>,
    /// When each message is due: the taken ones, and the next.
    dues: Mutex<Vec<Instant>>,
}

impl Timer {
    pub(super) fn start(execution: ExecutionId, due: Instant, period: Option<Duration>) -> Shared<Timer> {
        Self::new(execution, due, period, false)
    }

    /// A timer without a delay, ticking or not.
    pub(super) fn fire(execution: ExecutionId, due: Instant, period: Option<Duration>) -> Shared<Timer> {
        Self::new(execution, due, period, true)
    }

    fn new(execution: ExecutionId, due: Instant, period: Option<Duration>, has_fired: bool) -> Shared<Timer> {
        let object = channels::new_timer(execution, period.is_some(), has_fired);
        let timer = Timer { execution, object, period, dues: Mutex::new(vec![due]) };
        Shared::new(execution, timer)
    }

    /// The timer as an arm of a select.
    pub(super) fn arm(&self) -> (ExecutionId, Arm) {
        (self.execution, Arm { object: self.object, side: Side::Take })
    }

    /// Waits for the timer to fire, within a limit; none if the wait timed out.
    #[track_caller]
    pub(super) fn receive(&self, limit: Limit, place: Place) -> Option<Instant> {
        let (execution, arm) = self.arm();
        match select_within(execution, &[arm], limit, false, false, place) {
            Selected::Arm { got: Got::Message(fire), .. } => Some(self.delivered(fire)),
            _ => None,
        }
    }

    /// The message of a fire that the running thread has taken: the instant when it was due.
    pub(super) fn delivered(&self, fire: EventId) -> Instant {
        let due = self.await_due(fire);
        if let Some(period) = self.period {
            let next = Instant::now().max(due).checked_add(period).unwrap_or(due);
            self.dues().push(next);
        }
        due
    }

    /// The running thread has found that a timer has fired; returns when it was due. Advances the clock of the thread to at
    /// least that instant.
    pub(super) fn await_due(&self, fire: EventId) -> Instant {
        let number = with(self.execution, |engine| engine.run.at(fire).index as usize);
        // When a tick is due depends on when the one before it was taken, by a thread that can go on but may not have
        // recorded that yet.
        let due = loop {
            let due = self.dues().get(number).copied();
            match due {
                Some(due) => break due,
                None => steps::give_way(),
            }
        };
        let now = Instant::now();
        channel::pass(self.execution, due.saturating_duration_since(now));
        due
    }

    fn dues(&self) -> MutexGuard<'_, Vec<Instant>> {
        self.dues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many messages are there: one, if the timer has fired. Whether it has is explored, as for a receive that does not
    /// wait.
    #[track_caller]
    pub(super) fn len(&self, place: Place) -> usize {
        let (execution, arm) = self.arm();
        match select_within(execution, &[arm], Limit::Now, true, false, place) {
            Selected::Arm { got, .. } => {
                self.seen(got);
                1
            }
            Selected::Otherwise => 0,
        }
    }

    /// The running thread has found the timer ready.
    pub(super) fn seen(&self, got: Got) {
        if let Got::Message(fire) = got {
            self.await_due(fire);
        }
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        (self.execution, self.object) == (other.execution, other.object)
    }
}

/// Selects among arms under control. If no arm was ready in time, that much time has passed for the running thread.
pub(super) fn select_within(
    execution: ExecutionId,
    arms: &[Arm],
    limit: Limit,
    ready_only: bool,
    biased: bool,
    place: Place,
) -> Selected {
    for (n, arm) in arms.iter().enumerate() {
        // Which of two arms for the same message is taken is a choice that only an order of the channel's own can record.
        if arms[..n].iter().any(|earlier| earlier.object == arm.object)
            && channels::is_port(execution, arm.object)
        {
            channels::need_object(execution, arm.object);
        }
    }
    let with = |otherwise| channels::select(execution, arms, Manner { otherwise, ready_only, biased }, place);
    match limit {
        Limit::None => with(Otherwise::Wait),
        Limit::Now => with(Otherwise::Default),
        limited => {
            let wait = |blocking| match blocking {
                Blocking::Wait => with(Otherwise::Wait),
                _ => with(Otherwise::Timeout),
            };
            channel::within(execution, limited.left(), wait, |selected| *selected == Selected::Otherwise)
        }
    }
}

/// Waits forever, or until the limit.
#[track_caller]
pub(super) fn wait_in_vain(limit: Limit, place: Place) {
    if let Some(execution) = current_execution() {
        select_within(execution, &[], limit, false, false, place);
        return;
    }
    match limit {
        Limit::Now => {}
        Limit::None => drop(real::never::<()>().recv()),
        limited => drop(real::never::<()>().recv_timeout(limited.left())),
    }
}
