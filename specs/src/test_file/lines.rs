//! Steps in a partial order: the total orders that agree with it.

use std::collections::BTreeSet;

use super::{Step, TestSequence};

/// The greatest number of orders a test may have, and of steps if there is more than one order.
pub(super) const MOST_LINES: usize = 1_000;
pub(super) const MOST_STEPS: usize = 100;

impl TestSequence {
    /// Whether its steps come one after the other.
    pub fn is_total(&self) -> bool {
        self.steps().iter().all(|step| step.after.is_none())
    }

    /// The distinct total orders that agree with the order of its steps, in the order of the file. The sequence itself
    /// if it has one order.
    pub fn lines(&self) -> Vec<TestSequence> {
        let of = |steps| match self {
            TestSequence::Whole(_) => TestSequence::Whole(steps),
            _ => TestSequence::Prefix(steps),
        };
        match self {
            TestSequence::Recorded(_) => vec![self.clone()],
            _ if self.is_total() => vec![self.clone()],
            _ => lines(self.steps()).unwrap_or_default().into_iter().map(of).collect(),
        }
    }

    /// The index in this sequence of a step of one of its lines; the number of steps if it is beyond the last.
    pub fn place_of(&self, line: &TestSequence, step: usize) -> usize {
        let steps = self.steps();
        let is_it = |of: &Step| line.steps().get(step).is_some_and(|it| it.position == of.position);
        steps.iter().position(is_it).unwrap_or(steps.len())
    }
}

/// The distinct orders of steps. None if there are too many orders or steps.
pub(super) fn lines(steps: &[Step]) -> Option<Vec<Vec<Step>>> {
    if steps.len() > MOST_STEPS {
        return None;
    }
    let mut search = Search { steps, line: Vec::new(), visited: 0, seen: BTreeSet::new(), found: Vec::new() };
    search.go_on();
    (search.visited <= MOST_LINES).then_some(search.found)
}

struct Search<'s> {
    steps: &'s [Step],
    line: Vec<usize>,
    visited: usize,
    /// The steps of each order as text: equal steps are interchangeable.
    seen: BTreeSet<Vec<String>>,
    found: Vec<Vec<Step>>,
}

impl Search<'_> {
    fn go_on(&mut self) {
        if self.line.len() == self.steps.len() {
            self.visited += 1;
            let one = |&index: &usize| Step { after: None, ..self.steps[index].clone() };
            let line: Vec<Step> = self.line.iter().map(one).collect();
            if self.seen.insert(line.iter().map(Step::to_string).collect()) {
                self.found.push(line);
            }
            return;
        }
        for next in 0..self.steps.len() {
            let is_free =
                !self.line.contains(&next) && self.before(next).iter().all(|it| self.line.contains(it));
            if is_free && self.visited <= MOST_LINES {
                self.line.push(next);
                self.go_on();
                self.line.pop();
            }
        }
    }

    fn before(&self, step: usize) -> Vec<usize> {
        let before = || step.checked_sub(1).into_iter().collect();
        self.steps[step].after.clone().unwrap_or_else(before)
    }
}
