//! `docs/crossbeam-tests.md`: the tests of crossbeam's channels, explored.
//!
//! Nothing of them is kept here. The files are found where cargo has them, each becomes a module under
//! `#[insyn::instrument]`, and every behaviour of each test is run. [`changes`] says what is replaced in them, [`reasons`] why
//! a test is no test of all its behaviours.

mod changes;
mod reasons;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use crate::subject::{self, Module, Program, Subject, Verdict};
use changes::{CONSTANTS, EVERYWHERE, IN_FILE, IN_TEST, SUPPORT};
use reasons::{ENDLESS, SKIPPED, Why};

const HEAD: &str = "\
# The tests of crossbeam's channels, explored

All tests of `crossbeam_channel` {version}, each run in **every** behaviour that it has, with `#[insyn::instrument]`. A test
passes if it holds in all of them. A test is skipped if it decides

- by real time: it sleeps so that another thread comes first, or counts on a time-out that is long enough;
- by chance: it counts how often each of several arms was taken;
- by a loop, or so many threads, that not all behaviours can be run.

Tests that decide by time or chance are run all the same, and have to fail in some behaviours; the row says in how many.

Numbers are smaller where the row says so. (The tests of fairness then ask for no hits at all: what they show is that nothing
else goes wrong.) Scoped threads are those of `std` instead of `crossbeam_utils`, random numbers are fixed, the macros of
`golang.rs` and `mpsc.rs` name the replacements, a panic of a goroutine does not abort, and allocations are not counted. There
is no other change.

Made by `INSYN_BLESS=1 cargo test -p insyn --test sources crossbeam_tests -- --ignored`.

";

/// The files, and whether their tests are run with all others at every commit.
const FILES: [(&str, bool); 14] = [
    ("after", false),
    ("array", false),
    ("golang", false),
    ("iter", true),
    ("list", false),
    ("mpsc", false),
    ("never", true),
    ("ready", true),
    ("same_channel", true),
    ("select", false),
    ("select_macro", false),
    ("thread_locals", true),
    ("tick", false),
    ("zero", false),
];

#[test]
#[ignore = "explores some hundred tests: run with --run-ignored"]
fn all_hold_in_every_behaviour() {
    let (sections, version) = sections("crossbeam-tests", 1, |_| true);
    let count =
        |of: fn(&Row) -> bool| sections.iter().flat_map(|(_, rows)| rows).filter(|row| of(row)).count();
    let (passed, skipped, failed) = (count(Row::passes), count(Row::is_skipped), count(Row::fails));
    let mut text = HEAD.replace("{version}", &version);
    _ = writeln!(text, "{passed} pass, {skipped} are skipped, {failed} fail.");
    for (file, rows) in &sections {
        text.push_str(&section(file, rows));
    }
    subject::same_document("crossbeam-tests.md", &text);
    let fails: Vec<&Row> = sections.iter().flat_map(|(_, rows)| rows).filter(|row| row.fails()).collect();
    assert!(fails.is_empty(), "{fails:#?}");
}

/// A tenth of them.
#[test]
fn some_hold_in_every_behaviour() {
    let document = fs::read_to_string(subject::document("crossbeam-tests.md")).expect("it is there");
    for (file, rows) in sections("some-crossbeam-tests", 0, |name| FILES.contains(&(name, true))).0 {
        let section = section(file, &rows);
        assert!(document.contains(&section), "docs/crossbeam-tests.md says something else than\n{section}");
    }
}

/// The result of a test.
#[derive(Debug)]
enum Row {
    Passes { name: String, sequences: u64, note: String },
    Skipped { name: String, why: &'static Why, failing: Option<(u64, u64)> },
    Fails { name: String, how: String },
}

impl Row {
    fn passes(&self) -> bool {
        matches!(self, Row::Passes { .. })
    }

    fn is_skipped(&self) -> bool {
        matches!(self, Row::Skipped { .. })
    }

