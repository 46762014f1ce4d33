//! Temporal properties: what must always, never or eventually hold of a program's runs.
//!
//! A run is seen as a trace of **observations**. An observation says which of up to 64 atomic predicates hold, such as "a letter was
//! just performed" or "the state is like this"; [`Atoms`] is the set of those that do. Which steps are observed is up to the caller: steps that
//! are not leave no position in the trace. A trace is finite if the run ends, or if nothing is ever observed again.
//!
//! | file | what it has |
//! |---|---|
//! | `formula.rs` | the language |
//! | `trace.rs` | its meaning, on finite traces and on those that repeat |
//! | `automaton.rs` | automata that read observations, from formulas |
//! | `verdict.rs` | whether all fair runs of a state graph have a property |

mod automaton;
mod formula;
mod trace;
mod verdict;

pub use automaton::TooLong;
pub use formula::{Atoms, Formula};
pub use trace::Trace;
pub use verdict::{CheckError, Reason, Verdict, Violation, check};
