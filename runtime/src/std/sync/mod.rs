//! Mirror of [`std::sync`].
//!
//! # What differs under control
//! - No object is made by a `const fn`: it belongs to the execution it is made in.
//! - [`Arc`] and [`Weak`] are types of their own; [`Arc`] says what the compiler does not let them do.
//! - [`atomic`] operations are sequentially consistent.
//! - Waits with a timeout are on virtual time: they may time out whenever nothing makes sure that they do not.
//!
//! Poisoning, errors and panics are the standard library's.

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
