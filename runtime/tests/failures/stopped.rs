//! Programs that a bound stops: what they did last, which threads waited then, and which can never go on.

use insyn::std::sync::mpsc::{Receiver, Sender, channel};
use insyn::std::sync::{Arc, Mutex, RwLock, RwLockWriteGuard};
use insyn::std::thread::{self, Builder};
use insyn::{Exploration, Explorer, Failure, Termination};
use insyn_test_support::only_failure;

use super::{assert_line, ignore};

const SOURCE: &str = include_str!("stopped.rs");

/// Every way of running gives the same text.
#[track_caller]
fn explore(explorer: &Explorer, program: fn()) -> Exploration {
    let one = explorer.clone().workers(1).explore(program);
    for workers in [2, 4] {
        let many = explorer.clone().workers(workers).explore(program);
        assert_eq!(many.to_string(), one.to_string(), "{workers} workers");
    }
    one
}

/// Starts a thread with this name.
fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> thread::JoinHandle<()> {
    Builder::new().name(name.to_string()).spawn(body).unwrap()
}

/// An endless loop that lets others go on.
fn never_end() {
    let (tx, _rx) = channel();
    while tx.send(()).is_ok() {
        thread::yield_now();
    }
}

/// Which of two messages comes first.
fn first_of_two() -> u32 {
    let (tx, rx) = channel();
    for n in 0..2 {
        let tx = tx.clone();
        thread::spawn(move || tx.send(n).unwrap());
    }
    let first = rx.recv().unwrap();
    rx.recv().unwrap();
    first
}

/// The line of this file that a message names.
#[track_caller]
fn line_of(message: &str) -> u32 {
    let (_, place) = message.split_once("failures/stopped.rs:").unwrap_or_else(|| panic!("{message}"));
    place.split(':').next().unwrap().parse().unwrap()
}

fn who(failure: &Failure) -> Vec<&str> {
    failure.blocked.iter().map(|b| b.thread.as_str()).collect()
}

// ---- what counts ----------------------------------------------------------------------------------------------------

/// Objects that are made and dropped are no events, and many of them count as one step.
#[test]
fn loops_that_only_make_objects() {
    let programs: [fn(); 3] = [
        || loop {
            drop(Mutex::new(()));
        },
        || loop {
            drop(Arc::new(()));
        },
        || loop {
            std::mem::forget(channel::<()>());
        },
    ];
    for program in programs {
        let found = explore(&Explorer::new().max_steps(100), program);
        let failure = only_failure(&found);
        assert_eq!(failure.termination, Termination::StepBound, "{found}");
        assert!(failure.message.contains("more than 100 steps"), "{failure}");
    }
    let many = || (0..1_000).for_each(|_| drop(Mutex::new(())));
    Explorer::new().max_steps(100).sequential(true).explore(many).assert_ok();
}

// ---- what was done last --------------------------------------------------------------------------------------------

fn endless_loops() {
    let first = first_of_two();
    let (tx, _rx) = channel();
    let body = move || match first {
        0 => loop {
            tx.send(()).unwrap(); // the loop of 0
        },
        _ => loop {
            tx.send(()).unwrap(); // the loop of 1
        },
    };
    spawn("endless", body).join().unwrap();
}

#[test]
fn endless_loops_at_two_places_are_two_failures() {
    let found = explore(&Explorer::new().max_steps(100), endless_loops);
    assert_eq!((found.sequences, found.step_bounds, found.failures.len()), (2, 2, 2), "{found}");
    for (n, failure) in found.failures.iter().enumerate() {
        let Failure { termination, message, .. } = failure;
        assert_eq!((*termination, failure.occurrences), (Termination::StepBound, 1), "{failure}");
        let says = "more than 100 steps; the last event was send on main/channel2 by thread endless at ";
        assert!(message.starts_with(says), "{message}");
        let advice = "; raise `max_steps` if the program ends later, or look for a loop that does not";
        assert!(message.ends_with(advice), "{message}");
        assert_line(SOURCE, line_of(message), &format!("// the loop of {n}"));
    }
}

#[test]
fn endless_loop_in_many_sequences_is_one_failure() {
    let found = explore(&Explorer::new().max_steps(100), || {
        let _first = first_of_two();
        let (tx, _rx) = channel();
        loop {
            tx.send(()).unwrap();
        }
    });
    assert_eq!((found.sequences, only_failure(&found).occurrences), (2, 2), "{found}");
}

