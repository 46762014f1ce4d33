//! Whether a program conforms to its specification.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How feasible and valid sequences should compare.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Conformance {
    /// They are the same.
    #[default]
    Equal,
    /// Every feasible sequence is valid.
    Subset,
    /// Every valid sequence is feasible.
    Superset,
}

impl Conformance {
    /// The words in files.
    pub const WORDS: [(&'static str, Conformance); 3] =
        [("equal", Conformance::Equal), ("subset", Conformance::Subset), ("superset", Conformance::Superset)];

    /// The word for it in files and reports.
    pub fn word(self) -> &'static str {
        match self {
            Conformance::Equal => "equal",
            Conformance::Subset => "subset",
            Conformance::Superset => "superset",
        }
    }
}

impl fmt::Display for Conformance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Whether a program conforms to its specification.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Conformity {
    /// It does.
    Correct,
    /// It does not.
    Incorrect,
    /// A bound was reached before that was known.
    #[default]
    Unknown,
}

impl fmt::Display for Conformity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Conformity::Correct => "correct",
            Conformity::Incorrect => "incorrect",
            Conformity::Unknown => "unknown",
        })
    }
}
