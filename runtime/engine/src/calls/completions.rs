//! Completions: what objects with an order of their own do with the calls of threads.
//!
//! A thread *calls* an object (an event on the thread, [`crate::calls`]) and goes on when the call is *completed* (an event
//! on the object, which picks the call). [`crate::calls::choices`] decides which calls could be completed; the kind of the
//! object ([`crate::objects`]) decides what a completion does.
//!
//! Objects that are used in one select share one timeline: the first of them in the run is the *host*, which keeps the
//! calls and the completions of all.

use crate::access::with;
use crate::calls::choices::{Choices, States};
use crate::ids::{EventId, ExecutionId, ObjectId, ProcessId, ThreadId};
use crate::objects::{Answer, Argument, Call, Completion, Effect, Enabled, State, When, timer};
use crate::place::NOWHERE;
use crate::record::event::{Event, Flags, Kind, Op, Pick, Span};
use crate::record::run::RecordedObject;
use crate::refinement::Fact;
use crate::schedule::steps;
use crate::schedule::steps::begin_to_make;
use crate::threads::WaitFor;
use crate::{Engine, Plan};

/// Makes an object.
pub fn new_object(execution: ExecutionId, kind: Kind, state: State) -> ObjectId {
    begin_to_make(execution, |engine| {
        let process = engine.new_process(kind);
        let o = engine.new_object(process, kind, state);
        engine.run.objects[o].has_leader = engine.processes.facts(process).leader;
        o
    })
}

/// The program asks which thread was the leader of a barrier.
#[track_caller]
pub fn ask_leader(execution: ExecutionId, object: ObjectId) {
    let (process, is_known) = with(execution, |engine| {
        let process = engine.run.objects[object].process;
        (process, engine.processes.facts(process).leader)
    });
    if !is_known {
        steps::start_again(execution, |engine| Fact::Leader(engine.processes.path(process)));
    }
}

/// A completion may take any number of events; most take one.
pub type Partners = Vec<EventId>;

/// What a completion does with the calls it takes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Shape {
    /// Completes the first call; any other partner is no call, or keeps waiting.
    Single,
    /// Completes a put and a take together.
    Pair,
    /// Completes none.
    Block,
    /// Completes all.
    Together,
}

/// What a check of a new call shows.
pub(crate) enum AtOnce {
    /// The call has been completed.
    Completed(Answer),
    /// Neither the call nor any other can be completed now.
    Blocked,
    /// The call has to be checked together with the other waiting calls.
    Unclear,
}

impl Engine {
    pub fn new_object(&mut self, process: ProcessId, kind: Kind, state: State) -> ObjectId {
        let maker = &self.threads[self.schedule.running];
        let o = self.objects.add();
        self.run.objects.add();
        self.playback.same_objects &=
            self.script.past.objects.get(o).is_some_and(|past| past.process == process);
        self.run.objects[o].restart(o, process, kind, state.snapshot());
        self.objects[o].restart(state, maker.naming, maker.prev);
        if let Some(timeline) = self.processes.timeline(process) {
            self.join_timeline(o, timeline);
        }
        o
    }

    /// Puts a new object on the timeline that it shares with other objects.
    #[cold]
    #[inline(never)]
    fn join_timeline(&mut self, o: ObjectId, timeline: ProcessId) {
        // If no other object is the host, the new one is its own.
        let is_host =
            |&h: &ObjectId| self.run.objects[h].timeline == timeline && self.run.objects[h].host == h;
        let host = self.objects.ids().find(is_host).unwrap_or(o);
        self.run.objects[o].host = host;
        self.run.objects[host].members.push(o);
        self.run.objects[host].timeline = timeline;
        // Which object of the timeline is made first does not belong to the sequence.
        self.objects[host].prev = if host == o { None } else { self.objects[host].prev };
    }

