//! How results are written: as tables for people, as JSON for machines.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result};
use comfy_table::{Attribute, Cell, CellAlignment, ColumnConstraint, ContentArrangement, Table};
use insyn_reports::fold;
use insyn_reports::text::Style;
use insyn_sequences::report;
use insyn_sequences::text::WIDTH;
use serde::Serialize;
use unicode_width::UnicodeWidthStr as _;

use crate::display::{self, Paint};
use crate::exit::label;
use crate::file::replace;

/// A table without lines, as wide as its content and no wider than the terminal (80 columns if there is none). Names and
/// numbers are not wrapped; the rest of the width goes to the columns in `texts`.
pub(super) fn table(header: &[&str], numbers: &[usize], texts: &[usize]) -> Table {
    let mut table = Table::new();
    table.load_preset(comfy_table::presets::NOTHING);
    let colour = display::colours_out();
    let head = |text: &&str| match colour {
        true => Cell::new(text).add_attribute(Attribute::Bold),
        false => Cell::new(text),
    };
    table.set_content_arrangement(ContentArrangement::Dynamic).set_header(header.iter().map(head));
    if colour {
        table.enforce_styling();
    }
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

/// Prints a note beside the result, unless the command is to be quiet.
pub(super) fn note(text: &str) {
    if !display::is_quiet() {
        label(Paint::Note, "note", text);
    }
}

/// Prints a warning beside the result.
pub(super) fn warn(text: &str) {
    label(Paint::Warning, "warning", text);
}

/// The text of a table. If it does not fit the terminal, its rows are printed one by one, each cell on a line.
pub(super) fn text(table: &Table) -> String {
    fitted(table, terminal())
}

/// The width of the terminal, if standard output is one.
fn terminal() -> Option<u16> {
    let table = Table::new();
    table.is_tty().then(|| table.width()).flatten()
}

/// How failures are set on standard output.
pub(super) fn report_style(full: bool) -> report::Style {
    let set = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set);
    let environment = report::Environment { locale: locale.as_deref(), ..report::Environment::default() };
    report::Style {
        width: terminal().map_or(WIDTH, usize::from),
        colour: display::colours_out(),
        unicode: environment.unicode(),
        full,
        wrap: true,
    }
}

/// Prints a text for people, fitted to the terminal.
pub(super) fn print_fitted(text: &str) -> io::Result<()> {
    print(&for_terminal(text))
}

/// A text for people. On a terminal, a line that is too wide continues in the next one.
pub(super) fn for_terminal(text: &str) -> String {
    terminal().map_or_else(|| text.to_owned(), |width| folded(text, usize::from(width)))
}

/// A text whose lines are no wider than this, except commands: they are there to be copied.
fn folded(text: &str, width: usize) -> String {
    text.split_inclusive('\n').map(|line| fold_line(line, width)).collect()
}

/// The width of a line on a terminal, without its colours.
fn visible(line: &str) -> usize {
    let mut rest = line;
    let mut width = 0;
    while let Some((before, after)) = rest.split_once("\u{1b}[") {
        width += before.width();
        rest = after.split_once('m').map_or("", |(_, rest)| rest);
    }
    width + rest.width()
}

fn fold_line(line: &str, width: usize) -> String {
    let words = line.trim_start();
    let is_command = words.starts_with("cargo ") || words.contains("  cargo insyn ");
    if visible(line.trim_end()) <= width || is_command {
        return line.to_owned();
    }
    // The rest of a line is indented a little further.
    let indent = " ".repeat((line.len() - words.len()).min(width / 2));
    let room = width.saturating_sub(indent.len() + 2);
    let mut text = String::new();
    let mut used = None;
    for part in fold(words.trim_end(), room).split([' ', '\n']).filter(|part| !part.is_empty()) {
        match used {
            None => text.push_str(&indent),
            Some(used) if used + 1 + part.width() <= room => text.push(' '),
            Some(_) => text.push_str(&format!("\n{indent}  ")),
        }
        used = match used {
            Some(used) if used + 1 + part.width() <= room => Some(used + 1 + part.width()),
            _ => Some(part.width()),
        };
        text.push_str(part);
    }
    if line.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// The result of tests and checks, with the words at the beginnings of lines in colour, if that is wanted.
pub(super) fn painted(text: &str) -> String {
    match display::colours_out() {
        true => text.split_inclusive('\n').map(paint_line).collect(),
        false => text.to_owned(),
    }
}

fn paint_line(line: &str) -> String {
    const WORDS: [(&str, Paint); 5] = [
        ("ok ", Paint::Good),
        ("correct by ", Paint::Good),
        ("FAIL ", Paint::Bad),
        ("incorrect by ", Paint::Bad),
        ("warning: ", Paint::Warning),
    ];
    match WORDS.into_iter().find(|(word, _)| line.starts_with(word)) {
        Some((word, paint)) => {
            let word = word.split([' ', ':']).next().unwrap_or_default();
            paint.on(word) + &line[word.len()..]
        }
        None => line.to_owned(),
    }
}

/// A text in lines of this width, with breaks between words, and within those that are wider.
fn wrapped(text: &str, width: usize) -> String {
    let mut lines = Vec::new();
    for line in text.lines() {
        let mut filled = String::new();
        for part in fold(line, width).split([' ', '\n']).filter(|part| !part.is_empty()) {
            if !filled.is_empty() && filled.width() + 1 + part.width() > width {
                lines.push(std::mem::take(&mut filled));
            }
            if !filled.is_empty() {
                filled.push(' ');
            }
            filled.push_str(part);
        }
        lines.push(filled);
    }
    lines.join("\n")
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
            let cell = wrapped(&cell.content(), width.saturating_sub(wide + 2)).replace('\n', &indent);
            text.push_str(format!("{head:wide$}  {cell}").trim_end());
            text.push('\n');
        }
    }
    text
}

