//! The text form for terminals and failure reports: the total order of SYN-events, one line for each.
//!
//! ```text
//! 1  greeter  send     channel1                  src/main.rs:4:12
//! 2  main     receive  channel1  from 1 greeter  src/main.rs:7:9
//! ```
//!
//! The columns are: number, thread, operation, object, relation to other lines, place in the source.
//! A rendezvous has two threads, `sender -> receiver`; a barrier has all threads that pass it together. The object of an event is
//! the one that it is about, also where several share a timeline. Among the offers of a select, the one that was taken comes
//! last, and the others are `withdrawn`. Threads and objects are shown by name, else by as much of their ids as makes them
//! unique. Lines stay within a width, [`WIDTH`] columns if none is given: places are shortened first, at their start; where that
//! is not enough, they are printed below, and words continue in the next line.

use crate::canonical::Malformed;
use crate::harmless::{end as cut, line as escape};
use crate::labels::labels;
use crate::order::Order;
use crate::sequence::{EventRef, Kind, Label, Location, Op, Sequence};
use crate::views::{TotalEvent, TotalView};

/// The default width of lines.
pub const WIDTH: usize = 100;

/// Labels are cut to this.
const LONGEST_LABEL: usize = 20;

/// Labels beside other ones in a column are cut to this.
const LONGEST_OF_TWO: usize = 14;

/// Places beside the words are never cut to less than this.
const SHORTEST_PLACE: usize = 16;

/// The least width of the text.
const NARROWEST: usize = 20;

/// How many threads of one event are listed; the rest are only counted.
const MOST_THREADS: usize = 2;

/// How many other lines are listed; the rest are only counted.
const MOST_LISTED: usize = 4;

/// Writes a sequence as text.
///
/// # Errors
/// If the sequence is malformed.
pub fn render(sequence: &Sequence) -> Result<String, Malformed> {
    Ok(render_order(&Order::of(sequence)?))
}

/// As [`render`], within `width` columns.
///
/// # Errors
/// If the sequence is malformed.
pub fn render_within(sequence: &Sequence, width: usize) -> Result<String, Malformed> {
    Ok(joined(&Order::of(sequence)?, width))
}

/// As [`render`], when the order is known already.
pub fn render_order(order: &Order<'_>) -> String {
    joined(order, WIDTH)
}

fn joined(order: &Order<'_>, width: usize) -> String {
    steps(order, width).into_iter().map(|step| step.line + "\n").collect()
}

/// A line of the text form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// The line, without its end; several lines where one is too narrow.
    pub line: String,
    /// Its columns: number, thread, operation, object, relation to other lines, place. None is aligned, and the
    /// place is not cut.
    pub columns: [String; 6],
    /// The events of threads that it represents.
    pub events: Vec<EventRef>,
    /// Where in the source it happened: the first place, if several threads did it together.
    pub place: Option<Location>,
}

/// As [`render_within`], line by line, so that other text can go between the lines.
pub fn steps(order: &Order<'_>, width: usize) -> Vec<Step> {
    let view = TotalView::of_order(order);
    let labels = names(order.sequence());
    let done = done(order, &view);
    let (firsts, sources): (Vec<_>, Vec<_>) = done.iter().map(|done| source(order.sequence(), done)).unzip();
    let rows: Vec<[String; 6]> = view
        .events
        .iter()
        .zip(sources)
        .enumerate()
        .map(|(i, (event, [label, place]))| {
            let [thread, object] = columns(event, &labels);
            let note = if label.is_empty() { note(event, &view, &labels) } else { label };
            [(i + 1).to_string(), thread, event.op.word().to_owned(), object, note, place]
        })
        .collect();
    let lines = align(&rows, width);
    let parts = lines.into_iter().zip(rows).zip(done).zip(firsts);
    parts.map(|(((line, columns), events), place)| Step { line, columns, events, place }).collect()
}

/// The label of each process: its name, else as much of its id as makes it unique. No two are equal.
pub fn names(sequence: &Sequence) -> Vec<String> {
    labels(sequence.processes.iter().map(|it| (it.id.as_str(), it.name.as_deref())))
}

