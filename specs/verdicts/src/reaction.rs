//! What a program does with a sequence: whether it can do it, and with which results.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value as Data;

use crate::termination::Termination;

/// Whether a program can do a sequence.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Feasibility {
    /// Some execution does it.
    Feasible,
    /// No execution does it.
    Infeasible,
    /// A bound was reached before either was shown.
    #[default]
    Unknown,
}

impl Feasibility {
    /// The word for it in files and reports.
    pub fn word(self) -> &'static str {
        match self {
            Feasibility::Feasible => "feasible",
            Feasibility::Infeasible => "infeasible",
            Feasibility::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Feasibility {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What a program does with a sequence.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reaction {
    /// Whether it can do it.
    pub verdict: Feasibility,
    /// How the executions that do it can end, and what they return, in a fixed order.
    pub results: Vec<Ending>,
    /// Why it cannot, if the reason was requested.
    pub why: String,
}

/// How an execution ended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ending {
    /// Normally, or by which failure.
    pub termination: Termination,
    /// What the program returned.
    pub output: Option<Data>,
}
