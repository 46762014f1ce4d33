//! Tables for the terminal: counts, scores, then the mutants that need attention: survivors and undecided ones.

use std::fmt::Write as _;
use std::ops::Range;

use comfy_table::{Attribute, Cell, CellAlignment, Color, ColumnConstraint, ContentArrangement, Table};
use unicode_width::UnicodeWidthStr as _;

use insyn_verdicts::Status;
use insyn_verdicts::campaign::{Campaign, Counts, Group, KilledBy, Mutant, Program};
use insyn_verdicts::mutant::Distinguishing;

use crate::escape::{cut, lines, terminal};
use crate::fold::fold;
use crate::share;

/// The width and the colours of the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// The width of the terminal, in columns.
    pub width: u16,
    /// Whether to use colours.
    pub colour: bool,
}

impl Default for Style {
    fn default() -> Self {
        Style { width: 80, colour: false }
    }
}

/// The least width: below it, words would be cut into pieces.
const NARROWEST: u16 = 30;

/// Texts are cut to this length; the other reports have all of them.
const LONGEST: usize = 600;

/// How many mutants are listed; the rest are only counted.
const MOST_LISTED: usize = 100;

/// The summary.
pub fn render(campaign: &Campaign, style: Style) -> String {
    let style = Style { width: style.width.max(NARROWEST), ..style };
    let mut text = String::new();
    heading(
        &mut text,
        &format!("{}: score {}", terminal(&campaign.package), share::score(campaign.score)),
        style,
    );
    counts(&mut text, &campaign.mutants, style);
    killed_by(&mut text, campaign, style);
    phases(&mut text, campaign, style);
    groups(&mut text, "family", &campaign.families, style);
    groups(&mut text, "file", &campaign.files, style);
    validity(&mut text, &campaign.programs, style);
    listed(&mut text, campaign, Status::Survived, "Survivors", style);
    listed(&mut text, campaign, Status::Undecided, "Undecided", style);
    text
}

fn heading(text: &mut String, title: &str, style: Style) {
    let cell = Cell::new(cut(title, LONGEST));
    let cell = if style.colour { cell.add_attribute(Attribute::Bold) } else { cell };
    put(text, style, Columns { header: &[], numbers: 0..0 }, vec![vec![cell]]);
}

fn counts(text: &mut String, counts: &Counts, style: Style) {
    text.push('\n');
    let mut rows = Vec::new();
    for status in Status::ALL.into_iter().filter(|&status| counts.of(status) > 0) {
        let what = match status {
            Status::Survived => "differ from the original, and no test notices",
            Status::Undecided => "a bound was reached before it was known",
            Status::Killed => "rejected by the test suite, or killed by a sequence",
            Status::Equivalent => "proved to do what the original does",
            Status::Unviable => "do not compile",
            Status::Unreached => "left out: no program reaches them",
            Status::Skipped => "left out by comments",
            Status::Pending => "not run here",
        };
        rows.push(vec![word(status, style), Cell::new(counts.of(status)), Cell::new(what)]);
        if status == Status::Survived && counts.allowed > 0 {
            let what = "of them: the specification allows what they do";
            rows.push(vec![Cell::new("  allowed"), Cell::new(counts.allowed), Cell::new(what)]);
        }
    }
    if rows.is_empty() {
        text.push_str("There are no mutants.\n");
        return;
    }
    rows.push(vec![Cell::new("all"), Cell::new(counts.total), Cell::new("without those left out")]);
    put(text, style, Columns { header: &[], numbers: 1..2 }, rows);
}

fn killed_by(text: &mut String, campaign: &Campaign, style: Style) {
    let row = |it: &KilledBy| vec![Cell::new(it.kind.meaning()), Cell::new(it.mutants)];
    let rows = campaign.killed_by.iter().map(row).collect();
    section(text, style, Columns { header: &["killed by", "mutants"], numbers: 1..2 }, rows);
}

fn phases(text: &mut String, campaign: &Campaign, style: Style) {
    let rows = campaign.phases.iter().map(|phase| {
        let name = Cell::new(phase.name.word());
        vec![name, Cell::new(phase.tests), Cell::new(phase.killed), score(phase.score, style)]
    });
    section(
        text,
        style,
        Columns { header: &["tests alone", "number", "kill", "score"], numbers: 1..4 },
        rows.collect(),
    );
}

fn groups(text: &mut String, what: &str, groups: &[Group], style: Style) {
    let rows = groups.iter().map(|Group { name, mutants, score: percent }| {
        let counts = [mutants.total, mutants.survived, mutants.undecided].map(Cell::new);
        let name = Cell::new(cut(&terminal(name), LONGEST));
        [name].into_iter().chain(counts).chain([score(*percent, style)]).collect()
    });
    section(
        text,
        style,
        Columns { header: &[what, "all", "surv.", "und.", "score"], numbers: 1..5 },
        rows.collect(),
    );
}

