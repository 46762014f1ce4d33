//! A program in which insyn observes nothing is no success, and idle threads are named.

use insyn::std::sync::atomic::{AtomicU32, Ordering};
use insyn::std::sync::{Arc, Mutex, mpsc};
use insyn::std::thread;
use insyn::{Exploration, Explorer, Oversight, explore};

/// Real threads and a real channel: this code is not annotated.
fn real() -> i32 {
    let (tx, rx) = std::sync::mpsc::channel();
    let other = tx.clone();
    let threads = [
        std::thread::spawn(move || tx.send(1).expect("it is there")),
        std::thread::spawn(move || other.send(2).expect("it is there")),
    ];
    let sum = rx.iter().sum();
    for thread in threads {
        thread.join().expect("it ends");
    }
    sum
}

#[insyn::test]
#[should_panic(expected = "nothing is under control")]
fn a_test_of_real_threads_fails() -> i32 {
    real()
}

#[insyn::test(sample = 3)]
#[should_panic(expected = "`#[insyn::test(sequential)]`")]
fn a_sample_of_real_threads_fails() -> i32 {
    real()
}

#[insyn::test(sequential)]
fn a_sequential_program_passes_if_that_is_meant() -> i32 {
    real()
}

#[insyn::test(sequential)]
#[should_panic(expected = "remove `sequential`")]
fn a_program_that_synchronizes_is_not_sequential() -> i32 {
    let lock = std::sync::Mutex::new(1);
    *lock.lock().unwrap()
}

#[insyn::test(sequential = false)]
fn a_program_that_synchronizes_passes() -> i32 {
    let lock = std::sync::Mutex::new(1);
    *lock.lock().unwrap()
}

fn saw_nothing(exploration: &Exploration) -> bool {
    let saw_nothing = exploration.is_sequential();
    assert_eq!(exploration.oversight().is_some(), saw_nothing);
    saw_nothing
}

#[test]
fn an_exploration_says_whether_it_saw_anything() {
    let exploration = explore(real);
    assert_eq!((exploration.sequences, exploration.failures.len()), (1, 0));
    assert_eq!(exploration.oversight(), Some(Oversight::NothingUnderControl));
    let told = exploration.to_string();
    assert!(told.contains("put `#[insyn::instrument]` on the modules"), "{told}");
    let asserted = std::panic::catch_unwind(|| exploration.assert_ok());
    assert!(asserted.is_err());
    let meant = Explorer::new().sequential(true);
    meant.explore(real).assert_ok();
    let synchronizing = meant.explore(|| drop(Mutex::new(0).lock()));
    assert_eq!(synchronizing.oversight(), Some(Oversight::NotSequential));
    assert!(std::panic::catch_unwind(|| synchronizing.assert_ok()).is_err());
}

#[test]
fn what_counts_as_seen() {
    assert!(saw_nothing(&explore(|| ())));
    assert!(saw_nothing(&explore(|| insyn::label!("a name for a moment"))));
    assert!(saw_nothing(&explore(|| drop(Mutex::new(0)))));
    assert!(!saw_nothing(&explore(|| drop(Mutex::new(0).lock()))));
    assert!(!saw_nothing(&explore(|| AtomicU32::new(0).load(Ordering::SeqCst))));
    assert!(!saw_nothing(&explore(|| mpsc::channel::<u32>().0.send(1).is_ok())));
    // It is under control, though it does nothing.
    assert!(!saw_nothing(&explore(|| drop(thread::spawn(|| ())))));
    assert!(!saw_nothing(&Explorer::new().sample(2, || drop(Mutex::new(0).lock()))));
}

/// A program that fails before it synchronizes might have synchronized later.
#[test]
fn a_failure_is_told_as_one() {
    let exploration = explore(|| assert!(real() < 0, "early"));
    assert_eq!((exploration.panics, exploration.oversight()), (1, None));
    assert!(exploration.is_sequential());
}

#[insyn::test]
#[should_panic(expected = "early")]
fn a_test_that_fails_before_it_synchronizes() {
    panic!("early");
}

#[test]
fn threads_that_did_nothing_are_named() {
    let program = || {
        let (tx, rx) = mpsc::channel();
        let named = thread::Builder::new().name("worker".to_owned());
        let worker = named.spawn(|| 1 + 1).unwrap();
        let count = Arc::new(AtomicU32::new(0));
        let two = [1, 2].map(|n| {
            let (tx, count) = (tx.clone(), count.clone());
            thread::spawn(move || {
                // Of two threads that do the same, one does nothing after that, but not always the same one.
                if count.fetch_add(1, Ordering::SeqCst) == 0 {
                    tx.send(n).unwrap();
                }
            })
        });
        let outer = thread::spawn(|| drop(thread::spawn(|| ())));
        drop(tx);
        outer.join().unwrap();
        worker.join().unwrap();
        for thread in two {
            thread.join().unwrap();
        }
        rx.recv().unwrap()
    };
    let idle = ["main/thread1 (worker)", "main/thread4/thread1"];
    let one = Explorer::new().workers(1).explore(program);
    assert_eq!(one.idle_threads, idle);
    assert_eq!(one.sequences, 2);
    assert!(
        one.to_string()
            .ends_with("threads that did nothing insyn can see: main/thread1 (worker), main/thread4/thread1")
    );
    one.assert_ok();
    assert_eq!(Explorer::new().workers(4).explore(program), one);
    assert_eq!(Explorer::new().workers(2).sample(20, program).idle_threads, idle);
}

/// The thread is active in only one of the executions.
#[test]
fn what_a_thread_does_once_it_does() {
    for workers in [1, 2, 8] {
        let exploration = Explorer::new().workers(workers).explore(|| {
            let (tx, rx) = mpsc::channel();
            let racers = [1, 2, 3].map(|n| {
                let tx = tx.clone();
                thread::spawn(move || tx.send(n).unwrap())
            });
            let order: Vec<i32> = rx.iter().take(3).collect();
            let last = order == [3, 2, 1];
            let watcher = thread::spawn(move || {
                if last {
                    tx.send(4).unwrap();
                }
            });
            for racer in racers {
                racer.join().unwrap();
            }
            watcher.join().unwrap();
        });
        assert_eq!((exploration.sequences, &exploration.idle_threads[..]), (6, &[][..]));
    }
}

#[test]
fn many_threads_that_did_nothing_are_counted() {
    let exploration = explore(|| (0..10).for_each(|_| drop(thread::spawn(|| ()).join())));
    assert_eq!(exploration.idle_threads.len(), 10);
    assert!(exploration.idle_threads.is_sorted_by_key(|name| name.len()), "{:?}", exploration.idle_threads);
    assert!(exploration.to_string().ends_with("main/thread7, main/thread8 and 2 more"), "{exploration}");
}
