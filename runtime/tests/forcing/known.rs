//! The names of events depend on facts about the program: a sequence shows all facts that are needed to
//! follow it, though only other executions would show them again.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use insyn::crossbeam_channel::{Receiver, tick, unbounded};
use insyn::std::sync::mpsc::channel;
use insyn::std::sync::{Arc as Pointer, Barrier};
use insyn::std::thread;
use insyn::{Explorer, Sequence, Termination};

/// Whether the first of two threads came first: true in one execution, and false in another.
fn comes_first() -> bool {
    let (tx, rx) = channel();
    for is_first in [true, false] {
        let tx = tx.clone();
        thread::spawn(move || tx.send(is_first));
    }
    rx.recv().unwrap()
}

/// Every sequence of a program is replayed, and each of them is a beginning too.
#[track_caller]
fn check(program: impl Fn() + Copy + Send + Sync + 'static) {
    type Seen = BTreeSet<(Sequence, Termination)>;
    let seen: Arc<Mutex<(u32, Seen)>> = Arc::default();
    let collect = Arc::clone(&seen);
    let explorer = Explorer::new().observe(move |ended| {
        let mut seen = collect.lock().unwrap();
        if ended.round() > seen.0 {
            *seen = (ended.round(), Seen::new());
        }
        if ended.round() == seen.0 && ended.counted() {
            seen.1.insert((ended.sequence(), ended.termination()));
        }
    });
    let found = explorer.explore(program);
    let (round, seen) = &*seen.lock().unwrap();
    assert!(*round > 0, "nothing has become known on the way");
    assert_eq!(found.sequences, seen.len() as u64, "{found}");
    for (sequence, end) in seen {
        for followed in [Explorer::replay, Explorer::force_prefix] {
            let again = followed(&Explorer::new(), sequence, program);
            let again = again.unwrap_or_else(|error| panic!("{error}\n{sequence:?}"));
            assert_eq!((&again.sequence, again.termination), (sequence, *end));
        }
        let explored = Explorer::new().prefix(sequence.clone()).unwrap().explore(program);
        assert_eq!((explored.sequences, explored.nondeterminism), (1, 0), "{explored}");
    }
}

/// It needs an order of its own only if `asks`, and is dropped in any case.
fn drop_after_looking<T>(receiver: Receiver<T>, asks: bool) {
    if asks {
        let _ = receiver.len();
    }
}

#[test]
fn a_timer_that_only_another_execution_shares() {
    check(|| drop_after_looking(tick(Duration::from_millis(1)), comes_first()));
}

#[test]
fn a_timer_that_only_another_execution_shares_is_never_dropped() {
    check(|| {
        let timer = tick(Duration::from_millis(1));
        if comes_first() {
            let _ = timer.len();
        }
        let (_tx, rx) = channel::<()>();
        let _ = rx.recv();
    });
}

#[test]
fn a_channel_that_only_another_execution_shares() {
    check(|| {
        let (tx, rx) = unbounded::<u32>();
        drop(tx);
        if comes_first() {
            let _ = rx.len();
        }
        std::mem::forget(rx);
    });
    check(|| {
        let (tx, rx) = unbounded::<u32>();
        drop_after_looking(rx, comes_first());
        drop(tx);
    });
}

#[test]
fn receivers_that_only_another_execution_shares() {
    check(|| {
        let (tx, rx) = unbounded::<u32>();
        let (other, dropped) = (rx.clone(), rx.clone());
        drop_after_looking(rx, comes_first());
        let drops = thread::spawn(move || drop(dropped));
        drop(other);
        drop(tx);
        drops.join().unwrap();
    });
}

#[test]
fn a_pointer_that_only_another_execution_counts() {
    check(|| {
        let pointer = Pointer::new(());
        let theirs = Pointer::clone(&pointer);
        let drops = thread::spawn(move || drop(theirs));
        if comes_first() {
            let _ = Pointer::strong_count(&pointer);
        }
        drop(pointer);
        drops.join().unwrap();
    });
}

#[test]
fn a_leader_that_only_another_execution_asks_for() {
    check(|| {
        let barrier = Arc::new(Barrier::new(2));
        let theirs = Arc::clone(&barrier);
        let other = thread::spawn(move || {
            theirs.wait();
        });
        let asks = comes_first();
        let led = barrier.wait();
        if asks {
            let _ = led.is_leader();
        }
        other.join().unwrap();
    });
}

#[test]
fn an_end_that_only_another_execution_watches() {
    check(|| {
        let other = thread::spawn(|| {});
        if comes_first() {
            let _ = other.is_finished();
        }
        other.join().unwrap();
    });
}
