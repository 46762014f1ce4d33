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
//! | `op` | the operation, by its [word](Op::word) | is required |
//! | `on` | id of the object; `~` for none | the process itself on an object, none on a thread |
//! | `from` | what it picked: `nothing`, an event, or a list of events | it is no receiving event |
//! | `after` | an event or a list of events that come before it | none |
//! | `label`, `value` | what the program called the moment | it is no `label` |
//! | `at` | `file:line:column` in the source | unknown |
//!
//! Events are named `process-id#index`, from 0. `about` holds any notes, as text by name. `ended` says how the execution
//! ended whose sequence it is, by a [word](Termination::word); if it is left out, that is not known. Processes may be in any
//! order in a file that was written by hand; the form that [`SequenceFile::write`] gives is always the same bytes
//! for the same value. Whether the events can have happened in some order is not checked here but by
//! [`Order::of`](crate::Order::of).
//!
//! A moment that the program named has a `label`, and maybe a `value`: `{op: label, label: deposit, value: 3}`.
//!
//! A file that was written by whoever ran the sequence may end with its [race table](RaceTable). A column is an event and
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
//! If there are `more: true` rows than these, it says so.
//!
//! The YAML library writes no mapping on one line, so the lines are put together here.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Deserializer};

use crate::canonical::Malformed;
use crate::races::RaceTable;
use crate::sequence::{Event, EventRef, Kind, Label, Location, Op, Pick, Process, Sequence};
use crate::termination::Termination;
use crate::yaml;

mod error;
mod races;
mod scalar;

pub use error::{FileError, FileErrorKind};
use scalar::{Atom, OneOrMany, Scalar};
pub(crate) use scalar::{atom, flow};

/// The version of the form that this crate reads and writes.
pub const VERSION: u32 = 1;

/// What stands in `insyn:` to tell this kind of file from others.
const SEQUENCE: &str = "sequence";

/// What stands in `from:` for [`Pick::Nothing`]. Names of events always contain a `#`.
const NOTHING: &str = "nothing";

/// What a sequence file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SequenceFile {
    /// Notes about the sequence, such as the name of the program. They have no meaning here.
    pub about: BTreeMap<String, String>,
    /// How the execution ended that did all of the sequence, if somebody has seen it.
    pub ended: Option<Termination>,
    /// The sequence.
    pub sequence: Sequence,
    /// Its races, if somebody has found them out.
    pub races: Option<RaceTable>,
}

impl From<Sequence> for SequenceFile {
    fn from(sequence: Sequence) -> Self {
        SequenceFile { sequence, ..SequenceFile::default() }
    }
}

impl SequenceFile {
    /// Reads the text of a file. Any text gives a value or an error, in time and memory that are proportional to
    /// its length.
    ///
    /// # Errors
    /// See [`FileErrorKind`].
    pub fn read(text: &str) -> Result<SequenceFile, FileError> {
        let document = match yaml::read::<Document>(text) {
            Ok(document) => document,
            // A file of another kind or version will not fit; say so, and not which of its fields did not.
            Err(error) => {
                if let Ok(header) = yaml::read::<Header>(text) {
                    header.check()?;
                }
                return Err(error.into());
            }
        };
        Header { insyn: document.insyn, version: document.version }.check()?;
        let about = document.about.into_iter().map(|(name, note)| (name, note.0)).collect();
        let ends = || Termination::WORDS.map(|(_, end)| end);
        let ended = document.ended.map(|it| word("ended", "end", &it.0, ends(), Termination::word));
        let ended = ended.transpose()?;
        let mut entries = document.processes;
        let sequence = resolve_all(&mut entries)?;
        let races = document.races.map(|races| races.resolve(&Names::of(&entries))).transpose()?;
        Ok(SequenceFile { about, ended, sequence, races })
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
            races::write(table, &self.sequence, &mut text);
        }
        Ok(text)
    }
}

