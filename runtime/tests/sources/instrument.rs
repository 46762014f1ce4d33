//! Whole programs, written for the standard library and for crossbeam, annotated and explored.

mod crossbeam;
mod files;
mod meaning;
mod off;
mod programs;
mod state;
