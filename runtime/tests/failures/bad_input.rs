//! Programs that cannot be explored as they are: each gets a clear report.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex as Plain};

use insyn::std::sync::Mutex;
use insyn::std::sync::mpsc::{Receiver, RecvError, Sender, TryRecvError, channel};
use insyn::std::thread::{self, Builder};
use insyn::sync::{Delivery, Monitor, ReentrantLock, Semaphore, entry, port};
use insyn::{Exploration, Explorer, Termination, explore};
use insyn_test_support::only_failure;

use super::ignore;

/// The message of a panic.
fn message(payload: &(dyn std::any::Any + Send)) -> &str {
    payload.downcast_ref::<String>().map_or_else(|| payload.downcast_ref::<&str>().unwrap(), String::as_str)
}

#[test]
fn empty_closure_has_one_sequence() {
    let found = explore(|| ());
    assert_eq!((found.sequences, found.executions), (1, 1), "{found}");
    assert!(found.failures.is_empty() && found.is_complete());
    let run = Explorer::new().run(|| ());
    assert_eq!((run.termination, run.output.as_deref()), (Termination::Normal, Some("null")));
    assert_eq!(run.sequence.processes.len(), 1);
    assert!(run.sequence.processes[0].events.is_empty());
    assert_eq!(Explorer::new().replay(&run.sequence, || ()), Ok(run));
    assert_eq!(Explorer::new().sample(5, || ()).sequences, 1);
}

#[test]
fn zero_bounds_are_bounds() {
    let explorer = Explorer::new().workers(0);
    assert_eq!(explorer.explore(|| ()).sequences, 1, "no workers means one");
    assert_eq!(explorer.sample(0, || ()).executions, 0);
    let found = Explorer::new().max_steps(0).explore(|| {
        drop(Mutex::new(()).lock());
    });
    assert_eq!(found.step_bounds, 1, "{found}");
}

fn nested() -> u64 {
    explore(|| ()).sequences
}

#[test]
fn nested_exploration_is_refused() {
    let found = explore(nested);
    assert_eq!((found.sequences, found.panics), (1, 1), "{found}");
    let failure = only_failure(&found);
    assert!(failure.message.contains("cannot be started inside a program under test"), "{failure}");
    for inner in [
        (|| drop(Explorer::new().run(|| ()))) as fn(),
        || drop(Explorer::new().sample(1, || ())),
        || drop(Explorer::new().replay(&insyn::Sequence::default(), || ())),
    ] {
        assert_eq!(explore(inner).panics, 1);
    }
}

/// In a thread of the program too; and the exploration outside is not affected.
#[test]
fn nested_exploration_in_a_thread_is_refused() {
    let found = explore(|| {
        let (tx, rx) = channel();
        for n in 0..2 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n).unwrap());
        }
        let first = rx.recv().unwrap();
        assert!(first == 0 || thread::spawn(nested).join().is_err());
        ignore(rx.recv());
    });
    assert_eq!(found.sequences, 2, "{found}");
    assert!(found.failures.is_empty(), "{found}");
}

/// Deep enough for any stack of a few MiB, unless `depth` is small.
fn recurse(depth: usize) -> usize {
    let frame = std::hint::black_box([depth; 32]);
    if depth == 0 { 0 } else { recurse(depth - 1) + std::hint::black_box(frame)[7].min(1) }
}

#[test]
fn stack_overflow_is_reported() {
    let found = explore(|| {
        let deep = Builder::new().name("deep".to_string()).spawn(|| recurse(1_000_000)).unwrap();
        deep.join().unwrap()
    });
    assert_eq!(found.sequences, 1, "{found}");
    let failure = only_failure(&found);
    assert_eq!(failure.termination, Termination::StackOverflow);
    assert!(failure.message.contains("thread deep used more than 1024 KiB"), "{failure}");
    assert!(failure.message.contains("stack_size"), "{failure}");
}

#[test]
fn stack_overflow_of_the_closure_is_reported() {
    let found = explore(|| recurse(1_000_000));
    assert_eq!(only_failure(&found).termination, Termination::StackOverflow, "{found}");
}

/// The other sequences are still explored, on stacks that work as new.
#[test]
fn stack_overflow_in_some_sequences() {
    let found = explore(|| {
        let (tx, rx) = channel();
        for n in 0..3 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n).unwrap());
        }
        let order: Vec<usize> = (0..3).map(|_| rx.recv().unwrap()).collect();
        recurse(if order[0] == 1 { 1_000_000 } else { 10 })
    });
    assert_eq!((found.sequences, found.failures.len()), (6, 1), "{found}");
    assert_eq!(only_failure(&found).occurrences, 2, "{found}");
}

