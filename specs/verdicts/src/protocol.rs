//! What `cargo insyn` and a program under test say to each other.
//!
//! The program runs in a process of its own, the user's test binary. Requests come on its standard input, answers go to
//! its standard output: each one line of JSON. Lines of answers begin with [`MARK`], because the test harness prints there before
//! the worker begins. Then the worker takes both streams away from the program, which reads and prints nothing there: it can neither
//! forge an answer nor keep one from being sent.

use std::path::Path;
use std::process::{Command, Stdio};

use insyn_sequences::failing::Failing;
use serde::{Deserialize, Serialize};

use crate::termination::{self, Termination};

mod comparison;
mod drafting;
mod journal;
mod judgement;
mod report;

pub use comparison::{Compare, Compared, Surveyed};
pub use drafting::{Catalogued, Drafted};
pub use journal::{Foreign, JOURNAL, Journal, Moment};
pub use judgement::{
    Check, Checked, Comparison, File, Force, Forced, Missing, Outcome, Record, Recorded, Suggest, Suggested,
    Tested, Witness,
};
pub use report::{idle_sentence, not_shown};

/// Both sides must speak the same version.
pub const VERSION: u32 = 5;

/// The environment variable that makes a program a worker.
pub const SWITCH: &str = "INSYN_WORKER";

/// The environment variable that says how many megabytes of memory a worker may have.
pub const MEMORY: &str = "INSYN_WORKER_MEMORY";

/// The environment variable that has the number of the process which has started a worker. The worker ends with that process.
pub const PARENT: &str = "INSYN_PARENT";

/// The start of a line on standard error that reports that a program makes no progress.
pub const STALLED: &str = "insyn: the program under test has done nothing that insyn can see";

/// The least number of seconds for which a mutant may do nothing, whatever the original does.
pub const LEAST_PATIENCE: u64 = 2;

/// The start of a line that the worker writes.
pub const MARK: char = '\u{1e}';

/// What every program leaves in its binary, so that it can be found without being run: package, module and name follow,
/// each ended by [`END`]. [`marker!`](crate::marker) makes all of it.
pub const MARKER: &str = crate::marker_parts!(start);

/// Ends each part of a marker.
pub const END: char = '\u{1f}';

/// The marker of the program with a name, in the package and the module where the macro is used.
#[macro_export]
macro_rules! marker {
    ($name:literal) => {
        ::core::concat!(
            $crate::marker_parts!(start),
            ::core::env!("CARGO_PKG_NAME"),
            $crate::marker_parts!(end),
            ::core::module_path!(),
            $crate::marker_parts!(end),
            $name,
            $crate::marker_parts!(end),
        )
    };
}

/// The constant parts of a marker, as `concat!` takes them.
#[doc(hidden)]
#[macro_export]
macro_rules! marker_parts {
    (start) => {
        "\u{1e}insyn program\u{1f}"
    };
    (end) => {
        "\u{1f}"
    };
}

/// A test binary, to be started as the worker of a program that the test harness knows by this name.
pub fn command(binary: &Path, test: &str) -> Command {
    let mut command = Command::new(binary);
    command
        .args(["--exact", test, "--include-ignored", "--nocapture", "--test-threads=1"])
        .env(SWITCH, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    command
}

/// The answer in a line of output; none if the program printed the line, or if it was cut off when the worker was killed.
pub fn answer(line: &str) -> Option<Answer> {
    serde_json::from_str(line.strip_prefix(MARK)?).ok()
}

/// A request to a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "request", rename_all = "kebab-case")]
pub enum Request {
    /// Run every sequence of the program.
    Explore(Explore),
    /// Run the sequence of a file.
    Replay(Replay),
    /// Judge the program by its specification and its tests.
    Check(Check),
    /// Force tests on the program.
    Force(Force),
    /// Write the sequences of the program as tests.
    Record(Record),
    /// Suggest invalid sequences as tests.
    Suggest(Suggest),
    /// List what a specification can match.
    Catalog(Explore),
    /// Draft a specification.
    Draft(Explore),
    /// Find out what the original does, before mutants are compared with it.
    Survey(Check),
    /// Compare a mutant with the original.
    Compare(Compare),
}

/// How to explore; the program's attribute decides what is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Explore {
    /// The input, as YAML.
    pub input: Option<String>,
    /// How many OS threads explore.
    pub workers: Option<usize>,
    /// Steps in an execution.
    pub max_steps: Option<u64>,
    /// Sequences in all.
    pub max_sequences: Option<u64>,
    /// Executions in all.
    pub max_executions: Option<u64>,
    /// Seconds in all.
    pub time_limit: Option<u64>,
    /// Mebibytes that the records of executions may take.
    pub record_limit: Option<u64>,
    /// The random seed.
    pub seed: Option<u64>,
    /// How many random executions to sample, instead of exploring.
    pub sample: Option<u64>,
    /// Ends with the first failure.
    pub stop_at_first_failure: bool,
}

/// A sequence to run again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replay {
    /// The input, as YAML.
    pub input: Option<String>,
    /// A sequence file, as JSON.
    pub file: String,
}

