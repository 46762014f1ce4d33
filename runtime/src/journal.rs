//! Where a worker is, kept outside of its process.
//!
//! A mutant may end the process: it aborts, runs out of memory, loops for ever. That counts against it only if the run in
//! which it did so is real, and a run that is explored need not be ([`crate::exploration::consistency`]). The journal says
//! where it was: in which run, counted from when the mutant was switched on, and after how many events of it. Since all of
//! it is deterministic, another worker can do the same up to that [`Moment`], and is a [witness](testify_at) there: it
//! says whether real objects could have come so far, before it goes the way of the first.
//!
//! The journal is a file of four numbers, mapped into memory. An entry is a store, and stays however the process ends.

use std::env;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use insyn_verdicts::protocol::{JOURNAL, Moment};

/// What is in the file.
#[derive(Debug, Default)]
#[repr(C)]
pub(crate) struct Entries {
    mutant: AtomicU64,
    run: AtomicU64,
    events: AtomicU64,
    over: AtomicU64,
}

const _: () = assert!(size_of::<Entries>() == Moment::EMPTY.len());

static JOURNAL_OF_PROCESS: OnceLock<&'static Entries> = OnceLock::new();

/// What is done at a moment that somebody has asked about.
struct Testimony {
    moment: Moment,
    say: fn(bool),
}

static TESTIMONY: OnceLock<Testimony> = OnceLock::new();

/// Opens the journal that whoever has started the process asks for, if any.
pub(crate) fn open() {
    if let Some(entries) = env::var_os(JOURNAL).and_then(|path| map(Path::new(&path))) {
        // There is one for the whole life of a process.
        let _ = JOURNAL_OF_PROCESS.set(entries);
    }
}

/// The journal of this process, if it keeps one.
pub(crate) fn of_process() -> Option<&'static Entries> {
    JOURNAL_OF_PROCESS.get().copied()
}

/// Runs are counted from here on.
pub(crate) fn start() {
    if let Some(entries) = of_process() {
        entries.run.store(0, Relaxed);
        entries.events.store(0, Relaxed);
        entries.over.store(0, Relaxed);
    }
}

/// A mutant is switched on.
pub(crate) fn switch_to(mutant: u32) {
    if let Some(entries) = of_process() {
        entries.mutant.store(u64::from(mutant), Relaxed);
    }
}

/// From now on, the process ends when it comes to this moment, and `say` is told whether it is real.
pub(crate) fn testify_at(moment: Moment, say: fn(bool)) {
    let _ = TESTIMONY.set(Testimony { moment, say });
}

impl Entries {
    pub(crate) fn begin_run(&self) {
        self.run.store(self.run.load(Relaxed) + 1, Relaxed);
        self.events.store(0, Relaxed);
        self.over.store(0, Relaxed);
    }

    /// An event has been recorded: so many, now. `is_consistent` is asked if it is the one that somebody waits for.
    #[inline]
    pub(crate) fn note(&self, events: usize, is_consistent: impl FnOnce() -> bool) {
        self.events.store(events as u64, Relaxed);
        if let Some(testimony) = TESTIMONY.get()
            && testimony.moment.events == events as u64
            && testimony.moment.run == self.run.load(Relaxed)
            && u64::from(testimony.moment.mutant) == self.mutant.load(Relaxed)
        {
            (testimony.say)(is_consistent());
            std::process::exit(0);
        }
    }

    /// What is left of the run is cleared away.
    pub(crate) fn clear_away(&self) {
        self.over.store(1, Relaxed);
    }

    pub(crate) fn end_run(&self) {
        self.over.store(0, Relaxed);
    }
}

/// Maps the file of a journal. It stays mapped for the life of the process.
#[cfg(unix)]
fn map(path: &Path) -> Option<&'static Entries> {
    use std::fs::OpenOptions;
    use std::os::fd::AsRawFd;

    let size = size_of::<Entries>();
    let file = OpenOptions::new().read(true).write(true).open(path).ok()?;
    if file.metadata().ok()?.len() != size as u64 {
        return None;
    }
    // SAFETY: a new mapping of a file that is open and as long as the mapping, at a place that the system chooses.
    let mapped = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            size,
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED,
            file.as_raw_fd(),
            0,
        )
    };
    if mapped == libc::MAP_FAILED {
        return None;
    }
    // SAFETY: it is aligned to a page, as large as the entries, never unmapped, and any bytes are atomic numbers. Whoever
    // else maps it uses them as such.
    Some(unsafe { &*mapped.cast::<Entries>() })
}

#[cfg(not(unix))]
fn map(_: &Path) -> Option<&'static Entries> {
    None
}