#[test]
fn stack_size_is_configurable() {
    let deep = || thread::spawn(|| recurse(5_000)).join().unwrap();
    let found = Explorer::new().stack_size(64 << 10).explore(deep);
    assert_eq!(only_failure(&found).termination, Termination::StackOverflow, "{found}");
    let found = Explorer::new().stack_size(16 << 20).explore(deep);
    assert!(found.failures.is_empty(), "{found}");
}

/// The runs of the program depend on a count that insyn does not control.
#[test]
fn uncontrolled_nondeterminism_is_reported() {
    let runs = AtomicUsize::new(0);
    let found = Explorer::new().workers(1).explore(move || {
        let run = runs.fetch_add(1, Ordering::Relaxed);
        let (tx, rx) = channel();
        for n in 0..2 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n).unwrap());
        }
        if run > 0 {
            drop(Mutex::new(()).lock());
        }
        ignore(rx.recv());
        ignore(rx.recv());
    });
    let failure = found.failures.iter().find(|f| f.termination == Termination::Nondeterminism);
    let failure = failure.unwrap_or_else(|| panic!("it was not noticed: {found}"));
    assert!(failure.message.contains("event 0 of main "), "{failure}");
    assert!(failure.message.contains("does not control"), "{failure}");
}

// ---- objects in the wrong place ------------------------------------------------------------------------------------

/// Keeps an object of the first execution and uses it in the second.
fn keeps<T: Send + 'static>(
    make: impl Fn() -> T + Send + Sync + 'static,
    use_it: impl Fn(&T) + Send + Sync + 'static,
) -> Exploration {
    let kept: Arc<Plain<Option<T>>> = Arc::default();
    let outside = kept.clone();
    let found = Explorer::new().workers(1).explore(move || {
        // Two sequences, so that there are two executions.
        let (tx, rx) = channel();
        for n in 0..2 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n).unwrap());
        }
        ignore((rx.recv(), rx.recv()));
        // Taken out and put back: a panic must not poison it.
        let object = kept.lock().unwrap().take();
        let first = object.is_none();
        let object = Arc::new(object.unwrap_or_else(&make));
        let used = catch_unwind(AssertUnwindSafe(|| use_it(&object)));
        *kept.lock().unwrap() = Arc::into_inner(object);
        if let Err(payload) = used {
            assert!(!first, "the first use is fine: {}", message(&*payload));
            resume_unwind(payload);
        }
    });
    // What is left of it is dropped outside of any program.
    drop(outside.lock().unwrap().take());
    found
}

#[track_caller]
fn assert_refused(found: &Exploration) {
    assert_eq!((found.sequences, found.panics), (2, 0), "{found}");
    let failure = only_failure(found);
    assert_eq!(failure.termination, Termination::ForeignObject);
    assert!(failure.message.contains("made in one execution was used in another"), "{failure}");
}

#[test]
fn object_kept_from_one_execution_to_the_next_is_refused() {
    assert_refused(&keeps(|| Mutex::new(0), |m| drop(m.lock())));
    assert_refused(&keeps(|| Mutex::new(0), |m| drop(m.try_lock())));
    assert_refused(&keeps(|| Semaphore::new(5), Semaphore::acquire));
    assert_refused(&keeps(|| Semaphore::binary(0), |s| ignore(s.try_acquire())));
    assert_refused(&keeps(|| ReentrantLock::new(0), |l| drop(l.lock())));
    assert_refused(&keeps(|| Monitor::new(0), |m| drop(m.enter())));
    assert_refused(&keeps(|| Monitor::urgent(0), |m| drop(m.enter())));
    assert_refused(&keeps(channel, |(tx, _)| ignore(tx.send(1))));
    assert_refused(&keeps(channel::<u8>, |(_, rx)| ignore(rx.try_recv())));
    assert_refused(&keeps(|| port(Delivery::Bag), |(tx, _)| ignore(tx.send(1))));
    assert_refused(&keeps(|| port::<u8>(Delivery::Fifo), |(_, rx)| ignore(rx.try_recv())));
    assert_refused(&keeps(entry::<u8, u8>, |(_, server)| {
        insyn::select! {
            accept(server) -> call => drop(call),
            default => (),
        }
    }));
}

#[test]
fn cloning_a_kept_sender_is_refused_or_harmless() {
    let found = keeps(channel::<u8>, |(tx, _)| drop(tx.clone()));
    assert_eq!(found.sequences, 2, "{found}");
}

