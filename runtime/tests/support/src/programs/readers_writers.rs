//! Readers and writers: several may read at a time, a writer writes alone. Each thread does it once.

use std::sync::Mutex as Plain;

use insyn::std::sync::Arc;
use insyn::std::thread::{self, JoinHandle};
use insyn::sync::{Condition, Monitor, Semaphore, entry};

use super::join_all;

/// What a solution offers.
trait Access: Send + Sync + 'static {
    fn start_read(&self);
    fn end_read(&self);
    fn start_write(&self);
    fn end_write(&self);
}

/// The threads that read and write right now; reading and writing themselves are no synchronization.
#[derive(Default)]
struct Inside {
    readers: u32,
    writers: u32,
}

impl Inside {
    fn change(&mut self, readers: i32, writers: i32) {
        self.readers = self.readers.checked_add_signed(readers).expect("who leaves has been there");
        self.writers = self.writers.checked_add_signed(writers).expect("who leaves has been there");
        assert!(
            self.writers == 0 || (self.writers == 1 && self.readers == 0),
            "{} writers and {} readers at a time",
            self.writers,
            self.readers
        );
    }
}

fn use_access(readers: usize, writers: usize, access: impl Access) {
    let access = Arc::new(access);
    let inside = Arc::new(Plain::new(Inside::default()));
    let mut threads: Vec<JoinHandle<()>> = Vec::new();
    for _ in 0..readers {
        let (access, inside) = (access.clone(), inside.clone());
        threads.push(thread::spawn(move || {
            access.start_read();
            inside.lock().unwrap().change(1, 0);
            inside.lock().unwrap().change(-1, 0);
            access.end_read();
        }));
    }
    for _ in 0..writers {
        let (access, inside) = (access.clone(), inside.clone());
        threads.push(thread::spawn(move || {
            access.start_write();
            inside.lock().unwrap().change(0, 1);
            inside.lock().unwrap().change(0, -1);
            access.end_write();
        }));
    }
    join_all(threads);
}

// ---- semaphores: passing the baton ---------------------------------------------------------------------------------

#[derive(Default)]
struct Counts {
    readers: u32,
    writers: u32,
    delayed_readers: u32,
    delayed_writers: u32,
}

/// Andrews' solution. Of the three semaphores at most one is 1 at any time; the thread that takes it has the baton, and with
/// it the counts, until passing it on.
struct Baton {
    entry: Semaphore,
    read: Semaphore,
    write: Semaphore,
    counts: Plain<Counts>,
}

impl Baton {
    fn with<R>(&self, f: impl FnOnce(&mut Counts) -> R) -> R {
        f(&mut self.counts.lock().unwrap())
    }
}

impl Access for Baton {
    fn start_read(&self) {
        self.entry.acquire();
        let delayed = self.with(|c| {
            let must_wait = c.writers > 0;
            c.delayed_readers += u32::from(must_wait);
            must_wait
        });
        if delayed {
            self.entry.release();
            self.read.acquire();
        }
        let next = self.with(|c| {
            c.readers += 1;
            let any = c.delayed_readers > 0;
            c.delayed_readers -= u32::from(any);
            any
        });
        if next { self.read.release() } else { self.entry.release() }
    }

    fn end_read(&self) {
        self.entry.acquire();
        let writer = self.with(|c| {
            c.readers -= 1;
            let any = c.readers == 0 && c.delayed_writers > 0;
            c.delayed_writers -= u32::from(any);
            any
        });
        if writer { self.write.release() } else { self.entry.release() }
    }

    fn start_write(&self) {
        self.entry.acquire();
        let delayed = self.with(|c| {
            let must_wait = c.readers > 0 || c.writers > 0;
            c.delayed_writers += u32::from(must_wait);
            must_wait
        });
        if delayed {
            self.entry.release();
            self.write.acquire();
        }
        self.with(|c| c.writers += 1);
        self.entry.release();
    }

