//! Forcing: a program is made to follow a sequence, or is shown to be unable to.
//!
//! The events that the sequence names take turns on a timeline of their own, whose `k`-th place is open only to what
//! fits the `k`-th step; all other events are free. So the program with its turns is a program like any other: the
//! exploration goes through everything that is left to choose, and the sequence is feasible if some execution takes all
//! turns.
//!
//! A thread takes its turn *after* the event, and before it does or waits for anything else: an execution of the program
//! that does the events in this order can always do so. Nearly all calls are known before they are made, and making them
//! later changes only which threads wait where. For such a call the thread takes its turn *before* the call and keeps the
//! turn until the call is completed, so that no other call gets in between and would have to be undone. Either way, an
//! execution counts only if real objects could have done its events in the order of the steps
//! ([`Engine::steps_in_order`]).

mod guess;
mod stable_names;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use insyn_sequences::ObservedEvent;

use crate::access::{with, with_current};
use crate::calls;
use crate::calls::Waits;
use crate::forcing::stable_names::Uncounted;
use crate::ids::{EventId, ExecutionId, Id as _, ObjectId, ThreadId};
use crate::objects::{Answer, Call, State, turns};
use crate::record::event::{Event, Flags, Kind, Op, Span};
use crate::refinement;
use crate::schedule::Hooks;
use crate::schedule::steps::begin;
use crate::threads::progress::{Progress, Want};
use crate::{Engine, NOWHERE, Place};

/// What a program is made to do.
pub struct Forcing {
    /// Whether any step can name an event with this operation: other events are skipped without a check.
    pub names: Box<Names>,
    /// See [`Forcing::is_stable`].
    pub stable: OnceLock<bool>,
    /// The steps that an event can be, from 0; none if it is not named.
    pub steps: Box<Steps>,
    pub len: u32,
    /// No further event that a step could name may happen after the last step.
    pub whole: bool,
    /// Describes an event in the terms of the steps.
    pub describe: Box<Describe>,
    /// By thread id: for each turn that the thread wanted in earlier runs, in order, the steps that fit.
    pub wanted: Mutex<BTreeMap<String, Vec<Vec<u32>>>>,
}

impl Forcing {
    /// Forgets what threads did in earlier runs.
    pub fn forget(&self) {
        self.wanted().clear();
    }

    /// Whether no fact about the program could change the name of any event that the sequence can name.
    pub fn is_stable(&self) -> bool {
        *self.stable.get_or_init(|| Op::ALL.iter().all(|&op| refinement::is_stable(op) || !(self.names)(op)))
    }

