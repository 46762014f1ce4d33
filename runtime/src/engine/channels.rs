//! Channels with any number of senders and receivers, and selects over them.
//!
//! A channel that is never full is a port ([`super::ports`]) as long as its receives are ordered by happens-before, and
//! an object ([`super::objects`]) once they are not. A select over ports alone is one receive; any other is one offer for
//! each arm on a timeline that its channels share.

use super::calling::{self, Waits};
use super::event::{Flags, Kind, Op};
use super::ids::{EventId, ExecutionId, ObjectId};
use super::objects::{Answer, Argument, Call, State, channel, rendezvous, timer};
use super::panics::is_panicking;
use super::ports;
use super::receiving::{self, Patience, Received};
use super::stepping::{self, begin, suspend_for_good, wait};
use super::threads::WaitFor;
use super::topology::Fact;
use super::{Engine, Place, alive, of};

/// One arm of a select.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arm {
    pub(crate) object: ObjectId,
    pub(crate) side: Side,
}

/// What an arm wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Side {
    Put,
    Take,
}

/// What a select does when no arm is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Otherwise {
    Wait,
    /// Comes back at once.
    Default,
    /// Waits, but may come back at any time.
    Timeout,
}

/// How a select goes about it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub(crate) otherwise: Otherwise,
    /// Nothing is put or taken; it only says which arm is ready.
    pub(crate) ready_only: bool,
    /// The first arm that is ready is taken.
    pub(crate) biased: bool,
}

/// What a select came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Selected {
    Arm { index: usize, got: Got },
    Otherwise,
}

/// What the arm of a select got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Got {
    /// Room for a message, which goes by this name; [`handed_over`] must follow.
    Put(EventId),
    /// The message of this name.
    Message(EventId),
    Disconnected,
    Ready,
}

/// Makes a channel with one sender and one receiver: [`Kind::Channel`] is never full, [`Kind::Bounded`] holds `capacity`
/// messages, [`Kind::Rendezvous`] none; a [`Kind::Timer`] fires again and again if it has a capacity.
pub(crate) fn new(execution: ExecutionId, kind: Kind, capacity: usize) -> ObjectId {
    let engine = stepping::begin_to_make(execution);
    let process = engine.new_process(kind);
    let can_be_port = matches!(kind, Kind::Channel | Kind::Timer);
    let is_port = can_be_port && !engine.processes.facts(process).shared;
    let o = match kind {
        _ if is_port => engine.new_port(process, kind),
        Kind::Timer => engine.new_object(process, kind, State::Timer(timer::State::default())),
        Kind::Rendezvous => engine.new_object(process, kind, State::Rendezvous(rendezvous::State::default())),
        _ => {
            let capacity = (kind == Kind::Bounded).then_some(capacity as u64);
            engine.new_object(process, kind, State::Channel(channel::State::new(capacity)))
        }
    };
    engine.objects[o].many_receivers = is_port;
    if kind == Kind::Timer {
        engine.objects[o].ticks = capacity > 0;
        let process = if is_port { process } else { engine.child_process(process, kind, 1) };
        let prev = engine.threads[engine.running].prev;
        let fire = engine.record_fire(o, process, prev);
        if is_port {
            engine.objects[o].unreceived.push(fire);
            engine.run.objects[o].sending.push(fire);
        } else {
            let state = State::Timer(timer::State { fire: Some(fire) });
            engine.run.objects[o].initial = state.snapshot();
            engine.objects[o].state = state;
        }
    }
    o
}

/// Whether a channel is a port; else it is an object.
#[track_caller]
pub(crate) fn is_port(execution: ExecutionId, object: ObjectId) -> bool {
    of(execution).run.objects[object].is_port
}

/// A channel that only one thread at a time can receive from, whose messages nobody notices being dropped.
pub(crate) fn stays_port(execution: ExecutionId, object: ObjectId) {
    of(execution).objects[object].stays_port = true;
}

