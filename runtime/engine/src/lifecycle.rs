//! The life of a run: its threads are started, run until none can move, and what is left of them is ended.

use std::panic::{self, AssertUnwindSafe};
use std::{io, mem};

use crate::access::{Current, give_up_use, with_current, with_running};
use crate::coroutine::{Coroutine, Left};
use crate::ids::ThreadId;
use crate::joins::{drop_result, give_up_result};
use crate::process::MAIN;
use crate::record::event::Op;
use crate::schedule::steps;
use crate::threads::locals;
use crate::threads::outcome::{Erased, Outcome};
use crate::threads::panics::{catch, hook_panics};
use crate::threads::{Birth, BodyEnd, Status, Thread, WaitFor};
use crate::{Engine, NOWHERE, Phase};

/// How many threads keep their stacks from run to run.
const KEEPS_STACK: u32 = 32;

/// Runs a program once, following the engine's script, until no thread can move; then ends its remaining threads.
///
/// Not generic, so that it is compiled here, together with what it calls.
///
/// # Panics
/// If a program is already running on this OS thread.
pub fn execute(engine: &mut Engine, main: &mut dyn FnMut()) -> io::Result<()> {
    hook_panics();
    let engine: *mut Engine = engine;
    let with = || {
        // SAFETY: `engine` comes from an exclusive borrow that lasts for this whole function. Coroutines that run in
        // between reach the same engine by this very pointer ([`crate::access`]); no reference made
        // here is alive while one of them runs.
        unsafe { &mut *engine }
    };
    let current = Current::set(engine);
    with().reset();
    with().phase = Phase::Running;
    // A stack that an earlier program abandoned in the middle of a panic still counts as panicking.
    with().panics.asleep = u32::from(std::thread::panicking());
    with().pulse.set_busy(true);
    if let Some(journal) = with().journal {
        journal.begin_run();
    }
    // SAFETY: `main` outlives the run: teardown below ends every coroutine before we return.
    let started =
        unsafe { with().start(Birth { process: MAIN, prev: None, name: None, called: None }, main) };
    if started.is_ok() {
        with().begin_turns();
        while let Some(thread) = with().next_ready() {
            let coroutine = with().dispatch(thread);
            // SAFETY: the box of a thread's coroutine lives as long as the execution, and nothing else touches what is in
            // it while the thread runs.
            let left = unsafe { (*coroutine).as_mut() }.expect("a ready thread has a coroutine").resume();
            if left != Left::Suspended {
                with().came_back(thread, left);
            }
        }
        with().end_turns();
        with().check_script_was_followed();
        with().note_unresolved();
        with().phase = Phase::Teardown;
        if let Some(journal) = with().journal {
            journal.clear_away();
        }
        with().schedule.unasked = 0;
        if with().schedule.unfinished > 0 {
            with().threads.ids().rev().for_each(|thread| end(engine, thread));
        }
        if with().ending.leaves_results || with().schedule.unfinished > 0 {
            with().threads.ids().for_each(|thread| drop_outcome(engine, thread));
        }
        drop_statics(engine);
    }
    with().pulse.set_busy(false);
    if let Some(journal) = with().journal {
        journal.end_run();
    }
    with().phase = Phase::Idle;
    drop(current);
    started.map(drop)
}

/// Ends a thread that has not finished. Later threads go first, so scoped children go before their owners.
fn end(engine: *mut Engine, thread: ThreadId) {
    // SAFETY: as in `execute`; the reference is not held while the coroutine runs.
    let with = || unsafe { &mut *engine };
    let Some(coroutine) = with().threads[thread].coroutine.take_if(|it| !it.is_finished()) else { return };
    with().schedule.running = thread;
    run_out(engine, coroutine);
}

