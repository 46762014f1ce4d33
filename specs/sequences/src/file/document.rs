//! A sequence file as serde reads and writes it, in any format: names instead of indices, words instead of values.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

use super::names::Names;
use super::races::Races;
use super::scalar::{Atom, OneOrMany, Scalar};
use super::{DocumentError, DocumentErrorKind, NOTHING, SEQUENCE, SequenceFile, VERSION};
use crate::sequence::{Event, EventRef, Kind, Label, Location, Op, Pick, Process, Sequence};
use crate::termination::Termination;

/// The start of every file of this project, whatever its kind and version.
#[derive(Deserialize)]
pub struct Header {
    insyn: Option<Scalar>,
    version: Option<Scalar>,
}

impl Header {
    /// Whether it is the header of a sequence file that this crate can read.
    ///
    /// # Errors
    /// If the file is of another kind or version.
    pub fn check(self) -> Result<(), DocumentError> {
        let found = |it: Option<Scalar>| it.map(|it| it.0);
        let (insyn, version) = (found(self.insyn), found(self.version));
        if insyn.as_deref() != Some(SEQUENCE) {
            return Err(DocumentErrorKind::NotASequence { found: insyn }.into());
        }
        if version.as_deref() != Some(VERSION.to_string().as_str()) {
            return Err(DocumentErrorKind::Version { found: version }.into());
        }
        Ok(())
    }
}

/// A whole sequence file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Document {
    insyn: Option<Scalar>,
    version: Option<Scalar>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    about: BTreeMap<String, Scalar>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ended: Option<Scalar>,
    processes: Vec<ProcessEntry>,
    #[serde(skip_serializing_if = "Option::is_none")]
    races: Option<Races>,
}

impl Document {
    /// The document of a file whose sequence is in canonical form.
    pub(super) fn of(file: &SequenceFile) -> Document {
        let sequence = &file.sequence;
        Document {
            insyn: Some(Scalar(SEQUENCE.to_owned())),
            version: Some(Scalar(VERSION.to_string())),
            about: file.about.iter().map(|(name, note)| (name.clone(), Scalar(note.clone()))).collect(),
            ended: file.ended.map(|it| Scalar(it.word().to_owned())),
            processes: entries(sequence).collect(),
            races: file.races.as_ref().map(|table| Races::of(table, sequence)),
        }
    }

    /// Resolves words to values, and ids to indices.
    ///
    /// # Errors
    /// If the document is of another kind or version, or something in it is invalid.
    pub fn resolve(self) -> Result<SequenceFile, DocumentError> {
        Header { insyn: self.insyn, version: self.version }.check()?;
        let about = self.about.into_iter().map(|(name, note)| (name, note.0)).collect();
        let ends = || Termination::WORDS.map(|(_, end)| end);
        let ended = self.ended.map(|it| word("ended", "end", &it.0, ends(), Termination::word));
        let ended = ended.transpose()?;
        let mut entries = self.processes;
        let sequence = resolve_all(&mut entries)?;
        let races = self.races.map(|races| races.resolve(&names_of(&entries))).transpose()?;
        Ok(SequenceFile { about, ended, sequence, races })
    }
}

/// A thread or an object, with its events.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ProcessEntry {
    pub(super) id: String,
    pub(super) kind: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
    #[serde(default)]
    pub(super) events: Vec<EventEntry>,
}

/// An event.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EventEntry {
    pub(super) op: String,
    /// A missing field and `~` are different.
    #[serde(default, deserialize_with = "present", skip_serializing_if = "Option::is_none")]
    pub(super) on: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) from: Option<OneOrMany>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) after: Option<OneOrMany>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) empty: Option<OneOrMany>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) label: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) value: Option<Atom>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) at: Option<String>,
}

/// The processes of a sequence in canonical form.
pub(super) fn entries(sequence: &Sequence) -> impl Iterator<Item = ProcessEntry> {
    sequence.processes.iter().enumerate().map(|(index, process)| ProcessEntry {
        id: process.id.clone(),
        kind: process.kind.word().to_owned(),
        name: process.name.clone(),
        events: process.events.iter().map(|event| entry(sequence, index, event)).collect(),
    })
}

/// An event of the process at `index`.
fn entry(sequence: &Sequence, index: usize, event: &Event) -> EventEntry {
    let is_implied = event.object == implied_object(sequence.processes[index].kind, index);
    let names = |all: &[EventRef]| all.iter().map(|&it| sequence.event_name(it)).collect::<OneOrMany>();
    EventEntry {
        op: event.op.word().to_owned(),
        on: (!is_implied).then(|| event.object.map(|object| sequence.processes[object].id.clone())),
        from: match &event.pick {
            Pick::None => None,
            Pick::Nothing => Some(OneOrMany::One(NOTHING.to_owned())),
            Pick::Partners(partners) => Some(names(partners)),
        },
        after: (!event.after.is_empty()).then(|| names(&event.after)),
        empty: (!event.empty.is_empty())
            .then(|| event.empty.iter().map(|&it| sequence.processes[it].id.clone()).collect()),
        label: event.label.as_ref().map(|label| label.text.clone()),
        value: event.label.as_ref().and_then(|label| label.value.clone()).map(Atom),
        at: event.location.as_ref().map(ToString::to_string),
    }
}

