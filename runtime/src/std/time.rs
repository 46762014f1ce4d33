//! Replacement for [`std::time`].
//!
//! # What differs under control
//! - [`Instant`] is a point on the *virtual* clock of the running thread. Time passes only in
//!   [`thread::sleep`](super::thread::sleep) and in a wait that times out. What a clock shows depends only on what its
//!   thread has done and on what happened before that, so it is the same on every run; an instant that one thread passes to
//!   another is never in the future of the receiver. Reading the clock takes a microsecond, so a loop that polls until a
//!   deadline ends, if the bound on steps allows it; sleeping, or waiting with a timeout, is better.
//! - [`SystemTime`] is the machine's clock: a program whose behaviour depends on it is not under control.
//!
//! ```
//! use insyn::std::thread;
//! use insyn::std::time::{Duration, Instant};
//!
//! insyn::explore(|| {
//!     let sleeper = thread::spawn(|| {
//!         let start = Instant::now();
//!         thread::sleep(Duration::from_secs(3600));
//!         start.elapsed()
//!     });
//!     assert!(sleeper.join().unwrap() >= Duration::from_secs(3600));
//! })
//! .assert_ok();
//! ```

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::{Add, AddAssign, Sub, SubAssign};
use std::time as real;

pub use std::time::{Duration, SystemTime, SystemTimeError, TryFromFloatSecsError, UNIX_EPOCH};

use insyn_engine::Engine;
use insyn_engine::access::{current_execution, with_alive};
use insyn_engine::clock;
use insyn_engine::ids::ExecutionId;
use insyn_engine::schedule::steps;
use insyn_engine::threads::locals;

/// A point in time: of the virtual clock inside a program under test, of the real one elsewhere. See
/// [`std::time::Instant`].
///
/// The two cannot be compared, nor can virtual instants of different executions.
#[derive(Clone, Copy)]
pub struct Instant(Which);

#[derive(Clone, Copy)]
enum Which {
    Real(real::Instant),
    Virtual { execution: ExecutionId, at: Point },
}

/// A point of a virtual clock. It can lie before the clock's beginning, as a real one can lie before the machine's.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Point {
    nanos: i128,
}

const SECOND: i128 = 1_000_000_000;

impl Point {
    /// None if it is further away than a real one can be.
    fn new(nanos: i128) -> Option<Self> {
        i64::try_from(nanos.div_euclid(SECOND)).ok().map(|_| Point { nanos })
    }

    fn since(self, earlier: Point) -> Option<Duration> {
        let nanos = u128::try_from(self.nanos - earlier.nanos).ok()?;
        let seconds = u64::try_from(nanos / SECOND as u128).ok()?;
        Some(Duration::new(seconds, (nanos % SECOND as u128) as u32))
    }
}

/// Reading the clock counts as a step, so that a loop that does nothing else ends.
fn look(execution: ExecutionId) {
    locals::touch();
    if with_alive(execution, Engine::step) == Some(false) {
        steps::cannot_go_on();
    }
}

/// The longest durations fit into an `i128`.
fn signed_nanos(duration: Duration) -> i128 {
    duration.as_nanos() as i128
}

impl Instant {
    /// Now, on the clock of the running thread. See [`std::time::Instant::now`].
    #[must_use]
    pub fn now() -> Instant {
        Instant(match current_execution() {
            None => Which::Real(real::Instant::now()),
            Some(execution) => {
                look(execution);
                Which::Virtual { execution, at: Point { nanos: i128::from(clock::now(execution)) } }
            }
        })
    }

    /// How long after `earlier` this is; zero if it is not after it. See [`std::time::Instant::duration_since`].
    ///
    /// # Panics
    /// If one of the two is virtual and the other real, or if they belong to different executions.
    #[must_use]
    #[track_caller]
    pub fn duration_since(&self, earlier: Instant) -> Duration {
        self.checked_duration_since(earlier).unwrap_or_default()
    }

    /// How long after `earlier` this is; none if it is before it. See [`std::time::Instant::checked_duration_since`].
    ///
    /// # Panics
    /// As [`duration_since`](Self::duration_since).
    #[must_use]
    #[track_caller]
    pub fn checked_duration_since(&self, earlier: Instant) -> Option<Duration> {
        match self.beside(&earlier) {
            Beside::Real(this, earlier) => this.checked_duration_since(earlier),
            Beside::Virtual(this, earlier) => this.since(earlier),
        }
    }

