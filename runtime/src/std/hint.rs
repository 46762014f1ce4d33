//! Replacement for [`std::hint`]. Everything except [`spin_loop`] and the functions that this crate's oldest compiler
//! lacks is the standard library's own.

pub use std::hint::{assert_unchecked, black_box, select_unpredictable, unreachable_unchecked};

use super::thread;

/// Hints that the thread spins until another thread makes progress. See [`std::hint::spin_loop`].
///
/// Under control this is [`yield_now`](thread::yield_now): other threads go first.
pub fn spin_loop() {
    if insyn_engine::access::is_under_control() {
        thread::yield_now();
    } else {
        std::hint::spin_loop();
    }
}

/// Hints that this path is hardly ever taken. See `std::hint::cold_path`, which is newer than the oldest compiler that this
/// crate supports.
#[cold]
#[inline(never)]
pub const fn cold_path() {}
