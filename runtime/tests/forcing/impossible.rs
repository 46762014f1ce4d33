//! Sequences that real objects could not do are refused, and the error names the event: as a whole, as a prefix, in an
//! exploration with that prefix, and in an edited file.

use std::path::PathBuf;
use std::sync::Arc;

use insyn::crossbeam_channel::{self as crossbeam, unbounded};
use insyn::sequences::{EventRef, Op, Order, Pick, SequenceFile};
use insyn::std::sync::mpsc::{channel, sync_channel};
use insyn::std::sync::{Barrier, Mutex, RwLock};
use insyn::std::thread;
use insyn::{Explorer, ReplayError, Sequence, Termination, explore};

use insyn_test_support::only_failure;

/// The event with this operation, the `n`-th of its process.
#[track_caller]
fn find(sequence: &Sequence, process: &str, op: Op, n: usize) -> EventRef {
    let is_it = |at: &EventRef| sequence.processes[at.process].id == process && sequence.event(*at).op == op;
    sequence.events().filter(is_it).nth(n).unwrap_or_else(|| panic!("no {op:?} of {process}: {sequence:?}"))
}

/// The sequence in which an event takes something else.
fn edited(mut sequence: Sequence, at: EventRef, taken: &[EventRef]) -> Sequence {
    let pick = if taken.is_empty() { Pick::Nothing } else { Pick::Partners(taken.to_vec()) };
    sequence.processes[at.process].events[at.index].pick = pick;
    sequence
}

/// A sequence up to an event, with all that happens before it; the whole sequence if it has no order.
fn up_to(sequence: &Sequence, at: EventRef) -> Sequence {
    let Ok(order) = Order::of(sequence) else { return sequence.clone() };
    let mut beginning = sequence.clone();
    for (process, it) in beginning.processes.iter_mut().enumerate() {
        let is_kept = |&index: &usize| {
            let it = EventRef { process, index };
            it == at || order.happens_before(it, at)
        };
        it.events.truncate((0..it.events.len()).take_while(is_kept).count());
    }
    beginning
}

/// The event is refused, in whatever way the program is made to do it; the program does all events before it.
#[track_caller]
fn is_refused<R: serde::Serialize + 'static>(
    sequence: &Sequence,
    at: EventRef,
    program: impl Fn() -> R + Copy + Send + Sync + 'static,
) {
    let name = sequence.event_name(at);
    let refused = |error: ReplayError| match &error {
        ReplayError::Impossible { process, index, event } => {
            assert_eq!(format!("{process}#{index}"), name, "{error}");
            assert!(event.contains(sequence.event(at).op.word()), "{error}");
            assert!(error.to_string().contains(process), "{error}");
        }
        _ => panic!("{error}"),
    };
    refused(Explorer::new().replay(sequence, program).unwrap_err());
    let text = SequenceFile::from(sequence.clone()).write().unwrap();
    let file =
        PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("impossible-{}.yaml", std::process::id()));
    let file = file.with_extension(format!("{:?}.yaml", std::thread::current().id()));
    std::fs::write(&file, text).unwrap();
    refused(Explorer::new().replay_file(&file, program).unwrap_err());
    std::fs::remove_file(file).unwrap();
    let beginning = up_to(sequence, at);
    for prefix in [sequence, &beginning] {
        refused(Explorer::new().force_prefix(prefix, program).unwrap_err());
        match Explorer::new().prefix(prefix.clone()) {
            Err(error) => refused(error),
            Ok(explorer) => {
                let found = explorer.explore(program);
                assert_eq!((found.sequences, found.nondeterminism), (0, 1), "{found}");
                let message = &only_failure(&found).message;
                assert!(message.contains("no real objects could"), "{message}");
            }
        }
    }
}

#[test]
fn a_send_that_knows_that_the_receiver_is_gone() {
    fn program() -> bool {
        let (tx, rx) = channel();
        drop(rx);
        tx.send(1).is_ok()
    }
    let run = Explorer::new().run(program);
    assert_eq!(run.output.as_deref(), Some("false"));
    let send = find(&run.sequence, "main", Op::Send, 0);
    is_refused(&edited(run.sequence, send, &[]), send, program);
}

