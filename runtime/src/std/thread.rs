//! Mirror of [`std::thread`].

use std::cell::UnsafeCell;
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, Location, catch_unwind, resume_unwind};
use std::ptr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::execution::{self, of, threads};

pub use std::thread::Result;

/// Starts a thread. See [`std::thread::spawn`].
///
/// # Panics
/// If no thread can be started; [`Builder::spawn`] gives an error instead.
pub fn spawn<F, T>(f: F) -> JoinHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    Builder::new().spawn(f).expect("failed to spawn thread")
}

/// Lets other threads go first. See [`std::thread::yield_now`]. Under control this is no event: it changes which
/// execution comes first, never which behaviours there are. A loop that polls and yields has a behaviour for every
/// number of turns, so it ends at the bound on steps; wait instead of polling.
pub fn yield_now() {
    let Some(x) = execution::current() else { return std::thread::yield_now() };
    if !x.step() {
        threads::cannot_go_on();
    }
    threads::give_way();
}

/// Whether the running thread is unwinding from a panic. See [`std::thread::panicking`].
pub fn panicking() -> bool {
    threads::is_panicking()
}

/// A handle to the running thread. See [`std::thread::current`].
pub fn current() -> Thread {
    match execution::current() {
        Some(x) => {
            let t = &x.threads[x.running as usize];
            Thread(Which::Controlled { name: t.name.clone(), process: t.process })
        }
        None => Thread(Which::Real(std::thread::current())),
    }
}

/// A handle to a thread. See [`std::thread::Thread`].
#[derive(Clone)]
pub struct Thread(Which);

#[derive(Clone)]
enum Which {
    Real(std::thread::Thread),
    Controlled { name: Option<Arc<str>>, process: u32 },
}

impl Thread {
    /// The name it was given. The closure under test runs in a thread named `main`.
    pub fn name(&self) -> Option<&str> {
        match &self.0 {
            Which::Real(thread) => thread.name(),
            Which::Controlled { name: None, process: 0 } => Some("main"),
            Which::Controlled { name, .. } => name.as_deref(),
        }
    }
}

impl fmt::Debug for Thread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Thread").field("name", &self.name()).finish_non_exhaustive()
    }
}

/// Settings for a new thread. See [`std::thread::Builder`].
#[derive(Debug, Default)]
pub struct Builder {
    name: Option<String>,
    stack_size: Option<usize>,
}

impl Builder {
    /// No name, default stack.
    pub fn new() -> Self {
        Builder::default()
    }

    /// Names the thread. In sequences and reports it goes by this name.
    pub fn name(mut self, name: String) -> Self {
        self.name = Some(name);
        self
    }

    /// The size of its stack. Under control all stacks have the size that the
    /// [explorer](crate::Explorer::stack_size) says.
    pub fn stack_size(mut self, size: usize) -> Self {
        self.stack_size = Some(size);
        self
    }

    fn real(self) -> std::thread::Builder {
        let mut builder = std::thread::Builder::new();
        if let Some(name) = self.name {
            builder = builder.name(name);
        }
        if let Some(size) = self.stack_size {
            builder = builder.stack_size(size);
        }
        builder
    }

    /// Starts the thread. See [`std::thread::Builder::spawn`].
    ///
    /// # Errors
    /// If the system has no memory for its stack.
    pub fn spawn<F, T>(self, f: F) -> io::Result<JoinHandle<T>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let Some(x) = execution::current() else {
            return self.real().spawn(f).map(|handle| JoinHandle(Handle::Real(handle)));
        };
        let stamp = x.stamp();
        let name: Option<Arc<str>> = self.name.map(Arc::from);
        // SAFETY: `f` borrows nothing that could end.
        let id = unsafe { threads::spawn(stamp, name.clone(), f)? };
        let process = of(stamp).threads[id as usize].process;
        Ok(JoinHandle(Handle::Controlled(Controlled {
            stamp,
            id,
            thread: Thread(Which::Controlled { name, process }),
            result: PhantomData,
        })))
    }

    /// Starts a thread that may borrow from the scope. See [`std::thread::Builder::spawn_scoped`].
    ///
    /// # Errors
    /// If the system has no memory for its stack.
    pub fn spawn_scoped<'scope, 'env, F, T>(
        self,
        scope: &'scope Scope<'scope, 'env>,
        f: F,
    ) -> io::Result<ScopedJoinHandle<'scope, T>>
    where
        F: FnOnce() -> T + Send + 'scope,
        T: Send + 'scope,
    {
        match &scope.0 {
            ScopeKind::Real(real) => {
                // SAFETY: the pointer was made from the scope's own `&'scope Scope<'scope, 'env>` in `scope` below, which
                // is alive as long as `'scope`.
                let real: &'scope std::thread::Scope<'scope, 'env> = unsafe { &**real };
                self.real().spawn_scoped(real, f).map(|handle| ScopedJoinHandle(ScopedHandle::Real(handle)))
            }
            ScopeKind::Controlled(controlled) => controlled.spawn(self.name.map(Arc::from), f),
        }
    }
}

/// The right to wait for a thread. See [`std::thread::JoinHandle`].
pub struct JoinHandle<T>(Handle<T>);

enum Handle<T> {
    Real(std::thread::JoinHandle<T>),
    Controlled(Controlled<T>),
}

struct Controlled<T> {
    stamp: u64,
    id: u32,
    thread: Thread,
    result: PhantomData<fn() -> T>,
}

