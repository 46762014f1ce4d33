//! Bounded buffers: producers deposit an item each, consumers withdraw one each.

use std::collections::VecDeque;
use std::sync::Mutex as Plain;

use insyn::std::sync::{Arc, Condvar, Mutex, MutexGuard};
use insyn::std::thread::{self, JoinHandle};
use insyn::sync::{Condition, Monitor, Semaphore, entry};

use super::join_all;

/// How many threads use the buffer and how many slots it has.
#[derive(Clone, Copy, Debug)]
pub struct Config {
    /// Threads that put items in.
    pub producers: u32,
    /// Threads that take items out.
    pub consumers: u32,
    /// How many items fit.
    pub slots: usize,
}

/// A configuration, written as the papers do: producers, consumers, slots.
pub fn config(producers: u32, consumers: u32, slots: usize) -> Config {
    Config { producers, consumers, slots }
}

/// Something to put items into and take them out of.
trait Buffer: Send + Sync + 'static {
    fn deposit(&self, item: u32);
    fn withdraw(&self) -> u32;
}

/// Starts the producers, then the consumers, and checks that what came out is what went in.
fn use_buffer(c: Config, buffer: impl Buffer) {
    let buffer = Arc::new(buffer);
    let producers: Vec<JoinHandle<()>> = (0..c.producers)
        .map(|item| {
            let buffer = buffer.clone();
            thread::spawn(move || buffer.deposit(item))
        })
        .collect();
    let consumers: Vec<JoinHandle<u32>> = (0..c.consumers)
        .map(|_| {
            let buffer = buffer.clone();
            thread::spawn(move || buffer.withdraw())
        })
        .collect();
    join_all(producers);
    check(c, join_all(consumers));
}

fn check(c: Config, mut withdrawn: Vec<u32>) {
    withdrawn.sort_unstable();
    withdrawn.dedup();
    assert_eq!(withdrawn.len(), c.consumers as usize, "an item was withdrawn twice");
    assert!(withdrawn.iter().all(|&item| item < c.producers), "an item was made up");
}

// ---- a server with a selective wait --------------------------------------------------------------------------------

/// A server accepts a deposit when there is room and a withdrawal when there is an item.
pub fn selective_wait(c: Config) -> impl Fn() + Send + Sync + 'static {
    move || {
        let (deposit, deposits) = entry::<u32, ()>();
        let (withdraw, withdrawals) = entry::<(), u32>();
        let server = thread::spawn(move || {
            let mut items = VecDeque::new();
            loop {
                insyn::select! {
                    accept(deposits) -> mut call if items.len() < c.slots => {
                        items.extend(call.take());
                        call.reply(());
                    },
                    accept(withdrawals) -> call if !items.is_empty() => {
                        call.reply(items.pop_front().expect("the guard says so"));
                    },
                    closed => break,
                }
            }
        });
        let producers: Vec<JoinHandle<()>> = (0..c.producers)
            .map(|item| {
                let deposit = deposit.clone();
                thread::spawn(move || deposit.call(item).expect("the server stays"))
            })
            .collect();
        let consumers: Vec<JoinHandle<u32>> = (0..c.consumers)
            .map(|_| {
                let withdraw = withdraw.clone();
                thread::spawn(move || withdraw.call(()).expect("the server stays"))
            })
            .collect();
        drop((deposit, withdraw));
        join_all(producers);
        check(c, join_all(consumers));
        join_all([server]);
    }
}

// ---- semaphores ----------------------------------------------------------------------------------------------------

struct Semaphores {
    empty_slots: Semaphore,
    full_slots: Semaphore,
    /// One producer at a time, and one consumer at a time.
    mutex_d: Semaphore,
    mutex_w: Semaphore,
    items: Plain<VecDeque<u32>>,
}

impl Buffer for Semaphores {
    fn deposit(&self, item: u32) {
        self.mutex_d.acquire();
        self.empty_slots.acquire();
        self.items.lock().unwrap().push_back(item);
        self.full_slots.release();
        self.mutex_d.release();
    }

    fn withdraw(&self) -> u32 {
        self.mutex_w.acquire();
        self.full_slots.acquire();
        let item = self.items.lock().unwrap().pop_front().expect("a slot is full");
        self.empty_slots.release();
        self.mutex_w.release();
        item
    }
}

/// Four semaphores; a producer keeps other producers out while it waits for a slot.
pub fn semaphores(c: Config) -> impl Fn() + Send + Sync + 'static {
    move || {
        let buffer = Semaphores {
            empty_slots: Semaphore::new(c.slots),
            full_slots: Semaphore::new(0),
            mutex_d: Semaphore::binary(1),
            mutex_w: Semaphore::binary(1),
            items: Plain::default(),
        };
        use_buffer(c, buffer);
    }
}