#[test]
fn who_waits_when_the_bound_is_reached_is_told() {
    let found = explore(&Explorer::new().max_steps(100), || {
        let (_keep, rx) = channel::<()>();
        let (tx, _rx) = channel();
        spawn("waits", move || ignore(rx.recv()));
        let endless = spawn("endless", move || while tx.send(()).is_ok() {});
        spawn("ends", || ());
        endless.join().unwrap(); // main waits here
    });
    let failure = only_failure(&found);
    assert_eq!(failure.termination, Termination::StepBound, "{found}");
    let waits: Vec<(&str, &str)> =
        failure.blocked.iter().map(|b| (b.thread.as_str(), b.waits_for.as_str())).collect();
    assert_eq!(waits, [("main", "the end of thread endless"), ("waits", "a message on main/channel1")]);
    assert_line(SOURCE, failure.blocked[0].location.as_ref().unwrap().line, "// main waits here");
    assert!(failure.cycle.is_empty(), "{failure}");
    let report = failure.to_string();
    assert!(report.contains("was waiting") && !report.contains("⛔"), "{report}");
}

/// Servers that call each other wait, but another thread could still accept.
#[test]
fn calls_are_no_circle_while_somebody_runs() {
    let found = explore(&Explorer::new().max_steps(100), || {
        use insyn::sync::{Caller, Entry, entry};
        let (to_left, at_left) = entry::<(), ()>();
        let (to_right, at_right) = entry::<(), ()>();
        let serve = |name, at: Entry<(), ()>, other: Caller<(), ()>| {
            spawn(name, move || {
                let call = at.accept().unwrap();
                let _reply = other.call(());
                call.reply(());
            });
        };
        serve("left", at_left, to_right.clone());
        serve("right", at_right, to_left.clone());
        spawn("calls", move || ignore(to_right.call(())));
        spawn("calls too", move || ignore(to_left.call(())));
        never_end();
    });
    let bounds = found.failures.iter().filter(|f| f.termination == Termination::StepBound);
    assert!(bounds.clone().any(|f| who(f).contains(&"left") && who(f).contains(&"right")), "{found}");
    assert!(bounds.clone().all(|f| f.cycle.is_empty()), "{found}");
    assert_eq!(bounds.count(), found.failures.len(), "{found}");
}

/// No event at all: there is nothing to name.
#[test]
fn bound_before_the_first_event() {
    let found = explore(&Explorer::new().max_steps(0), || drop(Mutex::new(()).lock()));
    let message = &only_failure(&found).message;
    assert!(message.starts_with("more than 0 steps; raise `max_steps`"), "{message}");
}

/// Deep enough for any stack of a few MiB.
fn recurse(depth: usize) -> usize {
    let frame = std::hint::black_box([depth; 32]);
    if depth == 0 { 0 } else { recurse(depth - 1) + std::hint::black_box(frame)[7].min(1) }
}

#[test]
fn stack_overflow_names_the_last_event_of_its_thread() {
    let found = explore(&Explorer::new(), || {
        let first = first_of_two();
        let (tx, rx) = channel();
        let deep = spawn("deep", move || {
            match first {
                0 => tx.send(0).unwrap(), // sends 0
                _ => tx.send(1).unwrap(), // sends 1
            }
            recurse(1_000_000);
        });
        let _other = rx.recv();
        deep.join().unwrap();
    });
    assert_eq!((found.stack_overflows, found.failures.len()), (2, 2), "{found}");
    for (n, failure) in found.failures.iter().enumerate() {
        assert_eq!(failure.termination, Termination::StackOverflow, "{failure}");
        let says =
            "thread deep used more than 1024 KiB of stack; its last event was send on main/channel2 at ";
        assert!(failure.message.starts_with(says), "{failure}");
        assert!(failure.message.ends_with("; raise `stack_size` if it needs more"), "{failure}");
        assert_line(SOURCE, line_of(&failure.message), &format!("// sends {n}"));
    }
}

#[test]
fn stack_overflow_without_an_event_names_the_thread() {
    let found = explore(&Explorer::new(), || {
        spawn("deep", || ignore(recurse(1_000_000))).join().unwrap();
    });
    let says = "thread deep used more than 1024 KiB of stack; raise `stack_size` if it needs more";
    assert_eq!(only_failure(&found).message, says);
}