/// Writes the field `processes`, each line after an indent, of a sequence in canonical form.
pub(crate) fn write_processes(sequence: &Sequence, indent: &str, text: &mut String) {
    let processes = &sequence.processes;
    line(text, format_args!("{indent}processes:{}", if processes.is_empty() { " []" } else { "" }));
    for (index, process) in processes.iter().enumerate() {
        line(text, format_args!("{indent}- id: {}", flow(&process.id)));
        line(text, format_args!("{indent}  kind: {}", process.kind.word()));
        if let Some(name) = &process.name {
            line(text, format_args!("{indent}  name: {}", flow(name)));
        }
        line(text, format_args!("{indent}  events:{}", if process.events.is_empty() { " []" } else { "" }));
        for event in &process.events {
            line(text, format_args!("{indent}  - {{{}}}", fields(sequence, index, event)));
        }
    }
}

/// The fields of an event of the process at `index`.
fn fields(sequence: &Sequence, index: usize, event: &Event) -> String {
    let names = |all: &[EventRef]| match all {
        [one] => flow(&sequence.event_name(*one)),
        _ => {
            let all: Vec<String> = all.iter().map(|&it| flow(&sequence.event_name(it))).collect();
            format!("[{}]", all.join(", "))
        }
    };
    let mut fields = vec![format!("op: {}", event.op.word())];
    if event.object != implied_object(sequence.processes[index].kind, index) {
        let id = event.object.map_or("~".to_owned(), |object| flow(&sequence.processes[object].id));
        fields.push(format!("on: {id}"));
    }
    match &event.pick {
        Pick::None => {}
        Pick::Nothing => fields.push(format!("from: {NOTHING}")),
        Pick::Partners(partners) => fields.push(format!("from: {}", names(partners))),
    }
    if !event.after.is_empty() {
        fields.push(format!("after: {}", names(&event.after)));
    }
    if let Some(label) = &event.label {
        fields.push(format!("label: {}", flow(&label.text)));
        fields.extend(label.value.as_ref().map(|value| format!("value: {}", atom(value))));
    }
    if let Some(location) = &event.location {
        fields.push(format!("at: {}", flow(&location.to_string())));
    }
    fields.join(", ")
}

fn line(text: &mut String, content: std::fmt::Arguments<'_>) {
    writeln!(text, "{content}").expect("a string takes any text");
}

/// The object of an event that names none: an object's events are on itself, a thread's on nothing.
fn implied_object(kind: Kind, process: usize) -> Option<usize> {
    (kind != Kind::Thread).then_some(process)
}

/// The beginning of every file of this project, whatever its kind and version.
#[derive(Deserialize)]
struct Header {
    insyn: Option<Scalar>,
    version: Option<Scalar>,
}

impl Header {
    fn check(self) -> Result<(), FileError> {
        let found = |it: Option<Scalar>| it.map(|it| it.0);
        let (insyn, version) = (found(self.insyn), found(self.version));
        if insyn.as_deref() != Some(SEQUENCE) {
            return Err(FileErrorKind::NotASequence { found: insyn }.into());
        }
        if version.as_deref() != Some(VERSION.to_string().as_str()) {
            return Err(FileErrorKind::Version { found: version }.into());
        }
        Ok(())
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    insyn: Option<Scalar>,
    version: Option<Scalar>,
    #[serde(default)]
    about: BTreeMap<String, Scalar>,
    ended: Option<Scalar>,
    processes: Vec<ProcessEntry>,
    races: Option<races::Races>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ProcessEntry {
    id: String,
    kind: String,
    #[serde(default)]
    name: Option<String>,
    #[serde(default)]
    events: Vec<EventEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct EventEntry {
    op: String,
    /// Left out and `~` are different.
    #[serde(default, deserialize_with = "present")]
    on: Option<Option<String>>,
    from: Option<OneOrMany>,
    after: Option<OneOrMany>,
    label: Option<String>,
    value: Option<Atom>,
    at: Option<String>,
}

fn present<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(field).map(Some)
}

/// Turns words into what they stand for and ids into indices.
pub(crate) fn resolve(mut entries: Vec<ProcessEntry>) -> Result<Sequence, FileError> {
    resolve_all(&mut entries)
}

/// As [`resolve`]; the entries are sorted then.
fn resolve_all(entries: &mut [ProcessEntry]) -> Result<Sequence, FileError> {
    entries.sort_by(|a, b| a.id.cmp(&b.id));
    if let Some(pair) = entries.windows(2).find(|pair| pair[0].id == pair[1].id) {
        return Err(FileErrorKind::DuplicateId { id: pair[0].id.clone() }.into());
    }
    let names = Names::of(entries);
    let mut processes = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let kind = word(&entry.id, "kind", &entry.kind, Kind::ALL, Kind::word)?;
        let event =
            |(i, event): (usize, &EventEntry)| names.event(event, kind, index, &format!("{}#{i}", entry.id));
        processes.push(Process {
            id: entry.id.clone(),
            kind,
            name: entry.name.clone(),
            events: entry.events.iter().enumerate().map(event).collect::<Result<_, _>>()?,
        });
    }
    Ok(Sequence { processes })
}

/// The ids of all processes, sorted, with the number of their events.
struct Names<'a>(Vec<(&'a str, usize)>);

