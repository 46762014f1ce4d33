//! Dropping a counted pointer where the count matters, or may turn out to.
//!
//! There are two orders: the one in which threads drop the real pointers, and the one in which the engine completes the
//! drops. The destructor of the value must run on the thread whose drop is *completed* last. So the last real pointer is
//! not dropped but left behind while other drops may still be completed after it; the thread whose drop the engine reports
//! as the last picks the pointer up. A weak pointer that is upgraded meanwhile finds the value alive, as the engine's count
//! says.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync as real;

use super::Tally;
use insyn_engine::calls::pointers;
use insyn_engine::calls::pointers::Pointer;
use insyn_engine::ids::ExecutionId;
use insyn_engine::threads::locals;
use insyn_engine::{NOWHERE, Place};

thread_local! {
    /// The addresses of values whose last real pointer was left behind. All of them are alive, so their addresses differ.
    static LEFT_BEHIND: RefCell<BTreeSet<usize>> = const { RefCell::new(BTreeSet::new()) };
}

fn address<T: ?Sized>(value: *const T) -> usize {
    value.cast::<()>() as usize
}

/// Drops a pointer whose count matters, or the last real pointer of a value with a destructor.
pub(super) fn drop_counted<T: ?Sized>(pointer: real::Arc<T>, tally: Tally) {
    if !tally.is_alive() {
        take_back(&pointer);
        return drop(pointer);
    }
    if tally.count.matters() {
        return drop(part(pointer, tally, NOWHERE));
    }
    let _watch = Watch { tally, touches: touches(tally.execution) };
    drop(pointer);
}

fn touches(execution: ExecutionId) -> (u64, u64) {
    (pointers::touches(execution), locals::touches())
}

/// Detects whether anything in its scope synchronizes; then the count matters.
struct Watch {
    tally: Tally,
    touches: (u64, u64),
}

impl Drop for Watch {
    fn drop(&mut self) {
        if self.tally.is_alive() && touches(self.tally.execution) != self.touches {
            self.tally.count.must_matter(self.tally.execution);
        }
    }
}

/// Gives up a pointer whose count matters; returns the pointer if it was the last.
#[track_caller]
pub(super) fn part<T: ?Sized>(pointer: real::Arc<T>, tally: Tally, place: Place) -> Option<real::Arc<T>> {
    let value = real::Arc::as_ptr(&pointer);
    if real::Arc::strong_count(&pointer) == 1 {
        LEFT_BEHIND.with_borrow_mut(|left| left.insert(address(value)));
        std::mem::forget(pointer);
    } else {
        drop(pointer);
    }
    let mut parting = Parting { value, over: false };
    let was_last = tally.count.drop_pointer(tally.execution, Pointer::Strong, place);
    parting.over = true;
    was_last.then(|| pick_up(value).expect("the last one to go finds what was left behind"))
}

/// A drop that waits for its completion.
struct Parting<T: ?Sized> {
    value: *const T,
    over: bool,
}

impl<T: ?Sized> Drop for Parting<T> {
    fn drop(&mut self) {
        if !self.over {
            // The program is over, so the engine will report no drop as the last.
            drop(pick_up(self.value));
        }
    }
}

/// Takes the real pointer to a value that was left behind, if there is one.
fn pick_up<T: ?Sized>(value: *const T) -> Option<real::Arc<T>> {
    let left = LEFT_BEHIND.with_borrow_mut(|left| left.remove(&address(value)));
    // SAFETY: it was made from a pointer that was forgotten then, and the thread that takes it off the list owns that
    // pointer.
    left.then(|| unsafe { real::Arc::from_raw(value) })
}

/// For a caller that the engine has found to hold the only strong pointer: makes the real count agree.
pub(super) fn take_back<T: ?Sized>(pointer: &real::Arc<T>) {
    drop(pick_up(real::Arc::as_ptr(pointer)));
}
