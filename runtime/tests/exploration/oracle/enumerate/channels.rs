//! Steps on channels that are objects: puts and takes complete in an order on them.
//!
//! What a thread wants of such channels is an [`Attempt`]: one offer for each arm of a select, or a single put or take.
//! [`Enumerator::step_attempt`] lets one of the offers complete, or none if the thread does not want to wait. On a
//! rendezvous two offers complete together.

use super::super::program::{Choice, NOTHING_THERE, Object, Op, Otherwise, Side, Value};
use super::Enumerator;
use super::facts::Fact;
use super::history::{At, Pick};
use super::state::{Message, Payload, Phase, State};

/// What an offer does when it completes.
#[derive(Clone, Copy)]
enum Way {
    Put(Payload),
    Take,
}

/// A put or take, alone or as an arm of a select.
struct Offer {
    object: usize,
    way: Way,
    word: &'static str,
}

/// The offers of a thread, of which one is taken.
pub(super) struct Attempt {
    offers: Vec<Offer>,
    otherwise: Otherwise,
    /// The word of the call that takes nothing, in a select that has one.
    fallback: Option<&'static str>,
    is_select: bool,
    /// Nothing is taken; it is enough that an offer could be.
    ready: bool,
    /// An offer is taken only if no offer before it could certainly be taken.
    biased: bool,
}

impl Attempt {
    fn single(object: usize, way: Way, otherwise: Otherwise) -> Attempt {
        let word = match (way, otherwise) {
            (Way::Put(_), Otherwise::Wait) => "put",
            (Way::Put(_), Otherwise::Default) => "try-put",
            (Way::Put(_), Otherwise::Timeout) => "put-timeout",
            (Way::Take, Otherwise::Wait) => "take",
            (Way::Take, Otherwise::Default) => "try-take",
            (Way::Take, Otherwise::Timeout) => "take-timeout",
        };
        let offers = vec![Offer { object, way, word }];
        Attempt { offers, otherwise, fallback: None, is_select: false, ready: false, biased: false }
    }

    /// Whether its call waits, so that calls that do not wait can find it.
    fn waits(&self) -> bool {
        self.otherwise != Otherwise::Default
    }
}

/// How an offer was taken.
#[derive(Clone, Copy)]
enum Outcome {
    Sent,
    /// The receiver is gone.
    NotSent,
    Took(Payload),
    Disconnected,
    /// It could have been taken.
    Ready,
}

