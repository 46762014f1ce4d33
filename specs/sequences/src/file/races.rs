//! The race table in a sequence file: a line for each receiving event that could have taken something else, and one for
//! each variant.

use serde::{Deserialize, Serialize};

use super::names::Names;
use super::scalar::OneOrMany;
use super::{DocumentError, DocumentErrorKind, NOTHING};
use crate::races::{RaceColumn, RaceTable};
use crate::sequence::{EventRef, Sequence};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Races {
    #[serde(default)]
    pub(super) columns: Vec<Column>,
    #[serde(default)]
    pub(super) rows: Vec<Vec<i64>>,
    #[serde(default)]
    pub(super) more: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Column {
    pub(super) event: String,
    pub(super) instead: Vec<OneOrMany>,
}

impl Races {
    /// The table of a sequence, with indices turned into names.
    pub(super) fn of(table: &RaceTable, sequence: &Sequence) -> Races {
        let member = |partners: &Vec<EventRef>| match partners[..] {
            [] => OneOrMany::One(NOTHING.to_owned()),
            _ => partners.iter().map(|&it| sequence.event_name(it)).collect(),
        };
        let column = |it: &RaceColumn| Column {
            event: sequence.event_name(it.event),
            instead: it.race_set.iter().map(member).collect(),
        };
        Races {
            columns: table.columns.iter().map(column).collect(),
            rows: table.rows.clone(),
            more: table.more,
        }
    }

    /// The table, with ids turned into indices and every row in range.
    pub(super) fn resolve(self, names: &Names<'_>) -> Result<RaceTable, DocumentError> {
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
                return Err(DocumentErrorKind::BadRow { row: n + 1, columns: columns.len() }.into());
            }
        }
        Ok(RaceTable { columns, rows: self.rows, more: self.more })
    }
}
