//! The floor: what fan-in costs when nothing is done but the switches.
//!
//! A loop over bare coroutines that knows the program and its orders beforehand. For each permutation it makes a
//! coroutine for the receiver and one for each sender, on stacks that are kept; every send and every receive is a
//! switch to the loop and back; the messages are handed over in the order of the permutation, and what the receiver
//! saw is compared with it. No events, no clocks, no races, and no allocation once it is warm: an explorer that runs
//! its threads as coroutines cannot be faster than this.

use corosensei::stack::DefaultStack;
use corosensei::{Coroutine, CoroutineResult, Yielder};
use insyn_peers::outcome::Outcome;
use std::time::Instant;

/// Enough for a sender or receiver; the same pages are used again and again.
const STACK_BYTES: usize = 16 * 1024;

/// What a coroutine asks of the loop.
enum Operation {
    /// Take this message over, and let me go on.
    Send(u32),
    /// Let me go on with a message.
    Receive,
}

/// A thread: it is resumed with a message, if it asked for one, and returns the order of those it received.
type Thread = Coroutine<u32, Operation, u64>;

/// The receiver is made first, as the main thread is.
const RECEIVER: usize = 0;

/// Fan-in of some senders. Everything in it is kept from run to run for its memory only.
pub(crate) struct Floor {
    stacks: Vec<DefaultStack>,
    threads: Vec<Thread>,
    ready: Vec<usize>,
    mailbox: Vec<u32>,
    order: Vec<usize>,
}

impl Floor {
    /// Makes the stacks for fan-in of `n`.
    pub(crate) fn new(n: usize) -> std::io::Result<Self> {
        Ok(Floor {
            stacks: (0..=n).map(|_| DefaultStack::new(STACK_BYTES)).collect::<Result<_, _>>()?,
            threads: Vec::with_capacity(n + 1),
            ready: Vec::with_capacity(n + 1),
            mailbox: vec![0; n],
            order: (0..n).collect(),
        })
    }

    /// Runs every order once.
    pub(crate) fn explore(&mut self) -> Outcome {
        let start = Instant::now();
        self.order.sort_unstable();
        let mut runs = 0;
        let mut last = None;
        loop {
            let seen = self.run();
            assert_eq!(seen, self.order.iter().fold(0, |seen, &i| append(seen, i as u32)), "another order");
            // Orders come in lexicographic order, so each is larger than the last: none comes twice.
            assert!(last < Some(seen), "an order came twice");
            last = Some(seen);
            runs += 1;
            if !next_permutation(&mut self.order) {
                return Outcome::Finished { runs, time: start.elapsed() };
            }
        }
    }

    /// One execution: whoever can run does, and when only the receiver is left it gets the messages in the order
    /// that is set.
    fn run(&mut self) -> u64 {
        let Floor { stacks, threads, ready, mailbox, order } = self;
        let n = order.len();
        let mut stack = || stacks.pop().expect("there is a stack for every thread");
        threads.push(Thread::with_stack(stack(), move |yielder: &Yielder<u32, Operation>, _| {
            let mut seen = 0;
            for _ in 0..n {
                seen = append(seen, yielder.suspend(Operation::Receive));
            }
            seen
        }));
        for i in 0..n {
            threads.push(Thread::with_stack(stack(), move |yielder: &Yielder<u32, Operation>, _| {
                yielder.suspend(Operation::Send(i as u32));
                0
            }));
        }

        ready.extend((0..=n).rev());
        while let Some(thread) = ready.pop() {
            match threads[thread].resume(0) {
                CoroutineResult::Yield(Operation::Send(message)) => {
                    mailbox[thread - 1] = message;
                    ready.push(thread);
                }
                // The receiver waits for its first message; a sender has ended.
                CoroutineResult::Yield(Operation::Receive) | CoroutineResult::Return(_) => {}
            }
        }
        let receiver = &mut threads[RECEIVER];
        let mut seen = 0;
        for &sender in &*order {
            if let CoroutineResult::Return(all) = receiver.resume(mailbox[sender]) {
                seen = all;
            }
        }
        // A stack can only be had back from a thread that has ended, or this panics.
        for thread in threads.drain(..) {
            stacks.push(thread.into_stack());
        }
        seen
    }
}

/// The order so far, and one more message.
fn append(seen: u64, message: u32) -> u64 {
    seen << 4 | u64::from(message)
}

/// The next order in lexicographic order; false after the last.
fn next_permutation(order: &mut [usize]) -> bool {
    let Some(pivot) = order.windows(2).rposition(|pair| pair[0] < pair[1]) else { return false };
    let successor = order.iter().rposition(|&i| i > order[pivot]).expect("the one after the pivot is larger");
    order.swap(pivot, successor);
    order[pivot + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_is_run_each_time() {
        let mut floor = Floor::new(4).unwrap();
        for _ in 0..2 {
            assert!(matches!(floor.explore(), Outcome::Finished { runs: 24, .. }));
        }
    }
}
