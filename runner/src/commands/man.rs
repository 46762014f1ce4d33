//! `cargo insyn man`.

use anyhow::Result;
use clap::Command;

use super::output::{print, write};
use crate::cli::{self, Man};
use crate::exit::Exit;

pub(crate) fn run(args: &Man) -> Result<Exit> {
    let mut whole = cli::command().disable_help_subcommand(true);
    // Gives each command its full name.
    whole.build();
    let Some(directory) = &args.out else {
        print(&page(&whole)?)?;
        return Ok(Exit::Fine);
    };
    let mut pages = 0;
    for command in std::iter::once(&whole).chain(whole.get_subcommands()) {
        let name = command.get_display_name().unwrap_or(command.get_name());
        write(&directory.join(format!("{name}.1")), &page(command)?)?;
        pages += 1;
    }
    print(&format!("{}: {pages} pages\n", directory.display()))?;
    Ok(Exit::Fine)
}

/// The manual page of a command.
fn page(command: &Command) -> Result<String> {
    let mut page = Vec::new();
    clap_mangen::Man::new(command.clone()).render(&mut page)?;
    Ok(String::from_utf8(page)?)
}
