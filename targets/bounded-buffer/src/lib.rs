//! Bounded buffers: who deposits waits while all slots are full, who withdraws waits while all are empty.
//!
//! The same buffer in the ways of the papers, each in its own file.

#[insyn::instrument(path = "crossbeam.rs")]
pub mod crossbeam {}
#[insyn::instrument(path = "monitor_sc.rs")]
pub mod monitor_sc {}
#[insyn::instrument(path = "monitor_su.rs")]
pub mod monitor_su {}
#[insyn::instrument(path = "mpsc.rs")]
pub mod mpsc {}
#[insyn::instrument(path = "select.rs")]
pub mod select {}
// The items are protected by the semaphores; their mutex is never waited for and no part of a sequence.
#[insyn::instrument(path = "semaphores.rs", keep(std::sync::Mutex, std::sync::MutexGuard))]
pub mod semaphores {}

/// Something to put items into and take them out of, in order.
pub trait Buffer: Sync {
    /// Puts an item into a slot; waits while all are full.
    fn deposit(&self, item: u32);

    /// Takes the oldest item; waits while there is none.
    fn withdraw(&self) -> u32;
}
