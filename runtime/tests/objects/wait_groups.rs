//! Wait groups of crossbeam, under control and outside.

use std::panic::{AssertUnwindSafe, catch_unwind};

use insyn::crossbeam_utils::sync::WaitGroup;
use insyn::sequences::{Kind, Op};
use insyn::std::sync::atomic::{AtomicU32, Ordering::SeqCst};
use insyn::std::sync::mpsc::channel;
use insyn::std::thread;
use insyn::std::time::{Duration, Instant};
use insyn::{Exploration, Explorer, Termination, explore};

use super::outside::in_time;
use super::{counts, panic_of, steady_outputs};

/// Explores a program without synchronization under control.
fn sequential(program: impl Fn() + Send + Sync + 'static) -> Exploration {
    Explorer::new().sequential(true).explore(program)
}

/// Some threads drop their handles and some wait, in whatever order: one sequence.
#[test]
fn neither_drops_nor_waits_are_ordered() {
    for (dropping, waiting) in [(0, 1), (1, 1), (4, 1), (0, 4), (3, 3)] {
        let outputs = steady_outputs(move || {
            let group = WaitGroup::new();
            let threads: Vec<_> = (0..dropping + waiting)
                .map(|n| {
                    let group = group.clone();
                    thread::spawn(move || if n < dropping { drop(group) } else { group.wait() })
                })
                .collect();
            drop(group);
            threads.into_iter().for_each(|thread| thread.join().unwrap());
        });
        assert_eq!(outputs, counts([("null", 1)]), "{dropping} drop, {waiting} wait");
    }
}

#[test]
fn the_last_handle_need_not_wait() {
    let found = explore(|| {
        WaitGroup::default().wait();
        drop(WaitGroup::new().clone());
    });
    found.assert_ok();
    assert_eq!((found.sequences, found.executions), (1, 1));
}

/// Everything before the drop of a handle has happened when a wait is over; what comes after it may have.
#[test]
fn a_wait_comes_after_every_drop() {
    let outputs = steady_outputs(|| {
        let (before, after) = (AtomicU32::new(0), AtomicU32::new(0));
        thread::scope(|s| {
            let group = WaitGroup::new();
            for _ in 0..2 {
                let group = group.clone();
                s.spawn(|| {
                    before.fetch_or(1, SeqCst);
                    drop(group);
                    after.store(1, SeqCst);
                });
            }
            group.wait();
            (before.load(SeqCst), after.load(SeqCst))
        })
    });
    assert!(outputs.keys().all(|output| output.starts_with("[1,")), "{outputs:?}");
    assert_eq!(outputs.len(), 2, "{outputs:?}");
}

/// A wait gives its handle up before it waits, so everything before it has happened when another wait is over.
#[test]
fn a_wait_comes_after_what_came_before_another() {
    let outputs = steady_outputs(|| {
        let seen = [AtomicU32::new(0), AtomicU32::new(0)];
        thread::scope(|s| {
            let group = WaitGroup::new();
            let other = group.clone();
            let thread = s.spawn(|| {
                seen[0].store(1, SeqCst);
                other.wait();
                seen[1].load(SeqCst)
            });
            seen[1].store(1, SeqCst);
            group.wait();
            (seen[0].load(SeqCst), thread.join().unwrap())
        })
    });
    assert_eq!(outputs, counts([("[1,1]", 1)]));
}

/// The clock of a thread that has waited is not behind those of the threads that dropped their handles.
#[test]
fn a_wait_takes_as_long_as_the_longest() {
    let found = explore(|| {
        let start = Instant::now();
        let group = WaitGroup::new();
        for seconds in [3, 2] {
            let group = group.clone();
            thread::spawn(move || {
                thread::sleep(Duration::from_secs(seconds));
                drop(group);
            });
        }
        group.wait();
        assert_eq!(start.elapsed().as_secs(), 3);
    });
    found.assert_ok();
}

/// A thread that keeps a second handle waits forever, and so do those that wait for it.
#[test]
fn a_handle_that_is_kept() {
    let found = explore(|| {
        let group = insyn::name!("done", WaitGroup::new());
        let kept = group.clone();
        group.wait();
        drop(kept);
    });
    assert_eq!((found.sequences, found.deadlocks), (1, 1));
    let message = found.failures[0].to_string();
    assert!(message.contains("⛔ waits for every handle of done to be dropped"), "{message}");

    let found = explore(|| {
        let group = WaitGroup::new();
        let kept = group.clone();
        let (sender, receiver) = channel::<()>();
        let other = thread::spawn(move || {
            _ = receiver.recv();
            drop(kept);
        });
        group.wait();
        drop(sender);
        other.join().unwrap();
    });
    assert_eq!((found.sequences, found.deadlocks), (1, 1));
    let waits: Vec<&str> = found.failures[0].blocked.iter().map(|it| it.waits_for.as_str()).collect();
    assert!(waits.contains(&"every handle of main/waitgroup1 to be dropped"), "{waits:?}");

    let found = explore(|| {
        let group = WaitGroup::new();
        std::mem::forget(group.clone());
        let other = group.clone();
        thread::spawn(move || other.wait());
        group.wait();
    });
    assert_eq!((found.sequences, found.deadlocks), (1, 1));
    assert_eq!(found.failures[0].blocked.len(), 2, "{}", found.failures[0]);
}

