//! Programs of threads, channels and locks, with the numbers of sequences they must have.

use insyn::explore;

#[insyn::instrument]
mod fan_in {
    use std::sync::mpsc;
    use std::thread;

    pub(super) fn run(senders: u32) -> Vec<u32> {
        let (tx, rx) = mpsc::channel();
        for n in 0..senders {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n).unwrap());
        }
        drop(tx);
        rx.iter().collect()
    }
}

#[test]
fn fan_in_has_all_orders() {
    assert_eq!(explore(|| fan_in::run(3)).sequences, 6);
    // And it is an ordinary program elsewhere.
    let mut received = fan_in::run(3);
    received.sort_unstable();
    assert_eq!(received, [0, 1, 2]);
}

#[insyn::instrument]
mod transfer {
    use std::{
        sync::{Arc, Mutex as Lock},
        thread,
    };

    #[derive(Debug)]
    struct Account {
        balance: Lock<i64>,
    }

    impl Account {
        fn new(balance: i64) -> Self {
            Self { balance: Lock::new(balance) }
        }
    }

    fn transfer(from: &Account, to: &Account, amount: i64) {
        let mut from = from.balance.lock().unwrap();
        let mut to = to.balance.lock().unwrap();
        *from -= amount;
        *to += amount;
    }

    pub(super) fn run() {
        let (a, b) = (Arc::new(Account::new(100)), Arc::new(Account::new(100)));
        let (a2, b2) = (Arc::clone(&a), Arc::clone(&b));
        let other = thread::spawn(move || transfer(&a2, &b2, 10));
        transfer(&b, &a, 5);
        other.join().unwrap();
    }
}

#[test]
fn a_deadlock_is_found() {
    let found = explore(transfer::run);
    assert_eq!((found.sequences, found.deadlocks), (3, 1), "{found}");
    let report = found.failures[0].to_string();
    // Objects have the names of their fields, and operations the places where they were written.
    assert!(report.contains("balance"), "{report}");
    assert!(report.contains("programs.rs:"), "{report}");
}

#[insyn::instrument]
mod worker_pool {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::sync::*;
    use std::thread::{self, JoinHandle};

    type Job = Box<dyn FnOnce() + Send>;

    pub(super) struct Pool {
        jobs: Option<Sender<Job>>,
        workers: Vec<JoinHandle<()>>,
    }

    impl Pool {
        pub(super) fn new(size: usize) -> Self {
            let (jobs, receiver) = channel::<Job>();
            let receiver = Arc::new(Mutex::new(receiver));
            let workers = (0..size).map(|_| Self::worker(receiver.clone())).collect();
            Pool { jobs: Some(jobs), workers }
        }

        fn worker(jobs: Arc<Mutex<Receiver<Job>>>) -> JoinHandle<()> {
            thread::spawn(move || {
                loop {
                    let job = jobs.lock().unwrap().recv();
                    match job {
                        Ok(job) => job(),
                        Err(mpsc::RecvError) => break,
                    }
                }
            })
        }

        pub(super) fn run(&self, job: impl FnOnce() + Send + 'static) {
            self.jobs.as_ref().unwrap().send(Box::new(job)).unwrap();
        }
    }

    impl Drop for Pool {
        fn drop(&mut self) {
            drop(self.jobs.take());
            for worker in self.workers.drain(..) {
                worker.join().unwrap();
            }
        }
    }

    pub(super) fn run(jobs: usize) -> usize {
        let done = Arc::new(AtomicUsize::new(0));
        let pool = Pool::new(2);
        for _ in 0..jobs {
            let done = Arc::clone(&done);
            pool.run(move || {
                done.fetch_add(1, SeqCst);
            });
        }
        drop(pool);
        done.load(SeqCst)
    }
}

#[test]
fn a_worker_pool_does_all_jobs() {
    let found = explore(|| assert_eq!(worker_pool::run(1), 1));
    found.assert_ok();
    assert!(found.sequences > 1, "{found}");
    assert_eq!(worker_pool::run(5), 5);
}

#[insyn::instrument]
mod time_out {
    use std::sync::mpsc::{self, RecvTimeoutError};
    use std::thread;
    use std::time::Duration;

    pub(super) fn run() -> bool {
        let (request, requests) = mpsc::channel::<mpsc::Sender<u32>>();
        thread::spawn(move || {
            for reply in requests {
                // The client may have given up.
                let _ = reply.send(7);
            }
        });
        let (reply, replies) = mpsc::channel();
        request.send(reply).unwrap();
        match replies.recv_timeout(Duration::from_secs(3600)) {
            Ok(answer) => answer == 7,
            Err(RecvTimeoutError::Timeout) => false,
            Err(RecvTimeoutError::Disconnected) => unreachable!("the server replies"),
        }
    }
}

#[test]
fn a_request_may_time_out() {
    use std::sync::Mutex;
    let outputs = std::sync::Arc::new(Mutex::new(std::collections::BTreeSet::new()));
    let seen = outputs.clone();
    let found = insyn::Explorer::new()
        .observe(move |ended| {
            if ended.counted() {
                seen.lock().unwrap().extend(ended.output());
            }
        })
        .explore(time_out::run);
    found.assert_ok();
    let outputs: Vec<String> = outputs.lock().unwrap().iter().cloned().collect();
    assert_eq!(outputs, ["false", "true"]);
}
