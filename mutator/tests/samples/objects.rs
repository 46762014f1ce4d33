//! Channels, locks, conditions, semaphores, threads and selects, in one thread.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use insyn::say;
use insyn::sync::mpsc::{self, SyncSender};
use insyn::sync::{Condvar, Mutex, Semaphore};
use insyn::thread;

#[insyn::instrument]
mod program {
    use super::*;

    pub fn run() {
        channels();
        say(receive());
        selects();
        locks();
        say(sections(&Mutex::new("m", vec![1, 2, 3])));
        conditions();
        semaphores();
        threads();
        say(atomics());
        timeouts();
        temporaries();
    }

    fn channels() {
        let (tx, rx) = mpsc::sync_channel(3);
        let (other, others) = mpsc::sync_channel(2);
        tx.send(1).unwrap();
        other.send(2).unwrap();
        let _ = tx.send(3);
        if tx.send(4).is_err() {
            say("closed");
        }
        let second: SyncSender<u32> = tx.clone();
        drop(tx);
        second.send(rx.recv().unwrap()).unwrap();
        drop(second);
        while let Ok(n) = rx.try_recv() {
            say(n);
        }
        say(others.recv());
        say("end of channels");
    }

    fn receive() -> u32 {
        let (tx, rx) = mpsc::sync_channel(4);
        for n in 0..3 {
            tx.send(n).unwrap();
        }
        let first = rx.recv().unwrap();
        let second = match rx.recv() {
            Ok(n) => n,
            Err(_) => 0,
        };
        first * 10 + second
    }

    fn selects() {
        let (deposit, deposits) = mpsc::sync_channel(4);
        let (withdraw, withdrawals) = mpsc::sync_channel(4);
        for n in 0..3 {
            deposit.send(n).unwrap();
            withdraw.send(n).unwrap();
        }
        let mut full = 0;
        let mut taken = 0;
        loop {
            // insyn: skip all: the program must end
            insyn::fuel();
            insyn::select! {
                recv(deposits) -> item if full < 2 => {
                    say(("deposit", item));
                    full += 1;
                }
                recv(withdrawals) -> item if full > 0 => {
                    say(("withdraw", item));
                    full -= 1;
                    taken += 1;
                },
                recv(deposits) -> item => say(item),
                closed => break,
            }
        }
        say((full, taken));
    }

    fn locks() {
        let (a, b) = (Mutex::new("a", 1), Mutex::new("b", 2));
        let before = 5;
        let mut first = a.lock().unwrap();
        let second = b.lock().unwrap();
        say(before);
        *first += *second;
        say(*first);
        drop(second);
        say("between");
        *first += 1;
        drop(first);
        say(*a.lock().unwrap() + *b.lock().unwrap());
    }

    fn sections(list: &Mutex<Vec<u32>>) -> usize {
        say("outside");
        let mut guard = list.lock().unwrap();
        say("inside");
        guard.push(4);
        let n = guard.len();
        say(n);
        guard.retain(|item| *item > 1);
        say("not used any more");
        n
    }

    fn conditions() {
        let (state, changed) = (Mutex::new("state", 0), Condvar("changed"));
        let mut guard = state.lock().unwrap();
        while *guard < 2 {
            // insyn: skip all: the program must end
            insyn::fuel();
            guard = changed.wait(guard).unwrap();
            *guard += 1;
        }
        let guard = changed.wait_while(guard, |state| *state < 3).unwrap();
        say(*guard);
        changed.notify_one();
        say("notified");
        changed.notify_all()
    }

    fn semaphores() {
        let slots = Semaphore::new(2);
        let items = Semaphore::new(1);
        slots.acquire();
        items.acquire();
        say("both");
        slots.release();
        items.release();
    }

    fn threads() {
        let (n, m) = (3, 4);
        let first = thread::spawn(move || n + 1);
        let second = thread::spawn(move || {
            say(m);
            m * 2
        });
        thread::spawn(|| say("alone"));
        let a = first.join().unwrap();
        let b = second.join().unwrap();
        let third = thread::spawn(|| say("third"));
        let fourth = thread::spawn(|| say("fourth"));
        third.join().unwrap();
        fourth.join().unwrap();
        say(a + b);
    }

    fn atomics() -> u32 {
        let n = AtomicU32::new(1);
        say(n.fetch_add(2, Ordering::SeqCst));
        let _ = n.compare_exchange(3, 9, Ordering::SeqCst, Ordering::Relaxed);
        let old = n.swap(5, Ordering::AcqRel);
        std::sync::atomic::fence(Ordering::SeqCst);
        n.store(old + 1, Ordering::Release);
        n.load(Ordering::Acquire)
    }

    fn timeouts() {
        let (tx, rx) = mpsc::sync_channel(1);
        tx.send(1u8).unwrap();
        say(rx.recv_timeout(Duration::from_millis(5)));
        say(rx.recv_timeout(Duration::from_millis(6)).is_err());
    }

    /// The lock is held as long as the temporary guard lives, which a switch must not change.
    fn temporaries() {
        let list = Mutex::new("list", vec![3, 4]);
        match list.lock().unwrap().pop() {
            Some(n) if n > 1 => say(n + 1),
            _ => say("nothing"),
        }
        say(list.lock().unwrap().len() + 1);
        let n = list.lock().unwrap().len() + 2;
        if list.lock().unwrap().len() < n {
            say("short");
        }
        for item in list.lock().unwrap().iter() {
            say(item + 1);
        }
        again();
    }

    /// A lock that is taken again is dropped before what was declared in the meantime, and so are the locks among that.
    fn again() {
        let list = Mutex::new("again", vec![1]);
        let other = Mutex::new("other", vec![5, 6]);
        let mut guard = list.lock().unwrap();
        guard.push(2);
        let sum = guard.len() + 1;
        guard.push(sum);
        let between = other.lock().unwrap();
        guard.push(between.len());
        say(guard.len());
    }
}

pub use program::run;
