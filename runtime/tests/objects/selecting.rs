//! Outside an exploration `insyn::select!` receives from the standard library's channels too, with real threads.

use std::panic::catch_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, TryRecvError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use insyn::select::{self, Otherwise, Outcome, Receive};
use insyn::std::sync::mpsc::{Receiver, channel, sync_channel};
use insyn::std::thread;
use insyn::sync::{Delivery, entry, port};
use insyn_test_support::only_failure;

use super::outside::in_time;

/// Longer than any test takes.
const FOR_EVER: Duration = Duration::from_secs(3600);

/// Often enough for sends and drops to come at every point of a select.
const ROUNDS: u32 = 2_000;

/// Probes the first message without taking it, as the first half of a select does.
fn peek<T>(rx: &Receiver<T>) -> bool {
    matches!(select::wait(&[select::Arm::open(rx.source())], Otherwise::Default), Outcome::Arm(0, _))
}

#[test]
fn messages_that_are_there_are_received() {
    in_time(|| {
        let (tx, rx) = channel();
        tx.send(1).unwrap();
        let got = insyn::select! { recv(rx) -> n => n };
        assert_eq!(got, 1);

        let (other_tx, other) = sync_channel(1);
        other_tx.send(2).unwrap();
        let got = insyn::select! { recv(rx) -> n => n, recv(other) -> n => n + 10 };
        assert_eq!(got, 12);

        let (port_tx, port_rx) = port(Delivery::Mailbox);
        port_tx.send(3).unwrap();
        let got = insyn::select! { recv(rx) -> n => n, recv(port_rx) -> n => n + 20, recv(other) -> n => n };
        assert_eq!(got, 23);
        other_tx.send(4).unwrap();
        let got = insyn::select! { recv(port_rx) -> n => n, recv(&other) -> n => n + 10, recv(rx) -> n => n };
        assert_eq!(got, 14);
    });
}

/// Each sender waits until its message has been received, so that the select waits often.
#[test]
fn messages_that_come_later_are_received() {
    in_time(|| {
        let (a, from_a) = channel();
        let (b, from_b) = sync_channel(1);
        let (c, from_c) = sync_channel(0);
        let (d, from_d) = port(Delivery::Mailbox);
        let (acks, received): (Vec<_>, Vec<_>) = (0..4).map(|_| std::sync::mpsc::channel::<()>()).unzip();
        let mut received = received.into_iter();
        let mut spawn = |mut send: Box<dyn FnMut(u32) + Send>| {
            let received = received.next().unwrap();
            thread::spawn(move || {
                for n in 0..ROUNDS {
                    send(n);
                    received.recv().unwrap();
                }
            })
        };
        let senders = [
            spawn(Box::new(move |n| a.send(n).unwrap())),
            spawn(Box::new(move |n| b.send(n).unwrap())),
            spawn(Box::new(move |n| c.send(n).unwrap())),
            spawn(Box::new(move |n| d.send(n).unwrap())),
        ];
        let mut next = [0; 4];
        let mut got = |from: usize, n: u32| {
            assert_eq!(n, next[from]);
            next[from] += 1;
            _ = acks[from].send(());
        };
        loop {
            insyn::select! {
                recv(from_a) -> n => got(0, n),
                recv(from_b) -> n => got(1, n),
                recv(from_c) -> n => got(2, n),
                recv(from_d) -> n => got(3, n),
                closed => break,
            }
        }
        assert_eq!(next, [ROUNDS; 4]);
        for sender in senders {
            sender.join().unwrap();
        }
    });
}

/// Only one message is on its way, so nothing else wakes the select that waits for it.
#[test]
fn a_select_with_one_arm_waits_as_a_receive_does() {
    in_time(|| {
        for bound in [0, 1] {
            let (ping, pings) = channel();
            let (pong, pongs) = sync_channel(bound);
            let other = thread::spawn(move || {
                for _ in 0..ROUNDS {
                    let n: u32 = insyn::select! { recv(pings) -> n => n };
                    pong.send(n + 1).unwrap();
                }
            });
            for n in 0..ROUNDS {
                ping.send(n).unwrap();
                let got = insyn::select! { recv(pongs) -> n => n, timeout(FOR_EVER) => panic!("it came") };
                assert_eq!(got, n + 1);
            }
            other.join().unwrap();
        }
    });
}

