//! How a run ended, and the failure that it shows.

use insyn_sequences::Location;

use super::blocked::{blocked_threads, describe_blocked, operation, since, thread_name};
use super::circles::{Others, circle, locked_up};
use super::fatal::{fatal, fatal_panic, is_fatal};
use super::{Blocked, Failure, Panic, Termination, length, shown};
use insyn_engine::ids::ThreadId;
use insyn_engine::record::event::Event;
use insyn_engine::threads::Status;
use insyn_engine::{Divergence, Engine, Found, WaitFor};

/// How the run that has just ended has ended.
pub(crate) fn termination(engine: &Engine, ignore_detached: bool) -> Termination {
    if engine.ending.divergence.is_some() {
        return Termination::Nondeterminism;
    }
    if engine.ending.overflowed.is_some() {
        return Termination::StackOverflow;
    }
    if engine.ending.foreign {
        return Termination::ForeignObject;
    }
    let threads = &engine.threads;
    if engine.panics.any && threads.ids().any(|t| is_fatal(engine, t)) {
        return Termination::Panic;
    }
    if engine.ending.limit.is_some() {
        return Termination::StepBound;
    }
    if engine.ending.bound_hit {
        return if locked_up(engine).is_empty() {
            Termination::StepBound
        } else {
            Termination::LocalDeadlock
        };
    }
    if engine.schedule.unfinished == 0 {
        return Termination::Normal;
    }
    let main_is_over = threads[ThreadId::FIRST].status == Status::Finished;
    let counts = |t: ThreadId| !(ignore_detached && main_is_over && threads[t].detached);
    if threads.ids().any(|t| threads[t].status != Status::Finished && counts(t)) {
        return Termination::Deadlock;
    }
    Termination::Normal
}

/// The place of a failure: failures of one kind at one place are one failure.
pub(crate) fn place(engine: &Engine, termination: Termination) -> String {
    match termination {
        Termination::Panic | Termination::ForeignObject => {
            fatal_panic(engine).and_then(|p| p.location.clone()).unwrap_or_default()
        }
        Termination::Deadlock => places(engine, blocked_threads(engine)),
        // The positions of threads that were still running are not part of the place.
        Termination::LocalDeadlock => places(engine, locked_up(engine)),
        Termination::Nondeterminism => {
            engine.ending.divergence.as_ref().map(|d| d.process.clone()).unwrap_or_default()
        }
        Termination::StepBound => {
            last_event(engine, None).map(|last| last.place.to_string()).unwrap_or_default()
        }
        Termination::StackOverflow => {
            let Some(thread) = engine.ending.overflowed else { return String::new() };
            let place = last_event(engine, Some(thread)).map(|last| last.place.to_string());
            place.unwrap_or_else(|| engine.processes.id(engine.threads[thread].process).to_owned())
        }
        Termination::Normal => String::new(),
    }
}

/// The places where threads are blocked, whichever thread is at which place.
fn places(engine: &Engine, threads: impl IntoIterator<Item = ThreadId>) -> String {
    let place = |t| since(engine, t).map(|at| at.to_string()).unwrap_or_default();
    let mut places: Vec<String> = threads.into_iter().map(place).collect();
    places.sort();
    places.join(" ")
}

/// The threads that were waiting for something when the run was stopped. (Threads that would only have repeated what they
/// had done before were held back, and did not wait.)
fn waiting_threads(engine: &Engine) -> impl Iterator<Item = ThreadId> + '_ {
    let waits = |t: ThreadId| !matches!(engine.threads[t].waits_for, WaitFor::Nothing | WaitFor::Event(_));
    engine.threads.ids().filter(move |&t| engine.threads[t].status == Status::Blocked && waits(t))
}

/// The last operation of a run, if it has a place in the source.
struct Last {
    thread: ThreadId,
    /// The operation and the object.
    operation: String,
    place: Location,
}

/// The last event of the run, or of one of its threads. An event without a thread, such as the firing of a timer, belongs
/// to none of them.
fn last_event(engine: &Engine, of: Option<ThreadId>) -> Option<Last> {
    let is_its = |e: &Event| match of {
        Some(thread) => e.thread == Some(thread),
        None => e.thread.is_some(),
    };
    engine.run.events.ids().rev().find_map(|i| {
        let e = engine.run.at(i);
        let place = crate::sequence::place_of(engine, i).filter(|_| is_its(e) && !e.op.is_turn());
        place.map(|place| Last { thread: e.by(), operation: operation(engine, e), place })
    })
}

