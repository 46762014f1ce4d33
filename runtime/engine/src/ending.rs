//! How a run has ended, or is about to.

use crate::ids::ThreadId;
use crate::refinement::Fact;

/// The program did not do again what it had done before the same picks.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// The process, by its id.
    pub process: String,
    pub index: u32,
    pub expected: String,
    pub found: Found,
    /// What it was to do was written down, and it never has done that.
    pub in_prefix: bool,
}

/// What a run did in place of an event of its script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Another event.
    Event(String),
    /// It never came there.
    Nothing,
    /// It came there, but real objects could not have done that.
    Refusal,
    /// The same; but it comes after this event, which was not written down.
    Gap(String),
    /// All that was written down; but real objects could not have done it in any order. These events show it.
    Cycle(Vec<String>),
}

/// How a run has ended, or is about to.
#[derive(Default)]
pub struct Ending {
    /// No thread may go on: the run has reached a bound or a stack's end, left its script, or shown a fact.
    pub is_cut: bool,
    pub bound_hit: bool,
    pub divergence: Option<Divergence>,
    /// The thread whose stack overflowed: the program as a whole is over.
    pub overflowed: Option<ThreadId>,
    /// Stacks that were given up.
    pub leaked: u64,
    /// An object was used that does not belong to this run.
    pub foreign: bool,
    /// Facts that this run has shown. It is of no use then.
    pub new_facts: Vec<Fact>,
    /// Some thread has ended with something that it takes user code to drop.
    pub(crate) leaves_results: bool,
}

impl Ending {
    /// Starts another run.
    #[inline]
    pub fn reset(&mut self) {
        let Ending { is_cut, bound_hit, divergence, overflowed, leaked, foreign, new_facts, leaves_results } =
            self;
        (*is_cut, *bound_hit, *foreign, *leaves_results) = (false, false, false, false);
        *divergence = None;
        *overflowed = None;
        *leaked = 0;
        new_facts.clear();
    }
}
