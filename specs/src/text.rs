//! The text form for terminals and failure reports: the total order of SYN-events, one line for each.
//!
//! ```text
//! 1  greeter  send     channel1                  src/main.rs:4:12
//! 2  main     receive  channel1  from 1 greeter  src/main.rs:7:9
//! ```
//!
//! The columns are: number, thread, operation, object, what it has to do with other lines, place in the source.
//! A rendezvous has two threads, `sender -> receiver`. Threads and objects go by their names, else by as much of
//! their ids as tells them apart. Lines stay within [`WIDTH`] columns unless names and places are very long; places
//! give way first, at their beginning.

use crate::canonical::Malformed;
use crate::labels::{escape, labels};
use crate::order::Order;
use crate::sequence::{Location, Op, Sequence};
use crate::views::{TotalEvent, TotalView};

/// The width that lines are fitted into.
pub const WIDTH: usize = 100;

/// Labels are cut to this.
const LONGEST_LABEL: usize = 20;

/// Labels beside other ones in a column are cut to this.
const LONGEST_OF_TWO: usize = 14;

/// Places are never cut to less than this.
const SHORTEST_PLACE: usize = 16;

/// So many other lines are listed; of further ones only the number is told.
const MOST_LISTED: usize = 4;

/// Writes a sequence as text.
///
/// # Errors
/// If the sequence is malformed.
pub fn render(sequence: &Sequence) -> Result<String, Malformed> {
    Ok(render_order(&Order::of(sequence)?))
}

/// As [`render`], when the order is known already.
pub fn render_order(order: &Order<'_>) -> String {
    let view = TotalView::of_order(order);
    let labels = labels(view.parties.iter().map(|party| (party.id.as_str(), party.name.as_deref())));
    let places = places(order.sequence(), &view);
    let rows: Vec<[String; 6]> = view
        .events
        .iter()
        .zip(places)
        .enumerate()
        .map(|(i, (event, place))| {
            let [thread, object] = columns(event, &labels);
            let note = note(event, &view, &labels);
            [(i + 1).to_string(), thread, event.op.word().to_owned(), object, note, place]
        })
        .collect();
    align(&rows)
}

/// Who, and on what; where that is one and the same, the other column is empty.
fn columns(event: &TotalEvent, labels: &[String]) -> [String; 2] {
    let longest = if event.threads.len() > 1 { LONGEST_OF_TWO } else { LONGEST_LABEL };
    let threads: Vec<String> = event.threads.iter().map(|&it| cut(&labels[it], longest)).collect();
    let threads = threads.join(" -> ");
    let object = cut(&labels[event.object], LONGEST_LABEL);
    match event.threads[..] {
        [thread] if thread != event.object => [threads, object],
        [_] if event.additional.ordered => [String::new(), object],
        [_] => [threads, String::new()],
        _ => [threads, object],
    }
}

/// What the event has to do with other lines.
fn note(event: &TotalEvent, view: &TotalView, labels: &[String]) -> String {
    let mut notes = Vec::new();
    if event.additional.blocked {
        notes.push("blocked".to_owned());
    }
    if event.additional.nothing && matches!(event.op, Op::Receive | Op::Accept) {
        notes.push("nothing there".to_owned());
    }
    let partners = &event.additional.partners;
    if let Some(&first) = partners.first() {
        let (word, with_name) = match (event.op, view.events[first].op) {
            (_, Op::Disconnect) => ("closed by", false),
            (Op::Send | Op::Call, _) => ("refused by", false),
            (Op::NotifyOne, _) => ("wakes", true),
            _ => ("from", true),
        };
        let name = match view.events[first].threads[..] {
            [thread] if with_name && partners.len() == 1 => {
                format!(" {}", cut(&labels[thread], LONGEST_OF_TWO))
            }
            _ => String::new(),
        };
        notes.push(format!("{word} {}{name}", list(partners)));
    }
    if !event.additional.after.is_empty() {
        notes.push(format!("after {}", list(&event.additional.after)));
    }
    notes.join("; ")
}

fn list(lines: &[usize]) -> String {
    let mut lines: Vec<usize> = lines.iter().map(|line| line + 1).collect();
    lines.sort_unstable();
    let listed: Vec<String> = lines.iter().take(MOST_LISTED).map(usize::to_string).collect();
    let more = match lines.len().saturating_sub(MOST_LISTED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    listed.join(", ") + &more
}

/// The place of each event in the source: its threads', where known, in one file if they are.
fn places(sequence: &Sequence, view: &TotalView) -> Vec<String> {
    let mut done = vec![0; sequence.processes.len()];
    let mut place = |event: &TotalEvent| {
        let mut known: Vec<&Location> = Vec::new();
        for &thread in event.threads.iter().filter(|&&it| sequence.is_thread(it)) {
            known.extend(&sequence.processes[thread].events[done[thread]].location);
            done[thread] += 1;
        }
        known.dedup();
        match known[..] {
            [a, b] if a.file == b.file => format!("{}, {}:{}", escape(&a.to_string()), b.line, b.column),
            _ => known.iter().map(|it| escape(&it.to_string())).collect::<Vec<_>>().join(", "),
        }
    };
    view.events.iter().map(&mut place).collect()
}

/// Puts rows into columns: numbers to the right, all else to the left, places into what is left of the width.
fn align(rows: &[[String; 6]]) -> String {
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..5).map(width).collect();
    let used: usize = widths.iter().filter(|&&width| width > 0).map(|width| width + 2).sum();
    let room = WIDTH.saturating_sub(used).max(SHORTEST_PLACE);
    let mut text = String::new();
    for row in rows {
        let [number, middle @ .., place] = row;
        let mut line = format!("{number:>width$}", width = widths[0]);
        for (cell, &width) in middle.iter().zip(&widths[1..]).filter(|&(_, &width)| width > 0) {
            line.push_str(&format!("  {cell:width$}"));
        }
        line.push_str("  ");
        line.push_str(&cut(place, room));
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The text, or its end where it is too long: the end of an id or a path tells more than its beginning.
fn cut(text: &str, longest: usize) -> String {
    let length = text.chars().count();
    if length <= longest {
        return text.to_owned();
    }
    std::iter::once('…').chain(text.chars().skip(length + 1 - longest)).collect()
}
