//! Completions: what objects with an order of their own do with the calls that threads make of them.
//!
//! A thread *calls* an object (an event on the thread, [`crate::engine::calls`]) and goes on when the call is *completed* (an event
//! on the object, which picks the call). Which calls could be completed is the business of [`crate::engine::calls::choices`]; what a
//! completion does, that of the kind of the object ([`crate::engine::objects`]).
//!
//! Objects that meet in a select share one timeline: the first of them in the run is the *host*, which keeps the calls and the
//! completions of all.

use crate::engine::access::with;
use crate::engine::calls::choices::{Choices, States};
use crate::engine::ids::{EventId, ExecutionId, ObjectId, ProcessId, ThreadId};
use crate::engine::live::Object;
use crate::engine::objects::{Answer, Argument, Call, Completion, Effect, Enabled, State, When};
use crate::engine::record::event::{Event, Flags, Kind, Op, Pick, Span};
use crate::engine::record::run::RecordedObject;
use crate::engine::refinement::Fact;
use crate::engine::schedule::steps;
use crate::engine::schedule::steps::begin_to_make;
use crate::engine::threads::WaitFor;
use crate::engine::{Engine, Plan};
use crate::place::NOWHERE;

/// Makes an object.
pub(crate) fn new_object(execution: ExecutionId, kind: Kind, state: State) -> ObjectId {
    begin_to_make(execution, |engine| {
        let process = engine.new_process(kind);
        let o = engine.new_object(process, kind, state);
        engine.run.objects[o].has_leader = engine.processes.facts(process).leader;
        o
    })
}

