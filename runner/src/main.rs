//! `cargo insyn`: finds the programs of a crate (functions under `#[insyn::test]`) and drives them.
//!
//! A command is made in steps that can be read in this order: [`cli`] is what can be asked; [`build`] has cargo build the
//! test binaries with instrumentation on; [`programs`] finds the programs in them; [`worker`] runs such a binary and talks
//! to it; [`campaign`] runs mutants; [`commands`] are what is done with all that; [`exit`] is how it ends.

mod build;
mod campaign;
mod cli;
mod commands;
mod exit;
mod interrupt;
mod programs;
mod signals;
mod worker;

use std::process::ExitCode;

fn main() -> ExitCode {
    interrupt::listen();
    let cli = cli::parse();
    let ended = match cli.command {
        cli::Command::Init(args) => commands::init::run(&args),
        cli::Command::List(args) => commands::list::run(&args),
        cli::Command::Explore(args) => commands::explore::run(&args),
        cli::Command::Replay(args) => commands::replay::run(&args),
        cli::Command::Check(args) => commands::check::run(&args),
        cli::Command::Force(args) => commands::force::run(&args),
        cli::Command::Record(args) => commands::record::run(&args),
        cli::Command::Mutants(args) => commands::mutants::run(&args),
        cli::Command::Mutate(args) => commands::mutate::run(&args),
        cli::Command::Merge(args) => commands::merge::run(&args),
        cli::Command::Suggest(args) => commands::suggest::run(&args),
        cli::Command::Report(args) => commands::report::run(&args),
        cli::Command::Show(args) => commands::show::run(&args),
        cli::Command::Completions(args) => commands::completions::run(&args),
        cli::Command::Man(args) => commands::man::run(&args),
    };
    exit::end(ended)
}
