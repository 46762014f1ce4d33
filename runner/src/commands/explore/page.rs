//! The results of `cargo insyn explore` as an HTML page.

use insyn_reports::page::{Case, Outcome, Page, render};
use insyn_verdicts::protocol;

use super::{Row, brief};
use crate::commands::page::{packages, plain, replay, saved};

/// The page of some programs.
pub(super) fn page(rows: &[Row]) -> String {
    let title = format!("explore: {}", packages(rows.iter().map(|row| row.package.as_str())));
    render(&Page { title, programs: rows.iter().map(outcome).collect() })
}

fn outcome(row: &Row) -> Outcome {
    let cases = row.failures.iter().map(|failure| {
        let path = failure.file.as_deref();
        Case {
            title: format!("{}: {}", failure.termination, failure.message),
            text: plain(&failure.report),
            file: path.map(saved).unwrap_or_default(),
            command: path.map(replay),
        }
    });
    let sentences = [protocol::not_shown(row.left_out), protocol::idle_sentence(&row.idle_threads)];
    let notes = row.error.iter().chain(&row.oversight).chain(sentences.iter().flatten()).cloned().collect();
    Outcome {
        package: row.package.clone(),
        name: row.name.clone(),
        input: row.input.as_ref().map(brief),
        passed: row.failures.is_empty() && row.error.is_none() && row.oversight.is_none(),
        headline: format!("{} sequences in {} executions: {}", row.sequences, row.executions, row.endings()),
        notes,
        cases: cases.collect(),
        ..Outcome::default()
    }
}
