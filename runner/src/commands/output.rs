//! How results are written: as tables for people, as JSON for machines.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, IsTerminal, Write};
use std::path::Path;

use anyhow::{Context, Result};
use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, Table};
use insyn_reports::fold;
use insyn_reports::text::Style;
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

/// A table without lines, as wide as its content and no wider than the terminal (80 columns if there is none). Names and
/// numbers stay in one piece; what is left of the width goes to `texts`.
pub(super) fn table(header: &[&str], numbers: &[usize], texts: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_preset(comfy_table::presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_header(header);
    if !table.is_tty() {
        table.set_width(80);
    }
    for (n, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if !texts.contains(&n) {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    for &column in numbers {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// Says something beside the result.
#[expect(clippy::print_stderr, reason = "it is not part of the result")]
pub(super) fn note(text: &str) {
    eprintln!("note: {text}");
}

/// The text of a table. Where it does not fit the terminal, its rows are told one by one, each cell on a line.
pub(super) fn text(table: &Table) -> String {
    fitted(table, table.is_tty().then(|| table.width()).flatten())
}

fn fitted(table: &Table, width: Option<u16>) -> String {
    let text = format!("{}\n", table.trim_fmt());
    let Some(width) = width.map(usize::from) else { return text };
    if text.lines().all(|line| line.width() <= width) {
        return text;
    }
    let heads: Vec<String> =
        table.header().map(|row| row.cell_iter().map(|cell| cell.content()).collect()).unwrap_or_default();
    let wide = heads.iter().map(|head| head.width()).max().unwrap_or(0);
    let mut text = String::new();
    for (n, row) in table.row_iter().enumerate() {
        if n > 0 {
            text.push('\n');
        }
        for (head, cell) in heads.iter().zip(row.cell_iter()) {
            let indent = format!("\n{:wide$}  ", "");
            let cell = fold(&cell.content(), width.saturating_sub(wide + 2)).replace('\n', &indent);
            text.push_str(format!("{head:wide$}  {cell}").trim_end());
            text.push('\n');
        }
    }
    text
}

/// How reports are to look where standard output leads: as wide as the terminal (80 columns if there is none), coloured on
/// a terminal only, and there not if `NO_COLOR` is set.
pub(super) fn style() -> Style {
    let refuses = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let colour = io::stdout().is_terminal() && !refuses;
    Style { width: Table::new().width().unwrap_or(Style::default().width), colour }
}

/// The JSON document of a command: what came of each program.
pub(super) fn json(programs: &[impl Serialize]) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Document<'p, P> {
        version: u32,
        programs: &'p [P],
    }
    serde_json::to_string_pretty(&Document { version: 1, programs }).map(|text| text + "\n")
}

/// Writes a file, and makes the directory that it is in.
pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory)
        .and_then(|()| fs::write(path, text))
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// Prints a result. A reader that has gone away is no error.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// Writes a new file, all of it or nothing: what somebody has written by hand is never overwritten.
pub(super) fn write_new(path: &Path, text: &str) -> Result<()> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let half_written = |_: &io::Error| {
        // The first error is the one to tell.
        let _ = fs::remove_file(path);
    };
    file.and_then(|mut file| file.write_all(text.as_bytes()).inspect_err(half_written))
        .with_context(|| format!("{} cannot be written", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_does_not_fit_is_told_row_by_row() {
        let mut table = table(&["program", "sequences", "ended"], &[1], &[2]);
        table.add_row(["monitor_sc_longest_waiter_of_all", "5076", "5076 normal"]);
        table.add_row(["select", "144", "144 normal"]);
        assert_eq!(fitted(&table, None).lines().count(), 3);
        assert_eq!(fitted(&table, Some(80)).lines().count(), 3);
        let narrow = "\
program    monitor_sc_longest_waiter_
           of_all
sequences  5076
ended      5076 normal

program    select
sequences  144
ended      144 normal
";
        assert_eq!(fitted(&table, Some(38)), narrow);
    }
}
