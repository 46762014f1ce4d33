//! A shared variable, as far as its operations are ordered: writes are, and loads if the exploration requires it.

use insyn_sequences::Op;

use super::{Answer, Argument, Behaviour, Call, Completion, Effect, Enabled, Liberties, Outcome};

/// What was written last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    pub value: u64,
}

impl Behaviour for State {
    type Snapshot = Self;

    #[inline]
    fn snapshot(&self) -> Self {
        *self
    }

    #[inline]
    fn enabled(_: Self, call: &Call, _: &Liberties) -> Enabled {
        match call.op {
            Op::OfferUpdate => Enabled::OrFailure,
            // It is taken where the update would succeed, which is the choice of that offer.
            Op::OfferFailure => Enabled::No,
            _ => Enabled::NOW,
        }
    }

    #[inline]
    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        let old = self.value;
        let (Argument::Update(update, a, b) | Argument::WeakUpdate(update, a, b)) = call.argument else {
            return Outcome::of(Answer::Read(old));
        };
        if call.op == Op::OfferFailure {
            return Outcome::failed(Op::FailedUpdate, Answer::Missed(old));
        }
        match update(old, a, b) {
            Some(new) => {
                self.value = new;
                let wrote = Outcome::with(Answer::Wrote { old, changed: new != old }, Effect::Writes(new));
                if call.op == Op::OfferUpdate { wrote.renamed(Op::Update) } else { wrote }
            }
            None => Outcome::failed(Op::FailedUpdate, Answer::Kept(old)),
        }
    }

    fn is_sure(op: Op) -> bool {
        op == Op::Store
    }
}
