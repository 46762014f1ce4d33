//! Replacement for [`std::thread`].
//!
//! # What differs under control
//! - Threads run one at a time. The order in which they run does not limit what can happen: all behaviours are explored.
//! - [`sleep`], [`park_timeout`] and all other timeouts use virtual time (see [`super::time`]): a timeout may end a wait
//!   unless something else is sure to end it before, however long the timeout is, and no real time passes. Only what is
//!   too long for a clock (more than 584 years) never ends.
//! - [`park`] returns only when the thread has been unparked, unless [`spurious
//!   wakeups`](crate::Explorer::spurious_wakeups) are switched on.
//! - [`yield_now`] and [`sleep`] are no events; they let other threads go first, and a loop that polls one object waits
//!   there until the object has changed.
//! - [`available_parallelism`] is 4 everywhere, and a [`ThreadId`] encodes which threads the thread descends from.
//! - All stacks have the size that is set in the [explorer](crate::Explorer::stack_size).
//!
//! The parts that belong to the operating system (handles, priorities) have no mirror.

mod id;
mod join;
mod local;
mod scope;

use std::fmt;
use std::io;
use std::num::NonZero;
use std::panic::Location;
use std::sync::Arc;
use std::time::Duration;

use crate::backend::Backend;
use insyn_engine::access::{current_execution, is_alive, is_under_control, with};
use insyn_engine::calls;
use insyn_engine::ids;
use insyn_engine::ids::{ExecutionId, ProcessId};
use insyn_engine::objects::Answer;
use insyn_engine::process::MAIN;
use insyn_engine::record::event::Op;
use insyn_engine::schedule::{polls, steps};
use insyn_engine::threads::{locals, panics};
use insyn_engine::{clock, joins};

pub use id::ThreadId;
pub use join::JoinHandle;
pub use local::{AccessError, LocalKey};
pub use scope::{Scope, ScopedJoinHandle, scope};
pub use std::thread::Result;

/// Starts a thread. See [`std::thread::spawn`].
///
/// # Panics
/// If no thread can be started; [`Builder::spawn`] returns an error instead.
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    Builder::new().spawn(f).expect("failed to spawn thread")
}

/// Lets other threads go first. See [`std::thread::yield_now`].
///
/// Under control this is no event. A loop that polls one object and yields (`while !flag.load(..) { yield_now() }`) would
/// have a behaviour for every number of iterations; so a thread that has just read a variable, failed with a `try_`
/// operation or changed nothing with a `swap` or `compare_exchange`, as a spin lock does, and yields, waits in its next
/// poll of the same object, if that is at the same place in the source, until the object has changed. So does a thread that
/// has looked at what a lock protects (`while !*ready.lock().unwrap() { yield_now() }`), until a guard that was borrowed
/// mutably has been dropped; a guard of its own counts too, so taking from a queue behind a lock is no poll. When nothing else can
/// move, the loop is tested: its polls find nothing until it does something else, and then it no longer waits and each
/// number of iterations is a behaviour; or until the bound on steps, and then it is blocked forever, as a thread is in a
/// deadlock. A loop that gives up, but never has to, waits longer than it might in reality: switch
/// [`Explorer::patient_polling`](crate::Explorer::patient_polling) off to let it give up. A timeout is never waited for
/// like that. A loop that polls several objects ends at the bound on steps; wait instead of polling.
pub fn yield_now() {
    match current_execution() {
        Some(_) => polls::yield_turn(),
        None => std::thread::yield_now(),
    }
}

/// Whether the running thread is unwinding from a panic. See [`std::thread::panicking`].
pub fn panicking() -> bool {
    locals::touch();
    panics::is_panicking()
}

/// How many threads can run at the same time. See [`std::thread::available_parallelism`]. Under control it is 4, whatever
/// the machine, so that a program which asks behaves the same everywhere.
///
/// # Errors
/// As the standard library's; under control there are none.
pub fn available_parallelism() -> io::Result<NonZero<usize>> {
    const FOUR: NonZero<usize> = NonZero::new(4).expect("it is not zero");
    if is_under_control() { Ok(FOUR) } else { std::thread::available_parallelism() }
}

