//! The programs on loom; prints a line for each, in the order of [`Program::ALL`].
//!
//! loom reports no sequences, only how many executions it took to be done. It allows five threads at most.
#![expect(clippy::print_stdout, reason = "the lines are read by the comparison")]

use insyn_peers::outcome::Outcome;
use insyn_peers::program::{CLIENTS, PHILOSOPHERS, PROD_CONS_LOCKS, Program, REQUESTS, forks_of};
use loom::sync::{Mutex, mpsc};
use loom::thread;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// How many executions it may take before it is stopped: enough for what it finishes within seconds.
const MAX_RUNS: u64 = 50_000;

fn main() {
    for program in Program::ALL {
        println!("{}", explore(program).to_line());
    }
}

/// Runs `program` until loom is done or has done [`MAX_RUNS`].
fn explore(program: Program) -> Outcome {
    match program {
        Program::FanIn6 | Program::FanIn7 | Program::BufferMonitor => {
            Outcome::Impossible("at most 5 threads")
        }
        Program::BufferServer => Outcome::Impossible("no selective receive"),
        Program::ProdCons => check(prod_cons),
        Program::RequestReply => check(request_reply),
        Program::Philosophers => check(philosophers),
    }
}

fn check(f: fn()) -> Outcome {
    let runs = Arc::new(AtomicU64::new(0));
    let counted = Arc::clone(&runs);
    let mut builder = loom::model::Builder::new();
    // It looks at the bound at such intervals only, before the execution of that number.
    builder.max_permutations = Some(MAX_RUNS as usize + 1);
    builder.checkpoint_interval = MAX_RUNS as usize + 1;
    let start = Instant::now();
    builder.check(move || {
        counted.fetch_add(1, Ordering::Relaxed);
        f();
    });
    let time = start.elapsed();
    let runs = runs.load(Ordering::Relaxed);
    if runs >= MAX_RUNS { Outcome::Cut { runs, time } } else { Outcome::Finished { runs, time } }
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
