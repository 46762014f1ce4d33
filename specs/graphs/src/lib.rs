//! State graphs of concurrent programs, and what can be decided on them: whether threads deadlock, livelock or starve, whether mutual
//! exclusion is kept and waiting bounded, whether temporal properties hold, and which model a program has.
//!
//! | module | what it gives |
//! |---|---|
//! | [`StateGraph`], [`GraphBuilder`] | states and transitions, as compact data |
//! | [`Condensation`] | its strong components |
//! | [`Liveness`] | the threads that are deadlocked, livelocked or starve in each state |
//! | [`Finding`], [`Lasso`] | each of these once, with a run that shows it |
//!
//! All of it is pure and deterministic: no module does input or output, and equal values give equal results.

mod builder;
mod condensation;
mod digraph;
mod error;
mod fairness;
mod finding;
mod graph;
mod interner;
mod lasso;
mod liveness;
mod path;
mod thread;

pub use builder::GraphBuilder;
pub use condensation::Condensation;
pub use error::GraphError;
pub use finding::{Finding, Trouble};
pub use graph::{Activity, StateGraph, StateId, ThreadState, Transition, TransitionId};
pub use lasso::{Lasso, LassoFault};
pub use liveness::{Kind, Liveness, Scope};
pub use thread::{ThreadId, ThreadSet};
