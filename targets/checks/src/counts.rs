//! Compares the counts of programs with those in `expected.yaml`.
//!
//! Each row is an exploration with the row's input, just as `cargo insyn explore` does it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use insyn_verdicts::protocol::{Answer, Explore, Explored, Request};
use serde::Deserialize;

use crate::golden::golden;
use crate::worker::{ask, programs};

/// A row of `expected.yaml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    program: String,
    /// Left out: what the program has when nobody gives one.
    input: Option<serde_json::Value>,
    sequences: u64,
    /// How many of them end in a deadlock.
    #[serde(default)]
    deadlocks: u64,
    /// How many of them end in a panic.
    #[serde(default)]
    panics: u64,
}

/// Explores every program of the running test binary as `expected.yaml` in the directory `root` says.
///
/// # Panics
/// If a count is another, the README tells another, a program is not in the file, or what came of them is not what is
/// committed in `reports/golden`.
pub fn counts(root: &str) {
    let path = Path::new(root).join("expected.yaml");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let rows: Vec<Row> =
        insyn::specs::input::read(&text).unwrap_or_else(|error| panic!("{}{error}", path.display()));
    let expected: BTreeSet<String> = rows.iter().map(|row| row.program.clone()).collect();
    assert_eq!(expected, programs(), "left: programs in {}, right: programs there are", path.display());
    let found: Vec<Explored> =
        rows.iter().map(|row| explore(row).unwrap_or_else(|why| panic!("{}: {why}", row.program))).collect();
    let wrong: Vec<String> = rows.iter().zip(&found).filter_map(|(row, it)| difference(row, it)).collect();
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
    let readme = fs::read_to_string(Path::new(root).join("README.md")).expect("a target has a README");
    for row in &rows {
        let (program, count) = (format!("| `{}` |", row.program), format!("| {} |", row.sequences));
        let told = readme.lines().any(|line| line.starts_with(&program) && line.contains(&count));
        assert!(told, "the README must tell that `{}` has {} sequences", row.program, row.sequences);
    }
    let told: String = rows.iter().zip(&found).map(|(row, it)| line(row, it)).collect();
    golden(root, "explore.txt", &told);
}

/// What came of an exploration, on a line.
fn line(row: &Row, found: &Explored) -> String {
    let input = row.input.as_ref().map(|input| format!(" {input}")).unwrap_or_default();
    let Explored { sequences, executions, repeats, inconsistent, terminations: ended, .. } = found;
    let ends = [(ended.normal, "normal"), (ended.deadlock, "deadlock"), (ended.panic, "panic")];
    let ends: Vec<String> =
        ends.iter().filter(|(count, _)| *count > 0).map(|(count, word)| format!("{count} {word}")).collect();
    let program = &row.program;
    format!(
        "{program}{input}: {sequences} sequences in {executions} executions, {repeats} repeats, {inconsistent} inconsistent: {}\n",
        ends.join(", ")
    )
}

/// What is not as a row says.
fn difference(row: &Row, found: &Explored) -> Option<String> {
    let ended = &found.terminations;
    let counts = (found.sequences, ended.deadlock, ended.panic, found.sequences - ended.normal);
    let expected = (row.sequences, row.deadlocks, row.panics, row.deadlocks + row.panics);
    if counts == expected && found.complete {
        return None;
    }
    let input = row.input.as_ref().map(ToString::to_string).unwrap_or_default();
    Some(format!(
        "{} {input}: {} sequences expected, {} deadlocks, {} panics; found {}, {ended:?}{}",
        row.program,
        row.sequences,
        row.deadlocks,
        row.panics,
        found.sequences,
        if found.complete { "" } else { ", not all" },
    ))
}

fn explore(row: &Row) -> Result<Explored, String> {
    let input = row.input.as_ref().map(ToString::to_string);
    match ask(&row.program, &Request::Explore(Explore { input, ..Explore::default() }))? {
        Answer::Explored(explored) => Ok(explored),
        other => Err(format!("it answered {other:?}")),
    }
}
