//! In which order messages arrive.

/// In which order the messages of a port may be received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Delivery {
    /// One queue in memory, first in, first out: what channels inside a process do.
    #[default]
    Mailbox,
    /// Messages of one thread arrive in the order it sent them; those of different threads in any order.
    Fifo,
    /// A message never overtakes one that happened before it was sent.
    Causal,
    /// Any order at all.
    Bag,
}
