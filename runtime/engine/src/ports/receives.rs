//! Receiving from ports: which message a receive takes, and what it does when there is none.

use super::share;
use crate::access::{Operation, with};
use crate::delivery::Delivery;
use crate::guard::Guard;
use crate::ids::{EventId, ExecutionId, ObjectId};
use crate::record::event::{Flags, Kind, Op, Pick, Span};
use crate::record::run::Past;
use crate::rules::Rule;
use crate::schedule::polls;
use crate::schedule::steps;
use crate::schedule::steps::{perform, wait, wait_patiently};
use crate::threads::WaitFor;
use crate::{Engine, Place, Plan};

/// What a receive does when there is nothing to receive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocking {
    /// Waits.
    Wait,
    /// Returns empty-handed.
    Try,
    /// Waits, but may return empty-handed at any time.
    Timeout,
}

/// What a receive got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// The message of this send, on this port.
    Message {
        object: ObjectId,
        send: EventId,
    },
    /// Every open port is disconnected.
    Closed,
    /// This port is disconnected, where any one is enough.
    OneClosed {
        object: ObjectId,
    },
    Nothing,
}

/// Remembers which arms of a select are closed, to explain why nothing is received from them.
pub fn note_closed(execution: ExecutionId, arms: impl Iterator<Item = (ObjectId, &'static Guard)>) {
    with(execution, |engine| {
        let closed = &mut engine.threads[engine.schedule.running].closed_arms;
        closed.clear();
        closed.extend(arms);
    });
}

/// Receives from any of the open ports; a disconnect is received when all are disconnected.
// Inlined as sends are, together with what the caller knows: the number of ports, and the way of blocking.
#[cfg_attr(not(any(feature = "mutants", debug_assertions)), inline(always))]
#[track_caller]
pub fn receive(execution: ExecutionId, open: &[ObjectId], blocking: Blocking, place: Place) -> Received {
    receive_as(execution, open, blocking, Flags::default(), place)
}

/// As [`receive`]; with [`Flags::ANY_CLOSED`], any one disconnect is received.
#[cfg_attr(not(any(feature = "mutants", debug_assertions)), inline(always))]
#[track_caller]
pub(crate) fn receive_as(
    execution: ExecutionId,
    open: &[ObjectId],
    blocking: Blocking,
    flags: Flags,
    place: Place,
) -> Received {
    let polls_again = blocking == Blocking::Try
        && matches!(open, [port] if with(execution, |engine| engine.polls_again(*port, place)));
    if polls_again && with(execution, |engine| engine.is_tested()) {
        polls::count_tested_poll();
        return Received::Nothing;
    }
    let may_be_nothing = blocking != Blocking::Wait;
    let blocking = if polls_again { Blocking::Wait } else { blocking };
    let how = How { blocking, flags, timed_out: false, may_be_nothing, polls_again };
    match perform(execution, Receive { open, how, place }) {
        Attempt::Received(received) => received,
        attempt => receive_later(execution, open, how, attempt, place),
    }
}

/// As [`receive_as`], for a thread that has tried to receive, without any effect yet.
#[inline(never)]
fn receive_later(
    execution: ExecutionId,
    open: &[ObjectId],
    mut how: How,
    mut attempt: Attempt,
    place: Place,
) -> Received {
    loop {
        how.timed_out = match attempt {
            Attempt::Received(received) => return received,
            Attempt::FoundNothing => {
                steps::came_back_empty();
                return Received::Nothing;
            }
            Attempt::Races(port) => share(execution, port),
            Attempt::MayTimeOut => wait_patiently(),
            Attempt::Blocked => {
                wait();
                false
            }
        };
        attempt = with(execution, |engine| {
            for &port in open {
                engine.objects[port].receiver = None;
            }
            engine.threads[engine.schedule.running].poll.is_waiting = false;
            match how.polls_again && engine.is_tested() {
                true => Attempt::Received(Received::Nothing),
                false => Receive { open, how, place }.perform(engine),
            }
        });
    }
}

/// The operation of receiving; if the thread has to wait, it records what for.
#[derive(Clone, Copy)]
struct Receive<'a> {
    open: &'a [ObjectId],
    how: How,
    place: Place,
}

