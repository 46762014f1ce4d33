//! Whether memory grows with the number of sequences: a counting allocator, and the measure.

use crate::insyn_programs;
use insyn_peers::program::factorial;
use insyn_peers_programs::numbers::grouped;
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// Senders of the fan-in that is measured: 362,880 sequences.
const SENDERS: usize = 9;
/// The same exploration, cut here, is what it is compared with.
const CUT_AT: u64 = 500;
/// The heap that stays in use may differ by this much.
const MAX_DIFFERENCE: usize = 4 * 1024;
/// The heap in use at the worst moment may differ by this much. A cut exploration need not have seen its deepest
/// point; but remembering even one byte for each sequence would be five times more than this.
const MAX_PEAK_DIFFERENCE: usize = 64 * 1024;

/// The system's allocator, counting when told to.
///
/// It does not count while times are taken: the peers allocate far more than insyn does, and would be charged for
/// the counting.
pub(crate) struct Counting;

static ON: AtomicBool = AtomicBool::new(false);
static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

fn add(bytes: usize) {
    if ON.load(Relaxed) {
        // What was allocated before the counting began may be freed during it, so this wraps around zero.
        let live = LIVE.fetch_add(bytes, Relaxed).wrapping_add(bytes);
        if live as isize > PEAK.load(Relaxed) as isize {
            PEAK.store(live, Relaxed);
        }
    }
}

fn subtract(bytes: usize) {
    if ON.load(Relaxed) {
        LIVE.fetch_sub(bytes, Relaxed);
    }
}

// SAFETY: every call goes to the system's allocator unchanged; counting touches atomics only.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: the caller keeps the contract of `alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        subtract(layout.size());
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(at, layout) }
    }

    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        add(size);
        subtract(layout.size());
        // SAFETY: the caller keeps the contract of `realloc`.
        unsafe { System.realloc(at, layout, size) }
    }
}

/// The heap after an exploration, its result still held, and at the worst moment of it.
struct Heap {
    sequences: u64,
    live: usize,
    peak: usize,
}

fn explore(max_sequences: Option<u64>) -> Heap {
    PEAK.store(LIVE.load(Relaxed), Relaxed);
    let exploration = insyn_programs::explore_fan_in(SENDERS, 1, max_sequences);
    let live = LIVE.load(Relaxed);
    Heap { sequences: exploration.sequences, live, peak: PEAK.load(Relaxed) }
}

/// Measures, and returns what to print and every goal that was missed.
pub(crate) fn measure() -> (String, Vec<String>) {
    ON.store(true, Relaxed);
    // What is made once and kept (stacks, buffers, statics) is not what is asked about.
    explore(Some(CUT_AT));
    let cut = explore(Some(CUT_AT));
    let full = explore(None);
    ON.store(false, Relaxed);

    let difference = full.live.wrapping_sub(cut.live) as isize;
    let peak_difference = full.peak.wrapping_sub(cut.peak) as isize;
    let mut missed = Vec::new();
    for (heap, expected) in [(&cut, CUT_AT), (&full, factorial(SENDERS as u64))] {
        if heap.sequences != expected {
            missed.push(format!("fan-in {SENDERS}: {} sequences, not {expected}", heap.sequences));
        }
    }
    if difference.unsigned_abs() > MAX_DIFFERENCE {
        missed.push(format!("the heap in use differs by {difference} bytes, more than {MAX_DIFFERENCE}"));
    }
    if peak_difference.unsigned_abs() > MAX_PEAK_DIFFERENCE {
        missed.push(format!(
            "the heap's peak differs by {peak_difference} bytes, more than {MAX_PEAK_DIFFERENCE}"
        ));
    }

    let line = |heap: &Heap| {
        format!(
            "{:>9} sequences: {:>11} bytes in use after, {:>11} at the peak",
            grouped(heap.sequences),
            heap.live as isize,
            heap.peak as isize
        )
    };
    let text = format!(
        "heap of fan-in {SENDERS}\n{}\n{}\n{:>20} {difference:>11} bytes {peak_difference:>23}",
        line(&cut),
        line(&full),
        "difference:"
    );
    (text, missed)
}
