//! Mutex, RwLock, Condvar and Barrier under control.

use std::panic::{AssertUnwindSafe, catch_unwind};

use insyn::std::sync::mpsc::channel;
use insyn::std::sync::{Arc, Barrier, Condvar, Mutex, RwLock, RwLockWriteGuard, TryLockError};
use insyn::std::thread;
use insyn::std::time::Duration;
use insyn::{Explorer, explore};

use super::{counts, explored, steady_outputs};

/// Takes a mutex and panics.
fn poison(mutex: &Mutex<u32>) {
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let _held = mutex.lock();
        panic!("while it is held");
    }));
    assert!(caught.is_err());
}

#[test]
fn poisoning_has_its_place_in_the_order() {
    let outputs = steady_outputs(|| {
        let mutex = Mutex::new(0);
        thread::scope(|s| {
            s.spawn(|| poison(&mutex));
            (mutex.is_poisoned(), mutex.is_poisoned())
        })
    });
    // Two checks among lock and unlock: three places for each, in order. Only the unlock counts.
    assert_eq!(outputs, counts([("[false,false]", 3), ("[false,true]", 2), ("[true,true]", 1)]));
}

#[test]
fn poison_is_cleared_in_order() {
    let outputs = steady_outputs(|| {
        let mut mutex = Mutex::new(0);
        thread::scope(|s| {
            s.spawn(|| poison(&mutex));
            mutex.clear_poison();
        });
        let shared = (mutex.is_poisoned(), mutex.lock().is_err());
        (shared, mutex.get_mut().is_err(), mutex.into_inner().is_err())
    });
    assert_eq!(outputs, counts([("[[false,false],false,false]", 1), ("[[true,true],true,true]", 2)]));
}

#[test]
fn debug_shows_what_can_be_seen() {
    let found = explore(|| {
        let mutex = Mutex::new(5);
        assert_eq!(format!("{mutex:?}"), "Mutex { data: 5, poisoned: false, .. }");
        let held = mutex.lock();
        assert_eq!(format!("{mutex:?}"), "Mutex { data: \"<locked>\", poisoned: false, .. }");
        drop(held);
        poison(&mutex);
        assert_eq!(format!("{mutex:?}"), "Mutex { data: 5, poisoned: true, .. }");
        let lock = RwLock::new(5);
        let reader = lock.read().unwrap();
        assert_eq!(format!("{lock:?}"), "RwLock { data: 5, poisoned: false, .. }");
        drop(reader);
        let _writer = lock.write().unwrap();
        assert_eq!(format!("{lock:?}"), "RwLock { data: <locked>, poisoned: false, .. }");
    });
    found.assert_ok();
}

#[test]
fn readers_share() {
    let found = explore(|| {
        let lock = RwLock::new(5);
        let (a, b) = (lock.read().unwrap(), lock.try_read().unwrap());
        assert_eq!((*a, *b), (5, 5));
        assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
        drop((a, b));
        let writer = lock.try_write().unwrap();
        assert!(matches!(lock.try_read(), Err(TryLockError::WouldBlock)));
        assert!(matches!(lock.try_write(), Err(TryLockError::WouldBlock)));
        drop(writer);
        assert_eq!(lock.into_inner().unwrap(), 5);
    });
    found.assert_ok();
    assert_eq!(found.sequences, 1);
}

/// The order in which threads start and stop reading cannot be observed.
#[test]
fn readers_have_no_order() {
    for readers in 1..=6 {
        let program = move || {
            let lock = RwLock::new(5);
            thread::scope(|s| {
                for n in 0..readers {
                    let lock = &lock;
                    s.spawn(move || {
                        let guard = if n % 2 == 0 { lock.read() } else { Ok(lock.try_read().unwrap()) };
                        assert_eq!(*guard.unwrap(), 5);
                    });
                }
            });
        };
        let (found, _) = explored(Explorer::new(), program);
        found.assert_ok();
        assert_eq!((found.sequences, found.executions), (1, 1), "{readers} readers");
    }
}