#[test]
fn a_send_that_knows_that_all_receivers_are_gone() {
    fn program() -> bool {
        let (tx, rx) = unbounded();
        let other = rx.clone();
        drop(rx);
        thread::spawn(move || drop(other)).join().unwrap();
        tx.send(1).is_ok()
    }
    let run = Explorer::new().run(program);
    let send = find(&run.sequence, "main", Op::Send, 0);
    is_refused(&edited(run.sequence, send, &[]), send, program);
}

#[test]
fn a_send_that_has_heard_of_the_drop() {
    fn program() -> bool {
        let (tx, rx) = channel();
        thread::spawn(move || drop(rx)).join().unwrap();
        tx.send(1).is_ok()
    }
    let run = Explorer::new().run(program);
    let send = find(&run.sequence, "main", Op::Send, 0);
    is_refused(&edited(run.sequence, send, &[]), send, program);
}

#[test]
fn a_receive_that_knows_of_a_message() {
    fn program() -> Option<u32> {
        let (tx, rx) = channel();
        tx.send(1).unwrap();
        rx.try_recv().ok()
    }
    let run = Explorer::new().run(program);
    let receive = find(&run.sequence, "main", Op::Receive, 0);
    is_refused(&edited(run.sequence, receive, &[]), receive, program);
}

/// A select of crossbeam's finds any one of its channels disconnected.
#[test]
fn a_select_that_knows_of_a_disconnect() {
    fn program() -> bool {
        let (tx, rx) = unbounded::<u32>();
        let (_other, others) = unbounded::<u32>();
        drop(tx);
        crossbeam::select! {
            recv(rx) -> _ => true,
            recv(others) -> _ => true,
            default => false,
        }
    }
    let run = Explorer::new().run(program);
    assert_eq!(run.output.as_deref(), Some("true"));
    let receive = find(&run.sequence, "main", Op::Receive, 0);
    is_refused(&edited(run.sequence, receive, &[]), receive, program);
}

#[test]
fn a_receive_that_overtakes() {
    fn program() -> Vec<u32> {
        let (tx, rx) = channel();
        tx.send(1).unwrap();
        tx.send(2).unwrap();
        vec![rx.recv().unwrap(), rx.recv().unwrap()]
    }
    let run = Explorer::new().run(program);
    let sends = [0, 1].map(|n| find(&run.sequence, "main", Op::Send, n));
    let receives = [0, 1].map(|n| find(&run.sequence, "main", Op::Receive, n));
    let swapped = edited(run.sequence, receives[0], &[sends[1]]);
    is_refused(&edited(swapped, receives[1], &[sends[0]]), receives[0], program);
}

#[test]
fn a_lock_that_is_held() {
    fn program() {
        let lock = Arc::new(Mutex::new(()));
        let theirs = Arc::clone(&lock);
        let held = lock.lock().unwrap();
        let other = thread::spawn(move || drop(theirs.lock()));
        drop(held);
        other.join().unwrap();
    }
    let run = Explorer::new().run(program).sequence;
    let lock = find(&run, "main/mutex1", Op::Lock, 1);
    // The second lock and the unlock that it waits for, in the opposite order.
    let mut swapped = edited(run.clone(), lock, run.event(lock).pick.partners());
    let events = &mut swapped.processes[lock.process].events;
    events.swap(lock.index - 1, lock.index);
    is_refused(&swapped, EventRef { index: lock.index - 1, ..lock }, program);
}

#[test]
fn a_take_from_an_empty_channel() {
    fn program() -> u32 {
        let (tx, rx) = sync_channel(1);
        let sender = thread::spawn(move || tx.send(1).unwrap());
        let got = rx.recv().unwrap();
        sender.join().unwrap();
        got
    }
    let run = Explorer::new().run(program).sequence;
    let take = find(&run, "main/bounded1", Op::Take, 0);
    let mut swapped = edited(run.clone(), take, run.event(take).pick.partners());
    swapped.processes[take.process].events.swap(0, take.index);
    is_refused(&swapped, EventRef { index: 0, ..take }, program);
}

