//! Orders of events that real objects allow, and those that they do not; and events whose turns are easily lost.

use insyn::crossbeam_channel;
use insyn::forced::Steps;
use insyn::sequences::Op;
use insyn::std::sync::atomic::{AtomicBool, Ordering};
use insyn::std::sync::{Arc, Barrier, Condvar, Mutex, Once, RwLock, mpsc};
use insyn::std::thread;
use insyn::std::time::{Duration, Instant};
use insyn::sync::{Delivery, Monitor, entry, port};
use insyn::{Bound, Explorer};

use super::{Answer, Name, ObservedEvent, Took, compare, force};

/// The operation, and the last part of the first thread's id.
fn who(event: &ObservedEvent<'_>) -> Option<String> {
    let thread = event.threads.first()?.id.rsplit('/').next()?;
    let from = match (&event.op, &event.took) {
        (insyn::sequences::Op::Receive, Took::Threads(from)) => format!(" {}", &from[0].id[11..]),
        (insyn::sequences::Op::Receive, Took::Nothing) => " nothing".to_owned(),
        _ => String::new(),
    };
    Some(format!("{} {thread}{from}", event.op.word()))
}

/// The operation alone.
fn what(event: &ObservedEvent<'_>) -> Option<String> {
    event.threads.first()?;
    Some(event.op.word().to_owned())
}

/// As [`who`], of sends and receives only.
fn messages(event: &ObservedEvent<'_>) -> Option<String> {
    matches!(event.op.word(), "send" | "receive").then(|| who(event))?
}

#[track_caller]
fn check<R: serde::Serialize + 'static>(
    feasible: bool,
    whole: bool,
    word: &[&str],
    name: Name,
    program: impl Fn() -> R + Send + Sync + 'static,
) {
    let word: Vec<String> = word.iter().map(ToString::to_string).collect();
    let forced = force(&word, whole, name, program);
    match (&forced.answer, feasible) {
        (Answer::Feasible(_), true) | (Answer::Infeasible(_), false) => {}
        (answer, _) => panic!("{word:?}: {answer:?}"),
    }
}

/// A queue gives messages out in the order that they came in.
#[test]
fn messages_do_not_overtake() {
    let program = || {
        let (tx, rx) = mpsc::channel();
        for id in 0..2 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(id).is_ok());
        }
        (rx.recv().ok(), rx.recv().ok())
    };
    let word = |first, second| ["send thread1", "send thread2", first, second];
    check(true, true, &word("receive main 1", "receive main 2"), messages, program);
    // Each event is possible after the one before, but no queue could have been used like that.
    let overtaking = word("receive main 2", "receive main 1").map(String::from);
    let forced = force(&overtaking, true, messages, program);
    let Answer::Infeasible(obstacle) = forced.answer else { panic!("{forced:?}") };
    assert_eq!(obstacle.step, 2, "{obstacle}");
}

/// A sent message is there, and a message without a receiver is not delivered.
#[test]
fn nothing_is_found_before_it_is_sent_only() {
    let program = || {
        let (tx, rx) = mpsc::channel();
        thread::spawn(move || tx.send(1).is_ok());
        rx.try_recv().is_ok()
    };
    check(true, true, &["receive main nothing", "send thread1"], messages, program);
    check(true, true, &["send thread1", "receive main 1"], messages, program);
    check(false, true, &["send thread1", "receive main nothing"], messages, program);
    // Three are delivered, although the receiver is gone.
    let name: Name = |event| {
        let is_delivered = event.op.word() == "send" && matches!(event.took, Took::Nothing);
        (is_delivered || event.op.word() == "drop-receiver").then(|| what(event))?
    };
    let program = || {
        let (tx, rx) = mpsc::channel();
        thread::spawn(move || (0..3).all(|n| tx.send(n).is_ok()));
        drop(rx);
    };
    check(false, false, &["drop-receiver", "send", "send", "send"], name, program);
    check(true, false, &["send", "send", "send", "drop-receiver"], name, program);
}

/// No event of a prefix may be left out.
#[test]
fn a_beginning_has_all_that_comes_before() {
    let program = || {
        let (tx, rx) = mpsc::channel::<()>();
        thread::spawn(move || drop(tx));
        rx.recv().is_err()
    };
    check(false, false, &["receive"], what, program);
    check(true, false, &["drop-sender", "receive"], what, program);
}

