//! Channels that deliver the time, or nothing at all.

use std::time::Duration;

use ::crossbeam_channel as real;
use insyn_engine::access::current_execution;

use super::moment::{self, Instant, Limit};
use super::receiver::{Receiver, Which};
use super::timer::Timer;

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
/// // The message arrives in time; or later, before or after the receiver is dropped.
/// assert_eq!(exploration.sequences, 3);
/// ```
pub fn after(duration: Duration) -> Receiver<Instant> {
    match current_execution() {
        None => Receiver(Which::RealTimer(real::after(duration), |i| i)),
        Some(execution) => match Instant::now().checked_add(duration) {
            Some(due) if duration.is_zero() => {
                Receiver(Which::Timer(Timer::fire(execution, due, None), |i| i))
            }
            Some(due) => Receiver(Which::Timer(Timer::start(execution, due, None), |i| i)),
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
            // An error is reported now rather than when the timer fires.
            Limit::Until(when).left();
            Receiver(Which::Timer(Timer::start(execution, when, None), |i| i))
        }
    }
}

/// Delivers a message repeatedly. See `crossbeam_channel::tick`.
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
            Some(due) if duration.is_zero() => {
                Receiver(Which::Timer(Timer::fire(execution, due, Some(duration)), |i| i))
            }
            Some(due) => Receiver(Which::Timer(Timer::start(execution, due, Some(duration)), |i| i)),
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
