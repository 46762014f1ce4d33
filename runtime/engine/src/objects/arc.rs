//! A counted pointer whose count matters.

use insyn_sequences::Op;

use super::{Answer, Argument, Behaviour, Call, Completion, Enabled, Liberties, Outcome, Pointer};

/// How many pointers there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    strong: u32,
    weak: u32,
}

impl State {
    /// An object with this many strong pointers.
    pub fn new(strong: u32) -> Self {
        State { strong, weak: 0 }
    }

    fn count(&mut self, pointer: Pointer) -> &mut u32 {
        match pointer {
            Pointer::Strong => &mut self.strong,
            Pointer::Weak => &mut self.weak,
        }
    }
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
        let pointer = if let Argument::Pointer(pointer) = call.argument { pointer } else { Pointer::Strong };
        match call.op {
            Op::Upgrade if self.strong == 0 => Outcome::failed(Op::FailedUpgrade, Answer::No),
            Op::TryUnwrap if self.strong != 1 => Outcome::failed(Op::FailedUnwrap, Answer::No),
            Op::Clone | Op::Upgrade => {
                *self.count(pointer) += 1;
                Outcome::YES
            }
            Op::Drop | Op::TryUnwrap => {
                let is_last = self.strong == 1 && pointer == Pointer::Strong;
                *self.count(pointer) -= 1;
                Outcome::of(if is_last { Answer::Yes } else { Answer::No })
            }
            _ => Outcome::of(Answer::Pointers { strong: self.strong, weak: self.weak }),
        }
    }
}
