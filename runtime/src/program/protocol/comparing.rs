//! Requests to compare mutants of a program with the original, and their answers.

use serde::{Deserialize, Serialize};
use serde_json::Value as Data;

use super::{Check, Moment, Outcome};

/// What the original does.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surveyed {
    /// The input it ran with, as JSON.
    pub input: Option<Data>,
    /// Distinct sequences.
    pub sequences: u64,
    /// Runs of the program.
    pub executions: u64,
    /// Whether every sequence was run.
    pub complete: bool,
    /// Its sequences, each a test; then the tests of the file.
    pub tests: Vec<Surveying>,
    /// How many of them are its own sequences.
    pub collected: usize,
    /// The mutants whose code it comes to, in order.
    pub reached: Vec<u32>,
}

/// A test, and what the original does with it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Surveying {
    /// Its name.
    pub name: String,
    /// Its input, if it has one of its own.
    pub input: Option<Data>,
    /// Its events.
    pub sequence: Vec<String>,
    /// What the original does.
    pub original: Reaction,
    /// An execution that does it, as the text of a sequence file; not for all, if there are many.
    pub file: Option<String>,
    /// For each event, the one of the file that it is, by its name there.
    pub steps: Vec<String>,
    /// The test that it is a variant of: its place in the list, before this one.
    #[serde(default)]
    pub variant_of: Option<usize>,
    /// The events of the file that the variant changed, by their names there.
    #[serde(default)]
    pub changes: Vec<String>,
}

/// What a program does with a sequence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reaction {
    /// `feasible`, `infeasible` or `unknown`.
    pub verdict: String,
    /// What can come of it, in a fixed order.
    pub results: Vec<Outcome>,
    /// What stands in the way, if it is infeasible and somebody has looked.
    pub why: String,
}

/// Which mutant to compare.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Compare {
    /// What to compare by: with a specification, sequences are words of its events.
    pub survey: Check,
    /// The mutant's number.
    pub mutant: u32,
    /// Steps in an execution of the mutant; ten times as many as the original has, and a thousand, if not said.
    pub max_steps: Option<u64>,
    /// Executions of the mutant; ten times as many as the original has, and a thousand, if not said.
    pub max_executions: Option<u64>,
    /// The process ends itself when the mutant has done nothing for so many seconds of the processor;
    /// [`LEAST_PATIENCE`](super::LEAST_PATIENCE), or a hundred times as long as the original ever does, if not said.
    pub patience: Option<u64>,
    /// A moment at which another process died while it did this: the process is to end there, and to say whether it is
    /// real.
    pub died_at: Option<Moment>,
}

/// How a mutant differs from the original.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// Runs of the mutant.
    pub executions: u64,
    /// The tests that tell the two apart, in order.
    pub kills: Vec<Killed>,
    /// Whether these are all that do.
    pub all: bool,
    /// Proved to do the same, for this input.
    pub equal: bool,
    /// Whether that is so of every event, and not only of those that the specification sees.
    pub whole: bool,
    /// Whether the mutant can run out of stack.
    pub overflows: bool,
    /// If no test tells them apart: a sequence that does.
    pub distinguishing: Option<Telling>,
    /// Why it is not known whether they differ, if it is not.
    pub unknown: Option<String>,
}

/// A test that tells a mutant from the original.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Killed {
    /// Its place in the list of tests.
    pub test: usize,
    /// `feasibility`, `termination` or `output`.
    pub difference: String,
    /// The first event of the test that one of the two cannot follow, from zero; one beyond them if it does not end there.
    pub event: Option<usize>,
    /// If no event of the test tells: where else the two part.
    pub departure: Option<Departure>,
    /// What the mutant does.
    pub mutant: Reaction,
}

/// Where executions of a mutant and of the original that do the same test part.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Departure {
    /// At an event that the test does not name.
    At {
        /// The event, by its name in the execution: `main/thread1#3`.
        event: String,
        /// What the mutant does there.
        mutant: String,
        /// What the original does there.
        original: String,
    },
    /// Nowhere: all events are the same, and only the result differs.
    Nowhere,
    /// That is not known, as no such execution was kept: there are too many.
    Unknown,
}

/// A sequence that tells a mutant from the original.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Telling {
    /// Its events.
    pub sequence: Vec<String>,
    /// The first event that one of the two cannot follow, from zero.
    pub event: Option<usize>,
    /// If both can do it: where else the two part.
    pub departure: Option<Departure>,
    /// What the mutant does.
    pub mutant: Reaction,
    /// What the original does.
    pub original: Reaction,
    /// The mutant's execution, as the text of a sequence file, if it can do it.
    pub file: Option<String>,
    /// For each event, the one of the file that it is, by its name there.
    pub steps: Vec<String>,
    /// The same as a test, in the text of a test file.
    pub test: String,
}
