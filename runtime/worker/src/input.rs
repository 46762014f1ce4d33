//! The input of a program: YAML (or JSON, which is YAML) that is read as whatever type the function takes. Without the
//! feature `specs` it is JSON.

use std::io;
use std::path::Path;

use serde::Deserialize;
use serde_json::Value as Data;
use thiserror::Error;

use super::About;
use super::function::Function;
use super::input_text::{InputError, parse};
use insyn_explorer::body::Body;

/// The input that the attribute gives.
#[derive(Clone, Copy, Debug)]
pub enum Given {
    /// The function takes no input.
    None,
    /// The function takes an input, but the attribute gives none: an empty mapping, so that fields may have defaults.
    Empty,
    /// Written in the attribute.
    Text(&'static str),
    /// In a file, by its path from the root of the package.
    File(&'static str),
}

/// The input of a function that takes none.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoInput {}

/// An input that has been read.
#[derive(Clone)]
pub(super) struct Input {
    /// The function, with this input.
    pub(super) program: Body,
    /// As it was written, if it was.
    pub(super) text: Option<String>,
    /// The same as data, for specifications.
    pub(super) data: Option<Data>,
}

/// Why a program cannot be run with an input.
#[derive(Debug, Error)]
#[error("{kind}")]
pub(super) struct InputRefusal {
    pub(super) kind: InputRefusalKind,
}

/// The reasons, with the program by its path.
#[derive(Debug, Error)]
pub(super) enum InputRefusalKind {
    /// The file that the attribute names cannot be read.
    #[error("the input of program `{program}` cannot be read: {path}: {error}")]
    Unreadable { program: String, path: &'static str, error: io::Error },
    /// The input does not match the type that the function takes; `what` describes where and why not.
    #[error("{what}\n  this is not an input that program `{program}` takes")]
    Unfit { program: String, what: String },
    /// The function takes an input, and none is given.
    #[error(
        "program `{program}` needs an input ({why}): give one with `#[insyn::test(input = \"..\")]`, or to `cargo insyn` \
         with `--input`"
    )]
    Missing { program: String, why: String },
    /// The function takes no input, and one is given.
    #[error("program `{program}` takes no input; leave `--input` out")]
    NotTaken { program: String },
}

impl From<InputRefusalKind> for InputRefusal {
    fn from(kind: InputRefusalKind) -> Self {
        InputRefusal { kind }
    }
}

impl Given {
    /// Reads the input as the type that the function takes. The error names the place, and the program.
    pub(super) fn read(self, about: &About, function: Function<'_>) -> Result<Input, InputRefusal> {
        let (text, place) = match self {
            Given::None | Given::Empty => (None, String::new()),
            Given::Text(text) => (Some(text.to_string()), "`input`".to_string()),
            Given::File(path) => {
                let full = Path::new(about.root).join(path);
                let unreadable = |error| InputRefusalKind::Unreadable { program: about.path(), path, error };
                let text = std::fs::read_to_string(&full).map_err(unreadable)?;
                (Some(text), path.to_string())
            }
        };
        read(text, |error| format!("{place}{error}"), about, function)
    }

    pub(super) fn is_taken(self) -> bool {
        !matches!(self, Given::None)
    }
}

/// Reads the input that the user gave to a program: `describe` describes what is wrong with it, and where.
pub(super) fn read(
    text: Option<String>,
    describe: impl FnOnce(&InputError) -> String,
    about: &About,
    function: Function<'_>,
) -> Result<Input, InputRefusal> {
    let program = about.path();
    match &text {
        Some(written) => match function(written) {
            Ok(program) => Ok(Input { program, data: parse(written).ok(), text }),
            Err(error) => Err(InputRefusalKind::Unfit { program, what: describe(&error) }.into()),
        },
        None => match function("{}") {
            Ok(program) => Ok(Input { program, text, data: None }),
            Err(error) => Err(InputRefusalKind::Missing { program, why: error.message }.into()),
        },
    }
}
