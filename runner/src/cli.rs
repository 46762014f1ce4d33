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

pub(crate) use explore::{Explore, List, Replay};
pub(crate) use judge::{Check, Force, Record, Suggest};
pub(crate) use mutate::{Collect, Merge, Mutants, Mutate};
pub(crate) use setup::{Completions, Init, Man};
pub(crate) use shared::{Build, Exploring, Format, Input, Limits, OneProgram, Oracle, Shard, Which};
pub(crate) use show::{Report, ReportFormat, Show};
pub(crate) use spec::{Events, GraphFormat, Spec, SpecCommand, SpecGraph, SpecNew};

use crate::exit::{self, Exit};

/// Tests concurrent Rust programs: runs every synchronization behaviour of a program and counts each once.
///
/// A program is a function under `#[insyn::test]`. Code that it uses is put under control by `#[insyn::instrument]`;
/// this command builds the tests of your packages with that switched on, and runs the programs it finds in them.
#[derive(Debug, Parser)]
#[command(name = "cargo-insyn", bin_name = "cargo insyn", version, after_help = EXIT_CODES)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

const EXIT_CODES: &str = "\
Exit codes:
  0    everything was done, and nothing is wrong
  1    a program fails: a deadlock, a panic, a bound on steps, a sequence against its specification, a test; or
       nothing of it is under control
  2    what was asked cannot be done: unknown program, unfit input, unreadable file
  3    the build failed; the compiler's errors are above
  4    a test binary died; what it had found until then is shown
  5    mutants survived, or are undecided
  130  interrupted; what was found until then is shown, or kept: `mutate` continues when it is run again";

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Sets a package up: the dependency, a first program, its specification and its tests
    Init(Init),
    /// Lists the programs of a package or workspace
    List(List),
    /// Runs every synchronization behaviour of programs, each once
    Explore(Explore),
    /// Runs a recorded sequence again and shows it step by step
    Replay(Replay),
    /// Judges programs by their specifications and their tests
    Check(Check),
    /// Lists what a specification can match: threads, objects, and events
    Events(Events),
    /// Drafts a specification, or draws one
    Spec(Spec),
    /// Makes a program do the sequences of a file of tests, or shows that it cannot
    Force(Force),
    /// Writes the sequences of a program down as tests
    Record(Record),
    /// Lists the mutants of a package, or shows them as diffs
    Mutants(Mutants),
    /// Runs every mutant of a package and says which tests tell it from the original
    Mutate(Mutate),
    /// Puts the parts of a campaign together
    Merge(Merge),
    /// Suggests invalid sequences that are worth trying on mutants
    Suggest(Suggest),
    /// Shows what came of a campaign, as tables, HTML and other documents
    Report(Report),
    /// Draws a recorded sequence as a space-time diagram
    Show(Show),
    /// Prints what makes a shell complete this command
    Completions(Completions),
    /// Prints the manual page of this command, or writes those of all its commands
    Man(Man),
}

/// The whole command line. The help of each command ends with what the exit codes mean.
pub(crate) fn command() -> clap::Command {
    Cli::command().mut_subcommands(|command| {
        let before = command.get_after_help().map_or_else(String::new, |help| format!("{help}\n\n"));
        command.after_help(format!("{before}{EXIT_CODES}"))
    })
}

/// What the arguments ask for. If that is help or nothing that makes sense, it is said here; the error is how the command ends then.
pub(crate) fn parse() -> Result<Cli, Exit> {
    let parsed = command().try_get_matches_from(arguments()).and_then(|it| Cli::from_arg_matches(&it));
    parsed.map_err(|error| match error.print().and_then(|()| io::stdout().flush()) {
        _ if error.use_stderr() => Exit::Refused,
        // A reader that has gone away is no error.
        Err(cause) if cause.kind() != io::ErrorKind::BrokenPipe => {
            exit::say(&format!("error: standard output cannot be written: {cause}"));
            Exit::Refused
        }
        _ => Exit::Fine,
    })
}

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
    fn the_help_of_every_command_tells_the_exit_codes() {
        for command in command().get_subcommands_mut() {
            let help = command.render_help().to_string();
            assert_eq!(help.matches("Exit codes:").count(), 1, "{help}");
        }
    }
}