    /// Completes calls until none can be completed any more.
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
                    let led = usize::from(self.run.objects[host].has_leader).min(partners.len());
                    partners[led..].sort_unstable();
                }
                self.can_complete(host, partners)
            }
            Plan::Renewed => self.pick_completion(host, true, partners),
            Plan::Free => self.pick_completion(host, false, partners),
        }
    }

    /// Checks that the call to complete by the script is there, and can be completed.
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
        // The monitor may not have been left yet; and a script that the exploration did not make may be impossible. (A
        // completion that never becomes possible is noticed at the end.)
        let mut possible = false;
        let choices = Choices { may_be_early: true, ..self.choices_now(host) };
        choices.each(&o.pending, |o| self.run.objects[o].closed, |m, _| possible |= m == partners);
        possible
    }

    fn pick_completion(&mut self, host: ObjectId, only_new: bool, partners: &mut Partners) -> bool {
        if self.objects[host].pending.is_empty() {
            return false;
        }
        // What is never chosen of its own accord is a choice where it is the only one that is new: it has no other place.
        let all = self.is_random();
        let count = match self.each_choice(host, only_new, all, 0, partners) {
            0 if only_new => self.each_choice(host, only_new, true, 0, partners),
            count => count,
        };
        if count < 2 || !self.is_random() {
            return count > 0;
        }
        let n = self.choose(count);
        self.each_choice(host, only_new, all, n, partners);
        true
    }

    /// Counts what can be completed now, and records the `n`-th choice; of `all`, or of what is chosen of its own accord.
    fn each_choice(
        &self,
        host: ObjectId,
        only_new: bool,
        all: bool,
        n: usize,
        partners: &mut Partners,
    ) -> usize {
        let pending = &self.objects[host].pending;
        let mut count = 0;
        let closed = |o: ObjectId| self.run.objects[o].closed;
        self.choices_now(host).each(pending, closed, |m, when| {
            let allowed = match when {
                When::Now => true,
                When::Late => self.is_random() || self.has_timed_out(m[0]),
                When::Never => all,
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

    /// Whether the wait of the thread that called has timed out.
    fn has_timed_out(&self, call: EventId) -> bool {
        self.threads[self.run.at(call).by()].call_timed_out
    }

    fn choices_now(&self, host: ObjectId) -> Choices<'_> {
        Choices {
            run: &self.run,
            states: States::Now(&self.objects),
            waiters: self.objects[host].state.condvar().map_or(&[], |it| it.waiters()),
            liberties: self.settings.liberties,
            may_be_early: false,
            at: None,
        }
    }

    /// Whether a renewed completion of a timeline that never happened could have had an old partner.
    pub(crate) fn could_complete(&self, host: ObjectId) -> bool {
        let mut any = false;
        let closed = |o: ObjectId| self.run.objects[o].closed;
        self.choices_now(host).each(&self.objects[host].pending, closed, |_, _| any = true);
        any
    }

    /// Whether a call would be completed if a thread made it now.
    pub fn would_complete(&self, thread: ThreadId, op: Op, object: ObjectId) -> bool {
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

    /// Checks a call that the running thread has just recorded and that does not wait yet. Most calls can be completed at
    /// once, and never have to wait; most others plainly cannot.
    #[inline]
    pub(crate) fn complete_at_once(&mut self, call: Call) -> AtOnce {
        let Call { event, object, .. } = call;
        let recorded = &self.run.objects[object];
        if recorded.host != object || !recorded.members.is_empty() {
            return AtOnce::Unclear;
        }
        match self.plan(recorded.timeline) {
            Plan::Free if !self.is_random() => {
                // The calls that already wait could not be completed, and nothing has changed since then except this call.
                match self.objects[object].state.snapshot().enabled(&call, &self.settings.liberties) {
                    Enabled::Alone(When::Now) => {}
                    Enabled::No => return AtOnce::Blocked,
                    _ => return AtOnce::Unclear,
                }
            }
            Plan::Fixed(past)
                if !self.script.doubtful && !matches!(recorded.kind, Kind::Monitor | Kind::Barrier) =>
            {
                match *self.script.takes(past) {
                    [partner] => match self.again(partner) {
                        Ok(next) if next == event => {}
                        // The call that comes first has not been made yet.
                        Err(_) => return AtOnce::Blocked,
                        Ok(_) => return AtOnce::Unclear,
                    },
                    _ => return AtOnce::Unclear,
                }
            }
            _ => return AtOnce::Unclear,
        }
        let (done, answer) = self.record_completion(object, event, call.op, &[event]);
        self.run.events[event].taken_by = Some(done);
        let me = self.schedule.running;
        self.threads[me].prev = Some(done);
        if !self.objects[object].pending.is_empty() {
            self.advance(object);
        }
        AtOnce::Completed(answer)
    }

    /// Records a completion, and applies its effects.
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
        let completion = Completion {
            op,
            thread: call.thread,
            argument: self.argument(&call),
            partners,
            takes_disconnect: matches!(*partners, [_, it] if self.run.at(it).op == Op::Disconnect),
            event: self.run.events.next(),
        };
        let live = &mut self.objects[object];
        let snapshot = self.run.push_snapshot(live.state.snapshot());
        let outcome = live.state.complete(&completion);
        let timeline = if is_joined { &mut self.objects[host] } else { live };
        let prev = timeline.prev.replace(completion.event);
        let event = Event {
            process,
            index: 0,
            op: outcome.renamed.unwrap_or(op),
            pick: Pick::Partners,
            flags: Flags::default(),
            thread: call.thread,
            object: call.object,
            prev,
            also: None,
            partner: None,
            partners: Span::default(),
            list,
            snapshot: Some(snapshot),
            taken_by: None,
            location: call.location,
        };
        let done = self.record(event, partners);
        if outcome.effect != Effect::None {
            self.bring_about(outcome.effect, object, call.thread, done);
        }
        (done, outcome.answer)
    }

    /// What a call passes to its completion.
    #[inline]
    fn argument(&mut self, call: &Event) -> Argument {
        match call.op {
            Op::DropReceiver | Op::HangUp => {
                let receivers = &mut self.objects[call.on()].receivers;
                *receivers = receivers.saturating_sub(1);
                // If there are several, only the last counts.
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
            Effect::Finds(waiting) => self.note_waiting(object, waiting, done),
            Effect::EndsTurns => self.end_beginning(object, done),
        }
    }

    /// Records that a call at a rendezvous was observed waiting. (The offers of a select are withdrawn and made again
    /// from time to time, so they do not count.)
    fn note_waiting(&mut self, object: ObjectId, waiting: EventId, seen_by: EventId) {
        let call = self.run.at(waiting);
        if !call.op.is_offer() && call.list.len == 0 {
            self.run.events[waiting].list = self.run.push_list(&[seen_by]);
            self.run.objects[object].has_seen_calls = true;
        }
    }

    /// A variable has a new version.
    fn write_version(&mut self, object: ObjectId, value: u64, done: EventId) {
        self.run.objects[object].versions.push((Some(done), value));
        let event = &mut self.run.events[done];
        event.flags = event.flags | Flags::WRITES;
        self.wake_readers(object, done);
    }

    /// A timer's fire has been taken; the fire of a ticking timer is followed by the next.
    pub(crate) fn take_fire(&mut self, object: ObjectId, taken: EventId) {
        if !self.objects[object].ticks {
            return;
        }
        let RecordedObject { process, kind, is_port, fires_late, .. } = self.run.objects[object];
        if is_port {
            let fire = self.record_fire(object, process, Some(taken));
            self.objects[object].unreceived.push(fire);
            self.run.objects[object].sending.push(fire);
        } else {
            let process = self.child_process(process, kind, 1);
            let fire = self.record_fire(object, process, Some(taken));
            let next = timer::State { fire: Some(fire), has_fired: !fires_late };
            self.objects[object].state = State::Timer(next);
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

    /// Lets the thread of a completed call go on, and withdraws its other offers.
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
        // A thread that waits on a condition goes on with its lock, not with the argument of this call.
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
