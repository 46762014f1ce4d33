//! Commands that run programs.

use std::path::PathBuf;

use clap::Args;

use super::shared::{Build, Exploring, Format, Input};

/// List the programs of packages
///
/// Name a program by its function, or by as much of its path as makes it unique: `works`, `tests::works`,
/// `my_crate::tests::works`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn list                                    the programs of the package here
  cargo insyn list --workspace --format json          those of all packages, for a script")]
pub(crate) struct List {
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) build: Build,
}

/// Run every interleaving of programs once
///
/// Without a name, all programs are explored. A failure is shown with its sequence, which is saved to a file for
/// `cargo insyn replay`. A program under `#[should_panic]` must fail, as in `cargo test`.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn explore                                 all programs of the package
  cargo insyn explore transfer                        one program
  cargo insyn explore -p bank transfer --input '{accounts: 3}'
  cargo insyn explore --time-limit 60                 stop after a minute
  cargo insyn explore --format json > explored.json")]
pub(crate) struct Explore {
    /// Programs to explore [default: all]
    #[arg(value_name = "PROGRAM")]
    pub(crate) programs: Vec<String>,

    #[command(flatten)]
    pub(crate) input: Input,

    /// Stop each program at its first failure
    #[arg(long)]
    pub(crate) first_failure: bool,

    /// Sample N random executions instead
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<u64>,

    /// Random seed
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Show every step of a failure, including unrelated ones
    #[arg(long)]
    pub(crate) full: bool,

    /// Output format
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Directory for `explore.json`, `explore.html` and failing sequences [default: `insyn` in the target directory, with the sequences
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

/// Run a recorded sequence again, step by step
///
/// The file names the program and its input. Failures of `cargo test` and of `cargo insyn explore` are saved as such files.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  cargo insyn replay target/insyn/bank/bank.tests.transfer/failure-1.yaml")]
pub(crate) struct Replay {
    /// Sequence file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// Program, if the file names none
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) program: Option<String>,

    /// Show every step, also those that have nothing to do with the failure
    #[arg(long)]
    pub(crate) full: bool,

    #[command(flatten)]
    pub(crate) build: Build,
}
