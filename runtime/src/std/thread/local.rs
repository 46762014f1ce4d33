//! Replacement for [`std::thread_local!`] and [`std::thread::LocalKey`].

use std::cell::{Cell, RefCell};
use std::error::Error;
use std::fmt;

use insyn_engine::access::{current_execution, is_under_control};
use insyn_engine::threads::locals;
use insyn_engine::threads::locals::Found;

/// Declares variables of which every thread has its own copy. See [`std::thread_local!`].
///
/// Under control every thread of every execution starts with fresh variables. They are dropped at the end of the thread, on
/// its own stack, the latest first, and the operations of their destructors are part of the program: another thread
/// observes the end only afterwards, by `join` or at the end of the scope. (The standard library does not promise this for
/// scoped threads.)
///
/// ```
/// use std::cell::Cell;
///
/// insyn::std::thread_local! {
///     static COUNT: Cell<u32> = const { Cell::new(0) };
/// }
///
/// insyn::explore(|| {
///     COUNT.set(COUNT.get() + 1);
///     let other = insyn::std::thread::spawn(|| COUNT.get()).join().unwrap();
///     assert_eq!((COUNT.get(), other), (1, 0));
/// })
/// .assert_ok();
/// ```
#[macro_export]
macro_rules! thread_local {
    () => {};
    ($(#[$attribute:meta])* $vis:vis static $name:ident: $t:ty = const $init:block; $($rest:tt)*) => {
        $crate::thread_local!(@one [$(#[$attribute])*] $vis $name, $t, const $init);
        $crate::thread_local!($($rest)*);
    };
    ($(#[$attribute:meta])* $vis:vis static $name:ident: $t:ty = const $init:block) => {
        $crate::thread_local!(@one [$(#[$attribute])*] $vis $name, $t, const $init);
    };
    ($(#[$attribute:meta])* $vis:vis static $name:ident: $t:ty = $init:expr; $($rest:tt)*) => {
        $crate::thread_local!(@one [$(#[$attribute])*] $vis $name, $t, $init);
        $crate::thread_local!($($rest)*);
    };
    ($(#[$attribute:meta])* $vis:vis static $name:ident: $t:ty = $init:expr) => {
        $crate::thread_local!(@one [$(#[$attribute])*] $vis $name, $t, $init);
    };
    (@one [$(#[$attribute:meta])*] $vis:vis $name:ident, $t:ty, $($init:tt)*) => {
        $(#[$attribute])*
        $vis const $name: $crate::std::thread::LocalKey<$t> = {
            fn __insyn_init() -> $t {
                $($init)*
            }
            ::std::thread_local! {
                static __INSYN_REAL: $t = $($init)*;
            }
            static __INSYN_KEY: u8 = 0;
            $crate::std::thread::LocalKey::__new(&__INSYN_KEY, __insyn_init, &__INSYN_REAL)
        };
    };
}

/// A variable of which every thread has its own copy. See [`std::thread::LocalKey`].
pub struct LocalKey<T: 'static> {
    /// The key is identified by its address.
    key: &'static u8,
    init: fn() -> T,
    /// The real variable, outside a program under test.
    real: &'static std::thread::LocalKey<T>,
}

impl<T: 'static> LocalKey<T> {
    /// Only for [`thread_local!`](crate::thread_local).
    #[doc(hidden)]
    pub const fn __new(key: &'static u8, init: fn() -> T, real: &'static std::thread::LocalKey<T>) -> Self {
        LocalKey { key, init, real }
    }

    /// Uses the variable of the running thread. See [`std::thread::LocalKey::with`].
    ///
    /// # Panics
    /// If the thread is ending and the variable has been dropped.
    #[track_caller]
    pub fn with<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&T) -> R,
    {
        self.try_with(f).unwrap_or_else(|error| gone(error))
    }

    /// Uses the variable of the running thread. See [`std::thread::LocalKey::try_with`].
    ///
    /// # Errors
    /// If the thread is ending and the variable has been dropped.
    pub fn try_with<F, R>(&'static self, f: F) -> Result<R, AccessError>
    where
        F: FnOnce(&T) -> R,
    {
        if !is_under_control() {
            return self.real.try_with(f).map_err(|_| AccessError);
        }
        let value = match self.find()? {
            Some(value) => value,
            None => locals::put(self.key, (self.init)()),
        };
        // SAFETY: it stays where it is until the thread ends, and `f` runs on this thread.
        Ok(f(unsafe { &*value }))
    }

    /// The variable; none if the running thread has not used it yet.
    fn find(&self) -> Result<Option<*const T>, AccessError> {
        match locals::find(self.key) {
            Found::Here(value) => Ok(Some(value)),
            Found::NotYet => Ok(None),
            Found::NoMore => Err(AccessError),
        }
    }

    /// Sets the variable under control: at once on its first use, otherwise by `set`.
    #[track_caller]
    fn start_or<V>(&'static self, value: V, new: fn(V) -> T, set: impl FnOnce(&T, V)) {
        match self.find() {
            // SAFETY: as in `try_with`.
            Ok(Some(found)) => set(unsafe { &*found }, value),
            Ok(None) => {
                locals::put(self.key, new(value));
            }
            Err(error) => gone(error),
        }
    }
}

#[cold]
#[inline(never)]
#[track_caller]
fn gone(error: AccessError) -> ! {
    panic!("cannot access a Thread Local Storage value during or after destruction: {error:?}")
}

impl<T: 'static> LocalKey<Cell<T>> {
    /// Sets the variable; its first use does not run the initializer. See [`std::thread::LocalKey::set`].
    ///
    /// # Panics
    /// As [`with`](Self::with).
    #[track_caller]
    pub fn set(&'static self, value: T) {
        match current_execution() {
            None => self.real.set(value),
            Some(_) => self.start_or(value, Cell::new, |cell, value| cell.set(value)),
        }
    }

    /// A copy of what is in it.
    ///
    /// # Panics
    /// As [`with`](Self::with).
    #[track_caller]
    pub fn get(&'static self) -> T
    where
        T: Copy,
    {
        self.with(Cell::get)
    }

    /// Takes what is in it and leaves the default.
    ///
    /// # Panics
    /// As [`with`](Self::with).
    #[track_caller]
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(Cell::take)
    }

    /// Takes what is in it and leaves `value`.
    ///
    /// # Panics
    /// As [`with`](Self::with).
    #[track_caller]
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> LocalKey<RefCell<T>> {
    /// Borrows what is in it.
    ///
    /// # Panics
    /// As [`with`](Self::with), and if it is mutably borrowed.
    #[track_caller]
    pub fn with_borrow<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&T) -> R,
    {
        self.with(|cell| f(&cell.borrow()))
    }

    /// Borrows what is in it, mutably.
    ///
    /// # Panics
    /// As [`with`](Self::with), and if it is borrowed.
    #[track_caller]
    pub fn with_borrow_mut<F, R>(&'static self, f: F) -> R
    where
        F: FnOnce(&mut T) -> R,
    {
        self.with(|cell| f(&mut cell.borrow_mut()))
    }

    /// Sets the variable; its first use does not run the initializer. See [`std::thread::LocalKey::set`].
    ///
    /// # Panics
    /// As [`with`](Self::with), and if it is borrowed.
    #[track_caller]
    pub fn set(&'static self, value: T) {
        match current_execution() {
            None => self.real.set(value),
            Some(_) => self.start_or(value, RefCell::new, |cell, value| *cell.borrow_mut() = value),
        }
    }

    /// Takes what is in it and leaves the default.
    ///
    /// # Panics
    /// As [`with`](Self::with), and if it is borrowed.
    #[track_caller]
    pub fn take(&'static self) -> T
    where
        T: Default,
    {
        self.with(RefCell::take)
    }

    /// Takes what is in it and leaves `value`.
    ///
    /// # Panics
    /// As [`with`](Self::with), and if it is borrowed.
    #[track_caller]
    pub fn replace(&'static self, value: T) -> T {
        self.with(|cell| cell.replace(value))
    }
}

impl<T: 'static> fmt::Debug for LocalKey<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LocalKey").finish_non_exhaustive()
    }
}

/// The variable has been dropped: the thread is ending. See [`std::thread::AccessError`].
#[non_exhaustive]
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AccessError;

impl fmt::Debug for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AccessError").finish()
    }
}

impl fmt::Display for AccessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("already destroyed")
    }
}

impl Error for AccessError {}
