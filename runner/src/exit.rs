//! How the command ends: its exit codes, and errors that decide them.

use std::fmt;
use std::process::ExitCode;

/// See the help of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    Fine = 0,
    ProgramFails = 1,
    Refused = 2,
    BuildFailed = 3,
    WorkerDied = 4,
    MutantsSurvive = 5,
    Interrupted = 130,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        ExitCode::from(exit as u8)
    }
}

/// An error that ends the command in its own way; any other is [`Exit::Refused`].
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) exit: Exit,
    /// Nothing if everything has been said already.
    pub(crate) message: String,
}

impl Ended {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Ended { exit, message: message.into() }
    }
}

impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Ended {}

/// How an error ends the command.
pub(crate) fn of(error: &anyhow::Error) -> Exit {
    error.downcast_ref::<Ended>().map_or(Exit::Refused, |ended| ended.exit)
}

/// Says what is wrong.
#[expect(clippy::print_stderr, reason = "errors belong there")]
pub(crate) fn tell(error: &anyhow::Error) -> ExitCode {
    let message = format!("{error:#}");
    if !message.is_empty() {
        eprintln!("error: {message}");
    }
    of(error).into()
}
