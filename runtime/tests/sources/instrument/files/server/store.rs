//! A module of a module in a file.

static FACTOR: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(1);

pub(super) fn price(order: u32) -> u32 {
    order * FACTOR.load(std::sync::atomic::Ordering::SeqCst)
}
