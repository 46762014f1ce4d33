//! The input of a program: any YAML that has the shape the program takes.

use std::fmt;

use serde::de::DeserializeOwned;

use crate::yaml::{self, YamlError};

/// Why a text is not a valid input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputError {
    /// What is wrong.
    pub message: String,
    /// Line and column, from 1, if known.
    pub position: Option<(usize, usize)>,
}

impl InputError {
    /// What is wrong, without the position, which the YAML library adds to its messages.
    pub fn bare(&self) -> &str {
        let place = self.position.map(|(line, column)| format!(" at line {line} column {column}"));
        place.and_then(|it| self.message.strip_suffix(&it)).unwrap_or(&self.message)
    }
}

/// `:line:column: message`, to follow the name of a file.
impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((line, column)) = self.position {
            write!(f, ":{line}:{column}")?;
        }
        write!(f, ": {}", self.bare())
    }
}

impl std::error::Error for InputError {}

/// Reads an input. Any text yields a value or an error, in time and memory proportional to its length.
///
/// # Errors
/// If the text is not YAML, or does not have the shape of a `T`.
///
/// ```
/// let slots: std::collections::BTreeMap<String, u32> = insyn_specs::input::read("{slots: 2}")?;
/// assert_eq!(slots["slots"], 2);
///
/// let error = insyn_specs::input::read::<u32>("two").unwrap_err();
/// assert_eq!(error.position, Some((1, 1)));
/// # Ok::<(), insyn_specs::input::InputError>(())
/// ```
pub fn read<T: DeserializeOwned>(text: &str) -> Result<T, InputError> {
    yaml::read(text).map_err(|error| match error {
        YamlError::Syntax { message, position } => InputError { message, position },
        other => InputError { message: other.to_string(), position: None },
    })
}
