//! Requests to judge a program by its specification and its tests, and their answers.

use insyn_sequences::Termination;
use serde::{Deserialize, Serialize};
use serde_json::Value as Data;

use super::Failed;
use crate::conformance::{Conformance, Conformity};
use crate::reaction::Feasibility;

/// A file that the command has read.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct File {
    /// Its name, for messages.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// How to check; the program's attribute decides what is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Check {
    /// The input, as YAML.
    pub input: Option<String>,
    /// The specification.
    pub spec: Option<File>,
    /// The tests.
    pub tests: Option<File>,
    /// How many OS threads explore.
    pub workers: Option<usize>,
    /// Steps in an execution.
    pub max_steps: Option<u64>,
    /// Sequences in all.
    pub max_sequences: Option<u64>,
    /// Executions in all.
    pub max_executions: Option<u64>,
    /// Seconds of exploring.
    pub time_limit: Option<u64>,
    /// Mebibytes that the records of executions may take.
    pub record_limit: Option<u64>,
    /// Before mutants are compared: the seed of the runs whose sequences are tests; by default every sequence is one.
    pub random: Option<u64>,
}

/// Which tests to force; the program's attribute decides what is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Force {
    /// The specification.
    pub spec: Option<File>,
    /// The tests.
    pub tests: Option<File>,
    /// The only one to force, by its name.
    pub test: Option<String>,
    /// Steps in an execution.
    pub max_steps: Option<u64>,
    /// Executions for each test.
    pub max_executions: Option<u64>,
}

/// How to record the sequences of a program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Record {
    /// The input, as YAML.
    pub input: Option<String>,
    /// The specification whose words are to be written.
    pub spec: Option<File>,
    /// No more sequences than this.
    pub max: Option<u64>,
}

/// How to suggest tests.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Suggest {
    /// The input, as YAML.
    pub input: Option<String>,
    /// The specification that defines what is valid.
    pub spec: Option<File>,
    /// No more tests than this.
    pub max: usize,
}

/// Tests that were suggested.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suggested {
    /// How many.
    pub tests: u64,
    /// The names of those that the program can do, although it must not.
    pub feasible: Vec<String>,
    /// The text of a test file.
    pub file: String,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Checked {
    /// The input it ran with, as JSON.
    pub input: Option<Data>,
    /// Distinct sequences.
    pub sequences: u64,
    /// Runs of the program.
    pub executions: u64,
    /// Whether every sequence was run.
    pub complete: bool,
    /// Why not, if a bound was reached.
    pub bound: Option<String>,
    /// Feasible against valid; none without a specification.
    pub comparison: Option<Comparison>,
    /// The tests, in the order of their file.
    pub tests: Vec<Tested>,
    /// Other failures: terminations that the specification does not expect.
    pub failures: Vec<Failed>,
    /// The number of sequences that ended like this at places that are not listed, because there are too many.
    #[serde(default)]
    pub left_out: u64,
    /// Why the results say nothing, if so: nothing is under control, or more than should be.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub oversight: Option<String>,
    /// Threads that had no event in any execution.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub idle_threads: Vec<String>,
    /// Whether everything is as it should be.
    pub passed: bool,
    /// Under `#[should_panic]`: whether the test fails as it should.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub as_expected: Option<bool>,
}

/// Feasible against valid.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The file of the specification.
    pub spec: String,
    /// How feasible and valid sequences should compare.
    pub conformance: Conformance,
    /// Whether they do.
    pub answer: Conformity,
    /// Feasible sequences all of whose words are valid.
    pub feasible_valid: u64,
    /// Feasible sequences with an invalid word.
    pub feasible_invalid: u64,
    /// Feasible sequences that a bound kept from being judged.
    pub unjudged: u64,
    /// Valid words that are feasible; none if the conformance does not ask.
    pub valid_words_feasible: Option<u64>,
    /// Valid words that are not; none if the conformance does not ask.
    pub infeasible_valid: Option<u64>,
    /// Valid words that could not be decided within the bounds.
    pub undecided: u64,
    /// Whether these are all valid words.
    pub generated: bool,
    /// Invalid words that were tried and are infeasible.
    pub infeasible_invalid: u64,
    /// How many executions fulfil each condition, from (i) to (iv).
    pub conditions: [u64; 4],
    /// The first executions of each condition but (i).
    pub witnesses: Vec<Witness>,
    /// The first valid words that are infeasible.
    pub missing: Vec<Missing>,
    /// Permissions of the specification that no execution uses.
    pub unshown: Vec<String>,
    /// Likely mistakes in the specification.
    pub warnings: Vec<String>,
}

/// An execution that shows something.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Witness {
    /// The condition that it fulfils, from 1 to 4.
    pub condition: usize,
    /// One of its words, or the bad one.
    pub word: String,
    /// Why the word is invalid; none if it is valid.
    pub objection: Option<String>,
    /// How it ended.
    pub termination: Termination,
    /// What it returned.
    pub output: Option<Data>,
    /// The outputs that would be correct; empty if any output is.
    pub expected: Vec<Data>,
    /// The text of a sequence file to run it again; where it was saved, once it has been.
    pub file: String,
}

impl Checked {
    /// Whether everything is as it should be. An unknown result of the comparison with the specification counts as agreement if the
    /// exploration may be incomplete: the user set a bound, or the specification expects one to be reached.
    pub fn passes(&self, may_be_cut: bool) -> bool {
        let agrees = self.comparison.as_ref().is_none_or(|it| match it.answer {
            Conformity::Correct => true,
            Conformity::Incorrect => false,
            Conformity::Unknown => may_be_cut,
        });
        agrees
            && self.failures.is_empty()
            && self.tests.iter().all(|test| test.passed)
            && (self.complete || may_be_cut)
            && self.oversight.is_none()
    }

    /// Everything that can be run again: a title, and its sequence file.
    pub fn files(&mut self) -> impl Iterator<Item = (String, &mut String)> {
        let failures = self.failures.iter_mut().map(|it| (it.termination.to_string(), &mut it.file));
        let witnesses = self.comparison.iter_mut().flat_map(|it| &mut it.witnesses);
        failures.chain(witnesses.map(|it| (it.word.clone(), &mut it.file)))
    }
}

/// A valid word that is infeasible.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Missing {
    /// The word.
    pub word: String,
    /// What prevents it.
    pub why: String,
}

/// Tests that were forced.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Forced {
    /// In the order of their file.
    pub tests: Vec<Tested>,
    /// Likely mistakes in the specification.
    pub warnings: Vec<String>,
}

/// The result of a test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Tested {
    /// Its name.
    pub name: String,
    /// Whether the program can do it.
    pub verdict: Feasibility,
    /// Whether it should be able to.
    pub expected: Feasibility,
    /// The expected result, as in its file.
    pub expectation: String,
    /// Whether that is so.
    pub passed: bool,
    /// What prevented it, if something did.
    pub why: String,
    /// The results of the executions that do the sequence: one of them, or all if that matters.
    pub results: Vec<Outcome>,
    /// How many executions that took.
    pub executions: u64,
}

/// The result of an execution.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// How it ended.
    pub termination: Termination,
    /// What it returned.
    pub output: Option<Data>,
}

/// Sequences that were recorded.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recorded {
    /// How many tests there are.
    pub tests: u64,
    /// Whether these are all sequences of the program.
    pub complete: bool,
    /// The text of a file of tests.
    pub file: String,
    /// The file of the specification whose words they are, if one was used.
    #[serde(default)]
    pub spec: Option<String>,
    /// Likely mistakes in it.
    pub warnings: Vec<String>,
}
