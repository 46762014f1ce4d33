//! A reader-writer lock. A waiting writer may block new readers, once one of them has met it.

use insyn_sequences::Op;

use super::{Answer, Behaviour, Call, Completion, Enabled, Holders, Liberties, Outcome};
use crate::ids::ThreadId;

/// The threads that read and the thread that writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    readers: u32,
    writer: Option<ThreadId>,
    /// Whether, and for how long, a waiting writer blocks readers.
    closed: Closed,
    /// How often what it protects has changed.
    version: u32,
}

/// For how long a waiting writer blocks readers. As on Linux: the last reader that leaves wakes the writer, and until the
/// writer takes the lock other readers may get in; but not if one of them waits, since then it is the writer's turn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
enum Closed {
    /// No reader has met a waiting writer.
    #[default]
    No,
    /// A reader has tried and failed: readers are blocked until the last reader has left.
    WhileRead,
    /// A reader waits too: readers are blocked until a writer has had the lock.
    UntilWritten,
}

impl State {
    fn is_free(self) -> bool {
        self.readers == 0 && self.writer.is_none()
    }

    /// The same data, with nobody there.
    fn left(self) -> Self {
        State { version: self.version, ..State::default() }
    }

    fn is_closed_to_readers(self) -> bool {
        self.writer.is_some() || self.closed != Closed::No
    }

    /// Whether a thread writes.
    pub(crate) fn is_written(self) -> bool {
        self.writer.is_some()
    }

    /// Whether some thread reads.
    pub(crate) fn is_read(self) -> bool {
        self.readers > 0
    }

    /// A thread starts to read.
    pub(crate) fn start_reading(&mut self) {
        self.readers += 1;
    }

    /// A thread stops reading.
    pub(crate) fn stop_reading(&mut self) {
        self.readers -= 1;
        if self.readers == 0 && self.closed == Closed::WhileRead {
            self.closed = Closed::No;
        }
    }

    /// The state after a reader has tried and failed because of a waiting writer.
    pub(super) fn behind_writer(self) -> Self {
        match self.closed {
            Closed::No => State { closed: Closed::WhileRead, ..self },
            _ => self,
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
    fn enabled(lock: Self, call: &Call, liberties: &Liberties) -> Enabled {
        let may_meet_writer = lock.readers > 0 && liberties.waiting_writers_block;
        match call.op {
            Op::Write => Enabled::now_if(lock.is_free()),
            Op::Read if lock.writer.is_some() || lock.closed == Closed::UntilWritten => Enabled::No,
            Op::Read if lock.closed == Closed::WhileRead => Enabled::Blocked,
            Op::Read if may_meet_writer => Enabled::UnlessBlocked,
            Op::TryRead if may_meet_writer && !lock.is_closed_to_readers() => Enabled::UnlessBlocked,
            _ => Enabled::NOW,
        }
    }

    #[inline]
    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        match call.op {
            Op::TryRead if self.is_closed_to_readers() => {
                return Outcome::failed(Op::FailedRead, Answer::No);
            }
            // The reader has met a waiting writer.
            Op::TryRead if call.partners.len() > 1 => {
                *self = self.behind_writer();
                return Outcome::failed(Op::FailedRead, Answer::No);
            }
            Op::Read | Op::TryRead => self.start_reading(),
            Op::UnlockRead => self.stop_reading(),
            Op::TryWrite if !self.is_free() => return Outcome::failed(Op::FailedWrite, Answer::No),
            Op::Write | Op::TryWrite => *self = State { writer: call.thread, ..self.left() },
            Op::Unlock => *self = self.left(),
            Op::Downgrade => *self = State { readers: 1, ..self.left() },
            Op::Block => self.closed = Closed::UntilWritten,
            // A check whether it is poisoned.
            _ => {}
        }
        self.version += call.argument.changes();
        Outcome::YES
    }

    fn finds_the_same(found: Self, now: Self, op: Op) -> bool {
        let got_in = match op {
            Op::TryRead => !found.is_closed_to_readers(),
            Op::TryWrite => found.is_free(),
            _ => true,
        };
        // Who got the lock saw what is behind it; the others saw who has it.
        if got_in { found.version == now.version } else { State { version: found.version, ..now } == found }
    }

    fn holders(&self) -> Holders {
        match self.writer {
            Some(writer) => Holders::Owner(writer),
            None => Holders::Readers { count: self.readers, behind_writer: self.closed != Closed::No },
        }
    }
}