/// The style of reports on standard output: as wide as the terminal (80 columns if there is none), and coloured if that is
/// wanted.
pub(super) fn style() -> Style {
    Style { width: terminal().unwrap_or(Style::default().width), colour: display::colours_out() }
}

/// The JSON document of a command: the result of each program.
pub(super) fn json(programs: &[impl Serialize]) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct Document<'p, P> {
        version: u32,
        programs: &'p [P],
    }
    serde_json::to_string_pretty(&Document { version: 1, programs }).map(|text| text + "\n")
}

/// Checks that a directory can be written to, or created. Done before anything is built; the check leaves nothing behind.
pub(super) fn writable(directory: &Path) -> Result<()> {
    let directory = std::path::absolute(directory)?;
    let there = directory.ancestors().find(|path| path.exists()).unwrap_or(&directory);
    let probe = there.join(format!(".insyn-{}", std::process::id()));
    let made = OpenOptions::new().write(true).create_new(true).open(&probe);
    made.and_then(|_| fs::remove_file(&probe))
        .with_context(|| format!("{} cannot be written", directory.display()))
}

/// The Rust sources in some directories, in order. What cannot be read is left out.
pub(super) fn sources(directories: impl IntoIterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut pending: Vec<PathBuf> = directories.into_iter().collect();
    while let Some(directory) = pending.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => pending.push(entry.path()),
                Ok(kind) if kind.is_file() => found.push(entry.path()),
                _ => {}
            }
        }
    }
    found.retain(|path| path.extension().is_some_and(|it| it == "rs"));
    found.sort();
    found
}

/// The directory of the git repository that a path is in.
pub(super) fn repository(path: &Path) -> Option<&Path> {
    path.ancestors().find(|it| it.join(".git").exists())
}

/// A path as a user would write it: relative to the current directory, if it is below that.
pub(super) fn near(path: &Path) -> String {
    let here = env::current_dir().unwrap_or_default();
    path.strip_prefix(&here).unwrap_or(path).display().to_string()
}

/// Writes a file as a whole, and creates its directory if needed. A link in its place is not followed.
pub(super) fn write(path: &Path, text: &str) -> Result<()> {
    let directory = path.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(directory)
        .and_then(|()| replace(path, text.as_bytes()))
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// Prints a result. A closed pipe is no error.
pub(super) fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => {
            Err(io::Error::new(error.kind(), format!("standard output cannot be written: {error}")))
        }
        Ok(()) => Ok(()),
    }
}

/// Writes a new file, completely or not at all: existing files are never overwritten.
pub(super) fn write_new(path: &Path, text: &str) -> Result<()> {
    let file = OpenOptions::new().write(true).create_new(true).open(path);
    let half_written = |_: &io::Error| {
        // The first error is the one to report.
        let _ = fs::remove_file(path);
    };
    file.and_then(|mut file| file.write_all(text.as_bytes()).inspect_err(half_written))
        .with_context(|| format!("{} cannot be written", path.display()))
}

/// The relative path from a directory to a file, both absolute.
pub(super) fn relative(directory: &Path, file: &Path) -> PathBuf {
    let same = directory.components().zip(file.components()).take_while(|(a, b)| a == b).count();
    let up = directory.components().skip(same).map(|_| Component::ParentDir);
    up.chain(file.components().skip(same)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_does_not_fit_is_printed_row_by_row() {
        let mut table = table(&["program", "sequences", "ended"], &[1], &[2]);
        table.add_row(["monitor_sc_longest_waiter_of_all", "5076", "5076 normal"]);
        table.add_row(["select", "144", "100 normal, 44 deadlock, as expected"]);
        assert_eq!(fitted(&table, None).lines().count(), 4);
        assert_eq!(fitted(&table, Some(80)).lines().count(), 4);
        let narrow = "\
program    monitor_sc_longest_waiter_
           of_all
sequences  5076
ended      5076 normal

program    select
sequences  144
ended      100 normal, 44 deadlock, as
           expected
";
        assert_eq!(fitted(&table, Some(38)), narrow);
    }

    #[test]
    fn the_word_at_the_beginning_of_a_line_is_painted() {
        assert_eq!(
            paint_line("ok    three deposits\n"),
            format!("{}    three deposits\n", Paint::Good.on("ok"))
        );
        assert_eq!(paint_line("FAIL  three deposits"), format!("{}  three deposits", Paint::Bad.on("FAIL")));
        assert_eq!(paint_line("  ok  later"), "  ok  later");
    }

    #[test]
    fn lines_that_are_too_wide_continue_in_the_next() {
        let text = "\
short
  thread main waits for lock on account, held by thread payer at src/accounts/of/somebody.rs:15:44

  cargo insyn replay target/insyn/bank/bank.tests.payments/failure-1.yaml
";
        let narrow = "\
short
  thread main waits for lock on
    account, held by thread payer at
    src/accounts/of/somebody.rs:15:44

  cargo insyn replay target/insyn/bank/bank.tests.payments/failure-1.yaml
";
        assert_eq!(folded(text, 40), narrow);
        assert_eq!(folded(text, 200), text);
        let wide = format!("{}\n", "🦀".repeat(30));
        assert!(folded(&wide, 20).lines().all(|line| line.width() <= 20), "{}", folded(&wide, 20));
        assert_eq!(folded("a b", 1), "a\n  b");
    }
}
