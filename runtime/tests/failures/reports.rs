//! Deadlocks, panics and bounds: which threads, where, and in which sequence.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{PoisonError, TryLockError};
use std::time::Duration;

use insyn::specs::file;
use insyn::std::sync::mpsc::{channel, sync_channel};
use insyn::std::sync::{Arc, Condvar, Mutex};
use insyn::std::thread::{self, Builder};
use insyn::sync::{Caller, Entry, entry};
use insyn::{Bound, Explorer, Termination, explore};

use super::{assert_line, ignore};
use insyn_test_support::only_failure;
use insyn_test_support::programs::others;

const SOURCE: &str = include_str!("reports.rs");

/// Two threads take two locks in opposite orders.
fn opposite_orders() {
    let a = Arc::new(Mutex::new(()));
    let b = Arc::new(Mutex::new(()));
    let (a2, b2) = (a.clone(), b.clone());
    let left = Builder::new().name("left".to_string()).spawn(move || {
        let _a = a2.lock().unwrap();
        let _b = b2.lock().unwrap(); // left waits here
    });
    let right = Builder::new().name("right".to_string()).spawn(move || {
        let _b = b.lock().unwrap();
        let _a = a.lock().unwrap(); // right waits here
    });
    left.unwrap().join().unwrap(); // main waits here
    right.unwrap().join().unwrap();
}

#[test]
fn deadlock_names_the_circle() {
    let found = explore(opposite_orders);
    assert_eq!((found.deadlocks, found.panics), (1, 0), "{found}");
    assert!(found.is_complete());
    let failure = only_failure(&found);
    assert_eq!((failure.termination, failure.occurrences), (Termination::Deadlock, 1));
    assert_eq!(failure.message, "3 of 3 threads can never go on");
    let who: Vec<(&str, &str)> =
        failure.blocked.iter().map(|b| (b.thread.as_str(), b.waits_for.as_str())).collect();
    assert_eq!(
        who,
        [
            ("main", "the end of thread left"),
            ("left", "lock on main/mutex2, held by thread right"),
            ("right", "lock on main/mutex1, held by thread left"),
        ]
    );
    for blocked in &failure.blocked {
        let at = blocked.location.as_ref().expect("the operation has a place");
        assert!(at.file.ends_with("failures/reports.rs"), "{at}");
        assert_line(SOURCE, at.line, &format!("// {} waits here", blocked.thread));
    }
    let mut circle: Vec<&str> = failure.cycle.iter().map(|&i| failure.blocked[i].thread.as_str()).collect();
    circle.sort_unstable();
    assert_eq!(circle, ["left", "right"]);
    let text = failure.to_string();
    assert!(text.starts_with("deadlock in 1 of 3 interleavings (shortest: 4 steps)\n"), "{text}");
    let cause = "opposite lock order: left takes mutex1 then mutex2, right takes mutex2 then mutex1";
    assert!(text.contains(cause), "{text}");
    assert!(text.contains("⛔ held by right"), "the sequence is shown: {text}");
}

/// Two servers that call each other before they have replied.
#[test]
fn servers_that_call_each_other_are_a_circle() {
    let found = explore(|| {
        let (to_left, at_left) = entry::<u32, ()>();
        let (to_right, at_right) = entry::<u32, ()>();
        let serve = |name: &str, at: Entry<u32, ()>, other: Caller<u32, ()>| {
            let body = move || {
                let call = at.accept().unwrap();
                ignore(other.call(2));
                call.reply(());
            };
            ignore(Builder::new().name(name.to_string()).spawn(body));
        };
        serve("left", at_left, to_right.clone());
        serve("right", at_right, to_left.clone());
        thread::spawn(move || ignore(to_right.call(1)));
        ignore(to_left.call(1));
    });
    let stuck = found.failures.iter().find(|f| f.termination == Termination::Deadlock);
    let stuck = stuck.unwrap_or_else(|| panic!("{found}"));
    let text = stuck.to_string();
    let circle = ["left waits for right, right waits for left", "right waits for left, left waits for right"];
    assert!(circle.iter().any(|it| text.contains(&format!("circular wait: {it}"))), "{text}");
}

