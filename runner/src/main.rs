//! `cargo insyn`: finds the programs of a crate (functions under `#[insyn::test]`) and drives them.
//!
//! The modules, in the order in which to read them: [`cli`] defines the arguments; [`config`] completes them with settings from
//! the environment and from files; [`options`] resolves them, with files read and values checked; [`build`] lets cargo build the test binaries with instrumentation on; [`programs`] finds the
//! programs in them; [`worker`] runs such a binary and sends it requests; [`campaign`] runs mutants; [`commands`] combine
//! all of these; [`exit`] decides the exit code.

mod build;
mod campaign;
mod cli;
mod commands;
mod config;
mod display;
mod disturbance;
mod exit;
mod file;
mod interrupt;
mod options;
mod programs;
mod progress;
mod system;
mod worker;

use std::process::ExitCode;

use options::Options;

/// Lets tests measure how much memory reading a file takes.
#[cfg(test)]
#[global_allocator]
static ALLOCATOR: insyn_generator::Counting = insyn_generator::Counting;

fn main() -> ExitCode {
    interrupt::listen();
    match cli::parse() {
        Ok(cli) => {
            display::set(cli.display);
            let ended = Options::resolve(cli.command).and_then(|options| commands::run(&options));
            exit::end(ended, interrupt::happened())
        }
        Err(exit) => exit.into(),
    }
}
