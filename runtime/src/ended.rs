//! What an observer sees of an execution that has just ended.

use insyn_specs::Sequence;
use serde::Serialize;

use crate::execution::Execution;
use crate::failure::{self, Failure, Termination};
use crate::races::RaceTable;

/// An execution that has just ended. What is asked for is computed then, so that an observer pays only for what it
/// looks at.
pub struct Ended<'a> {
    x: &'a Execution,
    counted: bool,
    termination: Termination,
    output: &'a dyn Output,
    round: u32,
}

impl<'a> Ended<'a> {
    pub(crate) fn new(
        x: &'a Execution,
        counted: bool,
        termination: Termination,
        output: &'a impl Output,
        round: u32,
    ) -> Self {
        Ended { x, counted, termination, output, round }
    }

    /// How often the exploration had started again before this execution, because it had found out something about the
    /// program. Only the last round counts.
    pub fn round(&self) -> u32 {
        self.round
    }

    /// Whether this execution is a behaviour of its own. False for repeats and for runs that no real program could do:
    /// nothing about those should be reported.
    pub fn counted(&self) -> bool {
        self.counted
    }

    /// What it did.
    pub fn sequence(&self) -> Sequence {
        crate::sequence::collect(self.x)
    }

    /// How many operations its threads have started, which is what a bound on steps counts.
    pub fn steps(&self) -> u64 {
        self.x.steps()
    }

    /// How it ended.
    pub fn termination(&self) -> Termination {
        self.termination
    }

    /// What the closure returned, as JSON; none if it did not return.
    pub fn output(&self) -> Option<String> {
        self.output.json()
    }

    pub(crate) fn execution(&self) -> &Execution {
        self.x
    }

    /// All of it.
    pub(crate) fn to_execution(&self) -> crate::results::Execution {
        crate::results::Execution {
            sequence: self.sequence(),
            termination: self.termination,
            output: self.output(),
            failure: self.failure(),
        }
    }

    /// Its races, and the variants that follow from them.
    pub fn race_table(&self) -> RaceTable {
        crate::races::race_table(self.x)
    }

    /// The failure report; none if it ended normally.
    pub fn failure(&self) -> Option<Failure> {
        (self.termination != Termination::Normal).then(|| failure::describe(self.x, self.termination))
    }
}

/// What the closure under test returned, if it did.
pub(crate) trait Output {
    fn json(&self) -> Option<String>;
}

impl<R: Serialize> Output for Option<R> {
    fn json(&self) -> Option<String> {
        // A value that cannot be written (a map with keys that are no strings) is told apart from no value.
        self.as_ref().map(|r| serde_json::to_string(r).unwrap_or_else(|e| format!("\"unprintable: {e}\"")))
    }
}
