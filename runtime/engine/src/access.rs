//! Access to the engine of the program that runs on this OS thread, by closure only.
//!
//! Threads of a program are coroutines on one OS thread, and all of them change the same engine. So no reference to the
//! engine may be alive while another thread runs: a closure that gets one cannot keep it, and must not suspend (insyn's
//! own tests check this).

use std::cell::Cell;
use std::ptr;

use crate::ids::ExecutionId;
use crate::{Engine, Phase};

thread_local! {
    static CURRENT: Cell<*mut Engine> = const { Cell::new(ptr::null_mut()) };
}

/// Makes an engine the one that runs on this OS thread, until this value is dropped.
pub(crate) struct Current(());

impl Current {
    /// # Panics
    /// If a program is already running on this OS thread.
    pub(crate) fn set(engine: *mut Engine) -> Self {
        assert!(CURRENT.get().is_null(), "a program is already running on this thread");
        CURRENT.set(engine);
        Current(())
    }
}

impl Drop for Current {
    fn drop(&mut self) {
        CURRENT.set(ptr::null_mut());
    }
}

/// A reference to the engine that is in use.
struct Borrow(());

#[cfg(feature = "checked-access")]
thread_local! {
    static IS_BORROWED: Cell<bool> = const { Cell::new(false) };
}

impl Borrow {
    #[inline]
    fn new() -> Self {
        #[cfg(feature = "checked-access")]
        assert!(!IS_BORROWED.replace(true), "the engine is in use");
        Borrow(())
    }
}

#[cfg(feature = "checked-access")]
impl Drop for Borrow {
    fn drop(&mut self) {
        IS_BORROWED.set(false);
    }
}

/// Called before the running thread is suspended and before user code runs.
#[inline]
pub(crate) fn check_not_in_use() {
    #[cfg(feature = "checked-access")]
    assert!(!IS_BORROWED.get(), "no thread may be suspended while the engine is in use");
}

/// The stack of a thread has overflowed, perhaps while the thread used the engine. The thread never runs again.
pub(crate) fn give_up_use() {
    #[cfg(feature = "checked-access")]
    IS_BORROWED.set(false);
}

/// Calls `f` with an engine.
///
/// # Safety
/// The pointer must be that of an engine whose program runs on this OS thread.
#[inline(always)]
unsafe fn lend<R>(engine: *mut Engine, f: impl FnOnce(&mut Engine) -> R) -> R {
    let _borrow = Borrow::new();
    // SAFETY: the caller vouches for the pointer. No other reference is in use: each lives in a closure such as this one,
    // which ends before another is called.
    f(unsafe { &mut *engine })
}

/// Calls `before`, which may suspend the running thread, if `must_wait` returns true. When `before` returns, the run is
/// still the same.
///
/// # Safety
/// As for [`lend`].
#[inline(always)]
unsafe fn wait_if(engine: *mut Engine, must_wait: impl FnOnce(&mut Engine) -> bool, before: impl FnOnce()) {
    // SAFETY: the caller vouches for the pointer.
    if unsafe { lend(engine, must_wait) } {
        before();
    }
}

/// Calls `f` with the engine whose program runs on this OS thread, if there is one.
#[inline(always)]
pub fn with_current<R>(f: impl FnOnce(&mut Engine) -> R) -> Option<R> {
    let engine = CURRENT.get();
    // SAFETY: the pointer is set only while a program runs on this OS thread.
    (!engine.is_null()).then(|| unsafe { lend(engine, f) })
}

/// As [`with_current`], for code that only runs in a program.
///
/// # Panics
/// If no program is running on this OS thread.
#[inline(always)]
#[track_caller]
pub(crate) fn with_running<R>(f: impl FnOnce(&mut Engine) -> R) -> R {
    let engine = CURRENT.get();
    assert!(!engine.is_null(), "a program is running");
    // SAFETY: as in `with_current`.
    unsafe { lend(engine, f) }
}

/// Calls `f` with the engine, for an object that was made in the given execution.
///
/// # Panics
/// If the object belongs to another execution than the one that is running.
#[inline(always)]
#[track_caller]
pub fn with<R>(execution: ExecutionId, f: impl FnOnce(&mut Engine) -> R) -> R {
    let engine = engine_of(execution);
    // SAFETY: as in `with_current`.
    unsafe { lend(engine, f) }
}

