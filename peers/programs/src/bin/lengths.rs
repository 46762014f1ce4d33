//! Explores a program of some length, and prints how much memory that took at most, in bytes, beyond what the process had
//! before.
//!
//! `insyn-peers-lengths CONSTRUCT EVENTS EXECUTIONS`
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "this is what the program is for")]

use insyn_peers_programs::lengths::Construct;
use std::alloc::{GlobalAlloc, Layout, System};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts what is in use, on its way to the system's allocator.
struct Counting;

static LIVE: AtomicUsize = AtomicUsize::new(0);
static PEAK: AtomicUsize = AtomicUsize::new(0);

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn add(bytes: usize) {
    let live = LIVE.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(live, Ordering::Relaxed);
}

// SAFETY: everything is passed on to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        add(layout.size());
        // SAFETY: as the caller vouches.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller vouches.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // What is large is moved without being copied, so it is never there twice.
        LIVE.fetch_sub(layout.size(), Ordering::Relaxed);
        add(size);
        // SAFETY: as the caller vouches.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let parsed = match &arguments[..] {
        [key, events, executions] => Construct::of(key).zip(events.parse().ok()).zip(executions.parse().ok()),
        _ => None,
    };
    let Some(((construct, events), executions)) = parsed else {
        eprintln!("usage: insyn-peers-lengths CONSTRUCT EVENTS EXECUTIONS");
        return ExitCode::from(2);
    };
    let before = LIVE.load(Ordering::Relaxed);
    let exploration = construct.explore(events, executions);
    assert!(exploration.failures.is_empty(), "{construct} fails: {:?}", exploration.failures);
    if !construct.is_deterministic() {
        assert_eq!(exploration.executions, executions, "{construct}: as many as were asked for");
    }
    println!("{}", PEAK.load(Ordering::Relaxed) - before);
    ExitCode::SUCCESS
}
