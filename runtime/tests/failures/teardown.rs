//! Threads that are blocked when the program is over are ended, whatever their destructors do.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as Plain};

use insyn::std::sync::mpsc::{Receiver, Sender, channel, sync_channel};
use insyn::std::sync::{Condvar, Mutex};
use insyn::std::thread::{self, JoinHandle};
use insyn::sync::{Monitor, ReentrantLock, Semaphore, entry};
use insyn::{Explorer, Termination, explore};
use insyn_test_support::only_failure;

use super::ignore;

/// Blocks forever.
fn block() {
    let (_tx, rx) = channel::<()>();
    let _ = rx.recv();
}

/// What blocked threads own is dropped when the program is over.
#[test]
fn blocked_threads_are_unwound() {
    struct Counted(Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }
    let dropped = Arc::new(AtomicUsize::new(0));
    let count = dropped.clone();
    let found = explore(move || {
        for _ in 0..3 {
            let counted = Counted(count.clone());
            thread::spawn(move || {
                let _counted = counted;
                block();
            });
        }
    });
    assert_eq!((found.deadlocks, found.leaked), (1, 0), "{found}");
    // A failure is run once more.
    assert_eq!(dropped.load(Ordering::Relaxed), 2 * 3);
}

/// `catch_unwind` takes the unwinding for a panic of the program and goes on; its next operation ends it.
#[test]
fn catch_unwind_around_a_blocked_operation() {
    let found = explore(|| {
        let caught = catch_unwind(block);
        assert!(caught.is_ok(), "never reached");
        drop(Mutex::new(()).lock());
    });
    assert_eq!((found.sequences, found.deadlocks, found.panics), (1, 1, 0), "{found}");
}

#[test]
fn catch_unwind_in_a_loop() {
    fn stubborn() {
        let (_tx, rx) = channel::<()>();
        loop {
            let _ = catch_unwind(AssertUnwindSafe(|| rx.recv()));
        }
    }
    let found = explore(stubborn);
    assert_eq!((found.deadlocks, found.panics, found.leaked), (1, 0, 1), "{found}");
    let found = explore(|| drop((thread::spawn(stubborn), thread::spawn(stubborn))));
    assert_eq!((found.deadlocks, found.leaked), (1, 2), "{found}");
}

/// A handle that joins when it is dropped, and panics if the thread has panicked.
struct JoinOnDrop(Option<JoinHandle<u32>>);

impl Drop for JoinOnDrop {
    fn drop(&mut self) {
        if let Some(handle) = self.0.take() {
            assert_eq!(handle.join().unwrap(), 7);
        }
    }
}

#[test]
fn destructor_that_joins_and_unwraps() {
    let found = explore(|| {
        let (tx, rx) = channel::<u32>();
        let _guard = JoinOnDrop(Some(thread::spawn(move || rx.recv().unwrap())));
        let _tx = tx;
        block();
    });
    assert_eq!((found.sequences, found.deadlocks, found.panics), (1, 1, 0), "{found}");
    // While the program runs, the handle does join.
    let found = explore(|| {
        let (tx, rx) = channel::<u32>();
        let _guard = JoinOnDrop(Some(thread::spawn(move || rx.recv().unwrap())));
        tx.send(7).unwrap();
    });
    assert!(found.failures.is_empty(), "{found}");
}

/// Sends, locks and releases when it is dropped.
struct Goodbye {
    tx: Sender<u32>,
    lock: Arc<Mutex<u32>>,
    semaphore: Arc<Semaphore>,
}

impl Drop for Goodbye {
    fn drop(&mut self) {
        self.tx.send(1).expect("somebody listens");
        *self.lock.lock().expect("nobody has panicked") += 1;
        self.semaphore.release();
    }
}

#[test]
fn destructors_that_synchronize() {
    let program = |blocks: bool| {
        move || {
            let (tx, rx) = channel();
            let lock = Arc::new(Mutex::new(0));
            let semaphore = Arc::new(Semaphore::new(0));
            let goodbye = Goodbye { tx, lock: lock.clone(), semaphore: semaphore.clone() };
            let leaving = thread::spawn(move || {
                let _goodbye = goodbye;
                if blocks {
                    block();
                }
            });
            semaphore.acquire();
            leaving.join().unwrap();
            assert_eq!((rx.recv(), *lock.lock().unwrap()), (Ok(1), 1));
        }
    };
    let found = explore(program(false));
    assert!(found.failures.is_empty() && found.sequences == 1, "{found}");
    let found = explore(program(true));
    assert_eq!((found.sequences, found.deadlocks, found.panics), (1, 1, 0), "{found}");
}

