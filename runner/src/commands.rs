//! What can be done, one file for each command.

pub(crate) mod check;
pub(crate) mod explore;
mod files;
pub(crate) mod force;
pub(crate) mod list;
mod output;
pub(crate) mod record;
pub(crate) mod replay;
