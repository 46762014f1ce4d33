//! Panics of the program under test: kept off the terminal, recorded, and attributed to their threads although all threads
//! run on one OS thread.

use std::any::Any;
use std::mem;
use std::panic::{self, PanicHookInfo, UnwindSafe};
use std::sync::Once;
use std::thread::Result;

use crate::access::{with_current, with_running};
use crate::ids::ThreadId;
use crate::{Engine, Phase, Place};

/// A panic of the program under test, as the panic hook saw it.
#[derive(Clone, Debug)]
pub struct PanicInfo {
    pub thread: ThreadId,
    /// How many events the thread had when it panicked.
    pub after: u32,
    pub message: String,
    pub location: Option<String>,
}

/// A panic hook of the program.
pub type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send + 'static>;

/// The panics of a run.
#[derive(Default)]
pub struct Panics {
    /// All of them, caught or not.
    pub all: Vec<PanicInfo>,
    /// Some thread has panicked and not caught the panic.
    pub any: bool,
    /// How many threads sleep in the middle of a panic.
    pub(crate) asleep: u32,
    /// The panic hook of the program, and whether it is running.
    pub hook: Option<Hook>,
    in_hook: bool,
}

impl Panics {
    /// Starts another run.
    #[inline]
    pub fn reset(&mut self) {
        let Panics {
            all,
            any,
            // Counted anew when the run begins: a stack that an earlier one left in the middle of a panic counts too.
            asleep: _,
            // Dropped when a run ends, and no hook is running then.
            hook: _,
            in_hook: _,
        } = self;
        all.clear();
        *any = false;
    }
}

impl Engine {
    /// The running thread sleeps in the middle of a panic. If no other thread does, every other thread that has panicked
    /// has caught its panic by now; from now on the standard library cannot say which thread is panicking.
    #[cold]
    #[inline(never)]
    pub(crate) fn fall_asleep_unwinding(&mut self) {
        self.refuse_in_hook();
        if self.panics.asleep == 0 {
            self.threads.iter_mut().for_each(|thread| thread.unwinding = false);
        }
        self.panics.asleep += 1;
        let me = self.schedule.running;
        self.threads[me].unwinding = true;
    }

    /// For an operation of the running thread: while a hook runs, the standard library lets no thread on its OS thread
    /// panic, so the hook must not wait for other threads.
    pub(crate) fn refuse_in_hook(&self) {
        assert!(!self.panics.in_hook, "insyn: a panic hook of the program under test must not synchronize");
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn note_panic(&mut self, thread: ThreadId) {
        self.threads[thread].panicked = true;
        self.panics.any = true;
    }
}

/// Whether the running thread is unwinding from a panic of its own. The standard library counts panics by OS thread, so its
/// count is exact only if no other thread sleeps in the middle of a panic; otherwise the answer comes from where panics
/// begin and end: the panic hook, [`resume`] and [`catch`].
#[inline]
pub fn is_panicking() -> bool {
    std::thread::panicking()
        && with_current(|engine| {
            engine.panics.asleep == 0 || engine.threads[engine.schedule.running].unwinding
        })
        .unwrap_or(true)
}

/// Sets whether the running thread is unwinding from now on.
fn set_panicking(unwinding: bool) {
    with_current(|engine| {
        let me = engine.schedule.running;
        engine.threads[me].unwinding = unwinding;
    });
}

/// Runs code and catches its panic. Afterwards the running thread is unwinding if it was before: the code may run in a
/// destructor.
pub fn catch<T>(f: impl FnOnce() -> T + UnwindSafe) -> Result<T> {
    let before = is_panicking();
    let result = panic::catch_unwind(f);
    set_panicking(before);
    result
}

/// Resumes a panic that was caught, or begins one without calling the hook.
pub fn resume(payload: Box<dyn Any + Send>) -> ! {
    set_panicking(true);
    panic::resume_unwind(payload)
}

/// Ends the running thread with a panic that insyn begins, attributed to a place in the program.
#[cold]
#[inline(never)]
pub fn panic_at(place: Place, message: String) -> ! {
    with_current(|engine| {
        if engine.phase == Phase::Running {
            let (thread, message) = (engine.schedule.running, message.clone());
            let after = engine.events_of(engine.threads[thread].process);
            engine.panics.all.push(PanicInfo { thread, after, message, location: Some(place.to_string()) });
        }
    });
    resume(Box::new(message))
}

/// Keeps panics of the program under test off the terminal; they are recorded instead.
pub(crate) fn hook_panics() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous = panic::take_hook();
        panic::set_hook(Box::new(move |info| match with_current(|engine| engine.record_panic(info)) {
            Some(Whose::Program) => {
                set_panicking(true);
                call_hook(info);
            }
            Some(Whose::Leftovers) => {}
            Some(Whose::Engine) | None => previous(info),
        }));
    });
}

/// Whose panic it is.
enum Whose {
    /// That of a thread of the program under test.
    Program,
    /// That of what is left of a program that is over.
    Leftovers,
    /// That of the engine, which has no thread to run yet.
    Engine,
}

impl Engine {
    fn record_panic(&mut self, info: &PanicHookInfo<'_>) -> Whose {
        match self.phase {
            Phase::Running if self.threads.len() > 0 => {}
            Phase::Teardown => return Whose::Leftovers,
            _ => return Whose::Engine,
        }
        let message = info.payload_as_str().unwrap_or("a panic with a payload that is not text");
        let location = info.location().map(|at| match self.source_place_at(self.schedule.running, at) {
            Some(place) => place.to_string(),
            None => at.to_string(),
        });
        let thread = self.schedule.running;
        let after = self.events_of(self.threads[thread].process);
        self.panics.all.push(PanicInfo { thread, after, message: message.to_string(), location });
        Whose::Program
    }
}

/// Calls the program's own hook, if it has one.
fn call_hook(info: &PanicHookInfo<'_>) {
    // No thread can miss the hook meanwhile: only this thread runs, and a panicking thread must not change the hook.
    let begun = with_running(|engine| {
        let hook = engine.panics.hook.take()?;
        engine.panics.in_hook = true;
        Some((hook, mem::take(&mut engine.schedule.unasked)))
    });
    let Some((hook, unasked)) = begun else { return };
    hook(info);
    with_running(|engine| {
        engine.panics.in_hook = false;
        engine.schedule.unasked = unasked;
        engine.panics.hook = Some(hook);
    });
}