/// A thread that writes before the readers come, or after they have gone, does not order them; nor do writers in turn.
#[test]
fn readers_have_no_order_unless_a_writer_meets_them() {
    let outputs = steady_outputs(|| {
        let lock = RwLock::new(0);
        for n in 0..3 {
            *lock.write().unwrap() += 1;
            assert!(!lock.is_poisoned());
            thread::scope(|s| {
                let read = || assert_eq!(*lock.read().unwrap(), n + 1);
                (0..3).for_each(|_| drop(s.spawn(read)));
                read();
            });
        }
        let last = RwLockWriteGuard::downgrade(lock.write().unwrap());
        thread::scope(|s| (0..2).for_each(|_| drop(s.spawn(|| assert_eq!(*lock.read().unwrap(), *last)))));
        drop(last);
        *lock.try_write().unwrap()
    });
    assert_eq!(outputs, counts([("3", 1)]));
    // The two orders of the mutex.
    let outputs = steady_outputs(|| {
        let (mutex, lock) = (Mutex::new(()), RwLock::new(0));
        thread::scope(|s| {
            s.spawn(|| {
                let _one_at_a_time = mutex.lock().unwrap();
                *lock.write().unwrap() += 1;
            });
            let _one_at_a_time = mutex.lock().unwrap();
            *lock.read().unwrap()
        })
    });
    assert_eq!(outputs, counts([("0", 1), ("1", 1)]));
}

/// With a writer among them, readers have an order: the writer fits in at three places if they do not overlap (two ways),
/// at two if they do (four ways); and one of them may have to wait behind the writer.
#[test]
fn a_writer_puts_readers_in_order() {
    let program = || {
        let lock = RwLock::new(0);
        thread::scope(|s| {
            s.spawn(|| *lock.write().unwrap() += 1);
            (0..2).for_each(|_| drop(s.spawn(|| *lock.read().unwrap())));
        });
    };
    for workers in [1, 3] {
        let (found, _) = explored(Explorer::new().workers(workers), program);
        found.assert_ok();
        assert_eq!(found.sequences, 16);
    }
}

/// Two readers that want to write wait for each other, whichever comes first; a writer waits for itself.
#[test]
fn readers_that_want_to_write() {
    let (found, _) = explored(Explorer::new(), || {
        let lock = RwLock::new(0);
        thread::scope(|s| {
            for _ in 0..2 {
                s.spawn(|| {
                    let _reader = lock.read().unwrap();
                    *lock.write().unwrap() += 1;
                });
            }
        });
    });
    assert!(found.deadlocks == found.sequences && found.deadlocks > 0, "{found}");
    for program in [
        (|| {
            let lock = RwLock::new(0);
            let _reader = lock.read().unwrap();
            drop(lock.write());
        }) as fn(),
        || {
            let lock = RwLock::new(0);
            let _writer = lock.write().unwrap();
            drop(lock.read());
        },
    ] {
        let (found, _) = explored(Explorer::new(), program);
        assert_eq!((found.sequences, found.deadlocks), (1, 1), "{found}");
    }
}

/// A reader that only comes up in a variant meets a writer that the variant keeps, and that comes later.
#[test]
fn a_reader_that_comes_up_in_a_variant() {
    let (found, _) = explored(Explorer::new(), || {
        let lock = RwLock::new(0);
        let (numbers, number) = channel();
        let (written, after) = channel();
        thread::scope(|s| {
            for n in 0..2 {
                let numbers = numbers.clone();
                s.spawn(move || numbers.send(n).unwrap());
            }
            let lock = &lock;
            let write = move || {
                *lock.write().unwrap() += 1;
                let _ = written.send(());
            };
            // The writer is the last to start.
            s.spawn(move || s.spawn(move || s.spawn(move || s.spawn(write))));
            if number.recv() == Ok(1) {
                let _reader = lock.read().unwrap();
                let _ = after.recv();
            }
        });
    });
    // Where the reader waits for a writer that waits for it.
    assert_eq!((found.sequences, found.deadlocks), (3, 1), "{found}");
}

