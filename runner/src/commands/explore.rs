//! `cargo insyn explore`.

mod page;

use std::mem;
use std::path::{Path, PathBuf};

use anyhow::Result;
use insyn_sequences::{harmless, report};
use insyn_specs::file;
use insyn_verdicts::protocol::{self, Answer, Explored, Failed, Request, Terminations};
use insyn_verdicts::saved::save_failures;
use serde::Serialize;

use super::output::{self, json, print, table, write};
use crate::cli::Format;
use crate::exit::{self, Ended, Exit};
use crate::options::Explore;
use crate::programs::Program;
use crate::progress::Progress;
use crate::worker::Worker;
use crate::{build, interrupt, programs};

/// The result of one program.
#[derive(Serialize)]
struct Row {
    package: String,
    name: String,
    input: Option<serde_json::Value>,
    sequences: u64,
    executions: u64,
    repeats: u64,
    inconsistent: u64,
    terminations: Terminations,
    /// Whether every sequence was run.
    complete: bool,
    /// The bound that ended the exploration early.
    #[serde(skip_serializing_if = "Option::is_none")]
    bound: Option<String>,
    /// Why the exploration was not finished; then the counts are those so far.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    failures: Vec<Failure>,
    /// Sequences that failed at places that are not listed.
    left_out: u64,
    /// Why the result is meaningless, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    oversight: Option<String>,
    /// Threads that had no event in any execution.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    idle_threads: Vec<String>,
    /// Under `#[should_panic]`: whether the program fails as it should.
    #[serde(skip_serializing_if = "Option::is_none")]
    as_expected: Option<bool>,
}

#[derive(Serialize)]
struct Failure {
    termination: String,
    message: String,
    occurrences: u64,
    /// Where the sequence was saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<PathBuf>,
    /// Why it could not be saved.
    #[serde(skip_serializing_if = "Option::is_none")]
    unsaved: Option<String>,
    #[serde(skip)]
    report: String,
}

pub(crate) fn run(args: &Explore) -> Result<Exit> {
    let request = Request::Explore(args.request.clone());
    args.out.as_deref().map_or(Ok(()), output::writable)?;
    let built = build::build(&args.build)?;
    let programs = programs::choose(programs::find(&built)?, &args.programs)?;
    let out = args.out.clone().unwrap_or_else(|| built.target_directory.join("insyn"));
    let mut rows = Vec::new();
    let mut exit = Exit::Fine;
    for program in &programs {
        let (row, ended) = explore(program, &request, &out, args.full)?;
        if ended == Exit::Refused && programs.len() == 1 {
            return Err(Ended::new(ended, row.error.unwrap_or_default()).into());
        }
        exit = exit.max(ended);
        rows.push(row);
        if interrupt::happened() {
            exit = Exit::Interrupted;
            break;
        }
    }
    let json = json(&rows)?;
    if let Some(directory) = &args.out {
        write(&directory.join("explore.json"), &json)?;
        write(&directory.join("explore.html"), &page::page(&rows))?;
    }
    if let Some(path) = &args.html {
        write(path, &page::page(&rows))?;
    }
    match args.format {
        Format::Json => print(&json)?,
        Format::Text => output::print_fitted(&text(&rows))?,
    }
    Ok(exit)
}

/// Explores one program. Returns its result and the exit code that follows from it.
fn explore(program: &Program, request: &Request, out: &Path, full: bool) -> Result<(Row, Exit)> {
    let progress = Progress::new("Exploring", &program.name);
    let mut so_far = Explored::default();
    let explored = Worker::start(program).and_then(|mut worker| {
        worker.ask_and_see(request, |mut found| {
            progress.show(format!("{} sequences in {} executions", found.sequences, found.executions));
            found.failures.splice(..0, mem::take(&mut so_far.failures));
            so_far = found;
        })
    });
    drop(progress);
    let mut row = Row {
        package: program.binary.package.clone(),
        name: program.name.clone(),
        input: None,
        sequences: 0,
        executions: 0,
        repeats: 0,
        inconsistent: 0,
        terminations: Terminations::default(),
        complete: false,
        bound: None,
        error: None,
        failures: Vec::new(),
        left_out: 0,
        oversight: None,
        idle_threads: Vec::new(),
        as_expected: None,
    };
    match explored {
        Ok(Answer::Explored(explored)) => {
            let failed = explored.as_expected.map_or(explored.wrong().is_some(), |as_expected| !as_expected);
            row.fill(program, explored, out, full);
            Ok((row, if failed { Exit::ProgramFails } else { Exit::Fine }))
        }
        Ok(other) => {
            row.error = Some(format!("the program answered something else: {other:?}"));
            Ok((row, Exit::WorkerDied))
        }
        Err(error) => {
            let ended = exit::of(&error);
            if ended != Exit::Refused {
                row.fill(program, so_far, out, full);
            }
            row.error = Some(format!("{error:#}"));
            Ok((row, ended))
        }
    }
}