/// The threads, and the object; if a thread acts on itself, the object is empty.
fn columns(event: &TotalEvent, labels: &[String]) -> [String; 2] {
    let longest = if event.threads.len() > 1 { LONGEST_OF_TWO } else { LONGEST_LABEL };
    let threads: Vec<String> =
        event.threads.iter().take(MOST_THREADS).map(|&it| cut(&labels[it], longest)).collect();
    let between = if event.op == Op::Arrive { ", " } else { " -> " };
    let threads = threads.join(between) + &more(event.threads.len(), MOST_THREADS);
    let object = cut(&labels[event.additional.about.unwrap_or(event.object)], LONGEST_LABEL);
    match event.threads[..] {
        [thread] if thread != event.object => [threads, object],
        [_] if event.additional.ordered => [String::new(), object],
        [_] => [threads, String::new()],
        _ => [threads, object],
    }
}

/// The event's relation to other lines.
fn note(event: &TotalEvent, view: &TotalView, labels: &[String]) -> String {
    let mut notes = Vec::new();
    let kind = view.parties[event.object].kind;
    if event.additional.blocked {
        notes.push("blocked".to_owned());
    }
    if event.additional.withdrawn {
        notes.push("withdrawn".to_owned());
    }
    let nothing = match (event.op, kind) {
        (Op::Receive, Kind::End) => Some("not ended"),
        (Op::Receive | Op::Accept, _) => Some("nothing there"),
        (Op::Load, Kind::Once) => Some("not done"),
        (Op::Load, _) => Some("initial value"),
        _ => None,
    };
    notes.extend(nothing.filter(|_| event.additional.nothing).map(str::to_owned));
    let partners = &event.additional.partners;
    // When a read ends says nothing new.
    if let Some(&first) = partners.first().filter(|_| event.op != Op::UnlockRead || event.additional.ordered)
    {
        let (word, with_name) = match (event.op, view.events[first].op) {
            (_, Op::Disconnect) if kind == Kind::End => ("ended at", false),
            (_, Op::Disconnect) => ("closed by", false),
            (_, Op::HangUp | Op::Fire) => ("from", false),
            (Op::Send | Op::Call, _) => ("refused by", false),
            (Op::NotifyOne, _) => ("wakes", true),
            (Op::Read | Op::TryRead, _) => ("follows", true),
            (Op::Load, _) if kind == Kind::Once => ("done by", true),
            _ => ("from", true),
        };
        let lines = match partners[..] {
            [_] if with_name => with_thread(first, view, labels),
            _ => list(partners),
        };
        notes.push(format!("{word} {lines}"));
    }
    match event.additional.waiting[..] {
        [] => {}
        [writer, reader] => {
            let [writer, reader] = [writer, reader].map(|it| with_thread(it, view, labels));
            notes.push(format!("{writer} keeps out {reader}"));
        }
        [writer] if event.op == Op::FailedRead => {
            notes.push(format!("{} waits", with_thread(writer, view, labels)));
        }
        [other] => notes.push(format!("ready for {}", with_thread(other, view, labels))),
        _ => notes.push(format!("{} wait", list(&event.additional.waiting))),
    }
    // The events before one that finds calls waiting are mostly what their threads did earlier, which is of no interest.
    if !event.additional.after.is_empty() && event.additional.waiting.is_empty() {
        notes.push(format!("after {}", list(&event.additional.after)));
    }
    notes.join("; ")
}

/// The number of another line, and its thread if it has one.
fn with_thread(line: usize, view: &TotalView, labels: &[String]) -> String {
    match view.events[line].threads[..] {
        [thread] => format!("{} {}", line + 1, cut(&labels[thread], LONGEST_OF_TWO)),
        _ => (line + 1).to_string(),
    }
}

fn list(lines: &[usize]) -> String {
    let mut lines: Vec<usize> = lines.iter().map(|line| line + 1).collect();
    lines.sort_unstable();
    let listed: Vec<String> = lines.iter().take(MOST_LISTED).map(usize::to_string).collect();
    listed.join(", ") + &more(lines.len(), MOST_LISTED)
}

