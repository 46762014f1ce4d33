//! Panics of the program under test: kept off the terminal, noted, and told apart although all threads run on one.

use std::any::Any;
use std::mem;
use std::panic::{self, PanicHookInfo, UnwindSafe};
use std::sync::Once;
use std::thread::Result;

use super::ids::ThreadId;
use super::{Engine, Phase, Place, current};

/// A panic of the program under test, as the panic hook saw it.
#[derive(Clone, Debug)]
pub(crate) struct PanicInfo {
    pub(crate) thread: ThreadId,
    pub(crate) message: String,
    pub(crate) location: Option<String>,
}

/// What a program wants to be called when it panics.
pub(crate) type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send + 'static>;

impl Engine {
    /// The running thread sleeps in the middle of a panic. If it is the only one, whoever else has panicked has caught it by
    /// now, and the standard library no longer tells who has not.
    #[cold]
    #[inline(never)]
    pub(super) fn fall_asleep_unwinding(&mut self) {
        self.refuse_in_hook();
        if self.unwinding_asleep == 0 {
            self.threads.iter_mut().for_each(|thread| thread.unwinding = false);
        }
        self.unwinding_asleep += 1;
        let me = self.running;
        self.threads[me].unwinding = true;
    }

    /// For an operation of the running thread: the standard library lets nobody on its OS thread panic while a hook is at
    /// work there, so that must not wait for others.
    pub(super) fn refuse_in_hook(&self) {
        assert!(!self.in_hook, "insyn: a panic hook of the program under test must not synchronize");
    }

    #[cold]
    #[inline(never)]
    pub(super) fn note_panic(&mut self, thread: ThreadId) {
        self.threads[thread].panicked = true;
        self.any_panicked = true;
    }
}

/// Whether the running thread is unwinding from a panic of its own. The standard library counts panics by OS thread, so
/// what it says is exact only if nobody else sleeps in the middle of one; otherwise it is known from where panics begin
/// and end: the panic hook, [`resume`] and [`catch`].
#[inline]
pub(crate) fn is_panicking() -> bool {
    std::thread::panicking()
        && current()
            .is_none_or(|engine| engine.unwinding_asleep == 0 || engine.threads[engine.running].unwinding)
}

/// Says whether the running thread is unwinding from now on.
fn set_panicking(unwinding: bool) {
    if let Some(engine) = current() {
        let me = engine.running;
        engine.threads[me].unwinding = unwinding;
    }
}

/// Runs code and catches its panic. Afterwards the running thread is unwinding if it was before: the code may be that of a
/// destructor.
pub(crate) fn catch<T>(f: impl FnOnce() -> T + UnwindSafe) -> Result<T> {
    let before = is_panicking();
    let result = panic::catch_unwind(f);
    set_panicking(before);
    result
}

/// Lets a panic go on that was caught, or begins one that no hook is told of.
pub(crate) fn resume(payload: Box<dyn Any + Send>) -> ! {
    set_panicking(true);
    panic::resume_unwind(payload)
}

/// Ends the running thread with a panic for which a place in the program stands, whose code has not begun it.
#[cold]
#[inline(never)]
pub(crate) fn panic_at(place: Place, message: String) -> ! {
    if let Some(engine) = current().filter(|engine| engine.phase == Phase::Running) {
        let (thread, message) = (engine.running, message.clone());
        engine.panics.push(PanicInfo { thread, message, location: Some(place.to_string()) });
    }
    resume(Box::new(message))
}

/// Keeps panics of the program under test off the terminal; they are recorded instead.
pub(super) fn hook_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| match current() {
            // Else it is a panic of the engine, which has no thread to run yet.
            Some(engine) if engine.phase == Phase::Running && engine.threads.len() > 0 => {
                let message = info.payload_as_str().unwrap_or("a panic with a payload that is not text");
                let location = info.location().map(|at| match engine.told_by(engine.running, at) {
                    Some(place) => place.to_string(),
                    None => at.to_string(),
                });
                engine.panics.push(PanicInfo {
                    thread: engine.running,
                    message: message.to_string(),
                    location,
                });
                set_panicking(true);
                call_hook(info);
            }
            Some(engine) if engine.phase == Phase::Teardown => {}
            _ => previous(info),
        }));
    });
}

/// Calls the program's own hook, if it has one.
fn call_hook(info: &PanicHookInfo<'_>) {
    let engine = current().expect("a program is running");
    // Nobody asks for it meanwhile: a thread that panics must not change it.
    let Some(hook) = engine.hook.take() else { return };
    let unasked = mem::take(&mut engine.unasked);
    engine.in_hook = true;
    hook(info);
    let engine = current().expect("a program is running");
    engine.in_hook = false;
    engine.unasked = unasked;
    engine.hook = Some(hook);
}
