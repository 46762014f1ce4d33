//! Statics and thread-local variables start anew.

use insyn::explore;

#[insyn::instrument]
mod statics {
    use std::cell::RefCell;
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use std::sync::{LazyLock, Mutex, OnceLock};
    use std::thread;

    static NAMES: [&str; 2] = ["even", "odd"];
    static CALLS: AtomicU32 = AtomicU32::new(0);
    static LOG: Log = Log::new();
    static SQUARES: LazyLock<Vec<u32>> = LazyLock::new(|| (0..4).map(|n| n * n).collect());
    static FIRST: OnceLock<u32> = OnceLock::new();
    static ALL: &Log = &LOG;
    static TABLE: [Mutex<u32>; 3] = [const { Mutex::new(1) }; 3];

    struct Log {
        lines: Mutex<Vec<&'static str>>,
    }

    impl Log {
        const fn new() -> Self {
            Log { lines: Mutex::new(Vec::new()) }
        }
    }

    std::thread_local! {
        static DEPTH: RefCell<u32> = const { RefCell::new(1) };
        static LOCK: Mutex<u32> = const { Mutex::new(5) };
    }

    fn count() -> u32 {
        static CALLS: AtomicU32 = AtomicU32::new(100);
        CALLS.fetch_add(1, SeqCst)
    }

    /// What a program that runs for the first time returns.
    pub(super) fn run() -> (u32, u32, Vec<&'static str>, u32, u32) {
        let call = CALLS.fetch_add(1, SeqCst);
        let log: &'static Log = &LOG;
        let child = thread::spawn(move || {
            CALLS.fetch_add(1, SeqCst);
            log.lines.lock().unwrap().push(NAMES[1]);
            DEPTH.with_borrow_mut(|depth| *depth += 10);
            DEPTH.with_borrow(|depth| *depth) + LOCK.with(|lock| *lock.lock().unwrap())
        });
        LOG.lines.lock().unwrap().push(NAMES[0]);
        let depth = child.join().unwrap() + DEPTH.with(|depth| *depth.borrow());
        let first = *FIRST.get_or_init(|| count() + SQUARES[2] + *TABLE[1].lock().unwrap());
        let mut lines = ALL.lines.lock().unwrap().clone();
        lines.sort_unstable();
        (call, CALLS.load(SeqCst), lines, depth, first)
    }
}

#[test]
fn statics_start_anew() {
    let expected = || (0, 2, vec!["even", "odd"], 11 + 5 + 1, 100 + 4 + 1);
    let found = explore(move || assert_eq!(statics::run(), expected()));
    found.assert_ok();
    assert!(found.sequences > 1, "{found}");
    // Again, in other executions of the same process.
    explore(move || assert_eq!(statics::run(), expected())).assert_ok();
    // Outside a program, they are ordinary statics.
    assert_eq!(statics::run(), expected());
    assert_eq!(statics::run().0, 2);
}

#[insyn::instrument]
mod race {
    use std::sync::atomic::{AtomicU32, Ordering::SeqCst};
    use std::thread;

    static COUNT: AtomicU32 = AtomicU32::new(0);

    /// It is not determined which thread first reaches the static.
    pub(super) fn run() -> u32 {
        let threads = [(); 2].map(|()| {
            thread::spawn(|| {
                let seen = COUNT.load(SeqCst);
                COUNT.store(seen + 1, SeqCst);
            })
        });
        for thread in threads {
            thread.join().unwrap();
        }
        COUNT.load(SeqCst)
    }
}

#[test]
fn a_static_is_the_same_whoever_comes_first() {
    // As if the main thread had made the object.
    let local = explore(|| {
        use insyn::std::sync::Arc;
        use insyn::std::sync::atomic::{AtomicU32, Ordering::SeqCst};
        let count = Arc::new(AtomicU32::new(0));
        let threads = [(); 2].map(|()| {
            let count = count.clone();
            insyn::std::thread::spawn(move || {
                let seen = count.load(SeqCst);
                count.store(seen + 1, SeqCst);
            })
        });
        for thread in threads {
            thread.join().unwrap();
        }
        count.load(SeqCst)
    });
    let found = explore(race::run);
    found.assert_ok();
    assert_eq!(found.sequences, local.sequences, "{found}");
}
