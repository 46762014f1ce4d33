//! What an object could do next: which of the calls that wait can be completed in a state, and with what.
//!
//! The answer depends on the state and the calls alone, so the running program ([`super::objects`]) and the analysis of
//! races afterwards ([`crate::exploration::races`]) ask the same question here: the one about now, the other about calls
//! that were there at some completion and were not picked.

use super::event::{Event, Flags, Kind, Op, Run};
use super::forcing;
use super::ids::{EventId, ObjectId, ThreadId};
use super::objects::Object;
use super::objects::Objects;

/// A call that waits to be completed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) event: EventId,
    pub(crate) thread: Option<ThreadId>,
    pub(crate) object: ObjectId,
    pub(crate) op: Op,
    /// See [`Flags::HASTY`] and [`Flags::BIASED`].
    pub(crate) flags: Flags,
}

impl Call {
    pub(crate) fn of(event: EventId, call: &Event) -> Self {
        Call { event, thread: call.thread, object: call.on(), op: call.op, flags: call.flags }
    }

    fn puts(&self) -> bool {
        matches!(self.op, Op::Put | Op::TryPut | Op::PutTimeout | Op::OfferPut)
    }

    fn takes(&self) -> bool {
        matches!(self.op, Op::Take | Op::TryTake | Op::TakeTimeout | Op::OfferTake)
    }

    /// Whether it waits for somebody to meet. Two that do not wait never meet.
    fn waits(&self) -> bool {
        !matches!(self.op, Op::TryPut | Op::TryTake) && !self.flags.has(Flags::HASTY)
    }
}

/// When the running program makes a choice of its own accord.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// At once.
    Now,
    /// When nothing else can move: somebody loses patience.
    Late,
    /// Never, unless told to.
    Never,
}

/// Whether a call can be completed in some state of its object, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Openness {
    Shut,
    /// By itself.
    Alone(When),
    /// Only together with the disconnect.
    WithDisconnect,
    /// Together with the disconnect if that has come; or by itself, empty-handed.
    MaybeDisconnect(When),
    /// Together with one of the waiters.
    WithWaiter,
    /// By itself, while its wait is among the waiters.
    WhileWaiting,
    /// A put that needs a take, which lists the pair; some come back by themselves.
    NeedsTake(Option<When>),
    /// A take that needs a put, or the disconnect; some come back by themselves.
    NeedsPut(Option<When>),
    /// Asks whether somebody waits at the other side.
    AsksForTake,
    AsksForPut,
    /// Together with the time that has come; some come back by themselves.
    WithFire(Option<When>),
    /// By itself; or a waiting writer keeps it waiting.
    UnlessBlocked,
    /// Together with so many others as the barrier is for.
    Together,
    /// If no other offer of its select is open.
    IfNothingElse(When),
    /// When it is time for one of the steps that it can be.
    AtItsTurn,
}

/// The receiver of the channel is gone.
pub(crate) const RECEIVER_GONE: u64 = 1 << 63;
/// A waiting writer keeps readers from the lock.
pub(crate) const ANNOUNCED: u64 = 1 << 63;
/// How far the writer of a lock is shifted; below it, readers are counted.
pub(crate) const WRITER: u32 = 32;

/// The states of what is done once, in the two lowest bits.
pub(crate) mod once {
    pub(crate) const POISONED: u64 = 1;
    pub(crate) const DONE: u64 = 2;
    pub(crate) const RUNNING: u64 = 3;
}

/// Choices of the exploration that concern objects.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Liberties {
    /// Only the longest waiter is ever notified.
    pub(crate) longest_waiter: bool,
    /// Threads wake for no reason now and then.
    pub(crate) spurious_wakeups: bool,
    /// A reader may wait behind a writer that waits.
    pub(crate) waiting_writers_block: bool,
}

