//! Reads sequence files, whose form [`insyn_sequences::file`] describes and writes.

use insyn_sequences::SequenceFile;
use insyn_sequences::file::{Document, DocumentError, Header};
use insyn_sequences::report::{self, Style};
use insyn_verdicts::protocol::Failed;
use thiserror::Error;

use crate::yaml::{self, YamlError};

/// Reads the text of a sequence file. Any text yields a value or an error, in time and memory proportional to its
/// length.
///
/// # Errors
/// See [`FileErrorKind`].
pub fn read(text: &str) -> Result<SequenceFile, FileError> {
    match yaml::read::<Document>(text) {
        Ok(document) => Ok(document.resolve()?),
        // A file of another kind or version does not match: report that, instead of one of its fields.
        Err(error) => {
            if let Ok(header) = yaml::read::<Header>(text) {
                header.check()?;
            }
            Err(error.into())
        }
    }
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct FileError {
    /// What is wrong with it.
    pub kind: FileErrorKind,
}

/// What is wrong with a file.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FileErrorKind {
    /// The text is not YAML, or not of the shape of a sequence file.
    #[error("not a valid sequence file: {message}; correct the YAML there")]
    Yaml {
        /// The message of the YAML library, with the position if that is known.
        message: String,
        /// Line and column, from 1.
        position: Option<(usize, usize)>,
    },
    /// Brackets nest more deeply than in any sequence.
    #[error("its brackets nest more than {} levels deep; use a file with `insyn: sequence`", yaml::DEEPEST)]
    TooDeep,
    /// Aliases expand to a document much larger than its text.
    #[error("its aliases expand to more than the file could hold; write the repeated parts out")]
    TooManyAliases,
    /// The text is longer than any sequence.
    #[error("it is longer than {} MiB; use a file with `insyn: sequence`", yaml::LONGEST >> 20)]
    TooLong,
    /// It is of another kind or version, or something in it is invalid.
    #[error(transparent)]
    Document(DocumentError),
}

impl From<DocumentError> for FileError {
    fn from(error: DocumentError) -> Self {
        FileError { kind: FileErrorKind::Document(error) }
    }
}

impl From<YamlError> for FileError {
    fn from(error: YamlError) -> Self {
        let kind = match error {
            YamlError::TooLong => FileErrorKind::TooLong,
            YamlError::TooDeep { .. } => FileErrorKind::TooDeep,
            YamlError::TooManyAliases { .. } => FileErrorKind::TooManyAliases,
            YamlError::Syntax { message, position } => FileErrorKind::Yaml { message, position },
        };
        FileError { kind }
    }
}

/// The text of a failure, set in a style; its own text if its file cannot be read.
pub fn set(failed: &Failed, style: &Style) -> String {
    match read(&failed.file) {
        Ok(file) => report::render(&file.sequence, &failed.failing, style),
        Err(_) => failed.report.clone(),
    }
}
