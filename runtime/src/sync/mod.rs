//! Synchronization that the papers have and the standard library lacks. Inside a program under test it is under control;
//! elsewhere it works with real threads.

mod entry;
mod monitor;
mod port;
mod reentrant;
mod semaphore;

pub use crate::engine::delivery::Delivery;
pub use entry::{Call, CallError, Caller, Closed, Entry, entry};
pub use monitor::{Condition, Monitor, MonitorGuard};
pub use port::{PortReceiver, PortSender, port};
pub use reentrant::{ReentrantLock, ReentrantLockGuard};
pub use semaphore::Semaphore;
