//! Loops that poll and yield wait until something has changed, and are no deadlock if they give up before that.

use insyn::crossbeam_channel;
use insyn::std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use insyn::std::sync::mpsc::{TryRecvError, channel, sync_channel};
use insyn::std::sync::{Arc, Mutex, MutexGuard, RwLock, TryLockError};
use insyn::std::thread;
use insyn::std::time::Duration;
use insyn::{Explorer, Termination, explore};

/// Two polls one after the other are no loop: both may find nothing, whichever thread yields in between.
#[test]
fn two_looks_are_no_loop() {
    let found = explore(|| {
        let (_tx, rx) = channel::<u32>();
        let first = rx.try_recv();
        thread::yield_now();
        (first, rx.try_recv()) == (Err(TryRecvError::Empty), Err(TryRecvError::Empty))
    });
    assert_eq!((found.sequences, found.failures.len()), (1, 0), "{found}");
    let all = outputs(|| {
        let (tx, rx) = channel::<u32>();
        thread::spawn(move || {
            let _ = tx.send(1);
            std::mem::forget(tx);
        });
        let first = rx.try_recv().is_ok();
        thread::yield_now();
        (first, rx.try_recv().is_ok())
    });
    assert_eq!(all, ["[false,false]", "[false,true]", "[true,false]"]);
}

/// What a program returns, in all its sequences.
fn outputs<R: serde::Serialize + 'static>(program: impl Fn() -> R + Send + Sync + 'static) -> Vec<String> {
    use std::collections::{BTreeMap, BTreeSet};
    use std::sync::{Arc, Mutex, PoisonError};
    let seen: Arc<Mutex<BTreeMap<u32, BTreeSet<String>>>> = Arc::default();
    let into = seen.clone();
    let observer = move |ended: &insyn::Ended<'_>| {
        let mut seen = into.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.counted() {
            seen.entry(ended.round()).or_default().extend(ended.output());
        }
    };
    Explorer::new().observe(observer).explore(program).assert_ok();
    let seen = seen.lock().unwrap();
    seen.values().next_back().unwrap().iter().cloned().collect()
}

/// A loop that gives up is no deadlock, and may give up after any poll but the first ones that find something.
#[test]
fn loop_that_gives_up_ends() {
    let polls = |rx: insyn::std::sync::mpsc::Receiver<u32>| {
        let mut looks = 0;
        while looks < 3 && rx.try_recv().is_err() {
            looks += 1;
            thread::yield_now();
        }
        looks
    };
    let silent = outputs(move || {
        let (tx, rx) = channel::<u32>();
        let looks = polls(rx);
        drop(tx);
        looks
    });
    assert_eq!(silent, ["3"]);
    let found = explore(move || {
        let (tx, rx) = channel::<u32>();
        let sender = thread::spawn(move || tx.send(1));
        let looks = polls(rx);
        (looks, sender.join().unwrap().is_ok())
    });
    found.assert_ok();
}

/// The same with everything that can be polled.
#[test]
fn whatever_is_polled_may_be_given_up() {
    fn times(mut look: impl FnMut() -> bool) -> u32 {
        let mut looks = 0;
        while looks < 4 && !look() {
            looks += 1;
            thread::yield_now();
        }
        looks
    }
    let programs: [fn() -> u32; 6] = [
        || {
            let flag = AtomicU32::new(0);
            times(|| flag.load(SeqCst) == 1)
        },
        || {
            let lock = Mutex::new(());
            let _held = lock.lock().unwrap();
            times(|| lock.try_lock().is_ok())
        },
        || {
            let (_tx, rx) = sync_channel::<u32>(1);
            times(|| rx.try_recv().is_ok())
        },
        || {
            let (tx, _rx) = sync_channel::<String>(0);
            times(|| tx.try_send("full".to_string()).is_ok())
        },
        || {
            let (tx, _rx) = crossbeam_channel::bounded::<String>(1);
            tx.send("first".to_string()).unwrap();
            times(|| tx.try_send("second".to_string()).is_ok())
        },
        || {
            let semaphore = insyn::sync::Semaphore::new(0);
            times(|| semaphore.try_acquire())
        },
    ];
    for program in programs {
        for workers in [1, 2] {
            let found = Explorer::new().workers(workers).explore(program);
            assert_eq!((found.sequences, found.failures.len()), (1, 0), "{found}");
        }
        assert_eq!(outputs(program), ["4"]);
        let run = Explorer::new().run(program);
        assert_eq!(run.output.as_deref(), Some("4"));
        let again = Explorer::new().replay(&run.sequence, program).unwrap();
        assert_eq!(again.sequence, run.sequence);
        assert_eq!(Explorer::new().sample(10, program).failures, []);
    }
}

