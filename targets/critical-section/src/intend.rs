//! Two threads say what they intend, and stand back when both want to (incorrect solution 3).
//!
//! There are never two inside, but who stands back may do so again and again: starvation. To have an end, a thread gives
//! up after so many times.

insyn::instrumented! {

use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Who intends to enter.
#[derive(Debug)]
pub struct Intend {
    intends: [AtomicBool; 2],
    /// How often a thread stands back before it gives up.
    patience: u32,
}

/// A thread has stood back too often.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Starved;

impl Intend {
    /// Nobody intends anything yet.
    pub fn new(patience: u32) -> Self {
        Intend { intends: [AtomicBool::new(false), AtomicBool::new(false)], patience }
    }

    /// Waits until thread `me`, which is 0 or 1, may enter.
    ///
    /// # Errors
    /// If it has run out of patience.
    pub fn enter(&self, me: usize) -> Result<(), Starved> {
        let [mine, other] = [&self.intends[me], &self.intends[1 - me]];
        mine.store(true, Ordering::SeqCst);
        for _ in 0..self.patience {
            if !other.load(Ordering::SeqCst) {
                return Ok(());
            }
            mine.store(false, Ordering::SeqCst);
            while other.load(Ordering::SeqCst) {
                thread::yield_now();
            }
            mine.store(true, Ordering::SeqCst);
        }
        if other.load(Ordering::SeqCst) {
            mine.store(false, Ordering::SeqCst);
            return Err(Starved);
        }
        Ok(())
    }

    /// Says that thread `me` has left.
    pub fn leave(&self, me: usize) {
        self.intends[me].store(false, Ordering::SeqCst);
    }
}

}
