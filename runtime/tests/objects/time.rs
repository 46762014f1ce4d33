//! Virtual time.

use insyn::std::sync::mpsc::channel;
use insyn::std::sync::{Arc, Condvar, Mutex};
use insyn::std::thread;
use insyn::std::time::{Duration, Instant};
use insyn::sync::Monitor;
use insyn::{Explorer, explore};

use super::{counts, panic_of, steady_outputs};

const HOUR: Duration = Duration::from_secs(3600);

#[test]
fn time_passes_where_a_thread_sleeps() {
    let outputs = steady_outputs(|| {
        let start = Instant::now();
        thread::sleep(HOUR);
        let slept = start.elapsed();
        // A thread starts at its creator's time, and a thread that joins it goes on at the time of its end.
        let other = thread::spawn(move || {
            let begun = start.elapsed();
            thread::sleep(HOUR);
            begun
        });
        let other = other.join().unwrap();
        (slept.as_secs(), other.as_secs(), start.elapsed().as_secs(), slept >= HOUR)
    });
    assert_eq!(outputs, counts([("[3600,3600,7200,true]", 1)]));
}

/// A message carries time with it: a message sent after an hour is not received before.
#[test]
fn time_is_heard_of() {
    explore(|| {
        let (tx, rx) = channel();
        thread::spawn(move || {
            thread::sleep(HOUR);
            tx.send(Instant::now()).unwrap();
        });
        let start = Instant::now();
        assert_eq!(start.elapsed().as_secs(), 0, "nobody has told this thread");
        let sent = rx.recv().unwrap();
        assert!(Instant::now() >= sent && start.elapsed() >= HOUR);
    })
    .assert_ok();
}

/// Leaving a monitor is no event, but the time slept inside has passed for the next thread inside.
#[test]
fn time_passes_inside_a_monitor() {
    for urgent in [false, true] {
        explore(move || {
            let made = if urgent { Monitor::urgent(Instant::now()) } else { Monitor::new(Instant::now()) };
            let monitor = Arc::new(made);
            let other = Arc::clone(&monitor);
            thread::spawn(move || {
                let mut latest = other.enter();
                thread::sleep(HOUR);
                *latest = Instant::now();
            });
            let latest = monitor.enter();
            assert!(Instant::now() >= *latest);
        })
        .assert_ok();
    }
}

/// A signaller that gets its monitor back is not behind the thread it has signalled.
#[test]
fn time_passes_while_a_signaller_waits() {
    explore(|| {
        let monitor = Monitor::urgent(Instant::now());
        let condition = monitor.condition();
        let (tx, rx) = channel();
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut latest = monitor.enter();
                tx.send(()).unwrap();
                latest.wait(&condition);
                thread::sleep(HOUR);
                *latest = Instant::now();
            });
            rx.recv().unwrap();
            let mut latest = monitor.enter();
            latest.signal(&condition);
            assert!(Instant::now() >= *latest);
        });
    })
    .assert_ok();
}

#[test]
fn a_timeout_that_fires_takes_its_time() {
    let outputs = steady_outputs(|| {
        let pair = Arc::new((Mutex::new(false), Condvar::new()));
        let other = Arc::clone(&pair);
        let notifier = thread::spawn(move || {
            *other.0.lock().unwrap() = true;
            other.1.notify_one();
        });
        let start = Instant::now();
        let (ready, result) =
            pair.1.wait_timeout_while(pair.0.lock().unwrap(), HOUR, |ready| !*ready).unwrap();
        let seen = (*ready, result.timed_out(), start.elapsed() >= HOUR);
        drop(ready);
        notifier.join().unwrap();
        seen
    });
    // Not waited at all; notified; timed out before the notifier came; timed out while it held the lock.
    let keys: Vec<_> = outputs.keys().map(String::as_str).collect();
    assert_eq!(keys, ["[false,true,true]", "[true,false,false]", "[true,false,true]"]);
}

#[test]
fn a_loop_that_watches_the_clock_ends() {
    let found = Explorer::new().sequential(true).explore(|| {
        let deadline = Instant::now() + Duration::from_micros(50);
        while Instant::now() < deadline {
            thread::yield_now();
        }
    });
    found.assert_ok();
    let found = Explorer::new().max_steps(1000).explore(|| {
        let deadline = Instant::now() + HOUR;
        while Instant::now() < deadline {}
    });
    assert_eq!(found.step_bounds, 1, "{found}");
}