/// Partners that no event of its kind takes, in any program.
#[test]
fn picks_of_no_event() {
    fn program() {
        let (tx, rx) = channel();
        let barrier = Arc::new(Barrier::new(2));
        let theirs = Arc::clone(&barrier);
        let sender = thread::spawn(move || {
            tx.send(1).unwrap();
            theirs.wait().is_leader()
        });
        assert!(rx.recv().is_ok());
        barrier.wait();
        sender.join().unwrap();
    }
    let run = Explorer::new().run(program).sequence;
    let join = find(&run, "main", Op::Join, 0);
    let receive = find(&run, "main", Op::Receive, 0);
    let send = find(&run, "main/thread1", Op::Send, 0);
    let arrive = find(&run, "main/barrier1", Op::Arrive, 0);
    let cases = [
        (receive, vec![join]),
        (receive, vec![send, send]),
        (receive, vec![arrive]),
        (send, vec![receive]),
        (send, vec![join]),
        (arrive, vec![]),
        (join, vec![send]),
    ];
    for (at, taken) in cases {
        is_refused(&edited(run.clone(), at, &taken), at, program);
    }
    // These are calls, but they do not make a complete meeting.
    let calls = run.event(arrive).pick.partners().to_vec();
    for taken in [vec![calls[0]], vec![calls[0], calls[0]], vec![calls[0], calls[1], calls[1]]] {
        is_refused(&edited(run.clone(), arrive, &taken), arrive, program);
    }
}

/// Only channels are used in one select, so no other object has the events of another object in its order.
#[test]
fn a_put_in_the_order_of_a_lock() {
    fn program() {
        let (tx, rx) = sync_channel(1);
        let locks = thread::spawn(|| drop(Mutex::new(()).lock()));
        tx.send(1).unwrap();
        locks.join().unwrap();
        drop(rx);
    }
    let run = Explorer::new().run(program).sequence;
    let put = find(&run, "main/bounded1", Op::Put, 0);
    let lock = find(&run, "main/thread1/mutex1", Op::Lock, 0);
    let mut moved = run;
    let event = moved.processes[put.process].events.remove(put.index);
    moved.processes[lock.process].events.insert(0, event);
    for event in moved.processes.iter_mut().flat_map(|it| &mut it.events) {
        event.after.clear();
    }
    is_refused(&moved, EventRef { index: 0, ..lock }, program);
}

#[test]
fn processes_of_another_kind() {
    fn program() {
        let (tx, _rx) = channel();
        tx.send(1).unwrap();
    }
    let mut run = Explorer::new().run(program).sequence;
    let port = run.processes.iter().position(|it| it.id == "main/channel1").unwrap();
    run.processes[port].kind = insyn::sequences::Kind::Mutex;
    let is_refused = |error: ReplayError| {
        assert!(matches!(&error, ReplayError::WrongKind { id, .. } if id == "main/channel1"), "{error}");
    };
    is_refused(Explorer::new().replay(&run, program).unwrap_err());
    is_refused(Explorer::new().force_prefix(&run, program).unwrap_err());
    is_refused(Explorer::new().prefix(run).unwrap_err());
}

#[test]
fn a_prefix_that_leaves_out_what_comes_before() {
    fn program() {
        let lock = Mutex::new(());
        drop(lock.lock());
        drop(lock.lock());
    }
    let mut run = Explorer::new().run(program).sequence;
    let lock = find(&run, "main/mutex1", Op::Lock, 0);
    run.processes[lock.process].events.clear();
    run.processes.iter_mut().flat_map(|it| &mut it.events).for_each(|it| it.after.clear());
    match Explorer::new().force_prefix(&run, program).unwrap_err() {
        ReplayError::Incomplete { event, missing } => {
            assert_eq!((event.as_str(), missing.as_str()), ("main#1", "main/mutex1#0"));
        }
        error => panic!("{error}"),
    }
    let found = Explorer::new().prefix(run).unwrap().explore(program);
    assert_eq!((found.sequences, found.nondeterminism), (0, 1), "{found}");
    assert!(only_failure(&found).message.contains("leaves out"), "{found}");
}

