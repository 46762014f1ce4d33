//! Objects with an order of their own: locks, semaphores, condition variables, bounded channels, monitors, variables.
//!
//! A thread *calls* an object (an event on the thread) and goes on when the call is *completed* (an event on the
//! object, which picks the call). Which calls could be completed is the business of [`super::openness`]; what a completion
//! does, that of [`super::effects`].
//!
//! Objects that meet in a select share one timeline: the first of them in the run is the *host*, which keeps the calls and
//! the completions of all.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::event::{Event, Flags, Ix, Kind, NONE, Op, Pick, Span};
use super::forcing;
use super::openness::{Call, Choices, States, When};
use super::polling;
use super::ports::Delivery;
use super::stepping::{self, begin, wait, wait_patiently};
use super::threads::{Thread, WaitFor};
use super::{Execution, Place, Plan, alive, of};

/// The state of an object in the running program. One type for all kinds, so that the memory of one run serves the
/// next; each kind uses the fields it needs.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) process: u32,
    pub(crate) kind: Kind,
    /// What the program calls it, if that is known.
    pub(crate) names: Option<&'static [&'static str]>,
    /// Receives on it happen on threads; it has no timeline.
    pub(crate) is_port: bool,
    /// The object that keeps its timeline: itself, unless it is joined with others.
    pub(crate) host: u32,
    /// Host: the process of the timeline, and the objects on it if there can be several.
    pub(crate) line: u32,
    pub(crate) members: Vec<u32>,
    /// What its next completion comes after.
    pub(crate) prev: Ix,
    /// See [`super::openness`].
    pub(crate) state: u64,
    pub(crate) initial: u64,
    pub(crate) capacity: u64,
    /// All delivered sends, or all calls, of the run, in order.
    pub(crate) sending: Vec<Ix>,
    /// Calls that wait to be completed, in the order they came.
    pub(crate) pending: Vec<Call>,
    /// Channel: the put calls whose messages are inside.
    pub(crate) inside: VecDeque<Ix>,
    /// Condition variable: the completed waits of those who wait, longest first.
    pub(crate) waiters: Vec<Ix>,
    /// Monitor: signallers that wait to go on, latest last.
    pub(crate) urgent: Vec<u32>,
    /// Monitor: per condition, who waits, longest first.
    pub(crate) conditions: Vec<VecDeque<u32>>,
    /// Port: what has been sent and not received, in no particular order. Timer on a timeline: all fires.
    pub(crate) unreceived: Vec<Ix>,
    pub(crate) delivery: Delivery,
    /// Port: the thread that waits to receive, the last receive, and whether several threads may try.
    pub(crate) receiver: u32,
    pub(crate) last_receive: Ix,
    pub(crate) many_receivers: bool,
    /// Port: nothing that a program does with it takes an order of its own.
    pub(crate) stays_port: bool,
    /// Channel: what a send meets when no receiver is left.
    pub(crate) receiver_drop: Ix,
    /// Channel: handles for receiving that are left, and the drops of the others.
    pub(crate) receivers: u32,
    pub(crate) receiver_drops: Vec<Ix>,
    /// Channel: handles for sending that are left, the drops of the others, and the disconnect.
    pub(crate) handles: u32,
    pub(crate) drops: Vec<Ix>,
    pub(crate) closed: Ix,
    /// Variable, once: the completions that wrote it, and what.
    pub(crate) versions: Vec<(Ix, u64)>,
    /// Barrier: somebody asks who the leader is.
    pub(crate) has_leader: bool,
}

/// What a completion tells the caller.
pub(crate) mod answer {
    /// Nothing to tell, or: it failed.
    pub(crate) const NO: u64 = 0;
    /// It succeeded.
    pub(crate) const YES: u64 = 1;
    /// The channel is disconnected.
    pub(crate) const DISCONNECTED: u64 = 2;
    /// The channel is empty, or full.
    pub(crate) const EMPTY: u64 = 3;
    /// Patience is at an end.
    pub(crate) const TIMED_OUT: u64 = 4;
    /// A panic has left it in doubt.
    pub(crate) const POISONED: u64 = 5;
    /// Added to the put whose message was taken.
    pub(crate) const MESSAGE: u64 = 1 << 32;
}

/// Calls an object and waits for the completion; tells what it decided.
#[track_caller]
pub(crate) fn call(stamp: u64, object: u32, op: Op, place: Place) -> u64 {
    call_with(stamp, object, op, 0, place)
}

