//! Commands about mutants.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{Build, Format, Input, Limits, Oracle, Shard, Which, Workers};

/// List mutants, show them as diffs, or apply one to the source
///
/// A mutant is a small change of instrumented code, made by an operator. The families of operators are guards, operators,
/// channels, locks and threads. To skip a mutant, write a comment with the reason:
///
///   // insyn: skip CRP, guards: the number of retries is not part of the protocol
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo insyn mutants                                 all mutants of the package
  cargo insyn mutants --operators guards,channels     those of two families
  cargo insyn mutants --diff GBS-5c0d93f1             one of them as a diff
  cargo insyn mutants --apply GBS-5c0d93f1            put it into the source
  cargo insyn mutants --revert                        and take it out again"
)]
pub(crate) struct Mutants {
    /// Mutants, by their names [default: all]
    #[arg(value_name = "MUTANT")]
    pub(crate) mutants: Vec<String>,

    /// Show each mutant as a diff
    #[arg(long)]
    pub(crate) diff: bool,

    /// Put one mutant into the source, to debug it; the file must have no uncommitted changes
    #[arg(long, conflicts_with = "diff")]
    pub(crate) apply: bool,

    /// Take the applied mutant out of the source again
    #[arg(long, conflicts_with_all = ["apply", "diff", "mutants", "operators", "in_diff"])]
    pub(crate) revert: bool,

    /// List the operators
    #[arg(long, conflicts_with_all = ["diff", "apply", "revert", "mutants"])]
    pub(crate) list_operators: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) which: Which,

    #[command(flatten)]
    pub(crate) build: Build,
}

/// Run every mutant and show which tests kill it
///
/// All mutants are compiled into one build. The unmutated programs are checked first; programs under `#[should_panic]` are
/// left out. Then every mutant is explored. It is killed by the first of these that applies:
///
///   1. exploration: an interleaving deadlocks, panics or reaches the step limit (what `cargo test` rejects);
///   2. result: the mutant returns what the original never does;
///   3. specification: an invalid sequence, or a missing valid one, as far as the conformance asks;
///   4. collected: the mutant cannot do a sequence of the original, or ends it differently;
///   5. written: the same for a test of `#[insyn::test(tests = "..")]` or `--tests`, including invalid sequences.
///
/// A mutant that nothing kills is proved equivalent, or survives and is reported with a sequence in which it differs: either
/// a test is missing, or the specification allows the difference. A mutant that reached a limit is undecided.
///
/// Results are kept on disk after each mutant. If interrupted (Ctrl-C, SIGTERM, SIGHUP), the command exits with 130 and writes
/// no report; run it again to continue.
///
/// A worker process that is killed from outside, for example by the out-of-memory killer, or that hangs, decides nothing: its
/// mutant is run again in a new worker. After three such workers the mutant is undecided, and the next run tries it again.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo insyn mutate -p bounded-buffer select
  cargo insyn mutate --operators guards,-GNG          some operators only
  cargo insyn mutate --collect random --seed 7        collect random sequences only
  cargo insyn mutate --in-diff changes.diff           only mutants on changed lines
  cargo insyn mutate --shard 2/4 --out part2          a quarter of the mutants, for `cargo insyn merge`",
    mut_arg("workers", |it| it.help(WORKERS)),
    mut_arg("max_steps", |it| {
        it.help("Steps in an execution of a mutant [default: 1,000 plus ten times the original's most]")
    }),
    mut_arg("max_executions", |it| {
        it.help("Executions of a mutant [default: 1,000 plus ten times the original's]")
    })
)]
pub(crate) struct Mutate {
    /// Programs to run mutants with [default: all of the package]
    #[arg(value_name = "PROGRAM")]
    pub(crate) programs: Vec<String>,

    #[command(flatten)]
    pub(crate) oracle: Oracle,

    #[command(flatten)]
    pub(crate) input: Input,

    /// Which sequences of the original are tests
    #[arg(long, value_enum, default_value_t)]
    pub(crate) collect: Collect,

    /// Random seed of `--collect random` [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Append tests that would kill survivors to this file, unless the specification allows what they do
    #[arg(long, value_name = "FILE")]
    pub(crate) write_tests: Option<PathBuf>,

    /// Discard earlier results
    #[arg(long)]
    pub(crate) fresh: bool,

    #[command(flatten)]
    pub(crate) workers: Workers,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Directory for results [default: `insyn/mutate/PACKAGE` in the target directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) which: Which,

    /// Run only the K-th of N equal parts of the mutants
    #[arg(long, value_name = "K/N", help_heading = "Mutants")]
    pub(crate) shard: Option<Shard>,

    #[command(flatten)]
    pub(crate) limits: Limits,

    /// Processor time after which a mutant that does nothing insyn can see counts as an endless loop; no other verdict
    /// depends on time [default: 2, or 100 times the original's longest such stretch]
    #[arg(long, value_name = "SECONDS", help_heading = "Limits", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) patience: Option<u64>,

    /// Memory limit of a worker; a mutant that needs more dies. With another limit, the run starts over
    #[arg(long, value_name = "MIB", help_heading = "Limits", default_value_t = 2048,
          value_parser = clap::value_parser!(u64).range(16..))]
    pub(crate) memory: u64,

    #[command(flatten)]
    pub(crate) build: Build,
}

const WORKERS: &str = "\
Number of mutants that run at once; results do not depend on it [default: one per core, as far as `--memory` for each fits into the \
available memory]";

/// Which sequences of the original are collected as tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Collect {
    /// Every sequence
    #[default]
    All,
    /// Those of random executions, in batches of 20, until 5 batches in a row bring no new sequence; at most 10,000 executions
    Random,
}

/// Merge the parts of a mutation run that `cargo insyn mutate --shard` has run
///
/// The result is the same, byte for byte, as that of one run of all mutants. If a part is missing or was interrupted, nothing is
/// written.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn mutate --shard 1/2 --out part1
  cargo insyn mutate --shard 2/2 --out part2          perhaps on another machine
  cargo insyn merge part1 part2 --out whole")]
pub(crate) struct Merge {
    /// Directories of the parts
    #[arg(value_name = "DIR", required = true)]
    pub(crate) parts: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Directory for the merged results
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}