impl Operation for Receive<'_> {
    type Output = Attempt;

    #[cfg_attr(not(any(feature = "mutants", debug_assertions)), inline(always))]
    fn perform(self, engine: &mut Engine) -> Attempt {
        let Receive { open, how, place } = self;
        if let Some(port) = engine.unordered_receive(open) {
            return Attempt::Races(port);
        }
        match engine.try_receive(open, how, place) {
            Ok(Received::Nothing) => {
                if let [port] = *open {
                    engine.note_poll(port, place);
                }
                Attempt::FoundNothing
            }
            Ok(received) => Attempt::Received(received),
            Err(on) => engine.block_receive(open, how, on, place),
        }
    }
}

/// The result of an attempt to receive.
enum Attempt {
    /// The thread has received something; or it finds nothing and needs no further work.
    Received(Received),
    /// The thread has received nothing.
    FoundNothing,
    /// Another thread may receive from this port at the same time.
    Races(ObjectId),
    /// The thread must wait, and may time out.
    MayTimeOut,
    /// The thread must wait.
    Blocked,
}

/// A message on a port.
#[derive(Clone, Copy, Debug)]
struct Message {
    object: ObjectId,
    /// Its place among the messages that have not been received.
    at: usize,
    send: EventId,
}

/// What a check of a port shows.
enum Look {
    /// The message to take.
    Message(Message),
    /// What to wait for.
    Wait(WaitFor),
    /// The quick check does not decide.
    Unclear,
}

/// What a receive finds.
enum Found {
    Message(Message),
    NoMessage(Received),
}

/// How a receive blocks.
#[derive(Clone, Copy, Debug)]
struct How {
    blocking: Blocking,
    flags: Flags,
    /// The wait has timed out.
    timed_out: bool,
    /// The receive may return with nothing, though a repeated poll may wait first.
    may_be_nothing: bool,
    /// The receive waits because it has polled before.
    polls_again: bool,
}

/// The operation that a receive from a port of this kind is recorded as.
#[inline]
fn receive_op(kind: Kind) -> Op {
    match kind {
        Kind::Entry => Op::Accept,
        _ => Op::Receive,
    }
}

impl Engine {
    #[inline(never)]
    fn block_receive(&mut self, open: &[ObjectId], how: How, on: WaitFor, place: Place) -> Attempt {
        let me = self.schedule.running;
        self.block(on, place);
        let thread = &mut self.threads[me];
        thread.poll.is_waiting = how.polls_again;
        thread.may_fail = how.blocking != Blocking::Wait;
        thread.any_closed = how.flags.has(Flags::ANY_CLOSED);
        for &port in open {
            self.objects[port].receiver = Some(me);
        }
        let may_time_out = matches!(on, WaitFor::Message { renewed: false, .. })
            && (how.blocking == Blocking::Timeout || self.has_fire(open));
        if may_time_out { Attempt::MayTimeOut } else { Attempt::Blocked }
    }

    /// A port from which two threads receive at once needs an order of its own.
    #[inline]
    fn unordered_receive(&self, open: &[ObjectId]) -> Option<ObjectId> {
        for &port in open {
            let o = &self.objects[port];
            if o.many_receivers
                && (o.receiver.is_some() || o.last_receive.is_some_and(|it| !self.knows_receive(it)))
            {
                return Some(port);
            }
        }
        None
    }

    /// Whether this receive is in the past of the running thread. Nearly always it is a receive of that thread.
    #[inline]
    fn knows_receive(&self, receive: EventId) -> bool {
        self.run.at(receive).thread == Some(self.schedule.running) || self.is_in_past(receive)
    }

    /// Whether a timer among these ports could fire.
    fn has_fire(&self, open: &[ObjectId]) -> bool {
        let fires_late = |o: ObjectId| self.run.objects[o].fires_late;
        open.iter().any(|&o| fires_late(o) && !self.objects[o].unreceived.is_empty())
    }

    // Inlined, like its parts, so that a receive is one piece of code.
    #[inline(always)]
    fn try_receive(&mut self, open: &[ObjectId], how: How, place: Place) -> Result<Received, WaitFor> {
        let process = self.threads[self.schedule.running].process;
        let plan = self.plan(process);
        let message = match self.look(open, how, plan) {
            Look::Message(message) => message,
            Look::Wait(on) => return Err(on),
            Look::Unclear => match self.find_anything(open, how, plan)? {
                Found::Message(message) => message,
                Found::NoMessage(got) => {
                    self.record_no_message(open, how, got, place);
                    return Ok(got);
                }
            },
        };
        self.record_message(open, how, message, place);
        Ok(Received::Message { object: message.object, send: message.send })
    }

