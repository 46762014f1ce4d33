//! Options that several commands have, each once.

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, ValueEnum};

/// The headings in the help, after cargo's.
const PACKAGES: &str = "Package selection";
const FEATURES: &str = "Feature selection";
const COMPILATION: &str = "Compilation";
const MANIFEST: &str = "Manifest and configuration";
const LIMITS: &str = "Limits";

/// Which packages are built, and how. All commands that build have these options, with cargo's names and meanings.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Build {
    /// Package to use [default: all default members that depend on insyn]
    #[arg(short, long, value_name = "PACKAGE", help_heading = PACKAGES, conflicts_with = "workspace")]
    pub(crate) package: Vec<String>,

    /// Use all packages of the workspace that depend on insyn
    #[arg(long, help_heading = PACKAGES)]
    pub(crate) workspace: bool,

    /// Leave a package of the workspace out
    #[arg(long, value_name = "PACKAGE", help_heading = PACKAGES, requires = "workspace")]
    pub(crate) exclude: Vec<String>,

    /// Features to activate, separated by spaces or commas
    #[arg(short = 'F', long, value_name = "FEATURES", help_heading = FEATURES)]
    pub(crate) features: Vec<String>,

    /// Activate all features
    #[arg(long, help_heading = FEATURES)]
    pub(crate) all_features: bool,

    /// Do not activate the `default` feature
    #[arg(long, help_heading = FEATURES)]
    pub(crate) no_default_features: bool,

    /// Build with optimizations
    #[arg(short, long, help_heading = COMPILATION, conflicts_with = "profile")]
    pub(crate) release: bool,

    /// Build with this profile of Cargo.toml
    #[arg(long, value_name = "NAME", help_heading = COMPILATION)]
    pub(crate) profile: Option<String>,

    /// Number of parallel build jobs [default: one per core]
    #[arg(short, long, value_name = "N", help_heading = COMPILATION, allow_negative_numbers = true)]
    pub(crate) jobs: Option<String>,

    /// Directory for build artifacts and results
    #[arg(long, value_name = "DIR", help_heading = COMPILATION)]
    pub(crate) target_dir: Option<PathBuf>,

    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH", help_heading = MANIFEST)]
    pub(crate) manifest_path: Option<PathBuf>,

    /// Fail if Cargo.lock would change
    #[arg(long, help_heading = MANIFEST)]
    pub(crate) locked: bool,

    /// Do not access the network
    #[arg(long, help_heading = MANIFEST)]
    pub(crate) offline: bool,

    /// Profile of insyn.toml to use [default: default]
    #[arg(long, value_name = "NAME", help_heading = MANIFEST)]
    pub(crate) config_profile: Option<String>,
}

impl Build {
    /// The name of cargo's profile.
    pub(crate) fn profile(&self) -> &str {
        match (&self.profile, self.release) {
            (Some(name), _) => name,
            (None, true) => "release",
            (None, false) => "dev",
        }
    }
}

/// How far programs are run.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Limits {
    /// Fail an execution after N steps
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    pub(crate) max_steps: Option<u64>,

    /// Stop after N executions
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    pub(crate) max_executions: Option<u64>,
}

/// How many work at once.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct Workers {
    /// Number of threads that explore; results do not depend on it [default: one per core]
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

    /// Stop after N interleavings
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    pub(crate) max_sequences: Option<u64>,

    /// Stop after this many seconds, even in the middle of an execution
    #[arg(long, value_name = "SECONDS", help_heading = LIMITS)]
    pub(crate) time_limit: Option<u64>,

    /// Stop when insyn's records of executions take more than this much memory [default: 2048]
    #[arg(long, value_name = "MIB", help_heading = LIMITS,
          value_parser = clap::value_parser!(u64).range(1..=MOST_MEBIBYTES))]
    pub(crate) record_limit: Option<u64>,
}

/// More mebibytes have no number of bytes.
const MOST_MEBIBYTES: u64 = u64::MAX >> 20;

/// The input of programs.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Input {
    /// Input as YAML or JSON, or @FILE
    #[arg(long, value_name = "YAML")]
    pub(crate) input: Option<String>,
}

/// What programs are judged by.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Oracle {
    /// Specification [default: the one in `#[insyn::test(spec = "..")]`]
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    /// Tests [default: those in `#[insyn::test(tests = "..")]`]
    #[arg(long, value_name = "FILE")]
    pub(crate) tests: Option<PathBuf>,
}

/// A program whose sequences are written as tests.
#[derive(Clone, Debug, Args)]
pub(crate) struct OneProgram {
    /// Program
    #[arg(value_name = "PROGRAM")]
    pub(crate) program: String,

    /// Specification [default: the one in `#[insyn::test(spec = "..")]`]
    #[arg(long, value_name = "FILE")]
    pub(crate) spec: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) input: Input,

    /// File to write; it must not exist [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) build: Build,
}

/// Which mutants are wanted.
#[derive(Clone, Debug, Default, Args)]
pub(crate) struct Which {
    /// Operators or families of operators; a minus leaves one out: guards,-GNG [default: all]
    #[arg(long, value_name = "OPERATORS", help_heading = "Mutants", allow_hyphen_values = true)]
    pub(crate) operators: Option<String>,

    /// Only mutants on lines that a unified diff adds or changes
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
