//! The diagrams of a report, in little space: all texts are kept once, and equal sequences too.
//!
//! A diagram is `[lanes, rows]`; a lane is `[name, title, is it a thread]`; a row is
//! `[by, on, words, place, from, after, races, blocked]`. Texts are places in the list of words, lanes and rows are places in
//! the diagram.

use std::collections::BTreeMap;

use insyn_specs::{Kind, SequenceFile};
use serde_json::{Value, json};

use crate::diagram::{Diagram, Row};

#[derive(Default)]
pub(super) struct Layouts {
    words: Vec<String>,
    places: BTreeMap<String, usize>,
    lines: Vec<String>,
    /// By the text of the file: the diagram, and the row of each event by its name; none if there is no diagram of it.
    known: BTreeMap<String, Option<Known>>,
}

struct Known {
    line: usize,
    rows: BTreeMap<String, usize>,
    count: usize,
}

impl Layouts {
    /// The place of the diagram of a sequence file; none if the text is none.
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

    /// The words, and the diagrams, as JSON.
    pub(super) fn finish(self) -> (String, Vec<String>) {
        (serde_json::to_string(&self.words).expect("they are texts"), self.lines)
    }

    fn lay_out(&mut self, file: &str) -> Option<Known> {
        let sequence = SequenceFile::read(file).ok()?.sequence;
        let diagram = Diagram::of(&sequence).ok()?;
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
        self.lines.push(json!([lanes, rows]).to_string());
        let names = diagram
            .rows
            .iter()
            .enumerate()
            .flat_map(|(n, row)| row.events().iter().map(move |&event| (event, n)).collect::<Vec<_>>());
        Some(Known {
            line: self.lines.len() - 1,
            rows: names.map(|(event, n)| (sequence.event_name(event), n)).collect(),
            count: diagram.rows.len(),
        })
    }

    fn row(&mut self, row: &Row) -> Value {
        let (words, place) = (self.word(&row.words()), self.word(&row.place));
        let on = row.on.map_or(-1, |lane| lane as i64);
        let mut value =
            json!([row.by, on, words, place, row.from, row.after, row.races, u8::from(row.blocked)]);
        // What is empty at the end need not be said.
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
