//! The diagram for the terminal: lanes on the left, what happens on the right.
//!
//! ```text
//! main
//! │  greeter
//! │  │
//! │  ●   1  send channel1                  src/main.rs:4:12
//! ●◀─┤   2  receive channel1, from 1       src/main.rs:7:9
//! ```

use std::fmt::Write as _;

use unicode_width::UnicodeWidthStr as _;

use super::{Diagram, Row};
use crate::text::Style;

/// Columns of the terminal between two lanes.
const STEP: usize = 3;

/// The least number of columns for the words on the right.
const WORDS: usize = 30;

/// Draws a diagram. Lanes that do not fit are left out, those of objects first; all events are printed.
pub fn render(diagram: &Diagram, style: Style) -> String {
    let digits = diagram.rows.len().to_string().len();
    let room = usize::from(style.width).saturating_sub(WORDS + digits + 2) / STEP;
    let threads = diagram.lanes.iter().filter(|lane| lane.kind == insyn_sequences::Kind::Thread).count();
    let shown = match (diagram.lanes.len(), threads) {
        (all, _) if all <= room => all,
        (_, threads) if threads <= room => threads,
        _ => 0,
    };
    let mut text = String::new();
    for (n, lane) in diagram.lanes.iter().take(shown).enumerate() {
        let mut head = bars(diagram, n);
        head.push_str(&lane.name);
        put(&mut text, &fit(&head, usize::from(style.width)));
    }
    if shown > 0 {
        put(&mut text, bars(diagram, shown).trim_end());
    }
    let words: Vec<String> = diagram.rows.iter().map(Row::words).collect();
    let used = shown * STEP + digits + 2;
    let left = usize::from(style.width).saturating_sub(used);
    let widest = words.iter().map(|it| it.width()).max().unwrap_or(0).min(left);
    for (n, (row, what)) in diagram.rows.iter().zip(words).enumerate() {
        let lanes = lanes(diagram, n, shown);
        let mut line = format!("{lanes}{:>digits$}  {}", n + 1, fit(&what, left));
        let rest = left.saturating_sub(widest + 2);
        if !row.place.is_empty() && rest >= 12 {
            let gap = widest.saturating_sub(what.width());
            write!(line, "{:gap$}  {}", "", fit_end(&row.place, rest)).expect("a string takes any text");
        }
        put(&mut text, line.trim_end());
        if row.differs {
            put(&mut text, &format!("{}{:>digits$}  {}", bars(diagram, shown), "", mark(style)));
        }
    }
    let left_out = diagram.lanes.len() - shown;
    if left_out > 0 {
        put(&mut text, &format!("({left_out} of {} lines do not fit)", diagram.lanes.len()));
    }
    text
}

fn mark(style: Style) -> &'static str {
    if style.colour { "\u{1b}[31m▲ here it differs\u{1b}[0m" } else { "▲ here it differs" }
}

/// The first lanes where nothing happens.
fn bars(diagram: &Diagram, lanes: usize) -> String {
    let bar = |n: usize| if is_thread(diagram, n) { "│  " } else { "┊  " };
    (0..lanes).map(bar).collect()
}

fn is_thread(diagram: &Diagram, lane: usize) -> bool {
    diagram.lanes[lane].kind == insyn_sequences::Kind::Thread
}

/// The lanes in one row.
fn lanes(diagram: &Diagram, at: usize, shown: usize) -> String {
    let row = &diagram.rows[at];
    let mut cells: Vec<char> = bars(diagram, shown).chars().collect();
    let here = diagram.lane(at);
    for &from in &row.from {
        if let (Some(from), Some(to)) = (diagram.lane(from), here) {
            connect(&mut cells, from, to, true);
        }
    }
    match (row.by.as_slice(), row.on) {
        ([by], Some(on)) => connect(&mut cells, *by, on, !row.blocked),
        ([first, .., last], _) => connect(&mut cells, *first, *last, true),
        _ => {}
    }
    let mut set = |lane: usize, mark: char| {
        if let Some(cell) = cells.get_mut(lane * STEP) {
            *cell = mark;
        }
    };
    if let Some(on) = row.on {
        set(on, '○');
    }
    for &by in &row.by {
        set(
            by,
            if row.differs {
                '◆'
            } else if row.blocked {
                '×'
            } else {
                '●'
            },
        );
    }
    cells.into_iter().collect()
}

/// A line from one lane to another, over those between.
fn connect(cells: &mut [char], from: usize, to: usize, is_arrow: bool) {
    let (from, to) = (from * STEP, to * STEP);
    if from == to || from.max(to) >= cells.len() {
        return;
    }
    for cell in &mut cells[from.min(to) + 1..from.max(to)] {
        *cell = if matches!(*cell, '│' | '┊' | '┼') { '┼' } else { '─' };
    }
    if matches!(cells[from], '│' | '┊') {
        cells[from] = if from < to { '├' } else { '┤' };
    }
    if is_arrow {
        if from < to { cells[to - 1] = '▶' } else { cells[to + 1] = '◀' }
    }
}

/// The start of a text that is too wide.
pub(super) fn fit(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut cut = String::new();
    for c in text.chars() {
        if cut.width() + c.to_string().width() + 1 > width {
            break;
        }
        cut.push(c);
    }
    cut + "…"
}

/// The end of a text that is too wide: the end of a path says more than its start.
fn fit_end(text: &str, width: usize) -> String {
    if text.width() <= width {
        return text.to_owned();
    }
    let mut start = text.len();
    for (at, _) in text.char_indices().rev() {
        if text[at..].width() + 1 > width {
            break;
        }
        start = at;
    }
    format!("…{}", &text[start..])
}

fn put(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}
