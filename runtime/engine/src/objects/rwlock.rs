//! A reader-writer lock. A waiting writer may block new readers, once it has announced itself.

use insyn_sequences::Op;

use super::{Answer, Behaviour, Call, Completion, Enabled, Holders, Liberties, Outcome};
use crate::ids::ThreadId;

/// The threads that read and the thread that writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    readers: u32,
    writer: Option<ThreadId>,
    /// A waiting writer blocks readers.
    is_announced: bool,
}

impl State {
    fn is_free(self) -> bool {
        self.readers == 0 && self.writer.is_none()
    }

    fn is_closed_to_readers(self) -> bool {
        self.writer.is_some() || self.is_announced
    }
}

impl Behaviour for State {
    type Snapshot = Self;

    #[inline]
    fn snapshot(&self) -> Self {
        *self
    }

    #[inline]
    fn enabled(lock: Self, call: &Call, liberties: &Liberties) -> Enabled {
        match call.op {
            Op::Write => Enabled::now_if(lock.is_free()),
            Op::Read if lock.is_closed_to_readers() => Enabled::No,
            Op::Read if lock.readers > 0 && liberties.waiting_writers_block => Enabled::UnlessBlocked,
            _ => Enabled::NOW,
        }
    }

    #[inline]
    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        match call.op {
            Op::TryRead if self.is_closed_to_readers() => {
                return Outcome::failed(Op::FailedRead, Answer::No);
            }
            Op::Read | Op::TryRead => self.readers += 1,
            Op::UnlockRead => self.readers -= 1,
            Op::TryWrite if !self.is_free() => return Outcome::failed(Op::FailedWrite, Answer::No),
            Op::Write | Op::TryWrite => *self = State { writer: call.thread, ..State::default() },
            Op::Unlock => *self = State::default(),
            Op::Downgrade => *self = State { readers: 1, ..State::default() },
            Op::Block => self.is_announced = true,
            // A check whether it is poisoned.
            _ => {}
        }
        Outcome::YES
    }

    fn holders(&self) -> Holders {
        match self.writer {
            Some(writer) => Holders::Owner(writer),
            None => Holders::Readers { count: self.readers, behind_writer: self.is_announced },
        }
    }
}
