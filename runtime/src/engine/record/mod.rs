//! What a run records: its events, what the program says about them, and its objects as far as the analysis asks about them.

pub(crate) mod event;
pub(crate) mod notes;
pub(crate) mod observed;
pub(crate) mod run;
