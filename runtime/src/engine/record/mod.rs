//! What a run records: its events, what the program says about them, and its objects as far as the analysis asks about them.

pub(crate) mod event;
pub(crate) mod flags;
pub(crate) mod notes;
pub(crate) mod observed;
mod recorder;
pub(crate) mod run;

pub(crate) use recorder::Plan;
