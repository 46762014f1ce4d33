//! Why the test suite rejects a mutant.

use std::sync::Arc;

use insyn_specs::Word;
use insyn_verdicts::KillKind;

use super::behaviour::Kept;

/// Why the suite rejects a mutant.
pub(super) struct Rejected {
    pub(super) kind: KillKind,
    pub(super) why: String,
    /// For a specification: the word that it rejects, and the place of the letter at which it does.
    pub(super) word: Option<(Word, usize)>,
    /// The execution that shows it.
    pub(super) kept: Option<Arc<Kept>>,
}