/// As on Linux: a thread that tries to read fails if a writer waits, and keeps failing until all readers have left.
#[test]
fn a_try_may_fail_behind_a_waiting_writer() {
    let program = || {
        let lock = RwLock::new(0);
        thread::scope(|s| {
            s.spawn(|| *lock.write().unwrap() += 1);
            let reader = lock.read().unwrap();
            let [first, second] = [(); 2].map(|()| lock.try_read().is_ok());
            drop(reader);
            [first, second, lock.try_read().is_ok()]
        })
    };
    let outcomes = |explorer| explored(explorer, program).1.into_keys().collect::<Vec<_>>();
    assert_eq!(
        outcomes(Explorer::new()),
        [
            // While the writer writes, or before and after it.
            "[false,false,false]",
            "[false,false,true]",
            "[true,false,false]",
            "[true,false,true]",
            "[true,true,false]",
            "[true,true,true]",
        ]
    );
    let never = Explorer::new().waiting_writers_block(false);
    assert_eq!(outcomes(never), ["[true,true,false]", "[true,true,true]"]);
}

#[test]
fn a_writer_is_alone() {
    let outputs = steady_outputs(|| {
        let lock = RwLock::new((0, 0));
        thread::scope(|s| {
            s.spawn(|| {
                let mut data = lock.write().unwrap();
                data.0 += 1;
                thread::yield_now();
                data.1 += 1;
            });
            *lock.read().unwrap()
        })
    });
    assert_eq!(outputs, counts([("[0,0]", 1), ("[1,1]", 1)]));
}

/// Reading twice in one thread can deadlock with a writer in between, as it can with the standard library's.
#[test]
fn a_reader_may_wait_behind_a_writer() {
    let program = || {
        let lock = RwLock::new(0);
        thread::scope(|s| {
            s.spawn(|| *lock.write().unwrap() += 1);
            let _first = lock.read().unwrap();
            let _second = lock.read().unwrap();
        });
    };
    let (found, _) = explored(Explorer::new(), program);
    assert_eq!(found.deadlocks, 1, "{found}");
    let (found, _) = explored(Explorer::new().waiting_writers_block(false), program);
    found.assert_ok();
    assert_eq!(found.sequences, 2);
}

#[test]
fn nobody_writes_between_writing_and_reading() {
    let outputs = steady_outputs(|| {
        let lock = RwLock::new(0);
        thread::scope(|s| {
            s.spawn(|| *lock.write().unwrap() += 10);
            let mut writer = lock.write().unwrap();
            *writer += 1;
            let written = *writer;
            let reader = RwLockWriteGuard::downgrade(writer);
            assert_eq!(*reader, written);
            assert!(lock.try_write().is_err());
            written
        })
    });
    assert_eq!(outputs.keys().collect::<Vec<_>>(), ["1", "11"]);
}

#[test]
fn writers_poison_and_readers_do_not() {
    let found = explore(|| {
        let mut lock = RwLock::new(0);
        let panics = |f: &dyn Fn()| assert!(catch_unwind(AssertUnwindSafe(f)).is_err());
        panics(&|| {
            let _held = lock.read().unwrap();
            panic!("while it is read");
        });
        assert!(!lock.is_poisoned() && lock.read().is_ok());
        panics(&|| {
            let _held = lock.write().unwrap();
            panic!("while it is written");
        });
        assert!(lock.is_poisoned() && lock.read().is_err() && lock.write().is_err());
        assert!(matches!(lock.try_read(), Err(TryLockError::Poisoned(_))));
        assert!(matches!(lock.try_write(), Err(TryLockError::Poisoned(_))));
        assert!(lock.get_mut().is_err());
        lock.clear_poison();
        assert!(!lock.is_poisoned() && lock.read().is_ok() && lock.into_inner().is_ok());
    });
    found.assert_ok();
    assert_eq!(found.sequences, 1);
}

