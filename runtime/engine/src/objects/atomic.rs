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
    fn enabled(_: Self, _: &Call, _: &Liberties) -> Enabled {
        Enabled::NOW
    }

    #[inline]
    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        let old = self.value;
        let Argument::Update(update, a, b) = call.argument else {
            return Outcome::of(Answer::Read(old));
        };
        match update(old, a, b) {
            Some(new) => {
                self.value = new;
                Outcome::with(Answer::Wrote { old, changed: new != old }, Effect::Writes(new))
            }
            None => Outcome::failed(Op::FailedUpdate, Answer::Kept(old)),
        }
    }

    fn is_sure(op: Op) -> bool {
        op == Op::Store
    }
}
