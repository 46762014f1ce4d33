//! Programs that depend on something that insyn does not control: that is reported, never a verdict that depends on
//! it.
#![expect(clippy::disallowed_types, reason = "the order of a `HashMap` is what is tested")]

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};

use insyn::std::sync::atomic::AtomicU32;
use insyn::std::sync::{Arc, mpsc};
use insyn::std::thread;
use insyn::{Exploration, Explorer, Termination};
use insyn_test_support::only_failure;

use super::ignore;

/// Checks that the only report is that the program is not under control.
fn only_nondeterminism(found: &Exploration) {
    let verdicts = found.failures.iter().filter(|f| f.termination != Termination::Nondeterminism);
    assert_eq!(verdicts.count(), 0, "{found}");
    assert_eq!((found.deadlocks, found.panics), (0, 0), "{found}");
    for failure in &found.failures {
        assert!(failure.message.contains("does not control"), "{failure}");
    }
}

/// The n-th order of three numbers.
fn order(n: usize) -> [usize; 3] {
    [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]][n % 6]
}

/// Explores a program that does three things in an order that differs from run to run: with many ways to go through
/// the six orders.
fn in_changing_orders(program: fn([usize; 3])) -> u64 {
    let mut noticed = 0;
    for seed in 0..60 {
        let runs = AtomicUsize::new(0);
        let found = Explorer::new().workers(1).explore(move || {
            let run = runs.fetch_add(1, Ordering::Relaxed);
            program(order(seed + run * (seed % 5 + 1)));
        });
        only_nondeterminism(&found);
        noticed += found.nondeterminism;
    }
    noticed
}

/// Each thread gets one message, whatever the order.
fn send_to_each(order: [usize; 3]) {
    let channels: Vec<_> = (0..3).map(|_| mpsc::channel()).collect();
    let (senders, receivers): (Vec<_>, Vec<_>) = channels.into_iter().unzip();
    let (done, all_done) = mpsc::channel();
    for rx in receivers {
        let done = done.clone();
        thread::spawn(move || {
            ignore(rx.recv());
            done.send(()).unwrap();
        });
    }
    for n in order {
        senders[n].send(n).unwrap();
    }
    (0..3).for_each(|_| all_done.recv().unwrap());
}

/// Writes three variables in this order, while another thread reads them.
fn store_to_each(order: [usize; 3]) {
    let variables: Arc<[AtomicU32; 3]> = Arc::default();
    let seen = variables.clone();
    let reader = thread::spawn(move || seen.each_ref().map(|it| it.load(Ordering::SeqCst)));
    for n in order {
        variables[n].store(1, Ordering::SeqCst);
    }
    let seen = reader.join().unwrap();
    assert!(seen.iter().all(|&value| value < 2));
}

/// Receives from three channels, one after the other.
fn receive_from_each(order: [usize; 3]) {
    let (senders, receivers): (Vec<_>, Vec<_>) = (0..3).map(|_| mpsc::channel()).unzip();
    for (n, tx) in senders.into_iter().enumerate() {
        thread::spawn(move || tx.send(n).unwrap());
    }
    for n in order {
        assert!(receivers[n].try_recv().is_ok_and(|it| it == n) || receivers[n].recv() == Ok(n));
    }
}

#[test]
fn order_that_nobody_controls_is_no_verdict() {
    for program in [send_to_each, store_to_each, receive_from_each] {
        assert!(in_changing_orders(program) > 0, "it was noticed");
    }
}

#[test]
fn order_of_a_hash_map_is_no_verdict() {
    for _ in 0..30 {
        only_nondeterminism(&Explorer::new().workers(1).explore(|| {
            let keys: HashMap<usize, ()> = (0..3).map(|n| (n, ())).collect();
            let order: Vec<usize> = keys.into_keys().collect();
            send_to_each(order.try_into().unwrap());
        }));
    }
}

/// The only sequence fails in the first run and in no other, as when a clock decides it.
#[test]
fn failure_that_does_not_come_again_is_no_verdict() {
    for (from, to) in [(0, 1), (1, 2)] {
        let runs = AtomicUsize::new(0);
        let found = Explorer::new().workers(1).explore(move || {
            let (tx, rx) = mpsc::channel();
            for n in 0..2 {
                let tx = tx.clone();
                thread::spawn(move || tx.send(n).unwrap());
            }
            ignore((rx.recv(), rx.recv()));
            let run = runs.fetch_add(1, Ordering::Relaxed);
            assert!(!(from..to).contains(&run), "too late");
        });
        only_nondeterminism(&found);
        assert_eq!((found.sequences, found.nondeterminism), (1, 1), "{found}");
        let failure = only_failure(&found);
        assert!(failure.message.contains("panic: too late"), "{failure}");
        assert!(failure.message.contains("to a normal end"), "{failure}");
    }
    let runs = AtomicUsize::new(0);
    let found = Explorer::new().sample(1, move || {
        assert_ne!(runs.fetch_add(1, Ordering::Relaxed), 0);
    });
    only_nondeterminism(&found);
    assert_eq!(found.nondeterminism, 1, "{found}");
}

/// Blocked in the first run and in no other.
#[test]
fn deadlock_that_does_not_come_again_is_no_verdict() {
    let runs = AtomicUsize::new(0);
    let found = Explorer::new().workers(1).explore(move || {
        let (tx, rx) = mpsc::channel::<()>();
        if runs.fetch_add(1, Ordering::Relaxed) > 0 {
            drop(tx);
        } else {
            std::mem::forget(tx);
        }
        ignore(rx.recv());
    });
    only_nondeterminism(&found);
    assert_eq!(found.nondeterminism, 1, "{found}");
}

/// A failure that happens again is a verdict.
#[test]
fn failure_that_comes_again_is_a_verdict() {
    let found = Explorer::new().explore(|| {
        let (tx, rx) = mpsc::channel();
        for n in 0..2 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n).unwrap());
        }
        assert_eq!((rx.recv(), rx.recv()), (Ok(0), Ok(1)));
    });
    assert_eq!((found.sequences, found.panics, found.nondeterminism), (2, 1, 0), "{found}");
}

/// Real connections are passed through; insyn does not control which port the system assigns.
#[test]
fn real_connections_are_passed_through() {
    let talk = || {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let mut client = TcpStream::connect(address).unwrap();
        let (mut server, _) = listener.accept().unwrap();
        client.write_all(b"x").unwrap();
        let mut got = [0];
        server.read_exact(&mut got).unwrap();
        assert_eq!(&got, b"x");
        usize::from(address.port())
    };
    let found = Explorer::new().workers(1).explore(move || {
        talk();
        send_to_each([0, 1, 2]);
    });
    assert_eq!((found.sequences, found.failures.len()), (6, 0), "{found}");
    only_nondeterminism(&Explorer::new().workers(1).explore(move || send_to_each(order(talk()))));
}
