//! Running a program through a recorded sequence, and finding out where it diverges.

mod picks;

use std::collections::BTreeMap;

use insyn_sequences::{
    Event, EventRef, Kind, Malformed, Order, OrderConstraints, Pick, Process, Sequence, listed,
};

use crate::exploration::consistency::{self, Consistency};
use crate::exploration::ended::Ended;
use crate::exploration::past::Pasts;
use crate::exploration::relevant::Relevant;
use crate::sequence::{self, path_of};
use insyn_engine::process::Path;
use insyn_engine::{Divergence, Engine, Found};

/// Why a program does not follow a recorded sequence.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplayError {
    /// The program did something else, or nothing, where the sequence has an event.
    #[error(
        "the program left the sequence at event {index} of {process}: expected {expected}, found {found}"
    )]
    Diverged {
        /// Id of the process.
        process: String,
        /// Which of its events, from 0.
        index: u32,
        /// The event in the sequence.
        expected: String,
        /// What the program did instead.
        found: String,
    },
    /// The program reached an event of the sequence, but could not take there what the event takes.
    #[error(
        "event {index} of {process} cannot happen: no real objects could do {event}, after what came before"
    )]
    Impossible {
        /// Id of the process.
        process: String,
        /// Which of its events, from 0.
        index: u32,
        /// The event in the sequence.
        event: String,
    },
    /// No program can begin with the prefix: it lacks an event that comes before one of its events.
    #[error("{event} comes after {missing}, which the prefix leaves out")]
    Incomplete {
        /// The event of the prefix.
        event: String,
        /// What comes before it.
        missing: String,
    },
    /// The program did all of the sequence, which had ended there, and ran on until the bound on steps stopped it.
    #[error("the program did all that was recorded, which ended there, and went on{}", .next.as_ref().map_or_else(
        || ", without another event, until the bound on steps stopped it".to_owned(),
        |next| format!(" with {next}; the bound on steps stopped it"),
    ))]
    WentOn {
        /// The first event after all that was recorded, if there was one.
        next: Option<String>,
    },
    /// The sequence gives a process another kind than its id does.
    #[error("`{id}` is not of the kind `{kind}`")]
    WrongKind {
        /// The id.
        id: String,
        /// The kind in the sequence.
        kind: &'static str,
    },
    /// The sequence names a process that no program has.
    #[error("`{id}` is no process id; ids look like `main/thread2/mutex1`")]
    NoSuchProcess {
        /// The id.
        id: String,
    },
    /// Each receive is possible by itself, but not all of them together: no order of the events agrees with the order of
    /// messages in their queues.
    #[error(
        "no real channels could have delivered messages in this order: each of {} would have to come before the next, and \
         the last before the first",
        .cycle.join(", ")
    )]
    Inconsistent {
        /// The events that show it, as the sequence names them.
        cycle: Vec<String>,
    },
    /// The file of a sequence cannot be read.
    #[error("cannot read {path}: {reason}")]
    Unreadable {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The sequence contradicts itself: an id is used twice, or an event refers to one that is not there.
    #[error(transparent)]
    Malformed(#[from] Malformed),
    /// The number of a process implies that the program has made more processes than the limit.
    #[error(
        "`{id}` is one of more than {MOST_PROCESSES} processes, which is more than a sequence may speak of"
    )]
    TooManyProcesses {
        /// The id.
        id: String,
    },
}

/// How many processes a sequence may have, including those that its numbers imply. (Each takes some memory, and a file of
/// one line could ask for millions.)
const MOST_PROCESSES: u64 = 1 << 16;

/// Whether a program could do a sequence at all, whatever the program.
pub fn check(sequence: &Sequence) -> Result<(), ReplayError> {
    let mut made: BTreeMap<Path, u32> = BTreeMap::new();
    let mut all = 0;
    for Process { id, kind, .. } in &sequence.processes {
        let path = path_of(id).ok_or_else(|| ReplayError::NoSuchProcess { id: id.clone() })?;
        for end in 1..=path.len() {
            let (kind, number) = path[end - 1];
            // Statics are numbered by their names, and not consecutively.
            let (name, number) = if kind == Kind::Static { (number, 1) } else { (0, number) };
            let siblings = made.entry([&path[..end - 1], &[(kind, name)]].concat()).or_default();
            all += u64::from(number.saturating_sub(*siblings));
            *siblings = number.max(*siblings);
        }
        if all > MOST_PROCESSES {
            return Err(ReplayError::TooManyProcesses { id: id.clone() });
        }
        if path.last().map_or(Kind::Thread, |&(kind, _)| kind) != *kind {
            return Err(ReplayError::WrongKind { id: id.clone(), kind: kind.word() });
        }
    }
    sequence.check()?;
    match sequence.events().find(|&at| !picks::can_be(sequence, at)) {
        Some(at) => Err(impossible(sequence, at)),
        None => Ok(()),
    }
}

