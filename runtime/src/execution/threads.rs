//! Threads under test: starting, joining, blocking, and the loop that runs them until none can move.
//!
//! Functions that may suspend take no reference to the [`Execution`]: while a thread is suspended others change it,
//! so each looks it up anew afterwards.

use std::any::Any;
use std::borrow::Cow;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Arc;
use std::{fmt, io, mem, ptr};

use super::effects::Update;
use super::event::{Flags, Ix, Kind, NONE, Op, Unresolved};
use super::forcing::{self, Progress};
use super::locals::{self, Locals};
use super::objects::{Object, joined};
use super::outcomes::{Erased, Outcome, drop_result, give_up_result};
use super::panics::{catch, hook_panics, is_panicking, resume};
use super::polling::{self, Poll};
use super::ports::{self, Patience, Received};
use super::process::{KINDS, MAIN};
use super::script::Name;
use super::topology::{Fact, Facts};
use super::{CURRENT, Execution, NOWHERE, Phase, Place, current, of};
use crate::coroutine::{self, Coroutine, Left};
use crate::macro_support::Place as TextPlace;
use crate::select::Guard;

/// A thread of the running program.
pub(crate) struct Thread {
    pub(crate) process: u32,
    /// What the exploration has found out about it.
    pub(super) facts: Facts,
    /// Boxed, so that it stays where it is while it runs, whatever happens to the list of threads.
    coroutine: Box<Option<Coroutine>>,
    /// The name that the program knows.
    pub(crate) name: Option<Arc<str>>,
    /// What it is called where it was started.
    called: Option<&'static [&'static str]>,
    /// What the objects and threads that it makes now are called.
    pub(crate) naming: Option<&'static [&'static str]>,
    /// Where it has said that it is, and where that seems to be to the compiler.
    pub(crate) told: Option<(TextPlace, Place)>,
    /// What it has to do with turns, if the program is forced.
    pub(super) progress: Progress,
    /// The arms of its last select that were closed: their objects and guards.
    pub(crate) closed_arms: Vec<(u32, &'static Guard)>,
    /// In whose name it makes processes: its own, or that of a static.
    pub(crate) creator: u32,
    /// The last thing that happened before its next event: its previous event, the completion of its call, or what
    /// its creator had done before starting it.
    pub(crate) prev: Ix,
    /// A second predecessor of its next event: the signal or reply that woke it, the end of a thread it joined.
    pub(crate) also: Ix,
    /// How many processes of each kind it has made.
    pub(crate) made: [u32; KINDS],
    pub(crate) status: Status,
    pub(crate) waits_for: WaitFor,
    pub(crate) since: Option<Place>,
    /// Its call has not been completed yet.
    pub(crate) calling: bool,
    /// What the completion of its call, or the reply to it, has decided.
    pub(crate) answer: u64,
    /// The notification or signal that ends its wait on a condition.
    pub(crate) woken_by: Ix,
    /// The receive it waits in could also come back empty-handed, or with any one disconnect.
    pub(crate) may_fail: bool,
    pub(crate) any_closed: bool,
    /// Its wait with a timeout ended because nothing else could move.
    timed_out: bool,
    /// It has lost patience with the call it waits in.
    pub(crate) impatient: bool,
    /// How many offers it has made of which one is to be taken, and the call that was completed last.
    pub(crate) offers: u32,
    pub(crate) chosen: Ix,
    /// Its last wait on a condition variable.
    pub(crate) wait: Ix,
    /// What the completion of its call is to know.
    pub(crate) argument: u64,
    /// How its call changes a variable, and what was there before.
    pub(crate) update: Option<(Update, u64, u64)>,
    pub(crate) old_value: u64,
    /// What it polls.
    pub(super) poll: Poll,
    /// How often it has woken for no reason.
    pub(super) woke_early: u32,
    /// What it parks on, once it is needed; what tells that it has finished.
    pub(crate) parker: u32,
    pub(crate) end: u32,
    /// What orders its end and the drop of its handle, if that matters.
    pub(super) result: u32,
    pub(super) outcome: Outcome,
    pub(crate) joined: bool,
    pub(crate) detached: bool,
    /// Its closure has come to its end; what is left are its thread-locals.
    pub(super) over: bool,
    /// It is unwinding: it has panicked and not caught that. True to the fact while somebody sleeps in the middle of a panic.
    pub(crate) unwinding: bool,
    pub(crate) panicked: bool,
    /// What it has in its thread-locals.
    pub(crate) locals: Locals,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Ready,
    Blocked,
    Finished,
}

