//! A channel with an order of its own that holds messages, either a limited number of them or any number.

use std::collections::VecDeque;

use insyn_sequences::Op;

use super::{Answer, Argument, Behaviour, Call, Completion, Enabled, Liberties, Outcome, When};
use crate::ids::EventId;

/// The contents of the channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// None if the channel is never full.
    capacity: Option<u64>,
    /// The puts whose messages are there to be taken, or to be dropped.
    messages: VecDeque<EventId>,
    /// How many messages the program sees inside. When the last receiver is dropped, a channel that is never full drops its
    /// messages, and a bounded one keeps its places taken.
    len: u64,
    receiver_gone: bool,
}

/// Whether there is something to take, and room to put something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    len: u32,
    is_full: bool,
    receiver_gone: bool,
}

impl Snapshot {
    /// There is no message, but there is a receiver to take one.
    pub fn is_empty(self) -> bool {
        self.len == 0 && !self.receiver_gone
    }
}

impl State {
    /// A channel that holds this many messages, or any number of them.
    pub fn new(capacity: Option<u64>) -> Self {
        State { capacity, messages: VecDeque::new(), len: 0, receiver_gone: false }
    }

    /// Takes out the messages that no receiver will take.
    pub fn drain(&mut self) -> impl Iterator<Item = EventId> + '_ {
        self.messages.drain(..)
    }

    fn is_full(&self) -> bool {
        self.capacity.is_some_and(|capacity| self.len >= capacity)
    }

    fn drop_receiver(&mut self) {
        self.receiver_gone = true;
        if self.capacity.is_none() {
            self.len = 0;
        }
    }
}

impl Behaviour for State {
    type Snapshot = Snapshot;

    #[inline]
    fn snapshot(&self) -> Snapshot {
        Snapshot { len: self.len as u32, is_full: self.is_full(), receiver_gone: self.receiver_gone }
    }

    #[inline]
    fn enabled(channel: Snapshot, call: &Call, _: &Liberties) -> Enabled {
        let can_put = channel.receiver_gone || !channel.is_full;
        match call.op {
            Op::OfferDefault => Enabled::IfNothingElse(When::Now),
            Op::OfferTimeout => Enabled::IfNothingElse(When::Late),
            Op::Put | Op::OfferPut | Op::ReadyPut => Enabled::now_if(can_put),
            Op::PutTimeout => Enabled::Alone(if can_put { When::Now } else { When::Late }),
            _ if channel.len > 0 => Enabled::NOW,
            Op::Take | Op::OfferTake | Op::ReadyTake => Enabled::WithDisconnect,
            Op::TryTake => Enabled::MaybeDisconnect(When::Now),
            Op::TakeTimeout => Enabled::MaybeDisconnect(When::Late),
            _ => Enabled::NOW,
        }
    }

    #[inline]
    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        match call.op {
            Op::DropReceiver | Op::HangUp if matches!(call.argument, Argument::LastReceiver(false)) => {
                Outcome::of(Answer::No)
            }
            Op::DropReceiver | Op::HangUp => {
                self.drop_receiver();
                Outcome::YES
            }
            Op::Observe => Outcome::of(Answer::Count(self.len)),
            Op::ReadyPut | Op::ReadyTake => Outcome::YES,
            Op::OfferDefault => Outcome::of(Answer::No),
            Op::OfferTimeout => Outcome::of(Answer::TimedOut),
            Op::Put | Op::TryPut | Op::PutTimeout | Op::OfferPut => {
                if self.receiver_gone {
                    return Outcome::of(Answer::Disconnected);
                }
                if self.is_full() {
                    return Outcome::nothing_put(call.op);
                }
                self.messages.push_back(call.partners[0]);
                self.len += 1;
                Outcome::YES
            }
            _ => match self.messages.pop_front() {
                Some(put) => {
                    self.len -= 1;
                    Outcome::of(Answer::Message(put))
                }
                None if call.takes_disconnect => Outcome::of(Answer::Disconnected),
                None => Outcome::nothing_taken(call.op),
            },
        }
    }

    fn restart(&mut self, fresh: Self) {
        let State { capacity, messages: _, len, receiver_gone } = fresh;
        self.messages.clear();
        (self.capacity, self.len, self.receiver_gone) = (capacity, len, receiver_gone);
    }

    fn is_sure(op: Op) -> bool {
        matches!(op, Op::Put | Op::Take)
    }
}
