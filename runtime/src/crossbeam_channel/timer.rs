//! Channels that deliver the time, or nothing at all.
//!
//! Under control a timer may have fired at any point, however long it is set to. Whoever takes its message finds that the
//! time has come: the taker's clock is then not behind it.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ::crossbeam_channel as real;

use super::moment::{self, Instant, Limit};
use super::receiver::{Receiver, Which};
use crate::channel;
use crate::engine::Place;
use crate::engine::access::{current_execution, with};
use crate::engine::channels;
use crate::engine::channels::{Arm, Got, Manner, Otherwise, Selected, Side};
use crate::engine::ids::{EventId, ExecutionId, ObjectId};
use crate::engine::ports::receives::Blocking;
use crate::engine::record::event::Kind;
use crate::engine::schedule::steps;
use crate::engine::shared::Shared;

/// Delivers one message, after `duration`. See `crossbeam_channel::after`.
///
/// ```
/// use insyn::crossbeam_channel::{after, select, unbounded};
/// use std::time::Duration;
///
/// let exploration = insyn::explore(|| {
///     let (s, r) = unbounded();
///     insyn::std::thread::spawn(move || s.send(1).is_ok());
///     select! {
///         recv(r) -> message => message.ok(),
///         recv(after(Duration::from_secs(60))) -> _ => None,
///     }
/// });
/// // The message comes in time; or it comes later, while the receiver is still there or when it is gone.
/// assert_eq!(exploration.sequences, 3);
/// ```
pub fn after(duration: Duration) -> Receiver<Instant> {
    match current_execution() {
        None => Receiver(Which::RealTimer(real::after(duration), |i| i)),
        Some(execution) => match Instant::now().checked_add(duration) {
            Some(due) => Timer::start(execution, due, None),
            None => never(),
        },
    }
}

/// Delivers one message, at `when`. See `crossbeam_channel::at`.
///
/// ```
/// use insyn::std::time::Instant;
///
/// let now = Instant::now();
/// assert_eq!(insyn::crossbeam_channel::at(now).recv(), Ok(now));
/// ```
///
/// # Panics
/// If it is an instant of another clock than the running thread's.
#[track_caller]
pub fn at(when: Instant) -> Receiver<Instant> {
    match current_execution() {
        None => Receiver(Which::RealTimer(real::at(moment::to_real(when)), |i| i)),
        Some(execution) => {
            // Said now rather than when the time comes.
            Limit::Until(when).left();
            Timer::start(execution, when, None)
        }
    }
}

/// Delivers a message again and again. See `crossbeam_channel::tick`.
///
/// ```
/// use insyn::crossbeam_channel::tick;
/// use std::time::Duration;
///
/// let exploration = insyn::explore(|| {
///     let ticks = tick(Duration::from_secs(1));
///     let first = ticks.recv().unwrap();
///     let second = ticks.recv().unwrap();
///     assert!(second - first >= Duration::from_secs(1));
/// });
/// assert!(exploration.failures.is_empty());
/// ```
pub fn tick(duration: Duration) -> Receiver<Instant> {
    match current_execution() {
        None => Receiver(Which::RealTimer(real::tick(duration), |i| i)),
        Some(execution) => match Instant::now().checked_add(duration) {
            Some(due) => Timer::start(execution, due, Some(duration)),
            None => never(),
        },
    }
}

/// Delivers nothing, ever. See `crossbeam_channel::never`.
///
/// ```
/// use insyn::crossbeam_channel::{TryRecvError, never};
///
/// assert_eq!(never::<()>().try_recv(), Err(TryRecvError::Empty));
/// ```
pub const fn never<T>() -> Receiver<T> {
    Receiver(Which::Never)
}

/// A timer under control.
pub(super) struct Timer {
    execution: ExecutionId,
    object: ObjectId,
    /// The time between two ticks; none if it fires once.
    period: Option<Duration>,
    next: Mutex<Next>,
}

/// What a timer delivers next.
struct Next {
    /// How many messages have been taken.
    taken: usize,
    due: Instant,
}

impl Timer {
    fn start(execution: ExecutionId, due: Instant, period: Option<Duration>) -> Receiver<Instant> {
        let object = channels::new(execution, Kind::Timer, usize::from(period.is_some()));
        let timer = Timer { execution, object, period, next: Mutex::new(Next { taken: 0, due }) };
        Receiver(Which::Timer(Shared::new(execution, timer), |i| i))
    }

    /// How a select names it.
    pub(super) fn arm(&self) -> (ExecutionId, Arm) {
        (self.execution, Arm { object: self.object, side: Side::Take })
    }

    /// Waits for the time to come, as long as it may; none if it ran out of time.
    #[track_caller]
    pub(super) fn receive(&self, limit: Limit, place: Place) -> Option<Instant> {
        let (execution, arm) = self.arm();
        match select_within(execution, &[arm], limit, false, false, place) {
            Selected::Arm { got: Got::Message(fire), .. } => Some(self.delivered(fire)),
            _ => None,
        }
    }

    /// The message of a fire that the running thread has taken: when it was due. For the thread, it is no earlier now.
    pub(super) fn delivered(&self, fire: EventId) -> Instant {
        let number = with(self.execution, |engine| engine.run.at(fire).index as usize);
        // When a tick is due depends on when the one before it was taken, by a thread that can go on but may not have
        // come to say so.
        while self.next().taken < number {
            steps::give_way();
        }
        let now = Instant::now();
        let mut next = self.next();
        let due = next.due;
        channel::pass(self.execution, due.saturating_duration_since(now));
        next.taken += 1;
        if let Some(period) = self.period {
            next.due = now.max(due).checked_add(period).unwrap_or(due);
        }
        due
    }

    fn next(&self) -> MutexGuard<'_, Next> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many messages are there: one, if the time has come. It may have, or not, as for a receive that does not wait.
    #[track_caller]
    pub(super) fn len(&self, place: Place) -> usize {
        let (execution, arm) = self.arm();
        let looked = select_within(execution, &[arm], Limit::Now, true, false, place);
        usize::from(looked != Selected::Otherwise)
    }

    pub(super) fn is(&self, other: &Self) -> bool {
        (self.execution, self.object) == (other.execution, other.object)
    }
}

/// Selects among arms under control. If no arm was ready in time, so much time has gone by for the running thread.
pub(super) fn select_within(
    execution: ExecutionId,
    arms: &[Arm],
    limit: Limit,
    ready_only: bool,
    biased: bool,
    place: Place,
) -> Selected {
    for (n, arm) in arms.iter().enumerate() {
        // Which of two arms for the same message is taken is a choice that only an order of the channel's own can tell.
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
            let wait = |patience| match patience {
                Blocking::Wait => with(Otherwise::Wait),
                _ => with(Otherwise::Timeout),
            };
            channel::within(execution, limited.left(), wait, |selected| *selected == Selected::Otherwise)
        }
    }
}

/// Waits for what never comes.
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
