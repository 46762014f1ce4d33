//! `cargo insyn`: finds the programs of a crate (functions under `#[insyn::test]`) and drives them.
//!
//! A command is made in steps that can be read in this order: [`cli`] is what can be asked; [`options`] is what that means,
//! with files read and values checked; [`build`] has cargo build the test binaries with instrumentation on; [`programs`] finds
//! the programs in them; [`worker`] runs such a binary and talks to it; [`campaign`] runs mutants; [`commands`] are what is
//! done with all that; [`exit`] is how it ends.

mod build;
mod campaign;
mod cli;
mod commands;
mod exit;
mod interrupt;
mod options;
mod programs;
mod signals;
mod worker;

use std::process::ExitCode;

use options::Options;

fn main() -> ExitCode {
    interrupt::listen();
    let ended = Options::resolve(cli::parse().command).and_then(|options| commands::run(&options));
    exit::end(ended)
}
