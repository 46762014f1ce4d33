//! What can be done, one file for each command.

pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod explore;
mod files;
pub(crate) mod force;
mod in_diff;
pub(crate) mod init;
pub(crate) mod list;
pub(crate) mod man;
pub(crate) mod merge;
pub(crate) mod mutants;
pub(crate) mod mutate;
mod output;
mod progress;
pub(crate) mod record;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod show;
pub(crate) mod suggest;
mod write_tests;
