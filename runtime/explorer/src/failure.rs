//! What went wrong in an execution, with everything needed to understand it and to replay it.
//!
//! [`ending`] makes a [`Failure`] from a run, [`blocked`] describes what its threads wait for, [`circles`] finds which
//! threads they wait for, and [`length`] counts the steps up to the failure.

mod blocked;
mod circles;
mod ending;
mod fatal;
mod length;
pub mod terminal;

use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

use insyn_sequences::failing::{Difference, Failing, NOTE, Others, Panicked, Share, Waiting};
use insyn_sequences::report::{self, Style};
use insyn_sequences::{Location, RaceTable, Sequence, SequenceFile, harmless};

pub(crate) use blocked::{Stuck, stuck};
pub(crate) use ending::{describe, place, termination};
pub use insyn_verdicts::Termination;
pub(crate) use length::steps;

/// Converts a termination to the classes that specifications, tests and files distinguish.
pub fn in_files(termination: Termination) -> insyn_sequences::Termination {
    match termination {
        Termination::Normal => insyn_sequences::Termination::Normal,
        Termination::Deadlock => insyn_sequences::Termination::Deadlock,
        Termination::LocalDeadlock => insyn_sequences::Termination::LocalDeadlock,
        Termination::StepBound => insyn_sequences::Termination::Bound,
        Termination::Panic
        | Termination::StackOverflow
        | Termination::ForeignObject
        | Termination::Nondeterminism => insyn_sequences::Termination::Panic,
    }
}

/// A way in which the program fails. Executions that fail in the same way at the same place are counted together; the
/// shortest of them is shown, and of several that are equally short the first in the order of the exploration.
///
/// Its text is what tests and `cargo insyn` print: how many interleavings fail like this, the steps up to the failure with one
/// column per thread, and the cause if it can be told.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// How the execution ended.
    pub termination: Termination,
    /// What happened, in a sentence or two.
    pub message: String,
    /// The panics of the execution, in the order they happened.
    pub panics: Vec<Panic>,
    /// The threads that could not go on, and what each waited for. If the bound on steps was reached: the threads that were
    /// waiting then, for something that might still have happened.
    pub blocked: Vec<Blocked>,
    /// The threads that wait for each other in a circle, as indices into `blocked`; empty if there is no circle.
    pub cycle: Vec<usize>,
    /// What the execution did.
    pub sequence: Sequence,
    /// What its receiving events could have taken instead, and some of the variants that follow; none if there are too many
    /// to be shown.
    pub races: Option<RaceTable>,
    /// How many sequences failed in this way at this place.
    pub occurrences: u64,
    /// How many steps lead to the failure: what threads did that happens before it.
    pub steps: usize,
    /// How many sequences failed like this, of how many; none of a single run.
    #[doc(hidden)]
    pub share: Option<Share>,
    /// Picks that make a difference, if they were looked for.
    #[doc(hidden)]
    pub differences: Vec<Difference>,
    /// The panic that the execution ended with, as an index into `panics`.
    pub(crate) fatal: Option<usize>,
}

/// A panic of the program under test.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Panic {
    /// Name, or id, of the thread.
    pub thread: String,
    /// The panic message.
    pub message: String,
    /// `file:line:column`.
    pub location: Option<String>,
    /// The id of the thread, and how many events it had had.
    pub(crate) process: String,
    pub(crate) after: usize,
}

/// A thread that could not go on, or was waiting when a bound stopped it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Blocked {
    /// Name, or id, of the thread.
    pub thread: String,
    /// What it waits for: the operation and the object.
    pub waits_for: String,
    /// Where in the source.
    pub location: Option<Location>,
    /// The same by ids.
    pub(crate) waiting: Waiting,
}

impl fmt::Display for Blocked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "thread {} waits for {}", shown(&self.thread), self.waits_for)?;
        self.location.as_ref().map_or(Ok(()), |at| write!(f, " at {at}"))
    }
}

impl Failure {
    /// A short description of the failure that is the same in every run: a panic by its place, not by its message.
    #[doc(hidden)]
    pub fn cause(&self) -> String {
        let place = self.panics.first().and_then(|panic| panic.location.as_ref());
        match (self.termination, place) {
            (Termination::Panic, Some(place)) => format!("panic at {place}"),
            (Termination::Panic, None) => "panic".to_owned(),
            _ => format!("{}: {}", self.termination, self.message),
        }
    }

    /// Writes the failing sequence to a file, for `cargo insyn replay`, and with the feature `specs` for
    /// `Explorer::replay_file`.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> std::io::Result<()> {
        let text = self.to_file().write().map_err(std::io::Error::other)?;
        std::fs::write(path, text)
    }

    /// The failing sequence with its termination and message, as a file.
    pub fn to_file(&self) -> SequenceFile {
        let about = [("termination", self.termination.to_string()), ("message", self.message.clone())];
        let mut about: BTreeMap<String, String> = about.map(|(name, note)| (name.to_string(), note)).into();
        if self.share.is_some() {
            let others = Others { share: self.share, differences: self.differences.clone() };
            about.insert(NOTE.to_owned(), others.to_note());
        }
        SequenceFile {
            about,
            // An execution that is not under control has no end that a replay could expect.
            ended: (self.termination != Termination::Nondeterminism).then(|| in_files(self.termination)),
            sequence: self.sequence.clone(),
            races: self.races.clone(),
        }
    }

    /// The failure ended differently when run once more: it becomes uncontrolled nondeterminism.
    pub(crate) fn doubt(&mut self, now: &str) {
        self.message = format!(
            "the program came to this end: {}: {}; and, run again with the same picks, {now}; something that insyn does \
             not control decides it",
            self.termination, self.message
        );
        self.termination = Termination::Nondeterminism;
    }

    /// What is known of the failure beside its sequence.
    #[doc(hidden)]
    pub fn facts(&self) -> Failing {
        let panicked = |it: &Panic| Panicked {
            thread: it.process.clone(),
            after: it.after,
            message: it.message.clone(),
            location: it.location.clone(),
        };
        Failing {
            ended: self.termination.to_string(),
            termination: in_files(self.termination),
            message: self.message.clone(),
            steps: self.steps,
            share: self.share,
            panics: self.panics.iter().map(panicked).collect(),
            fatal: self.fatal,
            waiting: self.blocked.iter().map(|it| it.waiting.clone()).collect(),
            circle: self.cycle.clone(),
            differences: self.differences.clone(),
        }
    }

    /// Its text, set in a style.
    #[doc(hidden)]
    pub fn report(&self, style: &Style) -> String {
        report::render(&self.sequence, &self.facts(), style)
    }
}

/// The name of a thread or an object within a sentence.
fn shown(name: &str) -> String {
    harmless::name(name, 60)
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.report(&Style::default()))
    }
}