/// As [`call`], with something for the completion to know.
#[track_caller]
pub(crate) fn call_with(stamp: u64, object: u32, op: Op, argument: u64, place: Place) -> u64 {
    call_as(stamp, object, op, argument, place, |_| {}).1
}

/// As [`call_with`]; `before` gets the name of the call before it can be completed.
#[inline]
#[track_caller]
pub(crate) fn call_as(
    stamp: u64,
    object: u32,
    op: Op,
    argument: u64,
    place: Place,
    before: impl FnOnce(Ix),
) -> (Ix, u64) {
    let polls_again = is_hasty(op) && of(stamp).polls_again(object, place);
    if polls_again && polling::is_tested(of(stamp)) {
        polling::look_in_vain();
        let (event, answer) = of(stamp).call_in_vain(object, op, place);
        before(event);
        return (event, answer);
    }
    let mut x = begin(stamp);
    if x.turns.forcing.is_some() {
        forcing::claim(stamp, object, op, place);
        x = of(stamp);
    }
    let wakes_early = op == Op::Park && x.may_wake_early();
    // Of a timer one does not know when it fires.
    let is_timed = is_timed(op) || wakes_early || x.objects[object as usize].kind == Kind::Timer;
    let flags = if wakes_early { Flags::MAY_FAIL } else { Flags::default() };
    let event = match polls_again {
        true => x.poll_again(object, op, place),
        false => x.offer(object, op, flags, place),
    };
    before(event);
    x.threads[x.running as usize].argument = argument;
    let manner = if polls_again {
        Waits::ForChange
    } else if is_timed {
        Waits::WithTimeout
    } else {
        Waits::ForGood
    };
    let answer = await_completion(stamp, object, op, manner, place);
    if wakes_early && answer == answer::NO {
        let x = of(stamp);
        x.threads[x.running as usize].woke_early += 1;
    }
    if is_hasty(op) && of(stamp).found_nothing(op, answer) {
        let x = of(stamp);
        x.note_poll(object, place);
        let me = x.running as usize;
        x.threads[me].poll.answer = answer;
        if let Some(done) = x.run().events.get(x.run().at(event).taken_by() as usize) {
            // What it has found: that may have changed again before the thread goes on.
            x.threads[me].poll.state = done.state;
        }
        stepping::came_back_empty();
    }
    (event, answer)
}

/// Calls that give up at some time.
fn is_timed(op: Op) -> bool {
    matches!(op, Op::TakeTimeout | Op::PutTimeout | Op::ParkTimeout)
}

/// Calls that do not wait.
fn is_hasty(op: Op) -> bool {
    matches!(
        op,
        Op::TryLock
            | Op::TryAcquire
            | Op::TryTake
            | Op::TryPut
            | Op::TryRead
            | Op::TryWrite
            | Op::TryUnwrap
            | Op::Upgrade
            | Op::Update
    )
}

/// How a thread waits for the completion of its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waits {
    ForGood,
    /// It gives up at some time.
    WithTimeout,
    /// It polls, and nothing has changed yet.
    ForChange,
}

/// Waits for the completion of what the running thread has just offered.
pub(crate) fn await_completion(stamp: u64, object: u32, op: Op, how: Waits, place: Place) -> u64 {
    let (timed, polls_again) = (how == Waits::WithTimeout, how == Waits::ForChange);
    let mut x = of(stamp);
    let me = x.running;
    x.threads[me as usize].calling = true;
    x.advance(object);
    while x.threads[me as usize].calling {
        x.block(WaitFor::Completion { object, op }, place);
        x.threads[me as usize].poll.is_waiting = polls_again;
        let lost_patience = wait_unless_late(!timed || x.threads[me as usize].impatient);
        x = of(stamp);
        x.threads[me as usize].poll.is_waiting = false;
        if polls_again && x.threads[me as usize].calling && polling::is_tested(x) {
            return x.withdraw_poll(object);
        }
        if lost_patience && x.threads[me as usize].calling {
            x.threads[me as usize].impatient = true;
            x.advance(object);
        }
    }
    x.threads[me as usize].impatient = false;
    std::mem::take(&mut x.threads[me as usize].answer)
}

/// Waits; tells whether that ended because nothing else could move, which it does not if `for_good`.
fn wait_unless_late(for_good: bool) -> bool {
    if for_good {
        wait();
        return false;
    }
    wait_patiently()
}

/// As [`call`], from a destructor: does nothing once the program is over.
pub(crate) fn call_in_drop(stamp: u64, object: u32, op: Op, place: Place) {
    if alive(stamp).is_some() {
        call(stamp, object, op, place);
    }
}

