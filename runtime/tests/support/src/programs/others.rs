//! Programs that belong to no family: locks taken several times, many senders to one receiver.

use insyn::std::sync::{Arc, Mutex, mpsc};
use insyn::std::thread::{self, JoinHandle};

use super::join_all;

/// Prod_Cons: A and B lock twice, C four times; returns what the lock protects.
pub fn prod_cons() -> impl Fn() -> u32 + Send + Sync + 'static {
    taking_turns([2, 2, 4])
}

/// Threads that take one lock this many times each; returns what the lock protects.
pub fn taking_turns<const N: usize>(times: [usize; N]) -> impl Fn() -> u32 + Send + Sync + 'static {
    move || {
        let count = Arc::new(Mutex::new(0));
        let threads: Vec<JoinHandle<()>> = times
            .into_iter()
            .map(|times| {
                let count = count.clone();
                thread::spawn(move || (0..times).for_each(|_| *count.lock().unwrap() += 1))
            })
            .collect();
        join_all(threads);
        *count.lock().unwrap()
    }
}

/// This many senders of one message each; returns the order in which the messages arrived.
pub fn fan_in(senders: usize) -> impl Fn() -> Vec<usize> + Send + Sync + 'static {
    move || {
        let (tx, rx) = mpsc::channel();
        for sender in 0..senders {
            let tx = tx.clone();
            thread::spawn(move || tx.send(sender).expect("the receiver stays"));
        }
        drop(tx);
        rx.iter().collect()
    }
}
