//! `cargo insyn force`.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use insyn_verdicts::protocol::{Answer, Request, Tested};
use serde::Serialize;

use super::meant;
use super::output::{json, painted, print, print_fitted};
use crate::cli::Format;
use crate::exit::Exit;
use crate::options::Force;
use crate::worker::Worker;
use crate::{build, programs};

#[derive(Serialize)]
struct Row {
    package: String,
    name: String,
    tests: Vec<Tested>,
    warnings: Vec<String>,
}

pub(crate) fn run(args: &Force) -> Result<Exit> {
    let built = build::build(&args.build)?;
    let program = programs::choose_one(programs::find(&built)?, &args.program)?;
    let request = Request::Force(args.request.clone());
    let answer = meant(&program, Worker::start(&program)?.ask(&request, |_, _| {})?)?;
    let Answer::Forced(forced) = answer else { bail!("the program answered something else") };
    let exit = if forced.tests.iter().all(|test| test.passed) { Exit::Fine } else { Exit::ProgramFails };
    let row = Row {
        package: program.binary.package.clone(),
        name: program.name.clone(),
        tests: forced.tests,
        warnings: forced.warnings,
    };
    match args.format {
        Format::Json => print(&json(&[row])?)?,
        Format::Text => print_fitted(&text(&row)?)?,
    }
    Ok(exit)
}

fn text(row: &Row) -> Result<String> {
    let passed = row.tests.iter().filter(|test| test.passed).count();
    let mut text = format!("{} {}: {passed} of {} tests pass\n", row.package, row.name, row.tests.len());
    for test in &row.tests {
        text.push_str(&painted(&test.to_string()));
    }
    for warning in &row.warnings {
        writeln!(text, "warning: {warning}")?;
    }
    Ok(text)
}
