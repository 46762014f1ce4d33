//! A mutex: at most one thread has it.

use insyn_sequences::Op;

use super::{Answer, Behaviour, Call, Completion, Enabled, Holders, Liberties, Outcome};
use crate::ids::ThreadId;

/// The thread that has the mutex, and how often what it protects has changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    owner: Option<ThreadId>,
    version: u32,
}

impl Behaviour for State {
    type Snapshot = Self;

    #[inline]
    fn snapshot(&self) -> Self {
        *self
    }

    #[inline]
    fn enabled(mutex: Self, call: &Call, _: &Liberties) -> Enabled {
        match call.op {
            Op::Lock => Enabled::now_if(mutex.owner.is_none()),
            Op::Unlock => Enabled::now_if(mutex.owner == call.thread),
            _ => Enabled::NOW,
        }
    }

    #[inline]
    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        match call.op {
            Op::TryLock if self.owner.is_some() => return Outcome::failed(Op::FailedLock, Answer::No),
            Op::Lock | Op::TryLock => self.owner = call.thread,
            Op::Unlock => self.owner = None,
            // A check whether it is poisoned.
            _ => {}
        }
        self.version += call.argument.changes();
        Outcome::YES
    }

    fn finds_the_same(found: Self, now: Self, _: Op) -> bool {
        match found.owner {
            // It got the lock, and saw what is behind it.
            None => found.version == now.version,
            Some(owner) => now.owner == Some(owner),
        }
    }

    fn holders(&self) -> Holders {
        self.owner.map_or(Holders::None, Holders::Owner)
    }

    fn is_sure(op: Op) -> bool {
        matches!(op, Op::Lock | Op::Unlock)
    }
}
