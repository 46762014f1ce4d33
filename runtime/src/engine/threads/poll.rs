//! What a thread polls: what it has found, and waits to see changed.

use crate::engine::Place;
use crate::engine::ids::ObjectId;
use crate::engine::objects::{Answer, Snapshot};

/// What is known about a thread that polls.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Poll {
    /// What it has found unchanged, at which of its own events, and where in the source.
    pub(crate) polled: Look,
    /// What it waits to see changed, and before which of its events.
    pub(crate) awaited: Look,
    /// It waits in a look for something to change.
    pub(crate) is_waiting: bool,
    /// Its looks find nothing, to see whether it gives up.
    pub(crate) is_tested: bool,
    /// The state in which it has found an object, and what it was told then.
    pub(crate) state: Option<Snapshot>,
    pub(crate) answer: Option<Answer>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) object: Option<ObjectId>,
    pub(crate) at: u32,
    pub(crate) place: Option<Place>,
}

impl Look {
    const NONE: Look = Look { object: None, at: 0, place: None };
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

    /// Starts again. What it has found counts only together with where it looked.
    #[inline]
    pub(crate) fn restart(&mut self) {
        let Poll { polled, awaited, is_waiting, is_tested, state: _, answer: _ } = self;
        (polled.object, polled.place) = (None, None);
        (awaited.object, awaited.place) = (None, None);
        (*is_waiting, *is_tested) = (false, false);
    }
}
