//! The result of an attempt to make a program do a sequence, and where the program left the sequence.

use insyn_explorer::results::Execution;
use insyn_sequences::{EventRef, Order, Sequence, text};
use insyn_specs::correctness::Feasibility;

/// The result of forcing a sequence.
pub(super) struct Attempt {
    pub(super) feasibility: Feasibility,
    /// Executions that do the sequence, one for each result that was requested.
    pub(super) found: Vec<Execution>,
    pub(super) executions: u64,
    /// How many steps the program could follow, if not all.
    pub(super) step: Option<usize>,
    /// The first step that it could not follow, by its place in the file: steps may have several orders.
    pub(super) event: Option<usize>,
    /// Where the program left a recorded sequence.
    pub(super) left: Option<Left>,
    /// The execution that got furthest, if none does the sequence.
    pub(super) furthest: Option<Sequence>,
    /// Why the result is not known, if no bound was reached.
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
    /// The place among the events of the process; beyond the last one if the program does something more.
    pub(super) index: usize,
    /// What the process does in the sequence.
    pub(super) expected: String,
    /// What the program does instead.
    pub(super) found: String,
}

impl Left {
    /// The name of the event: `main/thread1#3`.
    pub(super) fn event(&self) -> String {
        format!("{}#{}", self.process, self.index)
    }

    /// The line of the event when the sequence is shown; beyond the last line if the sequence should have ended there,
    /// none if the event is not shown.
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
