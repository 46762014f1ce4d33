//! The commands, one file each.

mod check;
mod completions;
mod events;
mod explore;
mod force;
mod init;
mod list;
mod man;
mod merge;
mod modeline;
mod mutants;
mod mutate;
mod output;
mod page;
mod record;
mod replay;
mod report;
mod show;
mod spec;
mod suggest;
mod write_tests;

use anyhow::Result;
use insyn_verdicts::protocol::Answer;

use crate::exit::{Ended, Exit};
use crate::options::Options;
use crate::programs::Program;

/// Runs a command.
pub(crate) fn run(options: &Options) -> Result<Exit> {
    match options {
        Options::Init(it) => init::run(it),
        Options::List(it) => list::run(it),
        Options::Explore(it) => explore::run(it),
        Options::Replay(it) => replay::run(it),
        Options::Check(it) => check::run(it),
        Options::Events(it) => events::run(it),
        Options::SpecNew(it) => spec::new(it),
        Options::SpecGraph(it) => spec::graph(it),
        Options::Force(it) => force::run(it),
        Options::Record(it) => record::run(it),
        Options::Mutants(it) => mutants::run(it),
        Options::Mutate(it) => mutate::run(it),
        Options::Merge(it) => merge::run(it),
        Options::Suggest(it) => suggest::run(it),
        Options::Report(it) => report::run(it),
        Options::Show(it) => show::run(it),
        Options::Completions(it) => completions::run(it),
        Options::Man(it) => man::run(it),
    }
}

/// Passes on the answer of a program; an error if the answer is that no result of the program would be meaningful.
fn meant(program: &Program, answer: Answer) -> Result<Answer> {
    match answer {
        Answer::Oversight { message } => {
            let message = format!("program `{}`: {message}", program.name);
            Err(Ended::new(Exit::ProgramFails, message).into())
        }
        answer => Ok(answer),
    }
}