/// Each of two threads sends to both channels, in opposite orders; returns what was received from each.
fn crossing() -> [Vec<u32>; 2] {
    let (to_first, first) = channel();
    let (to_second, second) = channel();
    let (first_too, second_too) = (to_first.clone(), to_second.clone());
    thread::spawn(move || {
        to_first.send(1).unwrap();
        to_second.send(1).unwrap();
    });
    thread::spawn(move || {
        second_too.send(2).unwrap();
        first_too.send(2).unwrap();
    });
    let firsts = thread::spawn(move || vec![first.recv().unwrap(), first.recv().unwrap()]);
    let seconds = vec![second.recv().unwrap(), second.recv().unwrap()];
    [firsts.join().unwrap(), seconds]
}

/// The sequence in which a thread receives the second message first.
fn second_first(sequence: Sequence, process: &str, sends: [EventRef; 2]) -> Sequence {
    let receives = [0, 1].map(|n| find(&sequence, process, Op::Receive, n));
    let sequence = edited(sequence, receives[0], &[sends[1]]);
    edited(sequence, receives[1], &[sends[0]])
}

/// Each receive is possible, but not both: each thread would have to send before the other.
#[test]
fn receives_that_cannot_be_together() {
    let run = Explorer::new().run(crossing);
    assert_eq!(run.output.as_deref(), Some("[[1,2],[1,2]]"));
    let sends = |[one, two]: [usize; 2]| {
        [
            find(&run.sequence, "main/thread1", Op::Send, one),
            find(&run.sequence, "main/thread2", Op::Send, two),
        ]
    };
    let unreal = second_first(run.sequence.clone(), "main/thread3", sends([0, 1]));
    let is_unreal = |error: ReplayError| match &error {
        ReplayError::Inconsistent { cycle } => assert!(cycle.len() >= 4, "{error}"),
        _ => panic!("{error}"),
    };
    is_unreal(Explorer::new().replay(&unreal, crossing).unwrap_err());
    is_unreal(Explorer::new().force_prefix(&unreal, crossing).unwrap_err());
    let found = Explorer::new().prefix(unreal.clone()).unwrap().explore(crossing);
    assert_eq!((found.sequences, found.nondeterminism), (0, 1), "{found}");
    assert!(only_failure(&found).message.contains("before the next"), "{found}");
    // Half of it is possible, and then the other half is different.
    let last = find(&unreal, "main/thread3", Op::Receive, 1);
    let half = up_to(&unreal, last);
    for seed in [None, Some(0), Some(1), Some(2)] {
        let explorer = seed.map_or_else(Explorer::new, |seed| Explorer::new().seed(seed));
        let begun = explorer.force_prefix(&half, crossing).unwrap();
        assert_eq!(
            (begun.termination, begun.output.as_deref()),
            (Termination::Normal, Some("[[2,1],[2,1]]"))
        );
    }
    let found = Explorer::new().prefix(half).unwrap().explore(crossing);
    assert_eq!(found.sequences, 1, "{found}");
    assert_eq!(explore(crossing).sequences, 3);
}

/// A reader that has no order among others follows the last completion on the lock that it knows of, and nothing else.
#[test]
fn a_read_of_what_was_overwritten() {
    let program = || {
        let lock = RwLock::new(0);
        let written = [(); 2].map(|()| *lock.write().unwrap() += 1);
        thread::scope(|s| (0..2).for_each(|_| drop(s.spawn(|| *lock.read().unwrap()))));
        written.len()
    };
    let found = Explorer::new().run(program);
    let sequence = found.sequence;
    let read = find(&sequence, "main/thread1", Op::Read, 0);
    let writes = [0, 1].map(|n| find(&sequence, "main/rwlock1", Op::Unlock, n));
    assert_eq!(sequence.event(read).pick, Pick::Partners(vec![writes[1]]));
    is_refused(&edited(sequence.clone(), read, &[writes[0]]), read, program);
    is_refused(&edited(sequence.clone(), read, &[]), read, program);
    let end = find(&sequence, "main/thread1", Op::UnlockRead, 0);
    is_refused(&edited(sequence, end, &[writes[0]]), end, program);
}
