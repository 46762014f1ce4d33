//! Replacement for [`std::sync`].
//!
//! # What differs under control
//! - No object is made by a `const fn`: it belongs to the execution it is made in.
//! - [`Arc`] and [`Weak`] are types of their own; the documentation of [`Arc`] lists what the compiler does not let them
//!   do.
//! - [`atomic`] operations are sequentially consistent.
//! - Waits with a timeout use virtual time: they may time out unless something is sure to end them before.
//!
//! Poisoning, errors and panics are those of the standard library.

mod arc;
pub mod atomic;
mod barrier;
mod condvar;
mod lazy_lock;
pub mod mpsc;
mod mutex;
mod once;
mod once_lock;
mod poison;
mod rwlock;

pub use arc::{Arc, Weak};
pub use barrier::{Barrier, BarrierWaitResult};
pub use condvar::{Condvar, WaitTimeoutResult};
pub use lazy_lock::LazyLock;
pub use mutex::{Mutex, MutexGuard};
pub use once::{Once, OnceState};
pub use once_lock::OnceLock;
pub use rwlock::{RwLock, RwLockReadGuard, RwLockWriteGuard};
pub use std::sync::{LockResult, PoisonError, TryLockError, TryLockResult};