/// As [`with`], but first calls `before` if `must_wait` returns true, which may suspend the running thread.
#[inline(always)]
#[track_caller]
pub fn with_after<R>(
    execution: ExecutionId,
    must_wait: impl FnOnce(&mut Engine) -> bool,
    before: impl FnOnce(),
    f: impl FnOnce(&mut Engine) -> R,
) -> R {
    let engine = engine_of(execution);
    // SAFETY: as in `with_current`.
    unsafe {
        wait_if(engine, must_wait, before);
        lend(engine, f)
    }
}

/// Something that a thread does with the engine and that must be inlined: the compiler inlines the method of a trait where
/// it would call a large closure.
pub trait Operation {
    /// The result.
    type Output;

    /// Performs the operation.
    fn perform(self, engine: &mut Engine) -> Self::Output;
}

/// As [`with_after`], for an operation.
#[inline(always)]
#[track_caller]
pub(super) fn perform_after<O: Operation>(
    execution: ExecutionId,
    must_wait: impl FnOnce(&mut Engine) -> bool,
    before: impl FnOnce(),
    operation: O,
) -> O::Output {
    let engine = engine_of(execution);
    // SAFETY: as in `with_current`.
    unsafe { wait_if(engine, must_wait, before) };
    let _borrow = Borrow::new();
    // SAFETY: as in `lend`.
    operation.perform(unsafe { &mut *engine })
}

/// As [`with_after`], if the program that an object's handle was made in is still running. For destructors.
#[inline(always)]
pub(super) fn with_alive_after<R>(
    execution: ExecutionId,
    must_wait: impl FnOnce(&mut Engine) -> bool,
    before: impl FnOnce(),
    f: impl FnOnce(&mut Engine) -> R,
) -> Option<R> {
    let engine = alive(execution)?;
    // SAFETY: as in `with_current`.
    Some(unsafe {
        wait_if(engine, must_wait, before);
        lend(engine, f)
    })
}

/// Calls `f` with the engine if the program that an object's handle was made in is still running. For destructors, which
/// must not fail.
#[inline(always)]
pub fn with_alive<R>(execution: ExecutionId, f: impl FnOnce(&mut Engine) -> R) -> Option<R> {
    let engine = alive(execution)?;
    // SAFETY: as in `with_current`.
    Some(unsafe { lend(engine, f) })
}

#[inline(always)]
fn alive(execution: ExecutionId) -> Option<*mut Engine> {
    let engine = CURRENT.get();
    // SAFETY: as in `with_current`.
    let is_alive =
        !engine.is_null() && unsafe { (*engine).id == execution && (*engine).phase == Phase::Running };
    is_alive.then_some(engine)
}

#[inline(always)]
#[track_caller]
fn engine_of(execution: ExecutionId) -> *mut Engine {
    let engine = CURRENT.get();
    // SAFETY: as in `with_current`.
    if engine.is_null() || unsafe { (*engine).id } != execution {
        foreign();
    }
    engine
}

#[cold]
#[inline(never)]
#[track_caller]
fn foreign() -> ! {
    with_current(|engine| engine.ending.foreign |= engine.phase == Phase::Running);
    panic!(
        "insyn: an object made in one execution was used in another, or outside; create it inside the closure \
         under test"
    )
}

/// The execution that runs on this OS thread, if one does.
#[inline]
pub fn current_execution() -> Option<ExecutionId> {
    with_current(|engine| engine.id)
}

/// Whether a program runs on this OS thread.
#[inline]
pub fn is_under_control() -> bool {
    !CURRENT.get().is_null()
}

/// Whether the program that an object's handle was made in is still running.
#[inline]
pub fn is_alive(execution: ExecutionId) -> bool {
    alive(execution).is_some()
}

/// As [`is_alive`], for a value that must not be used in another program than its own.
///
/// # Panics
/// If another program is running.
#[track_caller]
pub fn is_asked(execution: ExecutionId) -> bool {
    let is_running = with_current(|engine| engine.phase == Phase::Running) == Some(true);
    is_running && with(execution, |engine| engine.phase == Phase::Running)
}

/// Refuses the wait of a real object inside a program under test: all threads run on the OS thread that would wait, so none
/// of them could ever end the wait.
///
/// # Panics
/// If a program is running on this OS thread.
#[track_caller]
pub fn refuse_to_block() {
    assert!(
        !is_under_control(),
        "insyn: an object made outside the program under test would have to wait inside it; create it inside the \
         closure under test"
    );
}
