//! Threads under control: parking, ids, ends.

use std::sync::Mutex as Plain;

use insyn::std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use insyn::std::thread::{self, ThreadId};
use insyn::std::time::Duration;
use insyn::{Explorer, explore};

use super::{counts, explored, panic_of, steady_outputs};

/// The token is there before the thread parks, or comes while it is parked.
#[test]
fn park_and_unpark_in_both_orders() {
    let found = explore(|| {
        let me = thread::current();
        thread::spawn(move || me.unpark());
        thread::park();
    });
    found.assert_ok();
    assert_eq!(found.sequences, 1, "the order of call and token is not part of the behaviour");
    let outputs = steady_outputs(|| {
        let me = thread::current();
        let ready = AtomicBool::new(false);
        thread::scope(|s| {
            s.spawn(|| {
                ready.store(true, SeqCst);
                me.unpark();
            });
            let early = ready.load(SeqCst);
            thread::park();
            assert!(ready.load(SeqCst));
            early
        })
    });
    assert_eq!(outputs, counts([("false", 1), ("true", 1)]));
}

#[test]
fn a_token_is_used_up() {
    let found = explore(|| {
        thread::current().unpark();
        thread::current().unpark();
        thread::park();
        thread::park();
    });
    assert_eq!((found.sequences, found.deadlocks), (1, 1), "{found}");
}

#[test]
fn two_tokens_are_one_or_two() {
    let (found, outputs) = explored(Explorer::new(), || {
        let me = thread::current();
        thread::spawn(move || {
            me.unpark();
            me.unpark();
        });
        thread::park();
        thread::park();
    });
    // The first park comes between the two, or after both.
    assert_eq!(found.sequences, 2, "{found}");
    assert_eq!(outputs, counts([("Deadlock", 1), ("null", 1)]));
}

#[test]
fn parking_times_out_or_not() {
    let found = explore(|| {
        let me = thread::current();
        thread::spawn(move || me.unpark());
        thread::park_timeout(Duration::from_secs(1));
    });
    found.assert_ok();
    assert_eq!(found.sequences, 2);
    let found = explore(|| thread::park_timeout(Duration::from_secs(u32::MAX.into())));
    found.assert_ok();
    assert_eq!(found.sequences, 1);
    let found = explore(|| thread::park_timeout(Duration::MAX));
    assert_eq!((found.sequences, found.deadlocks), (1, 1), "{found}");
}

#[test]
fn parking_ends_for_no_reason_if_asked_for() {
    let program = || {
        let me = thread::current();
        let ready = AtomicBool::new(false);
        thread::scope(|s| {
            s.spawn(|| {
                ready.store(true, SeqCst);
                me.unpark();
            });
            thread::park();
            ready.load(SeqCst)
        })
    };
    assert_eq!(steady_outputs(program), counts([("true", 1)]));
    let (found, outputs) = explored(Explorer::new().spurious_wakeups(true), program);
    found.assert_ok();
    assert_eq!(outputs.keys().collect::<Vec<_>>(), ["false", "true"]);
}

#[test]
fn ids_hold_across_executions() {
    static SEEN: Plain<Vec<ThreadId>> = Plain::new(Vec::new());
    let program = || {
        let me = thread::current();
        let nested = thread::spawn(|| {
            let inner = thread::spawn(|| thread::current().id());
            assert_eq!(inner.thread().id(), inner.join().unwrap());
            thread::spawn(|| thread::current().id()).join().unwrap()
        });
        let (first, second) = (nested.thread().id(), thread::spawn(|| ()).thread().id());
        let shown = format!("{me:?} {:?} {first:?} {second:?} {:?}", me.id(), nested.join().unwrap());
        assert_ne!(first, second);
        SEEN.lock().unwrap().push(first);
        shown
    };
    let expected = "\"Thread { id: ThreadId(1), name: Some(\\\"main\\\"), .. } ThreadId(1) ThreadId(11) ThreadId(12) ThreadId(112)\"";
    let (found, outputs) = explored(Explorer::new(), program);
    found.assert_ok();
    assert_eq!(outputs, counts([(expected, 1)]));
    explore(program).assert_ok();
    let seen = SEEN.lock().unwrap();
    assert!(seen.len() >= 2 && seen.iter().all(|id| *id == seen[0]));
    assert_ne!(seen[0], thread::current().id(), "a real thread has another");
}

#[test]
fn finished_or_not() {
    let outputs = steady_outputs(|| {
        let other = thread::spawn(|| ());
        let seen = other.is_finished();
        other.join().unwrap();
        seen
    });
    assert_eq!(outputs, counts([("false", 1), ("true", 1)]));
}

/// A thread that was observed to have finished has done all its operations.
#[test]
fn finished_means_finished() {
    explore(|| {
        let done = AtomicBool::new(false);
        thread::scope(|s| {
            let other = s.spawn(|| done.store(true, SeqCst));
            if other.is_finished() {
                assert!(done.load(SeqCst));
            }
        });
    })
    .assert_ok();
}

#[test]
fn waiting_for_the_end_by_asking() {
    let found = explore(|| {
        let other = thread::spawn(|| ());
        while !other.is_finished() {
            thread::yield_now();
        }
        other.join().unwrap();
    });
    found.assert_ok();
    assert_eq!(found.sequences, 2);
}

#[test]
fn the_machine_does_not_show() {
    let sequential = Explorer::new().sequential(true);
    sequential.explore(|| assert_eq!(thread::available_parallelism().unwrap().get(), 4)).assert_ok();
}

#[test]
fn names_and_builders() {
    explore(|| {
        assert_eq!(thread::current().name(), Some("main"));
        let builder = thread::Builder::new().name("worker".to_string());
        let handle = builder.spawn(|| thread::current().name().map(str::to_string)).unwrap();
        assert_eq!(handle.thread().name(), Some("worker"));
        assert_eq!(handle.join().unwrap().as_deref(), Some("worker"));
        let refused = panic_of(|| thread::Builder::new().name("a\0b".to_string()).spawn(|| ()));
        assert_eq!(refused, "thread name may not contain interior null bytes");
        let mut borrowed = 1;
        // SAFETY: the thread is joined before what it borrows is gone.
        let handle = unsafe { thread::Builder::new().spawn_unchecked(|| borrowed += 1) };
        handle.unwrap().join().unwrap();
        assert_eq!(borrowed, 2);
        thread::scope(|s| {
            let builder = thread::Builder::new().name("scoped".to_string());
            let handle = builder.spawn_scoped(s, || ()).unwrap();
            assert_eq!(handle.thread().name(), Some("scoped"));
        });
    })
    .assert_ok();
}