/// Waits, after a completed wait on a condition variable, to be notified.
pub(crate) fn await_notification(stamp: u64, object: u32, place: Place) {
    if of(stamp).may_wake_early() {
        if await_notification_or_timeout(stamp, object, place) {
            let x = of(stamp);
            x.threads[x.running as usize].woke_early += 1;
        }
        return;
    }
    forcing::catch_up_before_waiting(stamp);
    let mut x = of(stamp);
    let me = x.running as usize;
    while x.threads[me].woken_by == NONE {
        x.block(WaitFor::Notification { object }, place);
        wait();
        x = of(stamp);
    }
    x.threads[me].also = std::mem::replace(&mut x.threads[me].woken_by, NONE);
}

/// As [`await_notification`], but gives up at some time; tells whether it did. Giving up is a call that takes the thread off
/// the list of waiters; a notification withdraws it.
pub(crate) fn await_notification_or_timeout(stamp: u64, object: u32, place: Place) -> bool {
    let mut x = begin(stamp);
    let me = x.running as usize;
    let Thread { wait: wait_event, woken_by, .. } = x.threads[me];
    let list = x.done.push_list(&[wait_event]);
    x.threads[me].calling = true;
    if woken_by == NONE {
        let event = x.offer(object, Op::Expire, Flags::default(), place);
        x.done.events[event as usize].list = list;
        x.advance(object);
    } else {
        // Notified before it could give up; but it might have given up first.
        let event = x.record_pick(Op::Expire, object, Pick::No, &[], list, Flags::default(), place);
        x.objects[object as usize].sending.push(event);
        x.done.events[event as usize].state = u64::from(woken_by);
    }
    while x.threads[me].calling && x.threads[me].woken_by == NONE {
        x.block(WaitFor::Notification { object }, place);
        let lost_patience = wait_unless_late(x.threads[me].impatient);
        x = of(stamp);
        if lost_patience && x.threads[me].calling && x.threads[me].woken_by == NONE {
            x.threads[me].impatient = true;
            x.advance(object);
        }
    }
    let thread = &mut x.threads[me];
    thread.impatient = false;
    thread.answer = 0;
    let expired = !thread.calling;
    thread.calling = false;
    if !expired {
        thread.also = std::mem::replace(&mut thread.woken_by, NONE);
    }
    expired
}

/// Makes an object; `capacity` and `state` as its kind understands them.
pub(crate) fn new_object(stamp: u64, kind: Kind, capacity: u64, state: u64) -> u32 {
    let x = of(stamp);
    let process = x.new_process(kind);
    let o = x.new_object(process, kind);
    let object = &mut x.objects[o as usize];
    object.capacity = capacity;
    object.state = state;
    object.initial = state;
    object.handles = 1;
    object.receivers = 1;
    object.has_leader = x.processes.facts(process).leader;
    o
}

/// Somebody wants to know who the leader of a barrier was.
#[track_caller]
pub(crate) fn ask_leader(stamp: u64, object: u32) {
    let x = of(stamp);
    let process = x.objects[object as usize].process;
    if !x.processes.facts(process).leader {
        x.learn(super::topology::Fact::Leader(x.processes.path(process)));
        stepping::suspend_for_good();
    }
}

/// How often a thread wakes for no reason in one execution, where threads do.
const EARLY_WAKINGS: u32 = 2;

/// A completion may take any number of events; most take one.
pub(crate) type Mates = Vec<Ix>;

/// What a completion does with the calls it takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Completes the first; whatever else it takes is no call, or goes on waiting.
    Single,
    /// Completes a put and a take that meet.
    Pair,
    /// Completes none.
    Block,
    /// Completes all.
    Together,
}

impl Execution {
    pub(crate) fn new_object(&mut self, process: u32, kind: Kind) -> u32 {
        let prev = self.threads[self.running as usize].prev;
        let o = self.live_objects;
        if o == self.objects.len() {
            self.objects.push(Object::blank());
        }
        self.live_objects += 1;
        self.same_objects &= self.script.past.objects.get(o) == Some(&process);
        self.done.objects.push(process);
        self.objects[o].reset(process, kind, o as u32, prev);
        self.objects[o].names = self.threads[self.running as usize].naming;
        let line = self.processes.line(process);
        if line != NONE {
            self.join_line(o, line);
        }
        o as u32
    }

