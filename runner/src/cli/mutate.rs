//! Commands about mutants.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::shared::{Build, Format, Input, Limits, Oracle, Shard, Which, Workers};

/// Lists the mutants of a package.
///
/// A mutant is a small change of the annotated code, made by an operator. Operators belong to the families guards,
/// operators, channels, locks and threads. A mutant that is not wanted is skipped by a comment that says why:
///
///   // insyn: skip CRP, guards: the number of retries is not part of the protocol
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo insyn mutants                                 all mutants of the package
  cargo insyn mutants --operators guards,channels     those of two families
  cargo insyn mutants --diff GBS-5c0d93f1             one of them, as a diff
  cargo insyn mutants --apply GBS-5c0d93f1            one of them, put into the source"
)]
pub(crate) struct Mutants {
    /// Only these, by their names
    #[arg(value_name = "MUTANT")]
    pub(crate) mutants: Vec<String>,

    #[command(flatten)]
    pub(crate) which: Which,

    /// Show each as a diff
    #[arg(long)]
    pub(crate) diff: bool,

    /// Put the mutant that is named into the source, to look at it or to build it alone
    #[arg(long, conflicts_with = "diff")]
    pub(crate) apply: bool,

    /// List the operators instead
    #[arg(long, conflicts_with_all = ["diff", "apply", "mutants"])]
    pub(crate) list_operators: bool,

    #[command(flatten)]
    pub(crate) build: Build,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Runs every mutant of a package and says which tests tell it from the original.
///
/// All mutants are compiled into one build. The unmutated programs are checked first. Then every mutant is explored. It is
/// killed by the first of these that applies:
///
///   1. exploration: a behaviour deadlocks, panics, or reaches the step bound (what `cargo test` rejects);
///   2. result: it returns what the original never does;
///   3. specification: an invalid sequence, or a valid one lost, as far as the conformance asks;
///   4. collected: it cannot do a sequence of the original, or ends it in another way;
///   5. written: the same for a test of `#[insyn::test(tests = "..")]` or `--tests`, invalid sequences among them.
///
/// A mutant that nothing kills is proved equivalent, or survives and comes with a sequence in which it differs: either a
/// test is missing, or the specification allows it. A mutant that reached a bound is undecided.
///
/// What is known is kept on disk after each mutant. An interrupted campaign (Ctrl-C, SIGTERM, SIGHUP) exits with 130 and writes
/// no report: the mutants that were not run are pending, and running the same command again continues.
///
/// A worker process that is killed from outside, as by the out-of-memory killer, or that hangs, decides nothing about its mutant:
/// the mutant is run again in a new worker. After three such workers it is undecided, and is tried again by the next run.
#[derive(Debug, Args)]
#[command(
    verbatim_doc_comment,
    after_help = "\
Examples:
  cargo insyn mutate -p bounded-buffer select
  cargo insyn mutate --operators guards,-GNG          some operators only
  cargo insyn mutate --collect random --seed 7        collect random sequences only
  cargo insyn mutate --in-diff changes.diff           only mutants on lines that a diff changes
  cargo insyn mutate --shard 2/4 --out part2          a quarter of the mutants, to be merged with the others",
    mut_arg("workers", |it| it.help(WORKERS)),
    mut_arg("max_steps", |it| {
        it.help("Steps that an execution of a mutant may have [default: 1,000 and ten times the original's most]")
    }),
    mut_arg("max_executions", |it| {
        it.help("Executions of a mutant [default: 1,000 and ten times the original's]")
    })
)]
pub(crate) struct Mutate {
    /// The programs to run mutants with; all of the package if none is named
    #[arg(value_name = "PROGRAM")]
    pub(crate) programs: Vec<String>,

    #[command(flatten)]
    pub(crate) which: Which,

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

    #[command(flatten)]
    pub(crate) workers: Workers,

    /// Only the k-th of n equal parts of the mutants
    #[arg(long, value_name = "K/N")]
    pub(crate) shard: Option<Shard>,

    #[command(flatten)]
    pub(crate) limits: Limits,

    /// Seconds of the processor after which a mutant that does nothing that insyn can see is taken to loop for ever. Nothing
    /// else is decided by time [default: 2, or 100 times the original's longest such stretch, if that is more]
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) patience: Option<u64>,

    /// Megabytes of memory that a worker may have; a mutant that needs more dies of it. Results are kept for one limit:
    /// with another, the campaign begins anew
    #[arg(long, value_name = "MIB", default_value_t = 2048, value_parser = clap::value_parser!(u64).range(16..))]
    pub(crate) memory: u64,

    /// Begin anew, even if results are there
    #[arg(long)]
    pub(crate) fresh: bool,

    /// Append to this file of tests the sequences that would kill survivors, unless the specification allows them
    #[arg(long, value_name = "FILE")]
    pub(crate) write_tests: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) build: Build,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Where results are kept [default: `insyn/mutate/PACKAGE` in the target directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

const WORKERS: &str = "\
How many mutants run at once, each in a worker process; the result is the same for any number [default: one for each core, but \
no more than there is memory for: `--memory` for each must fit into what the machine has available and what its cgroup allows]";

/// Which sequences of the original are collected as tests.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Collect {
    /// Every sequence
    #[default]
    All,
    /// Those of random runs by `--seed`, in batches of 20, until 5 batches in a row have brought no new sequence, so that
    /// the score is steady; at most 10,000 runs
    Random,
}

/// Puts the parts of a campaign together that `cargo insyn mutate --shard` has run.
///
/// The result is what one run of all mutants would have been, byte for byte. If a part is missing, or was interrupted, nothing is
/// written.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  cargo insyn mutate --shard 1/2 --out part1
  cargo insyn mutate --shard 2/2 --out part2          perhaps on another machine
  cargo insyn merge part1 part2 --out whole")]
pub(crate) struct Merge {
    /// The directories of the parts
    #[arg(value_name = "DIR", required = true)]
    pub(crate) parts: Vec<PathBuf>,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Where to put the whole
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,
}