/// It matters when the messages in a channel are dropped, and by whom; if it has no order that tells, the exploration starts
/// again with one.
///
/// # Panics
/// If it is a port with a declared delivery or an entry, which never has one.
#[track_caller]
pub(crate) fn need_object(execution: ExecutionId, object: ObjectId) {
    let kind = of(execution).run.objects[object].kind;
    if matches!(kind, Kind::Port | Kind::Entry) {
        // Whoever is unwinding fails anyway, and a second panic would end the process.
        assert!(
            is_panicking(),
            "insyn: what was still in the {} when its receiver was dropped synchronizes when it is dropped itself, and in \
             which order is not declared; receive it before, or use a channel",
            kind.word()
        );
        return;
    }
    need_order(execution, object);
    let engine = of(execution);
    let process = engine.run.objects[object].process;
    if engine.objects[object].receiver_drops.len() > 1 && !engine.processes.facts(process).counted {
        engine.learn(Fact::Counted(engine.processes.path(process)));
        suspend_for_good();
    }
}

/// Something is asked of a channel that only an order of its own can answer; if it has none, the exploration starts
/// again.
#[track_caller]
fn need_order(execution: ExecutionId, object: ObjectId) {
    let engine = of(execution);
    if engine.run.objects[object].is_port {
        share(engine, object);
    }
}

/// The exploration starts again with a channel that has an order of its own.
#[cold]
#[inline(never)]
pub(super) fn share(engine: &mut Engine, object: ObjectId) {
    let process = engine.run.objects[object].process;
    engine.learn(Fact::Shared(engine.processes.path(process)));
    suspend_for_good();
}

/// Another handle for receiving; no event.
#[track_caller]
pub(crate) fn clone_receiver(execution: ExecutionId, object: ObjectId) {
    of(execution).objects[object].receivers += 1;
}

/// Drops a handle for receiving. With the last, sends fail; the messages that die with it, in order.
pub(crate) fn drop_receiver(execution: ExecutionId, object: ObjectId, place: Place) -> Vec<EventId> {
    let Some(engine) = alive(execution) else { return Vec::new() };
    if engine.run.objects[object].is_port {
        ports::drop_receiver(execution, object, place);
        let Some(engine) = alive(execution) else { return Vec::new() };
        if engine.objects[object].receivers > 0 || engine.run.objects[object].kind == Kind::Timer {
            return Vec::new();
        }
        return engine.objects[object].unreceived.to_vec();
    }
    let o = &engine.objects[object];
    let only_one = o.receivers == 1 && o.receiver_drops.is_empty();
    if only_one || engine.processes.facts(engine.run.objects[object].process).counted {
        if calling::call(execution, object, Op::DropReceiver, place) != Answer::Yes {
            return Vec::new();
        }
    } else {
        let engine = begin(execution);
        let drop = engine.record_thread(Op::DropReceiver, object, place);
        let o = &mut engine.objects[object];
        o.receiver_drops.push(drop);
        o.receivers -= 1;
        if o.receivers > 0 {
            return Vec::new();
        }
        let event = engine.hang_up(object, place);
        let host = engine.run.objects[object].host;
        engine.run.objects[host].sending.push(event);
        let call = Call { event, thread: None, object, op: Op::HangUp, flags: Flags::default() };
        // What comes later knows of it, so it goes first.
        engine.objects[host].pending.insert(0, call);
        engine.run.may_find_nothing = true;
        engine.advance(object);
    }
    let Some(engine) = alive(execution) else { return Vec::new() };
    engine.objects[object].state.channel_mut().into_iter().flat_map(channel::State::drain).collect()
}

/// How many messages are inside.
#[track_caller]
pub(crate) fn observe(execution: ExecutionId, object: ObjectId, place: Place) -> u64 {
    need_order(execution, object);
    match calling::call(execution, object, Op::Observe, place) {
        Answer::Count(messages) => messages,
        answer => unreachable!("a look tells how many messages there are, not {answer:?}"),
    }
}

