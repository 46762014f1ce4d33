//! Instants and limits on waiting, and conversions between virtual and real time.

use std::sync::LazyLock;
use std::time::{self as real, Duration};

pub(super) use crate::std::time::Instant;

/// How long an operation may wait.
#[derive(Clone, Copy, Debug)]
pub(super) enum Limit {
    /// Not at all.
    Now,
    /// Forever.
    None,
    For(Duration),
    Until(Instant),
}

impl Limit {
    /// How much time is left.
    #[track_caller]
    pub(super) fn left(self) -> Duration {
        match self {
            Limit::Now => Duration::ZERO,
            Limit::None => Duration::MAX,
            Limit::For(time) => time,
            Limit::Until(deadline) => deadline.saturating_duration_since(Instant::now()),
        }
    }
}

/// The same moment outside any program, by the clocks of both libraries. Ours is read first, so that no message comes from
/// the future.
static ANCHOR: LazyLock<(Instant, real::Instant)> = LazyLock::new(|| {
    // A program under test may be running on this OS thread, but not on a new one.
    let moment = std::thread::spawn(|| (Instant::now(), real::Instant::now()));
    moment.join().expect("anybody may look at the clock")
});

/// An instant of the real clock, for the real channels.
///
/// # Panics
/// If it is an instant of a virtual clock.
#[track_caller]
pub(super) fn to_real(instant: Instant) -> real::Instant {
    let (ours, theirs) = *ANCHOR;
    match instant.checked_duration_since(ours) {
        Some(later) => theirs + later,
        // As far back as the real clock goes.
        None => theirs.checked_sub(ours.duration_since(instant)).unwrap_or(theirs),
    }
}

/// An instant that a real channel has delivered.
pub(super) fn from_real(instant: real::Instant) -> Instant {
    let (ours, theirs) = *ANCHOR;
    match instant.checked_duration_since(theirs) {
        Some(later) => ours + later,
        None => ours.checked_sub(theirs.duration_since(instant)).unwrap_or(ours),
    }
}