#[test]
fn deadlock_without_a_circle() {
    let found = explore(|| {
        let (tx, rx) = channel::<()>();
        let (_keep, waiter) = (tx, thread::spawn(move || rx.recv()));
        let _ = waiter.join();
    });
    assert_eq!((found.sequences, found.deadlocks), (1, 1), "{found}");
    let failure = only_failure(&found);
    assert!(failure.cycle.is_empty());
    let waits: Vec<&str> = failure.blocked.iter().map(|b| b.waits_for.as_str()).collect();
    assert_eq!(waits, ["the end of thread main/thread1", "a message on main/channel1"]);
}

#[test]
fn self_deadlock_is_a_circle_of_one() {
    let found = explore(|| {
        let lock = Mutex::new(0);
        let _once = lock.lock().unwrap();
        let _twice = lock.lock().unwrap();
    });
    let failure = only_failure(&found);
    assert_eq!((failure.termination, &failure.cycle[..]), (Termination::Deadlock, &[0][..]));
    assert_eq!(failure.blocked[0].thread, "main");
}

/// A notification that may come before a thread waits for it.
#[test]
fn lost_notification_is_a_deadlock() {
    let found = explore(|| {
        let pair = Arc::new((Mutex::new(()), Condvar::new()));
        let other = pair.clone();
        thread::spawn(move || other.1.notify_one());
        drop(pair.1.wait(pair.0.lock().unwrap()).unwrap());
    });
    assert_eq!((found.sequences, found.deadlocks), (2, 1), "{found}");
    assert_eq!(only_failure(&found).blocked[0].waits_for, "a notification of main/condvar1");
}

#[test]
fn thread_blocked_after_the_closure_returned_is_a_deadlock() {
    let program = || {
        let (tx, rx) = sync_channel::<()>(0);
        thread::spawn(move || {
            let _rx = rx;
            let _ = tx.send(());
        });
    };
    let found = explore(program);
    assert_eq!((found.sequences, found.deadlocks), (1, 1), "{found}");
    let found = Explorer::new().ignore_detached(true).explore(program);
    assert_eq!((found.sequences, found.deadlocks, found.failures.len()), (1, 0, 0), "{found}");
}

/// A thread that could still be joined is not detached, and neither is the closure itself.
#[test]
fn ignore_detached_ignores_nothing_else() {
    let explorer = Explorer::new().ignore_detached(true);
    let found = explorer.explore(|| {
        let (_tx, rx) = channel::<()>();
        let blocked = thread::spawn(move || rx.recv());
        let _ = blocked.join();
    });
    assert_eq!(found.deadlocks, 1, "{found}");
    let found = explorer.explore(|| {
        let (_tx, rx) = channel::<()>();
        let _ = rx.recv();
    });
    assert_eq!(found.deadlocks, 1, "{found}");
}

#[test]
fn panic_report_names_thread_message_and_place() {
    let found = explore(|| {
        let (tx, rx) = channel();
        let senders = [0, 1].map(|n| {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n).unwrap())
        });
        senders.into_iter().for_each(|s| s.join().unwrap());
        let checker = Builder::new().name("checker".to_string());
        checker.spawn(move || assert_eq!(rx.recv(), Ok(0), "out of order")).unwrap(); // checker panics here
    });
    assert_eq!((found.sequences, found.panics, found.deadlocks), (2, 1, 0), "{found}");
    let failure = only_failure(&found);
    assert_eq!(failure.termination, Termination::Panic);
    let panic = &failure.panics[0];
    assert_eq!(panic.thread, "checker");
    assert!(panic.message.contains("out of order"), "{}", panic.message);
    assert_eq!(failure.message, panic.message);
    let at: Vec<&str> = panic.location.as_deref().expect("panics have a place").rsplitn(3, ':').collect();
    assert!(at[2].ends_with("failures/reports.rs"), "{at:?}");
    assert_line(SOURCE, at[1].parse().unwrap(), "// checker panics here");
    let report = failure.to_string();
    assert!(report.starts_with("panic in 1 of 2 interleavings (shortest: 7 steps)\n"), "{report}");
    assert!(report.contains("✗ panics") && report.contains("  assertion `left == right` failed"), "{report}");
}

