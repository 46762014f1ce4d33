//! Four semaphores: two count slots, two let one producer and one consumer in at a time.

insyn::instrumented! {

use std::collections::VecDeque;
// The semaphores protect the items: their mutex is never waited for, and no part of a sequence.
#[insyn::instrument(skip)]
use std::sync::{Mutex, MutexGuard, PoisonError};

use insyn::sync::Semaphore;

use crate::Buffer;

/// A producer keeps other producers out while it waits for a slot, and a consumer other consumers.
#[derive(Debug)]
pub struct Semaphores {
    empty_slots: Semaphore,
    full_slots: Semaphore,
    mutex_d: Semaphore,
    mutex_w: Semaphore,
    items: Mutex<VecDeque<u32>>,
}

impl Semaphores {
    /// A buffer with so many slots.
    pub fn new(slots: usize) -> Self {
        Semaphores {
            empty_slots: Semaphore::new(slots),
            full_slots: Semaphore::new(0),
            mutex_d: Semaphore::binary(1),
            mutex_w: Semaphore::binary(1),
            items: Mutex::new(VecDeque::with_capacity(slots)),
        }
    }

    fn items(&self) -> MutexGuard<'_, VecDeque<u32>> {
        self.items.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Buffer for Semaphores {
    fn deposit(&self, item: u32) {
        self.mutex_d.acquire();
        self.empty_slots.acquire();
        self.items().push_back(item);
        insyn::label!("deposit");
        self.full_slots.release();
        self.mutex_d.release();
    }

    fn withdraw(&self) -> u32 {
        self.mutex_w.acquire();
        self.full_slots.acquire();
        let item = self.items().pop_front().expect("a slot is full");
        insyn::label!("withdraw");
        self.empty_slots.release();
        self.mutex_w.release();
        item
    }
}

}
