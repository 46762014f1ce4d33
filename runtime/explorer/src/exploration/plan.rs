//! The settings of an exploration, and the bounds that may end it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use super::ended::Ended;
use insyn_engine::forcing::Forcing;
use insyn_engine::limits::Limit;

/// The settings of all workers of an exploration.
#[derive(Clone)]
pub(crate) struct Plan {
    pub seed: Option<u64>,
    pub max_executions: Option<u64>,
    pub max_sequences: Option<u64>,
    pub(crate) deadline: Option<Instant>,
    pub stop_at_first_failure: bool,
    pub(crate) shortest_failure: bool,
    pub(crate) ignore_detached: bool,
    /// The program is declared to have no synchronization under control.
    pub(crate) sequential: bool,
    pub observer: Option<Arc<Observer>>,
    /// How often the exploration has started again.
    pub round: u32,
    /// What the program is forced to do.
    pub forcing: Option<Arc<Forcing>>,
    /// Set when the observer needs no more executions.
    pub over: Option<Arc<AtomicBool>>,
}

/// The observer of executions.
pub(crate) type Observer = dyn Fn(&Ended<'_>) + Send + Sync;

/// A bound that ended an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Bound {
    /// [`Explorer::max_executions`](crate::Explorer::max_executions).
    Executions,
    /// [`Explorer::max_sequences`](crate::Explorer::max_sequences).
    Sequences,
    /// [`Explorer::time_limit`](crate::Explorer::time_limit).
    Time,
    /// [`Explorer::record_limit`](crate::Explorer::record_limit).
    Records,
    /// [`Explorer::stop_at_first_failure`](crate::Explorer::stop_at_first_failure).
    FirstFailure,
    /// [`Explorer::sample`](crate::Explorer::sample) runs only some of the sequences.
    Sample,
}

impl From<Limit> for Bound {
    fn from(limit: Limit) -> Self {
        match limit {
            Limit::Time => Bound::Time,
            Limit::Records => Bound::Records,
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bound::Executions => "the bound on executions was reached",
            Bound::Sequences => "the bound on sequences was reached",
            Bound::Time => "the time limit was reached",
            Bound::Records => "the limit on the memory of records was reached",
            Bound::FirstFailure => "stopped at the first failure",
            Bound::Sample => "only a sample was run",
        })
    }
}
