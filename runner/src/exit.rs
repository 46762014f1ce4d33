//! How the command ends: its exit codes, and errors that decide them.

use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;

use insyn_sequences::harmless;

use crate::display::{self, Paint};
use crate::disturbance::Disturbance;

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
    /// Empty if everything has been printed already.
    pub(crate) message: String,
    /// What has disturbed a worker, if anything has: then its end shows nothing.
    pub(crate) disturbance: Option<Disturbance>,
}

impl Ended {
    pub(crate) fn new(exit: Exit, message: impl Into<String>) -> Self {
        Ended { exit, message: message.into(), disturbance: None }
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

/// What has disturbed a worker, if that is the error.
pub(crate) fn disturbance(error: &anyhow::Error) -> Option<&Disturbance> {
    error.downcast_ref::<Ended>().and_then(|ended| ended.disturbance.as_ref())
}

/// The end of the command. If it was interrupted, the exit code says so, whatever the result.
pub(crate) fn end(ended: anyhow::Result<Exit>, interrupted: bool) -> ExitCode {
    match ended {
        Ok(exit) if exit == Exit::Interrupted || !interrupted => exit.into(),
        Ok(_) => {
            complain("interrupted, after everything was done");
            Exit::Interrupted.into()
        }
        Err(error) => {
            let (message, exit) = (format!("{error:#}"), of(&error));
            match (message.as_str(), interrupted && exit != Exit::Interrupted) {
                ("", false) => {}
                ("", true) => complain("interrupted"),
                (message, false) => complain(message),
                (message, true) => complain(&format!("interrupted; before that: {message}")),
            }
            if interrupted { Exit::Interrupted.into() } else { exit.into() }
        }
    }
}

/// Prints an error. Names in it may be anything that a user has typed.
pub(crate) fn complain(message: &str) {
    label(Paint::Bad, "error", &shortened(&harmless::lines(message)));
}

/// A message without the rest of words that are too long to be read.
fn shortened(message: &str) -> String {
    const LONGEST: usize = 1_000;
    let words = message.split_inclusive([' ', '\n']).map(|word| match word.char_indices().nth(LONGEST) {
        None => word.to_owned(),
        Some((end, _)) => {
            format!("{}… ({} more characters) ", &word[..end], word[end..].trim_end().chars().count())
        }
    });
    words.collect()
}

/// Prints a message on standard error, after a coloured word.
pub(crate) fn label(paint: Paint, word: &str, message: &str) {
    match display::colours_err() {
        true => say(&format!("{}: {message}", paint.on(word))),
        false => say(&format!("{word}: {message}")),
    }
}

/// Prints a line on standard error. It is no error if standard error is closed, as with a closed terminal.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_words_are_cut() {
        assert_eq!(shortened("there is no `x`\n  here"), "there is no `x`\n  here");
        let long = shortened(&format!("no `{}` here", "x".repeat(10_000)));
        assert!(long.starts_with("no `xxx") && long.ends_with("xxx… (9002 more characters) here"), "{long}");
    }
}
