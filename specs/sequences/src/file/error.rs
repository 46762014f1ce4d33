//! Why a document is not a sequence file, and what to do about it.

use thiserror::Error;

/// Why a document is not a sequence file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct DocumentError {
    /// What is wrong with it.
    pub kind: DocumentErrorKind,
}

/// What is wrong with a document. A `place` is a process (`main/thread1`) or an event (`main/thread1#3`).
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum DocumentErrorKind {
    /// The text is not JSON, or not of the shape of a sequence file.
    #[error("not the JSON of a sequence file: {message}")]
    Json {
        /// The message of the JSON library.
        message: String,
    },
    /// The file is of another kind.
    #[error(
        "this is not a sequence file: {}; use a file with `insyn: sequence`",
        found.as_ref().map_or_else(|| "`insyn` is missing".to_owned(), |it| format!("it has `insyn: {}`", it.escape_debug()))
    )]
    NotASequence {
        /// The value of its field `insyn`.
        found: Option<String>,
    },
    /// The file was written in another version of the form.
    #[error(
        "this sequence file has {}, but only version {} is supported; write it again with this release",
        found.as_ref().map_or_else(|| "no version".to_owned(), |it| format!("version {}", it.escape_debug())),
        super::VERSION
    )]
    Version {
        /// The value of its field `version`.
        found: Option<String>,
    },
    /// Two processes have one id.
    #[error("two processes have the id {id:?}; give each its own")]
    DuplicateId {
        /// The id.
        id: String,
    },
    /// A word is not one of those expected.
    #[error("{place}: unknown {what} {word:?}; use one of {}", words.join(", "))]
    UnknownWord {
        /// Where.
        place: String,
        /// What kind of word is expected.
        what: &'static str,
        /// The word.
        word: String,
        /// The valid words.
        words: Vec<&'static str>,
    },
    /// An event names a process that the file does not have.
    #[error("{place}: there is no process {id:?}; add it to `processes` or correct the id")]
    UnknownProcess {
        /// Where.
        place: String,
        /// The id.
        id: String,
    },
    /// An event names an event that its process does not have.
    #[error(
        "{place}: there is no event {name:?}, because that process has {events} (counted from 0); correct the index"
    )]
    Dangling {
        /// Where.
        place: String,
        /// The name of the event.
        name: String,
        /// How many events the process has.
        events: usize,
    },
    /// A text should name an event and does not.
    #[error("{place}: {text:?} does not name an event; write `process-id#index`, or `nothing` in `from`")]
    BadReference {
        /// Where.
        place: String,
        /// The text.
        text: String,
    },
    /// An event has the value of a label, but no label.
    #[error("{place}: a `value` belongs to a `label`; add the label or remove the value")]
    NoLabel {
        /// Where.
        place: String,
    },
    /// A row of the race table does not fit its columns.
    #[error(
        "row {row} of `races` does not fit; give a number for each of its {columns} columns: 0, -1, or the place of \
         something in `instead`, from 1"
    )]
    BadRow {
        /// Which row, from 1.
        row: usize,
        /// How many numbers it should have.
        columns: usize,
    },
    /// A text should be a place in a source and is not.
    #[error("{place}: {text:?} is not a place in a source; write `file:line:column`")]
    BadLocation {
        /// Where.
        place: String,
        /// The text.
        text: String,
    },
}

impl DocumentErrorKind {
    /// The process or event where it is, if that is known: `main/thread1`, `main/thread1#3`.
    pub fn place(&self) -> Option<&str> {
        match self {
            DocumentErrorKind::DuplicateId { id } => Some(id),
            DocumentErrorKind::UnknownWord { place, .. }
            | DocumentErrorKind::UnknownProcess { place, .. }
            | DocumentErrorKind::Dangling { place, .. }
            | DocumentErrorKind::BadReference { place, .. }
            | DocumentErrorKind::NoLabel { place }
            | DocumentErrorKind::BadLocation { place, .. } => Some(place),
            _ => None,
        }
    }
}

impl From<DocumentErrorKind> for DocumentError {
    fn from(kind: DocumentErrorKind) -> Self {
        DocumentError { kind }
    }
}
