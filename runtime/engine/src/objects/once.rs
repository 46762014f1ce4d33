//! A closure that is run once.

use insyn_sequences::Op;

use super::{Answer, Argument, Behaviour, Call, Completion, Effect, Enabled, Liberties, Outcome};
use crate::flags::Flags;

/// The state of the closure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum State {
    /// No thread has started it.
    #[default]
    New,
    /// A thread has started it, and panicked.
    Poisoned,
    /// A thread is running it.
    Running,
    /// It has completed.
    Done,
}

impl Behaviour for State {
    type Snapshot = Self;

    #[inline]
    fn snapshot(&self) -> Self {
        *self
    }

    #[inline]
    fn enabled(once: Self, call: &Call, _: &Liberties) -> Enabled {
        match call.op {
            Op::Begin => Enabled::now_if(once != State::Running),
            Op::Await if once == State::Poisoned => Enabled::now_if(!call.flags.has(Flags::FORGIVING)),
            Op::Await => Enabled::now_if(once == State::Done),
            _ => Enabled::NOW,
        }
    }

    #[inline]
    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        match (call.op, *self) {
            (Op::Begin, State::Done) => Outcome::failed(Op::FailedBegin, Answer::No),
            (Op::Begin, State::Poisoned) if !matches!(call.argument, Argument::Force(true)) => {
                Outcome::of(Answer::Poisoned)
            }
            (Op::Begin, before) => {
                *self = State::Running;
                Outcome::of(Answer::Begin { was_poisoned: before == State::Poisoned })
            }
            (Op::Complete, _) if matches!(call.argument, Argument::Poisoned(true)) => {
                *self = State::Poisoned;
                Outcome::YES
            }
            (Op::Complete, _) => {
                *self = State::Done;
                Outcome::with(Answer::Yes, Effect::Writes(1))
            }
            (_, State::Poisoned) => Outcome::of(Answer::Poisoned),
            _ => Outcome::YES,
        }
    }
}