/// Drops the result of a thread that was not joined, and what is left in its thread-locals. That may be user code, so it
/// runs on a stack of its own.
fn drop_outcome(engine: *mut Engine, thread: ThreadId) {
    // SAFETY: as in `execute`; the reference is not held while the coroutine runs.
    let with = || unsafe { &mut *engine };
    let thread_of_run = &with().threads[thread];
    if !thread_of_run.outcome.runs_user_code() && thread_of_run.locals.is_empty() {
        return;
    }
    let outcome = mem::replace(&mut with().threads[thread].outcome, Outcome::Pending);
    with().schedule.running = thread;
    match with().stacks.take() {
        // SAFETY: every panic is caught, and an outcome borrows nothing that is gone before the scope of its thread is,
        // which has not been left.
        Ok(stack) => run_out(engine, unsafe {
            Coroutine::new(stack, move || {
                drop_quietly(outcome);
                locals::drop_all(thread);
            })
        }),
        Err(_) => mem::forget(outcome),
    }
}

/// Drops what the statics of the program hold, and its panic hook, so that the next run begins anew.
fn drop_statics(engine: *mut Engine) {
    // SAFETY: as in `execute`; the reference is not held while the coroutine runs.
    let with = || unsafe { &mut *engine };
    if with().statics.values.is_empty() && with().panics.hook.is_none() {
        return;
    }
    let statics = (mem::take(&mut with().statics.values), with().panics.hook.take());
    with().schedule.running = ThreadId::FIRST;
    match with().stacks.take() {
        // SAFETY: every panic is caught, and neither statics nor hooks borrow anything.
        Ok(stack) => run_out(engine, unsafe { Coroutine::new(stack, move || drop_quietly(statics)) }),
        Err(_) => mem::forget(statics),
    }
}

/// Runs a coroutine of a program that is over to its end. Abandons it if it reaches an operation that has no truthful
/// answer any more, or if user code swallows the unwinding.
fn run_out(engine: *mut Engine, mut coroutine: Coroutine) {
    let left = coroutine.resume();
    // SAFETY: as in `execute`; the coroutine is not running any more.
    let engine = unsafe { &mut *engine };
    let stack = if left == Left::Suspended {
        engine.ending.leaked += 1;
        coroutine.abandon()
    } else {
        coroutine.into_stack()
    };
    engine.stacks.give(stack);
}

/// Drops a value; if that panics, the payload is forgotten.
fn drop_quietly<T>(value: T) {
    if let Err(payload) = catch(AssertUnwindSafe(|| drop(value))) {
        mem::forget(payload);
    }
}

impl Engine {
    /// Makes a thread that will run `body`.
    ///
    /// # Safety
    /// What `body` borrows must live until the thread has ended.
    pub unsafe fn start<T>(&mut self, birth: Birth, body: impl FnOnce() -> T) -> io::Result<ThreadId> {
        let id = self.threads.add();
        let (facts, number) = (self.processes.facts(birth.process), self.processes.number(birth.process));
        let thread = &mut self.threads[id];
        let stack = match thread.coroutine.take() {
            Some(finished) => finished.into_stack(),
            None => self.stacks.take()?,
        };
        thread.restart(birth, facts, self.turns.forcing.is_some());
        // SAFETY: `run_body` catches every panic; the caller vouches for the borrows.
        let coroutine = unsafe { Coroutine::new(stack.of_thread(number), move || run_body(id, body)) };
        // There is no coroutine to drop.
        mem::forget(thread.coroutine.replace(coroutine));
        self.schedule.unfinished += 1;
        self.schedule.ready.push_back(id);
        Ok(id)
    }

    /// The thread to run next; unless choices are random, a timeout fires only when there is no other.
    #[inline(always)]
    fn next_ready(&mut self) -> Option<ThreadId> {
        if self.ending.is_cut {
            return None;
        }
        if self.schedule.asks {
            return self.ask_who_is_next();
        }
        match self.schedule.ready.pop_front() {
            None if self.schedule.unfinished > 0 => self.next_late(),
            next => next,
        }
    }

    /// The thread to run next when none is ready.
    #[cold]
    #[inline(never)]
    fn next_late(&mut self) -> Option<ThreadId> {
        self.let_time_out();
        self.schedule.ready.pop_front()
    }