/// An answer of a worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case")]
pub enum Answer {
    /// The first answer.
    Hello {
        /// [`VERSION`].
        version: u32,
        /// Whether the program takes an input.
        takes_input: bool,
        /// Whether its attribute names a specification or tests.
        #[serde(default)]
        has_oracle: bool,
        /// Whether it is expected to fail, by `#[should_panic]`.
        #[serde(default)]
        should_panic: bool,
    },
    /// What an exploration has found so far. Each failure is reported once, when it is new: the first of each termination.
    Progress(Explored),
    /// An exploration is over.
    Explored(Explored),
    /// A sequence was run again.
    Replayed(Replayed),
    /// A check is over.
    Checked(Box<Checked>),
    /// Tests were forced.
    Forced(Forced),
    /// Sequences were written as tests.
    Recorded(Recorded),
    /// Tests were suggested.
    Suggested(Suggested),
    /// What a specification can match.
    Catalogued(Box<Catalogued>),
    /// A specification was drafted.
    Drafted(Drafted),
    /// What the original does.
    Surveyed(Box<Surveyed>),
    /// A mutant was compared.
    Compared(Box<Compared>),
    /// The worker has reached the requested moment.
    Testified {
        /// Whether the program could have reached it with real objects.
        real: bool,
    },
    /// A mutant makes no progress or uses too much memory, and the worker ends because of it. This is its last answer.
    Stalled(Stall),
    /// The results say nothing about the program: nothing is under control, or more than should be.
    Oversight {
        /// Why, and what to do.
        message: String,
    },
    /// The request cannot be served.
    Refused {
        /// Why, and what to do.
        message: String,
    },
}

/// Why a worker ends because of its mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Stall {
    /// It has used as much processor time as it may without doing anything that insyn can see.
    Loops,
    /// It waits for something that is not under control, and uses no processor time.
    Waits,
    /// It uses more memory than it may, of a kind that no limit of the system covers.
    Grows,
}

/// What an exploration found.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Explored {
    /// The input it ran with, as JSON.
    pub input: Option<serde_json::Value>,
    /// Distinct sequences.
    pub sequences: u64,
    /// Runs of the program.
    pub executions: u64,
    /// Runs that only showed a sequence again.
    pub repeats: u64,
    /// Runs that no real execution could be.
    pub inconsistent: u64,
    /// How the sequences ended.
    pub terminations: Terminations,
    /// Whether every sequence was run.
    pub complete: bool,
    /// Why not, if a bound was reached.
    pub bound: Option<String>,
    /// What went wrong.
    pub failures: Vec<Failed>,
    /// Sequences that failed at places which are not among the failures, since there are too many.
    #[serde(default)]
    pub left_out: u64,
    /// Why the results say nothing, if so: nothing is under control, or more than should be.
    #[serde(default)]
    pub oversight: Option<String>,
    /// Threads that had no event in any execution.
    #[serde(default)]
    pub idle_threads: Vec<String>,
    /// Under `#[should_panic]`: whether the test fails as it should.
    #[serde(default)]
    pub as_expected: Option<bool>,
}

impl Explored {
    /// The first problem with the program, if there is one.
    pub fn wrong(&self) -> Option<&str> {
        let failure = self.failures.first().map(|failure| failure.report.as_str());
        failure.or(self.oversight.as_deref())
    }
}

/// How many sequences ended in each way.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Terminations {
    /// Every thread reached its end.
    pub normal: u64,
    /// Some threads are blocked forever.
    pub deadlock: u64,
    /// A panic that no thread received by joining.
    pub panic: u64,
    /// Cut at the bound on steps.
    pub bound: u64,
    /// Out of stack.
    pub stack_overflow: u64,
    /// An object of another execution.
    pub foreign_object: u64,
    /// Not under control; no sequences.
    pub nondeterminism: u64,
}

impl Terminations {
    /// How many ended like this.
    pub fn of(&mut self, termination: Termination) -> &mut u64 {
        match termination {
            Termination::Normal => &mut self.normal,
            Termination::Deadlock | Termination::LocalDeadlock => &mut self.deadlock,
            Termination::Panic => &mut self.panic,
            Termination::StepBound => &mut self.bound,
            Termination::StackOverflow => &mut self.stack_overflow,
            Termination::ForeignObject => &mut self.foreign_object,
            Termination::Nondeterminism => &mut self.nondeterminism,
        }
    }
}

/// A way in which a program fails.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Failed {
    /// How it ended.
    #[serde(with = "termination::words")]
    pub termination: Termination,
    /// What happened, in a sentence.
    pub message: String,
    /// How many sequences fail like this.
    pub occurrences: u64,
    /// What is known of it beside its sequence.
    pub failing: Failing,
    /// Its text.
    pub report: String,
    /// The text of a sequence file to run it again.
    pub file: String,
}

/// A sequence that was run again.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Replayed {
    /// How it ended.
    #[serde(with = "termination::words")]
    pub termination: Termination,
    /// Whether that is a failure.
    pub failed: bool,
    /// What the function returned, as JSON.
    pub output: Option<String>,
    /// The text of the sequence's file.
    pub file: String,
    /// If it failed: what is known of that beside the sequence.
    pub failing: Option<Failing>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_has_its_parts() {
        let marker = crate::marker!("works");
        let parts: Vec<&str> = marker.strip_prefix(MARKER).expect("it is one").split(END).collect();
        assert_eq!(parts, ["insyn-verdicts", "insyn_verdicts::protocol::tests", "works", ""]);
    }
}
