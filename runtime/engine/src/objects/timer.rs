//! A channel that receives messages when their time has come.

use insyn_sequences::Op;

use super::{Answer, Argument, Behaviour, Call, Completion, Effect, Enabled, Liberties, Outcome, When};
use crate::ids::EventId;

/// The fire that can be taken, and whether the timer is known to have fired.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    pub fire: Option<EventId>,
    /// The timer needs no time, or a thread has observed that it has fired: until the fire is taken, all threads find it.
    pub has_fired: bool,
}

impl Behaviour for State {
    type Snapshot = Self;

    #[inline]
    fn snapshot(&self) -> Self {
        *self
    }

    #[inline]
    fn enabled(timer: Self, call: &Call, _: &Liberties) -> Enabled {
        let with_fire = |alone| match timer.has_fired {
            true => Enabled::WithFire { fire: timer.fire, when: When::Now, alone: None },
            false => Enabled::WithFire { fire: timer.fire, when: When::Late, alone },
        };
        match call.op {
            Op::OfferDefault => Enabled::IfNothingElse(When::Now),
            Op::OfferTimeout => Enabled::IfNothingElse(When::Late),
            Op::TryTake => with_fire(Some(When::Now)),
            Op::TakeTimeout => with_fire(Some(When::Late)),
            Op::Take | Op::OfferTake | Op::ReadyTake => with_fire(None),
            _ => Enabled::NOW,
        }
    }

    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        match call.op {
            Op::DropReceiver | Op::HangUp if matches!(call.argument, Argument::LastReceiver(false)) => {
                Outcome::of(Answer::No)
            }
            Op::DropReceiver | Op::HangUp => Outcome::YES,
            Op::Observe => Outcome::of(Answer::Count(u64::from(self.fire.is_some()))),
            Op::OfferDefault => Outcome::of(Answer::No),
            Op::OfferTimeout => Outcome::of(Answer::TimedOut),
            _ => match *call.partners {
                [_, fire] if call.op == Op::ReadyTake => {
                    self.has_fired = true;
                    Outcome::of(Answer::Message(fire))
                }
                [_, fire] => {
                    *self = State::default();
                    Outcome::with(Answer::Message(fire), Effect::TakesFire)
                }
                _ => Outcome::nothing_taken(call.op),
            },
        }
    }
}