/// After the exploration is over, no thread is at the other end of a channel, and a lock has no meaning.
#[test]
fn object_taken_out_of_an_exploration_is_refused() {
    type Taken = (Sender<u8>, Receiver<u8>, Mutex<u8>);
    let taken: Arc<Plain<Option<Taken>>> = Arc::default();
    let put = taken.clone();
    let found = explore(move || {
        let (tx, rx) = channel();
        *put.lock().unwrap() = Some((tx, rx, Mutex::new(0)));
    });
    assert!(found.failures.is_empty(), "{found}");
    let (tx, rx, lock) = taken.lock().unwrap().take().unwrap();
    assert!(tx.send(1).is_err());
    assert_eq!((rx.recv(), rx.try_recv()), (Err(RecvError), Err(TryRecvError::Disconnected)));
    let refused = catch_unwind(AssertUnwindSafe(|| drop(lock.lock()))).unwrap_err();
    assert!(message(&*refused).contains("or outside"), "{}", message(&*refused));
}

/// A real object in a program under test would block the worker for real; one that does not block works.
#[test]
fn object_made_outside_works_as_a_real_one() {
    let count = Arc::new(Mutex::new(0));
    let inside = count.clone();
    let found = Explorer::new().workers(1).explore(move || {
        let (tx, rx) = channel();
        for n in 0..3 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n).unwrap());
        }
        (0..3).for_each(|_| ignore(rx.recv()));
        *inside.lock().unwrap() += 1;
    });
    assert_eq!((found.sequences, *count.lock().unwrap()), (6, 6), "{found}");
}

#[test]
fn mixtures_of_real_and_controlled_objects_are_refused() {
    let condvar = Arc::new(insyn::std::sync::Condvar::new());
    let found = explore(move || drop(condvar.wait(Mutex::new(()).lock().unwrap())));
    assert!(only_failure(&found).message.contains("made outside the program under test"), "{found}");
    let monitors = || {
        let (mine, other) = (Monitor::new(0), Monitor::new(0));
        let condition = other.condition();
        mine.enter().signal(&condition);
    };
    assert!(only_failure(&explore(monitors)).message.contains("belongs to another monitor"));
    assert!(message(&*catch_unwind(monitors).unwrap_err()).contains("belongs to another monitor"));
}

/// The exploration would start again for an order that a port or an entry never has.
#[test]
fn messages_left_in_a_port_must_not_synchronize() {
    let in_port = || {
        let (inner, outer) = channel::<u8>();
        let (tx, rx) = port(Delivery::Bag);
        let sender = thread::spawn(move || ignore(tx.send(inner)));
        drop(rx);
        ignore(outer.recv());
        sender.join().unwrap();
    };
    let in_entry = || {
        let (inner, outer) = channel::<u8>();
        let (caller, server) = entry::<Sender<u8>, ()>();
        let client = thread::spawn(move || ignore(caller.call(inner)));
        drop(server);
        ignore(outer.recv());
        client.join().unwrap();
    };
    for (found, name) in [(explore(in_port), "port"), (explore(in_entry), "entry")] {
        let told = format!("insyn: what was still in the {name} when its receiver was dropped");
        let mut panics = found.failures.iter().flat_map(|it| &it.panics);
        assert!(panics.any(|it| it.message.contains(&told)), "{found}");
        assert!(found.failures.iter().all(|it| it.termination == Termination::Panic), "{found}");
    }
}

#[test]
fn select_that_could_never_choose_is_refused() {
    let found = explore(|| {
        let (_tx, rx) = port::<u8>(Delivery::Mailbox);
        insyn::select! {
            recv(rx) -> _n if false => (),
        }
    });
    assert!(only_failure(&found).message.contains("every guard is false"), "{found}");
    let found = explore(|| {
        let (tx, rx) = port::<u8>(Delivery::Mailbox);
        drop(tx);
        insyn::select! {
            recv(rx) -> _n => (),
        }
    });
    assert!(only_failure(&found).message.contains("every open arm is closed"), "{found}");
}

#[test]
fn too_many_permits_are_refused() {
    let found = explore(|| ignore(Semaphore::binary(2)));
    assert!(only_failure(&found).message.contains("0 or 1 permits, not 2"), "{found}");
}

#[test]
fn a_stack_that_no_system_has_is_refused() {
    let explored = std::panic::catch_unwind(|| Explorer::new().stack_size(usize::MAX).explore(|| ()));
    let payload = explored.unwrap_err();
    let message = payload.downcast_ref::<String>().unwrap();
    assert!(message.contains("no memory for a stack"), "{message}");
    assert_eq!(explore(|| ()).sequences, 1, "nothing is left behind");
}