impl<'a> Names<'a> {
    /// Of entries that are sorted.
    fn of(entries: &'a [ProcessEntry]) -> Names<'a> {
        Names(entries.iter().map(|it| (it.id.as_str(), it.events.len())).collect())
    }

    fn event(&self, entry: &EventEntry, kind: Kind, process: usize, place: &str) -> Result<Event, FileError> {
        let object = match &entry.on {
            None => implied_object(kind, process),
            Some(None) => None,
            Some(Some(id)) => Some(self.process(id, place)?),
        };
        let pick = match &entry.from {
            None => Pick::None,
            Some(OneOrMany::One(word)) if word == NOTHING => Pick::Nothing,
            Some(partners) => Pick::Partners(self.references(partners, place)?),
        };
        let mut after = entry.after.as_ref().map_or(Ok(Vec::new()), |after| self.references(after, place))?;
        after.sort_unstable();
        let value = entry.value.as_ref().map(|value| value.0.clone());
        let label = match &entry.label {
            Some(text) => Some(Label { text: text.clone(), value }),
            None if value.is_some() => return Err(FileErrorKind::NoLabel { place: place.to_owned() }.into()),
            None => None,
        };
        Ok(Event {
            op: word(place, "operation", &entry.op, Op::recorded(), Op::word)?,
            object,
            pick,
            after,
            label,
            location: entry.at.as_ref().map(|at| location(at, place)).transpose()?,
        })
    }

    fn process(&self, id: &str, place: &str) -> Result<usize, FileError> {
        self.0
            .binary_search_by_key(&id, |(id, _)| id)
            .map_err(|_| FileErrorKind::UnknownProcess { place: place.to_owned(), id: id.to_owned() }.into())
    }

    fn references(&self, names: &OneOrMany, place: &str) -> Result<Vec<EventRef>, FileError> {
        names.as_slice().iter().map(|name| self.reference(name, place)).collect()
    }

    fn reference(&self, name: &str, place: &str) -> Result<EventRef, FileError> {
        let bad = || FileErrorKind::BadReference { place: place.to_owned(), text: name.to_owned() };
        let (id, index) = name.rsplit_once('#').ok_or_else(bad)?;
        if index.is_empty() || !index.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(bad().into());
        }
        let process = self.process(id, place)?;
        let events = self.0[process].1;
        match index.parse() {
            Ok(index) if index < events => Ok(EventRef { process, index }),
            _ => {
                Err(FileErrorKind::Dangling { place: place.to_owned(), name: name.to_owned(), events }.into())
            }
        }
    }
}

/// What a word stands for.
fn word<T>(
    place: &str,
    what: &'static str,
    word: &str,
    all: impl IntoIterator<Item = T, IntoIter: Clone>,
    word_of: fn(T) -> &'static str,
) -> Result<T, FileError>
where
    T: Copy,
{
    let mut all = all.into_iter();
    let words = all.clone().map(word_of);
    all.find(|&it| word_of(it) == word).ok_or_else(|| {
        let (place, word) = (place.to_owned(), word.to_owned());
        FileErrorKind::UnknownWord { place, what, word, words: words.collect() }.into()
    })
}

fn location(text: &str, place: &str) -> Result<Location, FileError> {
    let parse = || {
        let (rest, column) = text.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some(Location { file: file.to_owned(), line: line.parse().ok()?, column: column.parse().ok()? })
    };
    parse()
        .ok_or_else(|| FileErrorKind::BadLocation { place: place.to_owned(), text: text.to_owned() }.into())
}
