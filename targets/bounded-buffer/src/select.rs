//! A server with a selective wait: it accepts a deposit while there is room, and a withdrawal while there is an item.

insyn::instrumented! {

use std::collections::VecDeque;
use std::thread::{self, JoinHandle};

use insyn::sync::{Caller, Entry, entry};

use crate::Buffer;

/// The way to the server, which is a thread of its own.
#[derive(Debug)]
pub struct Server {
    deposit: Caller<u32, ()>,
    withdraw: Caller<(), u32>,
    thread: JoinHandle<()>,
}

impl Server {
    /// Starts the server of a buffer with so many slots.
    pub fn start(slots: usize) -> Self {
        let (deposit, deposits) = entry();
        let (withdraw, withdrawals) = entry();
        let thread = thread::spawn(move || serve(slots, &deposits, &withdrawals));
        Server { deposit, withdraw, thread }
    }

    /// Closes the entries and waits until the server has ended.
    ///
    /// # Panics
    /// If the server has.
    pub fn stop(self) {
        drop((self.deposit, self.withdraw));
        self.thread.join().expect("the server ends when nobody can call it any more");
    }
}

impl Buffer for Server {
    fn deposit(&self, item: u32) {
        self.deposit.call(item).expect("the server stays while it can be called");
    }

    fn withdraw(&self) -> u32 {
        self.withdraw.call(()).expect("the server stays while it can be called")
    }
}

fn serve(slots: usize, deposits: &Entry<u32, ()>, withdrawals: &Entry<(), u32>) {
    let mut items = VecDeque::with_capacity(slots);
    loop {
        insyn::select! {
            accept(deposits) -> mut call if items.len() < slots => {
                items.extend(call.take());
                call.reply(());
            },
            accept(withdrawals) -> call if !items.is_empty() => {
                call.reply(items.pop_front().expect("the guard says so"));
            },
            closed => return,
        }
    }
}

}
