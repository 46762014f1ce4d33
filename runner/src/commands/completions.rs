//! `cargo insyn completions`.

use anyhow::Result;
use clap::CommandFactory;

use super::output::print;
use crate::cli::{Cli, Completions};
use crate::exit::Exit;

pub(crate) fn run(args: &Completions) -> Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "cargo-insyn", &mut script);
    // For bash, clap_complete writes the hyphen of a binary's name in two ways, and options are not found.
    let script = String::from_utf8(script)?.replace("cargo__subcmd__insyn", "cargo__insyn");
    print(&script)?;
    Ok(Exit::Fine)
}