impl Row {
    fn fill(&mut self, program: &Program, explored: Explored, out: &Path, full: bool) {
        self.input = explored.input;
        self.sequences = explored.sequences;
        self.executions = explored.executions;
        self.repeats = explored.repeats;
        self.inconsistent = explored.inconsistent;
        self.terminations = explored.terminations;
        self.complete = explored.complete;
        self.bound = explored.bound;
        self.left_out = explored.left_out;
        self.oversight = explored.oversight;
        self.idle_threads = explored.idle_threads;
        self.as_expected = explored.as_expected;
        let files = explored.failures.iter().map(|failed| failed.file.as_str());
        let saved = save_failures(out, &self.package, &program.path(), files);
        let style = output::report_style(full);
        for (failed, (path, saved)) in explored.failures.into_iter().zip(saved) {
            let mut report = file::set(&failed, &style);
            if saved.is_ok() {
                report.push_str(&report::next(&output::near(&path), &style));
            }
            let Failed { termination, message, occurrences, .. } = failed;
            let unsaved = saved.err().map(|error| format!("{} cannot be written: {error}", path.display()));
            let file = unsaved.is_none().then_some(path);
            let termination = termination.to_string();
            self.failures.push(Failure { termination, message, occurrences, file, unsaved, report });
        }
    }

    /// How its sequences ended, in words.
    fn endings(&self) -> String {
        if let Some(error) = &self.error {
            return error.lines().next().unwrap_or_default().to_owned();
        }
        let t = &self.terminations;
        let counts = [
            (t.normal, "normal"),
            (t.deadlock, "deadlock"),
            (t.panic, "panic"),
            (t.bound, "bound"),
            (t.stack_overflow, "stack overflow"),
            (t.foreign_object, "foreign object"),
            (t.nondeterminism, "not under control"),
        ];
        let some = counts.iter().filter(|(count, _)| *count > 0);
        let mut words: Vec<String> = some.map(|(count, word)| format!("{count} {word}")).collect();
        words.extend(self.bound.clone());
        words.extend((self.as_expected == Some(true)).then(|| "as #[should_panic] expects".to_owned()));
        // What to do about it is printed below the table.
        words.extend(self.oversight.as_deref().and_then(|it| it.split(':').next()).map(str::to_owned));
        words.join(", ")
    }
}

fn text(rows: &[Row]) -> String {
    // If there is only one package, lines do not name it.
    let is_one = rows.windows(2).all(|pair| pair[0].package == pair[1].package);
    let mut table = match is_one {
        true => table(&["program", "input", "sequences", "executions", "ended"], &[2, 3], &[1, 4]),
        false => {
            table(&["package", "program", "input", "sequences", "executions", "ended"], &[3, 4], &[2, 5])
        }
    };
    for row in rows {
        let cells = [
            row.package.clone(),
            row.name.clone(),
            row.input.as_ref().map_or_else(|| "-".to_owned(), brief),
            row.sequences.to_string(),
            row.executions.to_string(),
            row.endings(),
        ];
        table.add_row(cells.into_iter().skip(usize::from(is_one)));
    }
    let mut text = String::new();
    if let (true, Some(row)) = (is_one, rows.first()) {
        text.push_str(&format!("package {}\n", row.package));
    }
    text.push_str(&output::text(&table));
    for row in rows {
        if let Some(error) = &row.error {
            text.push_str(&format!("\n{} {}: {error}\n", row.package, row.name));
        }
        if row.as_expected == Some(true) {
            continue;
        }
        if row.as_expected == Some(false) {
            let what = match row.failures.is_empty() {
                true => "every interleaving passes, but `#[should_panic]` expects a failure",
                false => "the failure is not the one that `#[should_panic(expected = ..)]` names",
            };
            text.push_str(&format!("\n{} {}: {what}\n", row.package, row.name));
        }
        for failure in &row.failures {
            text.push_str(&format!("\n{} {}:\n{}", row.package, row.name, failure.report));
            if let Some(unsaved) = &failure.unsaved {
                text.push_str(&format!("it could not be saved: {unsaved}\n"));
            }
        }
        let not_shown = protocol::not_shown(row.left_out);
        let idle = protocol::idle_sentence(&row.idle_threads);
        for sentence in not_shown.iter().chain(&row.oversight).chain(&idle) {
            text.push_str(&format!("\n{} {}: {sentence}\n", row.package, row.name));
        }
    }
    text
}

/// An input on one line, without the quotes of JSON.
fn brief(input: &serde_json::Value) -> String {
    match input {
        serde_json::Value::Object(fields) => {
            let fields: Vec<String> =
                fields.iter().map(|(name, value)| format!("{name}: {}", brief(value))).collect();
            format!("{{{}}}", fields.join(", "))
        }
        other => harmless::line(&other.to_string()),
    }
}
