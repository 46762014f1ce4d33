//! The position of a worker, kept outside of its process.
//!
//! A mutant may end the process: it aborts, runs out of memory, loops forever. That counts against the mutant only if the
//! run in which it happened is consistent, and a run that is explored need not be
//! (`insyn_explorer::exploration::consistency`). The journal records the position: in which run, counted from when the
//! mutant was switched on, and after how many events of that run. Since execution is deterministic, another worker can
//! repeat it up to that [`Moment`], and is a [witness](testify_at) there: it reports whether real objects could have done
//! the run so far, before it ends as the first worker did.
//!
//! Another process may end this one by a signal that a program could also raise itself (`kill -ABRT`). The journal records
//! this, and then the death is no evidence about the mutant.
//!
//! The journal is a file of five numbers, mapped into memory. An entry is one store, and survives any end of the process.

use std::env;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use insyn_verdicts::protocol::{Foreign, JOURNAL, Journal, Moment};

use crate::system;

/// What is in the file.
#[derive(Debug, Default)]
#[repr(C)]
pub struct Entries {
    mutant: AtomicU64,
    run: AtomicU64,
    events: AtomicU64,
    over: AtomicU64,
    foreign: AtomicU64,
}

const _: () = assert!(size_of::<Entries>() == Journal::EMPTY.len());

static JOURNAL_OF_PROCESS: OnceLock<&'static Entries> = OnceLock::new();

/// What to do at the moment that another process has asked about.
struct Testimony {
    moment: Moment,
    report: fn(bool),
}

static TESTIMONY: OnceLock<Testimony> = OnceLock::new();

/// Opens the journal that the parent process asks for, if any.
pub fn open() {
    if let Some(entries) = env::var_os(JOURNAL).and_then(|path| map(Path::new(&path))) {
        // A process has one journal for its whole life.
        let _ = JOURNAL_OF_PROCESS.set(entries);
        system::watch_signals(|signal| ends_by(Foreign::Signal(signal)));
    }
}

/// The journal of this process, if it keeps one.
pub(crate) fn of_process() -> Option<&'static Entries> {
    JOURNAL_OF_PROCESS.get().copied()
}

/// Records that the process ends for a reason outside of the program.
pub fn ends_by(foreign: Foreign) {
    if let Some(entries) = of_process() {
        entries.foreign.store(foreign.number(), Relaxed);
    }
}

/// Starts to count runs.
pub fn start() {
    if let Some(entries) = of_process() {
        entries.run.store(0, Relaxed);
        entries.events.store(0, Relaxed);
        entries.over.store(0, Relaxed);
    }
}

/// Records that a mutant is switched on.
pub fn switch_to(mutant: u32) {
    if let Some(entries) = of_process() {
        entries.mutant.store(u64::from(mutant), Relaxed);
    }
}

/// From now on, the process ends when it reaches this moment, and calls `report` with whether the run is consistent.
pub fn testify_at(moment: Moment, report: fn(bool)) {
    let _ = TESTIMONY.set(Testimony { moment, report });
}

impl Entries {
    pub(crate) fn begin_run(&self) {
        self.run.store(self.run.load(Relaxed) + 1, Relaxed);
        self.events.store(0, Relaxed);
        self.over.store(0, Relaxed);
    }

    /// An event has been recorded; `events` is their number now. `is_consistent` is called if another process has asked
    /// about this event.
    #[inline]
    pub fn note(&self, events: usize, is_consistent: impl FnOnce() -> bool) {
        self.events.store(events as u64, Relaxed);
        if let Some(testimony) = TESTIMONY.get()
            && testimony.moment.events == events as u64
            && testimony.moment.run == self.run.load(Relaxed)
            && u64::from(testimony.moment.mutant) == self.mutant.load(Relaxed)
        {
            (testimony.report)(is_consistent());
            system::leave(0);
        }
    }

    /// Records that the teardown of a run begins.
    pub(crate) fn clear_away(&self) {
        self.over.store(1, Relaxed);
    }

    pub(crate) fn end_run(&self) {
        self.over.store(0, Relaxed);
    }
}

/// Maps the file of a journal. It stays mapped for the life of the process.
fn map(path: &Path) -> Option<&'static Entries> {
    let mapped = system::map(path, size_of::<Entries>())?;
    // SAFETY: it is aligned to a page, as large as the entries, never unmapped, and any bytes are atomic numbers. Other
    // processes that map it use them as such.
    Some(unsafe { mapped.cast::<Entries>().as_ref() })
}
