//! Replacement for [`std::thread::scope`].

use std::cell::UnsafeCell;
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, Location};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::join::Controlled;
use super::{Builder, Result, Thread};
use crate::backend::Backend;
use crate::std::panic::{catch_unwind, resume_unwind};
use insyn_engine::access::{current_execution, with};
use insyn_engine::ids;
use insyn_engine::ids::ExecutionId;
use insyn_engine::{Place, joins};

/// A scope for threads that borrow. See [`std::thread::Scope`].
pub struct Scope<'scope, 'env: 'scope>(
    Backend<*const std::thread::Scope<'scope, 'env>, ControlledScope<'scope, 'env>>,
);

struct ControlledScope<'scope, 'env: 'scope> {
    execution: ExecutionId,
    /// The threads of the scope, in the order they were started.
    spawned: Mutex<Vec<ids::ThreadId>>,
    /// A thread that was not joined has panicked.
    panicked: AtomicBool,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

// SAFETY: the pointer is to a scope, which may be shared and is alive for `'scope`.
unsafe impl Send for Scope<'_, '_> {}
// SAFETY: as above.
unsafe impl Sync for Scope<'_, '_> {}

/// Runs `f`, and waits for all threads started in the scope. See [`std::thread::scope`]. As there, it does not wait for
/// their thread-locals to be dropped, which a join does.
///
/// # Panics
/// If a thread of the scope panicked and was not joined.
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let place = Location::caller();
    let Some(execution) = current_execution() else {
        return real_scope(f);
    };
    let scope = Scope(Backend::Controlled(ControlledScope {
        execution,
        spawned: Default::default(),
        panicked: AtomicBool::new(false),
        scope: PhantomData,
        env: PhantomData,
    }));
    let Backend::Controlled(inside) = &scope.0 else { unreachable!("made just above") };
    // If the program ends meanwhile, so does every thread of the scope: the threads are ended before their owner.
    let result = catch_unwind(AssertUnwindSafe(|| f(&scope)));
    inside.join_all(place);
    match result {
        Ok(_) if inside.panicked.load(Ordering::Relaxed) => panic!("a scoped thread panicked"),
        Ok(value) => value,
        Err(payload) => resume_unwind(payload),
    }
}

/// As [`scope`], outside a program under test.
fn real_scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    // Threads of the scope may use this crate's handle until the very end of the standard library's scope, so the handle
    // lives outside.
    let handle = UnsafeCell::new(Scope(Backend::Real(ptr::null())));
    std::thread::scope(|real| {
        // SAFETY: the handle outlives this call, and differs from the wanted type only in lifetimes. It is written once,
        // before any other thread can see it.
        let handle = unsafe {
            let handle: *mut Scope<'_, 'env> = handle.get().cast();
            *handle = Scope(Backend::Real(real));
            &*handle
        };
        f(handle)
    })
}

impl Builder {
    /// Starts a thread that may borrow from the scope. See [`std::thread::Builder::spawn_scoped`].
    ///
    /// # Errors
    /// If the system has no memory for its stack.
    ///
    /// # Panics
    /// If the name has a null byte in it.
    #[track_caller]
    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        f: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        #[cfg(feature = "mutants")]
        let f = super::boxed(f);
        match &scope.0 {
            Backend::Real(real) => {
                // SAFETY: the pointer was made from the scope's own `&'scope Scope<'scope, 'env>` in `scope` below, which
                // is alive as long as `'scope`.
                let real: &'scope std::thread::Scope<'scope, 'env> = unsafe { &**real };
                self.real().spawn_scoped(real, f).map(|handle| {
                    let thread = Thread::real(handle.thread().clone());
                    ScopedJoinHandle(ScopedHandle::Real(handle, thread))
                })
            }
            Backend::Controlled(controlled) => controlled.spawn(self.into_name(), f),
        }
    }
}

impl<'scope, 'env> Scope<'scope, 'env> {
    /// Starts a thread that may borrow from the scope. See [`std::thread::Scope::spawn`].
    ///
    /// # Panics
    /// If no thread can be started.
    pub fn spawn<F, T>(&'scope self, f: F) -> ScopedJoinHandle<'scope, T>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        Builder::new().spawn_scoped(self, f).expect("failed to spawn thread")
    }
}

impl<'scope> ControlledScope<'scope, '_> {
    fn spawn<F, T>(&self, name: Option<Arc<str>>, f: F) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        // SAFETY: what `f` borrows outlives `'scope`, and the scope does not end before `join_all` has waited for the end of
        // `f`, or teardown has ended the thread. Thread-locals, which are dropped later, borrow nothing.
        let index = unsafe { joins::spawn(self.execution, name, f)? };
        self.spawned.lock().unwrap_or_else(PoisonError::into_inner).push(index);
        let handle = Controlled::new(self.execution, index);
        Ok(ScopedJoinHandle(ScopedHandle::Controlled(handle, PhantomData)))
    }

    /// Joins every thread that has not been joined, in the order they were started.
    #[track_caller]
    fn join_all(&self, place: Place) {
        let mut next = 0;
        loop {
            let id = self.spawned.lock().unwrap_or_else(PoisonError::into_inner).get(next).copied();
            let Some(id) = id else { return };
            next += 1;
            if with(self.execution, |engine| engine.threads[id].joined) {
                continue;
            }
            joins::join_body(self.execution, id, place);
            if with(self.execution, |engine| engine.threads[id].panicked) {
                self.panicked.store(true, Ordering::Relaxed);
            }
        }
    }
}

impl fmt::Debug for Scope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope").finish_non_exhaustive()
    }
}

/// The right to wait for a thread of a scope. See [`std::thread::ScopedJoinHandle`].
pub struct ScopedJoinHandle<'scope, T>(ScopedHandle<'scope, T>);

enum ScopedHandle<'scope, T> {
    Real(std::thread::ScopedJoinHandle<'scope, T>, Thread),
    Controlled(Controlled<T>, PhantomData<&'scope ()>),
}

impl<T> ScopedJoinHandle<'_, T> {
    /// Waits for the thread to end. See [`std::thread::ScopedJoinHandle::join`].
    ///
    /// # Errors
    /// What the thread panicked with.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        match self.0 {
            ScopedHandle::Real(handle, _) => handle.join(),
            ScopedHandle::Controlled(ref handle, _) => handle.join(Location::caller()),
        }
    }

    /// A handle to the thread.
    pub fn thread(&self) -> &Thread {
        match &self.0 {
            ScopedHandle::Real(_, thread) => thread,
            ScopedHandle::Controlled(handle, _) => handle.thread(),
        }
    }

    /// Whether the thread has ended. See [`std::thread::ScopedJoinHandle::is_finished`].
    #[track_caller]
    pub fn is_finished(&self) -> bool {
        match &self.0 {
            ScopedHandle::Real(handle, _) => handle.is_finished(),
            ScopedHandle::Controlled(handle, _) => handle.is_finished(Location::caller()),
        }
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopedJoinHandle").finish_non_exhaustive()
    }
}
