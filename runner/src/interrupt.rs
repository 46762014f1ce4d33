//! Ctrl-C: it is noted, and whoever waits for a worker ends it; this process goes on long enough to show what they have
//! found.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on the first interrupt is noted, and the second ends the process.
pub(crate) fn listen() {
    // Without a handler an interrupt ends the process at once, which is no worse than usual.
    let _ = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::Relaxed) {
            std::process::exit(crate::exit::Exit::Interrupted as i32);
        }
    });
}

/// Whether somebody wants it to end.
pub(crate) fn happened() -> bool {
    INTERRUPTED.load(Ordering::Relaxed)
}
