//! SYN-sequences as data: what an execution did, process by process, and every form it is read or written in.

mod canonical;
pub mod file;
mod labels;
pub mod order;
pub mod sequence;
pub mod text;
pub mod timestamps;
mod topology;
pub mod views;

pub use canonical::{Malformed, MalformedKind};
pub use order::Order;
pub use sequence::{Event, EventRef, Kind, Location, Op, Pick, Process, Sequence};
