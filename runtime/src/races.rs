//! The races of an execution, for people to read: which partners each receiving event could have had, and the rows of the
//! race table (the textbook's section 7.5.5).

use insyn_specs::EventRef;

use crate::execution::event::Ix;
use crate::execution::{Execution, Settings};
use crate::exploration::past::Pasts;
use crate::exploration::races::Races;
use crate::exploration::table::Table;
use crate::rules::{Rule, Rules};

/// The race table of an execution: see [`Ended::race_table`](crate::Ended::race_table). Events are named as in the
/// execution's [sequence](crate::Ended::sequence).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RaceTable {
    /// The receiving events whose race set is not empty, in an order that respects happens-before.
    pub columns: Vec<RaceColumn>,
    /// Each row is a variant; in ascending order, as the textbook counts them. Per column: 0 to leave the event as it is, `n` to change it to the `n`-th member of its race
    /// set, -1 if the row removes it.
    pub rows: Vec<Vec<i64>>,
}

impl RaceTable {
    /// The race set of a receiving event; empty if it could have taken nothing else.
    pub fn race_set(&self, event: EventRef) -> &[Vec<EventRef>] {
        self.columns.iter().find(|column| column.event == event).map_or(&[], |column| &column.race_set)
    }
}

/// A receiving event and its race set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct RaceColumn {
    /// The event.
    pub event: EventRef,
    /// What it could have taken instead; an empty list stands for NOTHING.
    pub race_set: Vec<Vec<EventRef>>,
}

/// Analyses the run that has just ended, as if nothing had been explored before it.
pub(crate) fn race_table(x: &Execution) -> RaceTable {
    let settings =
        Settings { rules: Rules::ALL.without(Rule::Black).without(Rule::OldPartners), ..x.settings };
    let refer = crate::sequence::references(x);
    let mut pasts = Pasts::default();
    pasts.compute(x.run());
    let mut races = Races::default();
    races.find(x.run(), &x.objects[..x.live_objects], &pasts, &settings);
    let columns = races
        .columns
        .iter()
        .map(|column| RaceColumn {
            event: refer(column.event),
            race_set: races
                .of(column)
                .iter()
                .map(|&candidate| races.mates(candidate).iter().map(|&m: &Ix| refer(m)).collect())
                .collect(),
        })
        .collect();
    let mut table = Table::default();
    table.races = races;
    table.recorded.run.events.extend_from_slice(&x.run().events);
    table.recorded.run.lists.extend_from_slice(&x.run().lists);
    table.start(&mut pasts);
    let mut rows = Vec::new();
    while table.next(&settings.rules) {
        rows.push(table.row());
    }
    rows.sort_unstable();
    RaceTable { columns, rows }
}
