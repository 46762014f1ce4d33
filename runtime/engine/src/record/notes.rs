//! What the program has reported about its events.

use insyn_sequences::Label;

use crate::ids::EventId;
use crate::place::TextPlace;

/// What the program has reported about its events, each list in their order.
#[derive(Default)]
pub(crate) struct Notes {
    /// The real source locations of events whose recorded locations are not the real ones.
    pub places: Vec<(EventId, TextPlace)>,
    /// The labels that the program has given.
    pub labels: Vec<(EventId, Label)>,
}

impl Notes {
    /// Starts another run.
    #[inline]
    pub(crate) fn reset(&mut self) {
        let Notes { places, labels } = self;
        places.clear();
        labels.clear();
    }
}
