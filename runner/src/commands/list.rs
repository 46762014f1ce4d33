//! `cargo insyn list`.

use anyhow::Result;
use serde::Serialize;

use super::output::{for_terminal, json, print, table, text};
use crate::cli::{Format, List};
use crate::exit::{self, Exit};
use crate::worker::Worker;
use crate::{build, programs};

#[derive(Serialize)]
struct Row {
    package: String,
    name: String,
    path: String,
    target: String,
    /// None if the program cannot be started.
    takes_input: Option<bool>,
    /// Why it cannot be started.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

pub(crate) fn run(args: &List) -> Result<Exit> {
    let built = build::build(&args.build)?;
    let programs = programs::choose(programs::find(&built)?, &[])?;
    let mut rows = Vec::new();
    let mut exit = Exit::Fine;
    for program in &programs {
        let started = Worker::start(program);
        if let Err(error) = &started {
            exit = exit.max(exit::of(error));
        }
        rows.push(Row {
            package: program.binary.package.clone(),
            name: program.name.clone(),
            path: program.path(),
            target: program.binary.target.clone(),
            takes_input: started.as_ref().ok().map(|worker| worker.takes_input),
            error: started.err().map(|error| format!("{error:#}")),
        });
    }
    match args.format {
        Format::Json => print(&json(&rows)?)?,
        Format::Text => {
            let mut table = table(&["package", "program", "in", "input"], &[], &[]);
            for row in &rows {
                let input = match row.takes_input {
                    Some(true) => "yes",
                    Some(false) => "none",
                    None => "cannot be started",
                };
                table.add_row([&row.package, &row.name, &row.target, input]);
            }
            let mut text = text(&table);
            for row in &rows {
                if let Some(error) = &row.error {
                    text.push_str(&for_terminal(&format!("\n{} {}: {error}\n", row.package, row.name)));
                }
            }
            print(&text)?;
        }
    }
    Ok(exit)
}