/// What a blocked thread waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum WaitFor {
    /// It is not waiting.
    Nothing,
    /// A particular event that the script says comes first.
    Event(Name),
    /// Something to receive on a port that is not old (`renewed`) or at all; `object` is the first open port.
    Message { object: u32, renewed: bool },
    /// The receiver's drop, for a send that must find it anew.
    ReceiverDrop { object: u32 },
    /// The completion of its call.
    Completion { object: u32, op: Op },
    /// A notification of a condition variable.
    Notification { object: u32 },
    /// A signal to a condition of a monitor.
    Signal { object: u32 },
    /// Its monitor, behind the thread it has signalled.
    Urgent { object: u32 },
    /// The reply to its call.
    Reply { object: u32 },
    /// The end of a thread.
    Join { thread: u32 },
    /// A version of a variable that is not old.
    Version { object: u32 },
    /// The message of a selected put.
    Handover { object: u32, event: Ix },
    /// Nothing that could come.
    Forever,
}

/// How many threads keep their stacks from run to run.
const KEEPS_STACK: u32 = 32;

/// Thrown through the frames of a thread that is still blocked when the program is over.
struct Teardown;

impl Thread {
    fn blank() -> Self {
        Thread {
            process: NONE,
            facts: Facts::default(),
            coroutine: Box::new(None),
            name: None,
            called: None,
            naming: None,
            told: None,
            progress: Progress::default(),
            closed_arms: Vec::new(),
            creator: NONE,
            prev: NONE,
            also: NONE,
            made: [0; KINDS],
            status: Status::Ready,
            waits_for: WaitFor::Nothing,
            since: None,
            calling: false,
            answer: 0,
            woken_by: NONE,
            may_fail: false,
            any_closed: false,
            timed_out: false,
            impatient: false,
            offers: 0,
            chosen: NONE,
            wait: NONE,
            argument: 0,
            update: None,
            old_value: 0,
            poll: Poll::NONE,
            woke_early: 0,
            parker: NONE,
            end: NONE,
            result: NONE,
            outcome: Outcome::Pending,
            joined: false,
            detached: false,
            over: false,
            unwinding: false,
            panicked: false,
            locals: Locals::default(),
        }
    }
}

impl Thread {
    /// What people call it: by the name that the program has given it, or else by the variable that it was put into.
    pub(crate) fn title(&self) -> Option<Cow<'_, str>> {
        let name = self.name.as_deref().map(Cow::Borrowed);
        name.or_else(|| self.called.map(joined))
    }

    #[inline]
    fn restart(&mut self, process: u32, facts: Facts, name: Option<Arc<str>>, prev: Ix) {
        self.process = process;
        self.facts = facts;
        self.name = name;
        self.called = None;
        self.naming = None;
        self.told = None;
        self.progress = Progress::default();
        self.closed_arms.clear();
        self.creator = process;
        self.prev = prev;
        self.also = NONE;
        self.made = [0; KINDS];
        self.status = Status::Ready;
        self.waits_for = WaitFor::Nothing;
        self.since = None;
        self.calling = false;
        self.answer = 0;
        self.woken_by = NONE;
        self.may_fail = false;
        self.impatient = false;
        self.offers = 0;
        self.poll = Poll::NONE;
        self.woke_early = 0;
        self.parker = NONE;
        self.end = NONE;
        self.result = NONE;
        self.outcome = Outcome::Pending;
        self.joined = false;
        self.detached = false;
        self.over = false;
        self.unwinding = false;
        self.panicked = false;
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thread").field("process", &self.process).field("status", &self.status).finish()
    }
}

// ---- the life of a run ----------------------------------------------------------------------------------------