/// How many there are beyond those that are listed.
fn more(all: usize, listed: usize) -> String {
    match all.saturating_sub(listed) {
        0 => String::new(),
        more => format!(" and {more} more"),
    }
}

/// The events of threads that each SYN-event represents.
pub(crate) fn done(order: &Order<'_>, view: &TotalView) -> Vec<Vec<EventRef>> {
    let sequence = order.sequence();
    let mut completed: Vec<_> =
        (0..sequence.processes.len()).map(|process| order.completion_order(process).into_iter()).collect();
    let mut done = |event: &TotalEvent| {
        let threads = event.threads.iter().filter(|&&it| sequence.is_thread(it));
        threads.filter_map(|&thread| completed[thread].next()).collect()
    };
    view.events.iter().map(&mut done).collect()
}

/// The place of an event in the source: its threads', where known, in one file if they are.
fn source(sequence: &Sequence, done: &[EventRef]) -> (Option<Location>, [String; 2]) {
    let mut known: Vec<&Location> =
        done.iter().filter_map(|&at| sequence.event(at).location.as_ref()).collect();
    known.dedup();
    let file = known.first().map(|it| it.file.as_str());
    let place = |(i, it): (usize, &&Location)| match i {
        1.. if file == Some(&it.file) => format!("{}:{}", it.line, it.column),
        _ => escape(&it.to_string()),
    };
    let label = done.iter().find_map(|&at| sequence.event(at).label.as_ref()).map(label);
    let text = known.iter().enumerate().map(place).collect::<Vec<_>>().join(", ");
    (known.first().map(|&it| it.clone()), [label.unwrap_or_default(), text])
}

pub(crate) fn label(label: &Label) -> String {
    let value =
        label.value.as_ref().map(|value| format!(" {}", escape(&value.to_string()))).unwrap_or_default();
    escape(&label.text) + &value
}

/// Puts rows into columns: numbers to the right, all else to the left, places into what is left of the width.
fn align(rows: &[[String; 6]], within: usize) -> Vec<String> {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..5).map(width).collect();
    let used: usize = widths.iter().filter(|&&width| width > 0).map(|width| width + 2).sum();
    let room = within.saturating_sub(used);
    let longest_place = rows.iter().map(|row| row[5].chars().count()).max().unwrap_or(0);
    if room < longest_place.min(SHORTEST_PLACE) {
        return rows.iter().map(|row| folded(row, widths[0], within.max(NARROWEST))).collect();
    }
    let line = |row: &[String; 6]| {
        let [number, middle @ .., place] = row;
        let mut line = format!("{number:>width$}", width = widths[0]);
        for (cell, &width) in middle.iter().zip(&widths[1..]).filter(|&(_, &width)| width > 0) {
            line.push_str(&format!("  {cell:width$}"));
        }
        line.push_str("  ");
        line.push_str(&cut(place, room));
        line.truncate(line.trim_end().len());
        line
    };
    rows.iter().map(line).collect()
}

/// A row for a narrow terminal: its words in as many lines as they need, its place below them.
fn folded(row: &[String; 6], digits: usize, width: usize) -> String {
    let [number, middle @ .., place] = row;
    let mut text = format!("{number:>digits$}");
    let indent = digits + 2;
    let room = width.saturating_sub(indent);
    let mut used = room;
    // The first words are beside the number.
    let mut break_line = "  ".to_owned();
    for word in middle.iter().flat_map(|cell| cell.split(' ')).filter(|word| !word.is_empty()) {
        let word = cut(word, room);
        let wide = word.chars().count();
        if used + 1 + wide > room {
            text.push_str(&break_line);
            break_line = format!("\n{:indent$}", "");
            used = wide;
        } else {
            text.push(' ');
            used += 1 + wide;
        }
        text.push_str(&word);
    }
    if !place.is_empty() {
        text.push_str(&format!("\n{:indent$}{}", "", cut(place, room)));
    }
    text
}
