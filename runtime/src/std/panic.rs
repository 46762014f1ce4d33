//! Replacement for [`std::panic`](mod@std::panic).
//!
//! # What differs under control
//! - For the standard library, all threads of a program are one thread, whose panics it counts. While a destructor waits in
//!   the middle of a panic, the standard library does not know which other threads are unwinding; [`catch_unwind`] and
//!   [`resume_unwind`] do. A thread that calls [`std::panic::catch_unwind`] directly meanwhile counts as not having caught
//!   its panic.
//! - Panics are not printed: the default hook of the program does nothing. A hook that the program sets lasts until the end
//!   of the execution. It must not synchronize, and setting it is no event: set it before threads are started.

use std::any::Any;

use std::thread::Result;

use insyn_engine::access::{current_execution, with};
use insyn_engine::schedule::steps;
use insyn_engine::threads::panics;
use insyn_engine::threads::panics::Hook;

#[expect(deprecated, reason = "the standard library still has it")]
pub use std::panic::PanicInfo;
pub use std::panic::{AssertUnwindSafe, Location, PanicHookInfo, RefUnwindSafe, UnwindSafe, panic_any};

/// Runs a closure and catches its panic. See [`std::panic::catch_unwind`].
///
/// # Errors
/// The payload of the panic.
pub fn catch_unwind<F, R>(f: F) -> Result<R>
where
    F: FnOnce() -> R + UnwindSafe,
{
    match panics::catch(f) {
        // The program is over, and this unwinding ends it: there is nothing to catch.
        Err(payload) if steps::is_teardown(payload.as_ref()) => panics::resume(payload),
        result => result,
    }
}

/// Resumes a panic that was caught. See [`std::panic::resume_unwind`].
pub fn resume_unwind(payload: Box<dyn Any + Send>) -> ! {
    panics::resume(payload)
}

/// Sets the hook that is called when a thread panics. See [`std::panic::set_hook`].
///
/// # Panics
/// If the thread is panicking.
pub fn set_hook(hook: Hook) {
    match current_execution() {
        None => std::panic::set_hook(hook),
        Some(execution) => {
            refuse_while_panicking();
            drop(with(execution, |engine| engine.panics.hook.replace(hook)));
        }
    }
}

/// Removes the hook that is called when a thread panics. See [`std::panic::take_hook`].
///
/// # Panics
/// If the thread is panicking.
pub fn take_hook() -> Hook {
    match current_execution() {
        None => std::panic::take_hook(),
        Some(execution) => {
            refuse_while_panicking();
            with(execution, |engine| engine.panics.hook.take()).unwrap_or_else(|| Box::new(|_| {}))
        }
    }
}

/// As the standard library does.
#[track_caller]
fn refuse_while_panicking() {
    assert!(!panics::is_panicking(), "cannot modify the panic hook from a panicking thread");
}
