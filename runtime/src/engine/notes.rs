//! What the program has said about its events.

use insyn_sequences::Label;

use super::ids::EventId;
use crate::macro_support::Place as TextPlace;

/// What the program has said about its events, each list in their order.
#[derive(Default)]
pub(super) struct Notes {
    /// Where events really are that seem to be elsewhere.
    pub(super) places: Vec<(EventId, TextPlace)>,
    /// What the program called its moments.
    pub(super) labels: Vec<(EventId, Label)>,
}

impl Notes {
    /// Starts another run.
    #[inline]
    pub(super) fn reset(&mut self) {
        let Notes { places, labels } = self;
        places.clear();
        labels.clear();
    }
}
