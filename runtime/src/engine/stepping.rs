//! What every operation of a running thread begins with, and how a thread waits.
//!
//! Functions that may suspend take no reference to the [`Engine`]: while a thread is suspended others change it,
//! so each looks it up anew afterwards.

use std::any::Any;

use super::ids::ExecutionId;
use super::panics::{is_panicking, resume};
use super::{Engine, Phase, current, forcing, of, polling};
use crate::coroutine;

/// Thrown through the frames of a thread that is still blocked when the program is over.
struct Teardown;

/// Starts an operation: counts a step, and lets another thread go first if choices are random.
#[inline(always)]
#[track_caller]
pub(crate) fn begin(execution: ExecutionId) -> &'static mut Engine {
    begin_in(of(execution))
}

/// As [`begin`], where the execution is at hand.
#[inline(always)]
#[track_caller]
pub(crate) fn begin_in(engine: &'static mut Engine) -> &'static mut Engine {
    engine.steps += 1;
    if engine.steps <= engine.unasked {
        return engine;
    }
    let execution = engine.id;
    look_round();
    of(execution)
}

/// So many objects count as a step.
const OBJECTS_IN_A_STEP: u32 = 16;

/// Starts to make an object. That is no operation; but a loop that does nothing else comes to the bound on steps too.
#[inline]
#[track_caller]
pub(crate) fn begin_to_make(execution: ExecutionId) -> &'static mut Engine {
    let engine = of(execution);
    engine.made += 1;
    if engine.made.is_multiple_of(OBJECTS_IN_A_STEP) && engine.phase == Phase::Running && !engine.step() {
        cannot_go_on();
    }
    engine
}

/// Before an operation that may be one too many, or not this thread's turn.
#[cold]
#[inline(never)]
fn look_round() {
    let engine = current().expect("a program is running");
    engine.refuse_in_hook();
    if engine.must_let_follow() {
        // What has not begun does not count, or the bound would come earlier than it did.
        engine.steps -= 1;
        give_way();
        current().expect("a program is running").steps += 1;
    }
    let engine = current().expect("a program is running");
    if engine.tests_polls {
        polling::give_up();
    }
    if !engine.may_go_on() {
        cannot_go_on();
    }
    if engine.turns.forcing.is_some() {
        forcing::catch_up();
    }
    if current().expect("a program is running").must_give_way() {
        give_way();
    }
}

/// For a thread whose program is over or has reached the bound on steps: no answer would be true, or none is wanted. It
/// stays here until its stack is unwound or given up.
#[cold]
#[inline(never)]
pub(crate) fn cannot_go_on() -> ! {
    if let Some(engine) = current() {
        if engine.tests_polls && engine.phase == Phase::Running && engine.learned.is_empty() {
            engine.note_that_they_poll_on();
        }
        engine.bound_hit |=
            engine.phase == Phase::Running && engine.divergence.is_none() && engine.learned.is_empty();
        engine.is_cut |= engine.bound_hit;
    }
    suspend_for_good()
}

/// Lets every other ready thread run first.
pub(crate) fn give_way() {
    let engine = current().expect("a program is running");
    engine.ready.push_back(engine.running);
    wait();
}

/// After an operation that found nothing: whoever could have brought something goes first, so that a thread which polls
/// does not keep all others from running.
pub(crate) fn came_back_empty() {
    if current().is_some_and(|engine| !engine.ready.is_empty()) {
        give_way();
    }
}

/// The execution that runs on this OS thread, where there is one.
pub(super) fn current_execution() -> &'static mut Engine {
    current().expect("a program is running")
}

/// Suspends the running thread until it is woken.
#[inline]
pub(crate) fn wait() {
    let unwinding = is_panicking();
    if unwinding {
        current().expect("a program is running").fall_asleep_unwinding();
    }
    coroutine::suspend();
    let engine = current().expect("a program is running");
    if unwinding {
        engine.unwinding_asleep -= 1;
    }
    // Inside a destructor that runs because of a panic, a second panic would abort the process; the stack is given up.
    if engine.phase == Phase::Teardown && !unwinding {
        resume(Box::new(Teardown));
    }
}

/// As [`wait`], but a timeout may end it.
pub(crate) fn wait_patiently() -> bool {
    let engine = current().expect("a program is running");
    let me = engine.running;
    engine.threads[me].timed_out = false;
    engine.patient.push(me);
    wait();
    let engine = current().expect("a program is running");
    engine.patient.retain(|&t| t != me);
    engine.threads[me].timed_out
}

/// Suspends the running thread until its stack is unwound or given up.
pub(crate) fn suspend_for_good() -> ! {
    loop {
        wait();
    }
}

/// Whether a panic's payload is what ends the threads of a program that is over.
pub(crate) fn is_teardown(payload: &(dyn Any + Send)) -> bool {
    payload.is::<Teardown>()
}
