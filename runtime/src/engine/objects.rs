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
use super::event::{Event, Flags, Kind, Op, Pick, Span};
use super::ids::{EventId, ExecutionId, ObjectId, ProcessId, Table, ThreadId};
use super::openness::{Call, Choices, States, When};
use super::ports::Delivery;
use super::stepping;
use super::threads::WaitFor;
use super::unreceived::Unreceived;
use super::{Engine, Plan, of};

/// The objects of a run.
pub(crate) type Objects = Table<ObjectId, Object>;

/// The state of an object in the running program. One type for all kinds, so that the memory of one run serves the
/// next; each kind uses the fields it needs.
#[derive(Debug)]
pub(crate) struct Object {
    pub(crate) process: ProcessId,
    pub(crate) kind: Kind,
    /// What the program calls it, if that is known.
    pub(crate) names: Option<&'static [&'static str]>,
    /// Receives on it happen on threads; it has no timeline.
    pub(crate) is_port: bool,
    /// The object that keeps its timeline: itself, unless it is joined with others.
    pub(crate) host: ObjectId,
    /// Host: the process of the timeline, and the objects on it if there can be several.
    pub(crate) timeline: ProcessId,
    pub(crate) members: Vec<ObjectId>,
    /// What its next completion comes after.
    pub(crate) prev: Option<EventId>,
    /// See [`super::openness`].
    pub(crate) state: u64,
    pub(crate) initial: u64,
    pub(crate) capacity: u64,
    /// All delivered sends, or all calls, of the run, in order.
    pub(crate) sending: Vec<EventId>,
    /// Calls that wait to be completed, in the order they came.
    pub(crate) pending: Vec<Call>,
    /// Channel: the put calls whose messages are inside.
    pub(crate) inside: VecDeque<EventId>,
    /// Condition variable: the completed waits of those who wait, longest first.
    pub(crate) waiters: Vec<EventId>,
    /// Monitor: signallers that wait to go on, latest last.
    pub(crate) urgent: Vec<ThreadId>,
    /// Monitor: per condition, who waits, longest first.
    pub(crate) conditions: Vec<VecDeque<ThreadId>>,
    /// Port: what has been sent and not received. Timer on a timeline: all fires.
    pub(crate) unreceived: Unreceived,
    pub(crate) delivery: Delivery,
    /// Port: the thread that waits to receive, the last receive, and whether several threads may try.
    pub(crate) receiver: Option<ThreadId>,
    pub(crate) last_receive: Option<EventId>,
    pub(crate) many_receivers: bool,
    /// Port: nothing that a program does with it takes an order of its own.
    pub(crate) stays_port: bool,
    /// Channel: what a send meets when no receiver is left.
    pub(crate) receiver_drop: Option<EventId>,
    /// Channel: handles for receiving that are left, and the drops of the others.
    pub(crate) receivers: u32,
    pub(crate) receiver_drops: Vec<EventId>,
    /// Channel: handles for sending that are left, the drops of the others, and the disconnect.
    pub(crate) handles: u32,
    pub(crate) drops: Vec<EventId>,
    pub(crate) closed: Option<EventId>,
    /// Variable, once: the completions that wrote it, and what.
    pub(crate) versions: Vec<(Option<EventId>, u64)>,
    /// Barrier: somebody asks who the leader is.
    pub(crate) has_leader: bool,
}

/// Makes an object; `capacity` and `state` as its kind understands them.
pub(crate) fn new_object(execution: ExecutionId, kind: Kind, capacity: u64, state: u64) -> ObjectId {
    let engine = stepping::begin_to_make(execution);
    let process = engine.new_process(kind);
    let o = engine.new_object(process, kind);
    let object = &mut engine.objects[o];
    object.capacity = capacity;
    object.state = state;
    object.initial = state;
    object.handles = 1;
    object.receivers = 1;
    object.has_leader = engine.processes.facts(process).leader;
    o
}

