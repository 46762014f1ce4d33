//! The race table of a run, row by row. Each row chooses, for every receiving event that has a race set, to leave it
//! or to change it to a member of the set; a row with at least one change is a variant.
//!
//! Rows are produced one at a time ([`Table::next`]). So are the [columns](super::columns) of a long run: its next race set
//! is computed when all rows that change earlier events have been produced. Before that, the exploration visits everything
//! that these rows lead to, or reaches a bound.

use std::rc::Rc;

use super::columns::Columns;
use super::past::Pasts;
use super::races::Candidate;
use insyn_engine::Settings;
use insyn_engine::ids::EventId;
use insyn_engine::record::run::RecordedRun;
use insyn_engine::script::Whole;

/// A run with its race sets and the row that was produced last.
#[derive(Default, Debug)]
pub(crate) struct Table {
    pub recorded: Rc<RecordedRun>,
    /// The script of a variant that keeps the whole run.
    pub whole: Whole,
    /// Happens-before of the run.
    pub(crate) pasts: Pasts,
    pub(crate) columns: Columns,
    /// Rows produced so far: the place of a row among its siblings.
    pub(crate) produced: u64,
    exhausted: bool,
}

/// For a run with no more than this many receiving events that can still change, all columns are found at once.
const FEW: usize = 64;

impl Table {
    /// Starts the table of a run with its pasts; false if it has no column. The first `looked_at` receiving events that can
    /// still change have no race set. The caller gets other memory for its next run.
    pub(crate) fn start(
        &mut self,
        run: &mut RecordedRun,
        looked_at: usize,
        pasts: &mut Pasts,
        processes: usize,
        settings: &Settings,
    ) -> bool {
        let Table { recorded, columns, .. } = self;
        columns.start(run, looked_at);
        if !columns.find(run, pasts, settings) {
            return false;
        }
        if run.open.len() - looked_at <= FEW {
            while columns.find(run, pasts, settings) {}
        }
        match Rc::get_mut(recorded) {
            Some(memory) => std::mem::swap(memory, run),
            // A script still refers to the previous run of this table.
            None => *recorded = Rc::new(std::mem::take(run)),
        }
        self.whole.fill(&self.recorded, processes);
        std::mem::swap(&mut self.pasts, pasts);
        self.produced = 0;
        self.exhausted = false;
        true
    }

    /// How many bytes it takes.
    pub(crate) fn bytes(&self) -> usize {
        self.recorded.bytes() + self.whole.bytes() + self.pasts.bytes()
    }

    /// Whether [`next`](Self::next) may find another row.
    pub(crate) fn has_more(&self) -> bool {
        !self.exhausted
    }

    /// Advances to the next row; false if there is none.
    pub(crate) fn next(&mut self, settings: &Settings) -> bool {
        if self.exhausted {
            return false;
        }
        let Table { recorded, pasts, columns, .. } = self;
        let mut first = 0;
        while !columns.count_up(first, recorded, pasts, &settings.rules) {
            first = columns.len();
            if !columns.find(recorded, pasts, settings) {
                self.exhausted = true;
                return false;
            }
        }
        self.produced += 1;
        true
    }

    /// The changes of the current row: the event and its new partners (none: NOTHING), in the order of the run.
    pub(crate) fn changes(&self) -> impl Iterator<Item = (EventId, Candidate)> + '_ {
        self.columns.changes()
    }

    /// The new partners of an event that the current row changes.
    pub(crate) fn partners(&self, candidate: Candidate) -> &[EventId] {
        self.columns.races.partners(candidate)
    }
}
