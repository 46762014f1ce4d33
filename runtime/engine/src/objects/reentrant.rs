//! A lock that its owner may take again.

use insyn_sequences::Op;

use super::{Answer, Behaviour, Call, Completion, Enabled, Holders, Liberties, Outcome};
use crate::ids::ThreadId;

/// The thread that has the lock, and how often it has taken the lock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    owner: Option<ThreadId>,
    depth: u32,
}

impl State {
    fn is_free_for(self, thread: Option<ThreadId>) -> bool {
        self.owner.is_none() || self.owner == thread
    }
}

impl Behaviour for State {
    type Snapshot = Self;

    #[inline]
    fn snapshot(&self) -> Self {
        *self
    }

    #[inline]
    fn enabled(lock: Self, call: &Call, _: &Liberties) -> Enabled {
        match call.op {
            Op::Lock => Enabled::now_if(lock.is_free_for(call.thread)),
            Op::Unlock => Enabled::now_if(lock.owner == call.thread),
            _ => Enabled::NOW,
        }
    }

    #[inline]
    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        match call.op {
            Op::TryLock if !self.is_free_for(call.thread) => {
                return Outcome::failed(Op::FailedLock, Answer::No);
            }
            Op::Lock | Op::TryLock => {
                self.owner = call.thread;
                self.depth += 1;
            }
            Op::Unlock => {
                self.depth -= 1;
                if self.depth == 0 {
                    self.owner = None;
                }
            }
            _ => {}
        }
        Outcome::YES
    }

    fn holders(&self) -> Holders {
        self.owner.map_or(Holders::None, Holders::Owner)
    }

    fn is_sure(op: Op) -> bool {
        matches!(op, Op::Lock | Op::Unlock)
    }
}
