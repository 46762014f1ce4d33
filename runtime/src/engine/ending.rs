//! How a run has ended, or is about to.

use crate::engine::ids::ThreadId;
use crate::engine::refinement::Fact;

/// The program did not do again what it had done before the same picks.
#[derive(Clone, Debug)]
pub(crate) struct Divergence {
    /// The process, by its id.
    pub(crate) process: String,
    pub(crate) index: u32,
    pub(crate) expected: String,
    pub(crate) found: Option<String>,
    /// What it was to do was written down, and it never has done that.
    pub(crate) in_prefix: bool,
}

/// How a run has ended, or is about to.
#[derive(Default)]
pub(crate) struct Ending {
    /// Nobody is to go on: the run has reached a bound or a stack's end, left its script, or shown a fact.
    pub(crate) is_cut: bool,
    pub(crate) bound_hit: bool,
    pub(crate) divergence: Option<Divergence>,
    /// The thread whose stack overflowed: the program as a whole is over.
    pub(crate) overflowed: Option<ThreadId>,
    /// Stacks that were given up.
    pub(crate) leaked: u64,
    /// An object was used that does not belong to this run.
    pub(crate) foreign: bool,
    /// Facts that this run has shown. It is of no use then.
    pub(crate) new_facts: Vec<Fact>,
    /// Some thread has ended with something that it takes user code to drop.
    pub(crate) leaves_results: bool,
}

impl Ending {
    /// Starts another run.
    #[inline]
    pub(crate) fn reset(&mut self) {
        let Ending { is_cut, bound_hit, divergence, overflowed, leaked, foreign, new_facts, leaves_results } =
            self;
        (*is_cut, *bound_hit, *foreign, *leaves_results) = (false, false, false, false);
        *divergence = None;
        *overflowed = None;
        *leaked = 0;
        new_facts.clear();
    }
}
