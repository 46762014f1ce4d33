//! A server with a selective wait: it accepts whoever may come in.

insyn::instrumented! {

use std::thread::{self, JoinHandle};

use insyn::sync::{Caller, Entry, entry};

use crate::{Access, Preference};

/// The way to the server, which is a thread of its own.
#[derive(Debug)]
pub struct Server {
    start_read: Caller<(), ()>,
    end_read: Caller<(), ()>,
    start_write: Caller<(), ()>,
    end_write: Caller<(), ()>,
    thread: JoinHandle<()>,
}

impl Server {
    /// Starts the server.
    pub fn start(preference: Preference) -> Self {
        let (start_read, start_reads) = entry();
        let (end_read, end_reads) = entry();
        let (start_write, start_writes) = entry();
        let (end_write, end_writes) = entry();
        let entries = Entries { start_reads, end_reads, start_writes, end_writes };
        let thread = thread::spawn(move || entries.serve(preference));
        Server { start_read, end_read, start_write, end_write, thread }
    }

    /// Closes the entries and waits until the server has ended.
    ///
    /// # Panics
    /// If the server has.
    pub fn stop(self) {
        drop((self.start_read, self.end_read, self.start_write, self.end_write));
        self.thread.join().expect("the server ends when nobody can call it any more");
    }
}

/// Why calls do not fail.
const STAYS: &str = "the server stays while it can be called";

impl Access for Server {
    fn start_read(&self) {
        self.start_read.call(()).expect(STAYS);
    }

    fn end_read(&self) {
        self.end_read.call(()).expect(STAYS);
    }

    fn start_write(&self) {
        self.start_write.call(()).expect(STAYS);
    }

    fn end_write(&self) {
        self.end_write.call(()).expect(STAYS);
    }
}

/// Where calls arrive.
struct Entries {
    start_reads: Entry<(), ()>,
    end_reads: Entry<(), ()>,
    start_writes: Entry<(), ()>,
    end_writes: Entry<(), ()>,
}

impl Entries {
    fn serve(&self, preference: Preference) {
        let (mut readers, mut writing) = (0_u32, false);
        loop {
            // Who is preferred is looked for first.
            if preference == Preference::Readers && !writing {
                if accept_now(&self.start_reads) {
                    insyn::label!("enter_read");
                    readers += 1;
                } else {
                    insyn::label!("no_reader");
                }
            }
            if preference == Preference::Writers && readers == 0 && !writing {
                if accept_now(&self.start_writes) {
                    insyn::label!("enter_write");
                    writing = true;
                } else {
                    insyn::label!("no_writer");
                }
            }
            insyn::select! {
                accept(self.start_reads) -> call if !writing => {
                    insyn::label!("enter_read");
                    readers += 1;
                    call.reply(());
                },
                accept(self.end_reads) -> call => {
                    insyn::label!("leave_read");
                    readers -= 1;
                    call.reply(());
                },
                accept(self.start_writes) -> call if readers == 0 && !writing => {
                    insyn::label!("enter_write");
                    writing = true;
                    call.reply(());
                },
                accept(self.end_writes) -> call => {
                    insyn::label!("leave_write");
                    writing = false;
                    call.reply(());
                },
                closed => return,
            }
        }
    }
}

/// Accepts a call if one is there, and says whether.
fn accept_now(entry: &Entry<(), ()>) -> bool {
    insyn::select! {
        accept(entry) -> call => {
            call.reply(());
            true
        },
        default => false,
        closed => false,
    }
}

}
