//! Programs that only insyn is measured with: one that polls, and two that are long.

use insyn::std::sync::{Arc, Mutex, mpsc};
use insyn::std::thread;

/// Threads of [`polling`] that send.
const SENDERS: usize = 2;
/// Messages of each of them.
const MESSAGES: usize = 2;
/// How often [`polling`] polls.
const POLLS: usize = 11;
/// The sequences of [`polling`]. Four messages, two from each sender, arrive in 6 orders. Up to three of the polls find a
/// message: 1 + 11 + 55 + 165 ways. Or four do: then the polls after the fourth find the channel empty until, from some poll
/// on, they find it disconnected, which makes 792 ways.
pub(crate) const POLLING_SEQUENCES: u64 = 6 * (1 + 11 + 55 + 165 + 792);

/// Threads send on one channel; main polls it, and then waits for the messages that it has not found.
pub(crate) fn polling() {
    let (sender, receiver) = mpsc::channel();
    for _ in 0..SENDERS {
        let sender = sender.clone();
        thread::spawn(move || (0..MESSAGES).for_each(|i| sender.send(i).unwrap()));
    }
    drop(sender);
    let found = (0..POLLS).filter(|_| receiver.try_recv().is_ok()).count();
    for _ in found..SENDERS * MESSAGES {
        receiver.recv().unwrap();
    }
}

/// Messages of the producer of [`long_channel`].
const LONG_MESSAGES: usize = 1_000;
/// Threads of [`long_channel`] that send one message each on the same channel.
const COMPETITORS: usize = 3;

/// A producer sends many messages to main on one channel; a few other threads send one message each beside it.
pub(crate) fn long_channel() {
    let (sender, receiver) = mpsc::channel();
    for _ in 0..COMPETITORS {
        let sender = sender.clone();
        thread::spawn(move || sender.send(0).unwrap());
    }
    thread::spawn(move || (0..LONG_MESSAGES).for_each(|i| sender.send(i).unwrap()));
    let sum: usize = (0..LONG_MESSAGES + COMPETITORS).map(|_| receiver.recv().unwrap()).sum();
    assert_eq!(sum, LONG_MESSAGES * (LONG_MESSAGES - 1) / 2);
}

/// How often each thread of [`long_lock`] takes the lock.
const LONG_LOCKS: usize = 1_000;

/// Two threads take one lock many times each.
pub(crate) fn long_lock() {
    let lock = Arc::new(Mutex::new(0));
    let threads = [(); 2].map(|()| {
        let lock = Arc::clone(&lock);
        thread::spawn(move || (0..LONG_LOCKS).for_each(|_| *lock.lock().unwrap() += 1))
    });
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(*lock.lock().unwrap(), 2 * LONG_LOCKS);
}