/// A report is for terminals: nothing in it affects them. The file keeps every character.
#[test]
fn hostile_messages_and_names_are_shown_and_do_nothing() {
    let hostile = "\u{1b}[31m🦀 \"quoted\" \u{202e}turned";
    let shown = "\\u{1b}[31m🦀 \"quoted\" \\u{202e}turned";
    let long = "x".repeat(10_000);
    let message = format!("{hostile}\nsecond line {long}");
    let said = message.clone();
    let found = explore(move || {
        let said = said.clone();
        Builder::new().name(hostile.to_string()).spawn(move || panic!("{said}")).unwrap();
    });
    let failure = only_failure(&found);
    assert_eq!((failure.message.as_str(), failure.panics[0].thread.as_str()), (message.as_str(), hostile));
    let report = failure.to_string();
    let harmless = |text: &str| text.chars().all(|c| c == '\n' || !insyn::sequences::harmless::acts(c));
    assert!(harmless(&report), "{report}");
    let first = format!("panic in 1 of 1 interleaving (shortest: 0 steps)\n  {shown}\n  second line xxx");
    assert!(report.starts_with(&first), "{report}");
    assert!(report.contains("more characters)\n") && report.len() < 3_000, "{report}");
    assert!(report.contains("\n  …}[31m🦀 \"quoted\" \\u{202e}turned\n"), "{report}");
    assert_eq!(report.matches("second line").count(), 1, "it is said once: {report}");
    let file = failure.to_file().write().unwrap();
    assert_eq!(file::read(&file).unwrap().about["message"], message);

    let name = format!("{hostile}{long}");
    let found = explore(move || {
        let lock = Arc::new(Mutex::new(()));
        let held = lock.lock().unwrap();
        let other = lock.clone();
        let waits = move || drop(other.lock());
        Builder::new().name(name.clone()).spawn(waits).unwrap().join().unwrap();
        drop(held);
    });
    let report = only_failure(&found).to_string();
    assert!(harmless(&report) && report.lines().all(|line| line.chars().count() < 250), "{report}");
    assert!(report.contains("⛔ waits for …xxx"), "{report}");
}

/// A run that panicked has no output; the others have what they returned.
#[test]
fn panic_of_the_closure() {
    let found = explore(|| -> u32 { panic!("at once") });
    assert_eq!((found.sequences, found.panics), (1, 1), "{found}");
    let failure = only_failure(&found);
    assert_eq!((failure.message.as_str(), failure.panics[0].thread.as_str()), ("at once", "main"));
    let run = Explorer::new().run(|| -> u32 { panic!("at once") });
    assert_eq!((run.output, run.termination), (None, Termination::Panic));
}

#[test]
fn panics_at_one_place_are_one_failure() {
    let found = explore(|| {
        let (tx, rx) = channel();
        for n in 0..3 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n).unwrap());
        }
        drop(tx);
        let order: Vec<i32> = rx.iter().collect();
        assert!(order[0] == 0, "first is {}", order[0]);
        assert!(order != [0, 2, 1], "wrong order");
    });
    assert_eq!((found.sequences, found.panics), (6, 5), "{found}");
    let occurrences: Vec<u64> = found.failures.iter().map(|f| f.occurrences).collect();
    assert_eq!(occurrences.len(), 2, "{found}");
    assert_eq!(occurrences.iter().sum::<u64>(), 5);
    assert!(occurrences.contains(&4) && occurrences.contains(&1), "{found}");
}

// ---- panics and locks, joins, scopes: as in std --------------------------------------------------------------------

/// What a program observes of a lock whose holder panicked; the same for real threads.
fn poisoned_lock() -> Vec<bool> {
    let pair = Arc::new((Mutex::new(1), Condvar::new()));
    let other = pair.clone();
    let joined = thread::spawn(move || {
        let mut held = other.0.lock().unwrap();
        *held = 2;
        panic!("while holding the lock");
    })
    .join();
    let (lock, condvar) = &*pair;
    let mut seen = vec![joined.is_err(), lock.is_poisoned()];
    seen.push(lock.lock().map_err(PoisonError::into_inner).is_err_and(|guard| *guard == 2));
    seen.push(matches!(lock.try_lock(), Err(TryLockError::Poisoned(_))));
    let notifier = {
        let pair = pair.clone();
        thread::spawn(move || {
            *pair.0.lock().unwrap_or_else(PoisonError::into_inner) = 3;
            pair.1.notify_all();
        })
    };
    let mut guard = lock.lock().unwrap_or_else(PoisonError::into_inner);
    if *guard == 2 {
        guard = match condvar.wait_while(guard, |n| *n == 2) {
            Ok(guard) => guard,
            Err(poison) => poison.into_inner(),
        };
    }
    seen.push(*guard == 3);
    drop(guard);
    notifier.join().unwrap();
    lock.clear_poison();
    seen.push(lock.lock().is_ok());
    seen.push(lock.try_lock().is_ok());
    seen
}

