//! What can be asked of `cargo insyn`, in the words of its help.

mod explore;
mod judge;
mod mutate;
mod setup;
mod shared;
mod show;
mod spec;

use std::ffi::OsString;
use std::io::{self, Write as _};

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use insyn_sequences::harmless;

pub(crate) use explore::{Explore, List, Replay};
pub(crate) use judge::{Check, Force, Record, Suggest};
pub(crate) use mutate::{Collect, Merge, Mutants, Mutate};
pub(crate) use setup::{Ci, Completions, Init, Man};
pub(crate) use shared::{Build, Exploring, Format, Input, Limits, OneProgram, Oracle, Shard, Which};
pub(crate) use show::{Report, ReportFormat, Show};
pub(crate) use spec::{Events, GraphFormat, Spec, SpecCommand, SpecGraph, SpecNew};

use crate::config;
use crate::display::Display;
use crate::exit::{self, Exit};

/// Test concurrent Rust programs: run every distinct interleaving of threads, channels and locks
///
/// A program is a function under `#[insyn::test]`. insyn controls the code under `#[insyn::instrument]`. This command builds
/// the tests of your packages with instrumentation on, and runs the programs in them.
#[derive(Debug, Parser)]
#[command(name = "cargo-insyn", bin_name = "cargo insyn", version, after_help = START, after_long_help = START_AND_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,

    #[command(flatten)]
    pub(crate) display: Display,
}

macro_rules! start {
    () => {
        "\
Examples:
  cargo insyn init                                    set a package up
  cargo insyn explore                                 run all interleavings of all programs
  cargo insyn mutate                                  find out which mutants your tests kill"
    };
}

macro_rules! codes {
    () => {
        "\
Exit codes:
  0    success
  1    a program fails: a deadlock, a panic, the step limit, a sequence that its specification forbids, a failed test; or
       nothing in it is instrumented
  2    the command cannot be carried out: an unknown program, a wrong input, an unreadable file
  3    the build failed; the compiler's errors are above
  4    a test binary died; its results up to then are shown
  5    mutants survived or are undecided
  130  interrupted; results up to then are shown or kept: run `mutate` again to continue

Options can also be set by INSYN_* variables and in insyn.toml at the root of the workspace."
    };
}

const START: &str = start!();
const EXIT_CODES: &str = codes!();
const START_AND_CODES: &str = concat!(codes!(), "\n\n", start!());

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Set a package up: dependency, first program, specification, tests
    Init(Init),
    /// List programs
    List(List),
    /// Run every interleaving of programs once
    Explore(Explore),
    /// Run a recorded sequence again, step by step
    Replay(Replay),
    /// Check programs against their specifications and tests
    Check(Check),
    /// List what a specification can match: threads, objects and events
    Events(Events),
    /// Draft a specification, or draw one
    Spec(Spec),
    /// Drive a program through the sequences of a test file
    Force(Force),
    /// Write the sequences of a program as tests
    Record(Record),
    /// List mutants, show them as diffs, or apply one to the source
    Mutants(Mutants),
    /// Run every mutant and show which tests kill it
    Mutate(Mutate),
    /// Merge the parts of a mutation run
    Merge(Merge),
    /// Suggest invalid sequences as tests
    Suggest(Suggest),
    /// Show the results of a mutation run as text, HTML and other formats
    Report(Report),
    /// Draw a recorded sequence as a space-time diagram
    Show(Show),
    /// Generate shell completions
    Completions(Completions),
    /// Generate man pages
    Man(Man),
}

/// The whole command line. The long help of each command has the exit codes; all help ends with examples.
pub(crate) fn command() -> clap::Command {
    Cli::command().mut_subcommands(|command| {
        let examples = command.get_after_help().map_or_else(String::new, |help| format!("\n\n{help}"));
        command.after_long_help(format!("{EXIT_CODES}{examples}"))
    })
}

/// What the arguments and the settings ask for. If that is help or nothing that makes sense, it is printed here; the error is how the
/// command ends then.
pub(crate) fn parse() -> Result<Cli, Exit> {
    let arguments: Vec<OsString> = arguments().collect();
    let matches = command().try_get_matches_from(&arguments).map_err(|error| print(&error))?;
    let mut built = command();
    built.build();
    let completed = config::complete(arguments, &built, &matches).map_err(|error| {
        exit::complain(&format!("{error:#}"));
        Exit::Refused
    })?;
    let matches = command().try_get_matches_from(completed).map_err(|error| print(&error))?;
    Cli::from_arg_matches(&matches).map_err(|error| print(&error))
}

/// Prints help, or an error of the command line.
fn print(error: &clap::Error) -> Exit {
    let text = error.render().to_string();
    let is_harmless = harmless::lines(&text) == text && text.lines().all(|line| line.len() < LONGEST);
    let printed = match error.use_stderr() && !is_harmless {
        true => {
            let text: Vec<String> = text.lines().map(|line| harmless::text(line) + "\n").collect();
            io::stderr().write_all(text.concat().as_bytes())
        }
        false => error.print().and_then(|()| io::stdout().flush()),
    };
    match printed {
        _ if error.use_stderr() => Exit::Refused,
        // A reader that has gone away is no error.
        Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => {
            exit::complain(&format!("standard output cannot be written: {cause}"));
            Exit::Refused
        }
        _ => Exit::Fine,
    }
}

/// No line of clap's own messages is longer, but for what a user has typed.
const LONGEST: usize = 1_000;

/// The arguments without the `insyn` that cargo puts before them.
fn arguments() -> impl Iterator<Item = OsString> {
    let is_cargos = |(n, arg): &(usize, OsString)| *n == 1 && arg == "insyn";
    std::env::args_os().enumerate().filter(move |arg| !is_cargos(arg)).map(|(_, arg)| arg)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn the_long_help_of_every_command_has_the_exit_codes() {
        for command in command().get_subcommands_mut() {
            let help = command.render_long_help().to_string();
            assert_eq!(help.matches("Exit codes:").count(), 1, "{help}");
            let short = command.render_help().to_string();
            assert!(!short.contains("Exit codes:"), "{short}");
        }
    }

    /// Words of insyn's own, for which there are common ones.
    #[test]
    fn help_is_in_common_words() {
        const PRIVATE: [&str; 8] =
            ["campaign", "told", "tells", "mirror", "distinguish", "switch", "come to", "behaviour"];
        for command in command().get_subcommands_mut() {
            let help = command.render_long_help().to_string();
            // The document of results has this name.
            let words = help.to_lowercase().replace("campaign.json", "");
            for word in PRIVATE {
                assert!(
                    !words.contains(word),
                    "`{word}` is in the help of `{}`:\n{help}",
                    command.get_name()
                );
            }
        }
    }

    /// Each command and each option has a summary of one line, and help ends with examples.
    #[test]
    fn help_teaches() {
        for command in command().get_subcommands_mut() {
            let name = command.get_name().to_owned();
            let about = command.get_about().map(ToString::to_string).unwrap_or_default();
            assert!(!about.is_empty() && !about.contains('\n') && !about.ends_with('.'), "{name}: {about}");
            let examples = format!("cargo insyn {name}");
            for help in [command.render_help().to_string(), command.render_long_help().to_string()] {
                let (_, end) =
                    help.rsplit_once("Example").unwrap_or_else(|| panic!("{name} has no examples"));
                assert!(end.contains(&examples), "{help}");
            }
            for option in command.get_arguments() {
                assert!(option.get_help().is_some(), "{name} {}", option.get_id());
            }
        }
    }
}
