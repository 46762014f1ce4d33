//! Panics: which threads are in the middle of one, and which have caught theirs, while others wait in the middle of theirs.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex as Plain};

use insyn::std::panic::{self, AssertUnwindSafe, catch_unwind};
use insyn::std::sync::Mutex;
use insyn::std::sync::mpsc::channel;
use insyn::std::thread;
use insyn::{Explorer, Termination, explore};

use super::alike::{alike, log};
use super::{counts, panic_of, steady_outputs};

/// The same code as one function on the standard library and one on the replacements; both return what they have logged.
macro_rules! twice {
    ($theirs:ident, $ours:ident, |$log:ident| $body:block) => {
        fn $theirs() -> Vec<String> {
            use ::std as lib;
            let mut $log = Vec::new();
            $body
            $log
        }
        fn $ours() -> Vec<String> {
            use ::insyn::std as lib;
            let mut $log = Vec::new();
            $body
            $log
        }
    };
}

/// Does something when it is dropped.
struct OnDrop<F: FnMut()>(F);

impl<F: FnMut()> Drop for OnDrop<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

// One thread waits in a destructor in the middle of a panic, with a lock, while another panics in various ways.
twice!(theirs_in_the_middle, ours_in_the_middle, |log| {
    use lib::panic::{AssertUnwindSafe, catch_unwind, panic_any, resume_unwind};
    use lib::sync::mpsc::channel;
    use lib::sync::{Arc, Mutex, RwLock};
    use lib::thread::{self, panicking};
    let (inside, is_inside) = channel();
    let (go_on, may_go_on) = channel::<()>();
    let held = Arc::new(Mutex::new(()));
    let also_held = Arc::clone(&held);
    let waits = thread::spawn(move || {
        let mut log = Vec::new();
        let caught = catch_unwind(AssertUnwindSafe(|| {
            let _held = also_held.lock().unwrap();
            let _waits = OnDrop(|| {
                inside.send(()).unwrap();
                may_go_on.recv().unwrap();
                log!(log, panicking());
            });
            panic!("in the middle of it");
        }));
        log!(log, caught.is_err(), panicking());
        log
    });
    is_inside.recv().unwrap();

    // A panic with locks that is caught: locks taken before it are poisoned, and then the panic is over.
    let (mutex, rwlock, read) = (Mutex::new(()), RwLock::new(()), RwLock::new(()));
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let _guards = (mutex.lock().unwrap(), rwlock.write().unwrap(), read.read().unwrap());
        log!(log, panicking());
        let _asks = OnDrop(|| log!(log, panicking()));
        panic!("with locks");
    }));
    log!(log, caught.is_err(), panicking(), mutex.is_poisoned(), rwlock.is_poisoned(), read.is_poisoned());

    // Locks taken afterwards are not.
    let later = Mutex::new(());
    drop(later.lock());
    log!(log, later.is_poisoned());

    // A lock that is both taken and released in the middle of a panic is not; a panic inside that is caught does not end it.
    let (across, between, nested) = (Mutex::new(()), Mutex::new(()), Mutex::new(()));
    let mut guard = Some(across.lock().unwrap());
    let mut kept = None;
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let _drops = OnDrop(|| {
            drop(between.lock());
            let inner = catch_unwind(AssertUnwindSafe(|| {
                let _nested = nested.lock().unwrap();
                panic!("a second one");
            }));
            log!(log, inner.is_err(), panicking());
            let fine = catch_unwind(|| 5);
            log!(log, fine.ok(), panicking());
            drop(guard.take());
            kept = Some(between.lock());
        });
        panic!("a first one");
    }));
    drop(kept);
    log!(log, caught.is_err(), panicking());
    log!(log, across.is_poisoned(), between.is_poisoned(), nested.is_poisoned());

    // A panic that does not call the hook, and one with any payload.
    let (resumed, any) = (Mutex::new(()), Mutex::new(()));
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let _guard = resumed.lock().unwrap();
        resume_unwind(Box::new(7_u8));
    }));
    log!(log, caught.unwrap_err().downcast::<u8>().ok(), panicking(), resumed.is_poisoned());
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let _guard = any.lock().unwrap();
        panic_any(8_u8);
    }));
    log!(log, caught.unwrap_err().downcast::<u8>().ok(), panicking(), any.is_poisoned());

    // A scope joins its threads between a panic and going on with it.
    let (of_scope, of_thread) = (Mutex::new(()), Mutex::new(()));
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let _guard = of_scope.lock().unwrap();
        thread::scope(|s| {
            s.spawn(|| drop(of_thread.lock()));
            panic!("in a scope");
        });
    }));
    log!(log, caught.is_err(), panicking(), of_scope.is_poisoned(), of_thread.is_poisoned());

    // Another thread's panic does not affect this one.
    let other = thread::spawn(move || {
        let before = panicking();
        let _guard = later.lock().unwrap();
        resume_unwind(Box::new(before));
    });
    log!(log, other.join().unwrap_err().downcast::<bool>().ok(), panicking());

    log!(log, held.try_lock().is_err(), held.is_poisoned());
    go_on.send(()).unwrap();
    log!(log, waits.join().unwrap(), held.is_poisoned());
});

