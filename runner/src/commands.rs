//! What can be done, one file for each command.

pub(crate) mod explore;
pub(crate) mod list;
pub(crate) mod replay;
mod table;
