//! Workers that neither answer nor end. A live worker reports progress many times a second, whatever its mutant does; and
//! if the mutant makes no progress, the worker ends itself. A worker that is stopped, or whose own threads cannot run,
//! does neither: it is ended from outside, which shows nothing about the mutant.
//!
//! Time is counted in checks of the process. While this process is itself stopped, or gets no processor time, no checks
//! happen.

use std::time::Duration;

use crate::disturbance::Hang;
use crate::system::{Seen, State};

/// How often to check a silent worker.
pub(super) const INTERVAL: Duration = Duration::from_millis(100);

/// A worker that only computes gets this many times the patience that an idle one gets, measured in the processor time of
/// all its threads together.
const BUSY: u32 = 30;

/// What has been observed of a worker since its last answer.
#[derive(Debug)]
pub(super) struct Vigil {
    patience: Duration,
    /// The processor time that it had used then.
    begin: Option<Duration>,
    /// The processor time that it had used at the last check.
    last: Option<Duration>,
    /// At how many checks in a row it did nothing.
    idle: u32,
    /// Whether it may sleep: it has not reported yet that it is ready.
    pub(super) may_sleep: bool,
}

impl Vigil {
    pub(super) fn new(patience: Duration) -> Vigil {
        Vigil { patience, begin: None, last: None, idle: 0, may_sleep: true }
    }

    /// The worker has sent something, or is about to get a request.
    pub(super) fn begin(&mut self) {
        (self.begin, self.last, self.idle) = (None, None, 0);
    }

    /// Checks a worker. Returns how it hangs, if it does.
    pub(super) fn look(&mut self, seen: Seen) -> Option<Hang> {
        let Seen { state, processor } = seen;
        let is_idle = match state {
            State::Running => false,
            State::Asleep => !self.may_sleep,
            State::Stopped => true,
        };
        self.idle = if is_idle && self.last == Some(processor) { self.idle + 1 } else { 0 };
        self.last = Some(processor);
        let taken = processor.saturating_sub(*self.begin.get_or_insert(processor));
        if INTERVAL * self.idle >= self.patience {
            return Some(if state == State::Stopped { Hang::Stopped } else { Hang::Asleep });
        }
        (taken >= self.patience * BUSY).then_some(Hang::Busy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks at most `most` times; the processor time of the worker grows by `step` milliseconds from check to check.
    fn looks(vigil: &mut Vigil, state: State, step: u64, most: u32) -> Option<(u32, Hang)> {
        let seen = |n: u32| Seen { state, processor: Duration::from_millis(1_000 + u64::from(n) * step) };
        (1..=most).find_map(|n| Some((n, vigil.look(seen(n))?)))
    }

    fn ready() -> Vigil {
        Vigil { may_sleep: false, ..Vigil::new(Duration::from_secs(2)) }
    }

    #[test]
    fn what_does_nothing_hangs_after_the_patience() {
        assert_eq!(looks(&mut ready(), State::Stopped, 0, 100), Some((21, Hang::Stopped)));
        assert_eq!(looks(&mut ready(), State::Asleep, 0, 100), Some((21, Hang::Asleep)));
        // The worker would run if it got processor time.
        assert_eq!(looks(&mut ready(), State::Running, 0, 10_000), None);
        // The worker sleeps in between.
        assert_eq!(looks(&mut ready(), State::Asleep, 1, 10_000), None);
        let mut vigil = ready();
        assert_eq!(looks(&mut vigil, State::Asleep, 0, 20), None);
        vigil.begin();
        assert_eq!(looks(&mut vigil, State::Asleep, 0, 20), None);
    }

    #[test]
    fn what_is_not_ready_may_sleep() {
        let mut vigil = Vigil::new(Duration::from_secs(2));
        assert_eq!(looks(&mut vigil, State::Asleep, 0, 10_000), None);
        assert_eq!(looks(&mut vigil, State::Stopped, 0, 10_000).map(|it| it.1), Some(Hang::Stopped));
    }

    #[test]
    fn what_computes_hangs_by_the_processor() {
        assert_eq!(looks(&mut ready(), State::Running, 100, 10_000), Some((601, Hang::Busy)));
        assert_eq!(looks(&mut ready(), State::Running, 1, 10_000), None);
    }
}
