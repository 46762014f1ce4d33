//! Semaphores that pass the baton, as Andrews has it.
//!
//! Of the three semaphores at most one is 1 at any time. Whoever takes it has the baton, and with it the counts, until
//! passing it on: to a reader that waits, to a writer that waits, or to whoever comes next. Labels are set by who has it, so
//! that they have one order.

insyn::instrumented! {

// The baton protects the counts: their mutex is never waited for, and no part of a sequence.
#[insyn::instrument(skip)]
use std::sync::{Mutex, PoisonError};

use insyn::sync::Semaphore;

use crate::{Access, Preference};

/// Three binary semaphores and what they protect.
#[derive(Debug)]
pub struct Semaphores {
    preference: Preference,
    entry: Semaphore,
    read: Semaphore,
    write: Semaphore,
    counts: Mutex<Counts>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    readers: u32,
    writers: u32,
    delayed_readers: u32,
    delayed_writers: u32,
}

impl Semaphores {
    /// Nobody is there yet.
    pub fn new(preference: Preference) -> Self {
        Semaphores {
            preference,
            entry: Semaphore::binary(1),
            read: Semaphore::binary(0),
            write: Semaphore::binary(0),
            counts: Mutex::default(),
        }
    }

    /// Looks at the counts and changes them; only who has the baton may.
    fn with<R>(&self, change: impl FnOnce(&mut Counts) -> R) -> R {
        change(&mut self.counts.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Passes the baton to a delayed reader if there is one.
    fn to_reader(&self, counts: &mut Counts) -> Option<&Semaphore> {
        counts.delayed_readers = counts.delayed_readers.checked_sub(1)?;
        Some(&self.read)
    }

    /// Passes the baton to a delayed writer if there is one.
    fn to_writer(&self, counts: &mut Counts) -> Option<&Semaphore> {
        counts.delayed_writers = counts.delayed_writers.checked_sub(1)?;
        Some(&self.write)
    }
}

impl Access for Semaphores {
    fn start_read(&self) {
        self.entry.acquire();
        let must_wait = self.with(|counts| {
            let defers = self.preference.defers_to_waiting_writers();
            let must_wait = counts.writers > 0 || (defers && counts.delayed_writers > 0);
            counts.delayed_readers += u32::from(must_wait);
            must_wait
        });
        if must_wait {
            insyn::label!("wait_read");
            self.entry.release();
            self.read.acquire();
        }
        insyn::label!("enter_read");
        let next = self.with(|counts| {
            counts.readers += 1;
            // One reader that was let in lets in the next.
            self.to_reader(counts).unwrap_or(&self.entry)
        });
        next.release();
    }

    fn end_read(&self) {
        self.entry.acquire();
        insyn::label!("leave_read");
        let next = self.with(|counts| {
            counts.readers -= 1;
            let writer = if counts.readers == 0 { self.to_writer(counts) } else { None };
            writer.unwrap_or(&self.entry)
        });
        next.release();
    }

    fn start_write(&self) {
        self.entry.acquire();
        let must_wait = self.with(|counts| {
            let must_wait = counts.readers > 0 || counts.writers > 0;
            counts.delayed_writers += u32::from(must_wait);
            must_wait
        });
        if must_wait {
            insyn::label!("wait_write");
            self.entry.release();
            self.write.acquire();
        }
        insyn::label!("enter_write");
        self.with(|counts| counts.writers += 1);
        self.entry.release();
    }

    fn end_write(&self) {
        self.entry.acquire();
        insyn::label!("leave_write");
        let next = self.with(|counts| {
            counts.writers -= 1;
            let next = if self.preference.readers_next() {
                self.to_reader(counts).or_else(|| self.to_writer(counts))
            } else {
                self.to_writer(counts).or_else(|| self.to_reader(counts))
            };
            next.unwrap_or(&self.entry)
        });
        next.release();
    }
}

}
