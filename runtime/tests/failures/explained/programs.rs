//! Programs that fail, each for one reason.

use insyn::sync::{Call, entry};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

/// Two threads take two locks in opposite orders.
pub(crate) fn opposite_locks() {
    let (a, b) = (Arc::new(Mutex::new(0)), Arc::new(Mutex::new(0)));
    let (a2, b2) = (a.clone(), b.clone());
    let t = thread::spawn(move || {
        let from = a2.lock().unwrap();
        let to = b2.lock().unwrap();
        drop((from, to));
    });
    let from = b.lock().unwrap();
    let to = a.lock().unwrap();
    drop((from, to));
    t.join().unwrap();
}

/// Three philosophers take the fork at their left first.
pub(crate) fn philosophers() {
    let forks: Vec<Arc<Mutex<()>>> = (0..3).map(|_| Arc::default()).collect();
    let sit = |n: usize| {
        let (left, right) = (forks[n].clone(), forks[(n + 1) % 3].clone());
        thread::spawn(move || {
            let left = left.lock().unwrap();
            let right = right.lock().unwrap();
            drop((left, right));
        })
    };
    let seated: Vec<_> = (0..3).map(sit).collect();
    seated.into_iter().for_each(|it| it.join().unwrap());
}

/// A consumer takes until its channel is closed, and the thread that joins it keeps a sender.
pub(crate) fn kept_sender() {
    let (tx, rx) = channel();
    let producer = thread::spawn({
        let tx = tx.clone();
        move || tx.send(1).unwrap()
    });
    let consumer = thread::spawn(move || rx.iter().sum::<u32>());
    producer.join().unwrap();
    assert_eq!(consumer.join().unwrap(), 1);
    drop(tx);
}

/// A server keeps the calls that it means to answer later.
pub(crate) fn forgotten_reply() {
    let (ask, asked) = entry::<u32, u32>();
    let server = thread::spawn(move || {
        let mut later: Vec<Call<u32, u32>> = Vec::new();
        while let Ok(call) = asked.accept() {
            later.push(call);
        }
    });
    assert_eq!(ask.call(1), Ok(1));
    drop(ask);
    server.join().unwrap();
}

/// A thread waits without looking whether what it waits for has happened.
pub(crate) fn missed_wakeup() {
    let pair = Arc::new((Mutex::new(false), Condvar::new()));
    let other = pair.clone();
    let setter = thread::spawn(move || {
        *other.0.lock().unwrap() = true;
        other.1.notify_one();
    });
    let ready = pair.0.lock().unwrap();
    drop(pair.1.wait(ready).unwrap());
    setter.join().unwrap();
}

/// A counter is read and written by two threads.
pub(crate) fn lost_update() {
    let count = Arc::new(AtomicU32::new(0));
    let add = |count: Arc<AtomicU32>| {
        thread::spawn(move || {
            let seen = count.load(Ordering::SeqCst);
            count.store(seen + 1, Ordering::SeqCst);
        })
    };
    let threads = [add(count.clone()), add(count.clone())];
    threads.into_iter().for_each(|it| it.join().unwrap());
    assert_eq!(count.load(Ordering::SeqCst), 2);
}

/// The same with a lock that is released between.
pub(crate) fn not_atomic() {
    let count = Arc::new(Mutex::new(0));
    let add = |count: Arc<Mutex<u32>>| {
        thread::spawn(move || {
            let seen = *count.lock().unwrap();
            *count.lock().unwrap() = seen + 1;
        })
    };
    let threads = [add(count.clone()), add(count.clone())];
    threads.into_iter().for_each(|it| it.join().unwrap());
    assert_eq!(*count.lock().unwrap(), 2);
}

/// The sender may be gone before it has sent anything.
pub(crate) fn dropped_sender() {
    let (tx, rx) = channel();
    let (stop, stopped) = channel();
    let worker = thread::spawn(move || {
        if stopped.try_recv().is_err() {
            tx.send(1).unwrap();
        }
    });
    let _ = stop.send(());
    assert_eq!(rx.recv().unwrap(), 1);
    worker.join().unwrap();
}

/// Two workers take one message each; but one of them may take both.
pub(crate) fn double_receive() {
    let (tx, rx) = crossbeam_channel::unbounded();
    let work = |rx: crossbeam_channel::Receiver<u32>, most: usize| {
        thread::spawn(move || (0..most).map_while(|_| rx.recv().ok()).count())
    };
    let workers = [work(rx.clone(), 2), work(rx, 1)];
    tx.send(1).unwrap();
    tx.send(2).unwrap();
    let [greedy, modest] = workers;
    modest.join().unwrap();
    drop(tx);
    greedy.join().unwrap();
}

/// Names that act on terminals, and have no end.
pub(crate) fn hostile_names() {
    let name = format!("{}\u{202e}\u{1b}[31m鎖", "x".repeat(10_000));
    let lock = Arc::new(Mutex::new(()));
    let held = lock.lock().unwrap();
    let other = lock.clone();
    let waits = thread::Builder::new().name(name).spawn(move || drop(other.lock())).unwrap();
    waits.join().unwrap();
    drop(held);
}

/// A thread that polls many times before it waits.
pub(crate) fn repeats() {
    let (tx, rx) = channel::<()>();
    let (ticks, ticked) = channel();
    let ticker = thread::spawn(move || (0..20).for_each(|n| ticks.send(n).unwrap()));
    ticker.join().unwrap();
    ticked.iter().for_each(drop);
    tx.send(()).unwrap();
    rx.iter().for_each(drop);
    drop(tx);
}
