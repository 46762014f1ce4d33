//! Outside an exploration every object behaves as the real one, with real threads.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::panic::catch_unwind;
use std::sync::TryLockError;
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::time::{Duration, Instant};

use insyn::std::sync::mpsc::{channel, sync_channel};
use insyn::std::sync::{Arc, Condvar, Mutex};
use insyn::std::thread::{self, Builder};
use insyn::sync::{CallError, Closed, Delivery, Monitor, ReentrantLock, Semaphore, entry, port};
use insyn_test_support::programs::bounded_buffer::{self as bb, config};
use insyn_test_support::programs::{dining_philosophers as dp, others, readers_writers as rw};

/// Runs a test that could block forever, and gives up on it after a while.
#[track_caller]
pub(super) fn in_time(test: impl FnOnce() + Send + 'static) {
    let (done, finished) = std::sync::mpsc::channel();
    let running = std::thread::spawn(move || {
        test();
        done.send(()).unwrap();
    });
    match finished.recv_timeout(Duration::from_secs(20)) {
        Err(RecvTimeoutError::Timeout) => panic!("it blocks"),
        _ => running.join().unwrap_or_else(|payload| std::panic::resume_unwind(payload)),
    }
}

/// Long enough for a thread that could go on to do so.
const A_WHILE: Duration = Duration::from_millis(30);

#[test]
fn the_classical_programs_run() {
    in_time(|| {
        for _ in 0..20 {
            bb::selective_wait(config(3, 3, 2))();
            bb::semaphores(config(3, 3, 2))();
            bb::su_monitor(config(3, 3, 2))();
            bb::sc_notify_all(config(3, 3, 2))();
            bb::sc_notify_one(config(3, 3, 2))();
            bb::sc_monitor(config(3, 3, 2), false)();
            bb::sc_monitor(config(3, 3, 2), true)();
            rw::semaphores(3, 2)();
            rw::su_monitor(3, 2)();
            rw::selective_wait(3, 2)();
            dp::su_monitor(5)();
            assert_eq!(others::prod_cons()(), 8);
            assert_eq!(others::fan_in(10)().into_iter().collect::<BTreeSet<_>>().len(), 10);
        }
    });
}

#[test]
fn threads_are_real() {
    let handle = Builder::new().name("real".to_string()).stack_size(1 << 20).spawn(|| {
        assert_eq!(std::thread::current().name(), Some("real"));
        thread::current().name().map(str::to_string)
    });
    let handle = handle.unwrap();
    assert_eq!(handle.thread().name(), Some("real"));
    assert_eq!(handle.join().unwrap().as_deref(), Some("real"));
    assert!(thread::spawn(|| -> u32 { panic!("passed on") }).join().is_err());
    let mut counts = [0; 3];
    let sum: usize = thread::scope(|s| {
        let handles: Vec<_> = counts.iter_mut().enumerate().map(|(n, c)| s.spawn(move || *c = n)).collect();
        let joined = handles.into_iter().filter(|_| true).map(|h| h.join().unwrap()).count();
        s.spawn(thread::yield_now);
        joined
    });
    assert_eq!((sum, counts), (3, [0, 1, 2]));
    assert!(catch_unwind(|| thread::scope(|s| drop(s.spawn(|| panic!("not joined"))))).is_err());
}

#[test]
fn channels_are_real() {
    in_time(|| {
        let (tx, rx) = channel();
        assert_eq!(rx.try_recv(), Err(TryRecvError::Empty));
        let sender = thread::spawn(move || (0..3).for_each(|n| tx.send(n).unwrap()));
        assert_eq!(rx.iter().collect::<Vec<_>>(), [0, 1, 2]);
        sender.join().unwrap();
        assert_eq!(rx.try_recv(), Err(TryRecvError::Disconnected));
        assert!(rx.recv().is_err());

        let (tx, rx) = channel();
        tx.send(1).unwrap();
        assert_eq!(rx.try_iter().count(), 1);
        drop(rx);
        assert_eq!(tx.send(5).unwrap_err().0, 5);

        for capacity in [0, 1] {
            let (tx, rx) = sync_channel(capacity);
            let sent = Arc::new(std::sync::atomic::AtomicUsize::new(0));
            let count = sent.clone();
            let sender = thread::spawn(move || {
                for n in 0..3 {
                    tx.send(n).unwrap();
                    count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                }
            });
            std::thread::sleep(A_WHILE);
            assert_eq!(
                sent.load(std::sync::atomic::Ordering::SeqCst),
                capacity,
                "a full channel makes senders wait"
            );
            assert_eq!(rx.into_iter().collect::<Vec<_>>(), [0, 1, 2]);
            sender.join().unwrap();
        }
    });
}