    /// As [`duration_since`](Self::duration_since). See [`std::time::Instant::saturating_duration_since`].
    ///
    /// # Panics
    /// As [`duration_since`](Self::duration_since).
    #[must_use]
    #[track_caller]
    pub fn saturating_duration_since(&self, earlier: Instant) -> Duration {
        self.checked_duration_since(earlier).unwrap_or_default()
    }

    /// How long ago this was. See [`std::time::Instant::elapsed`].
    ///
    /// # Panics
    /// If it is an instant of another clock than the running thread's.
    #[must_use]
    #[track_caller]
    pub fn elapsed(&self) -> Duration {
        Instant::now() - *self
    }

    /// This much later; none if there is no such instant. See [`std::time::Instant::checked_add`].
    pub fn checked_add(&self, duration: Duration) -> Option<Instant> {
        Some(Instant(match self.0 {
            Which::Real(at) => Which::Real(at.checked_add(duration)?),
            Which::Virtual { execution, at } => {
                Which::Virtual { execution, at: Point::new(at.nanos + signed_nanos(duration))? }
            }
        }))
    }

    /// This much earlier; none if there is no such instant. See [`std::time::Instant::checked_sub`].
    pub fn checked_sub(&self, duration: Duration) -> Option<Instant> {
        Some(Instant(match self.0 {
            Which::Real(at) => Which::Real(at.checked_sub(duration)?),
            Which::Virtual { execution, at } => {
                Which::Virtual { execution, at: Point::new(at.nanos - signed_nanos(duration))? }
            }
        }))
    }

    #[track_caller]
    fn beside(&self, other: &Instant) -> Beside {
        match (self.0, other.0) {
            (Which::Real(a), Which::Real(b)) => Beside::Real(a, b),
            (Which::Virtual { execution, at }, Which::Virtual { execution: same, at: other })
                if execution == same =>
            {
                Beside::Virtual(at, other)
            }
            (Which::Virtual { .. }, Which::Virtual { .. }) => {
                panic!("insyn: an instant of one execution was compared with one of another")
            }
            _ => panic!(
                "insyn: a virtual instant was compared with a real one; take both inside the program under test or \
                 both outside"
            ),
        }
    }
}

/// Two instants of the same clock.
enum Beside {
    Real(real::Instant, real::Instant),
    Virtual(Point, Point),
}

impl PartialEq for Instant {
    #[track_caller]
    fn eq(&self, other: &Instant) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Instant {}

impl PartialOrd for Instant {
    #[track_caller]
    fn partial_cmp(&self, other: &Instant) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Instant {
    #[track_caller]
    fn cmp(&self, other: &Instant) -> Ordering {
        match self.beside(other) {
            Beside::Real(a, b) => a.cmp(&b),
            Beside::Virtual(a, b) => a.cmp(&b),
        }
    }
}

impl Hash for Instant {
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self.0 {
            Which::Real(at) => at.hash(state),
            // The hash must not depend on which execution it is.
            Which::Virtual { at, .. } => at.hash(state),
        }
    }
}

impl Add<Duration> for Instant {
    type Output = Instant;

    /// # Panics
    /// If there is no such instant; [`Instant::checked_add`] does not.
    #[track_caller]
    fn add(self, duration: Duration) -> Instant {
        self.checked_add(duration).expect("overflow when adding duration to instant")
    }
}

impl AddAssign<Duration> for Instant {
    #[track_caller]
    fn add_assign(&mut self, duration: Duration) {
        *self = *self + duration;
    }
}

impl Sub<Duration> for Instant {
    type Output = Instant;

    /// # Panics
    /// If there is no such instant; [`Instant::checked_sub`] does not.
    #[track_caller]
    fn sub(self, duration: Duration) -> Instant {
        self.checked_sub(duration).expect("overflow when subtracting duration from instant")
    }
}

impl SubAssign<Duration> for Instant {
    #[track_caller]
    fn sub_assign(&mut self, duration: Duration) {
        *self = *self - duration;
    }
}

impl Sub<Instant> for Instant {
    type Output = Duration;

    /// Zero if `other` is later, as [`Instant::duration_since`].
    #[track_caller]
    fn sub(self, other: Instant) -> Duration {
        self.duration_since(other)
    }
}

impl fmt::Debug for Instant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Which::Real(at) => at.fmt(f),
            Which::Virtual { at, .. } => f
                .debug_struct("Instant")
                .field("tv_sec", &at.nanos.div_euclid(SECOND))
                .field("tv_nsec", &at.nanos.rem_euclid(SECOND))
                .finish(),
        }
    }
}
