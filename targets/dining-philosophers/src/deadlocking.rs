//! A mutex for each fork, taken left before right: when all have taken the left one, nobody gets the right one.

insyn::instrumented! {

use std::sync::{Mutex, PoisonError};

use crate::Table;

/// The forks; that with the number of a seat lies left of it.
#[derive(Debug)]
pub struct Deadlocking {
    forks: Vec<Mutex<()>>,
}

impl Deadlocking {
    /// A table for so many.
    pub fn new(seats: usize) -> Self {
        Deadlocking { forks: (0..seats).map(|_| insyn::name!("fork", Mutex::new(()))).collect() }
    }
}

impl Table for Deadlocking {
    fn dine(&self, seat: usize, eat: &dyn Fn()) {
        let (left, right) = (seat, (seat + 1) % self.forks.len());
        let _left = self.forks[left].lock().unwrap_or_else(PoisonError::into_inner);
        let _right = self.forks[right].lock().unwrap_or_else(PoisonError::into_inner);
        eat();
    }
}

}