/// Runs a program once, following the execution's script, until no thread can move; then ends what is left of it.
///
/// # Panics
/// If a program is already running on this OS thread.
pub(crate) fn execute(x: &mut Execution, main: impl FnOnce()) -> io::Result<()> {
    assert!(CURRENT.get().is_null(), "a program is already running on this thread");
    hook_panics();
    let x: *mut Execution = x;
    let with = || {
        // SAFETY: `x` comes from an exclusive borrow that lasts for this whole function. Coroutines that run in
        // between reach the same execution through `CURRENT`, which holds this very pointer; no reference made
        // here is alive while one of them runs.
        unsafe { &mut *x }
    };
    with().reset();
    with().phase = Phase::Running;
    // A stack that an earlier program left in the middle of a panic is never counted down.
    with().unwinding_asleep = u32::from(std::thread::panicking());
    with().pulse.set_busy(true);
    if let Some(journal) = with().journal {
        journal.begin_run();
    }
    CURRENT.set(x);
    // SAFETY: `main` outlives the run: teardown below ends every coroutine before we return.
    let started = unsafe { with().start(MAIN, None, main) };
    if started.is_ok() {
        with().begin_turns();
        while let Some(thread) = with().next_ready() {
            let coroutine = with().dispatch(thread);
            // SAFETY: the box of a thread's coroutine lives as long as the execution, and nobody else touches what is in
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
        with().unasked = 0;
        if with().unfinished > 0 {
            (0..with().live_threads).rev().for_each(|thread| end(x, thread));
        }
        if with().leaves_results || with().unfinished > 0 {
            (0..with().live_threads).for_each(|thread| drop_outcome(x, thread));
        }
        drop_statics(x);
    }
    with().pulse.set_busy(false);
    if let Some(journal) = with().journal {
        journal.end_run();
    }
    with().phase = Phase::Idle;
    with().running = NONE;
    CURRENT.set(ptr::null_mut());
    started.map(drop)
}

/// Ends a thread that has not finished. Later threads go first, so scoped children go before their owners.
fn end(x: *mut Execution, thread: usize) {
    // SAFETY: as in `execute`; the reference is not held while the coroutine runs.
    let with = || unsafe { &mut *x };
    let Some(coroutine) = with().threads[thread].coroutine.take_if(|it| !it.is_finished()) else { return };
    with().running = thread as u32;
    run_out(x, coroutine);
}

/// Drops what a thread returned and nobody asked for, and what it still has in its thread-locals. That may be user code, so it runs on a stack of its own.
fn drop_outcome(x: *mut Execution, thread: usize) {
    // SAFETY: as in `execute`; the reference is not held while the coroutine runs.
    let with = || unsafe { &mut *x };
    let thread_of_run = &with().threads[thread];
    if !thread_of_run.outcome.runs_user_code() && thread_of_run.locals.is_empty() {
        return;
    }
    let outcome = mem::replace(&mut with().threads[thread].outcome, Outcome::Pending);
    with().running = thread as u32;
    match with().stacks.take() {
        // SAFETY: every panic is caught, and an outcome borrows nothing that is gone before the scope of its thread is,
        // which has not been left.
        Ok(stack) => run_out(x, unsafe {
            Coroutine::new(stack, move || {
                drop_quietly(outcome);
                locals::drop_all(thread);
            })
        }),
        Err(_) => mem::forget(outcome),
    }
}

/// Drops what the statics of the program hold, and its panic hook, so that the next run begins anew.
fn drop_statics(x: *mut Execution) {
    // SAFETY: as in `execute`; the reference is not held while the coroutine runs.
    let with = || unsafe { &mut *x };
    if with().statics.is_empty() && with().hook.is_none() {
        return;
    }
    let statics = (mem::take(&mut with().statics), with().hook.take());
    with().running = 0;
    match with().stacks.take() {
        // SAFETY: every panic is caught, and neither statics nor hooks borrow anything.
        Ok(stack) => run_out(x, unsafe { Coroutine::new(stack, move || drop_quietly(statics)) }),
        Err(_) => mem::forget(statics),
    }
}

/// Runs a coroutine of a program that is over to its end; or gives it up where it meets an operation that has no truthful
/// answer any more, or where user code swallows the unwinding.
fn run_out(x: *mut Execution, mut coroutine: Coroutine) {
    let left = coroutine.resume();
    // SAFETY: as in `execute`; the coroutine is not running any more.
    let x = unsafe { &mut *x };
    let stack = if left == Left::Suspended {
        x.leaked += 1;
        coroutine.abandon()
    } else {
        coroutine.into_stack()
    };
    x.stacks.give(stack);
}

/// Drops a value; if that panics, the payload is forgotten.
fn drop_quietly<T>(value: T) {
    if let Err(payload) = catch(AssertUnwindSafe(|| drop(value))) {
        mem::forget(payload);
    }
}

impl Execution {
    /// Makes a thread that will run `body`.
    ///
    /// # Safety
    /// What `body` borrows must live until the thread has ended.
    unsafe fn start<T>(
        &mut self,
        process: u32,
        name: Option<Arc<str>>,
        body: impl FnOnce() -> T,
    ) -> io::Result<u32> {
        let id = self.live_threads;
        if id == self.threads.len() {
            self.threads.push(Thread::blank());
        }
        let stack = match self.threads[id].coroutine.take() {
            Some(finished) => finished.into_stack(),
            None => self.stacks.take()?,
        };
        self.live_threads += 1;
        self.unfinished += 1;
        let creator = self.running;
        let prev = if process == MAIN { NONE } else { self.threads[creator as usize].prev };
        let facts = self.processes.facts(process);
        let thread = &mut self.threads[id];
        thread.restart(process, facts, name, prev);
        // SAFETY: `run_body` catches every panic; the caller vouches for the borrows.
        *thread.coroutine = Some(unsafe { Coroutine::new(stack, move || run_body(id, body)) });
        self.ready.push_back(id as u32);
        Ok(id as u32)
    }

    /// The thread to run next; unless choices are random, a timeout fires only when there is no other.
    #[inline(always)]
    fn next_ready(&mut self) -> Option<u32> {
        if self.is_cut {
            return None;
        }
        if self.asks {
            return self.ask_who_is_next();
        }
        if self.ready.is_empty() && self.unfinished > 0 {
            self.let_time_out();
        }
        self.ready.pop_front()
    }

    /// As [`next_ready`](Self::next_ready), where that is not just whoever has waited longest.
    #[cold]
    #[inline(never)]
    fn ask_who_is_next(&mut self) -> Option<u32> {
        if self.is_random() {
            return self.any_ready();
        }
        if self.ready.is_empty() {
            self.let_time_out();
        }
        if self.turns.forcing.is_some() { self.likely_ready() } else { self.ready.pop_front() }
    }

    /// Any thread that could go on, be it that its time is up.
    #[cold]
    #[inline(never)]
    fn any_ready(&mut self) -> Option<u32> {
        let late = |&&thread: &&u32| self.threads[thread as usize].status == Status::Blocked;
        let late: Vec<u32> = self.patient.iter().filter(late).copied().collect();
        if self.ready.is_empty() && late.is_empty() {
            self.test_polls();
        }
        let choices = self.ready.len() + late.len();
        if choices > 1 && self.is_here_again() {
            return None;
        }
        let n = self.choose(choices);
        let Some(&thread) = n.checked_sub(self.ready.len()).and_then(|n| late.get(n)) else {
            return self.ready.remove(n);
        };
        self.threads[thread as usize].timed_out = true;
        self.threads[thread as usize].status = Status::Ready;
        Some(thread)
    }

    #[cold]
    #[inline(never)]
    fn let_time_out(&mut self) {
        for n in 0..self.patient.len() {
            let thread = self.patient[n];
            self.threads[thread as usize].timed_out = true;
            self.wake(thread);
        }
        self.patient.clear();
        if self.ready.is_empty() {
            self.test_polls();
        }
    }

    fn dispatch(&mut self, thread: u32) -> *mut Option<Coroutine> {
        self.running = thread;
        self.begin_turn();
        let t = &mut self.threads[thread as usize];
        t.waits_for = WaitFor::Nothing;
        &raw mut *t.coroutine
    }

    /// A thread has come to its end. The first threads keep their stacks for those that take their places in the next run;
    /// a program that starts many, one after the other, needs only a few.
    #[inline(always)]
    fn came_back(&mut self, thread: u32, left: Left) {
        if thread >= KEEPS_STACK {
            let coroutine = self.threads[thread as usize].coroutine.take();
            self.stacks.give(coroutine.expect("it has just run").into_stack());
        }
        if left == Left::Overflowed {
            self.overflowed = Some(thread);
            self.is_cut = true;
        }
    }

    /// Makes a blocked thread ready.
    #[inline]
    pub(crate) fn wake(&mut self, thread: u32) {
        let t = &mut self.threads[thread as usize];
        if t.status == Status::Blocked {
            t.status = Status::Ready;
            self.ready.push_back(thread);
        }
    }

    /// Notes what the running thread is about to wait for; [`wait`] must follow.
    #[inline]
    pub(crate) fn block(&mut self, on: WaitFor, place: Place) {
        let t = &mut self.threads[self.running as usize];
        t.status = Status::Blocked;
        t.waits_for = on;
        t.since = Some(place);
    }

    /// Whether a thread has made its last move.
    pub(crate) fn is_finished(&self, thread: u32) -> bool {
        self.threads[thread as usize].status == Status::Finished
    }

    /// What a renewed event that never happened would have come after, for each process that waits with one.
    pub(crate) fn note_unresolved(&mut self) {
        if !self.script.renews {
            return;
        }
        for t in 0..self.live_threads {
            let thread = &self.threads[t];
            let (chain, prev, also) = (thread.process, thread.prev, thread.also);
            self.note_if_unresolved(chain, prev, also);
        }
        for o in 0..self.live_objects {
            let Object { line, prev, host, .. } = self.objects[o];
            if host == o as u32 {
                self.note_if_unresolved(line, prev, NONE);
            }
        }
    }

    /// Whether a renewed event found no new partner although an old one was there.
    pub(crate) fn has_repeat(&mut self) -> bool {
        (0..self.done.unresolved.len()).any(|u| {
            let chain = self.done.unresolved[u].chain;
            match self.processes.kind(chain) {
                Kind::Thread => {
                    let thread = (0..self.live_threads).find(|&t| self.threads[t].process == chain);
                    thread.is_some_and(|t| self.could_repeat(t as u32))
                }
                _ => {
                    let is_host =
                        |&o: &usize| self.objects[o].line == chain && self.objects[o].host == o as u32;
                    let object = (0..self.live_objects).find(is_host);
                    object.is_some_and(|o| self.could_complete(o as u32))
                }
            }
        })
    }

    /// Whether a thread whose closure has come to its end has more to do than to say so.
    #[inline]
    fn has_more_to_do(&self, id: usize) -> bool {
        let thread = &self.threads[id];
        thread.leaves_something()
            || !thread.locals.is_empty()
            || thread.facts.watched
            || self.turns.forcing.is_some()
    }

    /// Wakes the threads that wait for the end of one.
    fn wake_joiners(&mut self, thread: u32) {
        for t in 0..self.live_threads as u32 {
            if self.threads[t as usize].waits_for == (WaitFor::Join { thread }) {
                self.wake(t);
            }
        }
    }

    fn note_if_unresolved(&mut self, chain: u32, prev: Ix, also: Ix) {
        if self.renews(chain) {
            let index = self.chain_len(chain);
            self.done.unresolved.push(Unresolved { chain, index, prev, also });
        }
    }
}

impl Drop for Execution {
    /// The stacks that threads have kept wait for the next worker, as all others do.
    fn drop(&mut self) {
        let finished =
            self.threads.iter_mut().filter_map(|thread| thread.coroutine.take_if(|it| it.is_finished()));
        finished.for_each(|coroutine| self.stacks.give(coroutine.into_stack()));
    }
}

/// What runs on a thread's stack.
fn run_body<T>(id: usize, body: impl FnOnce() -> T) {
    if current().is_none_or(|x| x.phase != Phase::Running) {
        // The program was over before the thread had started: only its captures are left to drop.
        return drop_quietly(body);
    }
    // Not by `catch`: it has not panicked before, so there is nothing to go back to.
    let result = panic::catch_unwind(AssertUnwindSafe(body));
    let x = current().expect("a program is running");
    if x.phase != Phase::Running {
        // It was unwound; or user code kept it from unwinding, and it came to some end that does not count.
        mem::forget(result);
        return;
    }
    if x.tests_polls {
        x.note_that_it_gave_up(id);
    }
    let thread = &mut x.threads[id];
    thread.unwinding = false;
    // Replaced, not assigned: so it is written where it stays, and not moved there after a look at what it replaces.
    match result {
        Ok(value) => drop(mem::replace(&mut thread.outcome, Outcome::Returned(Erased::new(value)))),
        Err(payload) => {
            drop(mem::replace(&mut thread.outcome, Outcome::Panicked(payload)));
            x.note_panic(id);
        }
    }
    if x.has_more_to_do(id) && !wind_up(id) {
        return;
    }
    let x = current().expect("a program is running");
    let thread = &mut x.threads[id];
    thread.over = true;
    thread.status = Status::Finished;
    x.unfinished -= 1;
    if x.joining > 0 {
        x.wake_joiners(id as u32);
    }
}

/// What a thread does after its closure: drops what nobody will ask for and what it has in its thread-locals, takes its
/// last turns, and says that it has finished. False if the program is over before that.
#[cold]
#[inline(never)]
fn wind_up(id: usize) -> bool {
    let x = current().expect("a program is running");
    // Dropping what nobody will ask for may be a step of the program, so it happens on this thread.
    if x.threads[id].leaves_something() {
        x.leaves_results = true;
        if give_up_result(id as u32) && catch(|| drop_result(id as u32)).is_err() {
            current().expect("a program is running").note_panic(id);
        }
    }
    let thread = &mut current().expect("a program is running").threads[id];
    thread.over = true;
    let panicked = !thread.locals.is_empty() && locals::drop_all(id);
    if !catch_up_at_the_end() {
        return false;
    }
    let x = current().expect("a program is running");
    if panicked {
        x.note_panic(id);
    }
    if !x.threads[id].facts.watched {
        return true;
    }
    let end = x.end_of(id as u32);
    let drop = x.record_thread(Op::DropSender, end, NOWHERE);
    x.objects[end as usize].drops.push(drop);
    x.disconnect(end, NOWHERE);
    catch_up_at_the_end()
}

/// What a thread has done last has its turn, if the program is forced; whether the program still runs then.
fn catch_up_at_the_end() -> bool {
    if current().expect("a program is running").turns.forcing.is_some() {
        // If its turn never comes, it is unwound from there, and has nothing left to unwind but this.
        let _ = catch(forcing::catch_up);
    }
    current().expect("a program is running").phase == Phase::Running
}

// ---- operations of the running thread ---------------------------------------------------------------------------

/// Starts an operation: counts a step, and lets another thread go first if choices are random.
#[inline(always)]
#[track_caller]
pub(crate) fn begin(stamp: u64) -> &'static mut Execution {
    begin_in(of(stamp))
}

