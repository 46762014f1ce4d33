//! What a thread polls: what it has found, and what it waits to see changed.

use crate::Place;
use crate::ids::ObjectId;
use crate::objects::{Answer, Snapshot};

/// What is known about a thread that polls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Poll {
    /// What it has found unchanged, at which of its own events, and where in the source.
    pub(crate) polled: Look,
    /// What it waits to see changed, and before which of its events.
    pub awaited: Look,
    /// It waits in a poll for something to change.
    pub(crate) is_waiting: bool,
    /// Its polls find nothing, to test whether it gives up.
    pub(crate) is_tested: bool,
    /// The state in which it has found an object, and the answer it got.
    pub state: Option<Snapshot>,
    pub answer: Option<Answer>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub object: Option<ObjectId>,
    pub at: u32,
    pub place: Option<Place>,
    /// The object is a lock, and what it has found is behind it.
    pub(crate) is_behind: bool,
}

impl Look {
    const NONE: Look = Look { object: None, at: 0, place: None, is_behind: false };
}

impl Poll {
    pub(crate) const NONE: Poll = Poll {
        polled: Look::NONE,
        awaited: Look::NONE,
        is_waiting: false,
        is_tested: false,
        state: None,
        answer: None,
    };

    /// Starts again. What it has found counts only together with where it polled.
    #[inline]
    pub(crate) fn restart(&mut self) {
        let Poll { polled, awaited, is_waiting, is_tested, state: _, answer: _ } = self;
        (polled.object, polled.place) = (None, None);
        (awaited.object, awaited.place) = (None, None);
        (*is_waiting, *is_tested) = (false, false);
    }
}
