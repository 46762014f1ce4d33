//! The race table of a sequence in terms of its diagram: a column for each row of the diagram whose event could have taken
//! something else, a row for each variant (the textbook's table 7.3).

use std::collections::BTreeMap;
use std::fmt::Write as _;

use insyn_sequences::{EventRef, RaceTable, Sequence};
use unicode_width::UnicodeWidthStr as _;

use super::text::fit;
use super::{Diagram, Row};
use crate::text::Style;

/// A partner that could have been taken instead: the rows of events that are taken together; empty for NOTHING.
pub type Instead = Vec<usize>;

/// The races of a sequence, and its variants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Races {
    /// The events that could have taken something else, in the order of the diagram.
    pub columns: Vec<Column>,
    /// The variants, in ascending order. Per column: 0 to leave the event as it is, `n` to take its `n`-th partner
    /// instead, -1 if it does not happen.
    pub rows: Vec<Vec<i64>>,
    /// Whether there are more variants than these.
    pub more: bool,
}

/// An event that could have taken something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    /// The event in its sequence.
    pub event: EventRef,
    /// Its row in the diagram.
    pub row: usize,
    /// The partners that it could have taken.
    pub instead: Vec<Instead>,
    /// The same, by events.
    pub race_set: Vec<Vec<EventRef>>,
}

impl Races {
    /// Finds the rows of a table's events. None if one of them has no row: then the table belongs to another sequence.
    pub(super) fn of(table: &RaceTable, sequence: &Sequence, rows: &[Row]) -> Option<Races> {
        let row_of = row_of(sequence, rows);
        let find = |event: EventRef| row_of.get(&event).copied();
        let mut columns = Vec::new();
        for column in &table.columns {
            let row = find(column.event)?;
            // At a rendezvous, one of the two may stay the same, and the other is the partner.
            let instead = |partners: &Vec<EventRef>| {
                let mut rows = partners.iter().map(|&it| find(it)).collect::<Option<Vec<_>>>()?;
                if rows.iter().any(|&it| it != row) {
                    rows.retain(|&it| it != row);
                }
                Some(rows)
            };
            columns.push(Column {
                event: column.event,
                row,
                instead: column.race_set.iter().map(instead).collect::<Option<_>>()?,
                race_set: column.race_set.clone(),
            });
        }
        let mut order: Vec<usize> = (0..columns.len()).collect();
        order.sort_by_key(|&n| columns[n].row);
        let sorted = |row: &Vec<i64>| order.iter().map(|&n| row[n]).collect();
        let mut rows: Vec<Vec<i64>> = table.rows.iter().map(sorted).collect();
        rows.sort_unstable();
        columns.sort_by_key(|column| column.row);
        Some(Races { columns, rows, more: table.more })
    }

    /// The variant in which exactly these events of the sequence take these partners, all by their names.
    pub(crate) fn variant(
        &self,
        sequence: &Sequence,
        changes: &BTreeMap<String, Vec<String>>,
    ) -> Option<usize> {
        let names: Vec<String> = self.columns.iter().map(|it| sequence.event_name(it.event)).collect();
        let is_it = |(n, &digit): (usize, &i64)| match (changes.get(&names[n]), usize::try_from(digit)) {
            (Some(partners), Ok(digit @ 1..)) => {
                let taken = self.columns[n].race_set[digit - 1].iter().map(|&it| sequence.event_name(it));
                taken.eq(partners.iter().cloned())
            }
            (None, Ok(0) | Err(_)) => true,
            _ => false,
        };
        let count = |row: &Vec<i64>| row.iter().filter(|digit| **digit > 0).count();
        self.rows.iter().position(|row| count(row) == changes.len() && row.iter().enumerate().all(is_it))
    }
}

