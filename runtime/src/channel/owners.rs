//! Who holds the handles of a channel whose messages stay until the last handle of either side is gone, as those of
//! crossbeam's bounded channels do.
//!
//! In most programs it does not matter which handle that is: nobody counts. If the destructor of a message synchronizes,
//! it does, and the handles are counted as those of an `Arc` are.

use std::cell::Cell;

use crate::execution::calling::{self, answer};
use crate::execution::event::{Kind, NONE, Op};
use crate::execution::topology::Fact;
use crate::execution::{NOWHERE, of, stepping};

/// The handles of a channel.
pub(super) struct Owners {
    stamp: u64,
    process: u32,
    /// What counts them, if it matters.
    object: u32,
    left: Cell<u32>,
}

impl Owners {
    /// One handle for each side of a channel.
    pub(super) fn new(stamp: u64, channel: u32) -> Self {
        let x = of(stamp);
        let parent = x.objects[channel as usize].process;
        let process = x.child_process(parent, Kind::Arc, 1);
        let mut object = NONE;
        if x.processes.facts(process).counted {
            object = x.new_object(process, Kind::Arc);
            x.objects[object as usize].state = 2;
            x.objects[object as usize].initial = 2;
        } else {
            x.note_uncounted(process);
        }
        Owners { stamp, process, object, left: Cell::new(2) }
    }

    fn matter(&self) -> bool {
        self.object != NONE
    }

    /// Another handle.
    #[track_caller]
    pub(super) fn join(&self) {
        self.left.set(self.left.get() + 1);
        if self.matter() {
            calling::call(self.stamp, self.object, Op::Clone, NOWHERE);
        }
    }

    /// A handle is gone; whether it was the last.
    pub(super) fn leave(&self) -> bool {
        self.left.set(self.left.get() - 1);
        match self.matter() {
            true => calling::call(self.stamp, self.object, Op::Drop, NOWHERE) == answer::YES,
            false => self.left.get() == 0,
        }
    }

    /// Something has synchronized because the last handle went: if nobody counts yet, the exploration starts again so that
    /// they are counted.
    pub(super) fn must_matter(&self) {
        if !self.matter() {
            let x = of(self.stamp);
            x.learn(Fact::Counted(x.processes.path(self.process)));
            stepping::suspend_for_good();
        }
    }
}