/// Lets time pass. See [`std::thread::sleep`]. Under control it passes on the thread's virtual clock, at once, and others go
/// first.
#[track_caller]
pub fn sleep(duration: Duration) {
    let Some(execution) = current_execution() else { return std::thread::sleep(duration) };
    if clock::nanos(duration).is_none() {
        steps::wait_forever(execution, Location::caller());
    }
    pass(execution, duration);
    yield_now();
}

/// Lets milliseconds pass. See [`std::thread::sleep_ms`].
#[deprecated(note = "replaced by `sleep`, as in the standard library")]
#[track_caller]
pub fn sleep_ms(ms: u32) {
    sleep(Duration::from_millis(ms.into()));
}

/// Lets time pass: a timeout has ended a wait of the running thread, or the thread has slept.
pub(crate) fn pass(execution: ExecutionId, duration: Duration) {
    clock::pass(execution, clock::nanos(duration).unwrap_or(u64::MAX));
}

/// Waits to be unparked. See [`std::thread::park`].
#[track_caller]
pub fn park() {
    let Some(execution) = current_execution() else { return std::thread::park() };
    let me = with(execution, |engine| engine.schedule.running);
    calls::call(execution, joins::parker(execution, me), Op::Park, Location::caller());
}

/// Waits to be unparked, but not forever. See [`std::thread::park_timeout`].
#[track_caller]
pub fn park_timeout(duration: Duration) {
    let Some(execution) = current_execution() else { return std::thread::park_timeout(duration) };
    if clock::nanos(duration).is_none() {
        return park();
    }
    let me = with(execution, |engine| engine.schedule.running);
    let parker = joins::parker(execution, me);
    if calls::call(execution, parker, Op::ParkTimeout, Location::caller()) == Answer::No {
        pass(execution, duration);
    }
}

/// Waits to be unparked, but not forever. See [`std::thread::park_timeout_ms`].
#[deprecated(note = "replaced by `park_timeout`, as in the standard library")]
#[track_caller]
pub fn park_timeout_ms(ms: u32) {
    park_timeout(Duration::from_millis(ms.into()));
}

/// A handle to the running thread. See [`std::thread::current`].
pub fn current() -> Thread {
    let Some(execution) = current_execution() else { return Thread::real(std::thread::current()) };
    let me = with(execution, |engine| engine.schedule.running);
    locals::touch();
    Thread::controlled(execution, me)
}

/// A handle to a thread. See [`std::thread::Thread`].
#[derive(Clone)]
pub struct Thread(Backend<std::thread::Thread, Controlled>);

#[derive(Clone)]
struct Controlled {
    execution: ExecutionId,
    /// Its id in the execution.
    index: ids::ThreadId,
    name: Option<Arc<str>>,
    process: ProcessId,
}

impl Thread {
    fn real(thread: std::thread::Thread) -> Self {
        Thread(Backend::Real(thread))
    }

    fn controlled(execution: ExecutionId, index: ids::ThreadId) -> Self {
        with(execution, |engine| {
            let thread = &engine.threads[index];
            let (name, process) = (thread.name.clone(), thread.process);
            Thread(Backend::Controlled(Controlled { execution, index, name, process }))
        })
    }

    /// Unparks the thread if it is parked, or lets its next park return. See [`std::thread::Thread::unpark`].
    #[track_caller]
    pub fn unpark(&self) {
        match &self.0 {
            Backend::Real(thread) => thread.unpark(),
            Backend::Controlled(Controlled { execution, index, .. }) => {
                let place = Location::caller();
                calls::call(*execution, joins::parker(*execution, *index), Op::Unpark, place);
            }
        }
    }

    /// Identifies the thread. See [`std::thread::Thread::id`].
    #[track_caller]
    pub fn id(&self) -> ThreadId {
        match &self.0 {
            Backend::Real(thread) => ThreadId::real(thread.id()),
            Backend::Controlled(Controlled { execution, process, .. }) => {
                ThreadId::controlled(&with(*execution, |engine| engine.processes.path(*process)))
            }
        }
    }

