//! Has a program do a complete sequence, which leaves nothing open: one execution shows whether it can. If it cannot, it is
//! forced up to the first event that does not happen, to show what stands in the way.

use insyn_sequences::{EventRef, Label, Named, ObservedEvent, Op, Order, Sequence, Took, happenings, text};
use insyn_specs::correctness::Feasibility;

use super::error::{JudgementError, JudgementErrorKind};
use super::forcing::Attempt;
use crate::body::Body;
use crate::explorer::Explorer;
use crate::explorer::following::Extent;
use crate::failure::Termination;
use crate::forced::{Answer, Steps};
use crate::replay::ReplayError;

/// Where a program leaves a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Left {
    /// The process, by its id.
    process: String,
    /// The place among its events. Beyond them, something else happens there.
    index: usize,
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
    fn at(&self, sequence: &Sequence) -> Option<EventRef> {
        let process = sequence.processes.iter().position(|it| it.id == self.process)?;
        let events = &sequence.processes[process].events;
        (self.index < events.len()).then_some(EventRef { process, index: self.index })
    }
}

/// Has the program do a sequence.
pub(super) fn replay(
    explorer: &Explorer,
    recorded: &Sequence,
    program: &Body,
) -> Result<Attempt, JudgementError> {
    let (mut found, mut left, mut executions) = (Vec::new(), None, 1);
    let feasibility = match explorer.follow(recorded, program, Extent::Whole) {
        Ok(execution) if execution.termination == Termination::Nondeterminism => {
            let story = execution.failure.map(|failure| failure.message);
            return Err(JudgementErrorKind::Uncontrolled(story).into());
        }
        Ok(execution) => {
            found.push(execution);
            Feasibility::Feasible
        }
        Err(error) => {
            let error = leaving(error)?;
            let mut why = error.to_string();
            if let ReplayError::Diverged { process, index, expected, found } = error {
                let at = Left { process, index: index as usize, expected, found };
                if let Some((obstacle, more)) = obstacle(explorer, recorded, &at, program) {
                    (why, executions) = (obstacle, executions + more);
                }
                left = Some(at);
            }
            Feasibility::Infeasible(why)
        }
    };
    Ok(Attempt::replayed(feasibility, found, left, executions))
}

/// Where a program leaves a sequence; none if it does all of it.
pub(super) fn leaves(
    explorer: &Explorer,
    sequence: &Sequence,
    program: &Body,
) -> Result<Option<Left>, JudgementError> {
    match explorer.follow(sequence, program, Extent::Whole) {
        Ok(execution) if execution.termination == Termination::Nondeterminism => {
            Err(JudgementErrorKind::Uncontrolled(None).into())
        }
        Ok(_) => Ok(None),
        Err(error) => match leaving(error)? {
            ReplayError::Diverged { process, index, expected, found } => {
                Ok(Some(Left { process, index: index as usize, expected, found }))
            }
            error => Err(JudgementErrorKind::Replay(error).into()),
        },
    }
}

/// An error that says that the program does not do the sequence, and not that there is no such thing.
fn leaving(error: ReplayError) -> Result<ReplayError, JudgementError> {
    match error {
        ReplayError::Diverged { .. } | ReplayError::Inconsistent { .. } => Ok(error),
        _ => Err(JudgementErrorKind::Replay(error).into()),
    }
}

/// So many executions are forced to show what stands in the way.
const MOST_FORCED: u64 = 256;

/// What stands in the way of the event where a program leaves a sequence, and how many executions it took to see that: the
/// events before it are forced, in the order in which the sequence is shown. None if that does not show it.
fn obstacle(explorer: &Explorer, recorded: &Sequence, left: &Left, program: &Body) -> Option<(String, u64)> {
    let order = Order::of(recorded).ok()?;
    // What no thread does cannot be made to wait; it happens when it can.
    let all = happenings(&order).into_iter().filter(|(_, event)| !event.threads.is_empty());
    let all: Vec<(EventRef, ObservedEvent<'_>)> = all.collect();
    let at = left.at(recorded);
    let (step, name) = match at {
        Some(at) => {
            let at = order.completion(at).unwrap_or(at);
            let step = all.iter().position(|(it, _)| *it == at)?;
            let place = recorded.event(at).location.as_ref().map(|it| format!(" ({it})"));
            let event = &all[step].1;
            (step, format!("event {}, `{event}`{}, cannot happen", left.event(), place.unwrap_or_default()))
        }
        None => (all.len(), format!("it does not end after {} events", all.len())),
    };
    let wanted: Vec<Wanted> = all.iter().take(step + 1).map(|(_, event)| Wanted::of(event)).collect();
    let steps = Steps::new(wanted.len(), at.is_none(), move |event| {
        let is_step = |(_, it): &(u32, &Wanted)| **it == Wanted::of(event);
        let fitting = (0..).zip(&wanted).filter(is_step).map(|(step, _)| step);
        (!event.threads.is_empty()).then(|| fitting.collect())
    });
    let explorer = explorer.clone().stop_at_first_failure(false).max_sequences(u64::MAX).within(MOST_FORCED);
    let explorer = explorer.knowing(crate::sequence::shown_by(recorded));
    let forced = explorer.force_up_to(&steps, step, program);
    match forced.answer {
        Answer::Infeasible(obstacle) if obstacle.step == step => {
            Some((obstacle.tell(&name), forced.executions))
        }
        _ => None,
    }
}

/// An event of a sequence, to be known again: by the names of all that has to do with it.
#[derive(PartialEq)]
struct Wanted {
    op: Op,
    object: Option<String>,
    threads: Vec<String>,
    /// Empty for nothing, and for what is closed.
    took: Vec<String>,
    is_nothing: bool,
    label: Option<Label>,
}

impl Wanted {
    fn of(event: &ObservedEvent<'_>) -> Self {
        let id = |it: &Named<'_>| it.id.to_owned();
        Wanted {
            op: event.op,
            object: event.object.as_ref().map(id),
            threads: event.threads.iter().map(id).collect(),
            took: match &event.took {
                Took::Threads(threads) => threads.iter().map(id).collect(),
                Took::Nothing | Took::Closed => Vec::new(),
            },
            is_nothing: matches!(event.took, Took::Nothing),
            label: event.label.cloned(),
        }
    }
}
