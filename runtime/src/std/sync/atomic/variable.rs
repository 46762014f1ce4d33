//! What all atomic types are made of: a real atomic, or a variable of the engine.

use std::cell::UnsafeCell;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

use crate::backend::Backend;
use insyn_engine::Place;
use insyn_engine::access::{current_execution, with};
use insyn_engine::calls::atomics;
use insyn_engine::ids::{ExecutionId, ObjectId};

/// A value that fits into a variable of the engine.
pub(super) trait Word: Copy {
    fn to_bits(self) -> u64;
    fn from_bits(bits: u64) -> Self;
}

/// A real atomic of type `R`, or a variable under control.
impl<R, T: Word> Backend<R, Variable<T>> {
    pub(super) fn new(value: T, real: impl FnOnce(T) -> R) -> Self {
        match current_execution() {
            None => Backend::Real(real(value)),
            Some(execution) => Backend::Controlled(Variable::new(execution, value)),
        }
    }
}

impl<R: From<T>, T: Word + Default> Default for Backend<R, Variable<T>> {
    fn default() -> Self {
        Backend::new(T::default(), R::from)
    }
}

/// A variable under control.
pub(super) struct Variable<T> {
    execution: ExecutionId,
    object: ObjectId,
    /// The value was lent to an exclusive borrow of the variable, which may have changed it.
    lent: AtomicBool,
    /// The value, while it is lent.
    copy: UnsafeCell<T>,
}

// SAFETY: the copy is written through `&mut` only, or read on the one OS thread of the execution, which `object` makes
// sure of first. The bound: pointers may be sent and shared, as those of the standard library's may.
unsafe impl<T: Word> Send for Variable<T> {}
// SAFETY: as above.
unsafe impl<T: Word> Sync for Variable<T> {}

impl<T: Word> Variable<T> {
    fn new(execution: ExecutionId, value: T) -> Self {
        let object = atomics::new(execution, value.to_bits());
        Variable { execution, object, lent: AtomicBool::new(false), copy: UnsafeCell::new(value) }
    }

    /// The variable's id in the engine; from here on the engine holds its value.
    #[track_caller]
    fn object(&self) -> ObjectId {
        if self.lent.load(Ordering::Relaxed) {
            with(self.execution, |_| ());
            self.lent.store(false, Ordering::Relaxed);
            // SAFETY: see the impl of `Send`.
            let value = unsafe { *self.copy.get() };
            atomics::reset(self.execution, self.object, value.to_bits());
        }
        self.object
    }

    #[track_caller]
    pub(super) fn load(&self, order: Ordering, place: Place) -> T {
        // A real load panics if the ordering makes no sense.
        AtomicU8::new(0).load(order);
        T::from_bits(atomics::load(self.execution, self.object(), place))
    }

    #[track_caller]
    pub(super) fn store(&self, value: T, order: Ordering, place: Place) {
        AtomicU8::new(0).store(0, order);
        atomics::store(self.execution, self.object(), value.to_bits(), place);
    }

    /// Changes the value to what `f` makes of it and of `a`; returns the old value.
    #[track_caller]
    pub(super) fn change(&self, f: fn(u64, u64, u64) -> Option<u64>, a: u64, place: Place) -> T {
        let (Ok(old) | Err(old)) = atomics::update(self.execution, self.object(), f, a, 0, place);
        T::from_bits(old)
    }

    #[track_caller]
    pub(super) fn compare_exchange(
        &self,
        current: T,
        new: T,
        [success, failure]: [Ordering; 2],
        place: Place,
    ) -> Result<T, T> {
        let _ = AtomicU8::new(0).compare_exchange(0, 0, success, failure);
        let (current, new) = (current.to_bits(), new.to_bits());
        let done = atomics::update(self.execution, self.object(), swap_if_equal, current, new, place);
        done.map(T::from_bits).map_err(T::from_bits)
    }

    /// As [`compare_exchange`](Self::compare_exchange), but may fail spuriously.
    #[track_caller]
    pub(super) fn compare_exchange_weak(
        &self,
        current: T,
        new: T,
        [success, failure]: [Ordering; 2],
        place: Place,
    ) -> Result<T, T> {
        let _ = AtomicU8::new(0).compare_exchange(0, 0, success, failure);
        let (current, new) = (current.to_bits(), new.to_bits());
        let done = atomics::update_weakly(self.execution, self.object(), swap_if_equal, current, new, place);
        done.map(T::from_bits).map_err(T::from_bits)
    }

    /// The value, for a caller with exclusive access to the variable. The next operation sees the changes that the caller
    /// makes.
    #[track_caller]
    pub(super) fn lend(&mut self) -> &mut T {
        *self.copy.get_mut() = self.latest();
        *self.lent.get_mut() = true;
        self.copy.get_mut()
    }

    /// The value, for a caller with exclusive access to the variable.
    #[track_caller]
    pub(super) fn latest(&self) -> T {
        T::from_bits(atomics::latest(self.execution, self.object()))
    }
}

/// What a `compare_exchange` writes, if anything.
fn swap_if_equal(old: u64, current: u64, new: u64) -> Option<u64> {
    (old == current).then_some(new)
}
