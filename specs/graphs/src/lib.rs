//! State graphs of concurrent programs, and what can be decided on them: whether threads deadlock, livelock or starve, whether mutual
//! exclusion is kept and waiting bounded, whether temporal properties hold, and which model a program has.
//!
//! | module | what it gives |
//! |---|---|
//! | [`StateGraph`], [`GraphBuilder`] | states and transitions, as compact data |
//! | [`Condensation`] | its strong components |
//! | [`Liveness`] | the threads that are deadlocked, livelocked or starve in each state |
//! | [`Finding`], [`Lasso`] | each of these once, with a run that shows it |
//! | [`Exclusion`] | mutual exclusion and bounded waiting |
//! | [`Model`] | the least automaton of a program's words, and what tells two of them apart |
//! | [`property`] | temporal properties, on traces and on graphs |
//! | [`document`], [`dot`], [`aldebaran`] | graphs as JSON, drawings, and for tools that read `.aut` |
//!
//! All of it is pure and deterministic: no module does input or output, and equal values give equal results.

pub mod aldebaran;
mod builder;
mod condensation;
mod digraph;
pub mod document;
pub mod dot;
mod error;
mod exclusion;
mod fairness;
mod finding;
mod graph;
mod interner;
mod lasso;
mod liveness;
mod minimization;
mod model;
mod path;
mod product;
pub mod property;
mod thread;

pub use builder::GraphBuilder;
pub use condensation::Condensation;
pub use document::ReadError;
pub use error::GraphError;
pub use exclusion::{Exclusion, ExclusionError, Marker, Waiting};
pub use finding::{Finding, Trouble};
pub use graph::{Activity, StateGraph, StateId, ThreadState, Transition, TransitionId};
pub use lasso::{Lasso, LassoFault};
pub use liveness::{Kind, Liveness, Scope};
pub use model::{Difference, Model, ModelError, ModelTooLarge, Side};
pub use thread::{ThreadId, ThreadSet};