/// Which event is the last one depends on the size of a stack: the same every time, whichever thread had the memory before.
#[test]
fn stack_overflow_between_events_is_the_same_every_time() {
    #[expect(unconditional_recursion, reason = "that is the point")]
    fn deeper(lock: &Mutex<u64>) -> u64 {
        *lock.lock().unwrap() += 1;
        let n = *lock.lock().unwrap();
        std::hint::black_box([n; 16])[3] + deeper(lock)
    }
    let explore = |workers: usize| {
        Explorer::new().workers(workers).stack_size(64 << 10).explore(|| {
            let _first = first_of_two();
            let lock = Arc::new(Mutex::new(0));
            let _others = [0, 1, 2].map(|_| thread::spawn(|| ()));
            thread::spawn(move || deeper(&lock)).join().unwrap()
        })
    };
    let found = explore(1);
    assert_eq!((found.stack_overflows, found.nondeterminism), (2, 0), "{found}");
    for workers in [2, 4, 1, 2] {
        assert_eq!(explore(workers), found);
    }
}

// ---- threads that can never go on ----------------------------------------------------------------------------------

/// What happens beside a thread that never ends. (It runs longer than all other threads take to end, or to wait.)
fn beside_a_loop(program: impl Fn() + Send + Sync + Copy + 'static) -> Exploration {
    Explorer::new().max_steps(400).max_executions(1).explore(move || {
        program();
        never_end();
    })
}

/// The only failure, in which these threads can never go on.
#[track_caller]
fn assert_locked_up(found: &Exploration, threads: &[&str]) {
    let failure = only_failure(found);
    assert_eq!(failure.termination, Termination::LocalDeadlock, "{found}");
    assert_eq!(who(failure), threads, "{found}");
}

/// These threads wait, but perhaps not forever.
#[track_caller]
fn assert_waiting(found: &Exploration, threads: &[&str]) {
    let failure = only_failure(found);
    assert_eq!(failure.termination, Termination::StepBound, "{found}");
    assert_eq!(who(failure), threads, "{found}");
}

/// Starts three threads that want a lock to write, to read, and the end of the first.
fn want(lock: &Arc<RwLock<()>>) {
    let (write, read) = (lock.clone(), lock.clone());
    let writes = spawn("writes", move || drop(write.write()));
    spawn("reads", move || drop(read.read()));
    spawn("joins", move || writes.join().unwrap());
}

#[test]
fn writer_that_never_gives_a_lock_back() {
    let found = beside_a_loop(|| {
        let lock = Arc::new(RwLock::new(()));
        let kept = lock.clone();
        spawn("ends", move || std::mem::forget(kept.write())).join().unwrap();
        want(&lock);
    });
    assert_locked_up(&found, &["writes", "reads", "joins"]);
    assert_eq!(only_failure(&found).blocked[0].waits_for, "write on main/rwlock1, held by thread ends");
}

#[test]
fn reader_that_never_gives_a_lock_back() {
    let found = beside_a_loop(|| {
        let lock = Arc::new(RwLock::new(()));
        let (kept, read) = (lock.clone(), lock.clone());
        spawn("reads and ends", move || drop(read.read())).join().unwrap();
        spawn("ends", move || std::mem::forget(kept.read())).join().unwrap();
        want(&lock);
    });
    // The lock can still be read.
    assert_locked_up(&found, &["writes", "joins"]);
    assert_eq!(only_failure(&found).blocked[0].waits_for, "write on main/rwlock1, held by thread ends");
}

#[test]
fn writer_that_became_a_reader_and_never_gives_a_lock_back() {
    let found = beside_a_loop(|| {
        let lock = Arc::new(RwLock::new(()));
        let kept = lock.clone();
        spawn("ends", move || std::mem::forget(RwLockWriteGuard::downgrade(kept.write().unwrap())))
            .join()
            .unwrap();
        want(&lock);
    });
    assert_locked_up(&found, &["writes", "joins"]);
}

#[test]
fn reader_that_is_locked_up_itself() {
    let found = beside_a_loop(|| {
        let (lock, kept) = (Arc::new(RwLock::new(())), Arc::new(Mutex::new(())));
        let (read, keep) = (lock.clone(), kept.clone());
        spawn("ends", move || std::mem::forget(keep.lock())).join().unwrap();
        let (tx, rx) = channel();
        spawn("holds", move || {
            let _read = read.read();
            tx.send(()).unwrap();
            drop(kept.lock());
        });
        rx.recv().unwrap();
        want(&lock);
    });
    assert_locked_up(&found, &["holds", "writes", "joins"]);
}

