//! Former bugs, which must not come back.

use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};

use insyn::crossbeam_channel::unbounded;
use insyn::std::sync::mpsc::{Receiver, Sender, channel};
use insyn::std::sync::{Arc, Mutex};
use insyn::std::thread;
use insyn::{Explorer, Termination, explore};

/// Blocks forever.
fn block() {
    let (_tx, rx) = channel::<()>();
    let _ = rx.recv();
}

/// Sends when it is dropped.
struct SendsOnDrop(Sender<u32>);

impl Drop for SendsOnDrop {
    fn drop(&mut self) {
        let _ = self.0.send(1);
    }
}

/// Panics when it is dropped.
struct PanicsOnDrop;

impl Drop for PanicsOnDrop {
    fn drop(&mut self) {
        panic!("dropped");
    }
}

/// The result of a thread that was not joined was dropped outside of any thread, where an operation crashed the process.
#[test]
fn results_that_synchronize_when_dropped() {
    let found = explore(|| {
        let (tx, _rx) = channel();
        let _handle = thread::spawn(move || SendsOnDrop(tx));
        block();
    });
    assert_eq!((found.sequences, found.deadlocks), (1, 1), "{found}");
}

/// So were the captures of a thread that had not started when the program was over.
#[test]
fn captures_that_synchronize_when_dropped() {
    let found = Explorer::new().workers(1).max_steps(3).explore(|| {
        let (tx, rx) = channel();
        let sender = SendsOnDrop(tx);
        thread::spawn(move || drop(sender));
        loop {
            if rx.try_recv().is_ok() {
                break;
            }
        }
    });
    assert!(found.step_bounds > 0, "{found}");
}

/// A panic in the drop of a detached thread's result went through the engine and left it unusable.
#[test]
fn detached_results_that_panic_when_dropped() {
    for _ in 0..2 {
        let found = explore(|| drop(thread::spawn(|| PanicsOnDrop)));
        assert!(found.panics > 0, "{found}");
    }
}

/// A panic in an observer left the other workers waiting forever.
#[test]
fn observers_that_panic() {
    let explorer = Explorer::new().workers(2).observe(|ended| assert!(!ended.counted(), "seen"));
    let program = || {
        let (tx, rx) = channel();
        for n in 0..4 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n).unwrap());
        }
        drop(tx);
        rx.iter().sum::<i32>()
    };
    assert!(catch_unwind(AssertUnwindSafe(|| explorer.explore(program))).is_err());
    assert_eq!(explore(program).sequences, 24);
}

/// A panic that was joined and handled was reported in place of the one that was not, and hid that others differed.
#[test]
fn handled_panics_are_not_the_failure() {
    let found = explore(|| {
        let _ = thread::spawn(|| panic!("handled")).join();
        let (tx, rx) = channel();
        for n in 0..2 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n));
        }
        let first = rx.recv() == Ok(0);
        assert!(!first, "first");
        assert!(first, "second");
    });
    let messages: Vec<&str> = found.failures.iter().map(|f| f.message.as_str()).collect();
    assert_eq!(messages.len(), 2, "{found}");
    assert!(messages.contains(&"first") && messages.contains(&"second"), "{found}");
}

/// Yielding is no event, but it is a step.
#[test]
fn yielding_for_ever_is_bounded() {
    fn program() {
        loop {
            thread::yield_now();
        }
    }
    let found = Explorer::new().max_steps(100).explore(program);
    assert_eq!((found.sequences, found.step_bounds), (1, 1), "{found}");
}

/// A thread that never waits kept all others from running, so a deadlock beside it went unseen.
#[test]
fn endless_threads_do_not_starve_others() {
    let found = Explorer::new().max_steps(3000).max_executions(1).explore(|| {
        let (tx, _rx) = channel();
        thread::spawn(move || while tx.send(()).is_ok() {});
        let lock = Arc::new(Mutex::new(()));
        thread::spawn(move || {
            let _once = lock.lock();
            let _twice = lock.lock();
        });
        block();
    });
    assert_eq!(found.failures[0].termination, Termination::LocalDeadlock, "{found}");
}

