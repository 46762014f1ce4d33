//! Commands that run programs.

use std::path::PathBuf;

use clap::Args;

use super::shared::{Build, Exploring, Format, Input};

/// Lists the programs of a package or workspace.
///
/// A program can be named by its function or by as much of its path as tells it apart: `works`, `tests::works`,
/// `my_crate::tests::works`.
#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) build: Build,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,
}

/// Runs every synchronization behaviour of programs, each once.
///
/// Without a name it explores all programs it finds. What fails is shown with the sequence that fails, and is saved as a
/// file that `cargo insyn replay` runs again.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn explore                                 all programs of the package
  cargo insyn explore transfer                        the one whose function is `transfer`
  cargo insyn explore -p bank transfer --input '{accounts: 3}'
  cargo insyn explore --format json > explored.json")]
pub(crate) struct Explore {
    /// The programs to explore; all if none is named
    #[arg(value_name = "PROGRAM")]
    pub(crate) programs: Vec<String>,

    #[command(flatten)]
    pub(crate) build: Build,

    #[command(flatten)]
    pub(crate) input: Input,

    #[command(flatten)]
    pub(crate) exploring: Exploring,

    /// Run it so often at random instead of exploring it
    #[arg(long, value_name = "N")]
    pub(crate) sample: Option<u64>,

    /// Where random choices come from
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,

    /// Stop each program at its first failure
    #[arg(long)]
    pub(crate) first_failure: bool,

    /// How to print the result
    #[arg(long, value_enum, default_value_t)]
    pub(crate) format: Format,

    /// Where to put `explore.json` and the sequences that fail [default: `insyn` in the target directory, without
    /// `explore.json`]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}

/// Runs a recorded sequence again and shows it step by step.
///
/// The file says of which program it is and with which input; failures of tests and of `cargo insyn explore` are
/// saved as such files.
#[derive(Debug, Args)]
pub(crate) struct Replay {
    /// The file of the sequence
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// The program, if the file does not say
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) program: Option<String>,

    #[command(flatten)]
    pub(crate) build: Build,
}
