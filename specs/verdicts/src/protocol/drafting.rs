//! Answers to requests about what a specification could say of a program.

use insyn_sequences::Catalog;
use serde::{Deserialize, Serialize};
use serde_json::Value as Data;

/// What a specification can match in a program.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Catalogued {
    /// The input that it ran with, as JSON.
    pub input: Option<Data>,
    /// Distinct sequences that it was found in.
    pub sequences: u64,
    /// Whether every sequence was run.
    pub complete: bool,
    /// Why not, if a bound was reached.
    pub bound: Option<String>,
    /// The threads, objects and events.
    pub catalog: Catalog,
    /// Why the results say nothing, if so: nothing is under control, or more than should be.
    #[serde(default)]
    pub oversight: Option<String>,
}

/// A draft of a specification.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Drafted {
    /// How many sequences it was made from.
    pub sequences: u64,
    /// Whether every sequence was run.
    pub complete: bool,
    /// Why not, if a bound was reached.
    pub bound: Option<String>,
    /// How many sequences fail. The draft says nothing of them.
    pub failing: u64,
    /// The text of a specification.
    pub file: String,
}