/// A wait with a timeout is notified, or times out before.
#[test]
fn waits_time_out_or_not() {
    let program = || {
        let (mutex, condvar) = (Mutex::new(()), Condvar::new());
        thread::scope(|s| {
            let held = mutex.lock().unwrap();
            s.spawn(|| {
                drop(mutex.lock().unwrap());
                condvar.notify_one();
            });
            condvar.wait_timeout(held, Duration::from_secs(1)).unwrap().1.timed_out()
        })
    };
    let outputs = steady_outputs(program);
    assert_eq!(outputs.keys().collect::<Vec<_>>(), ["false", "true"]);
}

#[test]
fn waits_end_for_no_reason_if_asked_for() {
    let program = || {
        let (mutex, condvar) = (Mutex::new(false), Condvar::new());
        thread::scope(|s| {
            let held = mutex.lock().unwrap();
            s.spawn(|| {
                *mutex.lock().unwrap() = true;
                condvar.notify_one();
            });
            *condvar.wait(held).unwrap()
        })
    };
    assert_eq!(steady_outputs(program).keys().collect::<Vec<_>>(), ["true"]);
    let (found, outputs) = explored(Explorer::new().spurious_wakeups(true), program);
    found.assert_ok();
    assert_eq!(outputs.keys().collect::<Vec<_>>(), ["false", "true"]);
}

#[test]
fn barriers_let_all_go_at_once() {
    let found = explore(|| {
        let barrier = Arc::new(Barrier::new(4));
        for _ in 0..3 {
            let barrier = Arc::clone(&barrier);
            thread::spawn(move || _ = barrier.wait());
        }
        barrier.wait();
    });
    found.assert_ok();
    assert_eq!(found.sequences, 1);
}

#[test]
fn every_thread_may_lead() {
    let outputs = steady_outputs(|| {
        let barrier = Barrier::new(3);
        thread::scope(|s| {
            let others = [(); 2].map(|()| s.spawn(|| barrier.wait().is_leader()));
            let leads = barrier.wait().is_leader();
            (leads, others.map(|other| other.join().unwrap()))
        })
    });
    let expected = [("[false,[false,true]]", 1), ("[false,[true,false]]", 1), ("[true,[false,false]]", 1)];
    assert_eq!(outputs, counts(expected));
}

/// Three threads at a barrier for two: any two of them go on, and the third waits forever.
#[test]
fn a_barrier_chooses_among_those_who_wait() {
    let (found, _) = explored(Explorer::new(), || {
        let barrier = Arc::new(Barrier::new(2));
        for _ in 0..3 {
            let barrier = Arc::clone(&barrier);
            thread::spawn(move || _ = barrier.wait());
        }
    });
    assert_eq!((found.sequences, found.deadlocks), (3, 3), "{found}");
}

#[test]
fn a_barrier_for_nobody_is_for_one() {
    let found = explore(|| {
        assert!(Barrier::new(0).wait().is_leader());
        assert_eq!(format!("{:?}", Barrier::new(1).wait()), "BarrierWaitResult { is_leader: true }");
    });
    found.assert_ok();
}

/// A loop that tries again and yields waits until the lock has changed since the last attempt, however often it has.
#[test]
fn trying_until_it_is_free() {
    let outputs = steady_outputs(|| {
        let lock = Mutex::new(0);
        thread::scope(|s| {
            s.spawn(|| (0..3).for_each(|_| *lock.lock().unwrap() += 1));
            loop {
                if let Ok(held) = lock.try_lock() {
                    return *held;
                }
                thread::yield_now();
            }
        })
    });
    assert_eq!(outputs.keys().collect::<Vec<_>>(), ["0", "1", "2", "3"]);
}
