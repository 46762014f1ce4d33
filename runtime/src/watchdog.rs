//! Says so when a program under test makes no progress: it loops without synchronizing, or it blocks in something real
//! that insyn does not control. Neither can be ended from inside the process, and no verdict follows from it; but who
//! waits should know why. A worker that tries a mutant ends with the process instead: whoever has started it goes on with
//! another. A loop is told from a wait by the time of the processor, which does not depend on what else the machine does.

use std::panic::Location;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, Once, PoisonError, Weak};
use std::time::{Duration, Instant};

use insyn_verdicts::protocol::{STALLED, STUCK, WAITS};

use crate::place::{NOWHERE, Place};

/// What a worker shows of itself to the watchdog.
#[derive(Debug)]
pub(crate) struct Pulse {
    /// Goes up with every event.
    beats: AtomicU64,
    /// Where the last event happened.
    place: AtomicPtr<Location<'static>>,
    /// A program is running.
    busy: AtomicBool,
}

/// A pulse, and when it was last seen to beat.
struct Watched {
    pulse: Weak<Pulse>,
    patience: Duration,
    beats: u64,
    since: Instant,
    /// How often the watchdog has looked since.
    looks: u32,
    /// What the process had taken of the processor then.
    taken: Option<Duration>,
    told: bool,
}

/// Whether a program that makes no progress ends the process.
static FATAL: AtomicBool = AtomicBool::new(false);

/// From now on, a program that makes no progress ends the process, or does not any more. Only for workers, which somebody
/// else waits for.
pub(crate) fn set_fatal(fatal: bool) {
    FATAL.store(fatal, Ordering::Relaxed);
}

/// The nanoseconds of the processor in the longest time without a beat that the watchdog has seen.
static LONGEST: AtomicU64 = AtomicU64::new(0);

/// Does something, and says for how long at most programs have done nothing meanwhile, by the time of the processor. What is
/// shorter than two looks of the watchdog may go unseen.
pub(crate) fn longest_silence<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    LONGEST.store(0, Ordering::Relaxed);
    let result = work();
    (result, Duration::from_nanos(LONGEST.load(Ordering::Relaxed)))
}

static WATCHED: Mutex<Vec<Watched>> = Mutex::new(Vec::new());

/// How often the watchdog looks.
const INTERVAL: Duration = Duration::from_millis(10);

impl Pulse {
    /// A pulse that is watched for as long as it lives.
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
            told: false,
        };
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).push(watched);
        START.call_once(|| {
            // Without it nothing is lost but a warning.
            let _ = std::thread::Builder::new().name("insyn-watchdog".to_string()).spawn(watch);
        });
        pulse
    }

    /// Something has happened. Only the worker itself writes, so this is no read-modify-write.
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

fn watch() {
    loop {
        std::thread::sleep(INTERVAL);
        WATCHED.lock().unwrap_or_else(PoisonError::into_inner).retain_mut(Watched::look);
    }
}

impl Watched {
    /// Looks at the pulse; false when it is gone.
    fn look(&mut self) -> bool {
        let Some(pulse) = self.pulse.upgrade() else { return false };
        let beats = pulse.beats.load(Ordering::Relaxed);
        if beats != self.beats || !pulse.busy.load(Ordering::Relaxed) {
            (self.beats, self.since, self.looks, self.told) = (beats, Instant::now(), 0, false);
            self.taken = processor_time();
            return true;
        }
        self.looks += 1;
        let looped = self.looped();
        LONGEST.fetch_max(looped.as_nanos() as u64, Ordering::Relaxed);
        let place = pulse.place.load(Ordering::Relaxed);
        if FATAL.load(Ordering::Relaxed) {
            if let Some(code) = self.end(looped) {
                warn(self.patience, place);
                std::process::exit(code);
            }
        } else if !self.told && self.since.elapsed() >= self.patience {
            self.told = true;
            warn(self.patience, place);
        }
        true
    }

    /// What the process has taken of the processor since the last beat.
    fn looped(&self) -> Duration {
        match (self.taken, processor_time()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.since.elapsed(),
        }
    }

    /// How the process should end, if it should: it has looped for as long as one is patient, or it has waited for much
    /// longer without needing the processor. Whoever gets little of the processor loops longer, and comes to the same end;
    /// and the watchdog, which gets as little, looks less often meanwhile.
    fn end(&self, looped: Duration) -> Option<i32> {
        match looped {
            looped if looped >= self.patience => Some(STUCK),
            looped if looped < self.patience / 20 && INTERVAL * self.looks >= self.patience * 3 => {
                Some(WAITS)
            }
            _ => None,
        }
    }
}

/// What the process has taken of the processor; none where the system does not tell.
#[cfg(unix)]
fn processor_time() -> Option<Duration> {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: it writes to a structure that lives until it returns.
    let result = unsafe { libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &raw mut time) };
    (result == 0).then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

#[cfg(not(unix))]
fn processor_time() -> Option<Duration> {
    None
}

#[expect(clippy::print_stderr, reason = "the program that should say it is stuck")]
fn warn(patience: Duration, place: *const Location<'static>) {
    // SAFETY: null, or made from a `&'static Location` in `beat`.
    let after = match unsafe { place.as_ref() } {
        Some(place) => format!("its last event at {place}"),
        None => "its start".to_string(),
    };
    eprintln!(
        "{STALLED} for {} s since {after}. It loops without synchronizing, or waits in a lock, a channel or a call that is \
         not under control. insyn cannot stop it.",
        patience.as_secs_f64()
    );
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::explorer::Explorer;

    /// Takes so much of the processor.
    fn compute(time: Duration) {
        let start = processor_time().expect("the system tells");
        while processor_time().expect("the system tells") - start < time {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn silence_is_measured_by_the_processor() {
        let silent = |work: fn()| {
            let explore = || Explorer::new().explore(move || crate::std::thread::spawn(work).join().unwrap());
            longest_silence(explore).1
        };
        assert!(silent(|| compute(Duration::from_millis(300))) >= Duration::from_millis(200));
        // What only waits takes nothing.
        let idle = silent(|| std::thread::sleep(Duration::from_millis(300)));
        assert!(idle < Duration::from_millis(200), "{idle:?}");
    }
}