/// Somebody wants to know who the leader of a barrier was.
#[track_caller]
pub(crate) fn ask_leader(execution: ExecutionId, object: ObjectId) {
    let engine = of(execution);
    let process = engine.objects[object].process;
    if !engine.processes.facts(process).leader {
        engine.learn(super::topology::Fact::Leader(engine.processes.path(process)));
        stepping::suspend_for_good();
    }
}

/// A completion may take any number of events; most take one.
pub(crate) type Partners = Vec<EventId>;

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

impl Engine {
    pub(crate) fn new_object(&mut self, process: ProcessId, kind: Kind) -> ObjectId {
        let prev = self.threads[self.running].prev;
        let o = self.objects.add(Object::blank);
        self.same_objects &= self.script.past.objects.get(o) == Some(&process);
        self.done.objects.push(process);
        self.objects[o].reset(process, kind, o, prev);
        self.objects[o].names = self.threads[self.running].naming;
        if let Some(timeline) = self.processes.timeline(process) {
            self.join_timeline(o, timeline);
        }
        o
    }

    /// Puts a new object on the timeline that it shares with others.
    #[cold]
    #[inline(never)]
    fn join_timeline(&mut self, o: ObjectId, timeline: ProcessId) {
        // The new one is its own host, so there is one.
        let is_host = |&h: &ObjectId| self.objects[h].timeline == timeline && self.objects[h].host == h;
        let host = self.objects.ids().find(is_host).unwrap_or(o);
        self.objects[o].host = host;
        self.objects[host].members.push(o);
        self.objects[host].timeline = timeline;
        // Which of them is made first is no part of the sequence.
        self.objects[host].prev = if host == o { None } else { self.objects[host].prev };
    }

    /// Completes calls for as long as any can be.
    pub(crate) fn advance(&mut self, object: ObjectId) {
        let host = self.objects[object].host;
        let mut partners = std::mem::take(&mut self.partners);
        while self.next_completion(host, &mut partners) {
            self.complete(host, &partners);
        }
        self.partners = partners;
    }

    fn next_completion(&mut self, host: ObjectId, partners: &mut Partners) -> bool {
        let process = self.objects[host].timeline;
        match self.plan(process) {
            Plan::Fixed(past) => {
                partners.clear();
                for &partner in self.script.takes(past) {
                    match self.again(partner) {
                        Ok(event) => partners.push(event),
                        Err(_) => return false,
                    }
                }
                if self.objects[host].kind == Kind::Barrier {
                    let led = usize::from(self.objects[host].has_leader);
                    partners[led..].sort_unstable();
                }
                self.can_complete(host, partners)
            }
            Plan::Renewed => self.pick_completion(host, true, partners),
            Plan::Free => self.pick_completion(host, false, partners),
        }
    }

    /// Checks that what the script says to complete is there, and can be completed.
    fn can_complete(&mut self, host: ObjectId, partners: &[EventId]) -> bool {
        let o = &self.objects[host];
        let is_there = |&e: &EventId| {
            let event = self.run().at(e);
            let is_call = event.pick == Pick::No && !matches!(event.op, Op::Disconnect | Op::Fire);
            !is_call || o.pending.iter().any(|c| c.event == e)
        };
        if partners.is_empty() || !partners.iter().all(is_there) {
            return false;
        }
        if !self.script.doubtful && o.kind != Kind::Monitor {
            return true;
        }
        // A monitor may not have been left yet; and what was not made by the exploration may be impossible. (What never
        // becomes possible is noticed at the end.)
        let mut possible = false;
        let choices = Choices { may_be_early: true, ..self.choices_now(host) };
        choices.each(&o.pending, |o| self.objects[o].closed, |m, _| possible |= m == partners);
        possible
    }

