//! Replacement for [`std::sync::LazyLock`].

use std::cell::UnsafeCell;
use std::fmt;
use std::mem;
use std::ops::{Deref, DerefMut};
use std::panic::{Location, RefUnwindSafe, UnwindSafe};

use super::once::{IfPoisoned, Once};

const POISONED: &str = "LazyLock instance has previously been poisoned";

/// A value that is made when it is first needed. See [`std::sync::LazyLock`].
///
/// Under control, insyn explores which of several threads makes it.
///
/// ```
/// use insyn::std::sync::LazyLock;
/// use insyn::std::thread;
///
/// insyn::explore(|| {
///     let lazy = LazyLock::new(|| thread::current().id());
///     thread::scope(|s| {
///         let other = s.spawn(|| *lazy);
///         assert_eq!(*lazy, other.join().unwrap());
///     });
/// })
/// .assert_ok();
/// ```
pub struct LazyLock<T, F = fn() -> T> {
    once: Once,
    state: UnsafeCell<State<T, F>>,
}

enum State<T, F> {
    /// Not made yet.
    Waiting(F),
    Made(T),
    /// The initializer is running, or has panicked.
    Gone,
}

// SAFETY: the state is changed by the one thread that completes `once`; while it is shared, the value is only read, by
// threads that have the completion in their past. The initializer is never shared.
unsafe impl<T: Sync + Send, F: Send> Sync for LazyLock<T, F> {}

impl<T: RefUnwindSafe + UnwindSafe, F: UnwindSafe> RefUnwindSafe for LazyLock<T, F> {}
impl<T: UnwindSafe, F: UnwindSafe> UnwindSafe for LazyLock<T, F> {}

impl<T, F: FnOnce() -> T> LazyLock<T, F> {
    /// A value that `f` will make. (Not `const`: under control it belongs to the execution it is made in.)
    pub fn new(f: F) -> LazyLock<T, F> {
        LazyLock { once: Once::new(), state: UnsafeCell::new(State::Waiting(f)) }
    }

    /// The value, which is made if necessary. See [`std::sync::LazyLock::force`].
    ///
    /// # Panics
    /// If the initializer panics or has panicked.
    #[track_caller]
    pub fn force(this: &LazyLock<T, F>) -> &T {
        let make = |_: &_| {
            // SAFETY: this runs in one thread, once, and no thread reads the value before it is done.
            let State::Waiting(f) = mem::replace(unsafe { &mut *this.state.get() }, State::Gone) else {
                unreachable!("it is made once");
            };
            let value = f();
            // SAFETY: as above.
            unsafe { *this.state.get() = State::Made(value) }
        };
        this.once.call(IfPoisoned::Panic(POISONED), make, Location::caller());
        this.made()
    }

    /// The value, which is made if necessary; the exclusive borrow keeps all other threads out. See
    /// [`std::sync::LazyLock::force_mut`].
    ///
    /// # Panics
    /// If the initializer panics or has panicked.
    #[track_caller]
    pub fn force_mut(this: &mut LazyLock<T, F>) -> &mut T {
        LazyLock::force(this);
        LazyLock::get_mut(this).expect("it has been made")
    }
}

impl<T, F> LazyLock<T, F> {
    /// The value, if it has been made; the exclusive borrow keeps all other threads out. See
    /// [`std::sync::LazyLock::get_mut`].
    pub fn get_mut(this: &mut LazyLock<T, F>) -> Option<&mut T> {
        match this.state.get_mut() {
            State::Made(value) => Some(value),
            _ => None,
        }
    }

    /// The value, if it has been made. See [`std::sync::LazyLock::get`].
    #[track_caller]
    pub fn get(this: &LazyLock<T, F>) -> Option<&T> {
        this.once.is_completed().then(|| this.made())
    }

    /// For callers that know that the value has been made.
    fn made(&self) -> &T {
        // SAFETY: it is not changed any more.
        match unsafe { &*self.state.get() } {
            State::Made(value) => value,
            _ => unreachable!("it has been made"),
        }
    }
}

impl<T, F: FnOnce() -> T> Deref for LazyLock<T, F> {
    type Target = T;
    #[track_caller]
    fn deref(&self) -> &T {
        LazyLock::force(self)
    }
}

impl<T, F: FnOnce() -> T> DerefMut for LazyLock<T, F> {
    #[track_caller]
    fn deref_mut(&mut self) -> &mut T {
        LazyLock::force_mut(self)
    }
}

impl<T: Default> Default for LazyLock<T> {
    fn default() -> LazyLock<T> {
        LazyLock::new(T::default)
    }
}

impl<T: fmt::Debug, F> fmt::Debug for LazyLock<T, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_tuple("LazyLock");
        match LazyLock::get(self) {
            Some(value) => shown.field(value),
            None => shown.field(&format_args!("<uninit>")),
        };
        shown.finish()
    }
}