    /// What a receive takes, or what it must wait for.
    #[inline(never)]
    fn find_anything(&mut self, open: &[ObjectId], how: How, plan: Plan) -> Result<Found, WaitFor> {
        let process = self.threads[self.schedule.running].process;
        let got = match plan {
            Plan::Fixed(past) => {
                let got = self.scripted(past, how.flags)?;
                // A receive that waits until there is something never returns with nothing.
                let is_nothing = matches!(got, Received::Nothing) && !how.may_be_nothing;
                if is_nothing
                    || !self.is_open(open, got)
                    || self.script.doubtful && !self.is_possible(open, got, how.flags)
                {
                    return Err(self.leave_script(process));
                }
                got
            }
            Plan::Renewed => self.fresh(open, how.flags)?,
            Plan::Free if self.is_random() => self.any(open, how)?,
            Plan::Free => match self.first(open, how) {
                Some(got) => got,
                None if how.blocking == Blocking::Try || how.timed_out => Received::Nothing,
                None => return Err(WaitFor::Message { object: open[0], renewed: false }),
            },
        };
        let Received::Message { object, send } = got else { return Ok(Found::NoMessage(got)) };
        match self.objects[object].unreceived.position(send) {
            Some(at) => Ok(Found::Message(Message { object, at, send })),
            // The script named a message that is not there: the program went another way.
            None => Err(self.leave_script(process)),
        }
    }

    /// A quick check of one port, which decides for most receives what they take, or that they must wait.
    #[inline(always)]
    fn look(&self, open: &[ObjectId], how: How, plan: Plan) -> Look {
        let &[object] = open else { return Look::Unclear };
        let (o, recorded) = (&self.objects[object], &self.run.objects[object]);
        if self.script.doubtful || recorded.fires_late {
            return Look::Unclear;
        }
        match plan {
            Plan::Fixed(past) => {
                let &[partner] = self.script.takes(past) else { return Look::Unclear };
                match self.again(partner) {
                    Err(name) => Look::Wait(WaitFor::Event(name)),
                    Ok(send) => match o.unreceived.position(send) {
                        Some(at) => Look::Message(Message { object, at, send }),
                        None => Look::Unclear,
                    },
                }
            }
            Plan::Free if !self.is_random() => match o.unreceived.first() {
                // The earliest of all cannot have overtaken another.
                Some(&send) => Look::Message(Message { object, at: 0, send }),
                None if how.blocking == Blocking::Wait && recorded.closed.is_none() => {
                    Look::Wait(WaitFor::Message { object, renewed: false })
                }
                None => Look::Unclear,
            },
            _ => Look::Unclear,
        }
    }

    /// Records the receive of a message.
    #[inline(always)]
    fn record_message(&mut self, open: &[ObjectId], how: How, message: Message, place: Place) {
        let Message { object, at, send } = message;
        let (list, flags) = self.record_open(open, how);
        let kind = self.run.objects[object].kind;
        let taken =
            self.record_pick(receive_op(kind), Some(object), Pick::Partners, &[send], list, flags, place);
        self.run.events[send].taken_by = Some(taken);
        if open.len() > 1 {
            // A thread that receives from another of these ports at the same time could have taken a message first.
            for &port in open {
                self.objects[port].last_receive = Some(taken);
            }
        }
        let o = &mut self.objects[object];
        o.last_receive = Some(taken);
        o.unreceived.remove(at);
        if kind == Kind::Timer {
            self.take_fire(object, taken);
        }
    }

    /// What the record of a receive contains about the ports that it was open for, and about how it blocks.
    #[inline(always)]
    fn record_open(&mut self, open: &[ObjectId], how: How) -> (Span, Flags) {
        let list = if open.len() > 1 { self.run.push_ports(open) } else { Span::default() };
        let may_fail = how.blocking != Blocking::Wait;
        self.run.may_find_nothing |= may_fail;
        (list, if may_fail { how.flags | Flags::MAY_FAIL } else { how.flags })
    }

