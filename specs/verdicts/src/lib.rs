//! The verdicts on programs and on mutants, each defined once. Workers decide them, the command passes them on, and reports
//! show them.
//!
//! | module | what it defines |
//! |---|---|
//! | [`termination`] | how an execution ended |
//! | [`conformance`] | whether a program conforms to its specification |
//! | [`reaction`] | whether a program can do a sequence, and how it ends then |
//! | [`mutant`] | the verdict on a mutant, and the evidence for it |
//! | [`campaign`] | the document of a campaign, which all reports are made of |
//! | [`protocol`] | the protocol between the command and its workers: requests, answers, environment variables, markers |
//! | [`saved`] | where failing sequences are saved; nothing else here does input or output |
//!
//! This crate depends on no other crate of insyn but `insyn-sequences`.

pub mod campaign;
pub mod conformance;
mod merge;
pub mod mutant;
pub mod protocol;
pub mod reaction;
pub mod saved;
mod tally;
pub mod termination;

pub use campaign::Campaign;
pub use conformance::{Conformance, Conformity};
pub use merge::MergeError;
pub use mutant::{KillKind, Status, Survival, Verdict};
pub use reaction::{Feasibility, Reaction};
pub use termination::Termination;