/// The object of an event that names none: an object's events are on itself, a thread's on nothing.
fn implied_object(kind: Kind, process: usize) -> Option<usize> {
    (kind != Kind::Thread).then_some(process)
}

fn present<'de, D: Deserializer<'de>>(field: D) -> Result<Option<Option<String>>, D::Error> {
    Option::deserialize(field).map(Some)
}

/// The sequence of some processes, in any order.
///
/// # Errors
/// If something in them is invalid.
pub fn resolve(mut entries: Vec<ProcessEntry>) -> Result<Sequence, DocumentError> {
    resolve_all(&mut entries)
}

/// As [`resolve`], and sorts the entries.
fn resolve_all(entries: &mut [ProcessEntry]) -> Result<Sequence, DocumentError> {
    entries.sort_by(|a, b| a.id.cmp(&b.id));
    if let Some(pair) = entries.windows(2).find(|pair| pair[0].id == pair[1].id) {
        return Err(DocumentErrorKind::DuplicateId { id: pair[0].id.clone() }.into());
    }
    let names = names_of(entries);
    let mut processes = Vec::with_capacity(entries.len());
    for (index, entry) in entries.iter().enumerate() {
        let kind = word(&entry.id, "kind", &entry.kind, Kind::ALL, Kind::word)?;
        let event = |(i, event): (usize, &EventEntry)| {
            self::event(&names, event, kind, index, &format!("{}#{i}", entry.id))
        };
        processes.push(Process {
            id: entry.id.clone(),
            kind,
            name: entry.name.clone(),
            events: entry.events.iter().enumerate().map(event).collect::<Result<_, _>>()?,
        });
    }
    Ok(Sequence { processes })
}

/// The names in sorted entries.
fn names_of(entries: &[ProcessEntry]) -> Names<'_> {
    Names::new(entries.iter().map(|it| (it.id.as_str(), it.events.len())))
}

/// The event that an entry describes.
fn event(
    names: &Names<'_>,
    entry: &EventEntry,
    kind: Kind,
    process: usize,
    place: &str,
) -> Result<Event, DocumentError> {
    let object = match &entry.on {
        None => implied_object(kind, process),
        Some(None) => None,
        Some(Some(id)) => Some(names.process(id, place)?),
    };
    let pick = match &entry.from {
        None => Pick::None,
        Some(OneOrMany::One(word)) if word == NOTHING => Pick::Nothing,
        Some(partners) => Pick::Partners(names.references(partners, place)?),
    };
    let mut after = entry.after.as_ref().map_or(Ok(Vec::new()), |after| names.references(after, place))?;
    after.sort_unstable();
    let mut empty = entry.empty.as_ref().map_or(Ok(Vec::new()), |empty| names.processes(empty, place))?;
    empty.sort_unstable();
    let value = entry.value.as_ref().map(|value| value.0.clone());
    let label = match &entry.label {
        Some(text) => Some(Label { text: text.clone(), value }),
        None if value.is_some() => {
            return Err(DocumentErrorKind::NoLabel { place: place.to_owned() }.into());
        }
        None => None,
    };
    Ok(Event {
        op: word(place, "operation", &entry.op, Op::recorded(), Op::word)?,
        object,
        pick,
        after,
        empty,
        label,
        location: entry.at.as_ref().map(|at| location(at, place)).transpose()?,
    })
}

/// The value that a word stands for.
fn word<T>(
    place: &str,
    what: &'static str,
    word: &str,
    all: impl IntoIterator<Item = T, IntoIter: Clone>,
    word_of: fn(T) -> &'static str,
) -> Result<T, DocumentError>
where
    T: Copy,
{
    let mut all = all.into_iter();
    let words = all.clone().map(word_of);
    all.find(|&it| word_of(it) == word).ok_or_else(|| {
        let (place, word) = (place.to_owned(), word.to_owned());
        DocumentErrorKind::UnknownWord { place, what, word, words: words.collect() }.into()
    })
}

fn location(text: &str, place: &str) -> Result<Location, DocumentError> {
    let parse = || {
        let (rest, column) = text.rsplit_once(':')?;
        let (file, line) = rest.rsplit_once(':')?;
        Some(Location { file: file.to_owned(), line: line.parse().ok()?, column: column.parse().ok()? })
    };
    parse().ok_or_else(|| {
        DocumentErrorKind::BadLocation { place: place.to_owned(), text: text.to_owned() }.into()
    })
}
