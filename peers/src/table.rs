//! The one table: microseconds per sequence, executions where they are not sequences, and ratios.

use crate::comparison::Row;
use comfy_table::{Cell, CellAlignment, Table, presets};
use insyn_peers::outcome::Outcome;
use insyn_peers_programs::numbers::grouped;

/// Renders the rows.
pub(crate) fn render(rows: &[Row]) -> String {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_FULL_CONDENSED);
    table.set_header([
        "program",
        "sequences",
        "insyn µs",
        "TraceForge µs",
        "/ insyn",
        "mailboxes µs",
        "/ insyn",
        "loom µs",
        "/ insyn",
        "shuttle dfs µs",
        "/ insyn",
        "floor µs",
        "insyn / floor",
    ]);
    for row in rows {
        let sequences = row.program.sequences();
        let mut cells = vec![row.program.title().to_owned(), grouped(sequences)];
        cells.push(sequence_cell(row.insyn, sequences));
        for traceforge in [row.traceforge, row.mailboxes] {
            cells.push(sequence_cell(traceforge, sequences));
            cells.push(ratio_cell(row, traceforge));
        }
        for executions_only in [row.loom, row.shuttle] {
            cells.push(execution_cell(executions_only, sequences));
            cells.push(ratio_cell(row, executions_only));
        }
        cells.push(row.floor.map_or_else(String::new, |floor| sequence_cell(floor, sequences)));
        cells.push(row.times_floor().map_or_else(String::new, |times| format!("{times:.1}×")));
        table.add_row(cells.into_iter().enumerate().map(|(column, text)| {
            let alignment = if column == 0 { CellAlignment::Left } else { CellAlignment::Right };
            Cell::new(text).set_alignment(alignment)
        }));
    }
    table.to_string()
}

/// A tool that runs each sequence once; a count that differs is shown, since the time then means nothing.
fn sequence_cell(outcome: Outcome, sequences: u64) -> String {
    match outcome {
        Outcome::Finished { runs, .. } if runs != sequences => {
            format!("{} sequences!", grouped(runs))
        }
        _ => micros_cell(outcome, sequences),
    }
}

/// A tool that runs sequences many times over: the time for all of them, and how many they were.
fn execution_cell(outcome: Outcome, sequences: u64) -> String {
    let micros = micros_cell(outcome, sequences);
    match outcome {
        Outcome::Finished { runs, .. } => format!("{micros}\n{} runs", grouped(runs)),
        Outcome::Cut { runs, .. } => format!("{micros}\n> {} runs", grouped(runs)),
        Outcome::Impossible(_) => micros,
    }
}

fn micros_cell(outcome: Outcome, sequences: u64) -> String {
    let bound = if matches!(outcome, Outcome::Cut { .. }) { "> " } else { "" };
    match (outcome, outcome.micros_per_sequence(sequences)) {
        (Outcome::Impossible(why), _) => why.to_owned(),
        (_, Some(micros)) if micros >= 1000.0 => format!("{bound}{}", grouped(micros as u64)),
        (_, Some(micros)) if micros >= 10.0 => format!("{bound}{micros:.1}"),
        (_, Some(micros)) => format!("{bound}{micros:.2}"),
        (_, None) => String::new(),
    }
}

fn ratio_cell(row: &Row, peer: Outcome) -> String {
    let bound = if matches!(peer, Outcome::Cut { .. }) { "> " } else { "" };
    match row.times_insyn(peer) {
        Some(times) if times >= 1000.0 => format!("{bound}{}×", grouped(times as u64)),
        Some(times) => format!("{bound}{times:.1}×"),
        None => "–".to_owned(),
    }
}
