//! What is known of a failure beside its sequence: how it ended, which threads panicked or wait for ever, how many
//! interleavings fail like this, and which other picks would have made a difference.
//!
//! With the sequence, this is all that the [report](crate::report) of a failure and its [causes](crate::causes) are made from.

use serde::{Deserialize, Serialize};

use crate::sequence::{EventRef, Location, Sequence};
use crate::termination::Termination;

/// A failure, beside its sequence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Failing {
    /// How the execution ended, in words.
    pub ended: String,
    /// How it ended, by the classes of files.
    pub termination: Termination,
    /// What happened, in a sentence or two.
    pub message: String,
    /// The number of steps up to the failure: what threads did that happens before it.
    pub steps: usize,
    /// How many interleavings fail like this; none of a single run.
    pub share: Option<Share>,
    /// The panics of the execution, in the order they happened.
    pub panics: Vec<Panicked>,
    /// The panic that the execution ended with, as an index into `panics`.
    pub fatal: Option<usize>,
    /// The threads that cannot go on. If the bound on steps was reached: those that were waiting then.
    pub waiting: Vec<Waiting>,
    /// The threads that wait for each other in a circle, as indices into `waiting`; empty if there is no circle.
    pub circle: Vec<usize>,
    /// Picks of the sequence that [decide](Difference::decides); empty if that is not known.
    pub differences: Vec<Difference>,
}

/// The name under which a sequence file keeps what a replay of it cannot find out, in its notes.
pub const NOTE: &str = "interleavings";

/// What a replay of a failure cannot find out, since it is about other interleavings.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Others {
    /// See [`Failing::share`].
    pub share: Option<Share>,
    /// See [`Failing::differences`].
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub differences: Vec<Difference>,
}

impl Others {
    /// As the text of a note.
    pub fn to_note(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }

    /// From the text of a note, for a failure of this sequence; none if it is no such note, or not one of the sequence.
    pub fn from_note(text: &str, sequence: &Sequence) -> Option<Others> {
        let others: Others = serde_json::from_str(text).ok()?;
        let exists =
            |at: &EventRef| sequence.processes.get(at.process).is_some_and(|it| at.index < it.events.len());
        let all_exist =
            others.differences.iter().all(|it| exists(&it.event) && it.instead.iter().all(exists));
        all_exist.then_some(others)
    }
}

/// How many interleavings fail in one way, of how many.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Share {
    /// Those that fail.
    pub failing: u64,
    /// All that were run.
    pub of: u64,
    /// Whether these are all that the program has.
    pub complete: bool,
}

/// A panic.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Panicked {
    /// The id of the thread.
    pub thread: String,
    /// How many events the thread had had.
    pub after: usize,
    /// The panic message.
    pub message: String,
    /// `file:line:column`.
    pub location: Option<String>,
}

/// A thread that cannot go on.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// The id of the thread.
    pub thread: String,
    /// The way in which it waits.
    pub wait: Wait,
    /// The ids of the objects that it waits for; of a [join](Wait::Join), that of the thread.
    pub on: Vec<String>,
    /// The ids of the threads that hold what it waits for.
    pub holders: Vec<String>,
    /// The condition that keeps a call from being accepted, with its place.
    pub unless: Option<String>,
    /// Where in the source.
    pub location: Option<Location>,
}

/// The ways to wait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Wait {
    /// For a message or a call, on one of some ports.
    Message,
    /// For the completion of a call of an object.
    Completion,
    /// For one of several offers.
    Select,
    /// For a notification of a condition variable.
    Notification,
    /// For a signal in a monitor.
    Signal,
    /// For a call to be accepted.
    Accept,
    /// For the reply to a call that was accepted.
    Reply,
    /// For the end of a thread.
    Join,
    /// For every handle of a wait group to be dropped.
    Handles,
    /// For another value of a variable.
    Change,
    /// For something else.
    #[default]
    Other,
}

/// What all interleavings of a program say about one pick of a failing sequence: those are compared that begin like the
/// sequence, with everything that happens before the event that picks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Difference {
    /// The event that picks.
    pub event: EventRef,
    /// What it picks in other interleavings; empty for nothing.
    pub instead: Vec<EventRef>,
    /// With this pick: how many pass, and how many fail.
    pub other: Outcomes,
    /// With the pick of the sequence.
    pub same: Outcomes,
}

/// How interleavings end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Outcomes {
    /// How many end normally.
    pub pass: u64,
    /// How many fail, in any way.
    pub fail: u64,
}

impl Difference {
    /// Whether the pick decides: every interleaving with the pick of the sequence fails, and some with the other pick pass; or
    /// every one with the other pick passes.
    pub fn decides(&self) -> bool {
        self.other.pass > 0 && (self.same.pass == 0 || self.other.fail == 0)
    }
}
