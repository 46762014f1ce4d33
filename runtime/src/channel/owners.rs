//! Who holds the handles of a channel whose messages stay until the last handle of either side is gone, as those of
//! crossbeam's bounded channels do.
//!
//! In most programs it does not matter which handle that is: nobody counts. If the destructor of a message synchronizes,
//! it does, and the handles are counted as those of an `Arc` are.

use std::cell::Cell;

use crate::engine::NOWHERE;
use crate::engine::access::with;
use crate::engine::calls;
use crate::engine::ids::{ExecutionId, ObjectId, ProcessId};
use crate::engine::objects::{Answer, State, arc};
use crate::engine::record::event::{Kind, Op};
use crate::engine::refinement::Fact;
use crate::engine::schedule::steps;

/// The handles of a channel.
pub(super) struct Owners {
    execution: ExecutionId,
    process: ProcessId,
    /// What counts them, if it matters.
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

    /// A handle is gone; whether it was the last.
    pub(super) fn leave(&self) -> bool {
        self.left.set(self.left.get() - 1);
        match self.object {
            Some(object) => calls::call(self.execution, object, Op::Drop, NOWHERE) == Answer::Yes,
            None => self.left.get() == 0,
        }
    }

    /// Something has synchronized because the last handle went: if nobody counts yet, the exploration starts again so that
    /// they are counted.
    pub(super) fn must_matter(&self) {
        if self.object.is_none() {
            steps::start_again(self.execution, |engine| Fact::Counted(engine.processes.path(self.process)));
        }
    }
}
