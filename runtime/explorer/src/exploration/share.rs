//! Work that workers give each other: variants that no worker has run yet.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};

use super::tally::Key;
use insyn_engine::script::Portable;

/// A variant, and its place in the order of the exploration. Without a script: the start of the exploration, with the
/// script that the worker was made with.
pub(crate) struct Work {
    pub(crate) script: Option<Portable>,
    pub key: Key,
}

/// What the workers of one exploration share.
pub(crate) struct Share {
    state: Mutex<State>,
    changed: Condvar,
    /// Workers that wait for work; read by the others after each execution.
    hungry: AtomicUsize,
    stopped: AtomicBool,
}

/// See [`Share::busy`].
pub(crate) struct Busy<'a> {
    share: &'a Share,
    is_done: bool,
}

impl Busy<'_> {
    /// The worker has done its work.
    pub(crate) fn done(mut self) {
        self.is_done = true;
    }
}

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        // `thread::panicking` cannot decide this: a stack that was abandoned in the middle of a panic still counts.
        if !self.is_done {
            self.share.stop();
        }
        self.share.finish();
    }
}

struct State {
    work: Vec<Work>,
    /// Workers that have work. If there are none, and no work is left, the exploration is complete.
    busy: usize,
}

impl Share {
    pub(crate) fn new() -> Self {
        let start = Work { script: None, key: Key::new() };
        Share {
            state: Mutex::new(State { work: vec![start], busy: 0 }),
            changed: Condvar::new(),
            hungry: AtomicUsize::new(0),
            stopped: AtomicBool::new(false),
        }
    }

    /// Waits for work; none when the exploration is complete or stopped.
    pub(crate) fn take(&self) -> Option<Work> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if self.is_stopped() {
                return None;
            }
            if let Some(work) = state.work.pop() {
                state.busy += 1;
                return Some(work);
            }
            if state.busy == 0 {
                return None;
            }
            self.hungry.fetch_add(1, Ordering::Relaxed);
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            self.hungry.fetch_sub(1, Ordering::Relaxed);
        }
    }

    /// A guard for a worker that has work, until the worker reports that it is done. If the worker panics meanwhile (in an
    /// observer, say), all workers stop.
    pub(crate) fn busy(&self) -> Busy<'_> {
        Busy { share: self, is_done: false }
    }

    /// A worker has done all its work.
    fn finish(&self) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.busy -= 1;
        if state.busy == 0 && state.work.is_empty() {
            self.changed.notify_all();
        }
    }

    /// Whether a worker waits for work and there is none.
    #[inline]
    pub(crate) fn wants_work(&self) -> bool {
        self.hungry.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn give(&self, work: Work) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).work.push(work);
        self.changed.notify_one();
    }

    /// Ends the exploration early.
    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
        let _state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        self.changed.notify_all();
    }

    #[inline]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed)
    }
}