    /// The name it was given. The closure under test runs in a thread named `main`.
    pub fn name(&self) -> Option<&str> {
        match &self.0 {
            Backend::Real(thread) => thread.name(),
            Backend::Controlled(Controlled { name: None, process: MAIN, .. }) => Some("main"),
            Backend::Controlled(Controlled { name, .. }) => name.as_deref(),
        }
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("Thread");
        match self.0 {
            // Only its own execution knows its path of creation.
            Backend::Controlled(Controlled { execution, .. }) if !is_alive(execution) => {}
            _ => _ = shown.field("id", &self.id()),
        }
        shown.field("name", &self.name()).finish_non_exhaustive()
    }
}

/// A name that a thread may have.
#[cold]
#[inline(never)]
#[track_caller]
fn checked(name: String) -> Arc<str> {
    assert!(!name.contains('\0'), "thread name may not contain interior null bytes");
    Arc::from(name)
}

/// Settings for a new thread. See [`std::thread::Builder`].
#[derive(Debug)]
#[must_use = "must eventually spawn the thread"]
pub struct Builder {
    name: Option<String>,
    stack_size: Option<usize>,
}

impl Builder {
    /// No name, default stack.
    #[expect(clippy::new_without_default, reason = "the standard library's has none")]
    pub fn new() -> Self {
        Builder { name: None, stack_size: None }
    }

    /// Names the thread, in sequences and reports too.
    pub fn name(mut self, name: String) -> Self {
        self.name = Some(name);
        self
    }

    /// The size of its stack. Under control all stacks have the size that is set in the
    /// [explorer](crate::Explorer::stack_size).
    pub fn stack_size(mut self, size: usize) -> Self {
        self.stack_size = Some(size);
        self
    }

    fn real(self) -> std::thread::Builder {
        let mut builder = std::thread::Builder::new();
        if let Some(name) = self.name {
            builder = builder.name(name);
        }
        if let Some(size) = self.stack_size {
            builder = builder.stack_size(size);
        }
        builder
    }

    /// The name, for a thread under control.
    #[inline]
    #[track_caller]
    fn into_name(self) -> Option<Arc<str>> {
        Some(checked(self.name?))
    }

    /// Starts the thread. See [`std::thread::Builder::spawn`].
    ///
    /// # Errors
    /// If the system has no memory for its stack.
    ///
    /// # Panics
    /// If the name has a null byte in it.
    #[track_caller]
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        // SAFETY: neither `f` nor what it returns borrows anything that could end.
        unsafe { self.spawn_unchecked(f) }
    }

    /// Starts the thread, which may borrow. See [`std::thread::Builder::spawn_unchecked`].
    ///
    /// # Errors
    /// If the system has no memory for its stack.
    ///
    /// # Panics
    /// If the name has a null byte in it.
    ///
    /// # Safety
    /// What `f` borrows must outlive the thread, and what the result borrows must outlive the handle.
    #[track_caller]
    pub unsafe fn spawn_unchecked<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send,
        T: Send,
    {
        #[cfg(feature = "mutants")]
        let f = boxed(f);
        let Some(execution) = current_execution() else {
            // SAFETY: the caller vouches for the borrows.
            return unsafe { self.real().spawn_unchecked(f) }.map(JoinHandle::real);
        };
        // SAFETY: as above.
        let index = unsafe { joins::spawn(execution, self.into_name(), f)? };
        Ok(JoinHandle::controlled(execution, index))
    }
}

/// Mutants are copies of code, including the closures that threads are started with. The code that starts and runs a thread
/// is compiled once for all closures with the same result type, not for each closure: that would take most of the build
/// time.
#[cfg(feature = "mutants")]
fn boxed<'f, T>(f: impl FnOnce() -> T + Send + 'f) -> Box<dyn FnOnce() -> T + Send + 'f> {
    Box::new(f)
}
