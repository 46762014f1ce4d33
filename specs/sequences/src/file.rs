//! The file form of a sequence: YAML that a person can read, write and compare, one line for each event.
//!
//! ```yaml
//! insyn: sequence
//! version: 1
//! about:
//!   program: greeting
//! ended: normal
//! processes:
//! - id: main
//!   kind: thread
//!   events:
//!   - {op: receive, on: main/channel1, from: main/thread1#0, at: src/main.rs:7:9}
//! - id: main/channel1
//!   kind: channel
//!   events: []
//! - id: main/thread1
//!   kind: thread
//!   name: greeter
//!   events:
//!   - {op: send, on: main/channel1, from: nothing, at: src/main.rs:4:12}
//! ```
//!
//! | field of an event | meaning | if left out |
//! |---|---|---|
//! | `op` | the operation, by its [word](crate::Op::word) | is required |
//! | `on` | id of the object; `~` for none | the process itself on an object, none on a thread |
//! | `from` | what it picked: `nothing`, an event, or a list of events | it is no receiving event |
//! | `after` | an event or a list of events that come before it | none |
//! | `empty` | id of an object, or a list of ids, where it found nothing to receive either | none |
//! | `label`, `value` | what the program called the moment | it is no `label` |
//! | `at` | `file:line:column` in the source | unknown |
//!
//! Events are named `process-id#index`, from 0. `about` holds any notes, as text by name. `ended` is how the execution
//! ended, by a [word](Termination::word); if it is left out, that is not known. Processes may be in any
//! order in a file that was written by hand; the form that [`SequenceFile::write`] gives is always the same bytes
//! for the same value. Whether the events can have happened in some order is not checked here but by
//! [`Order::of`](crate::Order::of).
//!
//! A moment that the program named has a `label`, and maybe a `value`: `{op: label, label: deposit, value: 3}`.
//!
//! A file of a sequence that was executed may end with its [race table](RaceTable). A column is an event and
//! what it could have taken instead: `nothing`, an event, or a list of events that are taken together. A row is a variant.
//!
//! ```yaml
//! races:
//!   columns:
//!   - {event: main#0, instead: [main/thread2#0]}
//!   rows:
//!   - [1]
//! ```
//!
//! `more: true` means that there are more rows than these.
//!
//! The YAML form is written here line by line: no YAML library writes a mapping on one line. Reading it needs one, and is done
//! by `insyn-specs`. The JSON form ([`SequenceFile::to_json`]) has the same fields, and needs no YAML library either
//! way.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::canonical::Malformed;
use crate::races::RaceTable;
use crate::sequence::Sequence;
use crate::termination::Termination;

mod document;
mod error;
mod names;
mod races;
mod scalar;

pub use document::{Document, EventEntry, Header, ProcessEntry, resolve};
pub use error::{DocumentError, DocumentErrorKind};
use races::Races;
use scalar::OneOrMany;
pub use scalar::{atom, flow};

/// The version of the form that this crate reads and writes.
pub const VERSION: u32 = 1;

/// The value of `insyn:` in this kind of file.
const SEQUENCE: &str = "sequence";

/// The value of `from:` for [`Pick::Nothing`]. Names of events always contain a `#`.
const NOTHING: &str = "nothing";

/// What a sequence file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SequenceFile {
    /// Notes about the sequence, such as the name of the program. They have no meaning here.
    pub about: BTreeMap<String, String>,
    /// How the execution ended that did all of the sequence, if it is known.
    pub ended: Option<Termination>,
    /// The sequence.
    pub sequence: Sequence,
    /// Its races, if they are known.
    pub races: Option<RaceTable>,
}

impl From<Sequence> for SequenceFile {
    fn from(sequence: Sequence) -> Self {
        SequenceFile { sequence, ..SequenceFile::default() }
    }
}

impl SequenceFile {
    /// Reads the JSON form, which has the same fields as the YAML form.
    ///
    /// # Errors
    /// If the text is not JSON, or not that of a sequence file.
    pub fn from_json(text: &str) -> Result<SequenceFile, DocumentError> {
        let document: Document = serde_json::from_str(text)
            .map_err(|error| DocumentErrorKind::Json { message: error.to_string() })?;
        document.resolve()
    }

