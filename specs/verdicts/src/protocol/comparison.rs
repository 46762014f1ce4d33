//! Requests to compare mutants of a program with the original, and their answers.

use serde::{Deserialize, Serialize};
use serde_json::Value as Data;

use super::{Check, Moment};
use crate::campaign::Test;
use crate::mutant::{Distinguishing, Kill, Rejection, Verdict};

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
    pub tests: Vec<Test>,
    /// The mutants whose code it reaches, in order.
    pub reached: Vec<u32>,
}

/// Which mutant to compare.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Compare {
    /// What to compare by: with a specification, sequences are words of its events.
    pub survey: Check,
    /// The mutant's number.
    pub mutant: u32,
    /// Steps in an execution of the mutant; by default ten times as many as the original has, and a thousand.
    pub max_steps: Option<u64>,
    /// Executions of the mutant; by default ten times as many as the original has, and a thousand.
    pub max_executions: Option<u64>,
    /// The process ends itself when the mutant has done nothing for this many seconds of processor time; by default
    /// [`LEAST_PATIENCE`](super::LEAST_PATIENCE), or a hundred times as long as the original ever does nothing.
    pub patience: Option<u64>,
    /// The moment at which another process died with the same request. This process ends there, and answers
    /// whether the program could have reached it with real objects.
    pub died_at: Option<Moment>,
}

/// How a mutant differs from the original.
///
/// The index of a program is 0 here, and the index of a test is its place among the tests of the program.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Compared {
    /// Runs of the mutant.
    pub executions: u64,
    /// The verdict.
    pub verdict: Verdict,
    /// Why it is undecided, or how far it is equivalent.
    pub reason: String,
    /// Why the test suite rejects the mutant: the first of each kind, in order.
    pub rejections: Vec<Rejection>,
    /// The tests that distinguish the two, in order.
    pub kills: Vec<Kill>,
    /// Whether these are all such tests.
    pub all_kills: bool,
    /// For a survivor: a sequence that distinguishes the two.
    pub distinguishing: Option<Distinguishing>,
}
