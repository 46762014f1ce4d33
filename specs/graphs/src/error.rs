//! Why states and transitions are no graph.

use thiserror::Error;

use crate::graph::Activity;

/// Why states and transitions are no graph. States are named by the numbers that the builder gave them.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// There are no threads, or too many.
    #[error("{count} threads; a graph has from 1 to {most}", most = crate::ThreadId::MOST)]
    Threads {
        /// How many there are.
        count: usize,
    },
    /// Two threads have the same name.
    #[error("two threads are called {name:?}")]
    SameName {
        /// Their name.
        name: String,
    },
    /// A state describes more or fewer threads than there are.
    #[error("state {state} describes {threads} threads; the graph has {expected}")]
    Described {
        /// The state.
        state: u32,
        /// How many threads it describes.
        threads: usize,
        /// How many there are.
        expected: usize,
    },
    /// A transition, or the initial state, names a state that is not there.
    #[error("there is no state {state}")]
    UnknownState {
        /// The number.
        state: u32,
    },
    /// A transition names a thread that is not there.
    #[error("there is no thread {index}; threads are numbered from 0")]
    UnknownThread {
        /// Its place.
        index: usize,
    },
    /// A transition is made by no thread.
    #[error("a transition of state {state} names no thread")]
    NobodyMoves {
        /// The state that it leaves.
        state: u32,
    },
    /// A thread has a transition in a state in which it is blocked or has ended.
    #[error("in state {state}, {thread:?} {} and yet has a transition", if *.activity == Activity::Ended { "has ended" } else { "is blocked" })]
    Moves {
        /// The state.
        state: u32,
        /// The thread.
        thread: String,
        /// What it does there.
        activity: Activity,
    },
    /// A thread that is neither blocked nor ended has no transition, although all transitions of the state are known.
    #[error(
        "in state {state}, {thread:?} is neither blocked nor ended, and has no transition; if the state was not explored, mark it as open"
    )]
    Stuck {
        /// The state.
        state: u32,
        /// The thread.
        thread: String,
    },
    /// A thread that has ended is there again.
    #[error("{thread:?} has ended before state {state}, but not in it")]
    Revived {
        /// The state.
        state: u32,
        /// The thread.
        thread: String,
    },
    /// No path leads to a state from the initial state.
    #[error("no path leads from the initial state to state {state}")]
    Unreachable {
        /// The state.
        state: u32,
    },
    /// There are more states, transitions or labels than 32 bits count.
    #[error(
        "the graph is too large: it has more than 4,294,967,293 states, transitions, labels or bytes of labels"
    )]
    TooLarge,
}
