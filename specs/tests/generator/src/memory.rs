//! Counts the memory that a thread has in use, and its peak.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    /// The bytes that this thread has allocated and not freed. Memory that another thread frees is counted there, so this may be
    /// negative.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// The system's allocator, with counters. A test binary makes it the global allocator.
#[derive(Debug)]
pub struct Counting;

fn count(change: isize) {
    // A thread that ends may free after its counters are gone.
    let _ = LIVE.try_with(|live| {
        live.set(live.get() + change);
        PEAK.with(|peak| peak.set(peak.get().max(live.get())));
    });
}

fn signed(size: usize) -> isize {
    isize::try_from(size).unwrap_or(isize::MAX)
}

// SAFETY: everything is left to the system's allocator, whose guarantees these are; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(signed(layout.size()));
        // SAFETY: the caller keeps the promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-signed(layout.size()));
        // SAFETY: the caller keeps the promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(signed(size) - signed(layout.size()));
        // SAFETY: the caller keeps the promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Runs a closure. Output: its result, and the peak of the bytes that this thread used for it. Nothing is counted unless [`Counting`] is the
/// global allocator.
pub fn peak<R>(act: impl FnOnce() -> R) -> (R, usize) {
    let before = LIVE.get();
    PEAK.set(before);
    let result = act();
    (result, usize::try_from(PEAK.get() - before).unwrap_or(0))
}
