//! Thread-local storage of the threads under test.
//!
//! Each thread has its own values, found by the address of a key. They are dropped at the end of the thread
//! ([`drop_all`]), on its own stack and as part of the program; the latest first, as the standard library does where the
//! platform allows it. Values without a destructor stay until all others are gone.

use std::any::Any;
use std::cell::Cell;
use std::panic::AssertUnwindSafe;
use std::{mem, ptr};

use crate::access::with_running;
use crate::ids::ThreadId;
use crate::threads::panics;

/// The thread-local values of one thread, in the order in which they were first used.
#[derive(Default)]
pub struct Locals {
    slots: Vec<Slot>,
}

struct Slot {
    key: *const u8,
    /// None once it has been dropped.
    value: Option<Box<dyn Any>>,
    needs_drop: bool,
}

/// The state of a thread-local variable.
pub enum Found<T> {
    NotYet,
    Here(*const T),
    /// The value has been dropped.
    NoMore,
}

impl Locals {
    pub fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    fn slot(&mut self, key: *const u8) -> Option<&mut Slot> {
        self.slots.iter_mut().find(|slot| ptr::eq(slot.key, key))
    }

    /// Takes out the value that is to be dropped next. When none is left, clears all slots.
    fn next_to_drop(&mut self) -> Option<Box<dyn Any>> {
        let next = self.slots.iter_mut().rev().find(|slot| slot.needs_drop && slot.value.is_some());
        if let Some(slot) = next {
            return slot.value.take();
        }
        self.slots.clear();
        None
    }
}

thread_local! {
    /// See [`touches`].
    static TOUCHES: Cell<u64> = const { Cell::new(0) };
}

/// How often programs on this OS thread have used something that differs between threads: thread-locals, thread ids.
pub fn touches() -> u64 {
    TOUCHES.get()
}

/// Records that the behaviour of the program depends on which thread does something.
pub fn touch() {
    TOUCHES.set(TOUCHES.get() + 1);
}

/// Finds the running thread's value of a key.
pub fn find<T: 'static>(key: &'static u8) -> Found<T> {
    touch();
    with_running(|engine| match engine.threads[engine.schedule.running].locals.slot(key) {
        None => Found::NotYet,
        Some(Slot { value: None, .. }) => Found::NoMore,
        Some(Slot { value: Some(value), .. }) => {
            Found::Here(value.downcast_ref::<T>().expect("a key has one type"))
        }
    })
}

/// Gives the running thread a value for a key. A value that the initializer itself has put there is dropped.
pub fn put<T: 'static>(key: &'static u8, value: T) -> *const T {
    let earlier = with_running(|engine| {
        let locals = &mut engine.threads[engine.schedule.running].locals;
        let value: Box<dyn Any> = Box::new(value);
        match locals.slot(key) {
            Some(slot) => slot.value.replace(value),
            None => {
                locals.slots.push(Slot { key, value: Some(value), needs_drop: mem::needs_drop::<T>() });
                None
            }
        }
    });
    drop(earlier);
    match find(key) {
        Found::Here(value) => value,
        _ => unreachable!("put there just above"),
    }
}

/// Drops the thread-locals of a thread, whose destructors can use those that are left; returns whether one of them
/// panicked. It must run on a stack of the program.
pub(crate) fn drop_all(thread: ThreadId) -> bool {
    let mut panicked = false;
    loop {
        let next = with_running(|engine| engine.threads[thread].locals.next_to_drop());
        let Some(value) = next else { return panicked };
        if let Err(payload) = panics::catch(AssertUnwindSafe(|| drop(value))) {
            panicked = true;
            mem::forget(payload);
        }
    }
}