    #[cold]
    #[inline(never)]
    fn record_no_message(&mut self, open: &[ObjectId], how: How, got: Received, place: Place) {
        let (list, flags) = self.record_open(open, how);
        let closed: Vec<EventId> = match got {
            Received::Closed => open.iter().filter_map(|&o| self.run.objects[o].closed).collect(),
            Received::OneClosed { object } => self.run.objects[object].closed.into_iter().collect(),
            _ => Vec::new(),
        };
        let object = if let Received::OneClosed { object } = got { object } else { open[0] };
        let op = receive_op(self.run.objects[object].kind);
        let pick = if closed.is_empty() { Pick::Nothing } else { Pick::Partners };
        let event = self.record_pick(op, Some(object), pick, &closed, list, flags, place);
        for &port in open {
            self.objects[port].last_receive = Some(event);
        }
    }

    /// What the receive takes by the script, once that has happened.
    #[inline(always)]
    fn scripted(&self, past: EventId, flags: Flags) -> Result<Received, WaitFor> {
        let mut found = None;
        for &partner in self.script.takes(past) {
            found = Some(self.again(partner).map_err(WaitFor::Event)?);
        }
        let Some(found) = found else { return Ok(Received::Nothing) };
        let event = self.run.at(found);
        // A recorded sequence may contain anything; an event that cannot be taken is noticed at the end.
        let object = event.object.ok_or_else(|| WaitFor::Event(self.name_of(found)))?;
        Ok(match event.op {
            Op::Disconnect if flags.has(Flags::ANY_CLOSED) => Received::OneClosed { object },
            Op::Disconnect => Received::Closed,
            _ => Received::Message { object, send: found },
        })
    }

    /// Whether a receive from these ports could ever take what the script names.
    #[inline(always)]
    fn is_open(&self, open: &[ObjectId], got: Received) -> bool {
        match got {
            Received::Message { object, .. } | Received::OneClosed { object } => open.contains(&object),
            Received::Closed => self.all_closed(open),
            Received::Nothing => true,
        }
    }

    /// Whether the delivery lets a receive take this message now.
    #[cold]
    #[inline(never)]
    fn is_possible(&self, open: &[ObjectId], got: Received, flags: Flags) -> bool {
        let there = |o: ObjectId| &self.objects[o].unreceived;
        match got {
            Received::Message { object, send } => {
                there(object).contains(&send) && self.not_overtaking(object, send) == send
            }
            Received::Closed => open.iter().all(|&o| there(o).is_empty()),
            Received::OneClosed { object } => there(object).is_empty(),
            Received::Nothing => !self.surely_there(open, flags),
        }
    }

    /// The earliest message there is, or a disconnect. The earliest of all cannot have overtaken another. A timer fires
    /// only when the wait times out.
    #[inline]
    fn first(&self, open: &[ObjectId], how: How) -> Option<Received> {
        let earliest = |timers: bool| {
            let ports = open.iter().filter(|&&o| timers == self.run.objects[o].fires_late);
            ports
                .filter_map(|&o| self.objects[o].unreceived.first().map(|&send| (send, o)))
                .min()
                .map(|(send, object)| Received::Message { object, send })
        };
        let closed = || self.closed(open, how.flags);
        let fired = || if how.timed_out { earliest(true) } else { None };
        earliest(false).or_else(closed).or_else(fired)
    }

    /// The disconnect that a receive would find if there is no message.
    #[inline]
    fn closed(&self, open: &[ObjectId], flags: Flags) -> Option<Received> {
        if !flags.has(Flags::ANY_CLOSED) {
            return self.all_closed(open).then_some(Received::Closed);
        }
        let object = open.iter().copied().find(|&o| self.is_closed_and_empty(o))?;
        Some(Received::OneClosed { object })
    }

    /// Whether a port is disconnected, and nothing is left in it.
    fn is_closed_and_empty(&self, port: ObjectId) -> bool {
        self.run.objects[port].closed.is_some() && self.objects[port].unreceived.is_empty()
    }

    pub fn all_closed(&self, open: &[ObjectId]) -> bool {
        open.iter().all(|&o| self.run.objects[o].closed.is_some())
    }