    /// Puts a new object on the timeline that it shares with others.
    #[cold]
    #[inline(never)]
    fn join_line(&mut self, o: usize, line: u32) {
        let host = (0..o).find(|&h| self.objects[h].line == line && self.objects[h].host == h as u32);
        let host = host.unwrap_or(o);
        self.objects[o].host = host as u32;
        self.objects[host].members.push(o as u32);
        self.objects[host].line = line;
        // Which of them is made first is no part of the sequence.
        self.objects[host].prev = if host == o { NONE } else { self.objects[host].prev };
    }

    /// Records a call of the running thread and lets it wait to be completed.
    #[inline]
    pub(crate) fn offer(&mut self, object: u32, op: Op, flags: Flags, place: Place) -> Ix {
        let event = self.record_pick(op, object, Pick::No, &[], Span::default(), flags, place);
        let thread = self.running;
        let host = self.objects[object as usize].host as usize;
        self.objects[host].sending.push(event);
        self.objects[host].pending.push(Call { event, thread, object, op, flags });
        event
    }

    /// Whether a call of the running thread that does not wait has changed nothing: who makes it again and again waits for
    /// something.
    #[inline]
    fn found_nothing(&self, op: Op, answer: u64) -> bool {
        match op {
            // A lock that spins writes what is there already.
            Op::Update => self.has_left_as_it_was(),
            _ => matches!(answer, answer::NO | answer::EMPTY),
        }
    }

    /// Whether the running thread may yet wake for no reason. A loop around a wait would otherwise have no end.
    fn may_wake_early(&self) -> bool {
        self.settings.liberties.spurious_wakeups
            && self.threads[self.running as usize].woke_early < EARLY_WAKINGS
    }

    /// As [`offer`](Self::offer), for a call that has failed and waits until the state has changed.
    #[cold]
    #[inline(never)]
    fn poll_again(&mut self, object: u32, op: Op, place: Place) -> Ix {
        let state = self.threads[self.running as usize].poll.state;
        let list = self.done.push_list(&[state as u32, (state >> 32) as u32]);
        let event = self.offer(object, op, Flags::FRESH, place);
        self.done.events[event as usize].list = list;
        event
    }

    /// Completes calls for as long as any can be.
    pub(crate) fn advance(&mut self, object: u32) {
        let host = self.objects[object as usize].host;
        let mut mates = std::mem::take(&mut self.mates);
        while self.next_completion(host, &mut mates) {
            self.complete(host, &mates);
        }
        self.mates = mates;
    }

    fn next_completion(&mut self, host: u32, mates: &mut Mates) -> bool {
        let chain = self.objects[host as usize].line;
        match self.plan(chain) {
            Plan::Fixed(past) => {
                mates.clear();
                for &mate in self.script.takes(past) {
                    match self.again(mate) {
                        Ok(event) => mates.push(event),
                        Err(_) => return false,
                    }
                }
                if self.objects[host as usize].kind == Kind::Barrier {
                    let led = usize::from(self.objects[host as usize].has_leader);
                    mates[led..].sort_unstable();
                }
                self.can_complete(host, mates)
            }
            Plan::Renewed => self.pick_completion(host, true, mates),
            Plan::Free => self.pick_completion(host, false, mates),
        }
    }

    /// Checks that what the script says to complete is there, and can be completed.
    fn can_complete(&mut self, host: u32, mates: &[Ix]) -> bool {
        let o = &self.objects[host as usize];
        let is_there = |&e: &Ix| {
            let event = self.run().at(e);
            let is_call = event.pick == Pick::No && !matches!(event.op, Op::Disconnect | Op::Fire);
            !is_call || o.pending.iter().any(|c| c.event == e)
        };
        if mates.is_empty() || !mates.iter().all(is_there) {
            return false;
        }
        if !self.script.doubtful && o.kind != Kind::Monitor {
            return true;
        }
        // A monitor may not have been left yet; and what was not made by the exploration may be impossible. (What never
        // becomes possible is noticed at the end.)
        let mut possible = false;
        let choices = Choices { may_be_early: true, ..self.choices_now(host) };
        choices.each(&o.pending, |o| self.objects[o as usize].closed, |m, _| possible |= m == mates);
        possible
    }

    fn pick_completion(&mut self, host: u32, only_new: bool, mates: &mut Mates) -> bool {
        if self.objects[host as usize].pending.is_empty() {
            return false;
        }
        let count = self.each_choice(host, only_new, 0, mates);
        if count < 2 || !self.is_random() {
            return count > 0;
        }
        let n = self.choose(count);
        self.each_choice(host, only_new, n, mates);
        true
    }

