//! A semaphore: permits, optionally with a maximum.

use insyn_sequences::Op;

use super::{Answer, Behaviour, Call, Completion, Enabled, Liberties, Outcome};

/// How many permits there are, and how many there may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct State {
    permits: u64,
    most: u64,
}

/// Whether there are permits, and room for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    is_available: bool,
    is_full: bool,
}

impl State {
    /// A semaphore with this many permits, and never more than `most`.
    pub fn new(permits: u64, most: u64) -> Self {
        State { permits, most }
    }
}

impl Behaviour for State {
    type Snapshot = Snapshot;

    #[inline]
    fn snapshot(&self) -> Snapshot {
        Snapshot { is_available: self.permits > 0, is_full: self.permits >= self.most }
    }

    #[inline]
    fn enabled(semaphore: Snapshot, call: &Call, _: &Liberties) -> Enabled {
        match call.op {
            Op::Acquire => Enabled::now_if(semaphore.is_available),
            Op::Release => Enabled::now_if(!semaphore.is_full),
            _ => Enabled::NOW,
        }
    }

    #[inline]
    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        match call.op {
            Op::TryAcquire if self.permits == 0 => return Outcome::failed(Op::FailedAcquire, Answer::No),
            Op::Acquire | Op::TryAcquire => self.permits -= 1,
            Op::Release => self.permits += 1,
            _ => {}
        }
        Outcome::YES
    }

    fn is_sure(op: Op) -> bool {
        matches!(op, Op::Acquire | Op::Release)
    }
}