#[test]
fn clocks_do_not_mix() {
    let real = Instant::now();
    let kept = Arc::new(std::sync::Mutex::new(None));
    let shared = Arc::clone(&kept);
    let sequential = Explorer::new().sequential(true);
    sequential
        .explore(move || {
            let start = Instant::now();
            assert!(panic_of(|| start > real).contains("a virtual instant was compared with a real one"));
            assert!(panic_of(|| real.elapsed()).contains("a virtual instant was compared with a real one"));
            *shared.lock().unwrap() = Some(start);
        })
        .assert_ok();
    let shared = Arc::clone(&kept);
    sequential
        .explore(move || {
            let earlier = shared.lock().unwrap().expect("it was kept");
            assert!(panic_of(|| earlier.elapsed()).contains("of one execution"));
        })
        .assert_ok();
    let earlier = kept.lock().unwrap().expect("it was kept");
    assert!(panic_of(|| real == earlier).contains("a virtual instant was compared with a real one"));
}

#[test]
fn instants_are_points_of_a_line() {
    Explorer::new()
        .sequential(true)
        .explore(|| {
            let start = Instant::now();
            assert_eq!(format!("{start:?}"), "Instant { tv_sec: 0, tv_nsec: 1000 }");
            let before = start - HOUR;
            assert_eq!(start - before, HOUR);
            assert_eq!(before - start, Duration::ZERO);
            assert_eq!(before + HOUR, start);
            assert!(start.checked_add(Duration::MAX).is_none() && start.checked_sub(Duration::MAX).is_none());
            assert_eq!(panic_of(|| start + Duration::MAX), "overflow when adding duration to instant");
            assert_eq!(panic_of(|| start - Duration::MAX), "overflow when subtracting duration from instant");
        })
        .assert_ok();
}

/// What is too long for a clock never ends, as outside: a wait ends only by what it waits for.
#[test]
fn what_is_too_long_for_a_clock_never_ends() {
    let lengths = [Duration::MAX, Duration::from_millis(u64::MAX)];
    let waits: [fn(Duration) -> bool; 3] = [
        |length| {
            let pair = Arc::new((Mutex::new(false), Condvar::new()));
            let other = Arc::clone(&pair);
            let notifier = thread::spawn(move || {
                *other.0.lock().unwrap() = true;
                other.1.notify_one();
            });
            let (ready, result) =
                pair.1.wait_timeout_while(pair.0.lock().unwrap(), length, |ready| !*ready).unwrap();
            let seen = *ready && !result.timed_out();
            drop(ready);
            notifier.join().unwrap();
            seen
        },
        |length| {
            let waiter = thread::current();
            let done = Arc::new(Mutex::new(false));
            let other = Arc::clone(&done);
            let unparker = thread::spawn(move || {
                *other.lock().unwrap() = true;
                waiter.unpark();
            });
            thread::park_timeout(length);
            let seen = *done.lock().unwrap();
            unparker.join().unwrap();
            seen
        },
        |length| {
            let (tx, rx) = insyn::std::sync::mpsc::channel();
            let sender = thread::spawn(move || tx.send(1).is_ok());
            let seen = rx.recv_timeout(length) == Ok(1);
            sender.join().unwrap() && seen
        },
    ];
    for length in lengths {
        for wait in waits {
            let outputs = steady_outputs(move || wait(length));
            assert_eq!(outputs.keys().collect::<Vec<_>>(), ["true"]);
        }
        // Whoever sleeps that long is asleep at the end.
        let program = move || {
            let woken = Arc::new(Mutex::new(false));
            let other = Arc::clone(&woken);
            thread::spawn(move || {
                thread::sleep(length);
                *other.lock().unwrap() = true;
            });
            thread::sleep(HOUR);
            assert!(!*woken.lock().unwrap());
        };
        Explorer::new().ignore_detached(true).explore(program).assert_ok();
        let found = Explorer::new().explore(program);
        assert_eq!((found.sequences, found.deadlocks), (1, 1), "{found}");
    }
}