/// When a stack overflowed, the rest of the script was mistaken for nondeterminism.
#[test]
fn overflow_is_overflow_whatever_came_first() {
    #[expect(unconditional_recursion, reason = "that is the point")]
    fn deeper(n: u64) -> u64 {
        std::hint::black_box([n; 64]);
        deeper(n + 1) + 1
    }
    for seed in 0..20 {
        let found = Explorer::new().seed(seed).stack_size(64 << 10).explore(|| {
            let (tx, rx) = channel();
            for n in 0..3 {
                let tx = tx.clone();
                thread::spawn(move || tx.send(n));
            }
            if rx.recv() == Ok(1) {
                thread::spawn(|| deeper(0));
            }
            let _ = rx.recv();
        });
        assert_eq!(found.nondeterminism, 0, "{found}");
        assert!(found.stack_overflows > 0, "{found}");
    }
}

/// A real lock or channel that would have to wait in a program under test hung the worker.
#[test]
fn objects_from_outside_do_not_hang() {
    let lock = Arc::new(Mutex::new(()));
    let found = explore(move || {
        let held = lock.lock();
        let inner = lock.clone();
        let waits = thread::spawn(move || drop(inner.lock()));
        let waited = waits.join();
        drop(held);
        waited.unwrap();
    });
    assert_eq!((found.sequences, found.panics), (1, 1), "{found}");
    assert!(found.to_string().contains("create it inside the closure"), "{found}");
}

/// A stack that was abandoned in the middle of a panic leaves the OS thread panicking forever, and every later exploration
/// with two workers stopped as soon as one of them was out of work.
#[test]
fn two_workers_after_a_stack_was_given_up_in_a_panic() {
    struct BlocksOnDrop;
    impl Drop for BlocksOnDrop {
        fn drop(&mut self) {
            block();
        }
    }
    let left = explore(|| -> () {
        let _blocks = BlocksOnDrop;
        panic!("leaves a stack behind");
    });
    assert_eq!(left.leaked, 1, "{left}");
    assert!(std::thread::panicking(), "the stack is not in the middle of a panic");
    for _ in 0..200 {
        let found = Explorer::new().workers(2).explore(|| {
            let (tx, rx) = channel();
            for n in 0..5 {
                let tx = tx.clone();
                thread::spawn(move || tx.send(n));
            }
            drop(tx);
            rx.iter().for_each(drop);
        });
        assert_eq!(found.sequences, 120, "{found}");
    }
}

/// Each of two threads drops a receiver and then sends. Both sends were delivered, though each must come before the drop of
/// the other receiver: it was assumed that a single channel never contradicts itself.
#[test]
fn sends_between_the_drops_of_two_receivers() {
    fn program() -> [bool; 2] {
        let (tx, rx) = unbounded();
        let (to_same, other) = (tx.clone(), rx.clone());
        let sends = thread::spawn(move || {
            drop(other);
            to_same.send(2).is_ok()
        });
        drop(rx);
        [tx.send(1).is_ok(), sends.join().unwrap()]
    }
    let outputs: Arc<std::sync::Mutex<BTreeSet<String>>> = Arc::default();
    let seen = outputs.clone();
    let explorer = Explorer::new().observe(move |ended| {
        if ended.counted() {
            seen.lock().unwrap().extend(ended.output());
        }
    });
    assert_eq!(explorer.explore(program).sequences, 3);
    assert_eq!(explorer.every_order(1_000, program).map(|it| it.sequences), Some(3));
    let outputs: Vec<String> = outputs.lock().unwrap().iter().cloned().collect();
    assert_eq!(outputs, ["[false,false]", "[false,true]", "[true,false]"]);
}

/// A thread that had caught its panic counted as panicking while another waited in the middle of one: a lock
/// that the first thread released was poisoned.
#[test]
fn a_panic_that_was_caught_is_over() {
    struct WaitsOnDrop(Receiver<()>);
    impl Drop for WaitsOnDrop {
        fn drop(&mut self) {
            let _ = self.0.recv();
        }
    }
    let found = explore(|| {
        let caught = catch_unwind(|| panic!("caught"));
        assert!(caught.is_err());
        let lock = Mutex::new(());
        let guard = lock.lock().unwrap();
        let (ready, is_ready) = channel();
        let (go_on, rx) = channel();
        let other = thread::spawn(move || {
            let waits = AssertUnwindSafe(WaitsOnDrop(rx));
            let caught = catch_unwind(move || {
                let _waits = waits;
                ready.send(()).unwrap();
                panic!("in the middle of it");
            });
            assert!(caught.is_err());
        });
        is_ready.recv().unwrap();
        drop(guard);
        assert!(!lock.is_poisoned());
        go_on.send(()).unwrap();
        other.join().unwrap();
    });
    found.assert_ok();
}
