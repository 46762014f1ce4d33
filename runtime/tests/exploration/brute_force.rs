//! Explorations count the same sequences as running a program under every order of its threads' steps, even if orders that
//! lead to the same state are followed only once; and sampling gets there too.

use insyn::Explorer;
use insyn::std::sync::{Arc, Condvar, Mutex, RwLock, mpsc};
use insyn::std::thread;
use insyn::std::time::Duration;

/// Time is virtual: how long it is does not matter.
const SOON: Duration = Duration::from_millis(1);

#[track_caller]
fn confirm<R: serde::Serialize + 'static>(
    expected: u64,
    program: impl Fn() -> R + Send + Sync + Copy + 'static,
) {
    let exploration = Explorer::new().workers(1).explore(program);
    assert_eq!(exploration.sequences, expected);
    let every = Explorer::new().every_order(1_000_000, program).expect("it is small");
    assert_eq!(every.sequences, expected, "in {} executions", every.executions);
    assert!(every.executions > exploration.executions);
    let brute = Explorer::new().brute_force(1_000_000, program).expect("it is small");
    assert_eq!(brute.sequences, expected, "in {} executions, not all to the end", brute.executions);
    assert!(brute.executions < every.executions, "{} of {}", brute.executions, every.executions);
    let sample = Explorer::new().sample(3_000, program);
    assert_eq!(sample.sequences, expected, "in {} random executions", sample.executions);
}

#[test]
fn messages() {
    confirm(2, || {
        let (tx, rx) = mpsc::channel();
        for id in 0..2 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(id).is_ok());
        }
        rx.iter().take(2).collect::<Vec<_>>()
    });
}

#[test]
fn a_send_against_a_receive_that_does_not_wait() {
    confirm(5, || {
        let (tx, rx) = mpsc::channel();
        thread::spawn(move || tx.send(1).is_ok());
        (rx.try_recv().is_ok(), rx.try_recv().is_ok())
    });
}

#[test]
fn a_bounded_channel() {
    confirm(3, || {
        let (tx, rx) = mpsc::sync_channel(1);
        thread::spawn(move || (0..2).all(|n| tx.send(n).is_ok()));
        (rx.recv().ok(), rx.try_recv().ok())
    });
}

#[test]
fn locks_that_deadlock() {
    confirm(3, || {
        let (a, b) = (Arc::new(Mutex::new(())), Arc::new(Mutex::new(())));
        let (c, d) = (a.clone(), b.clone());
        thread::spawn(move || {
            let _first = c.lock();
            let _second = d.lock();
        });
        let _first = b.lock();
        let _second = a.lock();
    });
}

/// Two readers, each of which reads twice, and a writer. If a waiting writer keeps no reader out, the writer fits in wherever
/// nobody reads: summed over the 70 orders of the readers these are 238 places, or 142 if each reads for the second time
/// before it is done with the first.
#[test]
fn readers_that_read_twice_against_a_writer() {
    let reads: [fn(&RwLock<u32>) -> u32; 2] = [
        |lock| {
            let first = *lock.read().unwrap();
            first + *lock.read().unwrap()
        },
        |lock| *lock.read().unwrap() + *lock.read().unwrap(),
    ];
    for (read, expected) in reads.into_iter().zip([[238, 326], [142, 178]]) {
        let program = move || {
            let lock = Arc::new(RwLock::new(0));
            let theirs = [lock.clone(), lock.clone()];
            let readers = theirs.map(|lock| thread::spawn(move || read(&lock)));
            *lock.write().unwrap() = 1;
            readers.map(|it| it.join().unwrap())
        };
        for (blocks, expected) in [false, true].into_iter().zip(expected) {
            let explorer = Explorer::new().workers(1).waiting_writers_block(blocks);
            assert_eq!(explorer.explore(program).sequences, expected, "{blocks}");
            // An object completes a call as soon as it can, so brute force misses the orders in which a reader that was found
            // waiting behind the writer lets the other read before it.
            if !blocks {
                let brute = explorer.brute_force(1_000_000, program).expect("it is small");
                assert_eq!(brute.sequences, expected);
            }
        }
    }
}

#[test]
fn a_condition() {
    confirm(2, || {
        let pair = Arc::new((Mutex::new(false), Condvar::new()));
        let other = pair.clone();
        let setter = thread::spawn(move || {
            *other.0.lock().unwrap() = true;
            other.1.notify_one();
        });
        let mut ready = pair.0.lock().unwrap();
        while !*ready {
            ready = pair.1.wait(ready).unwrap();
        }
        drop(ready);
        setter.join().unwrap();
    });
}

/// A timeout may fire while others could still move.
#[test]
fn a_receive_that_gives_up_before_the_receiver_is_dropped() {
    confirm(3, || {
        let (tx, rx) = mpsc::channel();
        let sender = thread::spawn(move || tx.send(1).is_ok());
        let received = rx.recv_timeout(SOON).is_ok();
        drop(rx);
        (received, sender.join().unwrap())
    });
}

