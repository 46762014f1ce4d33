//! Programs of any length: each repeats what it does as often as it takes for so many events.

use std::fmt;

use insyn::crossbeam_channel::{Receiver, unbounded};
use insyn::std::sync::atomic::{AtomicUsize, Ordering};
use insyn::std::sync::{Arc, Condvar, Mutex, mpsc};
use insyn::std::thread;
use insyn::{Exploration, Explorer};

/// What a program repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Construct {
    /// One thread sends to main on one channel. Nothing races.
    OneProducer,
    /// Two threads do.
    TwoProducers,
    /// Two threads lock one mutex.
    Locks,
    /// Main selects over two channels, with a producer behind each.
    Selects,
    /// One thread adds to a counter and another reads it.
    Atomics,
    /// Question and answer through two channels with room for one message each. Nothing races.
    Bounded,
    /// Two threads hand a turn to each other with a mutex and a condition variable.
    Condvars,
    /// Main polls a channel that another thread sends on.
    Polls,
}

impl Construct {
    /// All of them, in the order of the table.
    pub const ALL: [Construct; 8] = [
        Construct::OneProducer,
        Construct::TwoProducers,
        Construct::Locks,
        Construct::Selects,
        Construct::Atomics,
        Construct::Bounded,
        Construct::Condvars,
        Construct::Polls,
    ];

    /// What commands call it.
    pub fn key(self) -> &'static str {
        match self {
            Construct::OneProducer => "one-producer",
            Construct::TwoProducers => "two-producers",
            Construct::Locks => "locks",
            Construct::Selects => "selects",
            Construct::Atomics => "atomics",
            Construct::Bounded => "bounded",
            Construct::Condvars => "condvars",
            Construct::Polls => "polls",
        }
    }

    /// The construct of this key.
    pub fn of(key: &str) -> Option<Construct> {
        Construct::ALL.into_iter().find(|it| it.key() == key)
    }

    /// Whether its programs have one sequence only, so that there are no variants to run.
    pub fn is_deterministic(self) -> bool {
        matches!(self, Construct::OneProducer | Construct::Bounded)
    }

    /// How many events a repetition takes, about.
    fn events(self) -> usize {
        match self {
            Construct::OneProducer | Construct::Polls => 2,
            Construct::TwoProducers | Construct::Selects => 4,
            Construct::Locks | Construct::Bounded => 8,
            Construct::Atomics => 3,
            Construct::Condvars => 24,
        }
    }

    fn body(self) -> fn(usize) {
        match self {
            Construct::OneProducer => one_producer,
            Construct::TwoProducers => two_producers,
            Construct::Locks => locks,
            Construct::Selects => selects,
            Construct::Atomics => atomics,
            Construct::Bounded => bounded,
            Construct::Condvars => condvars,
            Construct::Polls => polls,
        }
    }

    /// How often a program of so many events repeats it.
    fn times(self, events: usize) -> usize {
        (events.saturating_sub(FIXED) / self.events()).max(1)
    }

    /// Runs a program of about so many events for the first time, and then variants of that, until there have been so many
    /// executions.
    pub fn explore(self, events: usize, executions: u64) -> Exploration {
        let (times, body) = (self.times(events), self.body());
        Explorer::new().workers(1).max_steps(u64::MAX).max_executions(executions).explore(move || body(times))
    }
}

/// Events of starting and ending a program, at most.
const FIXED: usize = 50;

impl fmt::Display for Construct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Construct::OneProducer => "`mpsc`, one producer",
            Construct::TwoProducers => "`mpsc`, two producers",
            Construct::Locks => "two threads and a `Mutex`",
            Construct::Selects => "`select!` over two crossbeam channels",
            Construct::Atomics => "`fetch_add` and `load`",
            Construct::Bounded => "question and answer, `sync_channel(1)`",
            Construct::Condvars => "`Mutex` and `Condvar`, hand over hand",
            Construct::Polls => "`try_recv` beside a producer",
        })
    }
}

