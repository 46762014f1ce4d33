//! Replacement for [`std::thread::JoinHandle`].

use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::OnceLock;

use super::{Result, Thread};
use insyn_engine::Place;
use insyn_engine::ids;
use insyn_engine::ids::ExecutionId;
use insyn_engine::joins;

/// The right to wait for a thread. See [`std::thread::JoinHandle`].
pub struct JoinHandle<T>(Handle<T>);

enum Handle<T> {
    Real(std::thread::JoinHandle<T>, Thread),
    Controlled(Controlled<T>),
}

/// The right to wait for a thread under control.
pub(super) struct Controlled<T> {
    execution: ExecutionId,
    index: ids::ThreadId,
    /// Made when the program asks for it.
    thread: OnceLock<Thread>,
    result: PhantomData<fn() -> T>,
}

impl<T> Controlled<T> {
    pub(super) fn new(execution: ExecutionId, index: ids::ThreadId) -> Self {
        Controlled { execution, index, thread: OnceLock::new(), result: PhantomData }
    }

    #[track_caller]
    pub(super) fn join(&self, place: Place) -> Result<T> {
        joins::join(self.execution, self.index, place);
        // SAFETY: the handle was made together with the thread, whose closure returns a `T`.
        unsafe { joins::take_result(self.execution, self.index) }
    }

    #[track_caller]
    pub(super) fn thread(&self) -> &Thread {
        self.thread.get_or_init(|| Thread::controlled(self.execution, self.index))
    }

    #[track_caller]
    pub(super) fn is_finished(&self, place: Place) -> bool {
        joins::is_finished(self.execution, self.index, place)
    }
}

impl<T> Drop for Controlled<T> {
    fn drop(&mut self) {
        joins::detach(self.execution, self.index);
    }
}

impl<T> JoinHandle<T> {
    pub(super) fn real(handle: std::thread::JoinHandle<T>) -> Self {
        let thread = Thread::real(handle.thread().clone());
        JoinHandle(Handle::Real(handle, thread))
    }

    pub(super) fn controlled(execution: ExecutionId, index: ids::ThreadId) -> Self {
        JoinHandle(Handle::Controlled(Controlled::new(execution, index)))
    }

    /// Waits for the thread to end. See [`std::thread::JoinHandle::join`].
    ///
    /// # Errors
    /// What the thread panicked with.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        match self.0 {
            Handle::Real(handle, _) => handle.join(),
            Handle::Controlled(ref handle) => handle.join(Location::caller()),
        }
    }

    /// A handle to the thread.
    pub fn thread(&self) -> &Thread {
        match &self.0 {
            Handle::Real(_, thread) => thread,
            Handle::Controlled(handle) => handle.thread(),
        }
    }

    /// Whether the thread has ended. See [`std::thread::JoinHandle::is_finished`].
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        match &self.0 {
            Handle::Real(handle, _) => handle.is_finished(),
            Handle::Controlled(handle) => handle.is_finished(Location::caller()),
        }
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}
