//! Dining philosophers: each needs the forks on both sides to eat.

#[insyn::instrument(path = "deadlocking.rs")]
pub mod deadlocking {}
#[insyn::instrument(path = "monitor_su.rs")]
pub mod monitor_su {}
#[insyn::instrument(path = "ordered_locks.rs")]
pub mod ordered_locks {}

/// A table with a seat for each philosopher.
pub trait Table: Sync {
    /// Waits for both forks of a seat, eats, and lays them back.
    fn dine(&self, seat: usize, eat: &dyn Fn());
}