// ---- signal-and-urgent-wait monitor --------------------------------------------------------------------------------

struct Urgent {
    items: Monitor<VecDeque<u32>>,
    slots: usize,
    not_full: Condition,
    not_empty: Condition,
}

impl Buffer for Urgent {
    fn deposit(&self, item: u32) {
        let mut items = self.items.enter();
        if items.len() == self.slots {
            items.wait(&self.not_full);
        }
        items.push_back(item);
        items.signal(&self.not_empty);
    }

    fn withdraw(&self) -> u32 {
        let mut items = self.items.enter();
        if items.is_empty() {
            items.wait(&self.not_empty);
        }
        let item = items.pop_front().expect("the signaller has put it there");
        items.signal(&self.not_full);
        item
    }
}

/// A monitor in which the signalled thread goes on at once, so that no thread needs to check again.
pub fn su_monitor(c: Config) -> impl Fn() + Send + Sync + 'static {
    move || {
        let items = Monitor::urgent(VecDeque::new());
        let (not_full, not_empty) = (items.condition(), items.condition());
        use_buffer(c, Urgent { items, slots: c.slots, not_full, not_empty });
    }
}

// ---- mutex and condition variables: signal-and-continue ------------------------------------------------------------

struct Condvars {
    items: Mutex<VecDeque<u32>>,
    slots: usize,
    not_full: Condvar,
    not_empty: Condvar,
    notify: fn(&Condvar),
}

impl Condvars {
    fn when(
        &self,
        condvar: &Condvar,
        not_yet: impl Fn(&VecDeque<u32>) -> bool,
    ) -> MutexGuard<'_, VecDeque<u32>> {
        let items = self.items.lock().unwrap();
        condvar.wait_while(items, |items| not_yet(items)).unwrap()
    }
}

impl Buffer for Condvars {
    fn deposit(&self, item: u32) {
        let mut items = self.when(&self.not_full, |items| items.len() == self.slots);
        items.push_back(item);
        (self.notify)(&self.not_empty);
    }

    fn withdraw(&self) -> u32 {
        let mut items = self.when(&self.not_empty, VecDeque::is_empty);
        let item = items.pop_front().expect("somebody has put it there");
        (self.notify)(&self.not_full);
        item
    }
}

/// A mutex with two condition variables, each change notifying all threads that wait for it.
pub fn sc_notify_all(c: Config) -> impl Fn() + Send + Sync + 'static {
    sc(c, Condvar::notify_all)
}

/// A mutex with two condition variables, each change notifying one thread that waits for it.
pub fn sc_notify_one(c: Config) -> impl Fn() + Send + Sync + 'static {
    sc(c, Condvar::notify_one)
}

fn sc(c: Config, notify: fn(&Condvar)) -> impl Fn() + Send + Sync + 'static {
    move || {
        let buffer = Condvars {
            items: Mutex::default(),
            slots: c.slots,
            not_full: Condvar::new(),
            not_empty: Condvar::new(),
            notify,
        };
        use_buffer(c, buffer);
    }
}

// ---- the same as a monitor object ----------------------------------------------------------------------------------

struct Continue {
    items: Monitor<VecDeque<u32>>,
    slots: usize,
    not_full: Condition,
    not_empty: Condition,
    all: bool,
}

impl Buffer for Continue {
    fn deposit(&self, item: u32) {
        let mut items = self.items.enter();
        while items.len() == self.slots {
            items.wait(&self.not_full);
        }
        items.push_back(item);
        if self.all { items.signal_all(&self.not_empty) } else { items.signal(&self.not_empty) }
    }

    fn withdraw(&self) -> u32 {
        let mut items = self.items.enter();
        while items.is_empty() {
            items.wait(&self.not_empty);
        }
        let item = items.pop_front().expect("somebody has put it there");
        if self.all {
            items.signal_all(&self.not_full)
        } else {
            items.signal(&self.not_full)
        }
        item
    }
}

/// A signal-and-continue monitor with two conditions; each change signals one thread that waits for it, or all.
pub fn sc_monitor(c: Config, all: bool) -> impl Fn() + Send + Sync + 'static {
    move || {
        let items = Monitor::new(VecDeque::new());
        let (not_full, not_empty) = (items.condition(), items.condition());
        use_buffer(c, Continue { items, slots: c.slots, not_full, not_empty, all });
    }
}
