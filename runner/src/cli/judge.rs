//! Commands that judge programs, and that write down what they are judged by.

use std::path::PathBuf;

use clap::Args;

use super::shared::{Build, Exploring, Format, Input, Limits, OneProgram, Oracle};

/// Check programs against their specifications and tests
///
/// A specification (YAML) defines which sequences are valid. insyn explores the program, judges every sequence, and looks
/// for every valid sequence among the feasible ones. Both directions make a table:
///
///               valid                     invalid
///   feasible    correct                   synchronization failure
///   infeasible  failure: missing path     correct (tests that were tried)
///
/// A test is an input, a sequence, and whether the sequence is expected to be feasible. insyn drives the program through it.
/// "Infeasible" means that every way was tried; the output names the step that cannot happen and what blocks it.
///
/// Specification and tests are those of `#[insyn::test(spec = "..", tests = "..")]`, unless given here. Without a name,
/// every program that has either is checked.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo insyn check                                   all programs with a specification or tests
  cargo insyn check buffer --input '{slots: 3}'
  cargo insyn check buffer --spec buffer.yaml --tests buffer.tests.yaml --format json",
    mut_arg("max_sequences", |it| it.help("Stop exploring after N interleavings; valid ones not seen by then are forced")),
    mut_arg("max_executions", |it| it.help("Stop exploring, or forcing one sequence, after N executions"))
)]
pub(crate) struct Check {
    /// Programs to check [default: those with a specification or tests]
    #[arg(value_name = "PROGRAM")]
    pub(crate) programs: Vec<String>,

    #[command(flatten)]
    pub(crate) oracle: Oracle,

    #[command(flatten)]
    pub(crate) input: Input,

    /// Show every step of a failure, including unrelated ones
    #[arg(long)]
    pub(crate) full: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Directory for `check.json`, `check.html` and failing sequences [default: `insyn` in the target directory, with the sequences
    /// alone]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    /// Write the results as an HTML page with a diagram of each failure
    #[arg(long, value_name = "FILE")]
    pub(crate) html: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) exploring: Exploring,

    #[command(flatten)]
    pub(crate) build: Build,
}

/// Drive a program through the sequences of a test file
///
/// A test is an input, a sequence, and the expected outcome:
///
///   insyn: tests
///   version: 1
///   program: buffer
///   spec: buffer.yaml
///   tests:
///   - name: three deposits into two slots
///     input: {slots: 2}
///     sequence: [deposit, deposit, deposit, withdraw, withdraw, withdraw]
///     expect: infeasible
///
/// Names are events of the specification, or labels (`insyn::label!`) if there is none. A `prefix` leaves the rest open.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo insyn force specs/buffer.tests.yaml
  cargo insyn force specs/buffer.tests.yaml --test 'three deposits into two slots'",
    mut_arg("max_executions", |it| it.help("Give a test up after N executions; its verdict is then `unknown`"))
)]
pub(crate) struct Force {
    /// Test file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Program, if the file names none
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) program: Option<String>,

    /// Run only this test
    #[arg(long, value_name = "NAME")]
    pub(crate) test: Option<String>,

    /// Specification [default: the one that the file or the program names]
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) limits: Limits,

    #[command(flatten)]
    pub(crate) build: Build,
}

/// Write the sequences of a program as tests, for `cargo insyn force`
///
/// With a specification, each sequence is written as its events; without one, in full.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  cargo insyn record buffer --out specs/buffer.tests.yaml")]
pub(crate) struct Record {
    /// Maximum number of sequences
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max: u64,

    #[command(flatten)]
    pub(crate) of: OneProgram,
}

/// Suggest invalid sequences as tests
///
/// insyn takes sequences of the program and moves one event at a time until a rule of the specification forbids the result.
/// For each rule and event, the first such sequence is suggested. Sequences of the program cannot kill a mutant that only
/// does more than the program; these can.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn suggest buffer --out buffer.tests.yaml
  cargo insyn mutate buffer --tests buffer.tests.yaml")]
pub(crate) struct Suggest {
    /// Maximum number of sequences
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) max: usize,

    #[command(flatten)]
    pub(crate) of: OneProgram,
}