/// Threads that wait forever have done something before.
#[test]
fn threads_that_stay_where_they_are() {
    let wait = || {
        let pair = (Mutex::new(()), Condvar::new());
        drop(pair.1.wait(pair.0.lock().unwrap()));
    };
    check(true, true, &["lock", "wait", "unlock"], what, wait);
    let monitor = || {
        let monitor = Monitor::new(());
        let never = monitor.condition();
        monitor.enter().wait(&never);
    };
    check(true, true, &["enter", "wait"], what, monitor);
    let call = || {
        let (caller, _entry) = entry::<(), ()>();
        caller.call(()).is_ok()
    };
    check(true, true, &["call"], what, call);
}

/// A thread that was woken while it waited for its turn, and one that was not.
#[test]
fn notifications_before_a_turn() {
    let name: Name = |event| (event.op.word() == "lock").then(|| who(event))?;
    check(true, false, &["lock thread3", "lock thread2", "lock thread1", "lock thread2"], name, || {
        let pair = Arc::new((Mutex::new(()), Condvar::new()));
        let waits = |n: u32| {
            let pair = pair.clone();
            thread::spawn(move || {
                let guard = pair.0.lock().unwrap();
                if n > 0 {
                    drop(pair.1.wait(guard));
                }
            });
        };
        (0..3).for_each(waits);
        pair.1.notify_one();
    });
}

/// Whether a thread looks, and the name of that event, shows late in the program.
#[test]
fn what_must_be_known_of_a_program() {
    check(true, true, &["drop-sender", "receive", "join"], what, || {
        let child = thread::spawn(|| {});
        thread::yield_now();
        let finished = child.is_finished();
        child.join().unwrap();
        finished
    });
    let program = || {
        let first = Arc::new(1);
        let second = first.clone();
        thread::spawn(move || drop(second));
        Arc::strong_count(&first)
    };
    check(true, false, &["clone", "drop", "observe"], what, program);
    check(false, false, &["drop", "clone", "observe"], what, program);
}

/// Threads that arrive together are listed in the order of their names.
#[test]
fn arrivals_together() {
    let name: Name = |event| {
        let names: Vec<&str> = event.threads.iter().filter_map(|it| it.id.rsplit('/').next()).collect();
        (event.op.word() == "arrive").then(|| names.join("+"))
    };
    check(true, true, &["main+thread1"], name, || {
        let barrier = Arc::new(Barrier::new(2));
        let other = barrier.clone();
        let child = thread::spawn(move || {
            other.wait();
        });
        barrier.wait();
        child.join().unwrap();
    });
}

/// A step that comes after another does not necessarily have it in its past.
#[test]
fn what_turns_do_not_tell() {
    let program = || {
        let once = Arc::new(Once::new());
        let other = once.clone();
        let child = thread::spawn(move || other.call_once(|| {}));
        once.call_once(|| {});
        child.join().unwrap();
    };
    let first = ["load thread1", "begin thread1", "complete thread1"];
    check(true, false, &[&first[..], &["load main"]].concat(), who, program);
    check(
        true,
        false,
        &["load main", "load thread1", "begin main", "complete main", "failed-begin thread1"],
        who,
        program,
    );
    let causal = || {
        let (tx, rx) = port(Delivery::Causal);
        for id in 0..2 {
            let tx = tx.clone();
            thread::spawn(move || (0..2).all(|n| tx.send(2 * id + n).is_ok()));
        }
        (0..4).map(|_| rx.recv().ok()).collect::<Vec<_>>()
    };
    let sends = [
        "send thread1",
        "send thread2",
        "send thread2",
        "receive main 2",
        "receive main 2",
        "receive main 1",
    ];
    check(true, false, &sends, messages, causal);
    // Nor what the time was there.
    let late = || {
        let locks = Arc::new([(); 2].map(Mutex::new));
        let other = locks.clone();
        thread::spawn(move || {
            thread::sleep(Duration::from_secs(3600));
            drop(other[0].lock());
        });
        let start = Instant::now();
        drop(locks[1].lock());
        if start.elapsed().as_secs() == 0 {
            drop(locks[1].lock());
        }
    };
    let slept = ["lock thread1", "unlock thread1"];
    let twice = ["lock main", "unlock main", "lock main"];
    check(true, false, &[&slept[..], &twice[..]].concat(), who, late);
    // Time that both have slept at the same time is not counted twice.
    let together = || {
        let locks = Arc::new([(); 2].map(Mutex::new));
        let other = locks.clone();
        let start = Instant::now();
        let child = thread::spawn(move || {
            drop(other[0].lock());
            thread::sleep(Duration::from_secs(3600));
        });
        thread::sleep(Duration::from_secs(3600));
        child.join().unwrap();
        if start.elapsed().as_secs() < 7200 {
            drop(locks[1].lock());
        }
    };
    check(true, false, &[&slept[..], &["join main", "lock main"]].concat(), who, together);
}