    /// As [`next_ready`](Self::next_ready), if the choice is not simply the thread that has waited longest.
    #[cold]
    #[inline(never)]
    fn ask_who_is_next(&mut self) -> Option<ThreadId> {
        if self.script.doubtful
            && let Some(follower) = self.next_follower()
        {
            return Some(follower);
        }
        if self.is_random() {
            return self.any_ready();
        }
        if self.schedule.ready.is_empty() {
            self.let_time_out();
        }
        if self.turns.forcing.is_some() { self.likely_ready() } else { self.schedule.ready.pop_front() }
    }

    /// Any thread that could go on, if need be because its wait times out.
    #[cold]
    #[inline(never)]
    fn any_ready(&mut self) -> Option<ThreadId> {
        let late = |&&thread: &&ThreadId| self.threads[thread].status == Status::Blocked;
        let late: Vec<ThreadId> = self.schedule.timed_waits.iter().filter(late).copied().collect();
        if self.schedule.ready.is_empty() && late.is_empty() {
            self.test_polls();
        }
        let choices = self.schedule.ready.len() + late.len();
        if choices > 1 && self.is_repeated_state() {
            return None;
        }
        let n = self.choose(choices);
        let Some(&thread) = n.checked_sub(self.schedule.ready.len()).and_then(|n| late.get(n)) else {
            return self.schedule.ready.remove(n);
        };
        self.threads[thread].timed_out = true;
        self.threads[thread].status = Status::Ready;
        Some(thread)
    }

    fn let_time_out(&mut self) {
        for n in 0..self.schedule.timed_waits.len() {
            let thread = self.schedule.timed_waits[n];
            self.threads[thread].timed_out = true;
            self.wake(thread);
        }
        self.schedule.timed_waits.clear();
        if self.schedule.ready.is_empty() {
            self.test_polls();
        }
    }

    fn dispatch(&mut self, thread: ThreadId) -> *mut Option<Coroutine> {
        self.schedule.running = thread;
        self.begin_turn();
        let t = &mut self.threads[thread];
        t.waits_for = WaitFor::Nothing;
        &raw mut *t.coroutine
    }

    /// A thread has ended. The first threads keep their stacks for the threads that take their places in the next run; a
    /// program that starts many, one after the other, needs only a few.
    #[inline(always)]
    fn came_back(&mut self, thread: ThreadId, left: Left) {
        if thread.number() > KEEPS_STACK {
            let coroutine = self.threads[thread].coroutine.take();
            self.stacks.give(coroutine.expect("it has just run").into_stack());
        }
        if left == Left::Overflowed {
            give_up_use();
            self.ending.overflowed = Some(thread);
            self.ending.is_cut = true;
        }
    }
}

impl Engine {
    /// The closure of a thread has ended. Returns whether the thread has more to do; if not, it is finished.
    #[inline(always)]
    fn end_body(&mut self, id: ThreadId, outcome: Outcome, needs_drop: bool) -> bool {
        if self.phase != Phase::Running {
            // The thread was unwound, or user code stopped the unwinding; either way the outcome does not count.
            mem::forget(outcome);
            return false;
        }
        if self.polls.are_tested {
            self.record_abandoned_poll(id);
        }
        let has_panicked = matches!(outcome, Outcome::Panicked(_));
        let thread = &mut self.threads[id];
        thread.unwinding = false;
        let has_more_to_do = needs_drop || thread.has_more_to_do() || self.turns.forcing.is_some();
        // The thread had no outcome before, so there is none to drop.
        mem::forget(mem::replace(&mut thread.outcome, outcome));
        if has_panicked {
            self.note_panic(id);
        }
        if !has_more_to_do {
            self.finish(id);
        }
        has_more_to_do
    }

    /// A thread is left with its thread-locals.
    fn end_closure(&mut self, id: ThreadId) {
        let end = BodyEnd { last: self.threads[id].prev, slept: self.slept_since(id) };
        self.threads[id].body_end = Some(end);
        if self.schedule.joining > 0 {
            self.wake_joiners(id);
        }
    }

