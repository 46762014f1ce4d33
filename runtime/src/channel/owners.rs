//! The handles of a channel whose messages stay until the last handle of either side is gone, as in crossbeam's bounded
//! channels.
//!
//! In most programs it does not matter which handle is the last, and handles are not counted. If the destructor of a
//! message synchronizes, it does matter, and the handles are counted like those of an `Arc`.

use std::cell::Cell;

use insyn_engine::NOWHERE;
use insyn_engine::access::with;
use insyn_engine::calls;
use insyn_engine::ids::{ExecutionId, ObjectId, ProcessId};
use insyn_engine::objects::{Answer, State, arc};
use insyn_engine::record::event::{Kind, Op};
use insyn_engine::refinement::Fact;
use insyn_engine::schedule::steps;

/// The handles of a channel.
pub(super) struct Owners {
    execution: ExecutionId,
    process: ProcessId,
    /// The counted pointer that counts the handles, if their number matters.
    object: Option<ObjectId>,
    left: Cell<u32>,
}

impl Owners {
    /// One handle for each side of a channel.
    pub(super) fn new(execution: ExecutionId, channel: ObjectId) -> Self {
        with(execution, |engine| {
            let parent = engine.run.objects[channel].process;
            let process = engine.child_process(parent, Kind::Arc, 1);
            let object = match engine.processes.facts(process).counted {
                true => Some(engine.new_object(process, Kind::Arc, State::Arc(arc::State::new(2)))),
                false => {
                    engine.note_uncounted(process);
                    None
                }
            };
            Owners { execution, process, object, left: Cell::new(2) }
        })
    }

    /// Another handle.
    #[track_caller]
    pub(super) fn join(&self) {
        self.left.set(self.left.get() + 1);
        if let Some(object) = self.object {
            calls::call(self.execution, object, Op::Clone, NOWHERE);
        }
    }

    /// A handle is gone; returns whether it was the last.
    pub(super) fn leave(&self) -> bool {
        self.left.set(self.left.get() - 1);
        match self.object {
            Some(object) => calls::call(self.execution, object, Op::Drop, NOWHERE) == Answer::Yes,
            None => self.left.get() == 0,
        }
    }

    /// The drop of the last handle has synchronized: if handles are not counted yet, the exploration starts again and
    /// counts them.
    pub(super) fn must_matter(&self) {
        if self.object.is_none() {
            steps::start_again(self.execution, |engine| Fact::Counted(engine.processes.path(self.process)));
        }
    }
}
