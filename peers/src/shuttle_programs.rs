//! The programs on shuttle, with its exhaustive scheduler.
//!
//! shuttle reports no sequences. Its depth-first search runs every interleaving of scheduling points, without
//! reduction, and finishes none of these programs; it is stopped and what it took so far is a lower bound.

use insyn_peers::outcome::Outcome;
use insyn_peers::program::{
    CLIENTS, CONSUMERS, PHILOSOPHERS, PROD_CONS_LOCKS, PRODUCERS, Program, REQUESTS, SLOTS, forks_of,
};
use shuttle::sync::{Arc, Condvar, Mutex, mpsc};
use shuttle::thread;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// How many executions it may take before it is stopped.
const MAX_RUNS: u64 = 20_000;

/// Runs `program` until shuttle is done or has done [`MAX_RUNS`].
pub(crate) fn explore(program: Program) -> Outcome {
    match program {
        Program::FanIn6 => check(|| fan_in(6)),
        Program::FanIn7 => check(|| fan_in(7)),
        Program::ProdCons => check(prod_cons),
        Program::BufferMonitor => check(buffer_monitor),
        Program::BufferServer => Outcome::Impossible("no selective receive"),
        Program::RequestReply => check(request_reply),
        Program::Philosophers => check(philosophers),
    }
}

fn check(f: fn()) -> Outcome {
    let runs = std::sync::Arc::new(AtomicU64::new(0));
    let counted = std::sync::Arc::clone(&runs);
    let start = Instant::now();
    shuttle::check_dfs(
        move || {
            counted.fetch_add(1, Ordering::Relaxed);
            f();
        },
        Some(MAX_RUNS as usize),
    );
    let time = start.elapsed();
    let runs = runs.load(Ordering::Relaxed);
    if runs >= MAX_RUNS { Outcome::Cut { runs, time } } else { Outcome::Finished { runs, time } }
}

fn fan_in(n: usize) {
    let (sender, receiver) = mpsc::channel();
    for i in 0..n {
        let sender = sender.clone();
        thread::spawn(move || sender.send(i).unwrap());
    }
    let sum: usize = (0..n).map(|_| receiver.recv().unwrap()).sum();
    assert_eq!(sum, n * (n - 1) / 2);
}

fn prod_cons() {
    let lock = Arc::new(Mutex::new(0));
    let threads = PROD_CONS_LOCKS.map(|times| {
        let lock = Arc::clone(&lock);
        thread::spawn(move || {
            for _ in 0..times {
                *lock.lock().unwrap() += 1;
            }
        })
    });
    for thread in threads {
        thread.join().unwrap();
    }
}

/// Which waiter `notify_one` wakes cannot be chosen here: shuttle tries each.
fn buffer_monitor() {
    struct Buffer {
        items: Mutex<usize>,
        not_full: Condvar,
        not_empty: Condvar,
    }
    let buffer =
        Arc::new(Buffer { items: Mutex::new(0), not_full: Condvar::new(), not_empty: Condvar::new() });
    let mut threads = Vec::new();
    for _ in 0..PRODUCERS {
        let buffer = Arc::clone(&buffer);
        threads.push(thread::spawn(move || {
            let mut items = buffer.items.lock().unwrap();
            while *items == SLOTS {
                items = buffer.not_full.wait(items).unwrap();
            }
            *items += 1;
            buffer.not_empty.notify_one();
        }));
    }
    for _ in 0..CONSUMERS {
        let buffer = Arc::clone(&buffer);
        threads.push(thread::spawn(move || {
            let mut items = buffer.items.lock().unwrap();
            while *items == 0 {
                items = buffer.not_empty.wait(items).unwrap();
            }
            *items -= 1;
            buffer.not_full.notify_one();
        }));
    }
    for thread in threads {
        thread.join().unwrap();
    }
}

fn request_reply() {
    let (requests, server) = mpsc::channel::<(usize, mpsc::Sender<usize>)>();
    let clients: Vec<_> = (0..CLIENTS)
        .map(|client| {
            let requests = requests.clone();
            thread::spawn(move || {
                let (reply, answers) = mpsc::channel();
                for _ in 0..REQUESTS {
                    requests.send((client, reply.clone())).unwrap();
                    assert_eq!(answers.recv(), Ok(client + 1));
                }
            })
        })
        .collect();
    for _ in 0..CLIENTS * REQUESTS {
        let (number, reply) = server.recv().unwrap();
        reply.send(number + 1).unwrap();
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
                let _low = forks[low].lock().unwrap();
                let _high = forks[high].lock().unwrap();
            })
        })
        .collect();
    for philosopher in philosophers {
        philosopher.join().unwrap();
    }
}