/// Whether a call can be completed in a state of its object.
///
/// What the state means: mutex, monitor: the owner plus one, or zero; reentrant lock: the same in the upper half,
/// how often in the lower; semaphore: its value; channel: how many messages are inside, and [`RECEIVER_GONE`]; condition
/// variable: how many wait; reader-writer lock: how many read, the owner plus one above [`WRITER`], and [`ANNOUNCED`];
/// once: see [`once`]; parker: the token; timer: the number of the fire that can be taken, or zero.
#[inline]
fn openness(object: &Object, state: u64, call: &Call, liberties: &Liberties) -> Openness {
    use Openness::{Alone, Shut};
    let owner = call.thread.map_or(0, ThreadId::owner);
    let gone = state & RECEIVER_GONE != 0;
    let inside = state & !RECEIVER_GONE;
    let open_if = |open: bool| if open { Alone(When::Now) } else { Shut };
    match (object.kind, call.op) {
        (Kind::Mutex, Op::Lock) | (Kind::Monitor, Op::Enter | Op::Reenter) => open_if(state == 0),
        (Kind::Mutex, Op::Unlock) => open_if(state == owner),
        (Kind::ReentrantLock, Op::Lock) => open_if(state == 0 || state >> 32 == owner),
        (Kind::ReentrantLock, Op::Unlock) => open_if(state >> 32 == owner),
        (Kind::Semaphore, Op::Acquire) => open_if(state > 0),
        (Kind::Semaphore, Op::Release) => open_if(state < object.capacity),
        (Kind::Condvar, Op::NotifyOne) if state > 0 => Openness::WithWaiter,
        (Kind::Condvar, Op::Expire) => Openness::WhileWaiting,
        (Kind::RwLock, Op::Write) => open_if(state & !ANNOUNCED == 0),
        (Kind::RwLock, Op::Read) if state >> WRITER != 0 => Shut,
        (Kind::RwLock, Op::Read) if state > 0 && liberties.waiting_writers_block => Openness::UnlessBlocked,
        (Kind::Once, Op::Begin) => open_if(state & 3 != once::RUNNING),
        (Kind::Once, Op::Await) => match state & 3 {
            once::POISONED => open_if(!call.flags.has(Flags::FORGIVING)),
            state => open_if(state == once::DONE),
        },
        (Kind::Parker, Op::Park) if state == 0 => match call.flags.has(Flags::MAY_FAIL) {
            true => Alone(When::Late),
            false => Shut,
        },
        (Kind::Parker, Op::ParkTimeout) if state == 0 => Alone(When::Late),
        (Kind::Barrier, _) => Openness::Together,
        (Kind::Turns, Op::Turn) => Openness::AtItsTurn,
        (_, Op::OfferDefault) => Openness::IfNothingElse(When::Now),
        (_, Op::OfferTimeout) => Openness::IfNothingElse(When::Late),
        (Kind::Bounded | Kind::Channel, Op::Put | Op::OfferPut | Op::ReadyPut) => {
            open_if(gone || inside < object.capacity)
        }
        (Kind::Bounded | Kind::Channel, Op::PutTimeout) => {
            Alone(if gone || inside < object.capacity { When::Now } else { When::Late })
        }
        (Kind::Bounded | Kind::Channel, _) if inside > 0 => Alone(When::Now),
        (Kind::Bounded | Kind::Channel, Op::Take | Op::OfferTake | Op::ReadyTake) => Openness::WithDisconnect,
        (Kind::Bounded | Kind::Channel, Op::TryTake) => Openness::MaybeDisconnect(When::Now),
        (Kind::Bounded | Kind::Channel, Op::TakeTimeout) => Openness::MaybeDisconnect(When::Late),
        (Kind::Rendezvous, Op::Put | Op::TryPut | Op::PutTimeout | Op::OfferPut | Op::ReadyPut) if gone => {
            Alone(When::Now)
        }
        (Kind::Rendezvous, Op::Put | Op::OfferPut) => Openness::NeedsTake(None),
        (Kind::Rendezvous, Op::TryPut) => Openness::NeedsTake(Some(When::Now)),
        (Kind::Rendezvous, Op::PutTimeout) => Openness::NeedsTake(Some(When::Late)),
        (Kind::Rendezvous, Op::Take | Op::OfferTake) => Openness::NeedsPut(None),
        (Kind::Rendezvous, Op::TryTake) => Openness::NeedsPut(Some(When::Now)),
        (Kind::Rendezvous, Op::TakeTimeout) => Openness::NeedsPut(Some(When::Late)),
        (Kind::Rendezvous, Op::ReadyPut) => Openness::AsksForTake,
        (Kind::Rendezvous, Op::ReadyTake) => Openness::AsksForPut,
        (Kind::Timer, Op::TryTake) => Openness::WithFire(Some(When::Now)),
        (Kind::Timer, Op::TakeTimeout) => Openness::WithFire(Some(When::Late)),
        (Kind::Timer, Op::Take | Op::OfferTake | Op::ReadyTake) => Openness::WithFire(None),
        // Whatever never waits.
        _ => Alone(When::Now),
    }
}