/// As [`begin`], where the execution is at hand.
#[inline(always)]
#[track_caller]
pub(crate) fn begin_in(x: &'static mut Execution) -> &'static mut Execution {
    x.steps += 1;
    if x.steps <= x.unasked {
        return x;
    }
    let stamp = x.stamp;
    look_round();
    of(stamp)
}

/// Before an operation that may be one too many, or not this thread's turn.
#[cold]
#[inline(never)]
fn look_round() {
    let x = current().expect("a program is running");
    x.refuse_in_hook();
    if x.tests_polls {
        polling::give_up();
    }
    if !x.may_go_on() {
        cannot_go_on();
    }
    if x.turns.forcing.is_some() {
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
    if let Some(x) = current() {
        if x.tests_polls && x.phase == Phase::Running && x.learned.is_empty() {
            x.note_that_they_poll_on();
        }
        x.bound_hit |= x.phase == Phase::Running && x.divergence.is_none() && x.learned.is_empty();
        x.is_cut |= x.bound_hit;
    }
    suspend_for_good()
}

/// Lets every other ready thread run first.
pub(crate) fn give_way() {
    let x = current().expect("a program is running");
    x.ready.push_back(x.running);
    wait();
}

/// After an operation that found nothing: whoever could have brought something goes first, so that a thread which polls
/// does not keep all others from running.
pub(crate) fn came_back_empty() {
    if current().is_some_and(|x| !x.ready.is_empty()) {
        give_way();
    }
}

/// The execution that runs on this OS thread, where there is one.
pub(super) fn current_execution() -> &'static mut Execution {
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
    let x = current().expect("a program is running");
    if unwinding {
        x.unwinding_asleep -= 1;
    }
    // Inside a destructor that runs because of a panic, a second panic would abort the process; the stack is given up.
    if x.phase == Phase::Teardown && !unwinding {
        resume(Box::new(Teardown));
    }
}

/// As [`wait`], but a timeout may end it.
pub(crate) fn wait_patiently() -> bool {
    let x = current().expect("a program is running");
    let me = x.running;
    x.threads[me as usize].timed_out = false;
    x.patient.push(me);
    wait();
    let x = current().expect("a program is running");
    x.patient.retain(|&t| t != me);
    x.threads[me as usize].timed_out
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

/// Starts a thread.
///
/// # Safety
/// What `body` borrows must live until the thread has ended.
pub(crate) unsafe fn spawn<T>(
    stamp: u64,
    name: Option<Arc<str>>,
    body: impl FnOnce() -> T,
) -> io::Result<u32> {
    let x = begin(stamp);
    let process = x.new_process(Kind::Thread);
    let creator = x.running;
    // SAFETY: the caller vouches for `body`.
    let thread = unsafe { x.start(process, name, body)? };
    x.threads[thread as usize].called = x.threads[creator as usize].naming;
    x.hand_down_time(creator, process);
    Ok(thread)
}

/// Waits for the end of a thread; does not ask how it ended.
#[track_caller]
pub(crate) fn join(stamp: u64, thread: u32, place: Place) {
    let mut x = begin(stamp);
    while !x.is_finished(thread) {
        x.block(WaitFor::Join { thread }, place);
        x.joining += 1;
        wait();
        x = of(stamp);
        x.joining -= 1;
    }
    let last = x.threads[thread as usize].prev;
    let me = x.running as usize;
    x.threads[me].also = last;
    x.threads[thread as usize].joined = true;
    x.hear_of(thread, x.running);
    x.record_thread(Op::Join, NONE, place);
}

/// What a thread parks on.
#[track_caller]
pub(crate) fn parker(stamp: u64, thread: u32) -> u32 {
    let x = of(stamp);
    if x.threads[thread as usize].parker == NONE {
        let parent = x.threads[thread as usize].process;
        let process = x.child_process(parent, Kind::Parker, 1);
        let parker = x.new_object(process, Kind::Parker);
        // Whoever needs it first makes it, which is no part of the sequence.
        x.objects[parker as usize].prev = NONE;
        x.threads[thread as usize].parker = parker;
    }
    x.threads[thread as usize].parker
}

/// Asks whether a thread has come to its end.
#[track_caller]
pub(crate) fn is_finished(stamp: u64, thread: u32, place: Place) -> bool {
    let x = of(stamp);
    let Thread { process, facts, .. } = x.threads[thread as usize];
    if !facts.watched {
        x.learn(Fact::Watched(x.processes.path(process)));
        suspend_for_good();
    }
    let end = x.end_of(thread);
    ports::receive_as(stamp, &[end], Patience::None, Flags::default(), place) == Received::Closed
}

impl Execution {
    /// The port on which the end of a thread is a disconnect.
    fn end_of(&mut self, thread: u32) -> u32 {
        if self.threads[thread as usize].end == NONE {
            let parent = self.threads[thread as usize].process;
            let process = self.child_process(parent, Kind::End, 1);
            self.threads[thread as usize].end = self.new_port(process, Kind::End);
        }
        self.threads[thread as usize].end
    }
}
