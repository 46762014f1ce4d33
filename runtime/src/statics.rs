//! Statics of instrumented code: they start anew in each execution.
//!
//! `#[insyn::instrument]` turns every static that is more than plain data into a [`Static`]. Outside a program under test
//! it is one value, made when it is first used; the late initialization cannot be observed, because the initializer of a
//! static can only compute. In a program under test each execution has a value of its own.

use std::fmt;
use std::ops::Deref;
use std::panic::Location;
use std::ptr;
use std::sync::OnceLock;

use insyn_engine::statics;

/// A static of which each execution has its own.
///
/// A reference to it must not be kept where another execution can find it: the value is gone when its execution is over.
/// The only such places for instrumented code are the statics of other crates.
///
/// ```
/// use insyn::statics::Static;
/// use insyn::std::sync::atomic::{AtomicU32, Ordering};
///
/// static CALLS: Static<AtomicU32> = Static::new("CALLS", || AtomicU32::new(0));
///
/// insyn::explore(|| {
///     let earlier = CALLS.fetch_add(1, Ordering::SeqCst);
///     let other = insyn::std::thread::spawn(|| CALLS.fetch_add(1, Ordering::SeqCst));
///     assert_eq!((earlier, other.join().unwrap()), (0, 1));
/// })
/// .assert_ok();
/// ```
pub struct Static<T: 'static> {
    name: &'static str,
    place: &'static Location<'static>,
    init: fn() -> T,
    /// The value outside a program under test.
    real: OnceLock<T>,
}

// SAFETY: a shared static gives no more than a shared reference to its value. The real value is never moved or
// dropped, so it need not be `Send` although another thread may have made it, as for any static; the values of executions
// stay on the OS thread that runs their execution.
unsafe impl<T: Sync> Sync for Static<T> {}

impl<T> Static<T> {
    /// A static that starts with the value that `init` makes. Statics must have different names: their values are
    /// identified by them.
    #[track_caller]
    pub const fn new(name: &'static str, init: fn() -> T) -> Self {
        Static { name, place: Location::caller(), init, real: OnceLock::new() }
    }

    /// Its path, for reports.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Where it is declared.
    pub fn place(&self) -> &'static Location<'static> {
        self.place
    }
}

impl<T: 'static> Deref for Static<T> {
    type Target = T;

    fn deref(&self) -> &T {
        let key = ptr::from_ref(self).addr();
        match statics::of_static(key, self.name, self.init) {
            Some(value) => value,
            None => self.real.get_or_init(self.init),
        }
    }
}

impl<T: fmt::Debug> fmt::Debug for Static<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

impl<T: fmt::Display> fmt::Display for Static<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}
