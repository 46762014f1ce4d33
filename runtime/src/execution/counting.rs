//! Counted pointers. In most programs it does not matter who drops the last one, so counting is no event until somebody
//! looks at a count, or the destructor of what is pointed to synchronizes.

use super::calling::{self, answer};
use super::effects::count;
use super::event::{Kind, NONE, Op};
use super::topology::Fact;
use super::{Place, alive, of, stepping};

/// The name of a counted pointer under control, and the object if its count matters.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count {
    process: u32,
    object: u32,
}

/// Which kind of pointer an operation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pointer {
    Strong,
    Weak,
}

impl Pointer {
    fn argument(self) -> u64 {
        match self {
            Pointer::Strong => count::STRONG,
            Pointer::Weak => count::WEAK,
        }
    }
}

/// Starts to count: one strong pointer.
pub(crate) fn new(stamp: u64) -> Count {
    start(stamp, 1)
}

/// Starts to count the pointers to what is still being made: no strong one.
pub(crate) fn unborn(stamp: u64) -> Count {
    start(stamp, 0)
}

fn start(stamp: u64, strong: u64) -> Count {
    let x = stepping::begin_to_make(stamp);
    let process = x.new_process(Kind::Arc);
    if !x.processes.facts(process).counted {
        x.note_uncounted(process);
        return Count { process, object: NONE };
    }
    let object = x.new_object(process, Kind::Arc);
    x.objects[object as usize].state = strong;
    x.objects[object as usize].initial = strong;
    Count { process, object }
}

impl Count {
    /// Whether operations on it are events.
    pub(crate) fn matters(self) -> bool {
        self.object != NONE
    }

    /// The count must matter: if it does not yet, the exploration starts again so that it does.
    #[track_caller]
    pub(crate) fn must_matter(self, stamp: u64) {
        if !self.matters() {
            let x = of(stamp);
            x.learn(Fact::Counted(x.processes.path(self.process)));
            stepping::suspend_for_good();
        }
    }

    /// A pointer is cloned.
    #[track_caller]
    pub(crate) fn clone_pointer(self, stamp: u64, pointer: Pointer, place: Place) {
        if self.matters() && alive(stamp).is_some() {
            calling::call_with(stamp, self.object, Op::Clone, pointer.argument(), place);
        }
    }

    /// A pointer is dropped; whether it is known to be the last strong one.
    #[track_caller]
    pub(crate) fn drop_pointer(self, stamp: u64, pointer: Pointer, place: Place) -> bool {
        self.matters()
            && alive(stamp).is_some()
            && calling::call_with(stamp, self.object, Op::Drop, pointer.argument(), place) == answer::YES
    }

    /// A strong pointer goes if it is the last; whether it was.
    #[track_caller]
    pub(crate) fn drop_if_last(self, stamp: u64, place: Place) -> bool {
        self.must_matter(stamp);
        calling::call_with(stamp, self.object, Op::TryUnwrap, count::STRONG, place) == answer::YES
    }

    /// A weak pointer wants to be a strong one; whether it may.
    #[track_caller]
    pub(crate) fn upgrade(self, stamp: u64, place: Place) -> bool {
        self.must_matter(stamp);
        calling::call_with(stamp, self.object, Op::Upgrade, count::STRONG, place) == answer::YES
    }

    /// How many strong and weak pointers there are.
    #[track_caller]
    pub(crate) fn look(self, stamp: u64, place: Place) -> (usize, usize) {
        self.must_matter(stamp);
        let (strong, weak) = count::both(calling::call(stamp, self.object, Op::Observe, place));
        (strong as usize, weak as usize)
    }
}

/// How many operations the program has started so far: whether something in between synchronized.
pub(crate) fn touches(stamp: u64) -> u64 {
    alive(stamp).map_or(0, |x| x.steps)
}