/// The full description of the run that has just ended.
pub(crate) fn describe(
    engine: &Engine,
    termination: Termination,
    races: Option<insyn_sequences::RaceTable>,
) -> Failure {
    let panics = engine
        .panics
        .all
        .iter()
        .map(|p| Panic {
            thread: thread_name(engine, p.thread),
            message: p.message.clone(),
            location: p.location.clone(),
            process: engine.processes.id(engine.threads[p.thread].process).to_owned(),
            after: p.after as usize,
        })
        .collect();
    let ids: Vec<ThreadId> = match termination {
        Termination::Deadlock => blocked_threads(engine).collect(),
        Termination::LocalDeadlock => locked_up(engine),
        Termination::StepBound => waiting_threads(engine).collect(),
        _ => Vec::new(),
    };
    let blocked: Vec<Blocked> = ids.iter().map(|&t| describe_blocked(engine, t)).collect();
    let circle = match termination {
        Termination::Deadlock => circle(engine, Others::Stand),
        Termination::LocalDeadlock => circle(engine, Others::Run),
        _ => Vec::new(),
    };
    let cycle = circle.iter().filter_map(|t| ids.iter().position(|b| b == t)).collect();
    Failure {
        termination,
        message: message(engine, termination, blocked.len()),
        panics,
        blocked,
        cycle,
        sequence: crate::sequence::collect(engine),
        races,
        occurrences: 1,
        steps: length::steps(engine, termination),
        share: None,
        differences: Vec::new(),
        fatal: if termination == Termination::Panic { fatal(engine) } else { None },
    }
}

fn message(engine: &Engine, termination: Termination, blocked: usize) -> String {
    match termination {
        Termination::Normal => "nothing went wrong".to_string(),
        Termination::Deadlock => format!("{blocked} of {} threads can never go on", engine.threads.len()),
        Termination::LocalDeadlock => {
            format!("{blocked} of {} threads can never go on, while others were still running", engine.threads.len())
        }
        Termination::Panic => {
            fatal_panic(engine).map_or_else(|| "a thread panicked".to_string(), |p| p.message.clone())
        }
        Termination::StepBound => {
            let last = last_event(engine, None).map(|Last { thread, operation, place }| {
                let thread = shown(&thread_name(engine, thread));
                format!("; the last event was {operation} by thread {thread} at {place}")
            });
            format!("{}{}; {}", reached(engine), last.unwrap_or_default(), way_out(engine))
        }
        Termination::StackOverflow => {
            let thread = engine.ending.overflowed;
            let last = last_event(engine, thread);
            let last =
                last.map(|last| format!("; its last event was {} at {}", last.operation, last.place));
            format!(
                "thread {} used more than {} KiB of stack{}; raise `stack_size` if it needs more",
                thread.map(|it| shown(&thread_name(engine, it)).to_string()).unwrap_or_default(),
                engine.settings.stack_size / 1024,
                last.unwrap_or_default()
            )
        }
        Termination::ForeignObject => "an object made in one execution was used in another, or outside; create it \
                                       inside the closure under test"
            .to_string(),
        Termination::Nondeterminism => engine.ending.divergence.as_ref().map_or_else(String::new, |d| {
            if d.in_prefix {
                return not_begun(d);
            }
            let found = found(d);
            format!(
                "event {} of {} was {} before and is {found} now, after the same picks; something that insyn does \
                 not control decides it",
                d.index, d.process, d.expected
            )
        }),
    }
}

/// The bound that a run has reached.
fn reached(engine: &Engine) -> String {
    match engine.ending.limit {
        Some(_) => format!("more than {} MiB of records after {} steps", mebibytes(engine), engine.steps()),
        None => format!("more than {} steps", engine.settings.max_steps),
    }
}

/// What to do about a bound that a run has reached. More steps are no way out where their records would not fit.
fn way_out(engine: &Engine) -> String {
    /// Whoever raises a bound does not raise it by a little.
    const USUAL_RAISE: usize = 10;
    let steps_would_fit = engine.records().saturating_mul(USUAL_RAISE) <= engine.settings.record_limit;
    match engine.ending.limit {
        Some(_) => "look for a loop that does not end, or raise `record_limit` if it ends later".to_owned(),
        None if steps_would_fit => {
            "raise `max_steps` if the program ends later, or look for a loop that does not".to_owned()
        }
        None => format!(
            "look for a loop that does not end; many more steps would take more than the {} MiB that `record_limit` \
             allows",
            mebibytes(engine)
        ),
    }
}

/// The limit on records.
fn mebibytes(engine: &Engine) -> usize {
    engine.settings.record_limit >> 20
}

/// Why a run does not begin with the given prefix.
fn not_begun(at: &Divergence) -> String {
    let Divergence { process, index, expected, .. } = at;
    let why = match &at.found {
        Found::Refusal => {
            format!(
                "event {index} of {process} is {expected} there, with picks that no real objects could make"
            )
        }
        Found::Gap(before) => format!(
            "event {index} of {process} comes after {before}, which it leaves out; a prefix has all that comes \
             before its events"
        ),
        Found::Cycle(cycle) => format!(
            "no real channels could have delivered messages in this order, since each of {} would have to come \
             before the next, and the last before the first",
            cycle.join(", ")
        ),
        Found::Event(_) | Found::Nothing => format!(
            "event {index} of {process} is {expected} there and {} here; it is another program's, or the program \
             has changed",
            found(at)
        ),
    };
    format!("the program does not begin with the prefix that was given: {why}")
}

/// What a run did in place of an event.
fn found(at: &Divergence) -> &str {
    match &at.found {
        Found::Event(found) => found,
        _ => "nothing of the kind",
    }
}
