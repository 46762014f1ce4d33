//! A monitor with signal-and-continue, which is what a mutex with condition variables is: who is notified must look again.

insyn::instrumented! {

use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, PoisonError};

use crate::Buffer;

/// Whom a change wakes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notify {
    /// All who wait for it.
    All,
    /// One who waits for it.
    One,
}

/// A mutex with one condition variable for producers and one for consumers.
#[derive(Debug)]
pub struct MonitorSc {
    slots: usize,
    notify: Notify,
    items: Mutex<VecDeque<u32>>,
    not_full: Condvar,
    not_empty: Condvar,
}

impl MonitorSc {
    /// A buffer with so many slots.
    pub fn new(slots: usize, notify: Notify) -> Self {
        MonitorSc {
            slots,
            notify,
            items: Mutex::new(VecDeque::with_capacity(slots)),
            not_full: Condvar::new(),
            not_empty: Condvar::new(),
        }
    }

    fn notify(&self, change: &Condvar) {
        match self.notify {
            Notify::All => change.notify_all(),
            Notify::One => change.notify_one(),
        }
    }
}

impl Buffer for MonitorSc {
    fn deposit(&self, item: u32) {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        while items.len() == self.slots {
            items = self.not_full.wait(items).unwrap_or_else(PoisonError::into_inner);
        }
        items.push_back(item);
        insyn::label!("deposit");
        self.notify(&self.not_empty);
    }

    fn withdraw(&self) -> u32 {
        let mut items = self.items.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(item) = items.pop_front() {
                insyn::label!("withdraw");
                self.notify(&self.not_full);
                return item;
            }
            items = self.not_empty.wait(items).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

}
