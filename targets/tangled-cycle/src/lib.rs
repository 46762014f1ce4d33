//! Two receives, each of which can be changed only through the other.

mod tangled_cycle;

pub use tangled_cycle::{Received, tangled_cycle};