#[test]
fn panic_while_holding_a_lock_poisons_it() {
    let run = Explorer::new().run(poisoned_lock);
    assert_eq!(run.termination, Termination::Normal, "{run:?}");
    assert_eq!(run.output.unwrap(), serde_json::to_string(&[true; 7]).unwrap());
    let found = explore(|| assert_eq!(poisoned_lock(), [true; 7]));
    assert!(found.failures.is_empty() && found.sequences > 1, "{found}");
}

/// A lock that is taken and released while its thread unwinds is not poisoned.
#[test]
fn lock_taken_during_unwinding_is_not_poisoned() {
    struct Count(Arc<Mutex<u32>>);
    impl Drop for Count {
        fn drop(&mut self) {
            *self.0.lock().unwrap() += 1;
        }
    }
    let found = explore(|| {
        let count = Arc::new(Mutex::new(0));
        let counter = Count(count.clone());
        let joined = thread::spawn(move || {
            let _counter = counter;
            panic!("unwinds");
        })
        .join();
        assert!(joined.is_err());
        assert!(!count.is_poisoned());
        assert_eq!(*count.lock().unwrap(), 1);
    });
    assert!(found.failures.is_empty(), "{found}");
}

/// While one thread unwinds, others are not panicking: what they hold stays unpoisoned.
#[test]
fn panic_of_one_thread_poisons_nothing_of_another() {
    struct Slow(Arc<Mutex<()>>);
    impl Drop for Slow {
        fn drop(&mut self) {
            drop(self.0.lock());
        }
    }
    let found = explore(|| {
        let (mine, theirs) = (Arc::new(Mutex::new(())), Arc::new(Mutex::new(())));
        let slow = Slow(mine.clone());
        let unwinding = thread::spawn(move || {
            let _slow = slow;
            panic!("unwinds slowly");
        });
        let other = {
            let (mine, theirs) = (mine.clone(), theirs.clone());
            thread::spawn(move || {
                let _held = theirs.lock().unwrap();
                drop(mine.lock());
            })
        };
        assert!(unwinding.join().is_err());
        other.join().unwrap();
        assert!(!theirs.is_poisoned() && !mine.is_poisoned());
    });
    assert!(found.failures.is_empty(), "{found}");
    assert_eq!(found.sequences, 2, "{found}");
}

#[test]
fn join_passes_a_panic_on() {
    let found = explore(|| {
        let joined = thread::spawn(|| std::panic::panic_any(42_u8)).join();
        assert_eq!(joined.unwrap_err().downcast_ref::<u8>(), Some(&42));
        let number = thread::spawn(|| 7).join().unwrap();
        let joined = thread::spawn(move || -> u32 { panic!("number {number}") }).join();
        assert_eq!(joined.unwrap_err().downcast_ref::<String>().unwrap(), "number 7");
    });
    assert!(found.failures.is_empty(), "a panic that a join was told of is no failure: {found}");
}

#[test]
fn panic_that_nobody_joins_is_a_failure() {
    let found = explore(|| drop(thread::spawn(|| panic!("unheard"))));
    assert_eq!((found.panics, only_failure(&found).message.as_str()), (1, "unheard"), "{found}");
}

#[test]
fn panic_that_is_caught_is_no_failure() {
    let found = explore(|| {
        let caught = catch_unwind(|| panic!("caught"));
        assert!(caught.is_err());
    });
    assert!(found.failures.is_empty(), "{found}");
}