    /// Counts what can be completed now, and writes the `n`-th down.
    fn each_choice(&self, host: u32, only_new: bool, n: usize, mates: &mut Mates) -> usize {
        let pending = &self.objects[host as usize].pending;
        let mut count = 0;
        let closed = |o: u32| self.objects[o as usize].closed;
        self.choices_now(host).each(pending, closed, |m, when| {
            let allowed = match when {
                When::Now => true,
                _ if self.is_random() => true,
                When::Late => self.is_impatient(m[0]),
                When::Never => false,
            };
            if allowed && (!only_new || m.iter().any(|&e| !self.is_old(e))) {
                if count == n {
                    mates.clear();
                    mates.extend_from_slice(m);
                }
                count += 1;
            }
        });
        count
    }

    /// Whether the thread of a call has lost patience.
    fn is_impatient(&self, call: Ix) -> bool {
        self.threads[self.run().at(call).thread as usize].impatient
    }

    fn choices_now(&self, host: u32) -> Choices<'_> {
        Choices {
            run: self.run(),
            objects: &self.objects,
            states: States::Now,
            waiters: &self.objects[host as usize].waiters,
            liberties: self.settings.liberties,
            may_be_early: false,
        }
    }

    /// Whether a timeline whose renewed completion never came could have had an old partner.
    pub(crate) fn could_complete(&self, host: u32) -> bool {
        let mut any = false;
        let closed = |o: u32| self.objects[o as usize].closed;
        self.choices_now(host).each(&self.objects[host as usize].pending, closed, |_, _| any = true);
        any
    }

    /// Whether a call would be completed if a thread made it now.
    pub(crate) fn would_complete(&self, thread: u32, op: Op, object: u32) -> bool {
        let call = Call { event: NONE, thread, object, op, flags: Flags::default() };
        let mut any = false;
        let closed = |o: u32| self.objects[o as usize].closed;
        let host = self.objects[object as usize].host;
        self.choices_now(host).each(&[call], closed, |_, _| any = true);
        any
    }

    fn shape(&self, host: u32, mates: &[Ix]) -> Shape {
        let [first, second, ..] = *mates else {
            return if self.objects[host as usize].kind == Kind::Barrier {
                Shape::Together
            } else {
                Shape::Single
            };
        };
        match (self.run().at(first).op, self.run().at(second).op) {
            (Op::Arrive, _) => Shape::Together,
            (Op::Write, Op::Read) => Shape::Block,
            _ if self.run().is_pair(mates) => Shape::Pair,
            _ => Shape::Single,
        }
    }

    fn complete(&mut self, host: u32, mates: &[Ix]) {
        let shape = self.shape(host, mates);
        let caller = if shape == Shape::Pair { mates[1] } else { mates[0] };
        let call = self.run().events[caller as usize];
        let h = &self.objects[host as usize];
        let (chain, prev, is_joined) = (h.line, h.prev, !h.members.is_empty());
        let list = if is_joined { self.note_states(host) } else { self.note_waiters(host) };
        let event = Event {
            chain,
            index: 0,
            op: if shape == Shape::Block { Op::Block } else { self.failed(&call, mates).unwrap_or(call.op) },
            pick: Pick::Mates,
            flags: Flags::default(),
            thread: call.thread,
            object: call.object,
            prev,
            also: NONE,
            mate: NONE,
            mates: Span::default(),
            list,
            state: self.objects[call.object as usize].state,
            location: call.location,
        };
        let done = self.record(event, mates);
        self.may_find_nothing |= self.may_be_empty(call.op);
        self.objects[host as usize].prev = done;
        if shape == Shape::Block {
            self.objects[call.object as usize].state |= super::openness::ANNOUNCED;
            return;
        }
        let answer = self.apply(call.object, call.op, call.thread, mates, done);
        self.release_caller(host, caller, done, answer);
        match shape {
            Shape::Pair => self.release_caller(host, mates[0], done, answer::YES),
            Shape::Together => {
                for &other in &mates[1..] {
                    self.release_caller(host, other, done, answer::NO);
                }
            }
            _ => {}
        }
    }

    /// Whether a completion of this name may find a channel empty, so that it matters when others were dropped.
    fn may_be_empty(&self, op: Op) -> bool {
        matches!(op, Op::TryTake | Op::TakeTimeout | Op::OfferDefault | Op::OfferTimeout)
    }

    fn note_waiters(&mut self, host: u32) -> Span {
        if self.objects[host as usize].waiters.is_empty() {
            return Span::default();
        }
        let Execution { objects, done, .. } = self;
        done.push_list(&objects[host as usize].waiters)
    }

    #[cold]
    #[inline(never)]
    fn note_states(&mut self, host: u32) -> Span {
        let Execution { objects, done, .. } = self;
        let states = objects[host as usize].members.iter().map(|&o| (o, objects[o as usize].state));
        done.push_states(states)
    }

    /// Lets the thread of a completed call go on, and withdraws what else it has offered.
    fn release_caller(&mut self, host: u32, call: Ix, done: Ix, answer: u64) {
        let Execution { objects, done: recorded, threads, .. } = self;
        let pending = &mut objects[host as usize].pending;
        let at = pending.iter().position(|c| c.event == call).expect("a completed call was waiting");
        let Call { thread, op, .. } = pending.remove(at);
        recorded.events[call as usize].state = u64::from(done);
        if thread == NONE {
            return;
        }
        let t = &mut threads[thread as usize];
        if t.offers > 1 {
            pending.retain(|c| {
                let stays = c.thread != thread;
                if !stays {
                    recorded.events[c.event as usize].state = u64::from(done);
                }
                stays
            });
        }
        t.offers = 0;
        t.prev = done;
        t.calling = false;
        t.chosen = call;
        // A thread that waits on a condition goes on with its lock, not with what it said here.
        t.answer = if op == Op::Expire { 0 } else { answer };
        self.wake(thread);
    }

    /// Wakes a waiter of a condition variable.
    pub(super) fn notify(&mut self, waiter: Ix, by: Ix) {
        let Event { thread, object, .. } = *self.run().at(waiter);
        self.threads[thread as usize].woken_by = by;
        let Execution { objects, done, .. } = self;
        let pending = &mut objects[object as usize].pending;
        if let Some(at) = pending.iter().position(|c| c.thread == thread && c.op == Op::Expire) {
            let withdrawn = pending.remove(at);
            done.events[withdrawn.event as usize].state = u64::from(by);
        }
        if matches!(self.threads[thread as usize].waits_for, WaitFor::Notification { .. }) {
            self.wake(thread);
        }
    }
}

