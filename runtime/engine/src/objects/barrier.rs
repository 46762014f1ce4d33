//! A barrier: threads that arrive go on together.

use super::{Behaviour, Call, Completion, Enabled, Liberties, Outcome};

/// How many threads the barrier is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    size: u32,
}

impl State {
    /// A barrier for this many threads.
    pub fn new(size: u32) -> Self {
        State { size }
    }
}

impl Behaviour for State {
    type Snapshot = Self;

    #[inline]
    fn snapshot(&self) -> Self {
        *self
    }

    #[inline]
    fn enabled(barrier: Self, _: &Call, _: &Liberties) -> Enabled {
        Enabled::Together(barrier.size)
    }

    #[inline]
    fn complete(&mut self, _: &Completion<'_>) -> Outcome {
        Outcome::YES
    }
}
