//! Channels with any number of senders and receivers, and selects over them.
//!
//! A channel that is never full is a port ([`crate::ports`]) as long as its receives are ordered by happens-before, and
//! an object ([`crate::objects`]) once they are not. A select over ports alone is one receive; any other select makes one
//! offer per arm, on a timeline that its channels share.

use crate::access::{is_alive, with, with_alive};
use crate::calls;
use crate::calls::Waits;
use crate::ids::{EventId, ExecutionId, ObjectId};
use crate::objects::{Answer, Argument, Call, State, channel, rendezvous, timer};
use crate::ports;
use crate::ports::receives;
use crate::ports::receives::{Blocking, Received};
use crate::record::event::{Flags, Kind, Op};
use crate::refinement::Fact;
use crate::schedule::steps;
use crate::schedule::steps::{begin, suspend_for_good, wait};
use crate::threads::WaitFor;
use crate::threads::panics::is_panicking;
use crate::{Engine, Place};

/// One arm of a select.
#[derive(Clone, Copy, Debug)]
pub struct Arm {
    pub object: ObjectId,
    pub side: Side,
}

/// What an arm wants to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Put,
    Take,
}

/// What a select does when no arm is ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Otherwise {
    Wait,
    /// Returns at once.
    Default,
    /// Waits, but may time out at any time.
    Timeout,
}

/// The options of a select.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    pub otherwise: Otherwise,
    /// Nothing is put or taken; the select only reports which arm is ready.
    pub ready_only: bool,
    /// The first arm that is ready is taken.
    pub biased: bool,
}

/// The result of a select.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selected {
    Arm { index: usize, got: Got },
    Otherwise,
}

/// What the arm of a select got.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Got {
    /// Room for a message, whose name is this event; a call of [`handed_over`] must follow.
    Put(EventId),
    /// The message of this name.
    Message(EventId),
    Disconnected,
    Ready,
}

/// Makes a channel with one sender and one receiver: [`Kind::Channel`] is never full, [`Kind::Bounded`] holds `capacity`
/// messages, [`Kind::Rendezvous`] none.
pub fn new(execution: ExecutionId, kind: Kind, capacity: usize) -> ObjectId {
    new_channel(execution, kind, capacity, |_, _| {})
}

/// Makes a timer, which fires repeatedly if it `ticks`, and at once if it `has_fired`.
pub fn new_timer(execution: ExecutionId, ticks: bool, has_fired: bool) -> ObjectId {
    new_channel(execution, Kind::Timer, 0, |engine, o| {
        engine.objects[o].ticks = ticks;
        engine.run.objects[o].fires_late = !has_fired;
        let process = engine.run.objects[o].process;
        let is_port = engine.run.objects[o].is_port;
        let process = if is_port { process } else { engine.child_process(process, Kind::Timer, 1) };
        let prev = engine.threads[engine.schedule.running].prev;
        let fire = engine.record_fire(o, process, prev);
        if is_port {
            engine.objects[o].unreceived.push(fire);
            engine.run.objects[o].sending.push(fire);
        } else {
            let state = State::Timer(timer::State { fire: Some(fire), has_fired });
            engine.run.objects[o].initial = state.snapshot();
            engine.objects[o].state = state;
        }
    })
}

fn new_channel(
    execution: ExecutionId,
    kind: Kind,
    capacity: usize,
    complete: impl FnOnce(&mut Engine, ObjectId),
) -> ObjectId {
    steps::begin_to_make(execution, |engine| {
        let process = engine.new_process(kind);
        let can_be_port = matches!(kind, Kind::Channel | Kind::Timer);
        let is_port = can_be_port && !engine.processes.facts(process).shared;
        let o = match kind {
            _ if is_port => engine.new_port(process, kind),
            Kind::Timer => engine.new_object(process, kind, State::Timer(timer::State::default())),
            Kind::Rendezvous => {
                engine.new_object(process, kind, State::Rendezvous(rendezvous::State::default()))
            }
            _ => {
                let capacity = (kind == Kind::Bounded).then_some(capacity as u64);
                engine.new_object(process, kind, State::Channel(channel::State::new(capacity)))
            }
        };
        engine.objects[o].many_receivers = is_port;
        complete(engine, o);
        o
    })
}

/// Whether a channel is a port; else it is an object.
#[track_caller]
pub fn is_port(execution: ExecutionId, object: ObjectId) -> bool {
    with(execution, |engine| engine.run.objects[object].is_port)
}

/// Marks a channel that only one thread at a time can receive from, and whose messages have no observable destructor.
pub fn stays_port(execution: ExecutionId, object: ObjectId) {
    with(execution, |engine| engine.objects[object].stays_port = true);
}

