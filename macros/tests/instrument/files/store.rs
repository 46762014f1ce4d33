//! In a file of its own.

pub(super) fn price(order: u32) -> u32 {
    std::thread::yield_now();
    order
}
