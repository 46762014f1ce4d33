//! Panics of the program under test: kept off the terminal, noted, and told apart although all threads run on one.

use std::panic;
use std::sync::Once;

use super::{Execution, Phase, current};

/// A panic of the program under test, as the panic hook saw it.
#[derive(Clone, Debug)]
pub(crate) struct PanicInfo {
    pub(crate) thread: u32,
    pub(crate) message: String,
    pub(crate) location: Option<String>,
}

impl Execution {
    /// The running thread sleeps in the middle of a panic. If it is the only one, whoever else has panicked has caught it by
    /// now, and the standard library no longer tells who has not.
    #[cold]
    pub(super) fn fall_asleep_unwinding(&mut self) {
        if self.unwinding_asleep == 0 {
            self.threads[..self.live_threads].iter_mut().for_each(|thread| thread.unwinding = false);
        }
        self.unwinding_asleep += 1;
        let me = self.running as usize;
        self.threads[me].unwinding = true;
    }

    #[cold]
    pub(super) fn note_panic(&mut self, thread: usize) {
        self.threads[thread].panicked = true;
        self.any_panicked = true;
    }
}

/// Whether the running thread is unwinding from a panic of its own. The standard library counts panics by OS thread, so
/// what it says is exact only if nobody else sleeps in the middle of one; otherwise what the panic hook saw decides.
#[inline]
pub(crate) fn is_panicking() -> bool {
    std::thread::panicking()
        && current().is_none_or(|x| x.unwinding_asleep == 0 || x.threads[x.running as usize].unwinding)
}

/// Keeps panics of the program under test off the terminal; they are recorded instead.
pub(super) fn hook_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| match current() {
            Some(x) if x.phase == Phase::Running => {
                let message = info.payload_as_str().unwrap_or("a panic with a payload that is not text");
                let location = info.location().map(|at| match x.told_by(x.running as usize, at) {
                    Some(place) => place.to_string(),
                    None => at.to_string(),
                });
                x.threads[x.running as usize].unwinding = true;
                x.panics.push(PanicInfo { thread: x.running, message: message.to_string(), location });
            }
            Some(_) => {}
            None => previous(info),
        }));
    });
}