/// Every kind of guard and handle on the stack of a blocked thread.
#[test]
fn every_guard_and_handle_is_dropped_quietly() {
    let found = explore(|| {
        let mutex = Arc::new(Mutex::new(0));
        let reentrant = ReentrantLock::new(0);
        let monitor = Monitor::urgent(0);
        let (tx, rx) = sync_channel::<u32>(1);
        let (caller, server) = entry::<u32, u32>();
        let in_call = {
            let mutex = mutex.clone();
            thread::spawn(move || {
                let _waits = mutex.lock();
                caller.call(1)
            })
        };
        let _accepted = {
            let _held = (mutex.lock(), reentrant.lock(), reentrant.lock());
            let _inside = monitor.enter();
            tx.send(1).unwrap();
            tx.send(2).unwrap(); // full
            rx.recv()
        };
        drop((server, in_call));
    });
    assert_eq!((found.deadlocks, found.panics, found.leaked), (found.sequences, 0, 0), "{found}");
}

#[test]
fn threads_blocked_in_every_kind_of_wait_are_ended() {
    let blockers: [fn(); 12] = [
        block,
        || ignore(sync_channel::<u8>(0).0.send(1)),
        || ignore(sync_channel::<u8>(0).1.recv()),
        || Semaphore::new(0).acquire(),
        || Semaphore::binary(1).release(),
        || {
            let lock = Mutex::new(());
            let _held = lock.lock();
            drop(lock.lock());
        },
        || drop(Condvar::new().wait(Mutex::new(()).lock().unwrap())),
        || {
            let (caller, _server) = entry::<u8, u8>();
            let _ = caller.call(1);
        },
        || {
            let (_caller, server) = entry::<u8, u8>();
            drop(server.accept());
        },
        || {
            let monitor = Monitor::new(0);
            let condition = monitor.condition();
            monitor.enter().wait(&condition);
        },
        || {
            let monitor = Monitor::urgent(0);
            let condition = monitor.condition();
            monitor.enter().wait(&condition);
        },
        || {
            let (_tx, rx) = channel::<u8>();
            thread::scope(|s| {
                s.spawn(block);
                drop(rx);
            });
        },
    ];
    for (n, blocker) in blockers.into_iter().enumerate() {
        // sync_channel(0).1.recv() and .0.send() have no partner that could come, but may fail with an error.
        let found = explore(blocker);
        let ends = found.failures.is_empty();
        assert_eq!((found.sequences, found.panics, found.leaked), (1, 0, 0), "blocker {n}: {found}");
        assert_eq!(found.deadlocks, u64::from(!ends), "blocker {n}: {found}");
        assert!(!ends || n == 1 || n == 2, "blocker {n} did not block: {found}");
    }
}

/// Scoped threads borrow from their owner, so they are ended first.
#[test]
fn scoped_children_are_ended_before_their_owner() {
    struct Loud<'a>(&'a Plain<Vec<&'static str>>, &'static str);
    impl Drop for Loud<'_> {
        fn drop(&mut self) {
            self.0.lock().unwrap().push(self.1);
        }
    }
    let log: Arc<Plain<Vec<&'static str>>> = Arc::default();
    let ended = log.clone();
    let found = explore(move || {
        let _owner = Loud(&ended, "owner");
        thread::scope(|s| {
            s.spawn(|| {
                let _child = Loud(&ended, "child");
                block();
            });
        });
    });
    assert_eq!((found.deadlocks, found.leaked), (1, 0), "{found}");
    // A failure is run once more.
    assert_eq!(*log.lock().unwrap(), ["child", "owner"].repeat(2));
}

/// A panic while others are blocked: the panic is reported, and all threads are ended.
#[test]
fn panic_beside_blocked_threads() {
    let found = explore(|| {
        let (tx, rx) = channel::<()>();
        thread::spawn(move || {
            let _tx = tx;
            panic!("the sender dies");
        });
        thread::spawn(block);
        let _ = rx.recv();
    });
    let failure = only_failure(&found);
    assert_eq!((failure.termination, failure.message.as_str()), (Termination::Panic, "the sender dies"));
}