/// Somebody wants to know who the leader of a barrier was.
#[track_caller]
pub(crate) fn ask_leader(execution: ExecutionId, object: ObjectId) {
    let (process, is_known) = with(execution, |engine| {
        let process = engine.run.objects[object].process;
        (process, engine.processes.facts(process).leader)
    });
    if !is_known {
        steps::start_again(execution, |engine| Fact::Leader(engine.processes.path(process)));
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
    pub(crate) fn new_object(&mut self, process: ProcessId, kind: Kind, state: State) -> ObjectId {
        let maker = &self.threads[self.schedule.running];
        let o = self.objects.add(Object::blank);
        self.run.objects.add(RecordedObject::blank);
        self.playback.same_objects &=
            self.script.past.objects.get(o).is_some_and(|past| past.process == process);
        self.run.objects[o].restart(o, process, kind, state.snapshot());
        self.objects[o].restart(state, maker.naming, maker.prev);
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
        let is_host =
            |&h: &ObjectId| self.run.objects[h].timeline == timeline && self.run.objects[h].host == h;
        let host = self.objects.ids().find(is_host).unwrap_or(o);
        self.run.objects[o].host = host;
        self.run.objects[host].members.push(o);
        self.run.objects[host].timeline = timeline;
        // Which of them is made first is no part of the sequence.
        self.objects[host].prev = if host == o { None } else { self.objects[host].prev };
    }

    /// Completes calls for as long as any can be.
    pub(crate) fn advance(&mut self, object: ObjectId) {
        let host = self.run.objects[object].host;
        let mut partners = std::mem::take(&mut self.partners);
        while self.next_completion(host, &mut partners) {
            self.complete(host, &partners);
        }
        self.partners = partners;
    }

    fn next_completion(&mut self, host: ObjectId, partners: &mut Partners) -> bool {
        let process = self.run.objects[host].timeline;
        match self.plan(process) {
            Plan::Fixed(past) => {
                partners.clear();
                for &partner in self.script.takes(past) {
                    match self.again(partner) {
                        Ok(event) => partners.push(event),
                        Err(_) => return false,
                    }
                }
                if self.run.objects[host].kind == Kind::Barrier {
                    let led = usize::from(self.run.objects[host].has_leader);
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
            let event = self.run.at(e);
            let is_call = event.pick == Pick::No && !matches!(event.op, Op::Disconnect | Op::Fire);
            !is_call || o.pending.iter().any(|c| c.event == e)
        };
        if partners.is_empty() || !partners.iter().all(is_there) {
            return false;
        }
        if !self.script.doubtful && self.run.objects[host].kind != Kind::Monitor {
            return true;
        }
        // A monitor may not have been left yet; and what was not made by the exploration may be impossible. (What never
        // becomes possible is noticed at the end.)
        let mut possible = false;
        let choices = Choices { may_be_early: true, ..self.choices_now(host) };
        choices.each(&o.pending, |o| self.run.objects[o].closed, |m, _| possible |= m == partners);
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
        let closed = |o: ObjectId| self.run.objects[o].closed;
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
        self.threads[self.run.at(call).by()].impatient
    }

    fn choices_now(&self, host: ObjectId) -> Choices<'_> {
        Choices {
            run: &self.run,
            states: States::Now(&self.objects),
            waiters: self.objects[host].state.condvar().map_or(&[], |it| it.waiters()),
            liberties: self.settings.liberties,
            may_be_early: false,
        }
    }

    /// Whether a timeline whose renewed completion never came could have had an old partner.
    pub(crate) fn could_complete(&self, host: ObjectId) -> bool {
        let mut any = false;
        let closed = |o: ObjectId| self.run.objects[o].closed;
        self.choices_now(host).each(&self.objects[host].pending, closed, |_, _| any = true);
        any
    }

    /// Whether a call would be completed if a thread made it now.
    pub(crate) fn would_complete(&self, thread: ThreadId, op: Op, object: ObjectId) -> bool {
        let call =
            Call { event: self.run.events.next(), thread: Some(thread), object, op, flags: Flags::default() };
        let mut any = false;
        let closed = |o: ObjectId| self.run.objects[o].closed;
        let host = self.run.objects[object].host;
        self.choices_now(host).each(&[call], closed, |_, _| any = true);
        any
    }

    fn shape(&self, host: ObjectId, partners: &[EventId]) -> Shape {
        let [first, second, ..] = *partners else {
            return if self.run.objects[host].kind == Kind::Barrier {
                Shape::Together
            } else {
                Shape::Single
            };
        };
        match (self.run.at(first).op, self.run.at(second).op) {
            (Op::Arrive, _) => Shape::Together,
            (Op::Write, Op::Read) => Shape::Block,
            _ if self.run.is_pair(partners) => Shape::Pair,
            _ => Shape::Single,
        }
    }

    fn complete(&mut self, host: ObjectId, partners: &[EventId]) {
        let shape = self.shape(host, partners);
        let caller = if shape == Shape::Pair { partners[1] } else { partners[0] };
        let op = if shape == Shape::Block { Op::Block } else { self.run.at(caller).op };
        let (done, answer) = self.record_completion(host, caller, op, partners);
        match shape {
            Shape::Single => self.release_caller(host, caller, done, answer),
            Shape::Pair => {
                self.release_caller(host, caller, done, answer);
                self.release_caller(host, partners[0], done, Answer::Yes);
            }
            Shape::Block => {}
            Shape::Together => {
                self.release_caller(host, caller, done, answer);
                for &other in &partners[1..] {
                    self.release_caller(host, other, done, Answer::No);
                }
            }
        }
    }

    /// Completes a call that the running thread has just recorded, if nobody else waits for the object and nothing is to be
    /// chosen: most calls, which then never have to wait. Output: the answer, if it could.
    #[inline]
    pub(crate) fn complete_at_once(&mut self, call: Call) -> Option<Answer> {
        let Call { event, object, .. } = call;
        let recorded = &self.run.objects[object];
        if recorded.host != object || !recorded.members.is_empty() || !self.objects[object].pending.is_empty()
        {
            return None;
        }
        let can_complete = match self.plan(recorded.timeline) {
            Plan::Free => {
                !self.is_random()
                    && self.objects[object].state.snapshot().enabled(&call, &self.settings.liberties)
                        == Enabled::Alone(When::Now)
            }
            Plan::Fixed(past) => {
                let is_next = match *self.script.takes(past) {
                    [partner] => self.again(partner).is_ok_and(|it| it == event),
                    _ => false,
                };
                is_next && !self.script.doubtful && !matches!(recorded.kind, Kind::Monitor | Kind::Barrier)
            }
            Plan::Renewed => false,
        };
        if !can_complete {
            return None;
        }
        let (done, answer) = self.record_completion(object, event, call.op, &[event]);
        self.run.events[event].taken_by = Some(done);
        let me = self.schedule.running;
        self.threads[me].prev = Some(done);
        Some(answer)
    }

    /// Records a completion, and does what it does.
    #[inline]
    fn record_completion(
        &mut self,
        host: ObjectId,
        caller: EventId,
        op: Op,
        partners: &[EventId],
    ) -> (EventId, Answer) {
        let call = self.run.events[caller];
        let object = call.on();
        let recorded = &self.run.objects[host];
        let (process, is_joined) = (recorded.timeline, !recorded.members.is_empty());
        let list = if is_joined { self.note_states(host) } else { self.note_waiters(host) };
        let snapshot = self.run.push_snapshot(self.objects[object].state.snapshot());
        let completion = Completion {
            op,
            thread: call.thread,
            argument: self.argument(&call),
            partners,
            takes_disconnect: matches!(*partners, [_, it] if self.run.at(it).op == Op::Disconnect),
            event: self.run.events.next(),
        };
        let outcome = self.objects[object].state.complete(&completion);
        let event = Event {
            process,
            index: 0,
            op: outcome.failure.unwrap_or(op),
            pick: Pick::Partners,
            flags: Flags::default(),
            thread: call.thread,
            object: call.object,
            prev: self.objects[host].prev,
            also: None,
            partner: None,
            partners: Span::default(),
            list,
            snapshot: Some(snapshot),
            taken_by: None,
            location: call.location,
        };
        let done = self.record(event, partners);
        self.objects[host].prev = Some(done);
        if outcome.effect != Effect::None {
            self.bring_about(outcome.effect, object, call.thread, done);
        }
        (done, outcome.answer)
    }

    /// What a call lets its completion know.
    #[inline]
    fn argument(&mut self, call: &Event) -> Argument {
        match call.op {
            Op::DropReceiver | Op::HangUp => {
                let receivers = &mut self.objects[call.on()].receivers;
                *receivers = receivers.saturating_sub(1);
                // Of several, only the last counts.
                Argument::LastReceiver(*receivers == 0 || call.op == Op::HangUp)
            }
            Op::Expire => self.threads[call.by()].wait.map_or(Argument::None, Argument::Wait),
            _ => call.thread.map_or(Argument::None, |thread| self.threads[thread].argument),
        }
    }

    /// What a completion does beyond its object.
    fn bring_about(&mut self, effect: Effect, object: ObjectId, caller: Option<ThreadId>, done: EventId) {
        match effect {
            Effect::None => {}
            Effect::Waits => {
                if let Some(caller) = caller {
                    self.threads[caller].woken_by = None;
                    self.threads[caller].wait = Some(done);
                }
            }
            Effect::Notifies(waiter) => self.notify(waiter, done),
            Effect::NotifiesAll => {
                let first = |engine: &mut Engine| engine.objects[object].state.condvar_mut()?.release_first();
                while let Some(waiter) = first(self) {
                    self.notify(waiter, done);
                }
            }
            Effect::Writes(value) => self.write_version(object, value, done),
            Effect::TakesFire => self.take_fire(object, done),
            Effect::EndsTurns => self.end_beginning(object, done),
        }
    }

    /// A variable has a new version.
    fn write_version(&mut self, object: ObjectId, value: u64, done: EventId) {
        self.run.objects[object].versions.push((Some(done), value));
        let event = &mut self.run.events[done];
        event.flags = event.flags | Flags::WRITES;
        self.wake_readers(object, done);
    }

    /// A timer's fire has been taken; that of a ticking one is followed by the next.
    pub(crate) fn take_fire(&mut self, object: ObjectId, taken: EventId) {
        if !self.objects[object].ticks {
            return;
        }
        let RecordedObject { process, kind, is_port, .. } = self.run.objects[object];
        if is_port {
            let fire = self.record_fire(object, process, Some(taken));
            self.objects[object].unreceived.push(fire);
            self.run.objects[object].sending.push(fire);
        } else {
            let process = self.child_process(process, kind, 1);
            let fire = self.record_fire(object, process, Some(taken));
            self.objects[object].state =
                State::Timer(crate::engine::objects::timer::State { fire: Some(fire) });
        }
    }

    /// Records that the time of a timer has come.
    pub(crate) fn record_fire(
        &mut self,
        object: ObjectId,
        process: ProcessId,
        prev: Option<EventId>,
    ) -> EventId {
        let event = Event {
            process,
            index: 0,
            op: Op::Fire,
            pick: Pick::No,
            flags: Flags::default(),
            thread: None,
            object: Some(object),
            prev,
            also: None,
            partner: None,
            partners: Span::default(),
            list: Span::default(),
            snapshot: None,
            taken_by: None,
            location: NOWHERE,
        };
        self.record(event, &[])
    }

    fn note_waiters(&mut self, host: ObjectId) -> Span {
        let Engine { objects, run, .. } = self;
        match objects[host].state.condvar() {
            Some(condvar) if !condvar.waiters().is_empty() => run.push_list(condvar.waiters()),
            _ => Span::default(),
        }
    }

    #[cold]
    #[inline(never)]
    fn note_states(&mut self, host: ObjectId) -> Span {
        let Engine { objects, run, .. } = self;
        run.note_states(host, |o| objects[o].state.snapshot())
    }

    /// Lets the thread of a completed call go on, and withdraws what else it has offered.
    fn release_caller(&mut self, host: ObjectId, call: EventId, done: EventId, answer: Answer) {
        let Engine { objects, run, threads, .. } = self;
        let pending = &mut objects[host].pending;
        let at = pending.iter().position(|c| c.event == call).expect("a completed call was waiting");
        let Call { thread, op, .. } = pending.remove(at);
        run.events[call].taken_by = Some(done);
        let Some(thread) = thread else { return };
        let t = &mut threads[thread];
        if t.offers > 1 {
            pending.retain(|c| {
                let stays = c.thread != Some(thread);
                if !stays {
                    run.events[c.event].taken_by = Some(done);
                }
                stays
            });
        }
        t.offers = 0;
        t.prev = Some(done);
        t.calling = false;
        t.chosen = Some(call);
        // A thread that waits on a condition goes on with its lock, not with what it said here.
        t.answer = (op != Op::Expire).then_some(answer);
        self.wake(thread);
    }

    /// Wakes a waiter of a condition variable.
    pub(crate) fn notify(&mut self, waiter: EventId, by: EventId) {
        let wait = self.run.at(waiter);
        let (thread, object) = (wait.by(), wait.on());
        self.threads[thread].woken_by = Some(by);
        let Engine { objects, run, .. } = self;
        let pending = &mut objects[object].pending;
        if let Some(at) = pending.iter().position(|c| c.thread == Some(thread) && c.op == Op::Expire) {
            let withdrawn = pending.remove(at);
            run.events[withdrawn.event].taken_by = Some(by);
        }
        if matches!(self.threads[thread].waits_for, WaitFor::Notification { .. }) {
            self.wake(thread);
        }
    }
}
