//! Many senders, one receiver.

#[insyn::instrument(path = "fan_in.rs")]
mod fan_in {}

pub use fan_in::fan_in;
