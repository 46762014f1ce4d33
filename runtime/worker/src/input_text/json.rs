//! Inputs as JSON: what can be read without a YAML library.

use std::fmt;

use serde::de::DeserializeOwned;

/// Why a text is not an input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InputError {
    /// What is wrong.
    pub(crate) message: String,
    /// Line and column, from 1.
    position: (usize, usize),
}

/// `:line:column: message`, to follow the name of a file.
impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (line, column) = self.position;
        write!(f, ":{line}:{column}: {}", self.message)
    }
}

/// Reads an input.
pub(crate) fn parse<T: DeserializeOwned>(text: &str) -> Result<T, InputError> {
    serde_json::from_str(text).map_err(|error| {
        let position = (error.line(), error.column());
        let place = format!(" at line {} column {}", position.0, position.1);
        let message = error.to_string();
        let message = message.strip_suffix(&place).unwrap_or(&message);
        let hint = match error.is_data() {
            true => "",
            false => "; write it as JSON, or read YAML with the feature `specs` of insyn",
        };
        InputError { message: format!("{message}{hint}"), position }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_json_says_what_to_do() {
        assert_eq!(parse::<u32>("3"), Ok(3));
        let error = parse::<Vec<u32>>("[1, two]").unwrap_err().to_string();
        assert!(error.starts_with(":1:") && error.ends_with("the feature `specs` of insyn"), "{error}");
        let error = parse::<u32>("true").unwrap_err().to_string();
        assert_eq!(error, ":1:4: invalid type: boolean `true`, expected u32");
    }
}
