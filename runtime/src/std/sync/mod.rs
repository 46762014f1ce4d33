//! Mirror of [`std::sync`].

mod condvar;
pub mod mpsc;
mod mutex;

pub use condvar::Condvar;
pub use mutex::{Mutex, MutexGuard};
pub use std::sync::{Arc, LockResult, PoisonError, TryLockError, TryLockResult, Weak};
