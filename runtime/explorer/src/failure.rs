//! What went wrong in an execution, with everything needed to understand it and to replay it.
//!
//! [`ending`] makes a [`Failure`] from a run, [`blocked`] describes what its threads wait for, and [`circles`] finds which
//! threads they wait for.

mod blocked;
mod circles;
mod ending;

use std::fmt;
use std::path::Path;

use insyn_sequences::{Location, RaceTable, Sequence, SequenceFile, harmless, text};

pub(crate) use blocked::{Stuck, stuck};
pub(crate) use ending::{describe, place, termination};
pub use insyn_verdicts::Termination;

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
/// first of them, in the order of the exploration, is shown.
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
        SequenceFile {
            about: about.map(|(name, note)| (name.to_string(), note)).into(),
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

    /// What went wrong, without the sequence.
    pub fn story(&self) -> String {
        let mut story = String::new();
        self.describe_to(&mut story).expect("text can be written to a string");
        story
    }
}

/// The name of a thread or an object within a sentence.
fn shown(name: &str) -> String {
    harmless::name(name, 60)
}

impl Failure {
    fn describe_to(&self, f: &mut impl fmt::Write) -> fmt::Result {
        writeln!(f, "{}: {}", self.termination, harmless::text(&self.message))?;
        for panic in &self.panics {
            let at = panic.location.as_deref().unwrap_or("an unknown place");
            write!(f, "  thread {} panicked at {at}", shown(&panic.thread))?;
            // Do not repeat the message that is printed above.
            match panic.message == self.message {
                true => writeln!(f)?,
                false => writeln!(f, ": {}", harmless::text(&panic.message))?,
            }
        }
        if self.termination == Termination::StepBound && !self.blocked.is_empty() {
            writeln!(f, "  waiting when it was stopped:")?;
        }
        for blocked in &self.blocked {
            writeln!(f, "  {blocked}")?;
        }
        if let Some(&first) = self.cycle.first() {
            let names = self.cycle.iter().chain([&first]).map(|&i| shown(&self.blocked[i].thread));
            writeln!(f, "  in a circle: {}", names.collect::<Vec<_>>().join(" -> "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.describe_to(f)?;
        f.write_str(&text::listing(&self.sequence, self.occurrences, text::WIDTH))
    }
}