/// Two readers that both want to write wait for each other.
#[test]
fn readers_that_both_want_to_write_are_a_circle() {
    let found = beside_a_loop(|| {
        let lock = Arc::new(RwLock::new(()));
        let (tx, rx) = channel();
        let go: Vec<Sender<()>> = ["left", "right"]
            .into_iter()
            .map(|name| {
                let (lock, tx) = (lock.clone(), tx.clone());
                let (go, wait): (Sender<()>, Receiver<()>) = channel();
                spawn(name, move || {
                    let _read = lock.read();
                    tx.send(()).unwrap();
                    wait.recv().unwrap();
                    drop(lock.write());
                });
                go
            })
            .collect();
        (0..2).for_each(|_| rx.recv().unwrap());
        go.iter().for_each(|go| go.send(()).unwrap());
    });
    assert_locked_up(&found, &["left", "right"]);
    let failure = only_failure(&found);
    assert_eq!(failure.blocked[0].waits_for, "write on main/rwlock1, held by threads left and right");
    assert!(!failure.cycle.is_empty(), "{failure}");
}

/// A reader that still runs may release the lock.
#[test]
fn reader_that_runs_locks_nobody_up() {
    let found = Explorer::new().max_steps(400).max_executions(1).explore(|| {
        let lock = Arc::new(RwLock::new(()));
        let _held = lock.read();
        want(&lock);
        never_end();
    });
    assert_waiting(&found, &["writes", "joins"]);
}

/// One of two readers has released the lock, the other waits for a message that may come.
#[test]
fn reader_that_may_be_woken_locks_nobody_up() {
    let found = Explorer::new().max_steps(400).max_executions(1).explore(|| {
        let lock = Arc::new(RwLock::new(()));
        let (read, again) = (lock.clone(), lock.clone());
        let (_keep, rx) = channel::<()>();
        let (tx, is_held) = channel();
        spawn("reads and ends", move || drop(again.read())).join().unwrap();
        spawn("holds", move || {
            let _read = read.read();
            tx.send(()).unwrap();
            let _message = rx.recv();
        });
        is_held.recv().unwrap();
        want(&lock);
        never_end();
    });
    assert_waiting(&found, &["holds", "writes", "joins"]);
}

/// A thread that polls a lock that is never released may give up.
#[test]
fn poll_of_a_lock_that_is_never_given_back_may_end() {
    let found = beside_a_loop(|| {
        let (mutex, lock) = (Arc::new(Mutex::new(())), Arc::new(RwLock::new(())));
        let (kept_mutex, kept_lock) = (mutex.clone(), lock.clone());
        let keep = move || std::mem::forget((kept_mutex.lock(), kept_lock.read()));
        spawn("ends", keep).join().unwrap();
        let polls = |name, poll: fn(&Mutex<()>, &RwLock<()>) -> bool| {
            let (mutex, lock) = (mutex.clone(), lock.clone());
            spawn(name, move || {
                for _ in 0..3 {
                    if poll(&mutex, &lock) {
                        break;
                    }
                    thread::yield_now();
                }
            });
        };
        polls("tries to lock", |mutex, _| mutex.try_lock().is_ok());
        polls("tries to write", |_, lock| lock.try_write().is_ok());
    });
    assert_waiting(&found, &["tries to lock", "tries to write"]);
}

/// Threads that run beside a local deadlock do not make it another failure.
#[test]
fn local_deadlock_has_one_place() {
    let found = explore(&Explorer::new().max_steps(60), || {
        let lock = Arc::new(Mutex::new(()));
        let kept = lock.clone();
        spawn("ends", move || std::mem::forget(kept.lock())).join().unwrap();
        spawn("waits", move || drop(lock.lock()));
        // Where the thread has waited before is not part of the deadlock.
        let (tx, rx) = channel();
        let endless = tx.clone();
        thread::spawn(move || tx.send(()));
        if rx.try_recv().is_err() {
            rx.recv().unwrap();
        }
        while endless.send(()).is_ok() {}
    });
    assert_eq!(found.sequences, 2, "{found}");
    assert_eq!(only_failure(&found).termination, Termination::LocalDeadlock, "{found}");
}