    /// The earliest message that is not old.
    #[cold]
    #[inline(never)]
    fn fresh(&self, open: &[ObjectId], flags: Flags) -> Result<Received, WaitFor> {
        let on = |&o: &ObjectId| self.objects[o].unreceived.iter().map(move |&send| (send, o));
        let new = open.iter().flat_map(on).filter(|&(send, _)| !self.is_old(send));
        if let Some((send, object)) = new.filter(|&(send, o)| self.not_overtaking(o, send) == send).min() {
            return Ok(Received::Message { object, send });
        }
        let is_new = |o: ObjectId| self.run.objects[o].closed.is_some_and(|it| !self.is_old(it));
        let is_empty = |o: ObjectId| self.objects[o].unreceived.is_empty();
        let is_closed = |o: ObjectId| self.run.objects[o].closed.is_some();
        if flags.has(Flags::ANY_CLOSED) {
            let closed = open.iter().copied().find(|&o| is_closed(o) && is_empty(o) && is_new(o));
            if let Some(object) = closed {
                return Ok(Received::OneClosed { object });
            }
        } else if open.iter().all(|&o| is_empty(o) && is_closed(o)) && open.iter().any(|&o| is_new(o)) {
            return Ok(Received::Closed);
        }
        Err(WaitFor::Message { object: open[0], renewed: true })
    }

    /// A partner that the receive may have now, chosen at random.
    #[cold]
    #[inline(never)]
    fn any(&mut self, open: &[ObjectId], how: How) -> Result<Received, WaitFor> {
        let there: Vec<(EventId, ObjectId)> = open
            .iter()
            .flat_map(|&o| self.objects[o].unreceived.iter().map(move |&send| (send, o)))
            .collect();
        let closed: Vec<Received> = if how.flags.has(Flags::ANY_CLOSED) {
            let ports = open.iter().filter(|&&o| self.is_closed_and_empty(o));
            ports.map(|&object| Received::OneClosed { object }).collect()
        } else {
            let all = there.is_empty() && self.all_closed(open);
            all.then_some(Received::Closed).into_iter().collect()
        };
        let may_fail = how.blocking != Blocking::Wait;
        let early = how.timed_out || how.blocking == Blocking::Try || !closed.is_empty() || !there.is_empty();
        let nothing = may_fail && early && !self.surely_there(open, how.flags);
        let choices = there.len() + closed.len() + usize::from(nothing);
        if choices == 0 {
            return Err(WaitFor::Message { object: open[0], renewed: false });
        }
        let n = self.choose(choices);
        Ok(match there.get(n) {
            Some(&(send, object)) => Received::Message { object, send: self.not_overtaking(object, send) },
            None => closed.get(n - there.len()).copied().unwrap_or(Received::Nothing),
        })
    }

    /// The message itself, or the first of those on the same port that it must not overtake.
    fn not_overtaking(&self, port: ObjectId, send: EventId) -> EventId {
        let unreceived = &self.objects[port].unreceived;
        let waiting = unreceived.iter().copied().filter(|&u| u < send);
        let before = match self.run.objects[port].delivery {
            Delivery::Bag => None,
            Delivery::Fifo => waiting.filter(|&u| self.run.at(u).process == self.run.at(send).process).min(),
            Delivery::Mailbox => self.run.first_before(send, unreceived, Past::WithTurns),
            Delivery::Causal => self.run.first_before(send, unreceived, Past::WithoutTurns),
        };
        before.filter(|_| self.settings.rules.has(Rule::CausalDelivery)).unwrap_or(send)
    }

    /// Whether the past of the running thread holds something to receive, so that NOTHING would be untrue. (When most
    /// timers fire is not known.)
    pub(crate) fn surely_there(&self, open: &[ObjectId], flags: Flags) -> bool {
        let is_closed = |&o: &ObjectId| {
            let drops = &self.objects[o].drops;
            self.run.objects[o]
                .closed
                .is_some_and(|it| self.is_in_past(it) || drops.iter().all(|&drop| self.is_in_past(drop)))
        };
        let is_sent = |&o: &ObjectId| {
            let unreceived = &self.objects[o].unreceived;
            match self.run.objects[o].kind {
                // The creation of the timer is in the past of every thread that has it.
                Kind::Timer => !self.run.objects[o].fires_late && !unreceived.is_empty(),
                _ => unreceived.iter().any(|&send| self.is_in_past(send)),
            }
        };
        open.iter().any(is_sent)
            || if flags.has(Flags::ANY_CLOSED) {
                open.iter().any(is_closed)
            } else {
                open.iter().all(is_closed)
            }
    }
}
