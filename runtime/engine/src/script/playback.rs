//! How far a run is in its script.

use crate::ids::{EventId, ProcessId, Values};
use crate::script::{Pace, Script};

/// How far a run is in its script.
pub(crate) struct Playback {
    /// By process: how far it is.
    pub(crate) paces: Values<ProcessId, Pace>,
    /// By event of the past run: the event of this run that repeats it.
    pub repeated: Values<EventId, Option<EventId>>,
    /// Objects have been made in the order in which the past run made its own, so that they have the same numbers.
    pub(crate) same_objects: bool,
    /// How many events there were when a thread was last chosen because it follows the recording.
    pub(crate) followed_at: Option<usize>,
}

impl Default for Playback {
    fn default() -> Self {
        Playback {
            paces: Values::default(),
            repeated: Values::default(),
            same_objects: true,
            followed_at: None,
        }
    }
}

impl Playback {
    /// Starts to follow a script, where this many processes are known.
    #[inline]
    pub(crate) fn reset(&mut self, script: &Script, processes: usize) {
        let Playback { paces, repeated, same_objects, followed_at } = self;
        paces.copy(script.paces(), processes, Pace::FREE);
        repeated.fill(script.past.events.len(), None);
        // In a recording, objects have no numbers.
        *same_objects = !script.doubtful;
        *followed_at = None;
    }
}