/// Waits until one of the arms is ready, and takes it.
#[track_caller]
pub(crate) fn select(execution: ExecutionId, arms: &[Arm], manner: Manner, place: Place) -> Selected {
    let engine = of(execution);
    let all_ports = arms.iter().all(|arm| arm.side == Side::Take && engine.run.objects[arm.object].is_port);
    match arms {
        [] => select_nothing(execution, manner.otherwise, place),
        _ if all_ports && !manner.ready_only && (!manner.biased || arms.len() == 1) => {
            select_ports(execution, arms, manner.otherwise, place)
        }
        [arm] if !manner.ready_only => select_one(execution, *arm, manner.otherwise, place),
        _ => select_on_timeline(execution, arms, manner, place),
    }
}

fn select_nothing(execution: ExecutionId, otherwise: Otherwise, place: Place) -> Selected {
    if otherwise != Otherwise::Wait {
        return Selected::Otherwise;
    }
    loop {
        of(execution).block(WaitFor::Forever, place);
        wait();
    }
}

fn select_ports(execution: ExecutionId, arms: &[Arm], otherwise: Otherwise, place: Place) -> Selected {
    let mut open: Vec<ObjectId> = Vec::with_capacity(arms.len());
    for arm in arms {
        if !open.contains(&arm.object) {
            open.push(arm.object);
        }
    }
    let patience = match otherwise {
        Otherwise::Wait => Patience::Wait,
        Otherwise::Default => Patience::None,
        Otherwise::Timeout => Patience::Timeout,
    };
    let arm_of = |object: ObjectId| arms.iter().position(|arm| arm.object == object).expect("an open arm");
    match receiving::receive_as(execution, &open, patience, Flags::ANY_CLOSED, place) {
        Received::Message { object, send } => {
            Selected::Arm { index: arm_of(object), got: Got::Message(send) }
        }
        Received::OneClosed { object } => Selected::Arm { index: arm_of(object), got: Got::Disconnected },
        Received::Closed => Selected::Arm { index: 0, got: Got::Disconnected },
        Received::Nothing => Selected::Otherwise,
    }
}

/// A select with one arm is that operation.
fn select_one(execution: ExecutionId, arm: Arm, otherwise: Otherwise, place: Place) -> Selected {
    let Arm { object, side } = arm;
    if side == Side::Put && is_port(execution, object) {
        let got = ports::send(execution, object, Op::Send, place)
            .map_or(Got::Disconnected, |sent| Got::Put(sent.event));
        return Selected::Arm { index: 0, got };
    }
    let op = match (side, otherwise) {
        (Side::Put, Otherwise::Wait) => Op::Put,
        (Side::Put, Otherwise::Default) => Op::TryPut,
        (Side::Put, Otherwise::Timeout) => Op::PutTimeout,
        (Side::Take, Otherwise::Wait) => Op::Take,
        (Side::Take, Otherwise::Default) => Op::TryTake,
        (Side::Take, Otherwise::Timeout) => Op::TakeTimeout,
    };
    let (event, answer) = calling::call_as(execution, object, op, Argument::None, place, |_| {});
    outcome(0, event, false, answer)
}

fn outcome(index: usize, event: EventId, ready_only: bool, answer: Answer) -> Selected {
    let got = match answer {
        Answer::Yes if ready_only => Got::Ready,
        Answer::Yes => Got::Put(event),
        Answer::Disconnected => Got::Disconnected,
        Answer::Message(put) => Got::Message(put),
        _ => return Selected::Otherwise,
    };
    Selected::Arm { index, got }
}

