//! `cargo insyn completions`.

use anyhow::Result;
use clap::CommandFactory;

use super::output::print;
use crate::cli::{Cli, Completions};
use crate::exit::Exit;

pub(crate) fn run(args: &Completions) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cargo-insyn", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(Exit::Fine)
}
