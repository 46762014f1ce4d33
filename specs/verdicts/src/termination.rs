//! How an execution ended.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How an execution ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// Every thread reached its end.
    #[default]
    Normal,
    /// Some threads are blocked and none can move.
    Deadlock,
    /// Some threads are blocked forever, while others still ran when a bound stopped them. The blocked threads wait for each other
    /// in a cycle, for a thread in the cycle, or for a lock whose holder (or, for a reader-writer lock, any of its holders) has ended
    /// without releasing it.
    LocalDeadlock,
    /// A thread panicked and no thread that joined it received the panic, or the closure itself panicked.
    Panic,
    /// The bound on steps was reached.
    StepBound,
    /// A thread ran out of stack.
    StackOverflow,
    /// The program used an object that was made in another execution, or outside: it kept something from one execution
    /// to the next, so executions are not independent.
    ForeignObject,
    /// The program did not repeat what it did before with the same picks: something that insyn does not
    /// control (the clock, random numbers, I/O, the order of a `HashMap`) decides what it does.
    Nondeterminism,
}

impl Termination {
    /// Every way to end, in the order of their declaration.
    pub const ALL: [Termination; 8] = [
        Termination::Normal,
        Termination::Deadlock,
        Termination::LocalDeadlock,
        Termination::Panic,
        Termination::StepBound,
        Termination::StackOverflow,
        Termination::ForeignObject,
        Termination::Nondeterminism,
    ];

    /// The words for it in reports.
    pub fn words(self) -> &'static str {
        match self {
            Termination::Normal => "normal end",
            Termination::Deadlock => "deadlock",
            Termination::LocalDeadlock => "local deadlock",
            Termination::Panic => "panic",
            Termination::StepBound => "step bound reached",
            Termination::StackOverflow => "stack overflow",
            Termination::ForeignObject => "foreign object",
            Termination::Nondeterminism => "uncontrolled nondeterminism",
        }
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words())
    }
}

/// Serializes a termination as its [words](Termination::words).
pub(crate) mod words {
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    use super::Termination;

    pub(crate) fn serialize<S: Serializer>(it: &Termination, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(it.words())
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Termination, D::Error> {
        let words = String::deserialize(deserializer)?;
        let found = Termination::ALL.into_iter().find(|it| it.words() == words);
        found.ok_or_else(|| D::Error::custom(format!("unknown termination `{words}`")))
    }
}
