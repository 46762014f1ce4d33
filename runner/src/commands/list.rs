//! `cargo insyn list`.

use anyhow::Result;
use serde::Serialize;

use super::output::{json, print, table, text};
use crate::cli::{Format, List};
use crate::exit::Exit;
use crate::worker::Worker;
use crate::{build, programs};

#[derive(Serialize)]
struct Row {
    package: String,
    name: String,
    path: String,
    target: String,
    takes_input: bool,
}

pub(crate) fn run(args: &List) -> Result<Exit> {
    let built = build::build(&args.build)?;
    let programs = programs::choose(programs::find(&built)?, &[])?;
    let mut rows = Vec::new();
    for program in &programs {
        rows.push(Row {
            package: program.binary.package.clone(),
            name: program.name.clone(),
            path: program.path(),
            target: program.binary.target.clone(),
            takes_input: Worker::start(program)?.takes_input,
        });
    }
    match args.format {
        Format::Json => print(&json(&rows)?)?,
        Format::Text => {
            let mut table = table(&["package", "program", "in", "input"], &[], &[]);
            for row in &rows {
                let input = if row.takes_input { "yes" } else { "none" };
                table.add_row([&row.package, &row.name, &row.target, input]);
            }
            print(&text(&table))?;
        }
    }
    Ok(Exit::Fine)
}
