//! Commands that set things up.

use std::path::PathBuf;

use clap::Args;

/// Sets a package up: the dependency, a first program, its specification and its tests.
///
/// `insyn` is added to Cargo.toml, with the switch for tests. `tests/insyn.rs` is a first program to look at, to run and to
/// replace by one of your own; `tests/insyn/` has its specification and its tests. What is there already is left as it
/// is.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn init                                    the package here
  cargo insyn init -p bank                            one of a workspace
  cargo insyn init --path ../insyn                    with insyn from another checkout")]
pub(crate) struct Init {
    /// The package to set up, in a workspace
    #[arg(short, long, value_name = "PACKAGE")]
    pub(crate) package: Option<String>,

    /// A checkout of insyn to depend on [default: the one that this command was built from]
    #[arg(long, value_name = "DIR")]
    pub(crate) path: Option<PathBuf>,

    /// Path to the Cargo.toml of the package or workspace
    #[arg(long, value_name = "PATH")]
    pub(crate) manifest_path: Option<PathBuf>,
}

/// Prints what makes a shell complete this command.
///
/// Shells complete the words after `cargo-insyn`, which is what `cargo insyn` starts; how the words after `cargo` are
/// completed is up to cargo.
///
///   cargo insyn completions bash > ~/.local/share/bash-completion/completions/cargo-insyn
///   cargo insyn completions fish > ~/.config/fish/completions/cargo-insyn.fish
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Prints the manual page of this command, or writes those of all its commands.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  cargo insyn man --out ~/.local/share/man/man1       then `man cargo-insyn-explore`
  cargo insyn man > cargo-insyn.1                     the page of the whole")]
pub(crate) struct Man {
    /// Write one page for each command into this directory
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
}
