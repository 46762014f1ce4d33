//! What insyn says of programs and of mutants, each defined once. Workers decide these verdicts, the command passes them on,
//! and reports show them.
//!
//! | module | what it defines |
//! |---|---|
//! | [`termination`] | how an execution ended |
//! | [`reaction`] | what a program does with a sequence |
//! | [`mutant`] | the verdict on a mutant, and the evidence for it |
//! | [`campaign`] | the document of a campaign, which all reports are made of |
//!
//! Nothing here does input or output, and nothing depends on another crate of insyn.

pub mod campaign;
mod merge;
pub mod mutant;
pub mod reaction;
mod tally;
pub mod termination;

pub use campaign::Campaign;
pub use merge::MergeError;
pub use mutant::{KillKind, Status, Survival, Verdict};
pub use reaction::{Feasibility, Reaction};
pub use termination::Termination;
