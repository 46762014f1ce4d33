//! Objects with an order of their own: locks, semaphores, condition variables, bounded channels, monitors, variables.
//!
//! A thread *calls* an object (an event on the thread, [`super::calling`]) and goes on when the call is *completed* (an
//! event on the object, which picks the call). Which calls could be completed is the business of [`super::openness`]; what a completion
//! does, that of [`super::effects`].
//!
//! Objects that meet in a select share one timeline: the first of them in the run is the *host*, which keeps the calls and
//! the completions of all.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::calling::answer;
use super::event::{Event, Flags, Ix, Kind, NONE, Op, Pick, Span};
use super::openness::{Call, Choices, States, When};
use super::ports::Delivery;
use super::stepping;
use super::threads::WaitFor;
use super::unreceived::Unreceived;
use super::{Execution, Plan, of};

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
    /// Port: what has been sent and not received. Timer on a timeline: all fires.
    pub(crate) unreceived: Unreceived,
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

/// Makes an object; `capacity` and `state` as its kind understands them.
pub(crate) fn new_object(stamp: u64, kind: Kind, capacity: u64, state: u64) -> u32 {
    let x = stepping::begin_to_make(stamp);
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
            unreceived: Unreceived::new(),
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
