//! Why the mutants of a file cannot be found.

use crate::extent::Position;

/// A file that mutants cannot be found in.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}:{position}: {message}")]
pub struct FindError {
    /// The file.
    pub file: String,
    /// Where it is wrong.
    pub position: Position,
    /// What is wrong, and what to do.
    pub message: String,
    /// Whether the file itself cannot be read, or only a comment in it that skips mutants.
    pub kind: FindErrorKind,
}

/// What is wrong with a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FindErrorKind {
    /// The file cannot be parsed as Rust.
    Syntax,
    /// A comment that skips mutants is malformed.
    Skip,
}
