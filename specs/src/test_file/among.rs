//! Decides whether a test is feasible from all sequences of a program, without another execution.

use super::{Step, StepKind, TestSequence};
use crate::spec::Orders;
use crate::word::Letter;

/// Whether a test is among the sequences of a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Among {
    /// One of the sequences does it.
    Feasible,
    /// None does; the first step that cannot happen, from 0. One beyond the last step means that another event follows.
    Infeasible(usize),
}

impl TestSequence {
    /// Searches for the test's sequence among all sequences of a program, as the specification reads them. None if that decides
    /// nothing: a step is more precise than the specification, an event happens that the specification does not name, or the steps
    /// are in a [partial order](Self::lines).
    pub fn among<'o>(&self, all: impl IntoIterator<Item = &'o Orders>) -> Option<Among> {
        let (steps, whole) = match self {
            TestSequence::Whole(steps) => (steps, true),
            TestSequence::Prefix(steps) => (steps, false),
            TestSequence::Recorded(_) => return None,
        };
        if !self.is_of_specification() || !self.is_total() {
            return None;
        }
        let mut furthest = 0;
        let mut is_feasible = false;
        for orders in all {
            if orders.unexpected().is_some() {
                return None;
            }
            for poset in orders.posets() {
                let done = poset.follow_by(steps.len(), |n, letter| steps[n].is_letter(letter));
                furthest = furthest.max(done);
                is_feasible |= done == steps.len() && (!whole || poset.letters().len() == done);
            }
        }
        Some(if is_feasible { Among::Feasible } else { Among::Infeasible(furthest) })
    }

    /// Whether the letters of a specification suffice to decide it.
    pub fn is_of_specification(&self) -> bool {
        let is_recorded = matches!(self, TestSequence::Recorded(_));
        !is_recorded && self.steps().iter().all(Step::is_of_specification)
    }
}

impl Step {
    /// Whether a letter suffices to decide it.
    fn is_of_specification(&self) -> bool {
        matches!(&self.kind, StepKind::Abstract { thread: None, .. })
    }

    /// Whether a letter matches it.
    fn is_letter(&self, letter: &Letter) -> bool {
        let StepKind::Abstract { name, arguments, .. } = &self.kind else { return false };
        *letter.name == **name && arguments.as_ref().is_none_or(|wanted| wanted[..] == *letter.arguments)
    }
}
