//! Commands that set things up.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

/// Set a package up: dependency, first program, specification, tests
///
/// Adds `insyn` to the dev-dependencies, and a first program as a unit test: `src/interleavings.rs`, with its specification
/// and tests in `specs/`. Your crate gets no new dependency outside of tests. Existing files are kept; running the command
/// again changes nothing.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn init                                    the package here
  cargo insyn init -p bank                            a package of a workspace
  cargo insyn init --ci github                        with a workflow for GitHub Actions
  cargo insyn init --path ../insyn                    with insyn from another checkout")]
pub(crate) struct Init {
    /// Package to set up
    #[arg(short, long, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,

    /// Write a workflow for continuous integration too
    #[arg(long, value_name = "SYSTEM", value_enum)]
    pub(crate) ci: Option<Ci>,

    /// Checkout of insyn to depend on [default: the one that this command was built from]
    #[arg(long, value_name = "DIR")]
    pub(crate) path: Option<PathBuf>,

    /// Path to Cargo.toml
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
}

/// A system for continuous integration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Ci {
    /// GitHub Actions: `.github/workflows/insyn.yml`
    Github,
}

/// Generate shell completions
///
/// Shells complete the words after `cargo-insyn`, which is the command behind `cargo insyn`. How the words after `cargo` are
/// completed is up to cargo.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn completions bash > ~/.local/share/bash-completion/completions/cargo-insyn
  cargo insyn completions fish > ~/.config/fish/completions/cargo-insyn.fish")]
pub(crate) struct Completions {
    /// Shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Generate man pages
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn man --out ~/.local/share/man/man1       then `man cargo-insyn-explore`
  cargo insyn man > cargo-insyn.1                     the main page")]
pub(crate) struct Man {
    /// Write a page for each command into this directory [default: print the main page]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
