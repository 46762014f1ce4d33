//! Many senders, one receiver.

mod fan_in;

pub use fan_in::fan_in;
