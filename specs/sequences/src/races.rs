//! The race table of a sequence (the textbook's section 7.5.5): which partners each receiving event could have had, and the
//! variants that follow from changing some of them. The explorer computes it; here it is data.

use crate::sequence::EventRef;

/// The races of a sequence, and its variants. Events are named as in the sequence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RaceTable {
    /// The receiving events whose race set is not empty, in an order that respects happens-before.
    pub columns: Vec<RaceColumn>,
    /// Each row is a variant; in ascending order, as the textbook counts them. Per column: 0 to leave the event as it is,
    /// `n` to change it to the `n`-th member of its race set, -1 if the row removes it.
    pub rows: Vec<Vec<i64>>,
    /// Whether there are more rows than these.
    pub more: bool,
}

/// A receiving event and its race set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceColumn {
    /// The event.
    pub event: EventRef,
    /// What it could have taken instead; an empty list stands for NOTHING.
    pub race_set: Vec<Vec<EventRef>>,
}

impl RaceTable {
    /// The race set of a receiving event; empty if it could have taken nothing else.
    pub fn race_set(&self, event: EventRef) -> &[Vec<EventRef>] {
        self.columns.iter().find(|column| column.event == event).map_or(&[], |column| &column.race_set)
    }
}
