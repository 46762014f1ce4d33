//! The races of an execution, for readers: which partners each receiving event could have had, and the rows of the race
//! table (the textbook's section 7.5.5).

use insyn_sequences::{RaceColumn, RaceTable};

use super::columns::Columns;
use super::past::Pasts;
use crate::sequence::Cast;
use insyn_engine::ids::EventId;
use insyn_engine::rules::{Rule, Rules};
use insyn_engine::{Engine, Settings};

/// The maximal number of rows of a race table.
const MOST_ROWS: usize = 50;

/// The maximal number of digits: a long sequence has fewer rows.
const MOST_DIGITS: usize = 1_000;

/// The maximal number of members of race sets: a table with more would be unreadable.
const MOST_MEMBERS: usize = 2_000;

/// As [`race_table`], if it is small enough to be shown; of many rows, only the first.
pub(crate) fn shown_race_table(engine: &Engine) -> Option<RaceTable> {
    // The picks of a forced program depend on its turns.
    if engine.ending.divergence.is_some() || engine.turns.forcing.is_some() {
        return None;
    }
    analyse(engine, MOST_MEMBERS, |columns| MOST_ROWS.min(MOST_DIGITS / columns.max(1)))
}

/// Analyses the run that has just ended, as if nothing had been explored before it.
pub(crate) fn race_table(engine: &Engine) -> RaceTable {
    analyse(engine, usize::MAX, |_| usize::MAX).expect("no number of members is too large")
}

/// As [`race_table`], with no more rows than `most` returns for the number of columns; none if its race sets have more members
/// than that.
fn analyse(engine: &Engine, most_members: usize, most: impl FnOnce(usize) -> usize) -> Option<RaceTable> {
    let rules = Rules::ALL.without(Rule::Black).without(Rule::OldPartners).without(Rule::OldNothing);
    let settings = Settings { rules, ..engine.settings };
    let cast = Cast::of(engine);
    let mut pasts = Pasts::default();
    pasts.compute(&engine.run, 1);
    let mut run = engine.run.clone();
    run.reopen();
    let mut found = Columns::default();
    found.start(&run, 0);
    while found.find(&run, &pasts, &settings) {
        if found.races.candidates.len() > most_members {
            return None;
        }
    }
    let races = &found.races;
    let columns: Vec<RaceColumn> = races
        .columns
        .iter()
        .map(|column| RaceColumn {
            event: cast.refer(column.event),
            race_set: races
                .of(column)
                .iter()
                .map(|&candidate| {
                    races.partners(candidate).iter().map(|&m: &EventId| cast.refer(m)).collect()
                })
                .collect(),
        })
        .collect();
    let most = most(columns.len());
    let mut rows = Vec::new();
    let more = loop {
        if !found.count_up(0, &run, &pasts, &settings.rules) {
            break false;
        }
        if rows.len() == most {
            break true;
        }
        rows.push(found.row(&run, &pasts));
    };
    rows.sort_unstable();
    Some(RaceTable { columns, rows, more })
}