#[test]
fn a_receive_that_gives_up_twice() {
    confirm(5, || {
        let (tx, rx) = mpsc::channel();
        thread::spawn(move || tx.send(1).is_ok());
        (rx.recv_timeout(SOON).is_ok(), rx.recv_timeout(SOON).is_ok())
    });
}

#[test]
fn a_take_that_gives_up() {
    confirm(3, || {
        let (tx, rx) = mpsc::sync_channel(1);
        thread::spawn(move || tx.send(1).is_ok());
        let received = rx.recv_timeout(SOON).is_ok();
        drop(rx);
        received
    });
}

#[test]
fn a_wait_that_gives_up() {
    confirm(4, || {
        let pair = Arc::new((Mutex::new(false), Condvar::new()));
        let other = pair.clone();
        thread::spawn(move || {
            *other.0.lock().unwrap() = true;
            other.1.notify_one();
        });
        let ready = pair.0.lock().unwrap();
        let (ready, _) = pair.1.wait_timeout_while(ready, SOON, |ready| !*ready).unwrap();
        *ready
    });
}

#[test]
fn a_park_that_gives_up() {
    confirm(2, || {
        let parent = thread::current();
        let child = thread::spawn(move || parent.unpark());
        thread::park_timeout(SOON);
        child.join().unwrap();
    });
}

#[cfg(feature = "crossbeam-channel")]
#[test]
fn a_select_that_gives_up() {
    use insyn::crossbeam_channel::{after, bounded, never, select, unbounded};
    confirm(4, || {
        let (tx, rx) = bounded(1);
        let late = after(SOON);
        let sender = thread::spawn(move || tx.send(1).is_ok());
        let received = select! {
            recv(rx) -> message => message.is_ok(),
            recv(late) -> _ => false,
        };
        drop(rx);
        (received, sender.join().unwrap())
    });
    confirm(2, || {
        let (tx, rx) = unbounded();
        let sender = thread::spawn(move || tx.send(1).is_ok());
        let received = select! {
            recv(rx) -> message => message.is_ok(),
            recv(never::<i32>()) -> _ => unreachable!(),
            default(SOON) => false,
        };
        sender.join().unwrap();
        received
    });
}

#[test]
fn too_many_orders_are_refused() {
    let program = || {
        let threads: Vec<_> = (0..4).map(|_| thread::spawn(thread::yield_now)).collect();
        threads.into_iter().for_each(|t| t.join().unwrap());
    };
    assert_eq!(Explorer::new().brute_force(10, program), None);
    assert_eq!(Explorer::new().every_order(1_000, program), None);
}

/// A token goes around between threads.
fn ring<S: Send + 'static, R: Send + 'static>(
    (threads, rounds): (usize, u32),
    channel: fn() -> (S, R),
    send: fn(&S, u32) -> bool,
    receive: fn(&R) -> Option<u32>,
) -> u32 {
    let (mut senders, mut receivers): (Vec<S>, Vec<R>) = (0..threads).map(|_| channel()).unzip();
    senders.rotate_left(1);
    let (first, own) = (senders.remove(0), receivers.remove(0));
    let mut others = Vec::new();
    for (next, mine) in senders.into_iter().zip(receivers) {
        others
            .push(thread::spawn(move || while receive(&mine).is_some_and(|token| send(&next, token + 1)) {}));
    }
    let mut token = 0;
    for _ in 0..rounds {
        assert!(send(&first, token), "the next is there");
        token = receive(&own).expect("it comes back");
    }
    drop(first);
    others.into_iter().for_each(|other| other.join().unwrap());
    token
}

/// More than twenty thousand orders of a token ring are followed one after the other, and end.
#[test]
fn token_rings_end() {
    let unbounded = || {
        let send = |to: &mpsc::Sender<u32>, token| to.send(token).is_ok();
        ring((7, 4), mpsc::channel, send, |from| from.recv().ok())
    };
    let send = |to: &mpsc::SyncSender<u32>, token| to.send(token).is_ok();
    let bounded = move || ring((7, 4), || mpsc::sync_channel(1), send, |from| from.recv().ok());
    let rendezvous = move || ring((6, 3), || mpsc::sync_channel(0), send, |from| from.recv().ok());
    let explorer = Explorer::new();
    let rings = [
        ("unbounded", explorer.brute_force(100_000, unbounded)),
        ("bounded", explorer.brute_force(100_000, bounded)),
        ("rendezvous", explorer.brute_force(100_000, rendezvous)),
    ];
    for (name, orders) in rings {
        let all = orders.expect("not that many");
        assert!(all.sequences == 1 && all.executions > 20_000, "{name}: {all:?}");
    }
}