/// The table of feasible and valid, a row for each program that has a specification.
fn validity(text: &mut String, programs: &[Program], style: Style) {
    let rows = programs.iter().filter_map(|program| {
        let it = program.validity.as_ref()?;
        let [valid, invalid, both] = [it.feasible_valid, it.feasible_invalid, it.infeasible_invalid];
        let counts = [valid.to_string(), invalid.to_string(), share::missing(it), both.to_string()];
        let name = Cell::new(cut(&terminal(&program.name), LONGEST));
        Some([name].into_iter().chain(counts.map(Cell::new)).collect())
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return;
    }
    text.push_str("\nFeasible (F), valid (V)\n");
    let header = ["program", "F V", "F ¬V", "¬F V", "¬F ¬V"];
    put(text, style, Columns { header: &header, numbers: 1..5 }, rows);
    let mut all = programs.iter().filter_map(|program| program.validity.as_ref());
    if all.any(|it| it.infeasible_valid.is_none()) {
        let note = vec![vec![Cell::new(share::NOT_ASKED)]];
        put(text, style, Columns { header: &[], numbers: 0..0 }, note);
    }
}

fn listed(text: &mut String, campaign: &Campaign, status: Status, title: &str, style: Style) {
    let all: Vec<&Mutant> = campaign.details.iter().filter(|mutant| mutant.status == status).collect();
    if all.is_empty() {
        return;
    }
    text.push('\n');
    heading(text, title, style);
    for mutant in all.iter().take(MOST_LISTED) {
        section(text, style, Columns { header: &[], numbers: 0..0 }, details(mutant, style));
    }
    if let more @ 1.. = all.len().saturating_sub(MOST_LISTED) {
        writeln!(text, "\nand {more} more").expect("a string takes any text");
    }
}

/// The details of a mutant, in two columns.
fn details(mutant: &Mutant, style: Style) -> Vec<Vec<Cell>> {
    let function =
        if mutant.function.is_empty() { String::new() } else { format!(" in {}", mutant.function) };
    let mut entries = vec![
        ("", format!("{} {}{function}", mutant.id, share::place(mutant))),
        ("change", mutant.description.clone()),
    ];
    match &mutant.distinguishing {
        Some(it) => entries.extend([
            ("verdict", share::survival(mutant.survival).to_owned()),
            ("sequence", sequence(it)),
            ("differs", it.departure.as_ref().map(share::departure).unwrap_or_default()),
            ("mutant", share::outcome(&it.mutant)),
            ("original", share::outcome(&it.original)),
        ]),
        None => entries.push(("reason", mutant.reason.clone())),
    }
    let row = |(label, text): (&str, String)| {
        let label = if label.is_empty() { word(mutant.status, style) } else { Cell::new(label) };
        vec![label, Cell::new(cut(&lines(&text), LONGEST))]
    };
    entries.into_iter().filter(|(_, text)| !text.trim().is_empty()).map(row).collect()
}

/// The events; the one that only one of the two can do is in brackets.
fn sequence(it: &Distinguishing) -> String {
    let event = |(n, event): (usize, &String)| match it.event == Some(n) {
        true => format!("[{event}]"),
        false => event.clone(),
    };
    it.sequence.iter().enumerate().map(event).collect::<Vec<_>>().join(", ")
}

fn word(status: Status, style: Style) -> Cell {
    let cell = Cell::new(status.word());
    match status {
        Status::Survived if style.colour => cell.fg(Color::Red),
        Status::Undecided if style.colour => cell.fg(Color::Yellow),
        Status::Killed if style.colour => cell.fg(Color::Green),
        _ => cell,
    }
}

fn score(score: Option<f64>, style: Style) -> Cell {
    let cell = Cell::new(share::score(score));
    if style.colour && score == Some(100.0) { cell.fg(Color::Green) } else { cell }
}

/// The columns of a table: their header, if it has one, and which of them are numbers.
struct Columns<'h> {
    header: &'h [&'h str],
    numbers: Range<usize>,
}

/// As [`put`], after an empty line; nothing if there are no rows.
fn section(text: &mut String, style: Style, columns: Columns<'_>, rows: Vec<Vec<Cell>>) {
    if !rows.is_empty() {
        text.push('\n');
        put(text, style, columns, rows);
    }
}

/// A table without lines. Numbers are not wrapped, and neither are the labels of a table without a header; texts are. One column
/// is a text, and takes the width that the others leave.
fn put(text: &mut String, style: Style, columns: Columns<'_>, mut rows: Vec<Vec<Cell>>) {
    let wide = |row: &[Cell], n: usize| row.get(n).map_or(0, |cell| cell.content().width());
    let texts =
        if columns.header.is_empty() { rows.first().map_or(0, Vec::len).saturating_sub(1) } else { 0 };
    let used: usize = (0..rows.first().map_or(0, Vec::len))
        .filter(|&n| n != texts)
        .map(|n| {
            let head = columns.header.get(n).map_or(0, |it| it.width());
            2 + rows.iter().map(|row| wide(row, n)).max().unwrap_or(0).max(head)
        })
        .sum();
    let room = usize::from(style.width).saturating_sub(used + 2);
    for cell in rows.iter_mut().filter_map(|row| row.get_mut(texts)) {
        let folded = fold(&cell.content(), room);
        if folded != cell.content() {
            *cell = Cell::new(folded);
        }
    }
    let mut table = Table::new();
    table.load_preset(comfy_table::presets::NOTHING);
    table.set_content_arrangement(ContentArrangement::Dynamic).set_width(style.width);
    match style.colour {
        true => table.enforce_styling(),
        false => table.force_no_tty(),
    };
    if !columns.header.is_empty() {
        table.set_header(columns.header);
    }
    let is_labelled = columns.header.is_empty() && rows.first().is_some_and(|row| row.len() > 1);
    table.add_rows(rows);
    for (n, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        let is_number = columns.numbers.contains(&n);
        if is_number {
            column.set_cell_alignment(CellAlignment::Right);
        }
        if is_number || is_labelled && n == 0 {
            column.set_constraint(ColumnConstraint::ContentWidth);
        }
    }
    for line in table.lines() {
        text.push_str(line.trim_end());
        text.push('\n');
    }
}
