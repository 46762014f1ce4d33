//! The race table in a sequence file: a line for each receiving event that could have taken something else, and one for
//! each variant.

use serde::Deserialize;

use super::{FileError, FileErrorKind, NOTHING, Names, OneOrMany, flow, line};
use crate::races::{RaceColumn, RaceTable};
use crate::sequence::{EventRef, Sequence};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Races {
    #[serde(default)]
    columns: Vec<Column>,
    #[serde(default)]
    rows: Vec<Vec<i64>>,
    #[serde(default)]
    more: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Column {
    event: String,
    instead: Vec<OneOrMany>,
}

impl Races {
    /// The table, with ids turned into indices and every row in range.
    pub(super) fn resolve(self, names: &Names<'_>) -> Result<RaceTable, FileError> {
        let place = |n: usize| format!("column {} of `races`", n + 1);
        let mut columns = Vec::with_capacity(self.columns.len());
        for (n, column) in self.columns.iter().enumerate() {
            let member = |it: &OneOrMany| match it {
                OneOrMany::One(word) if word == NOTHING => Ok(Vec::new()),
                partners => names.references(partners, &place(n)),
            };
            columns.push(RaceColumn {
                event: names.reference(&column.event, &place(n))?,
                race_set: column.instead.iter().map(member).collect::<Result<_, _>>()?,
            });
        }
        for (n, row) in self.rows.iter().enumerate() {
            let fits =
                |(digit, column): (&i64, &RaceColumn)| (-1..=column.race_set.len() as i64).contains(digit);
            if row.len() != columns.len() || !row.iter().zip(&columns).all(fits) {
                return Err(FileErrorKind::BadRow { row: n + 1, columns: columns.len() }.into());
            }
        }
        Ok(RaceTable { columns, rows: self.rows, more: self.more })
    }
}

/// Writes the field `races`.
pub(super) fn write(table: &RaceTable, sequence: &Sequence, text: &mut String) {
    let name = |it: EventRef| flow(&sequence.event_name(it));
    let list = |all: &[EventRef]| all.iter().map(|&it| name(it)).collect::<Vec<_>>().join(", ");
    let member = |partners: &Vec<EventRef>| match partners[..] {
        [] => NOTHING.to_owned(),
        [one] => name(one),
        _ => format!("[{}]", list(partners)),
    };
    let empty = |is_empty: bool| if is_empty { " []" } else { "" };
    line(text, format_args!("races:\n  columns:{}", empty(table.columns.is_empty())));
    for column in &table.columns {
        let instead: Vec<String> = column.race_set.iter().map(member).collect();
        line(text, format_args!("  - {{event: {}, instead: [{}]}}", name(column.event), instead.join(", ")));
    }
    line(text, format_args!("  rows:{}", empty(table.rows.is_empty())));
    for row in &table.rows {
        let digits: Vec<String> = row.iter().map(i64::to_string).collect();
        line(text, format_args!("  - [{}]", digits.join(", ")));
    }
    if table.more {
        text.push_str("  more: true\n");
    }
}
