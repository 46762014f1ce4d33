//! Whole programs, written for the standard library and for crossbeam, annotated and explored.

#[path = "instrument/crossbeam.rs"]
mod crossbeam;
#[path = "instrument/files.rs"]
mod files;
#[path = "instrument/meaning.rs"]
mod meaning;
#[path = "instrument/off.rs"]
mod off;
#[path = "instrument/programs.rs"]
mod programs;
#[path = "instrument/state.rs"]
mod state;
