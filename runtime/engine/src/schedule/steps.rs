//! What every operation of a running thread begins with, and how a thread waits.
//!
//! Functions that may suspend take no reference to the [`Engine`]: see [`crate::access`].

use std::any::Any;

use crate::access::{
    Operation, check_not_in_use, perform_after, with, with_after, with_alive_after, with_current,
    with_running,
};
use crate::coroutine;
use crate::ids::ExecutionId;
use crate::refinement::Fact;
use crate::threads::WaitFor;
use crate::threads::panics::{is_panicking, resume};
use crate::{Engine, Phase, Place};

/// Thrown through the frames of a thread that is still blocked when the program is over.
struct Teardown;

/// Starts an operation: counts a step, and lets another thread go first if it is not this thread's turn; then calls `f`
/// with the engine.
#[inline(always)]
#[track_caller]
pub fn begin<R>(execution: ExecutionId, f: impl FnOnce(&mut Engine) -> R) -> R {
    with_after(execution, |engine| engine.must_ask(), check_turn, f)
}

impl Engine {
    /// Counts a step; returns whether a check is needed before it.
    #[inline(always)]
    fn must_ask(&mut self) -> bool {
        self.schedule.steps += 1;
        self.schedule.steps > self.schedule.unasked
    }
}

/// As [`begin`], from a destructor: does nothing once the program is over.
#[inline(always)]
pub(crate) fn begin_if_alive<R>(execution: ExecutionId, f: impl FnOnce(&mut Engine) -> R) -> Option<R> {
    with_alive_after(execution, |engine| engine.must_ask(), check_turn, f)
}

/// As [`begin`], for an operation.
#[inline(always)]
#[track_caller]
pub(crate) fn perform<O: Operation>(execution: ExecutionId, operation: O) -> O::Output {
    perform_after(execution, |engine| engine.must_ask(), check_turn, operation)
}

/// This many objects count as a step.
const OBJECTS_IN_A_STEP: u32 = 16;

/// Makes an object. That is no operation, but it counts a little, so that a loop that only makes objects reaches the bound
/// on steps too.
#[inline]
#[track_caller]
pub(crate) fn begin_to_make<R>(execution: ExecutionId, f: impl FnOnce(&mut Engine) -> R) -> R {
    let is_one_too_many = |engine: &mut Engine| {
        engine.schedule.made += 1;
        engine.schedule.made.is_multiple_of(OBJECTS_IN_A_STEP)
            && engine.phase == Phase::Running
            && !engine.step()
    };
    with_after(execution, is_one_too_many, || cannot_go_on(), f)
}

/// Called before an operation that may exceed the bound on steps, or that another thread's operation may have to precede.
#[cold]
#[inline(never)]
fn check_turn() {
    let must_let_follow = with_running(|engine| {
        engine.refuse_in_hook();
        // An operation that has not begun does not count, or the bound would be reached earlier than in the recorded run.
        let must = engine.must_let_follow();
        engine.schedule.steps -= u64::from(must);
        must
    });
    if must_let_follow {
        give_way();
        with_running(|engine| engine.schedule.steps += 1);
    }
    if with_running(|engine| engine.polls.are_tested) {
        give_up();
    }
    let may_go_on = with_running(|engine| {
        engine.look_at_limits();
        engine.may_go_on()
    });
    if !may_go_on {
        cannot_go_on();
    }
    catch_up();
    if with_running(Engine::must_give_way) {
        give_way();
    }
}

/// If the program is forced, the named events that the running thread has done take their turns.
pub(crate) fn catch_up() {
    if let Some(hooks) = with_current(|engine| engine.schedule.hooks).flatten() {
        (hooks.catch_up)();
    }
}

/// For a thread whose program is over or has reached the bound on steps: no answer would be truthful, or none is needed.
/// The thread stays here until its stack is unwound or abandoned.
#[cold]
#[inline(never)]
pub fn cannot_go_on() -> ! {
    with_current(|engine| {
        // A limit shows nothing about the program.
        let is_within_limits = engine.phase == Phase::Running && engine.ending.limit.is_none();
        if engine.polls.are_tested && is_within_limits && engine.ending.new_facts.is_empty() {
            engine.record_endless_polls();
        }
        engine.ending.bound_hit |=
            is_within_limits && engine.ending.divergence.is_none() && engine.ending.new_facts.is_empty();
        engine.ending.is_cut |= engine.ending.bound_hit;
    });
    suspend_for_good()
}

/// Lets every other ready thread run first.
pub fn give_way() {
    with_running(|engine| engine.schedule.ready.push_back(engine.schedule.running));
    wait();
}

/// After an operation that found nothing: other threads go first, since they may provide something, and since a thread that
/// polls must not keep all others from running.
pub(crate) fn came_back_empty() {
    if with_current(|engine| !engine.schedule.ready.is_empty()) == Some(true) {
        give_way();
    }
}

/// Suspends the running thread until it is woken.
#[inline]
pub fn wait() {
    check_not_in_use();
    let unwinding = is_panicking();
    if unwinding {
        with_running(Engine::fall_asleep_unwinding);
    }
    coroutine::suspend();
    let is_over = with_running(|engine| {
        if unwinding {
            engine.panics.asleep -= 1;
        }
        engine.phase == Phase::Teardown
    });
    // Inside a destructor that runs because of a panic, a second panic would abort the process; the stack is abandoned.
    if is_over && !unwinding {
        resume(Box::new(Teardown));
    }
}

/// As [`wait`], but a timeout may end it.
pub(crate) fn wait_patiently() -> bool {
    with_running(|engine| {
        let me = engine.schedule.running;
        engine.threads[me].timed_out = false;
        engine.schedule.timed_waits.push(me);
    });
    wait();
    with_running(|engine| {
        let me = engine.schedule.running;
        engine.schedule.timed_waits.retain(|&t| t != me);
        engine.threads[me].timed_out
    })
}

/// Suspends the running thread until its stack is unwound or abandoned.
pub(crate) fn suspend_for_good() -> ! {
    loop {
        wait();
    }
}

/// The running thread waits for something that never comes.
pub fn wait_forever(execution: ExecutionId, place: Place) -> ! {
    catch_up();
    loop {
        with(execution, |engine| engine.block(WaitFor::Forever, place));
        wait();
    }
}

/// Whether the payload of a panic is the one that ends the threads of a program that is over.
pub fn is_teardown(payload: &(dyn Any + Send)) -> bool {
    payload.is::<Teardown>()
}

/// The running program shows a fact: the exploration starts again with it.
#[cold]
#[inline(never)]
pub fn start_again(execution: ExecutionId, fact: impl FnOnce(&Engine) -> Fact) -> ! {
    with(execution, |engine| {
        let fact = fact(engine);
        engine.refine(fact);
    });
    suspend_for_good()
}

/// A thread that is being tested begins something other than its next poll.
#[cold]
#[inline(never)]
fn give_up() {
    let is_tested = with_running(|engine| {
        let me = engine.schedule.running;
        // Whoever polls behind a lock takes it and gives it back; that it has done something else shows afterwards.
        let is_tested =
            engine.is_tested() && (!engine.threads[me].poll.awaited.is_behind || engine.has_left_lock(me));
        if is_tested {
            engine.record_abandoned_poll(me);
        }
        is_tested
    });
    if is_tested {
        suspend_for_good();
    }
}
