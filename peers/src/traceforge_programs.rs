//! The programs on TraceForge, one thread, under its default delivery (FIFO for each pair of threads) or as mailboxes, which
//! is what std's channels are.
//!
//! TraceForge has its own API: channels are not std's, a mutex is a thread that serves lock messages, and there is
//! no condition variable, so the monitor's is built by hand: a queue of private channels inside the locked data. That
//! is faithful, since waiting and notifying happen with the lock held, and the longest waiter is in front.

use insyn_peers::outcome::Outcome;
use insyn_peers::program::{
    CLIENTS, CONSUMERS, PHILOSOPHERS, PROD_CONS_LOCKS, PRODUCERS, Program, REQUESTS, SLOTS, forks_of,
};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Instant;
use traceforge::channel::{Builder, Channel, Sender};
use traceforge::sync::{Mutex, MutexGuard};
use traceforge::{Config, ConsType, thread};

/// Explores `program` exhaustively.
pub(crate) fn explore(program: Program, delivery: ConsType) -> Outcome {
    let program: fn() = match program {
        Program::FanIn6 => || fan_in(6),
        Program::FanIn7 => || fan_in(7),
        Program::ProdCons => prod_cons,
        Program::BufferMonitor => buffer_monitor,
        Program::BufferServer => buffer_server,
        Program::RequestReply => request_reply,
        Program::Philosophers => philosophers,
    };
    verify(program, delivery)
}

fn verify(f: fn(), delivery: ConsType) -> Outcome {
    // The largest interval between progress reports: it would print otherwise.
    let config = Config::builder().with_cons_type(delivery).with_progress_report(usize::MAX).build();
    let start = Instant::now();
    let stats = traceforge::verify(config, f);
    let time = start.elapsed();
    assert_eq!(stats.block, 0, "none of the programs has a deadlock");
    Outcome::Finished { runs: stats.execs as u64, time }
}

fn channel<T: Clone + std::fmt::Debug + PartialEq + Send + 'static>() -> Channel<T> {
    Builder::new().build()
}

fn fan_in(n: usize) {
    let (sender, receiver) = channel();
    for i in 0..n {
        let sender = sender.clone();
        thread::spawn(move || sender.send_msg(i));
    }
    let sum: usize = (0..n).map(|_| receiver.recv_msg_block()).sum();
    assert_eq!(sum, n * (n - 1) / 2);
}

fn prod_cons() {
    let lock = Arc::new(Mutex::new(0));
    let threads = PROD_CONS_LOCKS.map(|times| {
        let lock = Arc::clone(&lock);
        thread::spawn(move || {
            for _ in 0..times {
                *lock.blocking_lock() += 1;
            }
        })
    });
    for thread in threads {
        thread.join().unwrap();
    }
}

/// What the monitor's lock protects: the number of items, and who waits for which condition.
#[derive(Default)]
struct Buffer {
    items: usize,
    not_full: Waiters,
    not_empty: Waiters,
}

/// A condition variable by hand: a private channel for each waiter, the longest waiter in front.
#[derive(Default)]
struct Waiters(VecDeque<Sender<()>>);

impl Waiters {
    fn notify_one(&mut self) {
        if let Some(longest) = self.0.pop_front() {
            longest.send_msg(());
        }
    }
}

/// Queues up on a condition, gives the lock back, sleeps until notified, and takes the lock again.
fn wait<'a>(
    monitor: &'a Mutex<Buffer>,
    mut guard: MutexGuard<'a, Buffer>,
    condition: fn(&mut Buffer) -> &mut Waiters,
) -> MutexGuard<'a, Buffer> {
    let (wake, woken) = channel();
    condition(&mut guard).0.push_back(wake);
    drop(guard);
    woken.recv_msg_block();
    monitor.blocking_lock()
}

fn buffer_monitor() {
    let monitor = Arc::new(Mutex::new(Buffer::default()));
    let mut threads = Vec::new();
    for _ in 0..PRODUCERS {
        let monitor = Arc::clone(&monitor);
        threads.push(thread::spawn(move || {
            let mut buffer = monitor.blocking_lock();
            while buffer.items == SLOTS {
                buffer = wait(&monitor, buffer, |b| &mut b.not_full);
            }
            buffer.items += 1;
            buffer.not_empty.notify_one();
        }));
    }
    for _ in 0..CONSUMERS {
        let monitor = Arc::clone(&monitor);
        threads.push(thread::spawn(move || {
            let mut buffer = monitor.blocking_lock();
            while buffer.items == 0 {
                buffer = wait(&monitor, buffer, |b| &mut b.not_empty);
            }
            buffer.items -= 1;
            buffer.not_full.notify_one();
        }));
    }
    for thread in threads {
        thread.join().unwrap();
    }
}

/// What a client asks of the buffer's server, and where it waits for the answer.
#[derive(Clone, Debug, PartialEq)]
enum Call {
    Deposit(Sender<()>),
    Withdraw(Sender<()>),
}

fn buffer_server() {
    // A guard sees a message's tag, not the message, so the kind of call is in both.
    const DEPOSIT: u32 = 1;
    const WITHDRAW: u32 = 2;
    fn client(calls: Sender<Call>, tag: u32, call: fn(Sender<()>) -> Call) {
        let (reply, answer) = channel();
        calls.send_tagged_msg(tag, call(reply));
        answer.recv_msg_block();
    }
    let (calls, server) = channel::<Call>();
    let mut threads = Vec::new();
    for _ in 0..PRODUCERS {
        let calls = calls.clone();
        threads.push(thread::spawn(move || client(calls, DEPOSIT, Call::Deposit)));
    }
    for _ in 0..CONSUMERS {
        let calls = calls.clone();
        threads.push(thread::spawn(move || client(calls, WITHDRAW, Call::Withdraw)));
    }
    let mut items = 0;
    for _ in 0..PRODUCERS + CONSUMERS {
        let (not_full, not_empty) = (items < SLOTS, items > 0);
        let call = server.recv_tagged_msg_block(move |tag| {
            (tag == Some(DEPOSIT) && not_full) || (tag == Some(WITHDRAW) && not_empty)
        });
        match call {
            Call::Deposit(reply) => {
                items += 1;
                reply.send_msg(());
            }
            Call::Withdraw(reply) => {
                items -= 1;
                reply.send_msg(());
            }
        }
    }
    for thread in threads {
        thread.join().unwrap();
    }
}

fn request_reply() {
    let (requests, server) = channel::<(usize, Sender<usize>)>();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let requests = requests.clone();
            thread::spawn(move || {
                let (reply, answers) = channel();
                for _ in 0..REQUESTS {
                    requests.send_msg((client, reply.clone()));
                    assert_eq!(answers.recv_msg_block(), client + 1);
                }
            })
        })
        .collect();
    for _ in 0..CLIENTS * REQUESTS {
        let (number, reply) = server.recv_msg_block();
        reply.send_msg(number + 1);
    }
    for client in clients {
        client.join().unwrap();
    }
}

fn philosophers() {
    let forks: Arc<[Mutex<()>; PHILOSOPHERS]> = Arc::new(std::array::from_fn(|_| Mutex::new(())));
    let philosophers: Vec<_> = (0..PHILOSOPHERS)
        .map(|i| {
            let forks = Arc::clone(&forks);
            thread::spawn(move || {
                let (low, high) = forks_of(i);
                let _low = forks[low].blocking_lock();
                let _high = forks[high].blocking_lock();
            })
        })
        .collect();
    for philosopher in philosophers {
        philosopher.join().unwrap();
    }
}
