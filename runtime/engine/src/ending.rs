//! How a run has ended, or is about to.

use crate::ids::ThreadId;
use crate::limits::Limit;
use crate::refinement::Fact;

/// With the same picks, the program did not do what it had done before.
#[derive(Clone, Debug)]
pub struct Divergence {
    /// The process, by its id.
    pub process: String,
    pub index: u32,
    pub expected: String,
    pub found: Found,
    /// The expected event comes from a recording, not from an earlier run of this exploration.
    pub in_prefix: bool,
}

/// What a run did in place of an event of its script.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Found {
    /// Another event.
    Event(String),
    /// The run never reached the event.
    Nothing,
    /// The run reached the event, but real objects could not have done it.
    Refusal,
    /// The same event, but it comes after this one, which is not in the recording.
    Gap(String),
    /// All recorded events, but real objects could not have done them in any order. This cycle of events shows it.
    Cycle(Vec<String>),
}

/// How a run has ended, or is about to.
#[derive(Default)]
pub struct Ending {
    /// No thread may go on: the run has reached a bound or a stack's end, left its script, or shown a fact.
    pub is_cut: bool,
    pub bound_hit: bool,
    /// A limit cut the run, of which nothing follows.
    pub limit: Option<Limit>,
    pub divergence: Option<Divergence>,
    /// The thread whose stack overflowed: the program as a whole is over.
    pub overflowed: Option<ThreadId>,
    /// Stacks that were given up.
    pub leaked: u64,
    /// An object was used that does not belong to this run.
    pub foreign: bool,
    /// Facts that this run has shown. If there are any, the run is discarded.
    pub new_facts: Vec<Fact>,
    /// Some thread has ended with a value whose destructor is user code.
    pub(crate) leaves_results: bool,
}

impl Ending {
    /// Starts another run.
    #[inline]
    pub fn reset(&mut self) {
        let Ending {
            is_cut,
            bound_hit,
            limit,
            divergence,
            overflowed,
            leaked,
            foreign,
            new_facts,
            leaves_results,
        } = self;
        (*is_cut, *bound_hit, *foreign, *leaves_results) = (false, false, false, false);
        *limit = None;
        *divergence = None;
        *overflowed = None;
        *leaked = 0;
        new_facts.clear();
    }
}