/// The states of the objects of a timeline at some point of it.
#[derive(Clone, Copy)]
pub(crate) enum States<'a> {
    /// As they are now.
    Now,
    /// Of its only object.
    One(u64),
    /// Of each of its objects: as [`Run::push_states`] has stored them.
    Many(&'a [(ObjectId, u64)]),
}

/// Everything that a completion could take: `calls` that are waiting, in a given state.
pub(crate) struct Choices<'a> {
    pub(crate) run: &'a Run,
    pub(crate) objects: &'a Objects,
    pub(crate) states: States<'a>,
    /// Who could be notified.
    pub(crate) waiters: &'a [EventId],
    pub(crate) liberties: Liberties,
    /// What comes back empty-handed may do so although there is a disconnect: it may have come first.
    pub(crate) may_be_early: bool,
}

impl Choices<'_> {
    fn state(&self, object: ObjectId) -> u64 {
        match self.states {
            States::Now => self.objects[object].state,
            States::One(state) => state,
            States::Many(states) => Run::state_of(states, object).unwrap_or(self.objects[object].initial),
        }
    }

    fn openness(&self, call: &Call) -> Openness {
        let object = &self.objects[call.object];
        openness(object, self.state(call.object), call, &self.liberties)
    }

    /// Calls `found` for every choice, in the order of `calls`; what comes back empty-handed comes last. `closed` tells
    /// the disconnect of a channel, if it may be taken.
    pub(crate) fn each(
        &self,
        calls: &[Call],
        closed: impl Fn(ObjectId) -> Option<EventId>,
        mut found: impl FnMut(&[EventId], When),
    ) {
        for call in calls {
            let me = call.event;
            if self.is_passed_by(call, calls, &closed)
                || call.flags.has(Flags::FRESH) && self.is_unchanged(call, &closed)
            {
                continue;
            }
            let early = |closed: Option<EventId>| closed.is_none() || self.may_be_early;
            match self.openness(call) {
                Openness::Shut => {}
                Openness::Alone(when) => found(&[me], when),
                Openness::WithDisconnect => {
                    let closed = closed(call.object);
                    if let Some(closed) = closed {
                        found(&[me, closed], When::Now);
                    }
                }
                Openness::MaybeDisconnect(when) => {
                    let closed = closed(call.object);
                    if let Some(closed) = closed {
                        found(&[me, closed], When::Now);
                    }
                    if early(closed) {
                        found(&[me], when);
                    }
                }
                Openness::WithWaiter => {
                    let n = if self.liberties.longest_waiter { 1 } else { self.waiters.len() };
                    self.waiters[..n].iter().for_each(|&waiter| found(&[me, waiter], When::Now));
                }
                Openness::WhileWaiting => {
                    let wait = self.run.list(self.run.at(me).list)[0];
                    if self.waiters.contains(&wait) {
                        found(&[me], When::Late);
                    }
                }
                Openness::NeedsTake(alone) => {
                    if let Some(when) = alone {
                        found(&[me], when);
                    }
                }
                Openness::NeedsPut(alone) => {
                    let puts = others(calls, call).filter(|c| c.puts() && (c.waits() || call.waits()));
                    let puts = puts.filter(|c| !self.is_passed_by(c, calls, &closed));
                    puts.for_each(|put| found(&[put.event, me], When::Now));
                    let closed = closed(call.object);
                    if let Some(closed) = closed {
                        found(&[me, closed], When::Now);
                    }
                    if let Some(when) = alone
                        && early(closed)
                    {
                        found(&[me], when);
                    }
                }
                Openness::AsksForTake => {
                    let takes = others(calls, call).filter(|c| c.takes() && c.waits());
                    takes.for_each(|take| found(&[me, take.event], When::Now));
                }
                Openness::AsksForPut => {
                    let puts = others(calls, call).filter(|c| c.puts() && c.waits());
                    puts.for_each(|put| found(&[me, put.event], When::Now));
                    let closed = closed(call.object);
                    if let Some(closed) = closed {
                        found(&[me, closed], When::Now);
                    }
                }
                Openness::WithFire(alone) => {
                    let state = self.state(call.object);
                    if state > 0 {
                        let fire = self.objects[call.object].unreceived[state as usize - 1];
                        found(&[me, fire], When::Late);
                    }
                    if let Some(when) = alone {
                        found(&[me], when);
                    }
                }
                Openness::UnlessBlocked => {
                    found(&[me], When::Now);
                    let writes = others(calls, call).filter(|c| c.op == Op::Write);
                    writes.for_each(|write| found(&[write.event, me], When::Never));
                }
                Openness::Together => self.each_gathering(call, calls, &mut found),
                Openness::AtItsTurn => {
                    let steps = self.run.steps(self.run.at(me).list);
                    if forcing::is_turn(self.state(call.object), steps) {
                        found(&[me], When::Now);
                    }
                }
                Openness::IfNothingElse(when) => {
                    if !self.is_outdone(call, calls, &closed) {
                        found(&[me], when);
                    }
                }
            }
        }
    }

    /// Whether a call that polls again would find what it has found before.
    fn is_unchanged(&self, call: &Call, closed: &impl Fn(ObjectId) -> Option<EventId>) -> bool {
        let Some(found) = self.run.seen(self.run.at(call.event).list) else { return false };
        let is_rendezvous = self.objects[call.object].kind == Kind::Rendezvous;
        self.state(call.object) == found && !is_rendezvous && closed(call.object).is_none()
    }

    /// Whether a select that prefers earlier offers would not take this one.
    fn is_passed_by(
        &self,
        call: &Call,
        calls: &[Call],
        closed: &impl Fn(ObjectId) -> Option<EventId>,
    ) -> bool {
        call.flags.has(Flags::BIASED) && self.is_outdone(call, calls, closed)
    }

    /// Whether an earlier offer of the same select is surely open. (Whether somebody waits at a rendezvous, or the time
    /// has come, is never sure.)
    fn is_outdone(&self, call: &Call, calls: &[Call], closed: &impl Fn(ObjectId) -> Option<EventId>) -> bool {
        let earlier = calls.iter().filter(|c| c.thread == call.thread && c.event < call.event);
        earlier.into_iter().any(|c| match self.openness(c) {
            Openness::Alone(When::Now) => true,
            Openness::WithDisconnect | Openness::NeedsPut(_) | Openness::AsksForPut => {
                closed(c.object).is_some() && !self.may_be_early
            }
            _ => false,
        })
    }

    /// The ways in which a call and those after it make up the number that a barrier is for. The leader, where one is
    /// asked for, comes first, the others in the order of events.
    fn each_gathering(&self, call: &Call, calls: &[Call], found: &mut impl FnMut(&[EventId], When)) {
        let barrier = &self.objects[call.object];
        let n = barrier.capacity as usize;
        let mut others: Vec<EventId> = calls.iter().map(|c| c.event).filter(|&e| e > call.event).collect();
        others.sort_unstable();
        let mut gathering = vec![call.event];
        gather(&mut gathering, &others, n, &mut |gathering| {
            found(gathering, When::Now);
            if barrier.has_leader {
                for leader in 1..n {
                    let mut led = gathering.to_vec();
                    led[..=leader].rotate_right(1);
                    found(&led, When::Now);
                }
            }
        });
    }
}

/// Every way to fill `chosen` up to `n` with some of `rest`, in order.
fn gather(chosen: &mut Vec<EventId>, rest: &[EventId], n: usize, found: &mut impl FnMut(&[EventId])) {
    if chosen.len() == n {
        return found(chosen);
    }
    for (i, &event) in rest.iter().enumerate() {
        chosen.push(event);
        gather(chosen, &rest[i + 1..], n, found);
        chosen.pop();
    }
}

/// The calls of other threads on the same object.
fn others<'a>(calls: &'a [Call], call: &'a Call) -> impl Iterator<Item = &'a Call> {
    calls.iter().filter(|c| c.object == call.object && c.thread != call.thread)
}
