//! `cargo insyn`: finds the programs of a crate (functions under `#[insyn::test]`) and drives them.
//!
//! A command is made in steps that can be read in this order: [`cli`] has the arguments; [`options`] is what they mean, with
//! files read and values checked; [`build`] has cargo build the test binaries with instrumentation on; [`programs`] finds
//! the programs in them; [`worker`] runs such a binary and sends it requests; [`campaign`] runs mutants; [`commands`] are
//! built from all that; [`exit`] is how it ends.

mod build;
mod campaign;
mod cli;
mod commands;
mod disturbance;
mod exit;
mod file;
mod interrupt;
mod options;
mod programs;
mod system;
mod worker;

use std::process::ExitCode;

use options::Options;

/// So that tests can ask how much memory reading a file takes.
#[cfg(test)]
#[global_allocator]
static ALLOCATOR: insyn_generator::Counting = insyn_generator::Counting;

fn main() -> ExitCode {
    interrupt::listen();
    match cli::parse() {
        Ok(cli) => {
            let ended = Options::resolve(cli.command).and_then(|options| commands::run(&options));
            exit::end(ended, interrupt::happened())
        }
        Err(exit) => exit.into(),
    }
}