/// The row of each event. A completion is in the row of its call.
pub(super) fn row_of(sequence: &Sequence, rows: &[Row]) -> BTreeMap<EventRef, usize> {
    let mut row_of: BTreeMap<EventRef, usize> =
        (0..).zip(rows).flat_map(|(n, row)| row.events.iter().map(move |&it| (it, n))).collect();
    for (process, it) in sequence.processes.iter().enumerate() {
        for (index, event) in it.events.iter().enumerate() {
            let row = event.pick.partners().iter().find_map(|call| row_of.get(call).copied());
            if let (Some(row), false) = (row, sequence.is_thread(process)) {
                row_of.entry(EventRef { process, index }).or_insert(row);
            }
        }
    }
    row_of
}

/// A partner that could have been taken, by row numbers: `3`, `2 with 3`, `nothing`.
pub(crate) fn words(instead: &[usize]) -> String {
    match instead {
        [] => "nothing".to_owned(),
        rows => rows.iter().map(|row| (row + 1).to_string()).collect::<Vec<_>>().join(" with "),
    }
}

/// The race table for the terminal, below a diagram: race sets, then variants. Columns that do not fit beside each other
/// follow below.
pub fn render(diagram: &Diagram, style: Style) -> String {
    let Some(races) = &diagram.races else { return String::new() };
    let width = usize::from(style.width);
    let mut text = String::new();
    let mut put = |line: &str| writeln!(text, "{}", line.trim_end()).expect("a string takes any text");
    if races.columns.is_empty() {
        put("No event could have taken anything else.");
        return text;
    }
    wrapped("What could have been taken instead", width).lines().for_each(&mut put);
    let digits = diagram.rows.len().to_string().len();
    for column in &races.columns {
        let all: Vec<String> = column.instead.iter().map(|it| words(it)).collect();
        let all = all.join(", ");
        let what = diagram.rows[column.row].words();
        let room = width.saturating_sub(digits + 4 + all.width()).max(4);
        let line = format!("{:>digits$}  {}: {all}", column.row + 1, fit(&what, room));
        wrapped(&line, width).lines().for_each(&mut put);
    }
    if races.rows.is_empty() && !races.more {
        return text;
    }
    put("");
    wrapped("Variants (a number is taken instead; · as it was; - does not come up)", width)
        .lines()
        .for_each(&mut put);
    let names: Vec<String> = (1..=races.rows.len()).map(|n| format!("V{n}")).collect();
    let first = names.last().map_or(2, String::len);
    let cells: Vec<Vec<String>> =
        races.columns.iter().enumerate().map(|(n, it)| cells(races, n, it)).collect();
    let widths: Vec<usize> = cells.iter().flat_map(|cells| cells.iter().map(|it| it.width()).max()).collect();
    let mut start = 0;
    while start < cells.len() {
        let mut used = first + widths[start] + 2;
        let mut end = start + 1;
        while end < cells.len() && used + widths[end] + 2 <= width {
            used += widths[end] + 2;
            end += 1;
        }
        if start > 0 {
            put("");
        }
        for line in 0..=races.rows.len() {
            let mut row = format!("{:<first$}", if line == 0 { "" } else { &names[line - 1] });
            for n in start..end {
                write!(row, "  {:>wide$}", cells[n][line], wide = widths[n])
                    .expect("a string takes any text");
            }
            put(&row);
        }
        start = end;
    }
    if races.more {
        put("and more");
    }
    text
}

/// A sentence on as many lines as it needs.
fn wrapped(sentence: &str, width: usize) -> String {
    let mut text = String::new();
    let mut used = 0;
    for word in sentence.split(' ') {
        let fits = used + 1 + word.width() <= width;
        text.push_str(if used == 0 {
            ""
        } else if fits {
            " "
        } else {
            "\n"
        });
        used = if used > 0 && fits { used + 1 + word.width() } else { word.width() };
        text.push_str(word);
    }
    text
}

/// The cells of a column, starting with its head.
fn cells(races: &Races, n: usize, column: &Column) -> Vec<String> {
    let cell = |row: &Vec<i64>| match row[n] {
        0 => "·".to_owned(),
        -1 => "-".to_owned(),
        digit => words(&column.instead[digit as usize - 1]),
    };
    [format!("[{}]", column.row + 1)].into_iter().chain(races.rows.iter().map(cell)).collect()
}