/// Makes sure that a channel has an order of its own, because it matters when and by which thread its messages are dropped.
/// If the channel has none, the exploration starts again with one.
///
/// # Panics
/// If the channel is an entry or a port with a declared delivery, which never have an order of their own.
#[track_caller]
pub fn need_object(execution: ExecutionId, object: ObjectId) {
    let kind = with(execution, |engine| engine.run.objects[object].kind);
    if matches!(kind, Kind::Port | Kind::Entry) {
        // A thread that is unwinding fails anyway, and a second panic would end the process.
        assert!(
            is_panicking(),
            "insyn: what was still in the {} when its receiver was dropped synchronizes when it is dropped itself, and in \
             which order is not declared; receive it before, or use a channel",
            kind.word()
        );
        return;
    }
    need_order(execution, object);
    let must_count = with(execution, |engine| {
        let process = engine.run.objects[object].process;
        engine.objects[object].receiver_drops.len() > 1 && !engine.processes.facts(process).counted
    });
    if must_count {
        steps::start_again(execution, |engine| {
            Fact::Counted(engine.processes.path(engine.run.objects[object].process))
        });
    }
}

/// For operations that need a channel with an order of its own; if the channel has none, the exploration starts again with
/// one.
#[track_caller]
fn need_order(execution: ExecutionId, object: ObjectId) {
    if is_port(execution, object) {
        ports::share(execution, object);
    }
}

/// Another handle for receiving; no event.
#[track_caller]
pub fn clone_receiver(execution: ExecutionId, object: ObjectId) {
    with(execution, |engine| engine.objects[object].receivers += 1);
}

/// Drops a handle for receiving; after the last one, sends fail. Returns the messages that are dropped with it, in order.
pub fn drop_receiver(execution: ExecutionId, object: ObjectId, place: Place) -> Vec<EventId> {
    if !is_alive(execution) {
        return Vec::new();
    }
    if is_port(execution, object) {
        ports::drop_receiver(execution, object, place);
        return with_alive(execution, |engine| {
            let is_last = engine.objects[object].receivers == 0;
            let dies = is_last && engine.run.objects[object].kind != Kind::Timer;
            if dies { engine.objects[object].unreceived.to_vec() } else { Vec::new() }
        })
        .unwrap_or_default();
    }
    let is_ordered = with(execution, |engine| {
        let o = &engine.objects[object];
        let is_only = o.receivers == 1 && o.receiver_drops.is_empty();
        is_only || engine.processes.facts(engine.run.objects[object].process).counted
    });
    let is_last = match is_ordered {
        true => calls::call(execution, object, Op::DropReceiver, place) == Answer::Yes,
        false => begin(execution, |engine| engine.drop_one_receiver(object, place)),
    };
    if !is_last {
        return Vec::new();
    }
    let inside = |engine: &mut Engine| {
        let channel = engine.objects[object].state.channel_mut();
        channel.into_iter().flat_map(channel::State::drain).collect()
    };
    with_alive(execution, inside).unwrap_or_default()
}

impl Engine {
    /// The running thread drops one of several handles for receiving. Returns whether it was the last.
    fn drop_one_receiver(&mut self, object: ObjectId, place: Place) -> bool {
        let drop = self.record_thread(Op::DropReceiver, object, place);
        let o = &mut self.objects[object];
        o.receiver_drops.push(drop);
        o.receivers -= 1;
        if o.receivers > 0 {
            return false;
        }
        let event = self.hang_up(object, place);
        let host = self.run.objects[object].host;
        self.run.objects[host].sending.push(event);
        let call = Call { event, thread: None, object, op: Op::HangUp, flags: Flags::default() };
        // Later calls come after the hang-up, so it is completed first.
        self.objects[host].pending.insert(0, call);
        self.advance(object);
        true
    }
}

/// How many messages are inside.
#[track_caller]
pub fn observe(execution: ExecutionId, object: ObjectId, place: Place) -> u64 {
    need_order(execution, object);
    match calls::call(execution, object, Op::Observe, place) {
        Answer::Count(messages) => messages,
        answer => unreachable!("a look tells how many messages there are, not {answer:?}"),
    }
}

/// Waits until one of the arms is ready, and takes it.
#[track_caller]
pub fn select(execution: ExecutionId, arms: &[Arm], manner: Manner, place: Place) -> Selected {
    let all_ports = arms.iter().all(|arm| arm.side == Side::Take && is_port(execution, arm.object));
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
    steps::wait_forever(execution, place)
}

