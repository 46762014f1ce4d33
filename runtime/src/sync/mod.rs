//! Synchronization constructs from the papers that the standard library lacks. Inside a program under test they are under
//! control; elsewhere they work with real threads.

mod entry;
mod monitor;
mod port;
mod reentrant;
mod semaphore;

pub use entry::{Call, CallError, Caller, Closed, Entry, entry};
pub use insyn_engine::delivery::Delivery;
pub use monitor::{Condition, Monitor, MonitorGuard};
pub use port::{PortReceiver, PortSender, port};
pub use reentrant::{ReentrantLock, ReentrantLockGuard};
pub use semaphore::Semaphore;
