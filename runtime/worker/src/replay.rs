//! Makes a program do a complete sequence. Such a sequence fixes every choice, so one execution shows whether the program
//! can do it. If it cannot, it is forced up to the first event that does not happen, to show the obstacle.

use insyn_sequences::{EventRef, Label, Named, ObservedEvent, Op, Order, Sequence, Took, observed_events};
use insyn_specs::correctness::Feasibility;

use super::attempt::{Attempt, Left};
use super::error::{JudgementError, JudgementErrorKind};
use insyn_explorer::body::Body;
use insyn_explorer::explorer::Explorer;
use insyn_explorer::explorer::playback::Extent;
use insyn_explorer::failure::Termination;
use insyn_explorer::forced::{Answer, Steps};
use insyn_explorer::replay::ReplayError;

/// Makes the program do a sequence.
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
            if let Some(at) = place(error) {
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
        Err(error) => {
            let error = leaving(error)?;
            let left = place(error.clone()).ok_or(JudgementErrorKind::Replay(error))?;
            Ok(Some(left))
        }
    }
}

/// Passes on an error that says that the program does not do the sequence; any other error is one of the sequence itself.
fn leaving(error: ReplayError) -> Result<ReplayError, JudgementError> {
    match error {
        ReplayError::Diverged { .. } | ReplayError::Impossible { .. } | ReplayError::Inconsistent { .. } => {
            Ok(error)
        }
        _ => Err(JudgementErrorKind::Replay(error).into()),
    }
}

/// The place of the error, if it is at one event.
fn place(error: ReplayError) -> Option<Left> {
    let (process, index, expected, found) = match error {
        ReplayError::Diverged { process, index, expected, found } => (process, index, expected, found),
        ReplayError::Impossible { process, index, event } => (process, index, event, "nothing".to_owned()),
        _ => return None,
    };
    Some(Left { process, index: index as usize, expected, found })
}

/// This many executions are forced to find the obstacle.
const MOST_FORCED: u64 = 256;

/// The obstacle to the event where a program leaves a sequence, and how many executions it took to find it: the events
/// before it are forced, in the order in which the sequence is shown. None if that does not show an obstacle.
fn obstacle(explorer: &Explorer, recorded: &Sequence, left: &Left, program: &Body) -> Option<(String, u64)> {
    let order = Order::of(recorded).ok()?;
    // An event that no thread performs cannot be delayed; it happens as soon as it can.
    let all = observed_events(&order).into_iter().filter(|(_, event)| !event.threads.is_empty());
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
    let explorer = explorer.refined(insyn_explorer::sequence::shown_by(recorded));
    let forced = explorer.force_up_to(&steps, step, program);
    match forced.answer {
        Answer::Infeasible(obstacle) if obstacle.step == step => {
            Some((obstacle.describe(&name), forced.executions))
        }
        _ => None,
    }
}

/// An event of a sequence, by the names of everything that takes part in it, to recognize it again.
#[derive(PartialEq)]
struct Wanted {
    op: Op,
    object: Option<String>,
    threads: Vec<String>,
    /// Empty for nothing and for a disconnect.
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
