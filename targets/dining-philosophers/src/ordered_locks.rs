//! A mutex for each fork, taken in the order of their numbers, so that there is no circle.

insyn::instrumented! {

use std::sync::{Mutex, PoisonError};

use crate::Table;

/// The forks; that with the number of a seat lies left of it.
#[derive(Debug)]
pub struct OrderedLocks {
    forks: Vec<Mutex<()>>,
}

impl OrderedLocks {
    /// A table for so many.
    pub fn new(seats: usize) -> Self {
        OrderedLocks { forks: (0..seats).map(|_| insyn::name!("fork", Mutex::new(()))).collect() }
    }
}

impl Table for OrderedLocks {
    fn dine(&self, seat: usize, eat: &dyn Fn()) {
        let (left, right) = (seat, (seat + 1) % self.forks.len());
        let _first = self.forks[left.min(right)].lock().unwrap_or_else(PoisonError::into_inner);
        let _second = self.forks[left.max(right)].lock().unwrap_or_else(PoisonError::into_inner);
        eat();
    }
}

}
