//! Mirror of [`std::sync`]. `Arc` and `Weak` are the standard library's own: which drop is the last one is not under
//! control.

mod condvar;
pub mod mpsc;
mod mutex;

pub use condvar::Condvar;
pub use mutex::{Mutex, MutexGuard};
pub use std::sync::{Arc, LockResult, PoisonError, TryLockError, TryLockResult, Weak};
