//! Once, OnceLock and LazyLock under control.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use insyn::std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use insyn::std::sync::{LazyLock, Once, OnceLock};
use insyn::std::thread;
use insyn::{Explorer, explore};

use super::{counts, explored, panic_of, steady_outputs};

#[test]
fn exactly_one_initializer_runs() {
    let outputs = steady_outputs(|| {
        let (cell, runs) = (OnceLock::new(), std::sync::atomic::AtomicU32::new(0));
        let init = |n: u32| {
            *cell.get_or_init(|| {
                runs.fetch_add(1, SeqCst);
                n
            })
        };
        let seen = thread::scope(|s| {
            let a = s.spawn(|| init(1));
            let b = init(2);
            (a.join().unwrap(), b)
        });
        assert_eq!(runs.into_inner(), 1);
        seen
    });
    // The second thread either sees at once that it is done, or has wanted to begin.
    assert_eq!(outputs, counts([("[1,1]", 2), ("[2,2]", 2)]));
}

#[test]
fn set_or_not() {
    let outputs = steady_outputs(|| {
        let cell = OnceLock::new();
        let (a, b) = thread::scope(|s| {
            let a = s.spawn(|| cell.set(1));
            let b = cell.set(2);
            (a.join().unwrap(), b)
        });
        (a.is_ok(), b.is_ok(), cell.into_inner())
    });
    assert_eq!(outputs, counts([("[false,true,2]", 2), ("[true,false,1]", 2)]));
}

#[test]
fn get_sees_it_or_not() {
    let outputs = steady_outputs(|| {
        let cell = OnceLock::new();
        thread::scope(|s| {
            s.spawn(|| cell.set(1));
            let seen = cell.get().copied();
            assert_eq!(*cell.wait(), 1);
            seen.is_some()
        })
    });
    // If it is not seen at once: the wait sees it, or waits for it.
    assert_eq!(outputs, counts([("false", 2), ("true", 1)]));
}

/// Readers of a completed value are not ordered.
#[test]
fn reading_what_is_done_is_no_event() {
    let found = explore(|| {
        let lazy = LazyLock::new(|| 5);
        assert_eq!(*lazy, 5);
        thread::scope(|s| {
            for _ in 0..3 {
                s.spawn(|| assert_eq!(*lazy, 5));
            }
        });
    });
    found.assert_ok();
    assert_eq!(found.sequences, 1);
}

#[test]
fn a_panic_poisons() {
    let found = explore(|| {
        let once = Once::new();
        thread::scope(|s| {
            let first = s.spawn(|| once.call_once(|| panic!("the first")));
            assert!(first.join().is_err());
            let message = "Once instance has previously been poisoned";
            assert_eq!(panic_of(|| once.call_once(|| ())), message);
            assert_eq!(panic_of(|| once.wait()), message);
            assert!(!once.is_completed());
            once.call_once_force(|state| assert!(state.is_poisoned()));
            assert!(once.is_completed());
            once.call_once(|| unreachable!("it is done"));
            once.wait();
            once.wait_force();
        });
        let lazy: LazyLock<u32> = LazyLock::new(|| panic!("no value"));
        assert_eq!(panic_of(|| *lazy), "no value");
        assert_eq!(panic_of(|| *lazy), "LazyLock instance has previously been poisoned");
        let cell = OnceLock::new();
        assert_eq!(panic_of(|| *cell.get_or_init(|| panic!("no value"))), "no value");
        assert_eq!(*cell.get_or_init(|| 1), 1);
    });
    found.assert_ok();
    assert_eq!(found.sequences, 1);
}

/// Waiting for an initializer that panics: `wait` panics too, `OnceLock::wait` waits for another one.
#[test]
fn waiting_for_one_who_panics() {
    let outputs = steady_outputs(|| {
        let once = Once::new();
        thread::scope(|s| {
            let first = s.spawn(|| {
                let _ = catch_unwind(AssertUnwindSafe(|| once.call_once(|| panic!("the first"))));
                once.call_once_force(|_| ());
            });
            let waited = catch_unwind(AssertUnwindSafe(|| once.wait())).is_ok();
            first.join().unwrap();
            waited
        })
    });
    assert_eq!(outputs.keys().collect::<Vec<_>>(), ["false", "true"]);
    let found = explore(|| {
        let cell = OnceLock::new();
        thread::scope(|s| {
            s.spawn(|| {
                let _ = catch_unwind(AssertUnwindSafe(|| *cell.get_or_init(|| panic!("no value"))));
                cell.get_or_init(|| 2);
            });
            assert_eq!(*cell.wait(), 2);
        });
    });
    found.assert_ok();
}

/// `wait_force` ignores how often others panic: it sees that it is done, or waits until it is.
#[test]
fn waiting_whoever_panics() {
    let found = explore(|| {
        let once = Once::new();
        thread::scope(|s| {
            s.spawn(|| {
                for _ in 0..2 {
                    let _ = catch_unwind(AssertUnwindSafe(|| once.call_once_force(|_| panic!("again"))));
                }
                once.call_once_force(|_| ());
            });
            once.wait_force();
            assert!(once.is_completed());
        });
    });
    found.assert_ok();
    assert_eq!(found.sequences, 2, "{found}");
    let found = explore(|| {
        let once = Once::new();
        let _ = catch_unwind(AssertUnwindSafe(|| once.call_once(|| panic!("for good"))));
        once.wait_force();
    });
    assert_eq!((found.sequences, found.deadlocks), (1, 1), "{found}");
}

#[test]
fn waiting_for_nobody_is_a_deadlock() {
    let found = explore(|| Once::new().wait());
    assert_eq!((found.sequences, found.deadlocks), (1, 1), "{found}");
    let found = explore(|| {
        let cell = OnceLock::new();
        cell.get_or_init(|| *cell.get_or_init(|| 1));
    });
    assert_eq!((found.sequences, found.deadlocks), (1, 1), "asks for what it makes: {found}");
}

/// The effects of an initializer are visible to all threads that see that it is done.
#[test]
fn what_was_done_is_seen() {
    let (found, outputs) = explored(Explorer::new(), || {
        let (once, x) = (Once::new(), AtomicU32::new(0));
        thread::scope(|s| {
            s.spawn(|| once.call_once(|| x.store(1, SeqCst)));
            (once.is_completed(), x.load(SeqCst))
        })
    });
    found.assert_ok();
    assert_eq!(outputs, counts([("[false,0]", 1), ("[false,1]", 1), ("[true,1]", 1)]));
}

#[test]
fn a_lock_can_be_emptied_and_set_again() {
    let found = explore(|| {
        let mut cell = OnceLock::from(Cell::new(1));
        assert_eq!(cell.clone().get(), Some(&Cell::new(1)));
        assert_eq!(cell.take(), Some(Cell::new(1)));
        assert_eq!((cell.take(), cell.get()), (None, None));
        assert_eq!(cell.set(Cell::new(2)), Ok(()));
        assert_eq!(cell.get_mut(), Some(&mut Cell::new(2)));
        assert_eq!(format!("{cell:?}"), "OnceLock(Cell { value: 2 })");
        assert_eq!(cell.into_inner(), Some(Cell::new(2)));
    });
    found.assert_ok();
    assert_eq!(found.sequences, 1);
}