fn select_on_timeline(execution: ExecutionId, arms: &[Arm], manner: Manner, place: Place) -> Selected {
    need_common_timeline(execution, arms);
    let engine = begin(execution);
    engine.record_thread(Op::Select, None, place);
    let mut flags = Flags::default();
    if manner.otherwise == Otherwise::Default {
        flags = flags | Flags::HASTY;
    }
    if manner.biased {
        flags = flags | Flags::BIASED;
        // It says of the arms that it passes over that nothing was there.
        engine.run.may_find_nothing = true;
    }
    let mut offers: Vec<EventId> = Vec::with_capacity(arms.len());
    for arm in arms {
        let op = match (arm.side, manner.ready_only) {
            (Side::Put, false) => Op::OfferPut,
            (Side::Put, true) => Op::ReadyPut,
            (Side::Take, false) => Op::OfferTake,
            (Side::Take, true) => Op::ReadyTake,
        };
        offers.push(engine.offer(arm.object, op, flags, place));
    }
    let first = arms[0].object;
    let last = match manner.otherwise {
        Otherwise::Wait => None,
        Otherwise::Default => Some(Op::OfferDefault),
        Otherwise::Timeout => Some(Op::OfferTimeout),
    };
    if let Some(op) = last {
        engine.offer(first, op, Flags::default(), place);
    }
    let me = engine.running;
    engine.threads[me].offers = offers.len() as u32 + u32::from(last.is_some());
    let has_timer = arms.iter().any(|arm| engine.run.objects[arm.object].kind == Kind::Timer);
    let timed = has_timer || manner.otherwise == Otherwise::Timeout;
    let how = if timed { Waits::WithTimeout } else { Waits::ForGood };
    let answer = calling::await_completion(execution, first, Op::Select, how, place);
    let chosen = of(execution).threads[me].chosen;
    match offers.iter().position(|&offer| Some(offer) == chosen) {
        Some(index) => outcome(index, offers[index], manner.ready_only, answer),
        None => {
            if manner.otherwise == Otherwise::Default {
                stepping::came_back_empty();
            }
            Selected::Otherwise
        }
    }
}

/// The channels of a select must be objects on one timeline; if they are not, the exploration starts again so that they
/// are.
fn need_common_timeline(execution: ExecutionId, arms: &[Arm]) {
    let engine = of(execution);
    let first = arms[0].object;
    let mut new = false;
    for arm in arms {
        let process = engine.run.objects[arm.object].process;
        if engine.run.objects[arm.object].is_port {
            engine.learn(Fact::Shared(engine.processes.path(process)));
            new = true;
        }
        let (mine, its) = (&engine.run.objects[first], &engine.run.objects[arm.object]);
        if mine.host != its.host {
            let (a, b) = (engine.processes.path(mine.process), engine.processes.path(its.process));
            engine.learn(if a < b { Fact::Joined(a, b) } else { Fact::Joined(b, a) });
            new = true;
        }
    }
    if new {
        suspend_for_good();
    }
}

/// The message of a selected put is where its taker finds it.
pub(crate) fn handed_over(execution: ExecutionId, object: ObjectId, event: EventId) {
    let engine = of(execution);
    let prev = engine.threads[engine.running].prev;
    engine.handovers.push((event, prev));
    for t in engine.threads.ids() {
        if engine.threads[t].waits_for == (WaitFor::Handover { object, event }) {
            engine.wake(t);
        }
    }
}

/// A taker has its message: it knows what the sender did before it was there.
#[inline]
pub(crate) fn note_handover(execution: ExecutionId, event: EventId) {
    let engine = of(execution);
    if let Some(&(_, prev)) = engine.handovers.iter().find(|(e, _)| *e == event) {
        let me = engine.running;
        engine.threads[me].also = prev;
    }
}

/// Waits for a message that was selected to be put and is not there yet.
pub(crate) fn await_handover(execution: ExecutionId, object: ObjectId, event: EventId, place: Place) {
    loop {
        let engine = of(execution);
        if engine.handovers.iter().any(|(e, _)| *e == event) {
            return note_handover(execution, event);
        }
        engine.block(WaitFor::Handover { object, event }, place);
        wait();
    }
}