#[test]
fn locks_are_real() {
    in_time(|| {
        let pair = Arc::new((Mutex::new(0), Condvar::new()));
        let held = pair.0.lock().unwrap();
        let other = pair.clone();
        let refused = thread::spawn(move || matches!(other.0.try_lock(), Err(TryLockError::WouldBlock)));
        assert!(refused.join().unwrap());
        let other = pair.clone();
        let adder = thread::spawn(move || {
            *other.0.lock().unwrap() += 1;
            other.1.notify_one();
        });
        let held = pair.1.wait_while(held, |n| *n == 0).unwrap();
        assert_eq!(*held, 1);
        drop(held);
        adder.join().unwrap();

        let other = pair.clone();
        let poisoning = thread::spawn(move || {
            let _held = other.0.lock().unwrap();
            panic!("while holding it");
        });
        assert!(poisoning.join().is_err());
        assert!(pair.0.is_poisoned() && pair.0.lock().is_err());
        assert!(matches!(pair.0.try_lock(), Err(TryLockError::Poisoned(_))));
        pair.0.clear_poison();
        assert!(pair.0.lock().is_ok());
    });
}

#[test]
fn reentrant_locks_are_real() {
    in_time(|| {
        let lock = Arc::new(ReentrantLock::new(Cell::new(0)));
        let once = lock.lock();
        let twice = lock.try_lock().expect("it is ours");
        let tries = |lock: &Arc<ReentrantLock<Cell<i32>>>| {
            let lock = lock.clone();
            thread::spawn(move || lock.try_lock().map(|n| n.get())).join().unwrap()
        };
        twice.set(once.get() + 1);
        drop(once);
        assert_eq!(tries(&lock), None, "taken twice, given back once");
        let waiting = {
            let lock = lock.clone();
            thread::spawn(move || lock.lock().get())
        };
        drop(twice);
        assert_eq!(waiting.join().unwrap(), 1);
        assert_eq!(tries(&lock), Some(1));
    });
}

#[test]
fn semaphores_are_real() {
    in_time(|| {
        let semaphore = Arc::new(Semaphore::new(1));
        assert!(semaphore.try_acquire() && !semaphore.try_acquire());
        let waiting = {
            let semaphore = semaphore.clone();
            thread::spawn(move || semaphore.acquire())
        };
        semaphore.release();
        waiting.join().unwrap();
        assert!(!semaphore.try_acquire());

        // A binary semaphore makes a thread that releases it twice wait.
        let binary = Arc::new(Semaphore::binary(1));
        let started = Instant::now();
        let acquiring = {
            let binary = binary.clone();
            thread::spawn(move || {
                std::thread::sleep(A_WHILE);
                binary.acquire();
            })
        };
        binary.release();
        assert!(started.elapsed() >= A_WHILE);
        acquiring.join().unwrap();
        assert!(binary.try_acquire() && !binary.try_acquire());
        assert!(catch_unwind(|| Semaphore::binary(2)).is_err());
    });
}

#[test]
fn entries_are_real() {
    in_time(|| {
        let (square, server) = entry::<u32, u32>();
        let serving = thread::spawn(move || {
            let mut served = 0;
            while let Ok(mut call) = server.accept() {
                assert_eq!(*call.request(), served);
                let n = call.take().unwrap();
                assert_eq!(call.take(), None);
                call.reply(n * n);
                served += 1;
            }
            assert!(matches!(server.accept(), Err(Closed { .. })));
            served
        });
        let other = square.clone();
        assert_eq!((square.call(0), other.call(1)), (Ok(0), Ok(1)));
        drop((square, other));
        assert_eq!(serving.join().unwrap(), 2);

        let (caller, server) = entry::<u32, &str>();
        let calling = {
            let caller = caller.clone();
            thread::spawn(move || (caller.call(1), caller.call(2), caller.call(3)))
        };
        assert_eq!(server.accept_and_reply("at once"), Ok(1));
        drop(server.accept().unwrap());
        std::thread::sleep(A_WHILE);
        drop(server);
        let (first, second, third) = calling.join().unwrap();
        assert_eq!(first, Ok("at once"));
        assert!(matches!(second, Err(CallError { .. })), "the call was dropped");
        assert!(matches!(third, Err(CallError { .. })), "the entry was dropped");
        assert!(caller.call(4).is_err());
    });
}

