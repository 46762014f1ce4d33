//! A monitor: one thread is inside; others wait to enter, or on its conditions.

use std::collections::VecDeque;

use insyn_sequences::Op;

use super::{Behaviour, Call, Completion, Enabled, Holders, Liberties, Outcome};
use crate::ids::ThreadId;

/// The thread inside, and the threads that wait.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct State {
    pub owner: Option<ThreadId>,
    /// Signallers that wait to go on, the latest last.
    pub urgent: Vec<ThreadId>,
    /// By condition: the waiting threads, the longest first.
    pub conditions: Vec<VecDeque<ThreadId>>,
}

/// The thread inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    owner: Option<ThreadId>,
}

impl Behaviour for State {
    type Snapshot = Snapshot;

    #[inline]
    fn snapshot(&self) -> Snapshot {
        Snapshot { owner: self.owner }
    }

    #[inline]
    fn enabled(monitor: Snapshot, call: &Call, _: &Liberties) -> Enabled {
        match call.op {
            Op::Enter | Op::Reenter => Enabled::now_if(monitor.owner.is_none()),
            _ => Enabled::NOW,
        }
    }

    #[inline]
    fn complete(&mut self, call: &Completion<'_>) -> Outcome {
        self.owner = call.thread;
        Outcome::YES
    }

    fn holders(&self) -> Holders {
        self.owner.map_or(Holders::None, Holders::Owner)
    }

    fn restart(&mut self, _: Self) {
        self.owner = None;
        self.urgent.clear();
        self.conditions.clear();
    }

    fn is_sure(op: Op) -> bool {
        op == Op::Enter
    }
}
