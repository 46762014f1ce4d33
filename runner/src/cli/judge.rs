//! Commands that judge programs, and that write down what they are judged by.

use std::path::PathBuf;

use clap::Args;

use super::shared::{Build, Exploring, Format, Input, Limits, OneProgram, Oracle};

/// Judges programs by their specifications and their tests.
///
/// A specification (YAML) says which sequences are valid. The program is explored, every sequence is judged, and every
/// valid sequence is looked for among the feasible ones; both directions make the table
///
///               valid                          invalid
///   feasible    as it should be                synchronization failure
///   infeasible  failure: a path is missing     as it should be (tests that were tried)
///
/// Each test of a test file is an input, a sequence, and whether it should be feasible; the sequence is forced on the
/// program. Infeasible is proved by running out of choices, and says which step cannot happen and what stands in the way.
///
/// The files are those of `#[insyn::test(spec = "..", tests = "..")]`, unless others are given here. Without a name,
/// every program is checked that has such a file.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo insyn check                                   all programs with a specification or tests
  cargo insyn check buffer --input '{slots: 3}'
  cargo insyn check buffer --spec buffer.yaml --tests buffer.tests.yaml --format json",
    mut_arg("max_sequences", |it| it.help("Stop exploring after N sequences; valid ones not seen by then are forced")),
    mut_arg("max_executions", |it| it.help("Stop exploring, or forcing one sequence, after N executions"))
)]
pub(crate) struct Check {
    /// The programs to check; those with a specification or tests if none is named
    #[arg(value_name = "PROGRAM")]
    pub(crate) programs: Vec<String>,

    #[command(flatten)]
    pub(crate) build: Build,

    #[command(flatten)]
    pub(crate) oracle: Oracle,

    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    pub(crate) exploring: Exploring,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Where to put `check.json` and the sequences that fail [default: `insyn` in the target directory, without
    /// `check.json`]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Makes a program do the sequences of a file of tests, or shows that it cannot.
///
/// A test is an input, a sequence and what should come of them:
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
/// Names are events of the specification, or labels (`insyn::label!`) if there is none. A `prefix` leaves the rest free.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    mut_arg("max_executions", |it| it.help("Give up on a test after N executions; its verdict is then unknown"))
)]
pub(crate) struct Force {
    /// The file of the tests
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The program, if the file does not say
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) program: Option<String>,

    /// The only test to force
    #[arg(long, value_name = "NAME")]
    pub(crate) test: Option<String>,

    /// The specification, instead of the one that the file or the program names
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) build: Build,

    #[command(flatten)]
    pub(crate) limits: Limits,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Writes the sequences of a program down as tests, for `cargo insyn force`.
///
/// With a specification, each is written as its events; without one, completely.
#[derive(Debug, Args)]
pub(crate) struct Record {
    #[command(flatten)]
    pub(crate) of: OneProgram,

    /// No more sequences than this
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max: u64,
}

/// Suggests invalid sequences that are worth trying on mutants.
///
/// Sequences that the program can do are edited, one event moved at a time, until a rule of the specification objects; for
/// each rule and event the first such sequence is taken. Collected sequences cannot kill a mutant that only does more
/// than it should; these can.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  cargo insyn suggest buffer --out buffer.tests.yaml
  cargo insyn mutate buffer --tests buffer.tests.yaml")]
pub(crate) struct Suggest {
    #[command(flatten)]
    pub(crate) of: OneProgram,

    /// No more sequences than this
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub(crate) max: usize,
}