/// Two threads may receive from a channel, if flags are seen in one of two to the power of `flags` ways.
fn shared_now_and_then(flags: usize) -> bool {
    let (tx, rx) = crossbeam_channel::unbounded();
    let flags: Vec<Arc<AtomicBool>> = (0..flags).map(|_| Arc::default()).collect();
    for flag in flags.clone() {
        thread::spawn(move || flag.store(true, Ordering::SeqCst));
    }
    tx.send(1).unwrap();
    let seen: Vec<bool> = flags.iter().map(|flag| flag.load(Ordering::SeqCst)).collect();
    if seen.iter().enumerate().all(|(n, it)| *it == (n % 2 == 0)) {
        let rx = rx.clone();
        thread::spawn(move || rx.recv());
    }
    rx.recv().is_ok()
}

/// The names of a channel's events depend on whether another thread receives from it, which few executions show.
#[test]
fn names_that_few_executions_show() {
    let sends: Name = |event| what(event).filter(|it| ["put", "send"].contains(&&**it));
    check(true, false, &["put"], sends, || shared_now_and_then(6));
    check(true, false, &["put"], sends, || shared_now_and_then(14));
}

/// Before the names of all events are known, no word that names them is infeasible. A word whose names do not
/// depend on facts may be.
#[test]
fn names_that_a_bound_keeps_from_being_known() {
    let never = |op: Op| {
        let fit = move |event: &ObservedEvent<'_>| (event.op == op).then(Vec::new);
        let steps = Steps::new(1, false, fit).among(move |it| it == op);
        Explorer::new().max_executions(100).force(&steps, false, || shared_now_and_then(14)).answer
    };
    let answer = never(Op::Send);
    assert!(matches!(answer, Answer::Unknown(Some(Bound::Executions))), "{answer:?}");
    let answer = never(Op::Store);
    assert!(matches!(answer, Answer::Infeasible(_)), "{answer:?}");
}

/// `r`, `e` and `w` for the start and the end of a read and for the start of a write, each with the number of the thread.
fn readers(event: &ObservedEvent<'_>) -> Option<String> {
    let letter = match event.op {
        Op::Read => 'r',
        Op::UnlockRead => 'e',
        Op::Write => 'w',
        _ => return None,
    };
    Some(format!("{letter}{}", &event.threads[0].id[11..]))
}

/// Two readers are one sequence, which has all orders of them.
#[test]
fn readers_in_any_order() {
    let program = || {
        let lock = RwLock::new(0);
        thread::scope(|s| (0..2).for_each(|_| drop(s.spawn(|| *lock.read().unwrap()))));
    };
    assert_eq!(Explorer::new().explore(program).sequences, 1);
    assert_eq!(super::words(readers, program).len(), 6);
    compare(&["r1", "r2", "e1", "e2"], 4, readers, program);
}

/// The same words hold where a writer meets the readers, and where what else happens keeps it from them.
#[test]
fn readers_and_a_writer_in_order() {
    let starts: Name = |event| readers(event).filter(|it| !it.starts_with('e'));
    compare(&["r1", "r2", "w3"], 3, starts, || {
        let lock = RwLock::new(0);
        thread::scope(|s| {
            (0..2).for_each(|_| drop(s.spawn(|| *lock.read().unwrap())));
            s.spawn(|| *lock.write().unwrap() += 1);
        });
    });
    compare(&["r1", "r2", "w3"], 3, starts, || {
        let lock = RwLock::new(0);
        thread::scope(|s| {
            let readers = [(); 2].map(|()| s.spawn(|| *lock.read().unwrap()));
            readers.into_iter().for_each(|reader| _ = reader.join());
            s.spawn(|| *lock.write().unwrap() += 1);
        });
    });
}

/// That a reader waits behind a writer is an event of a lock that a free run may not show to have one order.
#[test]
fn a_reader_that_is_kept_out() {
    let name: Name = |event| (event.op == Op::Block).then(|| String::from("block"));
    let program = || {
        let lock = RwLock::new(0);
        thread::scope(|s| {
            s.spawn(|| *lock.write().unwrap() += 1);
            (0..2).for_each(|_| drop(s.spawn(|| *lock.read().unwrap())));
        });
    };
    check(true, true, &["block"], name, program);
    check(false, true, &["block", "block"], name, program);
}
