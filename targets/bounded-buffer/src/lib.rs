//! Bounded buffers: who deposits waits while all slots are full, who withdraws waits while all are empty.
//!
//! The same buffer in the ways of the papers, each in its own file.

pub mod crossbeam;
pub mod faulty;
pub mod monitor_sc;
pub mod monitor_su;
pub mod mpsc;
pub mod select;
pub mod semaphores;

/// Something to put items into and take them out of, in order.
pub trait Buffer: Sync {
    /// Puts an item into a slot; waits while all are full.
    fn deposit(&self, item: u32);

    /// Takes the oldest item; waits while there is none.
    fn withdraw(&self) -> u32;
}