    /// A thread has made its last move.
    #[inline]
    fn finish(&mut self, id: ThreadId) {
        let thread = &mut self.threads[id];
        thread.over = true;
        thread.status = Status::Finished;
        self.schedule.unfinished -= 1;
        if self.schedule.joining > 0 {
            self.wake_joiners(id);
        }
    }
}

impl Thread {
    /// Whether the thread has more to do at the end of its closure than to record the end, whatever the closure returns.
    #[inline]
    fn has_more_to_do(&self) -> bool {
        self.facts.counted || !self.locals.is_empty() || self.facts.watched
    }
}

impl Drop for Engine {
    /// Returns the stacks that threads have kept to the pool, for the next worker.
    fn drop(&mut self) {
        let finished =
            self.threads.iter_mut().filter_map(|thread| thread.coroutine.take_if(|it| it.is_finished()));
        finished.for_each(|coroutine| self.stacks.give(coroutine.into_stack()));
    }
}

/// What runs on a thread's stack.
fn run_body<T>(id: ThreadId, body: impl FnOnce() -> T) {
    if with_current(|engine| engine.phase) != Some(Phase::Running) {
        // The program was over before the thread had started: only its captures are left to drop.
        return drop_quietly(body);
    }
    // Not by `catch`: the thread has not panicked before, so there is no earlier state to restore.
    let result = panic::catch_unwind(AssertUnwindSafe(body));
    let has_more_to_do = match result {
        Ok(value) => {
            let value = Erased::new(value);
            with_running(|engine| engine.end_body(id, Outcome::Returned(value), mem::needs_drop::<T>()))
        }
        Err(payload) => with_running(|engine| engine.end_body(id, Outcome::Panicked(payload), true)),
    };
    if has_more_to_do && wind_up(id) {
        with_running(|engine| engine.finish(id));
    }
}

/// What a thread does after its closure: drops a result that will not be joined and its thread-locals, and takes its last
/// turns. As with the standard library's threads, it counts as finished, and its scope may end, before the thread-locals are
/// dropped; who joins it waits for that. False if the program is over before that.
#[cold]
#[inline(never)]
fn wind_up(id: ThreadId) -> bool {
    // Dropping a result that will not be joined may be a step of the program, so it happens on this thread.
    if with_running(|engine| engine.threads[id].leaves_something()) {
        with_running(|engine| engine.ending.leaves_results = true);
        // Both may be steps of the program, and the program may end there: then this closure is unwound.
        let given_up = catch(|| {
            if give_up_result(id) {
                drop_result(id);
            }
        });
        let is_running = with_running(|engine| {
            let is_running = engine.phase == Phase::Running;
            if is_running && given_up.is_err() {
                engine.note_panic(id);
            }
            is_running
        });
        if !is_running {
            return false;
        }
    }
    with_running(|engine| engine.threads[id].over = true);
    if !catch_up_at_the_end() {
        return false;
    }
    let is_watched = with_running(|engine| {
        let is_watched = engine.threads[id].facts.watched;
        if is_watched {
            let end = engine.end_of(id);
            let drop = engine.record_thread(Op::DropSender, end, NOWHERE);
            engine.objects[end].drops.push(drop);
            engine.disconnect(end, NOWHERE);
        }
        is_watched
    });
    if is_watched && !catch_up_at_the_end() {
        return false;
    }
    let has_locals = with_running(|engine| {
        let has_locals = !engine.threads[id].locals.is_empty();
        if has_locals {
            engine.end_closure(id);
        }
        has_locals
    });
    if !has_locals {
        return true;
    }
    if locals::drop_all(id) {
        with_running(|engine| engine.note_panic(id));
    }
    catch_up_at_the_end()
}

/// If the program is forced, the last events of a thread take their turns. Returns whether the program still runs then.
fn catch_up_at_the_end() -> bool {
    if with_running(|engine| engine.turns.forcing.is_some()) {
        // If the turn never comes, the thread is unwound from inside this call.
        let _ = catch(steps::catch_up);
    }
    with_running(|engine| engine.phase == Phase::Running)
}