/// The error for an impossible event of a sequence.
fn impossible(sequence: &Sequence, at: EventRef) -> ReplayError {
    ReplayError::Impossible {
        process: sequence.processes[at.process].id.clone(),
        index: at.index as u32,
        event: describe(sequence, sequence.event(at)),
    }
}

/// Writes a sequence as the script of the next run; none of it may be changed.
pub(crate) fn write_script(sequence: &Sequence, engine: &mut Engine) -> Result<(), ReplayError> {
    check(sequence)?;
    sequence::write_script(sequence, &mut engine.processes, &mut engine.script);
    Ok(())
}

/// Where a run left the sequence that it was made to follow. An event that did not happen may only have waited for another
/// that did not happen: among an event and all that happens before it, the first missing one counts.
pub fn left(recorded: &Sequence, found: &Sequence, at: &Divergence) -> ReplayError {
    let Divergence { process, index, expected, .. } = at;
    let event = recorded
        .processes
        .iter()
        .position(|it| it.id == *process)
        .map(|process| EventRef { process, index: *index as usize })
        .filter(|at| recorded.processes[at.process].events.len() > at.index);
    let diverged = |process: &str, index, expected: &str, found: &str| ReplayError::Diverged {
        process: process.to_owned(),
        index,
        expected: expected.to_owned(),
        found: found.to_owned(),
    };
    match (&at.found, event) {
        (Found::Event(found), _) => diverged(process, *index, expected, found),
        (Found::Cycle(cycle), _) => ReplayError::Inconsistent { cycle: cycle.clone() },
        (Found::Gap(missing), _) => {
            ReplayError::Incomplete { event: format!("{process}#{index}"), missing: missing.clone() }
        }
        (Found::Refusal, Some(event)) => impossible(recorded, event),
        (Found::Nothing, Some(event)) => {
            let first = first_missing(recorded, found, event).unwrap_or(event);
            let expected = describe(recorded, recorded.event(first));
            diverged(&recorded.processes[first.process].id, first.index as u32, &expected, "nothing")
        }
        (Found::Refusal | Found::Nothing, None) => diverged(process, *index, expected, "nothing"),
    }
}

/// The first missing event, among an event and all that happens before it.
fn first_missing(recorded: &Sequence, found: &Sequence, at: EventRef) -> Option<EventRef> {
    let order = Order::of(recorded).ok()?;
    let came = |at: EventRef| {
        let id = &recorded.processes[at.process].id;
        found.processes.iter().any(|it| it.id == *id && it.events.len() > at.index)
    };
    let matters = |it: EventRef| it == at || order.happens_before(it, at);
    in_order(&order).find(|&it| matters(it) && !came(it))
}

/// All events, in the order in which they are listed; calls directly before their completions.
fn in_order(order: &Order<'_>) -> impl Iterator<Item = EventRef> {
    listed(order).into_iter().flat_map(|at| order.completed(at).chain([at]))
}

/// A description of an event for users, with what it takes.
fn describe(sequence: &Sequence, event: &Event) -> String {
    let id = |process: usize| sequence.processes[process].id.as_str();
    let on = event.object.map(|o| format!(" on {}", id(o))).unwrap_or_default();
    let takes = match &event.pick {
        Pick::None => String::new(),
        Pick::Nothing => " that takes nothing".to_string(),
        Pick::Partners(partners) => {
            let name = |r: &EventRef| format!("{}#{}", id(r.process), r.index);
            format!(" that takes {}", partners.iter().map(name).collect::<Vec<_>>().join(" and "))
        }
    };
    format!("{}{on}{takes}", event.op.word())
}

/// A description of an event for users, with all that distinguishes it: its label, and the other events that it comes
/// after. (A sequence written by hand may leave out the latter.)
fn describe_event(sequence: &Sequence, event: &Event, with_after: bool) -> String {
    let mut all = describe(sequence, event);
    if let Some(label) = &event.label {
        let value = label.value.as_ref().map(|value| format!(" with {value:?}")).unwrap_or_default();
        all = format!("{all} {:?}{value}", label.text);
    }
    if with_after && !event.after.is_empty() {
        let before: Vec<String> = event.after.iter().map(|&at| sequence.event_name(at)).collect();
        all = format!("{all} after {}", before.join(" and "));
    }
    all
}