#[test]
fn unwrapped_join_is_reported_with_both_panics() {
    let found = explore(|| thread::spawn(|| -> u32 { panic!("first") }).join().unwrap());
    let failure = only_failure(&found);
    let who: Vec<&str> = failure.panics.iter().map(|p| p.thread.as_str()).collect();
    assert_eq!(who, ["main/thread1", "main"], "{found}");
    assert_eq!(failure.panics[0].message, "first");
}

#[test]
fn scope_passes_a_panic_on() {
    let found = explore(|| {
        let mut finished = false;
        thread::scope(|s| {
            s.spawn(|| panic!("inside"));
            s.spawn(|| finished = true);
        });
    });
    let failure = only_failure(&found);
    assert_eq!(failure.termination, Termination::Panic);
    let messages: Vec<&str> = failure.panics.iter().map(|p| p.message.as_str()).collect();
    assert_eq!(messages, ["inside", "a scoped thread panicked"]);
}

#[test]
fn scope_waits_for_all_and_forgives_joined_panics() {
    let found = explore(|| {
        let mut finished = false;
        let told = thread::scope(|s| {
            let panicking = s.spawn(|| panic!("inside"));
            s.spawn(|| finished = true);
            panicking.join().is_err()
        });
        assert!(told && finished);
        let again =
            catch_unwind(AssertUnwindSafe(|| thread::scope(|s| drop(s.spawn(|| panic!("unjoined"))))));
        assert!(again.is_err());
    });
    assert!(found.failures.is_empty(), "{found}");
}

// ---- bounds --------------------------------------------------------------------------------------------------------

#[test]
fn step_bound_is_reported() {
    fn never_ends() {
        let (tx, _rx) = channel();
        loop {
            tx.send(()).unwrap();
        }
    }
    let found = Explorer::new().max_steps(100).explore(never_ends);
    assert_eq!((found.sequences, found.step_bounds, found.deadlocks), (1, 1, 0), "{found}");
    assert!(!found.is_complete());
    let failure = only_failure(&found);
    assert_eq!(failure.termination, Termination::StepBound);
    assert!(failure.message.contains("100 steps") && failure.message.contains("max_steps"), "{failure}");
    assert!(failure.message.contains("reports.rs:"), "where it was: {failure}");
    assert!(found.to_string().contains("cut at the bound on steps"), "{found}");
}

fn polls() {
    let (tx, rx) = channel();
    thread::spawn(move || tx.send(()));
    while rx.try_recv().is_err() {
        thread::yield_now();
    }
}

/// A loop that polls and yields waits for a change: the message is there at once, or after one poll.
#[test]
fn polling_loop_waits() {
    let found = explore(polls);
    assert_eq!((found.sequences, found.failures.len()), (2, 0), "{found}");
}

/// If it is not made to wait, it has a behaviour for every number of iterations; the bound ends it.
#[test]
fn impatient_polling_loop_ends_at_the_step_bound() {
    let found = Explorer::new().max_steps(30).patient_polling(false).explore(polls);
    assert!(found.step_bounds > 0 && found.sequences > found.step_bounds, "{found}");
    assert_eq!(found.deadlocks + found.panics, 0, "{found}");
}

#[test]
fn circle_beside_a_running_thread_is_a_local_deadlock() {
    let found = Explorer::new().max_steps(60).explore(|| {
        let (tx, _rx) = channel();
        let running = thread::spawn(move || {
            loop {
                tx.send(()).unwrap();
                thread::yield_now();
            }
        });
        opposite_orders();
        running.join().unwrap();
    });
    assert!(found.deadlocks > 0, "{found}");
    let local = found.failures.iter().find(|f| f.termination == Termination::LocalDeadlock);
    let local = local.unwrap_or_else(|| panic!("no local deadlock: {found}"));
    let mut circle: Vec<&str> = local.cycle.iter().map(|&i| local.blocked[i].thread.as_str()).collect();
    circle.sort_unstable();
    assert_eq!(circle, ["left", "right"], "{local}");
    assert!(!found.is_complete());
}

