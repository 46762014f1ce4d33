//! The diagrams of a report in compact form: every text is stored once, and so are equal sequences.
//!
//! A diagram is `[lanes, rows, table]`; a lane is `[name, title, is it a thread]`; a row is
//! `[by, on, words, place, from, after, races, blocked]`. Texts are places in the list of words, lanes and rows are places in
//! the diagram. A race is a row, a list of rows, or -1 for NOTHING. The race table, if it is known, is
//! `[rows of its columns, variants, are there more]`; a variant gives each event an index into its races, from 1.

use std::collections::BTreeMap;

use insyn_sequences::{EventRef, Kind};
use insyn_specs::file;
use insyn_verdicts::campaign::Variant;
use serde_json::{Value, json};

use crate::diagram::{Diagram, Instead, Row};

#[derive(Default)]
pub(super) struct Layouts {
    words: Vec<String>,
    places: BTreeMap<String, usize>,
    lines: Vec<String>,
    /// By the text of the file: the diagram, and the row of each event by its name; none if it has no diagram.
    known: BTreeMap<String, Option<Known>>,
}

struct Known {
    line: usize,
    rows: BTreeMap<String, usize>,
    count: usize,
}

impl Layouts {
    /// The index of the diagram of a sequence file; none if the text is not a sequence file.
    pub(super) fn add(&mut self, file: &str) -> Option<usize> {
        if !self.known.contains_key(file) {
            let known = self.lay_out(file);
            self.known.insert(file.to_owned(), known);
        }
        self.known[file].as_ref().map(|it| it.line)
    }

    /// The rows of the events of a test, by their names; if these are not known but there are as many rows as events, they
    /// are the same.
    pub(super) fn rows(&mut self, file: &str, steps: &[String], events: usize) -> Vec<Option<usize>> {
        self.add(file);
        match self.known.get(file) {
            Some(Some(known)) if !steps.is_empty() => {
                steps.iter().map(|step| known.rows.get(step).copied()).collect()
            }
            Some(Some(known)) if known.count == events => (0..events).map(Some).collect(),
            _ => Vec::new(),
        }
    }

    /// The rows of events of a file, by their names.
    pub(super) fn places(&mut self, file: &str, events: &[String]) -> Vec<usize> {
        self.add(file);
        let known = self.known.get(file).and_then(Option::as_ref);
        known
            .map(|it| events.iter().filter_map(|event| it.rows.get(event).copied()).collect())
            .unwrap_or_default()
    }

    /// The words, and the diagrams, as JSON.
    pub(super) fn finish(self) -> (String, Vec<String>) {
        (serde_json::to_string(&self.words).expect("they are texts"), self.lines)
    }

    fn lay_out(&mut self, file: &str) -> Option<Known> {
        let file = file::read(file).ok()?;
        let (diagram, sequence) = (Diagram::of_file(&file).ok()?, file.sequence);
        let lanes: Vec<Value> = diagram
            .lanes
            .iter()
            .map(|lane| {
                let title = format!("{} {}", lane.kind.word(), lane.id);
                let is_thread = u8::from(lane.kind == Kind::Thread);
                json!([self.word(&lane.name), self.word(&title), is_thread])
            })
            .collect();
        let rows: Vec<Value> = diagram.rows.iter().map(|row| self.row(row)).collect();
        let mut line = vec![json!(lanes), json!(rows)];
        line.extend(diagram.races.as_ref().map(|races| {
            let columns: Vec<usize> = races.columns.iter().map(|column| column.row).collect();
            json!([columns, races.rows, u8::from(races.more)])
        }));
        self.lines.push(json!(line).to_string());
        let rows = diagram.row_of(&sequence).into_iter().map(|(event, n)| (sequence.event_name(event), n));
        Some(Known { line: self.lines.len() - 1, rows: rows.collect(), count: diagram.rows.len() })
    }

    fn row(&mut self, row: &Row) -> Value {
        let (words, place) = (self.word(&row.words()), self.word(&row.place));
        let on = row.on.map_or(-1, |lane| lane as i64);
        let races: Vec<Value> = row.races.iter().map(race).collect();
        let mut value = json!([row.by, on, words, place, row.from, row.after, races, u8::from(row.blocked)]);
        // Empty fields at the end are left out.
        if let Value::Array(fields) = &mut value {
            let is_empty = |field: &Value| *field == json!([]) || *field == json!(0);
            while fields.len() > 4 && fields.last().is_some_and(is_empty) {
                fields.pop();
            }
        }
        value
    }

    fn word(&mut self, word: &str) -> usize {
        if let Some(&place) = self.places.get(word) {
            return place;
        }
        self.words.push(word.to_owned());
        self.places.insert(word.to_owned(), self.words.len() - 1);
        self.words.len() - 1
    }
}

/// The partners that could have been taken instead.
fn race(instead: &Instead) -> Value {
    match instead[..] {
        [] => json!(-1),
        [row] => json!(row),
        _ => json!(instead),
    }
}

/// Which row of the race table of a sequence led to another, by the texts of their files; none if that is not known.
pub(super) fn row_of_variant(parent: &str, variant: &Variant, file: &str) -> Option<usize> {
    if variant.changes.is_empty() {
        return None;
    }
    let (parent, child) = (file::read(parent).ok()?, file::read(file).ok()?.sequence);
    let changed = (0..child.processes.len()).flat_map(|process| {
        (0..child.processes[process].events.len()).map(move |index| EventRef { process, index })
    });
    let changes: BTreeMap<String, Vec<String>> = changed
        .map(|event| (child.event_name(event), event))
        .filter(|(name, _)| variant.changes.contains(name))
        .map(|(name, event)| {
            let partners = child.event(event).pick.partners();
            (name, partners.iter().map(|&it| child.event_name(it)).collect())
        })
        .collect();
    Diagram::of_file(&parent).ok()?.races?.variant(&parent.sequence, &changes)
}