#[test]
fn selects_are_real() {
    in_time(|| {
        let (caller, calls) = entry::<u32, u32>();
        let (tx, rx) = port::<u32>(Delivery::Mailbox);
        let nothing = insyn::select! {
            accept(calls) -> _call => false,
            recv(rx) -> _n => false,
            default => true,
        };
        assert!(nothing);
        let started = Instant::now();
        let timed_out = insyn::select! {
            recv(rx) -> _n => false,
            timeout(A_WHILE) => true,
        };
        assert!(timed_out && started.elapsed() >= A_WHILE);
        let calling = thread::spawn(move || caller.call(20));
        let sending = thread::spawn(move || tx.send(1));
        let (mut called, mut received) = (0, 0);
        loop {
            insyn::select! {
                accept(calls) -> mut call if received > 0 => {
                    called = call.take().unwrap();
                    call.reply(called + received);
                },
                recv(rx) -> n => received = n,
                closed => break,
            }
        }
        assert_eq!((called, received), (20, 1));
        assert_eq!(calling.join().unwrap(), Ok(21));
        assert!(sending.join().unwrap().is_ok());
    });
}

#[test]
fn ports_are_real() {
    in_time(|| {
        for delivery in [Delivery::Mailbox, Delivery::Fifo, Delivery::Causal, Delivery::Bag] {
            let (tx, rx) = port(delivery);
            assert_eq!(rx.try_recv(), Err(TryRecvError::Empty));
            let sender = {
                let tx = tx.clone();
                thread::spawn(move || (0..3).for_each(|n| tx.send(n).unwrap()))
            };
            let received: BTreeSet<i32> = (0..3).map(|_| rx.recv().unwrap()).collect();
            assert_eq!(received, BTreeSet::from([0, 1, 2]));
            sender.join().unwrap();
            drop(tx);
            assert_eq!(rx.try_recv(), Err(TryRecvError::Disconnected));
            assert!(rx.recv().is_err());
            let (tx, rx) = port(delivery);
            drop(rx);
            assert_eq!(tx.send(7).unwrap_err().0, 7);
        }
    });
}

/// Which thread goes on first after a signal: the signaller, or the thread it has signalled.
#[test]
fn monitors_are_real() {
    in_time(|| {
        for urgent in [false, true] {
            let monitor = if urgent { Monitor::urgent(Vec::new()) } else { Monitor::new(Vec::new()) };
            let condition = monitor.condition();
            let monitor = Arc::new(monitor);
            let waiting = {
                let monitor = monitor.clone();
                thread::spawn(move || {
                    let mut log = monitor.enter();
                    log.push("waits");
                    log.wait(&condition);
                    log.push("signalled");
                })
            };
            while monitor.enter().waiting(&condition) == 0 {
                thread::yield_now();
            }
            let mut log = monitor.enter();
            log.signal(&condition);
            log.push("signaller");
            log.signal(&condition); // nobody waits
            drop(log);
            waiting.join().unwrap();
            let expected = if urgent {
                ["waits", "signalled", "signaller"]
            } else {
                ["waits", "signaller", "signalled"]
            };
            assert_eq!(*monitor.enter(), expected);
        }
    });
}

#[test]
fn conditions_are_first_come_first_served() {
    in_time(|| {
        for all in [false, true] {
            let monitor = Arc::new(Monitor::new(Vec::new()));
            let condition = monitor.condition();
            let threads: Vec<_> = (0..4)
                .map(|n| {
                    let other = monitor.clone();
                    let waiting = thread::spawn(move || {
                        let mut log = other.enter();
                        log.wait(&condition);
                        log.push(n);
                    });
                    while monitor.enter().waiting(&condition) <= n {
                        thread::yield_now();
                    }
                    waiting
                })
                .collect();
            if all {
                monitor.enter().signal_all(&condition);
            } else {
                for n in 0..4 {
                    monitor.enter().signal(&condition);
                    while monitor.enter().len() <= n {
                        thread::yield_now();
                    }
                }
            }
            for t in threads {
                t.join().unwrap();
            }
            let mut log = monitor.enter().clone();
            assert!(all || log.is_sorted(), "the longest waiter is woken: {log:?}");
            log.sort_unstable();
            assert_eq!(log, [0, 1, 2, 3]);
        }
    });
}

#[test]
fn signalling_all_of_an_urgent_monitor_is_refused() {
    let refused = catch_unwind(|| {
        let monitor = Monitor::urgent(0);
        let condition = monitor.condition();
        monitor.enter().signal_all(&condition);
    });
    assert!(refused.is_err());
}