    fn pick_completion(&mut self, host: ObjectId, only_new: bool, partners: &mut Partners) -> bool {
        if self.objects[host].pending.is_empty() {
            return false;
        }
        let count = self.each_choice(host, only_new, 0, partners);
        if count < 2 || !self.is_random() {
            return count > 0;
        }
        let n = self.choose(count);
        self.each_choice(host, only_new, n, partners);
        true
    }

    /// Counts what can be completed now, and writes the `n`-th down.
    fn each_choice(&self, host: ObjectId, only_new: bool, n: usize, partners: &mut Partners) -> usize {
        let pending = &self.objects[host].pending;
        let mut count = 0;
        let closed = |o: ObjectId| self.objects[o].closed;
        self.choices_now(host).each(pending, closed, |m, when| {
            let allowed = match when {
                When::Now => true,
                _ if self.is_random() => true,
                When::Late => self.is_impatient(m[0]),
                When::Never => false,
            };
            if allowed && (!only_new || m.iter().any(|&e| !self.is_old(e))) {
                if count == n {
                    partners.clear();
                    partners.extend_from_slice(m);
                }
                count += 1;
            }
        });
        count
    }

    /// Whether the thread of a call has lost patience.
    fn is_impatient(&self, call: EventId) -> bool {
        self.threads[self.run().at(call).by()].impatient
    }