/// Where an execution differs from the sequence it was made to follow. With `whole`, the execution must not run on after
/// the sequence.
pub(crate) fn first_difference(recorded: &Sequence, found: &Sequence, whole: bool) -> Option<ReplayError> {
    let with_after = recorded.events().any(|at| !recorded.event(at).after.is_empty());
    let describe = |sequence: &Sequence, event: &Event| describe_event(sequence, event, with_after);
    let differs = |at: EventRef| {
        let id = &recorded.processes[at.process].id;
        let same = found.processes.iter().find(|it| it.id == *id);
        let expected = describe(recorded, recorded.event(at));
        let found = same.and_then(|it| it.events.get(at.index)).map(|event| describe(found, event));
        (found.as_ref() != Some(&expected)).then(|| ReplayError::Diverged {
            process: id.clone(),
            index: at.index as u32,
            expected,
            found: found.unwrap_or_else(|| "nothing".to_owned()),
        })
    };
    if let Some(first) = recorded.events().find_map(differs) {
        let order = Order::of(recorded);
        return order.ok().and_then(|it| in_order(&it).find_map(differs)).or(Some(first));
    }
    let (process, index) = first_beyond(recorded, found).filter(|_| whole)?;
    Some(ReplayError::Diverged {
        process: process.id.clone(),
        index: index as u32,
        expected: "the end".to_string(),
        found: describe(found, &process.events[index]),
    })
}

/// The first event of an execution beyond the sequence that it has followed: its process, and its place there.
fn first_beyond<'f>(recorded: &Sequence, found: &'f Sequence) -> Option<(&'f Process, usize)> {
    found.processes.iter().find_map(|process| {
        let same = recorded.processes.iter().find(|it| it.id == process.id);
        let known = same.map_or(0, |it| it.events.len());
        (known < process.events.len()).then_some((process, known))
    })
}

/// The error for an execution that did all of a sequence, and did not end there.
pub(crate) fn went_on(recorded: &Sequence, found: &Sequence) -> ReplayError {
    let next = first_beyond(recorded, found).map(|(process, index)| {
        let event = describe(found, &process.events[index]);
        format!("{event}, event {index} of {}", process.id)
    });
    ReplayError::WentOn { next }
}

/// Whether real objects could have done what the run did.
pub(crate) fn is_consistent(engine: &Engine) -> bool {
    consistency::is_consistent(&engine.run, &engine.settings)
}

/// The error for a run that no real objects could have done, with the events that show it.
pub(crate) fn inconsistency(engine: &Engine) -> ReplayError {
    let run = &engine.run;
    let mut pasts = Pasts::default();
    pasts.compute(run, 1);
    let explained = Consistency::default().explain(run, &pasts, &Relevant::of(run), &engine.settings);
    let cycle = explained.err().unwrap_or_default();
    ReplayError::Inconsistent { cycle: sequence::names(engine, &cycle) }
}

/// What real objects require of the order of the run's events.
pub fn constraints(engine: &Engine) -> OrderConstraints {
    let mut pasts = Pasts::default();
    pasts.compute(&engine.run, 1);
    let cast = sequence::Cast::of(engine);
    Consistency::default().constraints(
        &engine.run,
        &pasts,
        &Relevant::of(&engine.run),
        &engine.settings,
        |i| cast.refer(i),
    )
}

/// Whether the run did all forced steps, and real objects could have done them in that order.
pub(crate) fn is_in_step(engine: &Engine) -> bool {
    let Some(forcing) = &engine.turns.forcing else { return false };
    could_be_first(engine, forcing.len, forcing.whole)
}

/// How many steps the run did, from the first on, in an order that real objects could have done them in, with all other
/// named events after them.
pub(crate) fn steps_done(engine: &Engine) -> u32 {
    (1..=engine.turns.done()).rev().find(|&n| could_be_first(engine, n, false)).unwrap_or(0)
}

/// Whether the first `n` steps could have come before all other named events; with `all`, whether there are no others.
fn could_be_first(engine: &Engine, n: u32, all: bool) -> bool {
    let Some(order) = engine.steps_in_order(n, all) else { return false };
    let mut pasts = Pasts::default();
    pasts.compute(&engine.run, 1);
    Consistency::default().check_order(
        &engine.run,
        &pasts,
        &Relevant::of(&engine.run),
        &engine.settings,
        &order,
    )
}

impl Ended<'_> {
    /// What real objects require of the order of its events, beyond happens-before.
    pub fn constraints(&self) -> OrderConstraints {
        constraints(self.engine())
    }
}
