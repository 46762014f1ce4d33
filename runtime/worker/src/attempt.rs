//! The result of an attempt to make a program do a sequence, and where the program left the sequence.

use insyn_explorer::results::Execution;
use insyn_sequences::{EventRef, Order, Sequence, text};
use insyn_specs::correctness::Feasibility;

/// The result of forcing a sequence.
pub(super) struct Attempt {
    pub(super) feasibility: Feasibility,
    /// Executions that do it, one for each result that was asked for.
    pub(super) found: Vec<Execution>,
    pub(super) executions: u64,
    /// How many steps it could follow, if it was not all.
    pub(super) step: Option<usize>,
    /// The first that it could not, by its place in the file: steps may have several orders.
    pub(super) event: Option<usize>,
    /// Where it left a recorded sequence.
    pub(super) left: Option<Left>,
    /// The execution that came furthest, if none does it.
    pub(super) furthest: Option<Sequence>,
    /// Why it is not known, if no bound was reached.
    pub(super) note: Option<String>,
}

impl Attempt {
    /// The result of replaying a recorded sequence.
    pub(super) fn replayed(
        feasibility: Feasibility,
        found: Vec<Execution>,
        left: Option<Left>,
        executions: u64,
    ) -> Attempt {
        Attempt { feasibility, found, executions, step: None, event: None, left, furthest: None, note: None }
    }

    /// The obstacle, if there is one.
    pub(super) fn why(&self) -> String {
        match &self.feasibility {
            Feasibility::Infeasible(why) => why.clone(),
            Feasibility::Feasible | Feasibility::Unknown => String::new(),
        }
    }

    /// The combined result of two orders of the same steps. If `all` results are wanted, none may be unknown.
    pub(super) fn or(self, other: Attempt, all: bool) -> Attempt {
        let executions = self.executions + other.executions;
        let rank = |it: &Attempt| match it.feasibility {
            Feasibility::Infeasible(_) => (0, it.step),
            Feasibility::Unknown => (if all { 3 } else { 1 }, None),
            Feasibility::Feasible => (2, None),
        };
        let (better, worse) = if rank(&other) > rank(&self) { (other, self) } else { (self, other) };
        let mut found = better.found;
        let is_new = |found: &[Execution], it: &Execution| {
            !found.iter().any(|known| (known.termination, &known.output) == (it.termination, &it.output))
        };
        for execution in worse.found {
            if is_new(&found, &execution) {
                found.push(execution);
            }
        }
        Attempt { found, executions, ..better }
    }
}

/// Where a program leaves a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Left {
    /// The process, by its id.
    pub(super) process: String,
    /// The place among its events. Beyond them, something else happens there.
    pub(super) index: usize,
    /// What it does in the sequence.
    pub(super) expected: String,
    /// What it does otherwise.
    pub(super) found: String,
}

impl Left {
    /// The name of the event: `main/thread1#3`.
    pub(super) fn event(&self) -> String {
        format!("{}#{}", self.process, self.index)
    }

    /// The place of the event among the lines that the sequence is shown with; beyond them if the sequence should have
    /// ended there, none if it is not shown.
    pub(super) fn place(&self, sequence: &Sequence) -> Option<usize> {
        let order = Order::of(sequence).ok()?;
        let steps = text::steps(&order, text::WIDTH);
        let Some(at) = self.at(sequence) else { return Some(steps.len()) };
        let calls: Vec<EventRef> = order.completed(at).chain([at]).collect();
        steps.iter().position(|step| step.events.iter().any(|it| calls.contains(it)))
    }

    /// The event; none if the sequence has ended there.
    pub(super) fn at(&self, sequence: &Sequence) -> Option<EventRef> {
        let process = sequence.processes.iter().position(|it| it.id == self.process)?;
        let events = &sequence.processes[process].events;
        (self.index < events.len()).then_some(EventRef { process, index: self.index })
    }
}
