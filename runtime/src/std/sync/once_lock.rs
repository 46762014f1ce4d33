//! Replacement for [`std::sync::OnceLock`].

use std::cell::UnsafeCell;
use std::fmt;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};

use super::once::{IfPoisoned, Once};
use insyn_engine::Place;

/// A place for a value that is set once. See [`std::sync::OnceLock`].
///
/// Under control, insyn explores which of several threads sets it. A read is ordered only after the write.
///
/// ```
/// use insyn::std::sync::OnceLock;
/// use insyn::std::thread;
///
/// let found = insyn::explore(|| {
///     let cell = OnceLock::new();
///     thread::scope(|s| {
///         s.spawn(|| cell.get_or_init(|| 1));
///         cell.get_or_init(|| 2);
///     });
///     assert!(cell.into_inner().is_some());
/// });
/// found.assert_ok();
/// ```
pub struct OnceLock<T> {
    once: Once,
    /// Set before `once` is completed, and only read after that while it is shared.
    value: UnsafeCell<Option<T>>,
}

// SAFETY: the value is set by the one thread that completes `once`; while it is shared, it is only read, by threads that
// have the completion in their past. It may be dropped or taken on another thread than it was set on, hence `Send`.
unsafe impl<T: Sync + Send> Sync for OnceLock<T> {}

impl<T: RefUnwindSafe + UnwindSafe> RefUnwindSafe for OnceLock<T> {}
impl<T: UnwindSafe> UnwindSafe for OnceLock<T> {}

impl<T> OnceLock<T> {
    /// A place with no value. (Not `const`: under control it belongs to the execution it is made in.)
    #[must_use]
    pub fn new() -> OnceLock<T> {
        OnceLock { once: Once::new(), value: UnsafeCell::new(None) }
    }

    /// The value, if there is one. See [`std::sync::OnceLock::get`].
    #[track_caller]
    pub fn get(&self) -> Option<&T> {
        self.once.is_completed().then(|| self.value())
    }

    /// The value, if there is one; the exclusive borrow keeps all other threads out.
    pub fn get_mut(&mut self) -> Option<&mut T> {
        self.value.get_mut().as_mut()
    }

    /// Waits until there is a value. See [`std::sync::OnceLock::wait`].
    #[track_caller]
    pub fn wait(&self) -> &T {
        self.once.wait_force();
        self.value()
    }

    /// Sets the value. See [`std::sync::OnceLock::set`].
    ///
    /// # Errors
    /// If there is one already; the value that should have been set is in the error.
    #[track_caller]
    pub fn set(&self, value: T) -> Result<(), T> {
        let mut value = Some(value);
        self.init(|| value.take().expect("it is set once"), Location::caller());
        match value {
            None => Ok(()),
            Some(value) => Err(value),
        }
    }

    /// The value; if there is none, it is set to what `f` returns. See [`std::sync::OnceLock::get_or_init`].
    ///
    /// # Panics
    /// If `f` does; there is no value then. (If `f` itself asks for the value, it waits forever.)
    #[track_caller]
    pub fn get_or_init<F>(&self, f: F) -> &T
    where
        F: FnOnce() -> T,
    {
        self.init(f, Location::caller())
    }

    #[track_caller]
    fn init(&self, f: impl FnOnce() -> T, place: Place) -> &T {
        let set = |_: &_| {
            let value = f();
            // SAFETY: this runs in one thread, once to its end, and no thread reads the value before that.
            unsafe { *self.value.get() = Some(value) }
        };
        self.once.call(IfPoisoned::Force, set, place);
        self.value()
    }

    /// For callers that know that there is a value.
    fn value(&self) -> &T {
        // SAFETY: it is not written any more.
        unsafe { (*self.value.get()).as_ref() }.expect("it has been set")
    }

    /// The value, if there is one.
    pub fn into_inner(self) -> Option<T> {
        self.value.into_inner()
    }

    /// Takes the value, if there is one; it can be set again. See [`std::sync::OnceLock::take`].
    pub fn take(&mut self) -> Option<T> {
        let value = self.value.get_mut().take()?;
        self.once = self.once.anew();
        Some(value)
    }
}

impl<T> Default for OnceLock<T> {
    fn default() -> OnceLock<T> {
        OnceLock::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for OnceLock<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_tuple("OnceLock");
        match self.get() {
            Some(value) => shown.field(value),
            None => shown.field(&format_args!("<uninit>")),
        };
        shown.finish()
    }
}

impl<T: Clone> Clone for OnceLock<T> {
    #[track_caller]
    fn clone(&self) -> OnceLock<T> {
        match self.get() {
            Some(value) => OnceLock::from(value.clone()),
            None => OnceLock::new(),
        }
    }
}

impl<T> From<T> for OnceLock<T> {
    #[track_caller]
    fn from(value: T) -> OnceLock<T> {
        let cell = OnceLock::new();
        let set = cell.set(value);
        assert!(set.is_ok(), "it is new");
        cell
    }
}

impl<T: PartialEq> PartialEq for OnceLock<T> {
    #[track_caller]
    fn eq(&self, other: &OnceLock<T>) -> bool {
        self.get() == other.get()
    }
}

impl<T: Eq> Eq for OnceLock<T> {}
