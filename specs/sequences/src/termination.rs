//! How executions end.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How an execution ended, as far as specifications and tests distinguish it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// Every thread reached its end.
    #[default]
    Normal,
    /// Some threads are blocked forever, and nothing else can happen.
    Deadlock,
    /// Some threads are blocked forever, while others ran until they were stopped.
    LocalDeadlock,
    /// A thread panicked, or the program failed in another way.
    Panic,
    /// The bound on steps was reached.
    Bound,
}

impl Termination {
    /// The words in files.
    pub const WORDS: [(&'static str, Termination); 5] = [
        ("normal", Termination::Normal),
        ("deadlock", Termination::Deadlock),
        ("local-deadlock", Termination::LocalDeadlock),
        ("panic", Termination::Panic),
        ("bound", Termination::Bound),
    ];

    /// The word for it in files.
    pub fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, it)| *it == self).map_or("", |(word, _)| word)
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}
