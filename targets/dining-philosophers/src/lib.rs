//! Dining philosophers: each needs the forks on both sides to eat.

pub mod deadlocking;
pub mod monitor_su;
pub mod ordered_locks;

/// A table with a seat for each philosopher.
pub trait Table: Sync {
    /// Waits for both forks of a seat, eats, and lays them back.
    fn dine(&self, seat: usize, eat: &dyn Fn());
}