impl Enumerator<'_> {
    /// What the thread wants of channels that are objects, if it is at such an operation.
    pub(super) fn attempt(&self, state: &State, t: usize) -> Option<Attempt> {
        let thread = &state.threads[t];
        if !matches!(thread.phase, Phase::Ready | Phase::Called) {
            return None;
        }
        let number = |value: Value| Way::Put(Payload::Number(value.of(thread.last)));
        let (object, way, otherwise) = match self.next_op(state, t)? {
            Op::Send(o, value) => (o, number(value), Otherwise::Wait),
            Op::TrySend(o, value) => (o, number(value), Otherwise::Default),
            Op::SendTimeout(o, value) => (o, number(value), Otherwise::Timeout),
            Op::SendHandle(o, x) => (o, Way::Put(Payload::Handle(x as u8)), Otherwise::Wait),
            Op::SendReceiver(o, x) => (o, Way::Put(Payload::Receiver(x as u8)), Otherwise::Wait),
            Op::SendBy(o, value) => match self.program.objects[o] {
                Object::Arc { to: Some(x), .. } => (x, number(value), Otherwise::Wait),
                _ => unreachable!("it points to a handle"),
            },
            Op::Recv(o) | Op::Drain(o) => (o, Way::Take, Otherwise::Wait),
            Op::TryRecv(o) | Op::TryDrain(o) => (o, Way::Take, Otherwise::Default),
            Op::RecvTimeout(o) => (o, Way::Take, Otherwise::Timeout),
            Op::Choose(choice) if self.is_joined(&choice) => {
                let offers = choice.arms.iter().map(|&(object, side)| match (side, choice.ready) {
                    (Side::Send(value), false) => Offer { object, way: number(value), word: "offer-put" },
                    (Side::Send(value), true) => Offer { object, way: number(value), word: "ready-put" },
                    (Side::Recv, false) => Offer { object, way: Way::Take, word: "offer-take" },
                    (Side::Recv, true) => Offer { object, way: Way::Take, word: "ready-take" },
                });
                let fallback = match choice.otherwise {
                    Otherwise::Wait => None,
                    Otherwise::Default => Some("offer-default"),
                    Otherwise::Timeout => Some("offer-timeout"),
                };
                let Choice { otherwise, ready, biased, .. } = choice;
                return Some(Attempt {
                    offers: offers.collect(),
                    otherwise,
                    fallback,
                    is_select: true,
                    ready,
                    biased,
                });
            }
            _ => return None,
        };
        self.is_object(object).then(|| Attempt::single(object, way, otherwise))
    }

    /// Makes the calls of an attempt, unless they are open already; returns the first offer.
    pub(super) fn announce(&mut self, next: &mut State, t: usize, attempt: &Attempt) -> At {
        if next.threads[t].phase != Phase::Called {
            if attempt.is_select {
                self.emit(next, t, "select", None, Pick::None);
            }
            for (i, offer) in attempt.offers.iter().enumerate() {
                let call = self.emit(next, t, offer.word, Some(offer.object), Pick::None);
                if i == 0 {
                    next.threads[t].called = call.index;
                }
            }
            if let Some(word) = attempt.fallback {
                self.emit(next, t, word, Some(attempt.offers[0].object), Pick::None);
            }
            next.threads[t].phase = Phase::Called;
        }
        At { process: t as u8, index: next.threads[t].called }
    }

    pub(super) fn step_attempt(&mut self, state: &State, t: usize, out: &mut Vec<State>) {
        let Some(attempt) = self.attempt(state, t) else { unreachable!("it is at such an operation") };
        let mut surely = false;
        for (i, offer) in attempt.offers.iter().enumerate() {
            if surely && attempt.biased {
                break;
            }
            let o = offer.object;
            let rendezvous = self.capacity(o) == 0;
            match self.alone(state, offer) {
                Some((outcome, with)) => {
                    surely |= is_sure(state, o, outcome);
                    let fired = matches!(outcome, Outcome::Took(Payload::Time));
                    let outcome = if attempt.ready { Outcome::Ready } else { outcome };
                    let mut next = state.clone();
                    let first = self.announce(&mut next, t, &attempt);
                    let call = nth(first, i);
                    let partners: Vec<At> = [call].into_iter().chain(with).collect();
                    let at = self.complete(&mut next, t, offer.word, o, &partners);
                    if attempt.ready && fired {
                        next.channel_mut(o).has_fired = true;
                    }
                    self.conclude(&mut next, t, &attempt, (i, outcome), at);
                    out.push(next);
                }
                None if rendezvous && attempt.ready => self.find_waiting(state, t, &attempt, i, out),
                None if rendezvous && matches!(offer.way, Way::Take) => {
                    self.meet(state, t, &attempt, i, out);
                }
                None => {}
            }
            surely |= self.is_met(state, t, offer);
        }
        if attempt.otherwise != Otherwise::Wait && !surely {
            self.give_up(state, t, &attempt, out);
        }
    }

    /// The result of an offer that needs no other thread to be taken now, and what it picks besides the call.
    fn alone(&self, state: &State, offer: &Offer) -> Option<(Outcome, Option<At>)> {
        let channel = state.channel(offer.object);
        match (offer.way, channel.messages.first()) {
            (Way::Put(_), _) if channel.gone.is_some() => Some((Outcome::NotSent, None)),
            (Way::Put(_), _) => {
                let room = channel.messages.len() < self.capacity(offer.object);
                room.then_some((Outcome::Sent, None))
            }
            (Way::Take, Some(message)) => {
                let fire = (message.payload == Payload::Time).then_some(message.at);
                Some((Outcome::Took(message.payload), fire))
            }
            (Way::Take, None) => {
                self.disconnect(state, offer.object).map(|at| (Outcome::Disconnected, Some(at)))
            }
        }
    }

    /// Whether a select that takes the first arm it can would take one before this.
    fn prefers_another(&self, state: &State, t: usize, attempt: &Attempt, i: usize) -> bool {
        let surely = |offer: &Offer| match self.alone(state, offer) {
            Some((outcome, _)) => is_sure(state, offer.object, outcome),
            None => self.is_met(state, t, offer),
        };
        attempt.biased && attempt.offers[..i].iter().any(surely)
    }

    /// Whether a thread of the other side was observed waiting at the rendezvous, and still waits. (A thread that selects
    /// among several channels is not always there.)
    fn is_met(&self, state: &State, t: usize, offer: &Offer) -> bool {
        let puts = matches!(offer.way, Way::Put(_));
        let mut others = (0..state.threads.len()).filter(|u| *u != t);
        others.any(|u| {
            state.threads[u].phase == Phase::Called
                && self.attempt(state, u).is_some_and(|other| match &other.offers[..] {
                    [it] => {
                        !other.is_select && it.object == offer.object && matches!(it.way, Way::Put(_)) != puts
                    }
                    _ => false,
                })
        })
    }

    /// A take of a rendezvous, and every put that it can meet: of another thread, and not both of them in a hurry.
    fn meet(&mut self, state: &State, t: usize, attempt: &Attempt, i: usize, out: &mut Vec<State>) {
        let o = attempt.offers[i].object;
        for u in (0..state.threads.len()).filter(|u| *u != t) {
            let Some(other) = self.attempt(state, u) else { continue };
            if other.ready || !attempt.waits() && !other.waits() {
                continue;
            }
            for (j, offer) in other.offers.iter().enumerate() {
                let Way::Put(payload) = offer.way else { continue };
                if offer.object != o || self.prefers_another(state, u, &other, j) {
                    continue;
                }
                let mut next = state.clone();
                let put = nth(self.announce(&mut next, u, &other), j);
                let take = nth(self.announce(&mut next, t, attempt), i);
                let at = self.complete(&mut next, t, attempt.offers[i].word, o, &[put, take]);
                next.order(self.timeline(o), u);
                self.conclude(&mut next, u, &other, (j, Outcome::Sent), at);
                self.conclude(&mut next, t, attempt, (i, Outcome::Took(payload)), at);
                out.push(next);
            }
        }
    }

    /// An offer that only looks, and every call of the other side that waits at the rendezvous: that call keeps waiting.
    fn find_waiting(&mut self, state: &State, t: usize, attempt: &Attempt, i: usize, out: &mut Vec<State>) {
        let o = attempt.offers[i].object;
        let puts = matches!(attempt.offers[i].way, Way::Put(_));
        for u in (0..state.threads.len()).filter(|u| *u != t) {
            let Some(other) = self.attempt(state, u) else { continue };
            if other.ready || !other.waits() {
                continue;
            }
            for (j, offer) in other.offers.iter().enumerate() {
                if offer.object != o || matches!(offer.way, Way::Put(_)) == puts {
                    continue;
                }
                // A thread that finds another waiting does not wait.
                if !other.is_select && self.is_met(state, u, offer) {
                    continue;
                }
                let mut next = state.clone();
                let waiting = nth(self.announce(&mut next, u, &other), j);
                let ready = nth(self.announce(&mut next, t, attempt), i);
                let at = self.complete(&mut next, t, attempt.offers[i].word, o, &[ready, waiting]);
                self.conclude(&mut next, t, attempt, (i, Outcome::Ready), at);
                out.push(next);
            }
        }
    }

    /// None of the offers is taken: there was nothing, or no room, or the wait timed out.
    fn give_up(&mut self, state: &State, t: usize, attempt: &Attempt, out: &mut Vec<State>) {
        let mut next = state.clone();
        let first = self.announce(&mut next, t, attempt);
        let (word, call) = match attempt.fallback {
            Some(word) => (word, nth(first, attempt.offers.len())),
            None if matches!(attempt.offers[0].way, Way::Take) => ("failed-take", first),
            None => ("failed-put", first),
        };
        self.complete(&mut next, t, word, attempt.offers[0].object, &[call]);
        let drains = matches!(self.next_op(state, t), Some(Op::TryDrain(_)));
        next.threads[t].last = (!drains).then_some(NOTHING_THERE);
        if attempt.otherwise == Otherwise::Timeout {
            next.pass_time(t);
        }
        self.advance(&mut next, t);
        out.push(next);
    }

    /// What becomes of the thread, and of the channel, when an offer has completed.
    fn conclude(
        &mut self,
        next: &mut State,
        t: usize,
        attempt: &Attempt,
        (i, outcome): (usize, Outcome),
        at: At,
    ) {
        let drains = matches!(self.next_op(next, t), Some(Op::Drain(_) | Op::TryDrain(_)));
        let Offer { object: o, way, .. } = attempt.offers[i];
        if let Way::Put(payload) = way {
            next.give(t, payload);
        }
        match (outcome, way) {
            (Outcome::Sent, Way::Put(payload)) => {
                if self.capacity(o) > 0 {
                    // The timeline determines which event put it there.
                    let at = At { process: 0, index: 0 };
                    next.channel_mut(o).messages.push(Message { at, payload });
                }
            }
            (Outcome::NotSent, Way::Put(payload)) => next.not_delivered(t, payload),
            (Outcome::Took(payload), _) => {
                let channel = next.channel_mut(o);
                if !channel.messages.is_empty() {
                    channel.messages.remove(0);
                }
                channel.has_fired = false;
                self.taken(next, t, o, payload, at);
            }
            (Outcome::Disconnected, _) => next.threads[t].last = None,
            (Outcome::Ready, _) => next.threads[t].last = Some(i as u8),
            (Outcome::Sent | Outcome::NotSent, Way::Take) => unreachable!("it takes"),
        }
        if drains && matches!(outcome, Outcome::Took(_)) {
            next.threads[t].phase = Phase::Ready;
            self.pass_by(next, t);
        } else {
            self.advance(next, t);
        }
    }

    /// A send that never waits: on a port, or a channel that is never full.
    pub(super) fn send_at_once(&mut self, next: &mut State, t: usize, o: usize, number: u8) -> bool {
        let payload = Payload::Number(number);
        if !self.is_object(o) {
            return self.send(next, t, "send", o, payload).is_some();
        }
        self.call(next, t, "put", o, &[]);
        let open = next.channel(o).gone.is_none();
        if open {
            next.channel_mut(o).messages.push(Message { at: At { process: 0, index: 0 }, payload });
        }
        open
    }

    /// Asks how many messages are inside, which makes the channel an object. (A rendezvous is always empty, and full; what
    /// has no bound is never full.)
    pub(super) fn step_look(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        let mut next = state.clone();
        let capacity = self.capacity(o);
        if capacity > 0 && !(matches!(op, Op::IsFull(_)) && capacity == usize::MAX) {
            if !self.is_object(o) {
                self.show(Fact::Shared(o));
            }
            self.call(&mut next, t, "observe", o, &[]);
        }
        let inside = state.channel(o).messages.len();
        next.threads[t].last = Some(match op {
            Op::IsEmpty(_) => u8::from(inside == 0),
            Op::IsFull(_) => u8::from(inside == capacity),
            _ => inside as u8,
        });
        self.advance(&mut next, t);
        out.push(next);
    }

    /// How many messages the channel holds.
    fn capacity(&self, o: usize) -> usize {
        match self.program.objects[o] {
            Object::Buffer { capacity, .. } | Object::Flow { capacity: Some(capacity), .. } => capacity,
            _ => usize::MAX,
        }
    }
}

/// Whether an offer can certainly be taken: when a timer fires is not known until a thread has observed it.
fn is_sure(state: &State, o: usize, outcome: Outcome) -> bool {
    !matches!(outcome, Outcome::Took(Payload::Time)) || state.channel(o).has_fired
}

/// The event so many after this one.
fn nth(first: At, n: usize) -> At {
    At { index: first.index + n as u8, ..first }
}