    fn fails(&self) -> bool {
        matches!(self, Row::Fails { .. })
    }
}

/// The part of the document that is about one file.
fn section(file: &str, rows: &[Row]) -> String {
    let mut text = format!("\n## `{file}.rs`\n\n| test | sequences | |\n|---|--:|---|\n");
    for row in rows {
        _ = match row {
            Row::Passes { name, sequences, note } => {
                writeln!(text, "| `{name}` | {sequences} | passes{note} |")
            }
            Row::Skipped { name, why, failing: Some((failing, sequences)) } => {
                writeln!(text, "| `{name}` | {sequences} | skipped: {why}; fails in {failing} |")
            }
            Row::Skipped { name, why, failing: None } => writeln!(text, "| `{name}` | | skipped: {why} |"),
            Row::Fails { name, how } => writeln!(text, "| `{name}` | | **fails**: {how} |"),
        };
    }
    text
}

/// Explores the tests of some files; the rows of each file, and the version of the crate.
fn sections(
    package: &'static str,
    opt_level: u8,
    wanted: impl Fn(&str) -> bool,
) -> (Vec<(&'static str, Vec<Row>)>, String) {
    let (directory, version) = subject::crossbeam();
    let files: Vec<&'static str> = FILES.iter().map(|(name, _)| *name).filter(|name| wanted(name)).collect();
    let (modules, tests): (Vec<Module>, Vec<Vec<String>>) =
        files.iter().map(|file| module(&directory, file)).unzip();
    // The edition is that of the crate.
    let subject = Subject { name: package, edition: "2021", opt_level, support: SUPPORT };
    let verdicts = subject::explore(&subject, &modules);
    let rows = tests.iter().map(|names| rows(names, &verdicts));
    (files.into_iter().zip(rows).collect(), version)
}

fn rows(tests: &[String], verdicts: &BTreeMap<String, Verdict>) -> Vec<Row> {
    let rows = tests.iter().map(|name| {
        let name = name.clone();
        let why = SKIPPED.iter().find(|(test, _)| *test == name).map(|(_, why)| why);
        match (verdicts.get(&name), why) {
            (None, Some(why)) => Row::Skipped { name, why, failing: None },
            (None, None) => Row::Fails { name, how: "it was not run".to_owned() },
            (Some(Verdict::Refused { message }), _) => panic!("{name} does not compile: {message}"),
            (Some(Verdict::Holds { sequences }), None) => {
                let note = changed(&name);
                Row::Passes { name, sequences: *sequences, note }
            }
            (Some(Verdict::Endless { sequences: 0 }), None) => {
                Row::Fails { name, how: "no behaviour ends".to_owned() }
            }
            (Some(Verdict::Endless { sequences }), None) => {
                let steps = ENDLESS.iter().find(|(test, _)| *test == name).map_or(0, |(_, steps)| *steps);
                let note = format!(" where it ends within {steps} steps{}", changed(&name));
                Row::Passes { name, sequences: *sequences, note }
            }
            (Some(Verdict::Holds { .. } | Verdict::Endless { .. }), Some(_)) => {
                Row::Fails { name, how: "there is a reason to skip it, and it passes".to_owned() }
            }
            (Some(Verdict::Fails { sequences, failing, .. }), Some(why)) => {
                Row::Skipped { name, why, failing: Some((*failing, *sequences)) }
            }
            (Some(Verdict::Fails { sequences, failing, how }), None) => {
                Row::Fails { name, how: format!("{failing} of {sequences}: {how}") }
            }
        }
    });
    rows.collect()
}

/// A file of tests as a module that can be explored, and the names of all of them.
fn module(directory: &Path, file: &str) -> (Module, Vec<String>) {
    let path = directory.join("tests").join(format!("{file}.rs"));
    let mut text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for (from, to) in EVERYWHERE {
        text = text.replace(from, to);
    }
    for (_, from, to) in IN_FILE.iter().filter(|(of, ..)| *of == file) {
        assert!(text.contains(from), "there is no `{from}` in {file}.rs");
        text = text.replace(from, to);
    }
    let mut changes = Changes::of(file);
    let mut code = String::new();
    let mut programs: Vec<Program> = Vec::new();
    // The module and the test that the lines are in; whether a test comes next, and whether it has to panic.
    let (mut inside, mut test) = (String::new(), String::new());
    let (mut is_test, mut should_panic) = (false, false);
    // The files are formatted, so lines say all that matters.
    for line in text.lines() {
        let trimmed = line.trim_start();
        let mut line = line.to_owned();
        if let Some(name) = line.strip_prefix("mod ").and_then(|rest| rest.strip_suffix(" {")) {
            inside = format!("{name}::");
            test.clear();
            line = format!("pub {line}");
        } else if trimmed == "#[test]" {
            is_test = true;
            continue;
        } else if is_test && trimmed.starts_with("#[should_panic") {
            should_panic = true;
            continue;
        } else if is_test && let Some(rest) = trimmed.strip_prefix("fn ") {
            let name = rest.split('(').next().unwrap_or_default();
            let function = format!("{inside}{name}");
            test = format!("{file}::{function}");
            line = format!("pub {trimmed}");
            let endless = ENDLESS.iter().find(|(name, _)| *name == test).map(|(_, steps)| *steps);
            programs.push(Program { name: test.clone(), function, should_panic, endless });
            (is_test, should_panic) = (false, false);
        } else {
            line = changes.apply(line, [test.as_str(), format!("{file}::{inside}").trim_end_matches("::")]);
        }
        if line == "}" {
            inside.clear();
        }
        code.push_str(&line);
        code.push('\n');
    }
    changes.finish();
    let names = programs.iter().map(|program| program.name.clone()).collect();
    programs.retain(|program| !SKIPPED.iter().any(|(test, why)| *test == program.name && why.is_not_run()));
    (Module { code, programs }, names)
}

/// The changes of one file, and whether each was needed.
struct Changes {
    constants: Vec<(&'static str, &'static str, u32, bool)>,
    texts: Vec<(&'static str, &'static str, &'static str, bool)>,
}

impl Changes {
    fn of(file: &str) -> Changes {
        let is_here = |scope: &str| scope.split("::").next() == Some(file);
        let constants = CONSTANTS.iter().filter(|it| is_here(it.0)).map(|&(a, b, c)| (a, b, c, false));
        let texts = IN_TEST.iter().filter(|it| is_here(it.0)).map(|&(a, b, c)| (a, b, c, false));
        Changes { constants: constants.collect(), texts: texts.collect() }
    }

    /// Changes a line of a test or a module.
    fn apply(&mut self, mut line: String, scopes: [&str; 2]) -> String {
        for (scope, name, value, is_used) in &mut self.constants {
            let Some((start, rest)) = line.split_once(&format!("const {name}: ")) else { continue };
            if let Some((of, _)) = rest.split_once(" = ")
                && scopes.contains(scope)
            {
                line = format!("{start}const {name}: {of} = {value};");
                *is_used = true;
            }
        }
        for (scope, from, to, is_used) in &mut self.texts {
            if scopes.contains(scope) && line.contains(*from) {
                line = line.replace(*from, to);
                *is_used = true;
            }
        }
        line
    }

    /// Every listed change was needed.
    fn finish(self) {
        let constants = self.constants.iter().filter(|it| !it.3).map(|it| (it.0, it.1));
        let texts = self.texts.iter().filter(|it| !it.3).map(|it| (it.0, it.1));
        let unused: Vec<_> = constants.chain(texts).collect();
        assert!(unused.is_empty(), "nothing to change by {unused:?}");
    }
}

/// The changes of a test, in words.
fn changed(test: &str) -> String {
    let module = test.rsplit_once("::").map_or(test, |(module, _)| module);
    let mut note = String::new();
    for (_, name, value) in CONSTANTS.iter().filter(|it| [test, module].contains(&it.0)) {
        _ = write!(note, ", with `{name} = {value}`");
    }
    for (_, from, to) in IN_TEST.iter().filter(|it| it.0 == test) {
        _ = write!(note, ", with `{to}` in place of `{from}`");
    }
    note
}