/// A handle is dropped in the middle of a panic too, whether the panic is caught or ends its thread.
#[test]
fn a_panic_drops_its_handles() {
    let found = explore(|| {
        let group = WaitGroup::new();
        let caught = group.clone();
        let thrown = catch_unwind(AssertUnwindSafe(move || {
            let _held = caught;
            panic!("with a handle");
        }));
        assert!(thrown.is_err());
        let other = group.clone();
        let thread = thread::spawn(move || {
            let _held = other;
            panic!("with a handle");
        });
        group.wait();
        assert!(thread.join().is_err());
    });
    found.assert_ok();
    assert_eq!(found.sequences, 1);
}

/// The program is over while one thread waits and another still has a handle.
#[test]
fn the_end_of_a_program_drops_what_is_left() {
    let found = Explorer::new().ignore_detached(true).explore(|| {
        let group = WaitGroup::new();
        let (waits, kept) = (group.clone(), group.clone());
        thread::spawn(move || waits.wait());
        thread::spawn(move || {
            let _kept = kept;
            thread::park();
        });
        drop(group);
    });
    assert_eq!((found.sequences, found.failures.len()), (1, 0), "{found}");
}

/// What is recorded: the drops on their threads, one disconnect after all of them, and each wait after that.
#[test]
fn what_a_sequence_shows() {
    let execution = Explorer::new().run(|| {
        let group = WaitGroup::new();
        let other = group.clone();
        let thread = thread::spawn(move || drop(other));
        group.wait();
        thread.join().unwrap();
    });
    assert_eq!(execution.termination, Termination::Normal);
    let sequence = execution.sequence;
    let ops = |id: &str| {
        let process = sequence.processes.iter().find(|it| it.id == id).expect(id);
        process.events.iter().map(|it| (it.op, it.after.len())).collect::<Vec<_>>()
    };
    assert_eq!(ops("main"), [(Op::DropSender, 0), (Op::Await, 1), (Op::Join, 1)]);
    assert_eq!(ops("main/thread1"), [(Op::DropSender, 0)]);
    assert_eq!(ops("main/waitgroup1"), [(Op::Disconnect, 2)]);
    assert!(sequence.processes.iter().any(|it| it.kind == Kind::WaitGroup));
}

#[test]
fn outside_a_program_it_is_the_real_one() {
    in_time(|| {
        let group = WaitGroup::default();
        assert_eq!(format!("{group:?}"), "WaitGroup { count: 1 }");
        let done = std::sync::Arc::new(AtomicU32::new(0));
        for _ in 0..4 {
            let (group, done) = (group.clone(), done.clone());
            std::thread::spawn(move || {
                done.fetch_add(1, SeqCst);
                drop(group);
            });
        }
        let other = group.clone();
        let waits = std::thread::spawn(move || other.wait());
        group.wait();
        waits.join().unwrap();
        assert_eq!(done.load(SeqCst), 4);
    });
}

/// A real group that would have to wait panics in a program; the last handle need not wait.
#[test]
fn a_real_one_inside_a_program() {
    let group = std::sync::Arc::new(std::sync::Mutex::new(Some(WaitGroup::new())));
    let kept = group.lock().unwrap().clone();
    let shared = group.clone();
    let found = sequential(move || {
        let another = shared.lock().unwrap().clone().unwrap();
        let message = panic_of(|| another.wait());
        assert!(message.contains("made outside the program under test would have to wait"), "{message}");
    });
    found.assert_ok();
    drop(kept);
    let found = sequential(move || group.lock().unwrap().take().into_iter().for_each(WaitGroup::wait));
    found.assert_ok();
}

/// A handle from an execution that is over cannot be waited for in another, but it can be dropped.
#[test]
fn a_handle_of_another_execution() {
    let kept = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let shared = kept.clone();
    sequential(move || shared.lock().unwrap().extend([WaitGroup::new(), WaitGroup::new()])).assert_ok();
    let shared = kept.clone();
    let found = sequential(move || {
        let group = shared.lock().unwrap().pop();
        group.into_iter().for_each(drop);
    });
    found.assert_ok();
    let found = explore(move || {
        let group = kept.lock().unwrap().pop();
        group.into_iter().for_each(WaitGroup::wait);
    });
    let [failure] = &found.failures[..] else { panic!("{found}") };
    assert_eq!(failure.termination, Termination::ForeignObject);
}

#[test]
fn under_control_nobody_sees_the_count() {
    explore(|| assert_eq!(format!("{:?}", WaitGroup::new()), "WaitGroup { .. }")).assert_ok();
}