#[test]
fn in_the_middle_of_another_panic() {
    let expected = theirs_in_the_middle();
    assert_eq!(ours_in_the_middle(), expected, "outside a program");
    let expected = serde_json::to_string(&expected).unwrap();
    let outputs = steady_outputs(ours_in_the_middle);
    assert_eq!(outputs.keys().collect::<Vec<_>>(), [&expected]);
}

/// Two threads panic with a lock and catch the panic; the destructors of both take a lock of both in the middle of it. The
/// standard library's rule, whichever is first: a lock is poisoned if its guard was made before the panic and dropped in it.
#[test]
fn two_in_the_middle_of_their_panics() {
    let program = || {
        let (own, common) = ([Mutex::new(()), Mutex::new(())], Mutex::new(0));
        thread::scope(|s| {
            for own in &own {
                s.spawn(|| {
                    for round in 0..2 {
                        let caught = catch_unwind(AssertUnwindSafe(|| {
                            let _guard = (round == 0).then(|| own.lock().unwrap());
                            let _locks = OnDrop(|| {
                                let mut common = common.lock().unwrap();
                                assert!(thread::panicking(), "in its own panic");
                                *common += 1;
                            });
                            panic!("with its own lock, or without");
                        }));
                        assert!(caught.is_err());
                        assert!(!thread::panicking(), "its own panic is over");
                        // Poisoned by the first round, and clean in the second.
                        assert_eq!(own.is_poisoned(), round == 0);
                        own.clear_poison();
                    }
                });
            }
        });
        assert!(!thread::panicking());
        assert!(!common.is_poisoned());
        common.into_inner().unwrap()
    };
    let outputs = steady_outputs(program);
    // Two times two turns at the common lock, which are pairs of events with nothing in between.
    assert_eq!(outputs, counts([("4", 6)]));
}

/// If a program ends with a thread in the middle of a panic, that panic is never counted down; the threads of the
/// executions that follow on the same OS thread are distinguished all the same.
#[test]
fn after_a_panic_that_never_ended() {
    let expected = theirs_in_the_middle();
    let found = Explorer::new().workers(1).explore(move || {
        thread::spawn(|| {
            let (_tx, rx) = channel::<()>();
            let _waits = OnDrop(|| _ = rx.recv());
            panic!("for ever");
        });
        let (tx, rx) = channel();
        for n in 0..3 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(n).unwrap());
        }
        assert_eq!(rx.iter().take(3).count(), 3);
        assert_eq!(ours_in_the_middle(), expected);
    });
    assert_eq!((found.sequences, found.panics), (6, 0), "{found}");
    assert_eq!((found.deadlocks, found.leaked), (6, 6), "{found}");
}

/// A catch that is not under control does not end the panic around it.
#[test]
fn a_real_catch_inside_of_a_panic() {
    explore(|| {
        let (inside, is_inside) = channel();
        let (go_on, may_go_on) = channel::<()>();
        let other = thread::spawn(move || {
            let caught = catch_unwind(AssertUnwindSafe(|| {
                let _waits = OnDrop(|| {
                    inside.send(()).unwrap();
                    may_go_on.recv().unwrap();
                });
                panic!("in the middle of it");
            }));
            assert!(caught.is_err());
        });
        is_inside.recv().unwrap();
        let caught = catch_unwind(|| {
            let _drops = OnDrop(|| {
                let inner = std::panic::catch_unwind(|| panic!("real"));
                assert!(inner.is_err() && thread::panicking());
            });
            panic!("around it");
        });
        assert!(caught.is_err() && !thread::panicking());
        // Nor does it leave anything behind, once a catch under control has ended.
        let caught = catch_unwind(|| drop(std::panic::catch_unwind(|| panic!("real"))));
        assert!(caught.is_ok() && !thread::panicking());
        go_on.send(()).unwrap();
        other.join().unwrap();
    })
    .assert_ok();
}

