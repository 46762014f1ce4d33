//! Random programs that count, send and close, and panic if the result is not what it would be one after the other: the causes of
//! such panics fit their definitions, and the failure that is shown is the shortest.

use insyn::std::sync::atomic::{AtomicU32, Ordering};
use insyn::std::sync::mpsc::{Receiver, Sender, channel};
use insyn::std::sync::{Arc, Mutex};
use insyn::std::thread;

use crate::oracle::random::Random;
use crate::random_programs::explained::{Totals, judge};

/// What a thread does.
#[derive(Clone, Copy, Debug)]
enum Act {
    /// Reads a variable and writes it, one after the other.
    Add,
    /// Adds to a variable at once.
    AddAtOnce,
    /// Reads what a lock protects, releases the lock, and writes.
    Change,
    /// Changes it while it holds the lock.
    ChangeAtOnce,
    /// Sends a message.
    Send,
    /// Looks for a message; adds to the variable if there is none.
    Look,
    /// Drops the receiver, if there is one.
    Close,
}

const ACTS: [Act; 7] =
    [Act::Add, Act::AddAtOnce, Act::Change, Act::ChangeAtOnce, Act::Send, Act::Look, Act::Close];

type World = (Arc<AtomicU32>, Arc<Mutex<u32>>, Sender<u32>);

fn act(act: Act, (variable, lock, sender): &World, receiver: &mut Option<Receiver<u32>>) {
    match act {
        Act::Add => {
            let seen = variable.load(Ordering::SeqCst);
            variable.store(seen + 1, Ordering::SeqCst);
        }
        Act::AddAtOnce => {
            variable.fetch_add(1, Ordering::SeqCst);
        }
        Act::Change => {
            let seen = *lock.lock().unwrap();
            *lock.lock().unwrap() = seen + 1;
        }
        Act::ChangeAtOnce => *lock.lock().unwrap() += 1,
        Act::Send => {
            if sender.send(1).is_ok() {
                variable.fetch_add(1, Ordering::SeqCst);
            }
        }
        Act::Look => {
            if receiver.as_ref().is_some_and(|it| it.try_recv().is_err()) {
                variable.fetch_add(1, Ordering::SeqCst);
            }
        }
        Act::Close => drop(receiver.take()),
    }
}

/// Runs the threads of a program; its result.
fn run(threads: &[Vec<Act>], together: bool) -> (u32, u32) {
    let (sender, receiver) = channel();
    let world: World = (Arc::new(AtomicU32::new(0)), Arc::new(Mutex::new(0)), sender);
    let mut receiver = Some(receiver);
    let handles: Vec<_> = threads
        .iter()
        .map(|acts| {
            let (acts, world, mut receiver) = (acts.clone(), world.clone(), receiver.take());
            let body = move || acts.into_iter().for_each(|it| act(it, &world, &mut receiver));
            let handle = thread::spawn(body);
            if together { Some(handle) } else { handle.join().map(|()| None).unwrap_or(None) }
        })
        .collect();
    handles.into_iter().flatten().for_each(|it| it.join().unwrap());
    (world.0.load(Ordering::SeqCst), *world.1.lock().unwrap())
}

#[test]
fn causes_of_wrong_results_fit_their_definitions() {
    let mut totals = Totals::default();
    for seed in 0..150 {
        let mut random = Random::new(seed);
        let threads: Vec<Vec<Act>> = (0..2)
            .map(|_| (0..1 + random.below(2)).map(|_| ACTS[random.below(ACTS.len())]).collect())
            .collect();
        // One thread after the other, outside an exploration: the result that all others are compared with.
        let expected = run(&threads, false);
        let program = {
            let threads = threads.clone();
            move || assert_eq!(run(&threads, true), expected)
        };
        if let Err(difference) =
            judge(insyn::Explorer::new().workers(1 + seed as usize % 2), program, &mut totals)
        {
            panic!("seed {seed}: {difference}\n{threads:?}");
        }
    }
    let named = |name: &str| totals.causes.get(name).copied().unwrap_or_default();
    for cause in ["LostUpdate", "NotAtomic", "DroppedReceiver"] {
        assert!(named(cause) > 0, "{cause} is never named: {:?}", totals.causes);
    }
}
