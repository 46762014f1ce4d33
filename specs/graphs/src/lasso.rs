//! Lassos: endless runs that can be written down, as a path from the initial state and a cycle at its end.

use thiserror::Error;

use crate::graph::{Activity, StateGraph, StateId, TransitionId};
use crate::liveness::Kind;
use crate::thread::{ThreadId, ThreadSet};

/// A run of a program: first the stem, then the cycle over and over. Without a cycle it is a finite path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The transitions from the initial state to where the cycle begins.
    pub stem: Vec<TransitionId>,
    /// The transitions of the cycle.
    pub cycle: Vec<TransitionId>,
    /// Whether no shorter cycle through the same state would do. The search for one is given up where many threads have to move.
    pub is_shortest: bool,
}

/// Why a lasso does not show what it should.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LassoFault {
    /// There is no such transition.
    #[error("step {step} is no transition of the graph")]
    Unknown {
        /// Counted from 1, through stem and cycle.
        step: usize,
    },
    /// A transition does not begin where the one before it ends.
    #[error("step {step} does not begin where the run is")]
    Broken {
        /// Counted from 1, through stem and cycle.
        step: usize,
    },
    /// The cycle does not lead back to where it begins.
    #[error("the cycle does not lead back to its first state")]
    NotClosed,
    /// There is a cycle where there should be none, or none where there should be one.
    #[error("the run should {}", if *.expected { "have a cycle" } else { "have no cycle" })]
    Cycle {
        /// Whether there should be one.
        expected: bool,
    },
    /// A thread could move on the cycle, and never does.
    #[error("thread {} is neither blocked nor ended everywhere on the cycle, and never moves", .thread.index())]
    Unfair {
        /// The thread.
        thread: ThreadId,
    },
    /// A thread makes progress on the cycle, or ends.
    #[error("thread {} makes progress or ends on the cycle", .thread.index())]
    Progress {
        /// The thread.
        thread: ThreadId,
    },
    /// A thread moves although it should be blocked, or does not move although it should.
    #[error("thread {} {}", .thread.index(), if *.expected == Kind::Busy { "never moves on the cycle" } else { "is not blocked everywhere on the cycle" })]
    Kind {
        /// The thread.
        thread: ThreadId,
        /// What it should be.
        expected: Kind,
    },
    /// The run does not come to a state with the sets that the finding claims.
    #[error("the sets of thread {} are not those that are claimed, in state {}", .thread.index(), .state.0)]
    Sets {
        /// The thread.
        thread: ThreadId,
        /// The state.
        state: StateId,
    },
    /// The run does not pass the state that it should.
    #[error("the run does not pass state {}", .state.0)]
    Missed {
        /// The state.
        state: StateId,
    },
}

impl Lasso {
    /// The states that the run passes: those of the stem from the initial state on, without its last, and those of the cycle,
    /// each once for each time that it is passed. Without a cycle, the last state of the stem is the only one of the second list.
    pub fn states(&self, graph: &StateGraph) -> (Vec<StateId>, Vec<StateId>) {
        let target = |&id: &TransitionId| graph.transition(id).to;
        let mut stem = vec![StateGraph::INITIAL];
        stem.extend(self.stem.iter().map(target));
        let mut cycle = vec![stem.pop().expect("the initial state is there")];
        cycle.extend(self.cycle.iter().map(target));
        if !self.cycle.is_empty() {
            cycle.pop();
        }
        (stem, cycle)
    }

    /// Checks that this is a run of the graph.
    ///
    /// # Errors
    /// If a step is no transition or does not begin where the run is, or if the cycle is not closed.
    pub fn check_path(&self, graph: &StateGraph) -> Result<(), LassoFault> {
        let mut at = StateGraph::INITIAL;
        let mut home = at;
        for (i, &id) in self.stem.iter().chain(&self.cycle).enumerate() {
            if i == self.stem.len() {
                home = at;
            }
            if id.0 as usize >= graph.transitions() {
                return Err(LassoFault::Unknown { step: i + 1 });
            }
            let transition = graph.transition(id);
            if transition.from != at {
                return Err(LassoFault::Broken { step: i + 1 });
            }
            at = transition.to;
        }
        if !self.cycle.is_empty() && at != home { Err(LassoFault::NotClosed) } else { Ok(()) }
    }

    /// The threads that make a step on the cycle.
    pub fn moving(&self, graph: &StateGraph) -> ThreadSet {
        self.cycle.iter().fold(ThreadSet::EMPTY, |all, id| all | graph.moved(id.0))
    }

    /// Checks that the cycle is fair: every thread makes a step on it, or is blocked or ended in each of its states.
    ///
    /// # Errors
    /// If there is no cycle, or if a thread never moves that could.
    pub fn check_fair(&self, graph: &StateGraph) -> Result<(), LassoFault> {
        if self.cycle.is_empty() {
            return Err(LassoFault::Cycle { expected: true });
        }
        let (_, cycle) = self.states(graph);
        let idle = cycle.iter().fold(graph.all_threads(), |all, &state| all & graph.idle(state));
        match (graph.all_threads() - self.moving(graph) - idle).iter().next() {
            Some(thread) => Err(LassoFault::Unfair { thread }),
            None => Ok(()),
        }
    }

    /// Checks that a thread neither makes progress nor ends on the cycle, and that it is busy or blocked there.
    ///
    /// # Errors
    /// If it is otherwise.
    pub fn check_no_progress(
        &self,
        graph: &StateGraph,
        thread: ThreadId,
        kind: Kind,
    ) -> Result<(), LassoFault> {
        let (_, cycle) = self.states(graph);
        let situations = || cycle.iter().map(|state| graph.situation(state.0, thread));
        if situations().any(|it| it.progress || it.activity == Activity::Ended) {
            return Err(LassoFault::Progress { thread });
        }
        let fits = match kind {
            Kind::Busy => self.moving(graph).contains(thread),
            Kind::Blocking => situations().all(|it| it.activity == Activity::Blocked),
        };
        if fits { Ok(()) } else { Err(LassoFault::Kind { thread, expected: kind }) }
    }
}
