//! Thread-locals under control.

use std::cell::{Cell, RefCell};

use insyn::std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use insyn::std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use insyn::std::thread;
use insyn::std::time::{Duration, Instant};
use insyn::{Explorer, explore};

use super::{counts, explored, panic_of, steady_outputs};

insyn::std::thread_local! {
    static COUNT: Cell<u32> = const { Cell::new(0) };
    static SENDER: RefCell<Option<Sender<u32>>> = RefCell::new(None);
    static NOISY: RefCell<Option<Noisy>> = const { RefCell::new(None) };
    static RECURSIVE: Cell<u32> = {
        if COUNT.replace(1) == 0 {
            RECURSIVE.set(5);
        }
        Cell::new(1)
    };
}

/// Every thread of every execution has its own.
#[test]
fn each_thread_starts_anew() {
    let count = || {
        COUNT.set(COUNT.get() + 1);
        COUNT.get()
    };
    let outputs = steady_outputs(move || {
        let mine = count();
        let others = thread::scope(|s| [s.spawn(count).join().unwrap(), s.spawn(count).join().unwrap()]);
        (mine, others, count())
    });
    assert_eq!(outputs, counts([("[1,[1,1],2]", 1)]));
    assert_eq!(COUNT.get(), 0, "outside there is another");
}

/// A sender in a thread-local is dropped when its thread ends, which is an event like any other.
#[test]
fn destructors_are_part_of_the_program() {
    let (found, outputs) = explored(Explorer::new(), || {
        let (tx, rx) = channel();
        let holder = thread::spawn(move || {
            tx.send(1).unwrap();
            SENDER.set(Some(tx));
        });
        let first = rx.recv();
        let second = rx.try_recv();
        holder.join().unwrap();
        (first.is_ok(), format!("{second:?}"), rx.try_recv().is_err())
    });
    found.assert_ok();
    let expected = [("[true,\"Err(Disconnected)\",true]", 1), ("[true,\"Err(Empty)\",true]", 1)];
    assert_eq!(outputs, counts(expected));
}

/// Whoever joins a thread finds its thread-locals dropped.
#[test]
fn join_comes_after_destructors() {
    let is_closed = |rx: &Receiver<u32>| rx.try_recv() == Err(TryRecvError::Disconnected);
    let joined = steady_outputs(move || {
        let (tx, rx) = channel::<u32>();
        thread::spawn(|| SENDER.set(Some(tx))).join().unwrap();
        is_closed(&rx)
    });
    assert_eq!(joined, counts([("true", 1)]));
    let in_scope = steady_outputs(move || {
        let (tx, rx) = channel::<u32>();
        thread::scope(|s| s.spawn(|| SENDER.set(Some(tx))).join().unwrap());
        is_closed(&rx)
    });
    assert_eq!(in_scope, counts([("true", 1)]));
}

/// A scope may end, and a thread count as finished, before its thread-locals are dropped; but neither before its closure has
/// ended. So it is with real threads.
#[test]
fn scope_may_end_before_destructors() {
    let is_closed = |rx: &Receiver<u32>| rx.try_recv() == Err(TryRecvError::Disconnected);
    let program = move || {
        let (tx, rx) = channel::<u32>();
        let ended = AtomicBool::new(false);
        thread::scope(|s| {
            s.spawn(|| {
                SENDER.set(Some(tx));
                ended.store(true, SeqCst);
            });
        });
        assert!(ended.load(SeqCst));
        is_closed(&rx)
    };
    assert_eq!(steady_outputs(program), counts([("false", 1), ("true", 1)]));
    assert_eq!(Explorer::new().brute_force(10_000, program).map(|all| all.sequences), Some(2));
    let finished = move || {
        let (tx, rx) = channel::<u32>();
        let thread = thread::spawn(|| SENDER.set(Some(tx)));
        let is_finished = thread.is_finished();
        let before = is_closed(&rx);
        thread.join().unwrap();
        (is_finished, before, is_closed(&rx))
    };
    let found: Vec<String> = steady_outputs(finished).into_keys().collect();
    assert_eq!(found, ["[false,false,true]", "[false,true,true]", "[true,false,true]", "[true,true,true]"]);
}

/// What the thread-locals of a thread sleep is no time of those who did not wait for them.
#[test]
fn scope_does_not_sleep_with_destructors() {
    struct Slow;
    impl Drop for Slow {
        fn drop(&mut self) {
            thread::sleep(Duration::from_secs(10));
        }
    }
    insyn::std::thread_local! { static SLOW: Slow = const { Slow }; }
    let program = || {
        let start = Instant::now();
        thread::scope(|s| {
            s.spawn(|| {
                SLOW.with(|_| ());
                thread::sleep(Duration::from_secs(1));
            });
        });
        start.elapsed().as_secs()
    };
    assert_eq!(steady_outputs(program), counts([("1", 1)]));
}

struct Noisy(&'static str);

impl Drop for Noisy {
    fn drop(&mut self) {
        assert!(NOISY.try_with(|_| ()).is_err(), "it is being dropped");
        assert!(panic_of(|| NOISY.with(|_| ())).starts_with("cannot access a Thread Local Storage value"));
        match self.0 {
            "panics" => panic!("in a destructor"),
            _ => COUNT.set(COUNT.get() + 1),
        }
    }
}

#[test]
fn destructors_may_use_what_is_left() {
    explore(|| thread::spawn(|| NOISY.set(Some(Noisy("counts")))).join().unwrap()).assert_ok();
    Explorer::new().sequential(true).explore(|| NOISY.set(Some(Noisy("counts")))).assert_ok();
}

#[test]
fn panic_in_a_destructor_is_reported() {
    let found = explore(|| drop(thread::spawn(|| NOISY.set(Some(Noisy("panics"))))));
    assert_eq!((found.sequences, found.panics), (1, 1), "{found}");
    assert!(found.to_string().contains("in a destructor"), "{found}");
}

/// Threads that are blocked when the program is over drop their thread-locals, too.
#[test]
fn blocked_threads_drop_theirs() {
    let dropped = std::sync::Arc::new(std::sync::atomic::AtomicU32::new(0));
    struct Counted(std::sync::Arc<std::sync::atomic::AtomicU32>);
    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
    }
    insyn::std::thread_local!(static COUNTED: RefCell<Option<Counted>> = const { RefCell::new(None) });
    let counter = dropped.clone();
    let found = explore(move || {
        for _ in 0..2 {
            let counted = Counted(counter.clone());
            thread::spawn(move || {
                COUNTED.set(Some(counted));
                thread::park();
            });
        }
    });
    assert_eq!((found.deadlocks, found.leaked), (1, 0), "{found}");
    // A failure is run once more.
    assert_eq!(dropped.load(std::sync::atomic::Ordering::Relaxed), 2 * 2);
}

/// An initializer that uses its own variable: the value it leaves there is replaced, as in the standard library.
#[test]
fn initializers_replace_what_they_find() {
    assert_eq!(RECURSIVE.get(), 1);
    Explorer::new().sequential(true).explore(|| assert_eq!(RECURSIVE.get(), 1)).assert_ok();
}