fn select_ports(execution: ExecutionId, arms: &[Arm], otherwise: Otherwise, place: Place) -> Selected {
    let mut open: Vec<ObjectId> = Vec::with_capacity(arms.len());
    for arm in arms {
        if !open.contains(&arm.object) {
            open.push(arm.object);
        }
    }
    let blocking = match otherwise {
        Otherwise::Wait => Blocking::Wait,
        Otherwise::Default => Blocking::Try,
        Otherwise::Timeout => Blocking::Timeout,
    };
    let arm_of = |object: ObjectId| arms.iter().position(|arm| arm.object == object).expect("an open arm");
    match receives::receive_as(execution, &open, blocking, Flags::ANY_CLOSED, place) {
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
    let (event, answer) = calls::call_as(execution, object, op, Argument::None, place, |_| {});
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
    let mut offers: Vec<EventId> = Vec::with_capacity(arms.len());
    let how = begin(execution, |engine| engine.offer_arms(arms, manner, &mut offers, place));
    let answer = calls::await_completion(execution, arms[0].object, Op::Select, how, place);
    let chosen = with(execution, |engine| engine.threads[engine.schedule.running].chosen);
    match offers.iter().position(|&offer| Some(offer) == chosen) {
        Some(index) => outcome(index, offers[index], manner.ready_only, answer),
        None => {
            if manner.otherwise == Otherwise::Default {
                steps::came_back_empty();
            }
            Selected::Otherwise
        }
    }
}

impl Engine {
    /// Makes an offer for each arm of a select, and one for its default or timeout. Returns how the select waits.
    fn offer_arms(&mut self, arms: &[Arm], manner: Manner, offers: &mut Vec<EventId>, place: Place) -> Waits {
        self.record_thread(Op::Select, None, place);
        let mut flags = Flags::default();
        if manner.otherwise == Otherwise::Default {
            flags = flags | Flags::NO_WAIT;
        }
        if manner.biased {
            flags = flags | Flags::BIASED;
            // A select that takes a later arm shows that the arms before it were not ready.
            self.run.may_find_nothing = true;
        }
        for arm in arms {
            let op = match (arm.side, manner.ready_only) {
                (Side::Put, false) => Op::OfferPut,
                (Side::Put, true) => Op::ReadyPut,
                (Side::Take, false) => Op::OfferTake,
                (Side::Take, true) => Op::ReadyTake,
            };
            offers.push(self.offer(arm.object, op, flags, place));
        }
        let last = match manner.otherwise {
            Otherwise::Wait => None,
            Otherwise::Default => Some(Op::OfferDefault),
            Otherwise::Timeout => Some(Op::OfferTimeout),
        };
        if let Some(op) = last {
            self.offer(arms[0].object, op, Flags::default(), place);
        }
        let me = self.schedule.running;
        self.threads[me].offers = offers.len() as u32 + u32::from(last.is_some());
        let has_timer = arms.iter().any(|arm| self.run.objects[arm.object].kind == Kind::Timer);
        let timed = has_timer || manner.otherwise == Otherwise::Timeout;
        if timed { Waits::WithTimeout } else { Waits::ForGood }
    }
}

/// The channels of a select must be objects on one timeline; if they are not, the exploration starts again so that they
/// are.
fn need_common_timeline(execution: ExecutionId, arms: &[Arm]) {
    let is_common = with(execution, |engine| {
        let first = arms[0].object;
        let mut is_common = true;
        for arm in arms {
            let (mine, its) = (&engine.run.objects[first], &engine.run.objects[arm.object]);
            let (a, b) = (engine.processes.path(mine.process), engine.processes.path(its.process));
            let (is_port, is_elsewhere) = (its.is_port, mine.host != its.host);
            if is_port {
                engine.refine(Fact::Shared(b.clone()));
            }
            if is_elsewhere {
                engine.refine(if a < b { Fact::Joined(a, b) } else { Fact::Joined(b, a) });
            }
            is_common &= !is_port && !is_elsewhere;
        }
        is_common
    });
    if !is_common {
        suspend_for_good();
    }
}

/// The message of a selected put is now where its taker finds it.
pub fn handed_over(execution: ExecutionId, object: ObjectId, event: EventId) {
    with(execution, |engine| {
        let prev = engine.threads[engine.schedule.running].prev;
        engine.handovers.push((event, prev));
        for t in engine.threads.ids() {
            if engine.threads[t].waits_for == (WaitFor::Handover { object, event }) {
                engine.wake(t);
            }
        }
    });
}

/// A taker has its message: what the sender did before the handover happens before the taker's next event.
#[inline]
pub fn note_handover(execution: ExecutionId, event: EventId) {
    with(execution, |engine| engine.note_handover(event));
}

impl Engine {
    /// See [`note_handover`]. Returns whether the message is there.
    #[inline]
    fn note_handover(&mut self, event: EventId) -> bool {
        let Some(&(_, prev)) = self.handovers.iter().find(|(e, _)| *e == event) else { return false };
        let me = self.schedule.running;
        self.threads[me].also = prev;
        true
    }
}

/// Waits for the message of a put that a select has chosen, until the message is there.
pub fn await_handover(execution: ExecutionId, object: ObjectId, event: EventId, place: Place) {
    let must_wait = |engine: &mut Engine| {
        let is_there = engine.note_handover(event);
        if !is_there {
            engine.block(WaitFor::Handover { object, event }, place);
        }
        !is_there
    };
    while with(execution, must_wait) {
        wait();
    }
}
