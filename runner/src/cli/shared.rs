//! Options that several commands have, each once.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

/// Which packages are built, and how.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Build {
    /// The package to look at; all that use insyn if none is named
    #[arg(short, long, value_name = "PACKAGE", help_heading = "Build")]
    pub(crate) package: Vec<String>,

    /// Path to the Cargo.toml of the package or workspace
    #[arg(long, value_name = "PATH", help_heading = "Build")]
    pub(crate) manifest_path: Option<PathBuf>,

    /// Features of the packages to switch on
    #[arg(short = 'F', long, value_name = "FEATURES", help_heading = "Build")]
    pub(crate) features: Vec<String>,

    /// Do not switch default features on
    #[arg(long, help_heading = "Build")]
    pub(crate) no_default_features: bool,

    /// Build with optimizations
    #[arg(short, long, help_heading = "Build")]
    pub(crate) release: bool,

    /// Say what cargo says while it builds
    #[arg(short, long, help_heading = "Build")]
    pub(crate) verbose: bool,
}

/// How far programs are run.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Limits {
    /// Fail an execution that takes more than N steps
    #[arg(long, value_name = "N")]
    pub(crate) max_steps: Option<u64>,

    /// Stop after N executions
    #[arg(long, value_name = "N")]
    pub(crate) max_executions: Option<u64>,
}

/// How many work at once.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Workers {
    /// How many OS threads explore; the result does not depend on it [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    workers: Option<u32>,
}

impl Workers {
    pub(crate) fn count(self) -> Option<usize> {
        self.workers.map(|n| n as usize)
    }
}

/// How programs are explored.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Exploring {
    #[command(flatten)]
    pub(crate) workers: Workers,

    #[command(flatten)]
    pub(crate) limits: Limits,

    /// Stop after N sequences
    #[arg(long, value_name = "N")]
    pub(crate) max_sequences: Option<u64>,
}

/// The input of programs.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Input {
    /// The input, as YAML or JSON; `@FILE` reads it from a file
    #[arg(long, value_name = "YAML")]
    pub(crate) input: Option<String>,
}

/// What programs are judged by.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Oracle {
    /// The specification, instead of the one that the program names
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    /// The tests, instead of those that the program names
    #[arg(long, value_name = "FILE")]
    pub(crate) tests: Option<PathBuf>,
}

/// A program whose sequences are written as tests.
#[derive(Clone, Debug, Args)]
pub(crate) struct OneProgram {
    /// The program
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: String,

    #[command(flatten)]
    pub(crate) build: Build,

    /// The specification, instead of the one that the program names
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) input: Input,

    /// The file to write; it must not exist [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
}

/// Which mutants are wanted.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Which {
    /// Operators, by code or family; those after a minus are left out [default: all]
    #[arg(long, value_name = "OPERATORS", help_heading = "Mutants", allow_hyphen_values = true)]
    pub(crate) operators: Option<String>,

    /// Only mutants on lines that this unified diff adds or changes
    #[arg(long, value_name = "FILE", help_heading = "Mutants")]
    pub(crate) in_diff: Option<PathBuf>,

    /// Mutate functions under `#[insyn::test]` too
    #[arg(long, help_heading = "Mutants")]
    pub(crate) drivers: bool,
}

/// A part of the mutants: `2/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shard {
    pub(crate) number: usize,
    pub(crate) of: usize,
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts =
            text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        match parts {
            Some((number, of)) if (1..=of).contains(&number) => Ok(Shard { number, of }),
            _ => Err("write K/N, with K from 1 to N".to_owned()),
        }
    }
}

/// How a result is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Tables for people
    #[default]
    Text,
    /// One JSON document
    Json,
}