#[test]
fn a_channel_whose_senders_are_gone_is_closed() {
    in_time(|| {
        let (tx, rx) = channel::<u32>();
        let (sync_tx, sync_rx) = sync_channel::<u32>(1);
        let (port_tx, port_rx) = port::<u32>(Delivery::Mailbox);
        tx.send(1).unwrap();
        drop((tx, sync_tx, port_tx));
        let mut got = Vec::new();
        loop {
            insyn::select! {
                recv(rx) -> n => got.push(n),
                recv(sync_rx) -> n => got.push(n),
                recv(port_rx) -> n => got.push(n),
                closed => break,
            }
        }
        assert_eq!(got, [1], "what was sent before is still there");
        let closed = insyn::select! { recv(rx) -> _n => false, default => false, closed => true };
        assert!(closed, "closed goes before default");

        // One open arm is enough to wait.
        let (tx, open) = channel();
        let sender = thread::spawn(move || tx.send(7).unwrap());
        let got = insyn::select! { recv(rx) -> n => n, recv(open) -> n => n };
        assert_eq!(got, 7);
        sender.join().unwrap();
    });
}

#[test]
fn a_select_without_a_closed_arm_panics_when_all_is_closed() {
    let panicked = catch_unwind(|| {
        let rx = channel::<u32>().1;
        insyn::select! { recv(rx) -> n => n }
    });
    let message = *panicked.unwrap_err().downcast::<&str>().unwrap();
    assert!(message.contains("every open arm is closed"), "{message}");
}

#[test]
fn the_end_of_the_last_sender_wakes() {
    in_time(|| {
        for n in 0..ROUNDS / 4 {
            let (tx, rx) = channel::<()>();
            let (sync_tx, sync_rx) = sync_channel::<()>(n as usize % 2);
            let senders =
                [thread::spawn(move || drop([tx.clone(), tx])), thread::spawn(move || drop(sync_tx))];
            let closed = insyn::select! {
                recv(rx) -> () => false,
                recv(sync_rx) -> () => false,
                closed => true,
            };
            assert!(closed);
            for sender in senders {
                sender.join().unwrap();
            }
        }
    });
}

#[test]
fn nothing_and_timeouts() {
    in_time(|| {
        let (tx, rx) = channel();
        let (meet, meetings) = sync_channel::<u32>(0);
        let nothing = insyn::select! {
            recv(rx) -> _n => false,
            recv(meetings) -> _n => false,
            default => true,
        };
        assert!(nothing);
        let limit = Duration::from_millis(30);
        let started = Instant::now();
        let timed_out = insyn::select! {
            recv(rx) -> _n => false,
            recv(meetings) -> _n => false,
            timeout(limit) => true,
        };
        assert!(timed_out && started.elapsed() >= limit);

        tx.send(1).unwrap();
        let got = insyn::select! { recv(meetings) -> n => n, recv(rx) -> n => n, default => 0 };
        assert_eq!(got, 1);
        let sender = thread::spawn(move || meet.send(2).unwrap());
        let got = insyn::select! { recv(rx) -> n => n, recv(meetings) -> n => n, timeout(FOR_EVER) => 0 };
        assert_eq!(got, 2);
        sender.join().unwrap();
        drop(tx);
    });
}

#[test]
fn a_guard_that_is_false_leaves_messages_alone() {
    in_time(|| {
        let (tx, rx) = channel();
        let (other_tx, other) = channel();
        tx.send(1).unwrap();
        let sender = thread::spawn(move || other_tx.send(2).unwrap());
        let closed = false;
        let got = insyn::select! { recv(rx) -> n if closed => n, recv(other) -> n => n };
        assert_eq!(got, 2);
        sender.join().unwrap();
        let got = insyn::select! { recv(rx) -> n if closed => n, recv(other) -> n => n, closed => 3 };
        assert_eq!(got, 3, "only open arms count");
        let got = insyn::select! { recv(rx) -> n if closed => n, default => 4 };
        assert_eq!(got, 4);
        assert_eq!(rx.try_recv(), Ok(1));
        drop(tx);
    });
}

#[test]
fn messages_keep_their_order() {
    in_time(|| {
        let (tx, rx) = channel();
        for n in 0..10 {
            tx.send(n).unwrap();
        }
        let select = || insyn::select! { recv(rx) -> n => n };
        assert_eq!([select(), rx.recv().unwrap(), select(), rx.try_recv().unwrap()], [0, 1, 2, 3]);

        // A message that a select has probed and no receive has taken is still the first.
        assert!(peek(&rx) && peek(&rx));
        assert_eq!((rx.recv(), rx.recv()), (Ok(4), Ok(5)));
        assert!(peek(&rx));
        assert_eq!(rx.recv_timeout(FOR_EVER), Ok(6));
        assert!(peek(&rx));
        assert_eq!(rx.try_iter().next(), Some(7));
        assert!(peek(&rx));
        assert_eq!(select(), 8);
        assert!(peek(&rx));
        drop(tx);
        assert_eq!(rx.iter().collect::<Vec<_>>(), [9]);
        assert!(!peek(&rx));
        assert_eq!(rx.try_recv(), Err(TryRecvError::Disconnected));
        assert_eq!(rx.recv_timeout(FOR_EVER), Err(RecvTimeoutError::Disconnected));
    });
}