/// A thread that waits for a lock whose holder ended without releasing it, and one that waits for that thread, are blocked.
#[test]
fn lock_that_is_never_given_back_is_a_local_deadlock() {
    let found = Explorer::new().max_steps(3000).max_executions(1).explore(|| {
        let (tx, _rx) = channel();
        let lock = Arc::new(Mutex::new(()));
        let kept = Arc::clone(&lock);
        thread::spawn(move || std::mem::forget(kept.lock())).join().unwrap();
        let waits =
            thread::Builder::new().name("waits".to_string()).spawn(move || drop(lock.lock())).unwrap();
        thread::Builder::new().name("joins".to_string()).spawn(move || waits.join()).unwrap();
        while tx.send(()).is_ok() {}
    });
    let failure = only_failure(&found);
    assert_eq!(failure.termination, Termination::LocalDeadlock, "{found}");
    let blocked: Vec<&str> = failure.blocked.iter().map(|b| b.thread.as_str()).collect();
    assert_eq!((blocked, failure.cycle.len()), (vec!["waits", "joins"], 0), "{failure}");
}

#[test]
fn bounds_on_counts_and_time_are_reported() {
    let program = others::fan_in(5);
    let found = Explorer::new().max_sequences(7).explore(program);
    assert_eq!((found.sequences, found.bound), (7, Some(Bound::Sequences)), "{found}");
    let found = Explorer::new().max_executions(9).explore(others::fan_in(5));
    assert_eq!((found.executions, found.bound), (9, Some(Bound::Executions)), "{found}");
    assert!(found.to_string().contains("not complete: the bound on executions was reached"), "{found}");
    let found = Explorer::new().time_limit(Duration::ZERO).explore(others::fan_in(9));
    assert_eq!(found.bound, Some(Bound::Time), "{found}");
    assert!(found.sequences < 362_880 && !found.is_complete(), "{found}");
    // The clock is read after each execution that takes long.
    let slow = || std::thread::sleep(Duration::from_millis(20));
    let found = Explorer::new().workers(1).time_limit(Duration::from_millis(50)).explore(move || {
        slow();
        others::fan_in(5)()
    });
    assert_eq!(found.bound, Some(Bound::Time), "{found}");
    assert!(found.executions <= 3, "{found}");
    // A bound that is not reached has no effect.
    let found = Explorer::new().max_sequences(120).max_executions(120).explore(others::fan_in(5));
    assert_eq!((found.sequences, found.bound), (120, None), "{found}");
}

#[test]
fn stops_at_the_first_failure() {
    let program = || {
        let (tx, rx) = channel();
        for n in 0..4 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n).unwrap());
        }
        drop(tx);
        let order: Vec<i32> = rx.iter().collect();
        assert!(order[3] != 1, "last is 1");
    };
    let all = explore(program);
    assert_eq!((all.sequences, all.panics), (24, 6), "{all}");
    let first = Explorer::new().workers(4).stop_at_first_failure(true).explore(program);
    assert_eq!((first.panics, first.bound), (1, Some(Bound::FirstFailure)), "{first}");
    assert!(first.sequences < 24 && !first.is_complete(), "{first}");
    assert_eq!(first.failures[0].sequence, all.failures[0].sequence, "the first is the first of all");
    assert_eq!((only_failure(&first).occurrences, only_failure(&all).occurrences), (1, 6));
}

/// The failing runs have different numbers of events; the report shows the shortest.
#[test]
fn shortest_failure_is_shown() {
    fn program() {
        let (tx, rx) = channel();
        for n in 0..3_usize {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n).unwrap());
        }
        let (extra, _unread) = channel();
        let first = rx.recv().unwrap();
        for _ in 0..(2 - first) {
            extra.send(()).unwrap();
        }
        panic!("always");
    }
    let lengths: Arc<std::sync::Mutex<Vec<usize>>> = Arc::default();
    let seen = lengths.clone();
    let observed = Explorer::new().shortest_failure(false).observe(move |ended| {
        seen.lock().unwrap().push(ended.failure().expect("every run fails").steps);
    });
    let plain = observed.explore(program);
    let least = *lengths.lock().unwrap().iter().min().unwrap();
    assert!(only_failure(&plain).steps > least, "the first is not the shortest: {plain}");
    for workers in [1, 4] {
        let shortest = Explorer::new().workers(workers).explore(program);
        assert_eq!(only_failure(&shortest).steps, least, "{shortest}");
        assert_eq!(only_failure(&shortest).occurrences, only_failure(&plain).occurrences);
    }
}
