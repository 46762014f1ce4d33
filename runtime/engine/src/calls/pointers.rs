//! Counted pointers. In most programs it does not matter which thread drops the last pointer, so cloning and dropping are
//! no events unless the program reads a count, or the destructor of the value synchronizes.

use crate::Place;
use crate::access::{is_alive, with_alive};
use crate::calls;
use crate::ids::{ExecutionId, ObjectId, ProcessId};
use crate::objects::{Answer, Argument, State, arc};
use crate::record::event::{Kind, Op};
use crate::refinement::Fact;
use crate::schedule::steps;

pub use crate::objects::Pointer;

/// The name of a counted pointer under control, and the object if its count matters.
#[derive(Clone, Copy, Debug)]
pub struct Count {
    process: ProcessId,
    object: Option<ObjectId>,
}

/// A new count with one strong pointer.
pub fn new(execution: ExecutionId) -> Count {
    start(execution, 1)
}

/// A new count for a value that is still being made: there is no strong pointer yet.
pub fn unborn(execution: ExecutionId) -> Count {
    start(execution, 0)
}

fn start(execution: ExecutionId, strong: u32) -> Count {
    steps::begin_to_make(execution, |engine| {
        let process = engine.new_process(Kind::Arc);
        if !engine.processes.facts(process).counted {
            engine.note_uncounted(process);
            return Count { process, object: None };
        }
        let object = engine.new_object(process, Kind::Arc, State::Arc(arc::State::new(strong)));
        Count { process, object: Some(object) }
    })
}

impl Count {
    /// Whether operations on the pointer are events.
    pub fn matters(self) -> bool {
        self.object.is_some()
    }

    /// The count must matter: if it does not yet, the exploration starts again so that it does.
    #[track_caller]
    pub fn must_matter(self, execution: ExecutionId) {
        self.counted(execution);
    }

    /// The object of the count, after [`must_matter`](Self::must_matter).
    #[track_caller]
    fn counted(self, execution: ExecutionId) -> ObjectId {
        self.object.unwrap_or_else(|| {
            steps::start_again(execution, |engine| Fact::Counted(engine.processes.path(self.process)))
        })
    }

    /// Clones a pointer.
    #[track_caller]
    pub fn clone_pointer(self, execution: ExecutionId, pointer: Pointer, place: Place) {
        if let Some(object) = self.object
            && is_alive(execution)
        {
            calls::call_with(execution, object, Op::Clone, Argument::Pointer(pointer), place);
        }
    }

    /// Drops a pointer; returns whether it is known to be the last strong one.
    #[track_caller]
    pub fn drop_pointer(self, execution: ExecutionId, pointer: Pointer, place: Place) -> bool {
        let Some(object) = self.object.filter(|_| is_alive(execution)) else { return false };
        calls::call_with(execution, object, Op::Drop, Argument::Pointer(pointer), place) == Answer::Yes
    }

    /// Drops a strong pointer if it is the last; returns whether it was.
    #[track_caller]
    pub fn drop_if_last(self, execution: ExecutionId, place: Place) -> bool {
        let object = self.counted(execution);
        calls::call(execution, object, Op::TryUnwrap, place) == Answer::Yes
    }

    /// Upgrades a weak pointer; returns whether that succeeds.
    #[track_caller]
    pub fn upgrade(self, execution: ExecutionId, place: Place) -> bool {
        let object = self.counted(execution);
        calls::call(execution, object, Op::Upgrade, place) == Answer::Yes
    }

    /// How many strong and weak pointers there are.
    #[track_caller]
    pub fn look(self, execution: ExecutionId, place: Place) -> (usize, usize) {
        let object = self.counted(execution);
        match calls::call(execution, object, Op::Observe, place) {
            Answer::Pointers { strong, weak } => (strong as usize, weak as usize),
            answer => unreachable!("a look tells the counts, not {answer:?}"),
        }
    }
}

/// How many operations the program has started so far. If two calls return different numbers, the program has
/// synchronized in between.
pub fn touches(execution: ExecutionId) -> u64 {
    with_alive(execution, |engine| engine.schedule.steps).unwrap_or(0)
}