impl<T> Controlled<T> {
    fn join(&self, place: &'static Location<'static>) -> Result<T> {
        threads::join(self.stamp, self.id, place);
        // SAFETY: the handle was made together with the thread, whose closure returns a `T`.
        unsafe { threads::take_result(self.stamp, self.id) }
    }
}

impl<T> JoinHandle<T> {
    /// Waits for the thread to end. See [`std::thread::JoinHandle::join`].
    ///
    /// # Errors
    /// What the thread panicked with.
    #[track_caller]
    pub fn join(self) -> Result<T> {
        match self.0 {
            Handle::Real(handle) => handle.join(),
            Handle::Controlled(ref handle) => handle.join(Location::caller()),
        }
    }

    /// A handle to the thread.
    pub fn thread(&self) -> ThreadRef<'_> {
        match &self.0 {
            Handle::Real(handle) => ThreadRef(Thread(Which::Real(handle.thread().clone())), PhantomData),
            Handle::Controlled(handle) => ThreadRef(handle.thread.clone(), PhantomData),
        }
    }
}

impl<T> Drop for Controlled<T> {
    fn drop(&mut self) {
        threads::detach(self.stamp, self.id);
    }
}

impl<T> fmt::Debug for JoinHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JoinHandle").finish_non_exhaustive()
    }
}

/// A borrowed [`Thread`].
#[derive(Clone, Debug)]
pub struct ThreadRef<'a>(Thread, PhantomData<&'a Thread>);

impl std::ops::Deref for ThreadRef<'_> {
    type Target = Thread;
    fn deref(&self) -> &Thread {
        &self.0
    }
}

/// A scope for threads that borrow. See [`std::thread::Scope`].
pub struct Scope<'scope, 'env: 'scope>(ScopeKind<'scope, 'env>);

enum ScopeKind<'scope, 'env: 'scope> {
    Real(*const std::thread::Scope<'scope, 'env>),
    Controlled(ControlledScope<'scope, 'env>),
}

struct ControlledScope<'scope, 'env: 'scope> {
    stamp: u64,
    /// The threads of the scope, in the order they were started.
    spawned: std::sync::Mutex<Vec<u32>>,
    /// A thread that nobody joined has panicked.
    panicked: AtomicBool,
    scope: PhantomData<&'scope mut &'scope ()>,
    env: PhantomData<&'env mut &'env ()>,
}

// SAFETY: the pointer is to a scope, which may be shared and is alive for `'scope`.
unsafe impl Send for Scope<'_, '_> {}
// SAFETY: as above.
unsafe impl Sync for Scope<'_, '_> {}

/// Runs `f`, and waits for all threads started in the scope. See [`std::thread::scope`].
///
/// # Panics
/// If a thread of the scope panicked and was not joined.
#[track_caller]
pub fn scope<'env, F, T>(f: F) -> T
where
    F: for<'scope> FnOnce(&'scope Scope<'scope, 'env>) -> T,
{
    let place = Location::caller();
    let Some(x) = execution::current() else {
        return real_scope(f);
    };
    let stamp = x.stamp();
    let scope = Scope(ScopeKind::Controlled(ControlledScope {
        stamp,
        spawned: Default::default(),
        panicked: AtomicBool::new(false),
        scope: PhantomData,
        env: PhantomData,
    }));
    let ScopeKind::Controlled(inside) = &scope.0 else { unreachable!("made just above") };
    let result = catch_unwind(AssertUnwindSafe(|| f(&scope)));
    if let Err(payload) = &result
        && threads::is_teardown(payload.as_ref())
    {
        // The program is over, and with it every thread of the scope: they are ended before their owner.
        return result.unwrap_or_else(|payload| resume_unwind(payload));
    }
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
    // Threads of the scope may use our handle until the very end of the standard library's scope, so it lives outside.
    let handle = UnsafeCell::new(Scope(ScopeKind::Real(ptr::null())));
    std::thread::scope(|real| {
        // SAFETY: the handle outlives this call, and differs from what is wanted in lifetimes only. It is written once,
        // before anybody else can see it.
        let handle = unsafe {
            let handle: *mut Scope<'_, 'env> = handle.get().cast();
            *handle = Scope(ScopeKind::Real(real));
            &*handle
        };
        f(handle)
    })
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
        // SAFETY: what `f` borrows outlives `'scope`, and the scope does not end before `join_all` has seen the thread
        // end, or teardown has ended it.
        let id = unsafe { threads::spawn(self.stamp, name.clone(), f)? };
        self.spawned.lock().unwrap_or_else(|e| e.into_inner()).push(id);
        let process = of(self.stamp).threads[id as usize].process;
        let thread = Thread(Which::Controlled { name, process });
        let handle = Controlled { stamp: self.stamp, id, thread, result: PhantomData };
        Ok(ScopedJoinHandle(ScopedHandle::Controlled(handle, PhantomData)))
    }

    /// Joins every thread that has not been joined, in the order they were started.
    fn join_all(&self, place: &'static Location<'static>) {
        let mut next = 0;
        loop {
            let id = self.spawned.lock().unwrap_or_else(|e| e.into_inner()).get(next).copied();
            let Some(id) = id else { return };
            next += 1;
            if of(self.stamp).threads[id as usize].joined {
                continue;
            }
            threads::join(self.stamp, id, place);
            if of(self.stamp).threads[id as usize].panicked {
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
    Real(std::thread::ScopedJoinHandle<'scope, T>),
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
            ScopedHandle::Real(handle) => handle.join(),
            ScopedHandle::Controlled(ref handle, _) => handle.join(Location::caller()),
        }
    }
}

impl<T> fmt::Debug for ScopedJoinHandle<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopedJoinHandle").finish_non_exhaustive()
    }
}