    fn choices_now(&self, host: ObjectId) -> Choices<'_> {
        Choices {
            run: self.run(),
            objects: &self.objects,
            states: States::Now,
            waiters: &self.objects[host].waiters,
            liberties: self.settings.liberties,
            may_be_early: false,
        }
    }

    /// Whether a timeline whose renewed completion never came could have had an old partner.
    pub(crate) fn could_complete(&self, host: ObjectId) -> bool {
        let mut any = false;
        let closed = |o: ObjectId| self.objects[o].closed;
        self.choices_now(host).each(&self.objects[host].pending, closed, |_, _| any = true);
        any
    }

    /// Whether a call would be completed if a thread made it now.
    pub(crate) fn would_complete(&self, thread: ThreadId, op: Op, object: ObjectId) -> bool {
        let call = Call {
            event: self.done.events.next(),
            thread: Some(thread),
            object,
            op,
            flags: Flags::default(),
        };
        let mut any = false;
        let closed = |o: ObjectId| self.objects[o].closed;
        let host = self.objects[object].host;
        self.choices_now(host).each(&[call], closed, |_, _| any = true);
        any
    }

    fn shape(&self, host: ObjectId, partners: &[EventId]) -> Shape {
        let [first, second, ..] = *partners else {
            return if self.objects[host].kind == Kind::Barrier { Shape::Together } else { Shape::Single };
        };
        match (self.run().at(first).op, self.run().at(second).op) {
            (Op::Arrive, _) => Shape::Together,
            (Op::Write, Op::Read) => Shape::Block,
            _ if self.run().is_pair(partners) => Shape::Pair,
            _ => Shape::Single,
        }
    }

    fn complete(&mut self, host: ObjectId, partners: &[EventId]) {
        let shape = self.shape(host, partners);
        let caller = if shape == Shape::Pair { partners[1] } else { partners[0] };
        let call = self.run().events[caller];
        let h = &self.objects[host];
        let (process, prev, is_joined) = (h.timeline, h.prev, !h.members.is_empty());
        let list = if is_joined { self.note_states(host) } else { self.note_waiters(host) };
        let event = Event {
            process,
            index: 0,
            op: if shape == Shape::Block {
                Op::Block
            } else {
                self.failed(&call, partners).unwrap_or(call.op)
            },
            pick: Pick::Partners,
            flags: Flags::default(),
            thread: call.thread,
            object: call.object,
            prev,
            also: None,
            partner: None,
            partners: Span::default(),
            list,
            state: self.objects[call.on()].state,
            location: call.location,
        };
        let done = self.record(event, partners);
        self.objects[host].prev = Some(done);
        if shape == Shape::Block {
            self.objects[call.on()].state |= super::openness::ANNOUNCED;
            return;
        }
        let answer = self.apply(call.on(), call.op, call.thread, partners, done);
        self.release_caller(host, caller, done, answer);
        match shape {
            Shape::Pair => self.release_caller(host, partners[0], done, answer::YES),
            Shape::Together => {
                for &other in &partners[1..] {
                    self.release_caller(host, other, done, answer::NO);
                }
            }
            _ => {}
        }
    }

    fn note_waiters(&mut self, host: ObjectId) -> Span {
        if self.objects[host].waiters.is_empty() {
            return Span::default();
        }
        let Engine { objects, done, .. } = self;
        done.push_list(&objects[host].waiters)
    }

    #[cold]
    #[inline(never)]
    fn note_states(&mut self, host: ObjectId) -> Span {
        let Engine { objects, done, .. } = self;
        let states = objects[host].members.iter().map(|&o| (o, objects[o].state));
        done.push_states(states)
    }

    /// Lets the thread of a completed call go on, and withdraws what else it has offered.
    fn release_caller(&mut self, host: ObjectId, call: EventId, done: EventId, answer: u64) {
        let Engine { objects, done: recorded, threads, .. } = self;
        let pending = &mut objects[host].pending;
        let at = pending.iter().position(|c| c.event == call).expect("a completed call was waiting");
        let Call { thread, op, .. } = pending.remove(at);
        recorded.events[call].take(done);
        let Some(thread) = thread else { return };
        let t = &mut threads[thread];
        if t.offers > 1 {
            pending.retain(|c| {
                let stays = c.thread != Some(thread);
                if !stays {
                    recorded.events[c.event].take(done);
                }
                stays
            });
        }
        t.offers = 0;
        t.prev = Some(done);
        t.calling = false;
        t.chosen = Some(call);
        // A thread that waits on a condition goes on with its lock, not with what it said here.
        t.answer = if op == Op::Expire { 0 } else { answer };
        self.wake(thread);
    }

    /// Wakes a waiter of a condition variable.
    pub(super) fn notify(&mut self, waiter: EventId, by: EventId) {
        let wait = self.run().at(waiter);
        let (thread, object) = (wait.by(), wait.on());
        self.threads[thread].woken_by = Some(by);
        let Engine { objects, done, .. } = self;
        let pending = &mut objects[object].pending;
        if let Some(at) = pending.iter().position(|c| c.thread == Some(thread) && c.op == Op::Expire) {
            let withdrawn = pending.remove(at);
            done.events[withdrawn.event].take(by);
        }
        if matches!(self.threads[thread].waits_for, WaitFor::Notification { .. }) {
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

    pub(crate) fn blank() -> Self {
        Object {
            process: ProcessId::FIRST,
            kind: Kind::Thread,
            names: None,
            is_port: false,
            host: ObjectId::FIRST,
            timeline: ProcessId::FIRST,
            members: Vec::new(),
            prev: None,
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
            receiver: None,
            last_receive: None,
            many_receivers: false,
            stays_port: false,
            receiver_drop: None,
            receivers: 0,
            receiver_drops: Vec::new(),
            handles: 0,
            drops: Vec::new(),
            closed: None,
            versions: Vec::new(),
            has_leader: false,
        }
    }

    fn reset(&mut self, process: ProcessId, kind: Kind, me: ObjectId, prev: Option<EventId>) {
        self.process = process;
        self.kind = kind;
        self.is_port = false;
        self.host = me;
        self.timeline = process;
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
        self.receiver = None;
        self.last_receive = None;
        self.many_receivers = false;
        self.stays_port = false;
        self.receiver_drop = None;
        self.receivers = 0;
        self.receiver_drops.clear();
        self.handles = 0;
        self.drops.clear();
        self.closed = None;
        self.versions.clear();
        self.has_leader = false;
    }
}
