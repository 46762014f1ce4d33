//! Reads YAML within bounds: any text is read in time and memory proportional to its length.
//!
//! [`read`] returns a typed value, [`tree`] a tree of [`Node`]s with their positions in the text. The
//! first pass determines the value, in the same way for every kind of file; a second pass finds positions ([`marks`]).
//!
//! This is the only file that names the YAML library.

use serde::de::DeserializeOwned;
use serde_yaml::Value;
use thiserror::Error;

mod budget;
mod marks;
mod nesting;
mod node;

use marks::Mark;
pub(crate) use nesting::DEEPEST;
pub(crate) use node::{Content, Key, Node};

/// The length of the longest text that is read, in bytes.
pub(crate) const LONGEST: usize = 64 << 20;

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum YamlError {
    #[error("the file is longer than {} MiB", LONGEST >> 20)]
    TooLong,
    #[error("the file nests more than {DEEPEST} levels deep")]
    TooDeep {
        /// Line and column, from 1.
        position: (usize, usize),
    },
    #[error("the aliases expand to more than the file could hold")]
    TooManyAliases {
        /// Line and column, from 1, of the part that is repeated.
        position: Option<(usize, usize)>,
    },
    #[error("{message}")]
    Syntax {
        message: String,
        /// Line and column, from 1.
        position: Option<(usize, usize)>,
    },
}

/// Reads a value of any type.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, YamlError> {
    if text.len() > LONGEST {
        return Err(YamlError::TooLong);
    }
    if let Some(position) = nesting::beyond(DEEPEST, text) {
        return Err(YamlError::TooDeep { position });
    }
    budget::check(text, serde_yaml::Deserializer::from_str(text))?;
    Ok(serde_yaml::from_str(text)?)
}

/// Reads a tree in which every node has its position.
pub(crate) fn tree(text: &str) -> Result<Node, YamlError> {
    let value: Value = read(text).map_err(|error| match error {
        // For a duplicate key, the library only reports the position of the mapping.
        YamlError::Syntax { message, position } if message.contains("duplicate entry") => {
            YamlError::Syntax { message, position: marks::of(text).first_twice().or(position) }
        }
        error => error,
    })?;
    grow(value, &marks::of(text))
}

/// Combines values and positions. Where the two passes differ about the shape, and behind an alias, a node has the position
/// of the node around it.
fn grow(value: Value, mark: &Mark) -> Result<Node, YamlError> {
    let inner = |i: usize| mark.inner.get(i).unwrap_or(mark);
    let refuse = |message: &str, at: &Mark| YamlError::Syntax {
        message: message.to_owned(),
        position: Some((at.line, at.column)),
    };
    let content = match value {
        Value::Null => Content::Null,
        Value::Bool(it) => Content::Boolean(it),
        Value::Number(it) => match (it.as_i64(), it.as_u64(), it.as_f64()) {
            (Some(it), _, _) => Content::Number(it.into()),
            (_, Some(it), _) => Content::Number(it.into()),
            (_, _, Some(it)) => match serde_json::Number::from_f64(it) {
                Some(it) => Content::Number(it),
                None => return Err(refuse("infinity and NaN are not supported; use a finite number", mark)),
            },
            _ => return Err(refuse("this number is not supported; write it as a text", mark)),
        },
        Value::String(it) => Content::Text(it),
        Value::Sequence(all) => {
            let nodes = all.into_iter().enumerate().map(|(i, it)| grow(it, inner(i)));
            Content::List(nodes.collect::<Result<_, _>>()?)
        }
        Value::Mapping(all) => {
            let entries = all.into_iter().enumerate().map(|(i, (key, it))| match key {
                Value::String(text) => {
                    let mark = inner(2 * i);
                    let key = Key { text, line: mark.line, column: mark.column };
                    Ok((key, grow(it, inner(2 * i + 1))?))
                }
                _ => Err(refuse("keys must be texts; put it in quotes", inner(2 * i))),
            });
            Content::Map(entries.collect::<Result<_, _>>()?)
        }
        Value::Tagged(_) => return Err(refuse("tags are not supported; remove it", mark)),
    };
    Ok(Node { line: mark.line, column: mark.column, verbatim: mark.verbatim, content })
}

impl From<serde_yaml::Error> for YamlError {
    fn from(error: serde_yaml::Error) -> Self {
        let position = error.location().map(|it| (it.line(), it.column()));
        YamlError::Syntax { message: error.to_string(), position }
    }
}