/// The unwinding that ends a blocked thread when the program is over is no panic of the thread.
#[test]
fn nobody_catches_the_end_of_the_program() {
    static REACHED: AtomicBool = AtomicBool::new(false);
    let found = explore(|| {
        let (_tx, rx) = channel::<()>();
        let _caught = catch_unwind(AssertUnwindSafe(|| rx.recv()));
        REACHED.store(true, Ordering::Relaxed);
    });
    assert_eq!((found.deadlocks, found.panics, found.leaked), (1, 0, 0), "{found}");
    assert!(!REACHED.load(Ordering::Relaxed));
}

alike!(catching, |log| {
    use lib::panic::{self, AssertUnwindSafe, catch_unwind, resume_unwind};
    let mut n = 1;
    let caught = catch_unwind(AssertUnwindSafe(|| n += 1));
    log!(log, caught, n, catch_unwind(|| 5).ok(), catch_unwind(|| -> u8 { panic!("no") }).is_err());
    log!(log, panic_of(|| panic::panic_any("text")), panic_of(|| resume_unwind(Box::new("more"))));
    log!(log, panic_of(|| lib::panic!("by the {}", "macro")));
});

/// A program's hook is called for its panics, caught or not, and is gone with the execution.
#[test]
fn hooks_belong_to_the_execution() {
    let outputs = steady_outputs(|| {
        let heard = Arc::new(Plain::new(Vec::new()));
        let hears = |by: &'static str| {
            let heard = Arc::clone(&heard);
            Box::new(move |info: &panic::PanicHookInfo<'_>| {
                assert!(thread::panicking());
                let message = info.payload_as_str().unwrap_or_default();
                heard.lock().unwrap().push(format!("{by}: {message}"));
            })
        };
        let panics = |message: &'static str| {
            assert!(thread::spawn(move || panic::panic_any(message)).join().is_err());
        };
        panics("nobody hears it");
        // There was no hook before: this one does nothing.
        let none = panic::take_hook();
        panic::set_hook(none);
        panics("nobody hears it either");
        panic::set_hook(hears("first"));
        panics("one");
        let first = panic::take_hook();
        panics("nobody hears it now");
        let second = hears("second");
        panic::set_hook(Box::new(move |info| {
            first(info);
            second(info);
        }));
        panics("two");
        let caught = catch_unwind(|| {
            let _changes = OnDrop(|| {
                let refused = catch_unwind(|| drop(panic::take_hook())).unwrap_err();
                let said = refused.downcast_ref::<&str>().unwrap();
                assert_eq!(*said, "cannot modify the panic hook from a panicking thread");
            });
            panic!("three");
        });
        assert!(caught.is_err());
        heard.lock().unwrap().clone()
    });
    let refused = "cannot modify the panic hook from a panicking thread";
    let expected = ["first: one".to_owned()]
        .into_iter()
        .chain(
            ["two", "three", refused]
                .into_iter()
                .flat_map(|said| ["first", "second"].map(|by| format!("{by}: {said}"))),
        )
        .collect::<Vec<_>>();
    assert_eq!(outputs.keys().collect::<Vec<_>>(), [&serde_json::to_string(&expected).unwrap()]);
}

/// Reports still show the panic of a program that has a hook.
#[test]
fn a_hook_hides_nothing_from_the_report() {
    let found = explore(|| -> () {
        panic::set_hook(Box::new(|_| {}));
        panic!("told");
    });
    let [failure] = &found.failures[..] else { panic!("{found}") };
    assert_eq!(failure.termination, Termination::Panic);
    assert!(failure.to_string().contains("told"), "{failure}");
}

/// A hook cannot wait for others: everything possible is reported before the process ends.
#[test]
fn a_hook_that_synchronizes() {
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "--ignored", "panics::synchronizes_in_its_hook"])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&child.stderr);
    assert!(!child.status.success());
    assert!(said.contains("a panic hook of the program under test must not synchronize"), "{said}");
}

#[test]
#[ignore = "run by a_hook_that_synchronizes"]
fn synchronizes_in_its_hook() {
    let found = explore(|| {
        let (tx, rx) = channel();
        panic::set_hook(Box::new(move |_| tx.send(()).unwrap()));
        let caught = catch_unwind(|| panic!("tells others"));
        assert!(caught.is_err());
        rx.recv().unwrap();
    });
    found.assert_ok();
}
