//! A monitor with signal-and-urgent-wait: who is signalled goes on at once, so nobody need look again.

insyn::instrumented! {

use std::collections::VecDeque;

use insyn::sync::{Condition, Monitor};

use crate::Buffer;

/// A monitor with one condition for producers and one for consumers.
#[derive(Debug)]
pub struct MonitorSu {
    slots: usize,
    items: Monitor<VecDeque<u32>>,
    not_full: Condition,
    not_empty: Condition,
}

impl MonitorSu {
    /// A buffer with so many slots.
    pub fn new(slots: usize) -> Self {
        let items = Monitor::urgent(VecDeque::with_capacity(slots));
        let (not_full, not_empty) = (items.condition(), items.condition());
        MonitorSu { slots, items, not_full, not_empty }
    }
}

impl Buffer for MonitorSu {
    fn deposit(&self, item: u32) {
        let mut items = self.items.enter();
        if items.len() == self.slots {
            items.wait(&self.not_full);
        }
        items.push_back(item);
        insyn::label!("deposit");
        items.signal(&self.not_empty);
    }

    fn withdraw(&self) -> u32 {
        let mut items = self.items.enter();
        if items.is_empty() {
            items.wait(&self.not_empty);
        }
        let item = items.pop_front().expect("the signaller has put it there");
        insyn::label!("withdraw");
        items.signal(&self.not_full);
        item
    }
}

}
