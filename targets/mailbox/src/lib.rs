//! Four threads that meet at two synchronous mailboxes.

mod mailbox;

pub use mailbox::{Received, mailbox};