/// The result of a thread that is never joined may be a part of the program too.
#[test]
fn results_that_nobody_takes_are_dropped() {
    struct Reports(Sender<u32>);
    impl Drop for Reports {
        fn drop(&mut self) {
            let _ = self.0.send(1);
        }
    }
    let found = explore(|| {
        let (tx, rx) = channel();
        thread::spawn(move || Reports(tx));
        assert_eq!(rx.recv(), Ok(1));
    });
    assert!(found.failures.is_empty(), "{found}");
    assert!(found.sequences >= 1, "{found}");
}

thread_local! {
    static LEFT_BEHIND: RefCell<Vec<Box<dyn std::any::Any>>> = const { RefCell::new(Vec::new()) };
}

/// Handles in a thread-local of the worker outlive every execution, and are dropped when the worker ends.
#[test]
fn handles_in_thread_locals() {
    let found = Explorer::new().workers(2).explore(|| {
        let (tx, rx) = channel();
        let lock = Arc::new(Mutex::new(0));
        for n in 0..3 {
            let (tx, lock) = (tx.clone(), lock.clone());
            thread::spawn(move || {
                *lock.lock().unwrap() += n;
                tx.send(n).unwrap();
            });
        }
        (0..3).for_each(|_| ignore(rx.recv()));
        LEFT_BEHIND.with_borrow_mut(|left| left.push(Box::new((tx, rx, lock))));
    });
    assert!(found.failures.is_empty() && found.sequences >= 6, "{found}");
}

/// Sends, and ignores errors.
struct SendsOnDrop(Sender<u32>);

impl Drop for SendsOnDrop {
    fn drop(&mut self) {
        let _ = self.0.send(1);
    }
}

/// Receives, and ignores errors.
struct ReceivesOnDrop(Receiver<u32>);

impl Drop for ReceivesOnDrop {
    fn drop(&mut self) {
        while self.0.try_recv().is_ok() {}
    }
}

/// Panicking in such a destructor would abort the process, so this is run in a process of its own.
#[test]
fn thread_locals_that_synchronize_in_their_destructors() {
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--ignored", "teardown::leaves_thread_locals_that_synchronize"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stderr);
    assert!(
        child.status.success(),
        "{}: {}",
        child.status,
        said.lines().take(8).collect::<Vec<_>>().join("\n")
    );
    assert!(String::from_utf8_lossy(&child.stdout).contains("1 passed"), "the test was not found");
}

#[test]
#[ignore = "run by thread_locals_that_synchronize_in_their_destructors"]
fn leaves_thread_locals_that_synchronize() {
    let found = Explorer::new().workers(1).explore(|| {
        let (tx, rx) = channel();
        tx.send(0).unwrap();
        LEFT_BEHIND.with_borrow_mut(|left| left.push(Box::new((SendsOnDrop(tx), ReceivesOnDrop(rx)))));
    });
    assert!(found.failures.is_empty(), "{found}");
}

/// A thread that returns a sender and gives it up when the program is over: at a bound, or because a fact was discovered
/// first.
#[test]
fn a_result_that_is_given_up_when_the_program_is_over() {
    let returns_sender = || {
        let (tx, rx) = channel::<u32>();
        thread::spawn(move || tx);
        let _ = rx.recv();
    };
    for steps in 1..12 {
        let found = Explorer::new().max_steps(steps).explore(returns_sender);
        assert_eq!(found.panics, 0, "{found}");
    }
    let shares_too = || {
        let (tx, rx) = channel::<u32>();
        thread::spawn(move || tx);
        let _ = rx.recv();
        let (tx, rx) = insyn::crossbeam_channel::unbounded::<u32>();
        let other = rx.clone();
        tx.send(1).unwrap();
        tx.send(2).unwrap();
        let thread = thread::spawn(move || other.recv().unwrap());
        rx.recv().unwrap();
        thread.join().unwrap();
    };
    for seed in 0..200 {
        let found = Explorer::new().seed(seed).explore(shares_too);
        assert_eq!((found.panics, found.deadlocks), (0, 0), "{seed}: {found}");
    }
    assert_eq!(explore(|| ()).sequences, 1, "nothing is left behind");
}
