//! A channel that holds nothing: a put and a take are completed together.

use insyn_sequences::Op;

use super::{Answer, Argument, Behaviour, Call, Completion, Effect, Enabled, Liberties, Outcome, When};

/// Whether a receiver is left to take something.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    receiver_gone: bool,
}

impl Behaviour for State {
    type Snapshot = Self;

    #[inline]
    fn snapshot(&self) -> Self {
        *self
    }

    #[inline]
    fn enabled(rendezvous: Self, call: &Call, _: &Liberties) -> Enabled {
        match call.op {
            Op::OfferDefault => Enabled::IfNothingElse(When::Now),
            Op::OfferTimeout => Enabled::IfNothingElse(When::Late),
            Op::Put | Op::TryPut | Op::PutTimeout | Op::OfferPut | Op::ReadyPut
                if rendezvous.receiver_gone =>
            {
                Enabled::NOW
            }
            Op::Put | Op::OfferPut => Enabled::NeedsTake(None),
            Op::TryPut => Enabled::NeedsTake(Some(When::Now)),
            Op::PutTimeout => Enabled::NeedsTake(Some(When::Late)),
            Op::Take | Op::OfferTake => Enabled::NeedsPut(None),
            Op::TryTake => Enabled::NeedsPut(Some(When::Now)),
            Op::TakeTimeout => Enabled::NeedsPut(Some(When::Late)),
            Op::ReadyPut => Enabled::AsksForTake,
            Op::ReadyTake => Enabled::AsksForPut,
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
                self.receiver_gone = true;
                Outcome::YES
            }
            Op::Observe => Outcome::of(Answer::Count(0)),
            Op::ReadyPut | Op::ReadyTake => match *call.partners {
                [_, waiting] if !call.takes_disconnect => Outcome::with(Answer::Yes, Effect::Finds(waiting)),
                _ => Outcome::YES,
            },
            Op::OfferDefault => Outcome::of(Answer::No),
            Op::OfferTimeout => Outcome::of(Answer::TimedOut),
            Op::Put | Op::TryPut | Op::PutTimeout | Op::OfferPut if self.receiver_gone => {
                Outcome::of(Answer::Disconnected)
            }
            Op::Put | Op::TryPut | Op::PutTimeout | Op::OfferPut => Outcome::nothing_put(call.op),
            _ if call.takes_disconnect => Outcome::of(Answer::Disconnected),
            _ => match *call.partners {
                [put, _] => Outcome::of(Answer::Message(put)),
                _ => Outcome::nothing_taken(call.op),
            },
        }
    }
}
