//! Events as they are recorded while a program runs: flat, copyable, and numbered in the order they happened.
//!
//! The order of recording is a topological order of happens-before: whatever comes before an event has a smaller
//! number. The analysis in [`crate::exploration`] leans on that.

use std::panic::Location;

pub(crate) use insyn_sequences::{Kind, Op};

pub(crate) use crate::engine::flags::Flags;
use crate::engine::ids::{EventId, ObjectId, ProcessId, SnapshotId, ThreadId};
use crate::engine::process::MAIN;
use crate::place::NOWHERE;

/// What a receiving event took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// Not a receiving event.
    No,
    /// A receiving event that took NOTHING.
    Nothing,
    /// A receiving event that took its partners ([`RecordedRun::partners`]).
    Partners,
}

/// One recorded event. Its *own* predecessors (`prev`, `also`, and the drops behind a disconnect) made it come up;
/// its partners are what it picked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    /// The process (interned, see [`crate::engine::process`]) it belongs to.
    pub(crate) process: ProcessId,
    /// Its place in that process.
    pub(crate) index: u32,
    pub(crate) op: Op,
    pub(crate) pick: Pick,
    pub(crate) flags: Flags,
    /// The thread that performed it; on a completion, the thread whose call was completed.
    pub(crate) thread: Option<ThreadId>,
    /// The object it happened on.
    pub(crate) object: Option<ObjectId>,
    pub(crate) prev: Option<EventId>,
    pub(crate) also: Option<EventId>,
    /// Its partner, if it has one; more than one are in the list [`Event::partners`].
    pub(crate) partner: Option<EventId>,
    pub(crate) partners: Span,
    /// On a receive: the ports it was open for ([`RecordedRun::ports`]). On a joined timeline: the states of all objects
    /// ([`RecordedRun::states`]). On a disconnect or hang-up: the drops before it; on a completion of a condition variable: the
    /// waiters; on an expire: the wait ([`RecordedRun::list`]). On a turn: the steps that it can be ([`RecordedRun::steps`]). On a call that
    /// polls again: the state it was in ([`RecordedRun::seen`]).
    pub(crate) list: Span,
    /// On a completion: the state of its object just before it.
    pub(crate) snapshot: Option<SnapshotId>,
    /// On a send or a call: the receiving event that took it, or because of which it waits no more.
    pub(crate) taken_by: Option<EventId>,
    pub(crate) location: &'static Location<'static>,
}

impl Event {
    /// What fills the place of a table that no event has.
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

    /// The object of a call, of a completion, or of whatever else is always about one.
    #[inline]
    pub(crate) fn on(&self) -> ObjectId {
        self.object.expect("the event is about an object")
    }

    /// The thread of a send, a call, or whatever else a thread always does.
    #[inline]
    pub(crate) fn by(&self) -> ThreadId {
        self.thread.expect("a thread has done it")
    }

    /// Whether this send or call was taken by this event or an earlier one.
    #[inline]
    pub(crate) fn is_taken_by(&self, i: EventId) -> bool {
        self.taken_by.is_some_and(|it| it <= i)
    }

    /// Whether this send or call was taken before this event.
    #[inline]
    pub(crate) fn is_taken_before(&self, i: EventId) -> bool {
        self.taken_by.is_some_and(|it| it < i)
    }
}

/// A part of one of the lists of a [`RecordedRun`]; which one, the event that has it tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Span {
    /// The part of a list.
    #[inline]
    pub(crate) fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..(self.start + self.len) as usize]
    }

    /// Appends to a list; the part that is new.
    #[inline]
    pub(crate) fn appended<T>(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Span {
        let start = list.len() as u32;
        list.extend(items);
        Span { start, len: list.len() as u32 - start }
    }
}
