//! What can be done, one file for each command.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod explore;
mod files;
pub(crate) mod force;
mod in_diff;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod mutants;
pub(crate) mod mutate;
mod output;
mod progress;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod show;
pub(crate) mod suggest;
mod write_tests;

use anyhow::Result;
use insyn_verdicts::protocol::Answer;

use crate::exit::{Ended, Exit};
use crate::programs::Program;

/// The answer of a program, unless it is that nothing which is said of the program means anything: then the program fails.
fn meant(program: &Program, answer: Answer) -> Result<Answer> {
    match answer {
        Answer::Oversight { message } => {
            let message = format!("program `{}`: {message}", program.name);
            Err(Ended::new(Exit::ProgramFails, message).into())
        }
        answer => Ok(answer),
    }
}
