//! The race table of a run, row by row. Each row chooses, for every receiving event that has a race set, to leave it
//! or to change it to a member of the set; a row with at least one change is a variant.
//!
//! Rows are produced one at a time ([`Table::next`]). So are the [columns](super::columns) of a long run: its next race set is
//! looked for when all rows that change earlier events have been produced. Before that comes, the exploration goes through all
//! that these rows lead to, or meets a bound.

use super::columns::Columns;
use super::past::Pasts;
use super::races::Candidate;
use crate::engine::Settings;
use crate::engine::event::Run;
use crate::engine::ids::EventId;
use crate::engine::objects::{Object, Objects};
use crate::engine::script::Whole;

/// A run with its race sets and the row that was produced last.
#[derive(Debug)]
pub(crate) struct Table {
    pub(crate) recorded: Box<Run>,
    /// The objects of the run, as it left them, if there are columns still to be found.
    objects: Objects,
    /// The script of a variant that keeps all of it.
    pub(crate) whole: Whole,
    /// Happens-before of the run, if that is small enough to be kept.
    pub(crate) pasts: Pasts,
    pub(crate) columns: Columns,
    /// Rows produced so far: the place of a row among its siblings.
    pub(crate) produced: u64,
    exhausted: bool,
}

/// Of a run with no more receiving events that can still change, all columns are found at once: that takes less than to keep
/// its objects.
const FEW: usize = 64;

impl Default for Table {
    fn default() -> Self {
        Table {
            recorded: Box::default(),
            objects: Objects::new(Object::blank()),
            whole: Whole::default(),
            pasts: Pasts::default(),
            columns: Columns::default(),
            produced: 0,
            exhausted: false,
        }
    }
}

impl Table {
    /// Starts the table of the recorded run, which has left these objects and whose pasts are these; false if it has no column. The first so many receiving events that can still change have no race set.
    pub(crate) fn start(
        &mut self,
        looked_at: usize,
        objects: &mut Objects,
        pasts: &mut Pasts,
        processes: usize,
        settings: &Settings,
    ) -> bool {
        let Table { recorded, columns, .. } = self;
        columns.start(recorded, looked_at);
        if !columns.find(recorded, objects, pasts, settings) {
            return false;
        }
        if recorded.open.len() - looked_at <= FEW {
            while columns.find(recorded, objects, pasts, settings) {}
        } else {
            std::mem::swap(&mut self.objects, objects);
        }
        self.whole.fill(&self.recorded, processes);
        if pasts.are_small() {
            std::mem::swap(&mut self.pasts, pasts);
        } else {
            self.pasts.clear();
        }
        self.produced = 0;
        self.exhausted = false;
        true
    }

    /// Whether [`next`](Self::next) may find another row.
    pub(crate) fn has_more(&self) -> bool {
        !self.exhausted
    }

    /// Goes to the next row; false if there is none. Where it takes another column and the pasts have not been kept, they
    /// are computed in `memory`.
    pub(crate) fn next(&mut self, settings: &Settings, memory: &mut Pasts) -> bool {
        if self.exhausted {
            return false;
        }
        let mut first = 0;
        while !self.columns.count_up(first, &settings.rules) {
            first = self.columns.len();
            if !self.find_column(settings, memory) {
                self.exhausted = true;
                return false;
            }
        }
        self.produced += 1;
        true
    }

    fn find_column(&mut self, settings: &Settings, memory: &mut Pasts) -> bool {
        let Table { recorded, objects, pasts, columns, .. } = self;
        if !columns.may_be_more(recorded) {
            return false;
        }
        if pasts.are_known() {
            return columns.find(recorded, objects, pasts, settings);
        }
        memory.compute(recorded, settings.least_words);
        columns.find(recorded, objects, memory, settings)
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