    fn end_write(&self) {
        self.entry.acquire();
        let next = self.with(|c| {
            c.writers -= 1;
            if c.delayed_readers > 0 {
                c.delayed_readers -= 1;
                &self.read
            } else if c.delayed_writers > 0 {
                c.delayed_writers -= 1;
                &self.write
            } else {
                &self.entry
            }
        });
        next.release();
    }
}

/// Semaphores, "passing the baton"; readers are preferred.
pub fn semaphores(readers: usize, writers: usize) -> impl Fn() + Send + Sync + 'static {
    move || {
        let baton = Baton {
            entry: Semaphore::binary(1),
            read: Semaphore::binary(0),
            write: Semaphore::binary(0),
            counts: Plain::default(),
        };
        use_access(readers, writers, baton);
    }
}

// ---- signal-and-urgent-wait monitor --------------------------------------------------------------------------------

#[derive(Default)]
struct Present {
    readers: u32,
    writing: bool,
}

struct Urgent {
    present: Monitor<Present>,
    reader: Condition,
    writer: Condition,
}

impl Access for Urgent {
    fn start_read(&self) {
        let mut present = self.present.enter();
        if present.writing {
            present.wait(&self.reader);
        }
        present.readers += 1;
        // A reader that was let in lets in the next.
        present.signal(&self.reader);
    }

    fn end_read(&self) {
        let mut present = self.present.enter();
        present.readers -= 1;
        if present.readers == 0 {
            present.signal(&self.writer);
        }
    }

    fn start_write(&self) {
        let mut present = self.present.enter();
        if present.readers > 0 || present.writing {
            present.wait(&self.writer);
        }
        present.writing = true;
    }

    fn end_write(&self) {
        let mut present = self.present.enter();
        present.writing = false;
        if present.waiting(&self.reader) > 0 {
            present.signal(&self.reader);
        } else {
            present.signal(&self.writer);
        }
    }
}

/// A monitor in which the signalled thread goes on at once.
pub fn su_monitor(readers: usize, writers: usize) -> impl Fn() + Send + Sync + 'static {
    move || {
        let present = Monitor::urgent(Present::default());
        let (reader, writer) = (present.condition(), present.condition());
        use_access(readers, writers, Urgent { present, reader, writer });
    }
}

// ---- a server with a selective wait --------------------------------------------------------------------------------

/// A server that admits any reader or writer that may enter, without preference.
pub fn selective_wait(readers: usize, writers: usize) -> impl Fn() + Send + Sync + 'static {
    move || {
        let (start_read, start_reads) = entry::<(), ()>();
        let (end_read, end_reads) = entry::<(), ()>();
        let (start_write, start_writes) = entry::<(), ()>();
        let (end_write, end_writes) = entry::<(), ()>();
        let server = thread::spawn(move || {
            let mut inside = Inside::default();
            loop {
                insyn::select! {
                    accept(start_reads) -> call if inside.writers == 0 => {
                        inside.change(1, 0);
                        call.reply(());
                    },
                    accept(end_reads) -> call => {
                        inside.change(-1, 0);
                        call.reply(());
                    },
                    accept(start_writes) -> call if inside.readers == 0 && inside.writers == 0 => {
                        inside.change(0, 1);
                        call.reply(());
                    },
                    accept(end_writes) -> call => {
                        inside.change(0, -1);
                        call.reply(());
                    },
                    closed => break,
                }
            }
        });
        let mut threads: Vec<JoinHandle<()>> = Vec::new();
        for _ in 0..readers {
            let (start, end) = (start_read.clone(), end_read.clone());
            threads.push(thread::spawn(move || {
                start.call(()).expect("the server stays");
                end.call(()).expect("the server stays");
            }));
        }
        for _ in 0..writers {
            let (start, end) = (start_write.clone(), end_write.clone());
            threads.push(thread::spawn(move || {
                start.call(()).expect("the server stays");
                end.call(()).expect("the server stays");
            }));
        }
        drop((start_read, end_read, start_write, end_write));
        join_all(threads);
        join_all([server]);
    }
}