fn one_producer(times: usize) {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || (0..times).for_each(|i| sender.send(i).unwrap()));
    (0..times).for_each(|i| assert_eq!(receiver.recv(), Ok(i)));
}

fn two_producers(times: usize) {
    let (sender, receiver) = mpsc::channel();
    for _ in 0..2 {
        let sender = sender.clone();
        thread::spawn(move || (0..times).for_each(|i| sender.send(i).unwrap()));
    }
    let sum: usize = (0..2 * times).map(|_| receiver.recv().unwrap()).sum();
    assert_eq!(sum, times * (times - 1));
}

fn locks(times: usize) {
    let lock = Arc::new(Mutex::new(0));
    let threads = [(); 2].map(|()| {
        let lock = Arc::clone(&lock);
        thread::spawn(move || (0..times).for_each(|_| *lock.lock().unwrap() += 1))
    });
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(*lock.lock().unwrap(), 2 * times);
}

fn selects(times: usize) {
    let producer = || -> Receiver<usize> {
        let (sender, receiver) = unbounded();
        thread::spawn(move || (0..times).for_each(|i| sender.send(i).unwrap()));
        receiver
    };
    let (left, right) = (producer(), producer());
    let mut sum = 0;
    for _ in 0..2 * times {
        insyn::crossbeam_channel::select! {
            recv(left) -> message => sum += message.unwrap_or(0),
            recv(right) -> message => sum += message.unwrap_or(0),
        }
    }
    assert!(sum <= times * (times - 1));
}

fn atomics(times: usize) {
    let counter = Arc::new(AtomicUsize::new(0));
    let adder = {
        let counter = Arc::clone(&counter);
        thread::spawn(move || {
            (0..times).for_each(|_| assert!(counter.fetch_add(1, Ordering::SeqCst) < times))
        })
    };
    (0..times).for_each(|_| assert!(counter.load(Ordering::SeqCst) <= times));
    adder.join().unwrap();
}

fn bounded(times: usize) {
    let (question, questions) = mpsc::sync_channel(1);
    let (answer, answers) = mpsc::sync_channel(1);
    thread::spawn(move || (0..times).for_each(|_| answer.send(questions.recv().unwrap() + 1).unwrap()));
    for i in 0..times {
        question.send(i).unwrap();
        assert_eq!(answers.recv(), Ok(i + 1));
    }
}

fn condvars(times: usize) {
    let shared = Arc::new((Mutex::new(0), Condvar::new()));
    let player = |parity: usize| {
        let shared = Arc::clone(&shared);
        thread::spawn(move || {
            for _ in 0..times {
                let mut turn = shared.0.lock().unwrap();
                while *turn % 2 != parity {
                    turn = shared.1.wait(turn).unwrap();
                }
                *turn += 1;
                shared.1.notify_one();
            }
        })
    };
    for player in [player(0), player(1)] {
        player.join().unwrap();
    }
}

fn polls(times: usize) {
    let (sender, receiver) = mpsc::channel();
    let producer = thread::spawn(move || (0..times).for_each(|i| sender.send(i).unwrap()));
    let found = (0..times).filter(|_| receiver.try_recv().is_ok()).count();
    producer.join().unwrap();
    assert!(found <= times);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_as_long_as_they_should_be() {
        for construct in Construct::ALL {
            for events in [1_000, 4_000] {
                let (times, body) = (construct.times(events), construct.body());
                let execution = Explorer::new().max_steps(u64::MAX).run(move || body(times));
                let processes = execution.sequence.processes.iter();
                let has: usize = processes.map(|process| process.events.len()).sum();
                assert!((events * 9 / 10..=events).contains(&has), "{construct}: {has} of {events} events");
            }
        }
    }

    #[test]
    fn programs_have_variants() {
        for construct in Construct::ALL {
            let exploration = construct.explore(1_000, 4);
            let executions = if construct.is_deterministic() { 1 } else { 4 };
            assert_eq!((exploration.executions, exploration.failures.len()), (executions, 0), "{construct}");
        }
    }
}
