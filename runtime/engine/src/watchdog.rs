//! Warns when a program under test makes no progress: it loops without synchronizing, or it blocks in something real that
//! insyn does not control. Neither can be ended from inside the process, and no verdict follows from it; but the user who
//! waits should know why. A worker that runs a mutant reports how the mutant stalls and ends its process; the command
//! continues with another worker. Processor time distinguishes a loop from a wait: it does not depend on the load of the
//! machine.
//!
//! The program under test may hold any lock of its process, those of the standard streams among them, so the watchdog takes none
//! that the program can reach.

use std::panic::Location;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, OnceLock, PoisonError, Weak};
use std::time::{Duration, Instant};

use insyn_verdicts::protocol::{STALLED, Stall};

use crate::place::{NOWHERE, Place};
use crate::system::{self, processor_time};

/// What a worker shows the watchdog.
#[derive(Debug)]
pub(crate) struct Pulse {
    /// Goes up with every event.
    beats: AtomicU64,
    /// Where the last event happened.
    place: AtomicPtr<Location<'static>>,
    /// A program is running.
    busy: AtomicBool,
}

/// A pulse, and when its last beat was observed.
struct Watched {
    pulse: Weak<Pulse>,
    patience: Duration,
    beats: u64,
    since: Instant,
    /// How often the watchdog has checked since.
    looks: u32,
    /// The processor time that the process had used then.
    taken: Option<Duration>,
    warned: bool,
}

/// Whether a program that makes no progress ends the process.
static FATAL: AtomicBool = AtomicBool::new(false);

/// Sets whether a program that makes no progress ends the process. Only for workers, whose parent process waits for them.
pub fn set_fatal(fatal: bool) {
    FATAL.store(fatal, Ordering::Relaxed);
}

/// How the process reports that it ends because the program stalls.
static STALL_REPORT: OnceLock<fn(Stall)> = OnceLock::new();

/// Sets what is called before the process ends because a program makes no progress.
pub fn set_stall_report(report: fn(Stall)) {
    let _ = STALL_REPORT.set(report);
}

/// The longest time without a beat that the watchdog has observed, in nanoseconds of processor time.
static LONGEST: AtomicU64 = AtomicU64::new(0);

/// Calls a function, and returns the longest time without an event meanwhile, in processor time. A silence shorter than two
/// checks of the watchdog may go unnoticed.
pub fn longest_silence<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    LONGEST.store(0, Ordering::Relaxed);
    let result = work();
    (result, Duration::from_nanos(LONGEST.load(Ordering::Relaxed)))
}

static WATCHED: Mutex<Vec<Watched>> = Mutex::new(Vec::new());

/// How often the watchdog checks.
const INTERVAL: Duration = Duration::from_millis(10);

impl Pulse {
    /// A pulse that is watched until it is dropped.
    pub(crate) fn watched(patience: Duration) -> Arc<Pulse> {
        static START: Once = Once::new();
        let pulse = Arc::new(Pulse {
            beats: AtomicU64::new(0),
            place: AtomicPtr::new(ptr::null_mut()),
            busy: AtomicBool::new(false),
        });
        let watched = Watched {
            pulse: Arc::downgrade(&pulse),
            patience,
            beats: 0,
            since: Instant::now(),
            looks: 0,
            taken: processor_time(),
            warned: false,
        };
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push(watched);
        START.call_once(|| {
            // Without the watchdog only a warning is lost.
            let _ = std::thread::Builder::new().name("insyn-watchdog".to_string()).spawn(watch);
        });
        pulse
    }

    /// Records an event. Only the worker itself writes, so this is no read-modify-write.
    #[inline]
    pub(crate) fn beat(&self, place: Place) {
        self.beats.store(self.beats.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
        if !ptr::eq(place, NOWHERE) {
            self.place.store(ptr::from_ref(place).cast_mut(), Ordering::Relaxed);
        }
    }

    /// A program starts or ends.
    pub(crate) fn set_busy(&self, busy: bool) {
        self.busy.store(busy, Ordering::Relaxed);
        self.beats.store(self.beats.load(Ordering::Relaxed) + 1, Ordering::Relaxed);
    }
}

/// Expensive checks are made only once in this many.
const SELDOM: u32 = 10;

fn watch() {
    for look in 0_u32.. {
        std::thread::sleep(INTERVAL);
        if look.is_multiple_of(SELDOM) && FATAL.load(Ordering::Relaxed) && system::shares_too_much() {
            end(Stall::Grows);
        }
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).retain_mut(Watched::look);
    }
}

impl Watched {
    /// Checks the pulse; false when it is gone.
    fn look(&mut self) -> bool {
        let Some(pulse) = self.pulse.upgrade() else { return false };
        let beats = pulse.beats.load(Ordering::Relaxed);
        if beats != self.beats || !pulse.busy.load(Ordering::Relaxed) {
            (self.beats, self.since, self.looks, self.warned) = (beats, Instant::now(), 0, false);
            self.taken = processor_time();
            return true;
        }
        self.looks += 1;
        let looped = self.looped();
        let silence = looped.unwrap_or_else(|| self.since.elapsed());
        LONGEST.fetch_max(silence.as_nanos() as u64, Ordering::Relaxed);
        let place = pulse.place.load(Ordering::Relaxed);
        if FATAL.load(Ordering::Relaxed) {
            if let Some(stall) = self.stall(looped) {
                end(stall);
            }
        } else if !self.warned && self.since.elapsed() >= self.patience {
            self.warned = true;
            warn(self.patience, place);
        }
        true
    }

    /// The processor time that the process has used since the last beat; none if the system does not report it.
    fn looped(&self) -> Option<Duration> {
        Some(processor_time()?.saturating_sub(self.taken?))
    }

    /// How the program stalls, if it does: it has looped for as long as the limit allows, or it has waited for much longer
    /// without needing the processor. A process that gets little processor time loops longer, and ends the same way; and
    /// the watchdog, which gets as little, checks less often meanwhile. The time of day alone never shows a loop.
    fn stall(&self, looped: Option<Duration>) -> Option<Stall> {
        let has_waited = INTERVAL * self.looks >= self.patience * 3;
        match looped {
            Some(looped) if looped >= self.patience => Some(Stall::Loops),
            Some(looped) if looped >= self.patience / 20 => None,
            _ => has_waited.then_some(Stall::Waits),
        }
    }
}

/// Reports why the process ends, and ends it.
fn end(stall: Stall) -> ! {
    if let Some(report) = STALL_REPORT.get() {
        report(stall);
    }
    system::leave(1)
}

fn warn(patience: Duration, place: *const Location<'static>) {
    // SAFETY: null, or made from a `&'static Location` in `beat`.
    let after = match unsafe { place.as_ref() } {
        Some(place) => format!("its last event at {place}"),
        None => "its start".to_string(),
    };
    system::shout(&format!(
        "{STALLED} for {} s since {after}. It loops without synchronizing, or waits in a lock, a channel or a call that is \
         not under control. insyn cannot stop it.\n",
        patience.as_secs_f64()
    ));
}
