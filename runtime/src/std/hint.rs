//! Mirror of [`std::hint`]. All but [`spin_loop`] and what this crate's oldest compiler lacks is the standard library's own.

pub use std::hint::{assert_unchecked, black_box, select_unpredictable, unreachable_unchecked};

use super::thread;

/// Says that the thread waits for another by looking again and again. See [`std::hint::spin_loop`].
///
/// Under control this is [`yield_now`](thread::yield_now): others go first.
pub fn spin_loop() {
    if crate::engine::access::is_under_control() {
        thread::yield_now();
    } else {
        std::hint::spin_loop();
    }
}

/// Says that this path is hardly ever taken. See `std::hint::cold_path`, which is younger than the oldest compiler that
/// this crate is for.
#[cold]
#[inline(never)]
pub const fn cold_path() {}
