//! `cargo insyn check`.

mod page;

use std::path::Path;

use anyhow::{Result, bail};
use insyn_sequences::report::{self, Style};
use insyn_specs::file;
use insyn_verdicts::protocol::{Answer, Checked, Comparison, Request};
use insyn_verdicts::saved::save_failures;
use serde::Serialize;

use super::output::{json, near, painted, print, print_fitted, report_style, writable, write};
use crate::cli::Format;
use crate::exit::{self, Ended, Exit};
use crate::options::Check;
use crate::programs::Program;
use crate::progress::Progress;
use crate::worker::Worker;
use crate::{build, interrupt, programs};

/// The result of one program. Without a specification there are no counts; with one, only the counts that its conformance
/// requires.
#[derive(Serialize)]
struct Row {
    package: String,
    name: String,
    feasible_valid: Option<u64>,
    feasible_invalid: Option<u64>,
    infeasible_valid: Option<u64>,
    infeasible_invalid: Option<u64>,
    /// Why it could not be checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    #[serde(flatten)]
    checked: Checked,
    /// How to replay its failures.
    #[serde(skip)]
    again: String,
}

pub(crate) fn run(args: &Check) -> Result<Exit> {
    let request = Request::Check(args.request.clone());
    args.out.as_deref().map_or(Ok(()), writable)?;
    let built = build::build(&args.build)?;
    let all = programs::find(&built)?;
    let names = &args.programs;
    let programs = programs::choose(all, names)?;
    if args.has_files && names.is_empty() && programs.len() > 1 {
        let message = "the files name no program; name one: `cargo insyn check PROGRAM ..`";
        return Err(Ended::new(Exit::Refused, message).into());
    }
    let out = args.out.clone().unwrap_or_else(|| built.target_directory.join("insyn"));
    let mut rows = Vec::new();
    let mut exit = Exit::Fine;
    for program in &programs {
        match check(program, &request, names.is_empty() && !args.has_files) {
            Ok(None) => continue,
            Ok(Some(mut checked)) => {
                let passed = checked.as_expected.unwrap_or(checked.passed);
                exit = exit.max(if passed { Exit::Fine } else { Exit::ProgramFails });
                let again = save(program, &mut checked, &out, &report_style(args.full));
                rows.push(Row { again, ..Row::new(program, checked, None) });
            }
            Err(error) if programs.len() == 1 => return Err(error),
            Err(error) => {
                exit = exit.max(exit::of(&error));
                rows.push(Row::new(program, Checked::default(), Some(format!("{error:#}"))));
            }
        }
        if interrupt::happened() {
            exit = Exit::Interrupted;
            break;
        }
    }
    if rows.is_empty() && exit == Exit::Fine {
        let message = "no program here has a specification or tests; name some with `#[insyn::test(spec = \"..\")]` or \
                       `tests = \"..\"`, or name a program and give `--spec` or `--tests`";
        return Err(Ended::new(Exit::Refused, message).into());
    }
    let json = json(&rows)?;
    if let Some(directory) = &args.out {
        write(&directory.join("check.json"), &json)?;
        write(&directory.join("check.html"), &page::page(&rows))?;
    }
    if let Some(path) = &args.html {
        write(path, &page::page(&rows))?;
    }
    match args.format {
        Format::Json => print(&json)?,
        Format::Text => print_fitted(&rows.iter().map(Row::text).collect::<Vec<_>>().join("\n"))?,
    }
    Ok(exit)
}

/// Checks one program; none if it has neither a specification nor tests, and that is allowed.
fn check(program: &Program, request: &Request, may_have_none: bool) -> Result<Option<Checked>> {
    let progress = Progress::new("Checking", &program.name);
    let mut worker = Worker::start(program)?;
    if may_have_none && !worker.has_oracle {
        return Ok(None);
    }
    let answer = worker.ask(request, |sequences, executions| {
        progress.show(format!("{sequences} sequences in {executions} executions"));
    });
    drop(progress);
    match answer? {
        Answer::Checked(checked) => Ok(Some(*checked)),
        other => bail!("the program answered something else: {other:?}"),
    }
}

/// Saves the failing sequences and replaces them by the paths of their files. How to replay a failure follows its text; that
/// of other sequences is returned. A sequence that cannot be saved stays in place, and the text says so.
fn save(program: &Program, checked: &mut Checked, out: &Path, style: &Style) -> String {
    for failed in &mut checked.failures {
        failed.report = file::set(failed, style);
    }
    let texts: Vec<String> = checked.files().map(|(_, file)| file.clone()).collect();
    let texts = texts.iter().map(String::as_str);
    let saved = save_failures(out, &program.binary.package, &program.path(), texts);
    let mut next = Vec::new();
    for ((what, file), (path, saved)) in checked.files().zip(saved) {
        let text = match saved {
            Ok(()) => {
                *file = path.display().to_string();
                report::next(&near(&path), style)
            }
            Err(error) => format!("could not be saved: {} cannot be written: {error}\n", path.display()),
        };
        next.push((what, text));
    }
    let mut next = next.into_iter();
    for (failed, (_, next)) in checked.failures.iter_mut().zip(&mut next) {
        failed.report.push_str(&next);
    }
    next.map(|(what, next)| format!("\n{what}\n{next}")).collect()
}

impl Row {
    fn new(program: &Program, checked: Checked, error: Option<String>) -> Row {
        let count = |of: fn(&Comparison) -> Option<u64>| checked.comparison.as_ref().and_then(of);
        Row {
            package: program.binary.package.clone(),
            name: program.name.clone(),
            feasible_valid: count(|it| Some(it.feasible_valid)),
            feasible_invalid: count(|it| Some(it.feasible_invalid)),
            infeasible_valid: count(|it| it.infeasible_valid),
            infeasible_invalid: count(|it| Some(it.infeasible_invalid)),
            error,
            checked,
            again: String::new(),
        }
    }

    fn text(&self) -> String {
        let Row { package, name, error, checked, again, .. } = self;
        match error {
            Some(error) => format!("{package} {name}: {error}\n"),
            None => {
                let expected = match checked.as_expected {
                    None => "",
                    Some(true) => "\nthis failure is the one that `#[should_panic]` expects\n",
                    Some(false) if checked.passed => {
                        "\nnothing fails, but `#[should_panic]` expects a failure\n"
                    }
                    Some(false) => {
                        "\nthis failure is not the one that `#[should_panic(expected = ..)]` names\n"
                    }
                };
                format!("{package} {name}: {}{again}{expected}", painted(&checked.to_string()))
            }
        }
    }
}
