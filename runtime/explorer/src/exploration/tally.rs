//! Results of an exploration as each worker gathers them, and how those of several workers are merged.

use std::collections::BTreeMap;

use super::activity::ObservedActivity;
use super::race_table::shown_race_table;
use crate::failure::{self, Failure, Termination};
use insyn_engine::Engine;

/// The place of an execution in the depth-first order of the exploration: which row of each table led to it.
pub(crate) type Key = Vec<u64>;

/// What a worker has counted and found.
#[derive(Default, Debug)]
pub struct Tally {
    pub executions: u64,
    pub repeats: u64,
    pub inconsistent: u64,
    pub(crate) leaked: u64,
    /// Runs that were cut and not counted: sequences that they lead to may be missing.
    pub lost: u64,
    /// Failures at places beyond those that are remembered.
    pub(crate) forgotten: u64,
    /// Whether anything was under control, and which threads did nothing.
    pub activity: ObservedActivity,
    /// Sequences by how they ended; and executions that diverged, which are no sequences.
    terminations: [u64; Termination::ALL.len()],
    failures: BTreeMap<(Termination, String), Found>,
}

#[derive(Debug)]
struct Found {
    occurrences: u64,
    rank: Rank,
    failure: Failure,
}

/// Which of several failures at one place is shown: the shortest, and the first of several that are; or the first of all.
type Rank = (usize, Key);

/// How many places of each kind of failure are remembered; the rest is only counted. (See [`Exploration::failures`].)
///
/// [`Exploration::failures`]: crate::Exploration::failures
const PLACES: usize = 32;

impl Tally {
    pub(crate) fn sequences(&self) -> u64 {
        self.terminations.iter().sum::<u64>() - self.ended(Termination::Nondeterminism)
    }

    pub(crate) fn ended(&self, termination: Termination) -> u64 {
        self.terminations[termination as usize]
    }

    pub(crate) fn count(&mut self, termination: Termination) {
        self.terminations[termination as usize] += 1;
    }

    pub(crate) fn has_failed(&self) -> bool {
        !self.failures.is_empty()
    }

    /// Records the failure of the run that has just ended.
    pub(crate) fn fail(&mut self, engine: &Engine, termination: Termination, key: Key, shortest: bool) {
        let length = if shortest { failure::steps(engine, termination) } else { 0 };
        let rank = (length, key);
        let place = (termination, failure::place(engine, termination));
        if let Some(found) = self.failures.get_mut(&place) {
            found.occurrences += 1;
            if rank < found.rank {
                found.failure = failure::describe(engine, termination, shown_race_table(engine));
                found.rank = rank;
            }
            return;
        }
        let failure = failure::describe(engine, termination, shown_race_table(engine));
        self.failures.insert(place, Found { occurrences: 1, rank, failure });
        self.forget_places(termination);
    }

    /// Keeps the places that come first by name, so that the result does not depend on which worker reached a place when.
    fn forget_places(&mut self, termination: Termination) {
        let of_kind = || self.failures.keys().filter(|(t, _)| *t == termination);
        if of_kind().count() > PLACES
            && let Some(last) = of_kind().next_back().cloned()
        {
            self.forgotten += self.failures.remove(&last).map_or(0, |found| found.occurrences);
        }
    }

    /// Adds what another worker has found.
    pub(crate) fn merge(&mut self, other: Tally) {
        self.executions += other.executions;
        self.repeats += other.repeats;
        self.inconsistent += other.inconsistent;
        self.leaked += other.leaked;
        self.lost += other.lost;
        self.forgotten += other.forgotten;
        self.activity.merge(other.activity);
        for (mine, theirs) in self.terminations.iter_mut().zip(other.terminations) {
            *mine += theirs;
        }
        for (place, theirs) in other.failures {
            let termination = place.0;
            self.add(place, theirs);
            self.forget_places(termination);
        }
    }

    /// Checks each failure that is to be shown: `ends_otherwise` runs it once more, and returns how it ended if it ended
    /// differently. Such a failure depends on something that is not under control, so none of the executions counted with
    /// it is a sequence.
    pub(crate) fn confirm(&mut self, mut ends_otherwise: impl FnMut(&Failure, &str) -> Option<String>) {
        for ((termination, place), mut found) in std::mem::take(&mut self.failures) {
            let mut kind = termination;
            if let Some(now) = ends_otherwise(&found.failure, &place) {
                kind = Termination::Nondeterminism;
                found.failure.doubt(&now);
                let count = self.ended(termination).min(found.occurrences);
                self.terminations[termination as usize] -= count;
                self.terminations[kind as usize] += count;
            }
            self.add((kind, place), found);
        }
    }

    /// Adds a failure; of two failures at one place, the one that ranks first is shown.
    fn add(&mut self, place: (Termination, String), theirs: Found) {
        let Some(mine) = self.failures.get_mut(&place) else {
            self.failures.insert(place, theirs);
            return;
        };
        mine.occurrences += theirs.occurrences;
        if theirs.rank < mine.rank {
            mine.rank = theirs.rank;
            mine.failure = theirs.failure;
        }
    }

    /// The failures, in the order in which the exploration reaches them.
    pub(crate) fn into_failures(self) -> Vec<Failure> {
        let mut found: Vec<Found> = self.failures.into_values().collect();
        found.sort_by(|a, b| a.rank.1.cmp(&b.rank.1));
        found.into_iter().map(|f| Failure { occurrences: f.occurrences, ..f.failure }).collect()
    }
}