/// A loop that does not give up is blocked forever when no thread is left to change anything, and that is detected; a loop
/// of the same thread that gives up is not blocked.
#[test]
fn loop_that_does_not_give_up_is_a_deadlock() {
    for max_steps in [50, 5_000] {
        let found = Explorer::new().max_steps(max_steps).explore(|| {
            let flag = Arc::new(AtomicU32::new(0));
            let theirs = flag.clone();
            thread::spawn(move || theirs.compare_exchange(0, 1, SeqCst, SeqCst).is_ok());
            for _ in 0..3 {
                if flag.load(SeqCst) == 1 {
                    break;
                }
                thread::yield_now();
            }
            flag.store(2, SeqCst);
            while flag.load(SeqCst) == 2 {
                thread::yield_now();
            }
        });
        assert_eq!((found.deadlocks, found.step_bounds), (found.sequences, 0), "{found}");
        assert!(found.failures.iter().all(|f| f.termination == Termination::Deadlock), "{found}");
        assert!(found.sequences > 1, "{found}");
    }
}

/// A timeout fires eventually, in a loop too.
#[test]
fn timeout_is_no_poll() {
    let looks = outputs(|| {
        let (_tx, rx) = channel::<u32>();
        let mut looks = 0;
        while looks < 2 && rx.recv_timeout(Duration::from_millis(1)).is_err() {
            looks += 1;
            thread::sleep(Duration::from_millis(1));
        }
        looks
    });
    assert_eq!(looks, ["2"]);
}

/// A loop that polls what a lock protects until it is a number.
type Loop = fn(&Mutex<u32>, &RwLock<u32>, u32);

