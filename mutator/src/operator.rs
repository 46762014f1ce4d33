//! Mutation operators by name, and the families they belong to.
//!
//! What an operator does is in the file of its family, in [`families`](crate::families).

use std::fmt;

/// A mutation operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operator {
    /// Three letters, those of the literature if it has the operator.
    pub code: &'static str,
    /// The family it belongs to.
    pub family: Family,
    /// What it does: before → after.
    pub change: &'static str,
    /// Whether the replacement has another type than the original, so that they cannot be the two branches of one `if`.
    pub(crate) retypes: bool,
}

impl Operator {
    pub(crate) const fn new(code: &'static str, family: Family, change: &'static str) -> Self {
        Operator { code, family, change, retypes: false }
    }

    pub(crate) const fn retyping(self) -> Self {
        Operator { retypes: true, ..self }
    }
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code)
    }
}

/// What a group of operators is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// Conditions of selects, loops and ifs.
    Guards,
    /// Expressions and statements of any program.
    Operators,
    /// Messages, and the selects that wait for them.
    Channels,
    /// Critical sections and condition variables.
    Locks,
    /// Semaphores, barriers, threads, timeouts and atomics.
    Threads,
}

impl Family {
    /// All families, in order.
    pub const ALL: [Family; 5] =
        [Family::Guards, Family::Operators, Family::Channels, Family::Locks, Family::Threads];

    /// The name by which users select it.
    pub fn name(self) -> &'static str {
        match self {
            Family::Guards => "guards",
            Family::Operators => "operators",
            Family::Channels => "channels",
            Family::Locks => "locks",
            Family::Threads => "threads",
        }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
