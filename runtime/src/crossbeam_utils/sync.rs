//! Replacement for the part of `crossbeam_utils::sync` that waits: wait groups.

use std::fmt;
use std::mem;
use std::panic::Location;
use std::sync::Arc;

use ::crossbeam_utils::sync as real;

use crate::backend::{Backend, Handle};
use insyn_engine::access::{current_execution, refuse_to_block};
use insyn_engine::{NOWHERE, ports, wait_groups};

/// Lets threads wait for each other. See `crossbeam_utils::sync::WaitGroup`.
///
/// A program cannot observe which handle is dropped first, so under control neither drops nor waits are ordered: there is
/// nothing to explore. (For the same reason, under control `Debug` does not show how many handles are left.)
///
/// ```
/// use insyn::crossbeam_utils::sync::WaitGroup;
/// use insyn::std::thread;
///
/// let found = insyn::explore(|| {
///     let group = WaitGroup::new();
///     for _ in 0..3 {
///         let group = group.clone();
///         thread::spawn(move || drop(group));
///     }
///     group.wait();
/// });
/// assert_eq!(found.sequences, 1);
/// ```
pub struct WaitGroup(Backend<Real, Held>);

#[derive(Clone)]
struct Real {
    group: real::WaitGroup,
    /// Counts the handles, since the real group does not report their number. Dropped after the group, so that it never
    /// counts too few.
    count: Arc<()>,
}

/// A handle, which is counted.
struct Held(Handle);

impl WaitGroup {
    /// A group with one handle. See `crossbeam_utils::sync::WaitGroup::new`.
    #[must_use]
    pub fn new() -> Self {
        WaitGroup(match current_execution() {
            None => Backend::Real(Real { group: real::WaitGroup::new(), count: Arc::new(()) }),
            Some(execution) => {
                Backend::Controlled(Held(Handle { execution, object: wait_groups::new(execution) }))
            }
        })
    }

    /// Drops the handle, and waits until every other one has been dropped. See
    /// `crossbeam_utils::sync::WaitGroup::wait`.
    #[track_caller]
    pub fn wait(self) {
        match self.0 {
            Backend::Real(Real { group, count }) => {
                if Arc::strong_count(&count) > 1 {
                    refuse_to_block();
                }
                drop(count);
                group.wait();
            }
            Backend::Controlled(held) => {
                let Handle { execution, object } = held.0;
                // `wait_for_all` drops the handle.
                mem::forget(held);
                wait_groups::wait_for_all(execution, object, Location::caller());
            }
        }
    }
}

impl Default for WaitGroup {
    fn default() -> Self {
        WaitGroup::new()
    }
}

impl Clone for WaitGroup {
    #[track_caller]
    fn clone(&self) -> Self {
        WaitGroup(self.0.clone())
    }
}

impl Clone for Held {
    #[track_caller]
    fn clone(&self) -> Self {
        ports::clone_sender(self.0.execution, self.0.object);
        Held(self.0)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        ports::drop_sender(self.0.execution, self.0.object, NOWHERE);
    }
}

impl fmt::Debug for WaitGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Backend::Real(Real { group, .. }) => group.fmt(f),
            Backend::Controlled(_) => f.debug_struct("WaitGroup").finish_non_exhaustive(),
        }
    }
}