/// What something with several names is called.
pub(super) fn joined(names: &'static [&'static str]) -> Cow<'static, str> {
    match names {
        [name] => Cow::Borrowed(name),
        names => Cow::Owned(names.join("/")),
    }
}

impl Object {
    /// What the program calls it.
    pub(crate) fn title(&self) -> Option<Cow<'static, str>> {
        self.names.map(joined)
    }

    fn blank() -> Self {
        Object {
            process: NONE,
            kind: Kind::Thread,
            names: None,
            is_port: false,
            host: NONE,
            line: NONE,
            members: Vec::new(),
            prev: NONE,
            state: 0,
            initial: 0,
            capacity: 0,
            sending: Vec::new(),
            pending: Vec::new(),
            inside: VecDeque::new(),
            waiters: Vec::new(),
            urgent: Vec::new(),
            conditions: Vec::new(),
            unreceived: Vec::new(),
            delivery: Delivery::Mailbox,
            receiver: NONE,
            last_receive: NONE,
            many_receivers: false,
            stays_port: false,
            receiver_drop: NONE,
            receivers: 0,
            receiver_drops: Vec::new(),
            handles: 0,
            drops: Vec::new(),
            closed: NONE,
            versions: Vec::new(),
            has_leader: false,
        }
    }

    fn reset(&mut self, process: u32, kind: Kind, number: u32, prev: Ix) {
        self.process = process;
        self.kind = kind;
        self.is_port = false;
        self.host = number;
        self.line = process;
        self.members.clear();
        self.prev = prev;
        self.state = 0;
        self.initial = 0;
        self.capacity = 0;
        self.sending.clear();
        self.pending.clear();
        self.inside.clear();
        self.waiters.clear();
        self.urgent.clear();
        self.conditions.clear();
        self.unreceived.clear();
        self.delivery = Delivery::Mailbox;
        self.receiver = NONE;
        self.last_receive = NONE;
        self.many_receivers = false;
        self.stays_port = false;
        self.receiver_drop = NONE;
        self.receivers = 0;
        self.receiver_drops.clear();
        self.handles = 0;
        self.drops.clear();
        self.closed = NONE;
        self.versions.clear();
        self.has_leader = false;
    }
}
