//! Events as they are recorded while a program runs: flat, copyable, and numbered in the order they happened.
//!
//! The order of recording is a topological order of happens-before: whatever happens before an event has a smaller
//! number. The analysis in `insyn_explorer::exploration` relies on that.

use std::panic::Location;

pub use insyn_sequences::{Kind, Op};

pub use crate::flags::Flags;
use crate::ids::{EventId, ObjectId, ProcessId, SnapshotId, ThreadId};
use crate::place::NOWHERE;
use crate::process::MAIN;

/// What a receiving event took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pick {
    /// Not a receiving event.
    No,
    /// A receiving event that took NOTHING.
    Nothing,
    /// A receiving event that took its partners (`RecordedRun::partners`).
    Partners,
}

/// One recorded event. Its *own* predecessors (`prev`, `also`, and the drops before a disconnect) made it possible; its
/// partners are what it picked.
#[derive(Clone, Copy, Debug)]
pub struct Event {
    /// The process (interned, see [`crate::process`]) it belongs to.
    pub process: ProcessId,
    /// Its place in that process.
    pub index: u32,
    pub op: Op,
    pub pick: Pick,
    pub flags: Flags,
    /// The thread that performed it; on a completion, the thread whose call was completed.
    pub thread: Option<ThreadId>,
    /// The object it happened on.
    pub object: Option<ObjectId>,
    pub prev: Option<EventId>,
    pub also: Option<EventId>,
    /// Its partner, if it has one; if it has several, they are in the list [`Event::partners`].
    pub partner: Option<EventId>,
    pub partners: Span,
    /// On a receive: the ports it was open for (`RecordedRun::ports`). On a joined timeline: the states of all objects
    /// (`RecordedRun::states`). On a disconnect or hang-up: the drops before it; on a completion of a condition variable: the
    /// waiters; on an expire: the wait (`RecordedRun::list`). On a turn: the steps that it can be (`RecordedRun::steps`). On a call that
    /// polls again: the state it was in; on an offer to fail: the state in which it may be taken (`RecordedRun::seen`).
    pub list: Span,
    /// On a completion: the state of its object just before it.
    pub(crate) snapshot: Option<SnapshotId>,
    /// On a send or a call: the receiving event that took it, or the event that ended its wait.
    pub taken_by: Option<EventId>,
    pub location: &'static Location<'static>,
}

impl Event {
    /// Fills the unused place of a table of events.
    pub(crate) const UNUSED: Event = Event {
        process: MAIN,
        index: 0,
        op: Op::Label,
        pick: Pick::No,
        flags: Flags::NO,
        thread: None,
        object: None,
        prev: None,
        also: None,
        partner: None,
        partners: Span { start: 0, len: 0 },
        list: Span { start: 0, len: 0 },
        snapshot: None,
        taken_by: None,
        location: NOWHERE,
    };

    /// The object of a call, a completion, or another event that always has an object.
    #[inline]
    pub fn on(&self) -> ObjectId {
        self.object.expect("the event is about an object")
    }

    /// The thread of a send, a call, or another event that a thread always performs.
    #[inline]
    pub fn by(&self) -> ThreadId {
        self.thread.expect("a thread has done it")
    }

    /// Whether this send or call was taken by this event or an earlier one.
    #[inline]
    pub fn is_taken_by(&self, i: EventId) -> bool {
        self.taken_by.is_some_and(|it| it <= i)
    }

    /// Whether this send or call was taken before this event.
    #[inline]
    pub fn is_taken_before(&self, i: EventId) -> bool {
        self.taken_by.is_some_and(|it| it < i)
    }
}

/// A part of one of the lists of a `RecordedRun`; the kind of the event that holds it determines which list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub start: u32,
    pub len: u32,
}

impl Span {
    /// The part of a list.
    #[inline]
    pub fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..(self.start + self.len) as usize]
    }

    /// Appends to a list; returns the new part.
    #[inline]
    pub(crate) fn appended<T>(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Span {
        let start = list.len() as u32;
        list.extend(items);
        Span { start, len: list.len() as u32 - start }
    }
}
