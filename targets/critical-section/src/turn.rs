//! Two threads take turns, whether or not the other one wants to (incorrect solution 2).
//!
//! There are never two inside, but a thread that does not come again keeps the other one out for good: livelock.

insyn::instrumented! {

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Whose turn it is.
#[derive(Debug, Default)]
pub struct Turn {
    turn: AtomicUsize,
}

impl Turn {
    /// Waits for the turn of thread `me`, which is 0 or 1.
    pub fn enter(&self, me: usize) {
        while self.turn.load(Ordering::SeqCst) != me {
            thread::yield_now();
        }
    }

    /// Gives the turn to the other one.
    pub fn leave(&self, me: usize) {
        self.turn.store(1 - me, Ordering::SeqCst);
    }
}

}
