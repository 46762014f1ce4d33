//! Orders the end of a thread and the drop of the handle to it, where it matters which comes last.

use super::{Answer, Behaviour, Call, Completion, Enabled, Liberties, Outcome};

/// How many of the two have not given up the result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    left: u32,
}

impl Default for State {
    fn default() -> Self {
        State { left: 2 }
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

    fn complete(&mut self, _: &Completion<'_>) -> Outcome {
        self.left -= 1;
        Outcome::of(if self.left == 0 { Answer::Yes } else { Answer::No })
    }
}