/// A select meets senders that already wait and those that come while it waits, whatever else receives in between.
#[test]
fn rendezvous() {
    in_time(|| {
        let (a, from_a) = sync_channel(0);
        let (b, from_b) = sync_channel(0);
        let senders = [a.clone(), a, b.clone(), b]
            .map(|tx| thread::spawn(move || (0..ROUNDS).for_each(|_| tx.send(1).unwrap())));
        let (mut sum, mut turn) = (0, 0);
        loop {
            turn += 1;
            sum += match turn % 4 {
                0 => from_a.recv().unwrap_or(0),
                1 => from_b.recv_timeout(Duration::from_micros(10)).unwrap_or(0),
                2 => from_a.try_recv().unwrap_or(0),
                _ => insyn::select! {
                    recv(from_a) -> n => n,
                    recv(from_b) -> n => n,
                    closed => break,
                },
            };
        }
        assert_eq!(sum, 4 * ROUNDS);
        for sender in senders {
            sender.join().unwrap();
        }
    });
}

/// A message that met a receive at once is not one that a select may count on, nor one that it misses later. (A thread is
/// slow to wait for the first time, which gives the select time to check before it does.)
#[test]
fn rendezvous_with_a_sender_that_tries() {
    in_time(|| {
        let (tx, rx) = sync_channel(0);
        for n in 0..ROUNDS / 4 {
            let tx = tx.clone();
            let sender = thread::spawn(move || {
                while tx.try_send(n).is_err() {
                    thread::yield_now();
                }
                tx.send(n).unwrap();
            });
            assert_eq!(rx.recv(), Ok(n));
            let got = insyn::select! { recv(rx) -> n => n };
            assert_eq!(got, n);
            let nothing = insyn::select! { recv(rx) -> _n => false, default => true };
            assert!(nothing);
            sender.join().unwrap();
        }
    });
}

#[test]
fn a_message_that_nobody_takes_is_dropped_once() {
    struct Counted(Arc<AtomicUsize>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }

    let drops = Arc::new(AtomicUsize::new(0));
    let (tx, rx) = channel();
    _ = tx.send(Counted(drops.clone()));
    _ = tx.send(Counted(drops.clone()));
    assert!(peek(&rx));
    assert_eq!(drops.load(Ordering::SeqCst), 0);
    drop(rx);
    assert_eq!(drops.load(Ordering::SeqCst), 2);

    let (tx, rx) = channel();
    _ = tx.send(Counted(drops.clone()));
    let taken = insyn::select! { recv(rx) -> it => it };
    drop(rx);
    assert_eq!(drops.load(Ordering::SeqCst), 2);
    drop(taken);
    assert_eq!(drops.load(Ordering::SeqCst), 3);
}

/// A message may hold a sender, and be dropped anywhere.
#[test]
fn senders_in_messages() {
    in_time(|| {
        let (tx, rx) = channel();
        let (inner, from_inner) = channel::<()>();
        tx.send(inner).unwrap();
        assert!(peek(&rx));
        let dropping = thread::spawn(move || drop(rx));
        let closed = insyn::select! { recv(from_inner) -> () => false, closed => true };
        assert!(closed);
        dropping.join().unwrap();
    });
}

#[test]
fn calls_and_messages() {
    in_time(|| {
        let (caller, calls) = entry::<u32, u32>();
        let (tx, rx) = channel();
        let calling = thread::spawn(move || caller.call(20));
        let sending = thread::spawn(move || tx.send(1));
        let mut received = 0;
        loop {
            insyn::select! {
                accept(calls) -> mut call if received > 0 => {
                    let called = call.take().unwrap();
                    call.reply(called + received);
                },
                recv(rx) -> n => received = n,
                closed => break,
            }
        }
        assert_eq!(calling.join().unwrap(), Ok(21));
        assert!(sending.join().unwrap().is_ok());
    });
}

/// Like a port made outside: a message that is there can be received, but it cannot wait for a real thread.
#[test]
fn inside_a_program_a_real_channel_must_not_wait() {
    let pair = Arc::new(Mutex::new(channel()));
    let found = insyn::explore(move || {
        let pair = pair.lock().unwrap_or_else(PoisonError::into_inner);
        let (tx, rx) = &*pair;
        tx.send(1).unwrap();
        assert_eq!(insyn::select! { recv(rx) -> n => n }, 1);
        insyn::select! { recv(rx) -> n => n }
    });
    let message = &only_failure(&found).message;
    assert!(message.contains("made outside the program under test would have to wait inside it"), "{found}");
}
