//! Two senders and a receiver at a synchronous port.

mod cp;

pub use cp::cp;
