//! A server with a selective wait and a fault (listing 7.7 of the textbook): its guard lets one deposit too many in.

insyn::instrumented! {

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
    let mut items = vec![0; slots];
    let (mut full, mut next_in, mut next_out) = (0, 0, 0);
    loop {
        insyn::select! {
            // The fault: `full < slots` would be right.
            accept(deposits) -> mut call if full <= slots => {
                items[next_in] = call.take().expect("a call has a request");
                next_in = (next_in + 1) % slots;
                full += 1;
                call.reply(());
            },
            accept(withdrawals) -> call if full > 0 => {
                call.reply(items[next_out]);
                next_out = (next_out + 1) % slots;
                full -= 1;
            },
            closed => return,
        }
    }
}

}
