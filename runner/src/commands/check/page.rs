//! The results of `cargo insyn check` as an HTML page.

use std::path::Path;

use insyn_reports::page::{Case, Outcome, Page, TestLine, render};
use insyn_verdicts::protocol::{self, Checked, Comparison, Witness};

use super::Row;
use crate::commands::page::{packages, plain, replay, saved};

/// The page of some programs.
pub(super) fn page(rows: &[Row]) -> String {
    let title = format!("check: {}", packages(rows.iter().map(|row| row.package.as_str())));
    render(&Page { title, programs: rows.iter().map(outcome).collect() })
}

fn outcome(row: &Row) -> Outcome {
    let checked = &row.checked;
    let failures = checked.failures.iter().map(|it| Case {
        title: format!("{}: {}", it.termination, it.message),
        text: plain(&it.report),
        file: saved(Path::new(&it.file)),
        command: Path::new(&it.file).exists().then(|| replay(Path::new(&it.file))),
    });
    let witnesses = checked.comparison.iter().flat_map(|it| &it.witnesses).map(witness);
    let tests = checked.tests.iter().map(|it| TestLine {
        name: it.name.clone(),
        passed: it.passed,
        verdict: it.verdict.to_string(),
        why: match it.passed {
            true => it.why.clone(),
            false => format!("expected {}\n{}", it.expectation, it.why),
        },
    });
    Outcome {
        package: row.package.clone(),
        name: row.name.clone(),
        input: checked.input.as_ref().map(ToString::to_string),
        passed: checked.passed && row.error.is_none(),
        headline: headline(row),
        validity: checked.comparison.is_some().then_some([
            row.feasible_valid,
            row.feasible_invalid,
            row.infeasible_valid,
            row.infeasible_invalid,
        ]),
        notes: notes(row, checked),
        tests: tests.collect(),
        cases: failures.chain(witnesses).collect(),
    }
}

fn headline(row: &Row) -> String {
    let Row { checked, error, .. } = row;
    if error.is_some() {
        return "it could not be checked".to_owned();
    }
    let counts = format!("{} sequences in {} executions", checked.sequences, checked.executions);
    let rest = match (&checked.bound, checked.complete) {
        (Some(bound), _) => format!("; not complete: {bound}"),
        (None, false) => "; not complete".to_owned(),
        (None, true) => String::new(),
    };
    let by =
        checked.comparison.as_ref().map(|it| format!("; {} by {} ({})", it.answer, it.spec, it.conformance));
    format!("{counts}{rest}{}", by.unwrap_or_default())
}

fn notes(row: &Row, checked: &Checked) -> Vec<String> {
    let comparison = checked.comparison.iter();
    let missing = comparison.clone().flat_map(missing);
    let unshown = comparison.clone().flat_map(|it| &it.unshown).map(|it| format!("no execution shows: {it}"));
    let warnings = comparison.flat_map(|it| &it.warnings).map(|it| format!("warning: {it}"));
    let sentences = [protocol::not_shown(checked.left_out), protocol::idle_sentence(&checked.idle_threads)];
    let first = row.error.iter().chain(&checked.oversight).cloned();
    first.chain(missing).chain(unshown).chain(warnings).chain(sentences.into_iter().flatten()).collect()
}

/// The valid words that are infeasible; of many, the first, and how many more there are.
fn missing(comparison: &Comparison) -> Option<String> {
    let count = comparison.infeasible_valid.filter(|count| *count > 0)?;
    let shown: Vec<String> = comparison
        .missing
        .iter()
        .map(|it| format!("  {}\n    {}", it.word, it.why.replace('\n', "\n    ")))
        .collect();
    let more = count.saturating_sub(shown.len() as u64);
    let rest = if more > 0 { format!("\n  and {more} more") } else { String::new() };
    Some(format!("valid but infeasible: {count}\n{}{rest}", shown.join("\n")))
}

fn witness(it: &Witness) -> Case {
    let title = match it.condition {
        2 => "valid sequence with an incorrect result",
        3 => "invalid sequence with an incorrect result",
        _ => "invalid sequence with a correct result",
    };
    Case {
        title: format!("{title}: {}", it.word),
        text: it.to_string(),
        file: saved(Path::new(&it.file)),
        command: Path::new(&it.file).exists().then(|| replay(Path::new(&it.file))),
    }
}
