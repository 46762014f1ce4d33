//! Where a mutant and the original first differ, if both can do all events of a test but with different results: at an
//! event that the test does not name, or nowhere.

use std::collections::BTreeSet;

use insyn_sequences::Sequence;
use insyn_verdicts::mutant::Departure;

use super::super::attempt::Left;
use super::super::error::JudgementError;
use super::super::replay;
use super::behaviour::Ending;
use super::on_the_original;
use insyn_explorer::body::Body;
use insyn_explorer::explorer::Explorer;

/// The results of a test, and a kept execution for each of them.
pub(super) struct Results<'r> {
    pub(super) endings: &'r BTreeSet<Ending>,
    pub(super) execution: &'r dyn Fn(&Ending) -> Option<&'r Sequence>,
}

impl Results<'_> {
    /// The first execution with an ending that the other does not have.
    fn beyond(&self, other: &Results<'_>) -> Option<&Sequence> {
        self.endings.difference(other.endings).find_map(self.execution)
    }
}

/// Replays an execution whose ending only one of the two has on the other. The mutant is on.
pub(super) fn departure(
    explorer: &Explorer,
    original: &Results<'_>,
    mutant: &Results<'_>,
    program: &Body,
) -> Departure {
    if let Some(execution) = mutant.beyond(original) {
        let left = on_the_original(|| replay::leaves(explorer, execution, program));
        return departed(left, |it| (it.expected, it.found));
    }
    match original.beyond(mutant) {
        Some(execution) => {
            departed(replay::leaves(explorer, execution, program), |it| (it.found, it.expected))
        }
        None => Departure::Unknown,
    }
}

/// `sides` describes what the mutant and what the original does at the first difference.
fn departed(
    left: Result<Option<Left>, JudgementError>,
    sides: impl FnOnce(Left) -> (String, String),
) -> Departure {
    match left {
        Ok(None) => Departure::Nowhere,
        Ok(Some(left)) => {
            let event = left.event();
            let (mutant, original) = sides(left);
            Departure::At { event, mutant, original }
        }
        // A mutant may do something that cannot be replayed at all.
        Err(_) => Departure::Unknown,
    }
}

/// The first difference between a mutant and the original in a test.
#[derive(Default)]
pub(super) struct Parting {
    /// The event of the test that one of the two cannot follow.
    pub(super) event: Option<usize>,
    /// If there is none: where else the two differ.
    pub(super) departure: Option<Departure>,
}

impl Parting {
    pub(super) const NOWHERE: Parting = Parting { event: None, departure: Some(Departure::Nowhere) };
    pub(super) const UNKNOWN: Parting = Parting { event: None, departure: Some(Departure::Unknown) };

    /// From where the mutant leaves a sequence of the original.
    pub(super) fn of_mutant(left: Option<Left>, sequence: &Sequence) -> Parting {
        Parting::at(left, sequence, |it| (it.found, it.expected))
    }

    /// From where the original leaves a sequence of the mutant.
    pub(super) fn of_original(left: Option<Left>, sequence: &Sequence) -> Parting {
        Parting::at(left, sequence, |it| (it.expected, it.found))
    }

    fn at(left: Option<Left>, sequence: &Sequence, sides: impl FnOnce(Left) -> (String, String)) -> Parting {
        let Some(left) = left else { return Parting::UNKNOWN };
        match left.place(sequence) {
            Some(event) => Parting { event: Some(event), departure: None },
            None => Parting { event: None, departure: Some(departed(Ok(Some(left)), sides)) },
        }
    }
}
