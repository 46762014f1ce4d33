//! SYN-sequences as data: what an execution did, process by process, and every form it is read or written in.

pub mod sequence;

pub use sequence::{Event, EventRef, Kind, Location, Op, Pick, Process, Sequence};