    pub fn wanted(&self) -> MutexGuard<'_, BTreeMap<String, Vec<Vec<u32>>>> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

type Names = dyn Fn(Op) -> bool + Send + Sync;
type Steps = dyn Fn(&ObservedEvent<'_>) -> Option<Vec<u32>> + Send + Sync;
type Describe = dyn Fn(&ObservedEvent<'_>) -> String + Send + Sync;

impl std::fmt::Debug for Forcing {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Forcing").field("len", &self.len).field("whole", &self.whole).finish_non_exhaustive()
    }
}

/// How much of the forced sequence a run has done.
#[derive(Debug, Default)]
pub struct Turns {
    pub forcing: Option<Arc<Forcing>>,
    /// The object whose completions are the turns.
    pub object: Option<ObjectId>,
    /// The events that have had their turns, by step.
    taken: Vec<Option<EventId>>,
    /// The event that did the last step of a prefix: all events after it are free.
    over: Option<EventId>,
    /// The thread that was chosen last to go on, and how often in a row.
    pub chosen: Option<(ThreadId, u32)>,
    /// A named event that no thread performs, so that nothing can delay it until its turn.
    pub unforceable: Option<String>,
    /// Counted pointers that are no objects yet.
    pub(crate) uncounted: Vec<Uncounted>,
    /// No fact that is still unknown could change whether the run follows the sequence.
    pub is_stable: bool,
}

impl Turns {
    /// The object whose completions are the turns of a program that is being forced.
    pub fn on(&self) -> ObjectId {
        self.object.expect("the program is being forced")
    }

    /// How many steps have been done.
    pub fn done(&self) -> u32 {
        self.taken.iter().take_while(|event| event.is_some()).count() as u32
    }
}

impl Engine {
    /// A run begins.
    pub(crate) fn begin_turns(&mut self) {
        let Some(forcing) = self.turns.forcing.clone() else { return };
        self.run.has_turns = true;
        self.schedule.hooks = Some(Hooks { claim, catch_up });
        // Made before any thread runs, as if by the first thread.
        self.schedule.running = ThreadId::FIRST;
        let process = self.child_process(crate::process::MAIN, Kind::Turns, 1);
        let object = self.new_object(process, Kind::Turns, State::Turns(turns::State::new(forcing.len)));
        self.objects[object].prev = None;
        self.turns.object = Some(object);
        self.turns.over = None;
        self.turns.taken.clear();
        self.turns.taken.resize(forcing.len as usize, None);
        self.turns.unforceable = None;
        self.turns.uncounted.clear();
        self.turns.chosen = None;
    }

    /// All steps have been done. If they are only a prefix of the run, all later events are free.
    pub(crate) fn end_beginning(&mut self, object: ObjectId, done: EventId) {
        if self.is_beginning() {
            self.set_free(object, done);
        }
    }

    /// Whether the steps are only a prefix of the run.
    fn is_beginning(&self) -> bool {
        self.turns.forcing.as_ref().is_some_and(|forcing| !forcing.whole)
    }

    /// The step that comes next, or whose turn it is.
    pub(crate) fn next_step(&self) -> u32 {
        match &self.objects[self.turns.on()].state {
            State::Turns(turns) => turns.next,
            state => unreachable!("turns are taken on an object of their own, not {state:?}"),
        }
    }

    /// A prefix has been done: no thread waits for a turn any more. The threads that did wait go on after this event, and
    /// after no other free event. Each could have taken a turn before it.
    fn set_free(&mut self, object: ObjectId, done: EventId) {
        self.turns.over = Some(done);
        for call in self.withdraw_turns(object, done) {
            let Some(thread) = call.thread else { continue };
            self.threads[thread].calling = false;
            self.threads[thread].answer = Some(Answer::No);
            self.wake(thread);
        }
    }

    /// The calls for a turn that are withdrawn because of an event.
    fn withdraw_turns(&mut self, object: ObjectId, by: EventId) -> Vec<Call> {
        let pending = &mut self.objects[object].pending;
        let withdrawn: Vec<Call> = pending.extract_if(.., |call| call.op == Op::Turn).collect();
        for call in &withdrawn {
            self.run.events[call.event].taken_by = Some(by);
        }
        withdrawn
    }

    /// The next event of a thread that may be named, after the first `seen` events of the run.
    fn next_observed(&self, thread: ThreadId, seen: usize) -> Option<EventId> {
        let mut rest = self.run.events.pairs_after(seen);
        rest.find(|(_, event)| self.taker(event) == Some(thread) && self.happens(event)).map(|(id, _)| id)
    }

    /// The thread that takes the turn of an event.
    fn taker(&self, event: &Event) -> Option<ThreadId> {
        self.first_arrival(event).map_or(event.thread, |call| self.run.at(call).thread)
    }

    /// The steps that an event can be; none if it is not named.
    fn steps_of(&self, i: EventId) -> Option<Vec<u32>> {
        let forcing = self.turns.forcing.as_ref()?;
        if !(forcing.names)(self.run.at(i).op) {
            return None;
        }
        self.with_event(i, |event| (forcing.steps)(event))
    }

    /// The run is over: searches for named events that no thread performed, and for events whose names could still change.
    pub(crate) fn end_turns(&mut self) {
        let Some(forcing) = self.turns.forcing.clone() else { return };
        self.turns.is_stable = self.is_stable(&forcing);
        let of_nobody = self.run.events.ids().find(|&i| {
            let event = self.run.at(i);
            event.thread.is_none() && self.happens(event) && self.steps_of(i).is_some()
        });
        if let Some(i) = of_nobody {
            let event = self.run.at(i);
            let object = self.processes.id(self.run.objects[event.on()].process);
            self.turns.unforceable = Some(format!("{} on {object}", event.op.word()));
        }
    }

    /// What a thread that waits for its turn wants to do.
    pub fn wants_turn_for(&self, thread: ThreadId) -> Option<Want> {
        let Progress { taking, wants, .. } = self.threads[thread].progress;
        wants.filter(|_| taking)
    }

    /// Describes what a thread wants to do in the terms of the steps.
    pub fn describe(&self, thread: ThreadId, want: Want) -> String {
        let Some(forcing) = &self.turns.forcing else { return String::new() };
        let describe = |event: &ObservedEvent<'_>| (forcing.describe)(event);
        match want {
            Want::Event(event) => self.with_event(event, describe),
            Want::Call(op, object) => self.with_call(thread, op, object, describe),
        }
    }

    /// If the first `n` steps were done: the pairs of events that must be ordered so that these steps come first, in this
    /// order. None if `all` is set and some further event is named.
    pub fn steps_in_order(&self, n: u32, all: bool) -> Option<Vec<(EventId, EventId)>> {
        let taken = self.turns.taken.get(..n as usize).filter(|_| n <= self.turns.done())?;
        let taken: Vec<EventId> = taken.iter().copied().flatten().collect();
        let mut order: Vec<(EventId, EventId)> = taken.windows(2).map(|pair| (pair[0], pair[1])).collect();
        // Other named events come after the last step, if they are allowed at all.
        let others = self.run.events.ids().filter(|i| !taken.contains(i));
        for other in others.filter(|&i| self.happens(self.run.at(i)) && self.steps_of(i).is_some()) {
            if all {
                return None;
            }
            order.extend(taken.last().map(|&last| (last, other)));
        }
        Some(order)
    }
}

/// Called before a call: takes the turn for the call, if the call is named and certain to happen.
#[cold]
#[inline(never)]
pub(crate) fn claim(execution: ExecutionId, object: ObjectId, op: Op, place: Place) {
    let Some(steps) = with(execution, |engine| engine.want_call(object, op)) else { return };
    let claimed = take_turn(execution, &steps, place);
    with(execution, |engine| engine.threads[engine.schedule.running].progress.claimed = claimed);
}

/// Called before a thread goes on or ends: the named events that it has done take their turns.
#[cold]
#[inline(never)]
pub(crate) fn catch_up() {
    while let Some(Some(Due { execution, event, claimed, steps })) = with_current(Engine::next_due) {
        let step = claimed.or_else(|| take_turn(execution, &steps, NOWHERE));
        with(execution, |engine| {
            engine.threads[engine.schedule.running].progress.claimed = None;
            if let Some(step) = step {
                engine.turns.taken[step as usize] = Some(event);
            }
        });
        if step.is_some() {
            give_turn_back(execution);
        }
    }
}

/// An event that the running thread has done and that is due to have its turn.
struct Due {
    execution: ExecutionId,
    event: EventId,
    /// The step whose turn the thread already has.
    claimed: Option<u32>,
    /// The steps that the event can be.
    steps: Vec<u32>,
}

impl Engine {
    /// The running thread is about to make a call: the steps that the call can be, if it is named and certain to happen.
    fn want_call(&mut self, object: ObjectId, op: Op) -> Option<Vec<u32>> {
        let me = self.schedule.running;
        let Progress { taking, is_free, .. } = self.threads[me].progress;
        if taking || is_free || !self.objects[object].state.is_sure(op) {
            return None;
        }
        let forcing = self.turns.forcing.clone().filter(|it| (it.names)(op))?;
        let mut steps = self.with_call(me, op, object, |event| (forcing.steps)(event))?;
        self.note_wanted(me, &steps);
        self.threads[me].progress.counted = true;
        if forcing.whole {
            // After the last step the call may be made too: if it can be completed, it is one event too many.
            steps.push(forcing.len);
        }
        self.threads[me].progress.wants = Some(Want::Call(op, object));
        Some(steps)
    }

    /// The next event of the running thread that is due to have its turn.
    fn next_due(&mut self) -> Option<Due> {
        let me = self.schedule.running;
        let Progress { claimed, taking, is_free, .. } = self.threads[me].progress;
        if !self.may_go_on() || taking || is_free {
            return None;
        }
        loop {
            let seen = self.threads[me].progress.seen;
            let Some(event) = self.next_observed(me, seen) else {
                self.threads[me].progress.seen = self.run.events.len();
                return None;
            };
            self.threads[me].progress.seen = event.place();
            let Some(steps) = self.steps_of(event) else { continue };
            if !std::mem::take(&mut self.threads[me].progress.counted) {
                self.note_wanted(me, &steps);
            }
            self.threads[me].progress.wants = Some(Want::Event(event));
            return Some(Due { execution: self.id(), event, claimed, steps });
        }
    }
}

/// Waits for the turn of one of the steps. Returns that step, or none if all have been done and anything may happen.
fn take_turn(execution: ExecutionId, steps: &[u32], place: Place) -> Option<u32> {
    let list = with(execution, |engine| {
        let is_free = engine.is_beginning() && engine.turns.taken.is_empty();
        engine.threads[engine.schedule.running].progress.is_free |= is_free;
        (!is_free).then(|| engine.run.push_steps(steps))
    })?;
    let answer = call(execution, Op::Turn, list, place);
    with(execution, |engine| {
        if answer == Answer::Yes {
            return Some(engine.next_step());
        }
        engine.threads[engine.schedule.running].progress.is_free = engine.is_beginning();
        None
    })
}

fn give_turn_back(execution: ExecutionId) {
    call(execution, Op::Done, Span::default(), NOWHERE);
}

fn call(execution: ExecutionId, op: Op, list: Span, place: Place) -> Answer {
    // The events in the thread's past come before its turn, and before what it does next.
    let (me, turns, also) = with(execution, |engine| {
        let me = engine.schedule.running;
        engine.threads[me].progress.taking = true;
        (me, engine.turns.on(), engine.threads[me].also)
    });
    let is_over = begin(execution, |engine| {
        let event = engine.offer(turns, op, Flags::default(), NOWHERE);
        engine.run.events[event].list = list;
        engine.sleep_through(event);
        if let Some(over) = engine.turns.over {
            engine.withdraw_turns(turns, over);
        }
        engine.turns.over.is_some()
    });
    let answer = match is_over {
        true => Answer::No,
        false => calls::await_completion(execution, turns, op, Waits::ForGood, place),
    };
    with(execution, |engine| {
        if engine.turns.over.is_some() && answer == Answer::No {
            engine.threads[me].also = engine.turns.over;
            engine.record_thread(Op::Done, turns, NOWHERE);
        }
        engine.threads[me].progress.taking = false;
        engine.threads[me].also = also;
    });
    answer
}
