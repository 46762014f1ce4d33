//! `cargo insyn completions`.

use anyhow::Result;
use clap::CommandFactory;

use super::output::print;
use crate::cli::{Cli, Completions};
use crate::exit::Exit;

pub(crate) fn run(args: &Completions) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cargo-insyn", &mut script);
    // For bash, clap_complete spells the hyphen in a binary's name in two different ways, so that options are not found.
    let script = String::from_utf8(script)?.replace("cargo__subcmd__insyn", "cargo__insyn");
    print(&script)?;
    Ok(Exit::Fine)
}
