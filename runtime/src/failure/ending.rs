//! How a run came to its end, and the failure that it shows.

use insyn_specs::Location;

use super::blocked::{blocked_threads, describe_blocked, since, thread_name};
use super::circles::{circle, locked_up, nobody, server};
use super::{Blocked, Failure, Panic, Termination};
use crate::execution::event::{Ix, NONE};
use crate::execution::threads::Status;
use crate::execution::{Execution, PanicInfo};

/// How the run that has just ended came to its end.
pub(crate) fn termination(x: &Execution, ignore_detached: bool) -> Termination {
    if x.divergence.is_some() {
        return Termination::Nondeterminism;
    }
    if x.overflowed.is_some() {
        return Termination::StackOverflow;
    }
    if x.foreign {
        return Termination::ForeignObject;
    }
    let threads = &x.threads[..x.live_threads];
    if x.any_panicked && (0..threads.len()).any(|t| is_fatal(x, t)) {
        return Termination::Panic;
    }
    if x.bound_hit {
        return if locked_up(x).is_empty() { Termination::StepBound } else { Termination::LocalDeadlock };
    }
    if x.unfinished == 0 {
        return Termination::Normal;
    }
    let main_is_over = threads[0].status == Status::Finished;
    let counts = |t: usize| !(ignore_detached && main_is_over && threads[t].detached);
    if (0..threads.len()).any(|t| threads[t].status != Status::Finished && counts(t)) {
        return Termination::Deadlock;
    }
    Termination::Normal
}

/// Where a failure belongs: failures of one kind at one place are one failure.
pub(crate) fn place(x: &Execution, termination: Termination) -> String {
    match termination {
        Termination::Panic | Termination::ForeignObject => {
            fatal_panic(x).and_then(|p| p.location.clone()).unwrap_or_default()
        }
        Termination::Deadlock | Termination::LocalDeadlock => {
            let mut places: Vec<String> = blocked_threads(x)
                .map(|t| since(x, t).map(|at| at.to_string()).unwrap_or_default())
                .collect();
            places.sort();
            places.join(" ")
        }
        Termination::Nondeterminism => x.divergence.as_ref().map(|d| d.process.clone()).unwrap_or_default(),
        Termination::StackOverflow => {
            x.overflowed.map(|t| x.processes.id(x.threads[t as usize].process).to_owned()).unwrap_or_default()
        }
        Termination::Normal | Termination::StepBound => String::new(),
    }
}

/// Where the run was when it was stopped.
fn last_place(x: &Execution) -> Option<Location> {
    let last = x.run().events.len().checked_sub(1)?;
    crate::sequence::place_of(x, last as Ix)
}

/// The whole story of the run that has just ended.
pub(crate) fn describe(x: &Execution, termination: Termination) -> Failure {
    let panics = x
        .panics
        .iter()
        .map(|p| Panic {
            thread: thread_name(x, p.thread),
            message: p.message.clone(),
            location: p.location.clone(),
        })
        .collect();
    let ids: Vec<usize> = match termination {
        Termination::Deadlock => blocked_threads(x).collect(),
        Termination::LocalDeadlock => locked_up(x),
        _ => Vec::new(),
    };
    let blocked: Vec<Blocked> = ids.iter().map(|&t| describe_blocked(x, t)).collect();
    let circle = match termination {
        Termination::LocalDeadlock => circle(x, nobody),
        _ => circle(x, server),
    };
    let cycle = circle.iter().filter_map(|t| ids.iter().position(|b| b == t)).collect();
    Failure {
        termination,
        message: message(x, termination, blocked.len()),
        panics,
        blocked,
        cycle,
        sequence: crate::sequence::collect(x),
        races: crate::races::shown_race_table(x),
        occurrences: 1,
    }
}

fn message(x: &Execution, termination: Termination, blocked: usize) -> String {
    match termination {
        Termination::Normal => "nothing went wrong".to_string(),
        Termination::Deadlock => format!("{blocked} of {} threads can never go on", x.live_threads),
        Termination::LocalDeadlock => {
            format!("{blocked} of {} threads can never go on, while others were still running", x.live_threads)
        }
        Termination::Panic => {
            fatal_panic(x).map_or_else(|| "a thread panicked".to_string(), |p| p.message.clone())
        }
        Termination::StepBound => {
            let last = last_place(x).map(|at| format!(", the last event at {at}")).unwrap_or_default();
            format!(
                "more than {} steps{last}; raise `max_steps` if the program ends later, or look for a loop that does \
                 not",
                x.settings.max_steps
            )
        }
        Termination::StackOverflow => {
            format!(
                "thread {} used more than {} KiB of stack; raise `stack_size` if it needs more",
                thread_name(x, x.overflowed.unwrap_or(NONE)),
                x.settings.stack_size / 1024
            )
        }
        Termination::ForeignObject => "an object made in one execution was used in another, or outside; create it \
                                       inside the closure under test"
            .to_string(),
        Termination::Nondeterminism => x.divergence.as_ref().map_or_else(String::new, |d| {
            let found = d.found.as_deref().unwrap_or("nothing of the kind");
            if d.in_prefix {
                return format!(
                    "the program does not begin with the prefix that was given: event {} of {} is {} there and \
                     {found} here; it is another program's, or the program has changed",
                    d.index, d.process, d.expected
                );
            }
            format!(
                "event {} of {} was {} before and is {found} now, after the same picks; something that insyn does \
                 not control decides it",
                d.index, d.process, d.expected
            )
        }),
    }
}

/// The panic that nobody was told of: the last one of the first thread that ended with one. (A thread may have caught
/// others before.)
fn fatal_panic(x: &Execution) -> Option<&PanicInfo> {
    let thread = (0..x.live_threads).find(|&t| is_fatal(x, t))?;
    x.panics.iter().rev().find(|p| p.thread as usize == thread)
}

/// Whether a thread ended with a panic that no join has passed on.
fn is_fatal(x: &Execution, thread: usize) -> bool {
    x.threads[thread].panicked && (thread == 0 || !x.threads[thread].joined)
}
