//! What a run records: its events, what the program reports about them, and its objects as far as the analysis needs them.

pub mod event;
pub(crate) mod notes;
pub mod observed;
pub mod run;
