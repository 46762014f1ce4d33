//! The turns that the events of a forced sequence take, one step after the other.

use insyn_sequences::Op;

use super::{Answer, Behaviour, Call, Completion, Effect, Enabled, Liberties, Outcome};

/// How much of the sequence has been done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    /// The step that comes next, or that has the turn.
    pub next: u32,
    /// How many steps there are.
    len: u32,
    /// A thread has the turn.
    is_held: bool,
}

impl State {
    /// Turns for this many steps.
    pub fn new(len: u32) -> Self {
        State { next: 0, len, is_held: false }
    }
}

impl Behaviour for State {
    type Snapshot = Self;

    #[inline]
    fn snapshot(&self) -> Self {
        *self
    }

    #[inline]
    fn enabled(turns: Self, call: &Call, _: &Liberties) -> Enabled {
        match call.op {
            Op::Turn if turns.is_held => Enabled::No,
            Op::Turn => Enabled::AtStep(turns.next),
            _ => Enabled::NOW,
        }
    }

    /// A turn is taken or given back; the answer is whether the caller has one to give back.
    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        match call.op {
            Op::Done => {
                self.next += 1;
                self.is_held = false;
            }
            _ if self.next >= self.len => return Outcome::of(Answer::No),
            _ => self.is_held = true,
        }
        let effect = if self.next == self.len { Effect::EndsTurns } else { Effect::None };
        Outcome::with(Answer::Yes, effect)
    }
}