    /// Writes the JSON form, on one line.
    ///
    /// # Errors
    /// If the sequence is not in canonical form: then its events could not be named.
    ///
    /// # Panics
    /// If the race table is that of another sequence, and names what this one does not have.
    pub fn to_json(&self) -> Result<String, Malformed> {
        self.sequence.check()?;
        Ok(serde_json::to_string(&Document::of(self)).expect("all keys are texts"))
    }

    /// Writes the text of a file, deterministically.
    ///
    /// # Errors
    /// If the sequence is not in canonical form: then its events could not be named.
    ///
    /// # Panics
    /// If the race table is that of another sequence, and names what this one does not have.
    pub fn write(&self) -> Result<String, Malformed> {
        self.sequence.check()?;
        let mut text = format!("insyn: {SEQUENCE}\nversion: {VERSION}\n");
        if !self.about.is_empty() {
            text.push_str("about:\n");
            for (name, note) in &self.about {
                line(&mut text, format_args!("  {}: {}", flow(name), flow(note)));
            }
        }
        if let Some(ended) = self.ended {
            line(&mut text, format_args!("ended: {ended}"));
        }
        write_processes(&self.sequence, "", &mut text);
        if let Some(table) = &self.races {
            write_races(&Races::of(table, &self.sequence), &mut text);
        }
        Ok(text)
    }
}

/// Writes the field `processes`, each line after an indent, of a sequence in canonical form.
pub fn write_processes(sequence: &Sequence, indent: &str, text: &mut String) {
    let empty = |is_empty: bool| if is_empty { " []" } else { "" };
    line(text, format_args!("{indent}processes:{}", empty(sequence.processes.is_empty())));
    for process in document::entries(sequence) {
        line(text, format_args!("{indent}- id: {}", flow(&process.id)));
        line(text, format_args!("{indent}  kind: {}", process.kind));
        if let Some(name) = &process.name {
            line(text, format_args!("{indent}  name: {}", flow(name)));
        }
        line(text, format_args!("{indent}  events:{}", empty(process.events.is_empty())));
        for event in &process.events {
            line(text, format_args!("{indent}  - {{{}}}", fields(event)));
        }
    }
}

/// The fields of an event.
fn fields(event: &EventEntry) -> String {
    let mut fields = vec![format!("op: {}", event.op)];
    let on = event.on.as_ref().map(|id| id.as_ref().map_or("~".to_owned(), |id| flow(id)));
    fields.extend(on.map(|it| format!("on: {it}")));
    fields.extend(event.from.as_ref().map(|it| format!("from: {}", names(it))));
    fields.extend(event.after.as_ref().map(|it| format!("after: {}", names(it))));
    fields.extend(event.empty.as_ref().map(|it| format!("empty: {}", names(it))));
    fields.extend(event.label.as_ref().map(|it| format!("label: {}", flow(it))));
    fields.extend(event.value.as_ref().map(|it| format!("value: {}", atom(&it.0))));
    fields.extend(event.at.as_ref().map(|it| format!("at: {}", flow(it))));
    fields.join(", ")
}

/// Writes the field `races`.
fn write_races(races: &Races, text: &mut String) {
    let empty = |is_empty: bool| if is_empty { " []" } else { "" };
    line(text, format_args!("races:\n  columns:{}", empty(races.columns.is_empty())));
    for column in &races.columns {
        let instead: Vec<String> = column.instead.iter().map(names).collect();
        let event = flow(&column.event);
        line(text, format_args!("  - {{event: {event}, instead: [{}]}}", instead.join(", ")));
    }
    line(text, format_args!("  rows:{}", empty(races.rows.is_empty())));
    for row in &races.rows {
        let digits: Vec<String> = row.iter().map(i64::to_string).collect();
        line(text, format_args!("  - [{}]", digits.join(", ")));
    }
    if races.more {
        text.push_str("  more: true\n");
    }
}

/// The names of events or objects: one as it is, others in brackets.
fn names(all: &OneOrMany) -> String {
    match all {
        OneOrMany::One(name) => flow(name),
        OneOrMany::Many(names) => {
            let all: Vec<String> = names.iter().map(|it| flow(it)).collect();
            format!("[{}]", all.join(", "))
        }
    }
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    writeln!(text, "{content}").expect("a string takes any text");
}