/// Ways to wait in a loop for what is behind a lock, each by looking at it.
fn loops_behind_locks() -> [(&'static str, Loop); 8] {
    [
        ("yielding", |m, _, n| {
            while *m.lock().unwrap() != n {
                thread::yield_now();
            }
        }),
        ("sleeping", |m, _, n| {
            while *m.lock().unwrap() != n {
                thread::sleep(Duration::from_millis(1));
            }
        }),
        ("spinning", |m, _, n| {
            while *m.lock().unwrap() != n {
                insyn::std::hint::spin_loop();
            }
        }),
        ("with the lock held", |m, _, n| {
            loop {
                let seen = m.lock().unwrap();
                if *seen == n {
                    break;
                }
                thread::yield_now();
            }
        }),
        ("trying", |m, _, n| {
            let is_there = |m: &Mutex<u32>| match m.try_lock() {
                Ok(seen) => *seen == n,
                Err(TryLockError::WouldBlock) => false,
                Err(TryLockError::Poisoned(error)) => panic!("{error}"),
            };
            while !is_there(m) {
                thread::yield_now();
            }
        }),
        ("reading", |_, l, n| {
            while *l.read().unwrap() != n {
                thread::yield_now();
            }
        }),
        ("trying to read", |_, l, n| {
            while !l.try_read().is_ok_and(|seen| *seen == n) {
                thread::yield_now();
            }
        }),
        ("with the right to write", |_, l, n| {
            while *l.write().unwrap() != n {
                thread::sleep(Duration::from_millis(1));
            }
        }),
    ]
}

/// A loop that waits for what is behind a lock ends when that has come, and has no more sequences than there are changes it
/// may see; threads that only look do not wake each other. All orders of steps show the same.
#[test]
fn what_is_behind_a_lock_is_polled() {
    for (name, wait_for) in loops_behind_locks() {
        for pollers in [1, 2] {
            let program = move || {
                let shared = Arc::new((Mutex::new(0), RwLock::new(0)));
                let looks = (0..pollers).map(|_| {
                    let shared = shared.clone();
                    thread::spawn(move || wait_for(&shared.0, &shared.1, 1))
                });
                let threads: Vec<_> = looks.collect();
                *shared.0.lock().unwrap() = 1;
                *shared.1.write().unwrap() = 1;
                threads.into_iter().for_each(|it| it.join().unwrap());
            };
            // Which readers a waiting writer keeps out is another matter.
            let explorer = Explorer::new().waiting_writers_block(false);
            let found = explorer.explore(program);
            assert_eq!((found.failures.len(), found.step_bounds), (0, 0), "{name}: {found}");
            if name == "yielding" {
                // Each poller looks before the change or not; those who do are in some order, and so are all after it: for two
                // pollers 2 + 2 * 2 + 2 * 2.
                let expected = if pollers == 1 { 2 } else { 10 };
                assert_eq!(found.sequences, expected, "{name}: {found}");
            }
            let all = explorer.brute_force(200_000, program).expect("it is small");
            assert_eq!(all.sequences, found.sequences, "{name}, {pollers}");
        }
    }
}

/// The same loops when nobody brings what they wait for, and when they are behind each other: they are blocked, and the
/// report says for what.
#[test]
fn what_never_comes_behind_a_lock_is_a_deadlock() {
    for (name, wait_for) in loops_behind_locks() {
        for max_steps in [60, 5_000] {
            let found = Explorer::new().max_steps(max_steps).explore(move || {
                let shared = Arc::new((Mutex::new(0), RwLock::new(0)));
                let theirs = shared.clone();
                thread::spawn(move || wait_for(&theirs.0, &theirs.1, 2));
                *shared.0.lock().unwrap() = 1;
                *shared.1.write().unwrap() = 1;
            });
            assert_eq!((found.deadlocks, found.step_bounds), (found.sequences, 0), "{name}: {found}");
            let mut waits = found.failures[0].blocked.iter().map(|it| it.waits_for.as_str());
            assert!(waits.any(|it| it.starts_with("a change of what")), "{name}: {found}");
        }
    }
}

/// A loop that takes what it waits for, and borrows it mutably for that in every turn, may change it every time, as far as
/// insyn can know: it is cut. One that looks first waits.
#[test]
fn what_is_taken_behind_a_lock_is_looked_at_first() {
    fn receives(take: fn(&Mutex<Vec<u32>>) -> Option<u32>) -> insyn::Exploration {
        Explorer::new().max_steps(60).max_executions(200).workers(1).explore(move || {
            let queue = Arc::new(Mutex::new(Vec::new()));
            let theirs = queue.clone();
            let taker = thread::spawn(move || {
                while take(&theirs).is_none() {
                    thread::yield_now();
                }
            });
            queue.lock().unwrap().push(1);
            taker.join().unwrap();
        })
    }
    let cut = receives(|queue| queue.lock().unwrap().pop());
    assert!(cut.step_bounds > 0, "{cut}");
    let waits = receives(|queue| {
        let mut queue = queue.lock().unwrap();
        if queue.is_empty() { None } else { queue.pop() }
    });
    assert_eq!((waits.sequences, waits.step_bounds, waits.failures.len()), (2, 0, 0), "{waits}");
}

/// A loop that gives up, changes something, or looks at what changes unseen, is not taken for one that waits.
#[test]
fn loops_with_locks_that_do_not_poll() {
    let gives_up = outputs(|| {
        let number = Mutex::new(0);
        let mut looks = 0;
        while looks < 4 && *number.lock().unwrap() == 0 {
            looks += 1;
            thread::yield_now();
        }
        looks
    });
    assert_eq!(gives_up, ["4"]);
    let counts = || {
        let number = Arc::new(Mutex::new(0));
        let count = |number: &Mutex<i32>| {
            for _ in 0..2 {
                *number.lock().unwrap() += 1;
                thread::yield_now();
            }
        };
        let theirs = number.clone();
        let other = thread::spawn(move || count(&theirs));
        count(&number);
        other.join().unwrap();
    };
    // The orders of two threads that lock twice each.
    assert_eq!(explore(counts).sequences, 6);
    let behind_a_cell = outputs(|| {
        let number = Arc::new(Mutex::new(std::cell::Cell::new(0)));
        let theirs = number.clone();
        let other = thread::spawn(move || theirs.lock().unwrap().set(1));
        let seen = |lock: MutexGuard<'_, std::cell::Cell<i32>>| lock.get();
        let mut looks = 0;
        while looks < 3 && seen(number.lock().unwrap()) == 0 {
            looks += 1;
            thread::yield_now();
        }
        other.join().unwrap();
        looks
    });
    assert_eq!(behind_a_cell, ["0", "1", "2", "3"]);
    // It waits for something else after a while, with the lock held.
    let found = explore(|| {
        let (tx, rx) = channel::<u32>();
        let shared = Arc::new(Mutex::new(rx));
        let theirs = shared.clone();
        let looks = thread::spawn(move || {
            for look in 0.. {
                let rx = theirs.lock().unwrap();
                if look == 2 {
                    return rx.recv().is_ok();
                }
                drop(rx);
                thread::yield_now();
            }
            false
        });
        let sender = thread::spawn(move || tx.send(1));
        assert!(looks.join().unwrap());
        sender.join().unwrap().unwrap();
    });
    found.assert_ok();
}
