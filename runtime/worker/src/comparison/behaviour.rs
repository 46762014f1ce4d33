//! One behaviour of a program, as far as programs are compared: its key, its ending, and the execution that shows it.

use std::sync::Arc;

use insyn_explorer::failure::Termination;
use insyn_sequences::{Sequence, SequenceFile, harmless};
use insyn_specs::spec::Orders;
use insyn_verdicts::reaction;

use super::super::output;

/// Only the beginning of an output with more bytes than this is shown, so that a huge output of a mutant cannot make its
/// result too large to keep.
const MOST_SHOWN: usize = 64 << 10;

/// A sequence, as far as programs are compared.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// The part of the sequence that the specification names.
    Abstract(Arc<Orders>),
    /// The whole sequence: there is no specification, or it has no words for this sequence.
    Complete(u128),
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ending {
    termination: Termination,
    /// As JSON.
    output: Option<String>,
}

impl Ending {
    pub(super) fn new(termination: Termination, output: Option<String>) -> Self {
        Ending { termination, output }
    }

    /// The ending as it is shown: with only the beginning of a very long output.
    pub(super) fn shown(&self) -> reaction::Ending {
        let output = match self.output.as_deref() {
            Some(text) if text.len() > MOST_SHOWN => Some(harmless::text(text).into()),
            text => output(text),
        };
        reaction::Ending { termination: self.termination, output }
    }

    pub(super) fn termination(&self) -> Termination {
        self.termination
    }

    pub(super) fn output(&self) -> Option<&str> {
        self.output.as_deref()
    }

    pub(super) fn has_termination_of(&self, other: &Ending) -> bool {
        self.termination == other.termination
    }

    pub(super) fn is_cut(&self) -> bool {
        self.termination == Termination::StepBound
    }
}

/// An execution that is kept whole.
pub(super) struct Kept {
    pub(super) key: Key,
    pub(super) ending: Ending,
    /// The sequence, with its races.
    pub(super) file: SequenceFile,
    /// The events that the variant changed, by their names.
    pub(super) changes: Vec<String>,
}

impl Kept {
    pub(super) fn sequence(&self) -> &Sequence {
        &self.file.sequence
    }
}
