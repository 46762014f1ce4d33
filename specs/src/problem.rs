//! Problems with a file that a person wrote: where, what is wrong, and what to do about it.

use std::fmt;
use std::sync::Arc;

use thiserror::Error;

use crate::yaml::YamlError;

/// A place in a file, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The name by which the file was given.
    pub file: Arc<str>,
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A problem, found while reading a file or later, while using its contents.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{position}: {message}; {hint}")]
pub struct Problem {
    /// Where.
    pub position: Position,
    /// Its kind.
    pub kind: ProblemKind,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// The kinds of problem.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum ProblemKind {
    /// The text is not valid YAML, or an expression in it is not valid.
    Syntax,
    /// The file is of another kind or version.
    Header,
    /// A key, name or word that does not exist.
    Unknown,
    /// A value of the wrong type or shape, or one that is missing.
    Type,
    /// Two parts that contradict each other.
    Contradiction,
    /// An overflow, a division by zero, an index out of range.
    Arithmetic,
    /// Too large, too deep, or endless.
    Limit,
    /// The input does not fit the parameters.
    Input,
}

impl Problem {
    pub(crate) fn new(
        position: &Position,
        kind: ProblemKind,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> Problem {
        Problem { position: position.clone(), kind, message: message.into(), hint: hint.into() }
    }

    pub(crate) fn of_yaml(file: &Arc<str>, error: YamlError) -> Problem {
        let place = match &error {
            YamlError::Syntax { position, .. } | YamlError::TooManyAliases { position } => {
                position.unwrap_or((1, 1))
            }
            YamlError::TooDeep { position } => *position,
            YamlError::TooLong => (1, 1),
        };
        let position = Position { file: file.clone(), line: place.0, column: place.1 };
        let (kind, hint) = match error {
            YamlError::Syntax { .. } => (ProblemKind::Syntax, "correct the YAML there"),
            YamlError::TooLong => (ProblemKind::Limit, "split it into several files"),
            YamlError::TooDeep { .. } => (ProblemKind::Limit, "reduce the nesting"),
            YamlError::TooManyAliases { .. } => (ProblemKind::Limit, "write the repeated parts out"),
        };
        Problem::new(&position, kind, error.to_string(), hint)
    }
}

/// The name that was probably meant.
pub fn nearest<'a>(word: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Long words are not typos, and comparing them takes time.
    let is_near = |&(distance, name): &(usize, &str)| distance <= 1 + name.len().min(word.len()) / 3;
    let short = word.len() <= 100;
    let all = names.into_iter().filter(|name| short && name.len() <= 100);
    all.map(|name| (strsim::damerau_levenshtein(word, name), name))
        .filter(is_near)
        .min()
        .map(|(_, name)| name)
}

/// A hint for a word that is not one of these names.
pub(crate) fn did_you_mean<'a>(word: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> String {
    /// More names than this are not listed.
    const MOST: usize = 12;
    let all: Vec<&str> = names.clone().into_iter().collect();
    match nearest(word, names) {
        Some(name) => format!("did you mean `{name}`?"),
        None if all.is_empty() => "nothing is declared that could be meant".to_owned(),
        None if all.len() > MOST => {
            format!("use one of {} and {} more", all[..MOST].join(", "), all.len() - MOST)
        }
        None => format!("use one of {}", all.join(", ")),
    }
}
