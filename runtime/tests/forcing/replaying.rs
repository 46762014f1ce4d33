//! Sequences that are saved, replayed, forced as a prefix, or that belong to another program.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex as Plain};
use std::time::Duration;

use insyn::sequences::{EventRef, Kind, Op, Pick, Process, SequenceFile};
use insyn::std::sync::Mutex;
use insyn::std::sync::mpsc::{Receiver, channel};
use insyn::std::thread;
use insyn::{Explorer, ReplayError, Sequence, Termination, explore};

use insyn_test_support::only_failure;
use insyn_test_support::programs::bounded_buffer::{self as bb, config};
use insyn_test_support::programs::{dining_philosophers as dp, others, readers_writers as rw};

/// Sequences with their outputs.
type Outputs = BTreeSet<(Sequence, Option<String>)>;

/// Every counted sequence of a program, with its output.
fn all_sequences<R: serde::Serialize + 'static>(
    explorer: Explorer,
    program: impl Fn() -> R + Send + Sync + 'static,
) -> Outputs {
    let seen: Arc<Plain<Outputs>> = Arc::default();
    let collect = seen.clone();
    let explorer = explorer.observe(move |ended| {
        if ended.counted() {
            let new = collect.lock().unwrap().insert((ended.sequence(), ended.output()));
            assert!(new, "a sequence was run twice");
        }
    });
    let _ = explorer.explore(program);
    std::mem::take(&mut *seen.lock().unwrap())
}

/// Fails in some of its sequences.
fn checks_order() -> Vec<u32> {
    let (tx, rx) = channel();
    for n in 0..3 {
        let tx = tx.clone();
        thread::spawn(move || tx.send(n).unwrap());
    }
    drop(tx);
    let order: Vec<u32> = rx.iter().collect();
    assert!(order != [2, 0, 1], "a bad order");
    order
}

fn opposite_orders() {
    let locks = Arc::new([Mutex::new(()), Mutex::new(())]);
    let theirs = locks.clone();
    let other = thread::spawn(move || drop((theirs[0].lock(), theirs[1].lock())));
    drop((locks[1].lock(), locks[0].lock()));
    other.join().unwrap();
}

fn file(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// A failure as that of a single run, which knows no others.
fn single(failure: &insyn::Failure) -> insyn::Failure {
    let mut failure = failure.clone();
    failure.share = None;
    failure
}

#[test]
fn saved_failures_are_replayed() {
    let found = explore(checks_order);
    let failure = only_failure(&found);
    let path = file("checks_order.yaml");
    failure.save(&path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let read = insyn::specs::file::read(&text).unwrap().sequence;
    assert_eq!(read, failure.sequence);
    let again = Explorer::new().replay(&read, checks_order).unwrap();
    assert_eq!((again.termination, again.output), (Termination::Panic, None));
    assert_eq!(again.sequence, failure.sequence);
    assert_eq!(again.failure, Some(single(failure)));

    let found = explore(opposite_orders);
    let failure = only_failure(&found);
    let again = Explorer::new().replay(&failure.sequence, opposite_orders).unwrap();
    assert_eq!(again.failure, Some(single(failure)), "a deadlock is replayed as one");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn saving_where_there_is_no_place_is_an_error() {
    let found = explore(checks_order);
    let error = only_failure(&found).save(file("no such folder").join("x.yaml")).unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::NotFound);
}

/// Every sequence of programs with every kind of object, with various free choices.
#[test]
fn every_sequence_is_replayed() {
    fn check<R: serde::Serialize + 'static>(program: impl Fn() -> R + Clone + Send + Sync + 'static) {
        let explorer = Explorer::new().max_sequences(60);
        for (n, (sequence, output)) in all_sequences(explorer, program.clone()).into_iter().enumerate() {
            let again = Explorer::new().seed(n as u64).replay(&sequence, program.clone()).unwrap();
            assert_eq!(again.sequence, sequence);
            assert_eq!((again.termination, again.output), (Termination::Normal, output));
            let text = SequenceFile::from(sequence.clone()).write().unwrap();
            assert_eq!(insyn::specs::file::read(&text).unwrap().sequence, sequence);
        }
    }
    let shared = |program: Arc<dyn Fn() + Send + Sync>| move || program();
    check(shared(Arc::new(bb::selective_wait(config(2, 2, 1)))));
    check(shared(Arc::new(bb::semaphores(config(2, 2, 1)))));
    check(shared(Arc::new(bb::su_monitor(config(2, 2, 1)))));
    check(shared(Arc::new(bb::sc_notify_all(config(2, 2, 1)))));
    check(shared(Arc::new(bb::sc_notify_one(config(2, 2, 1)))));
    check(shared(Arc::new(bb::sc_monitor(config(2, 2, 1), true))));
    check(shared(Arc::new(rw::selective_wait(2, 1))));
    check(shared(Arc::new(dp::su_monitor(3))));
    let fan_in = Arc::new(others::fan_in(4));
    check(move || fan_in());
}

#[test]
fn sequence_of_another_program_is_a_typed_error() {
    let other = Explorer::new().run(others::fan_in(3)).sequence;
    let error = Explorer::new().replay(&other, opposite_orders).unwrap_err();
    assert!(matches!(error, ReplayError::Diverged { .. }), "{error}");
    // A program that stops earlier, and one that goes on.
    let longer = Explorer::new().run(others::fan_in(4)).sequence;
    let error = Explorer::new().replay(&longer, others::fan_in(3)).unwrap_err();
    assert!(matches!(&error, ReplayError::Diverged { found, .. } if found == "nothing"), "{error}");
    let error = Explorer::new().replay(&other, others::fan_in(4)).unwrap_err();
    assert!(matches!(&error, ReplayError::Impossible { process, .. } if process == "main"), "{error}");
    // A program with the same threads and channels that does something else with them.
    let error = Explorer::new().replay(&other, || {
        let (tx, rx) = channel::<u32>();
        for _ in 0..3 {
            let tx = tx.clone();
            thread::spawn(move || drop(tx));
        }
        drop(tx);
        rx.iter().count()
    });
    match error.unwrap_err() {
        ReplayError::Diverged { process, index, expected, found } => {
            assert_eq!(
                (process.as_str(), index, expected.as_str()),
                ("main/thread1", 0, "send on main/channel1")
            );
            assert!(found.starts_with("drop-sender"), "{found}");
        }
        error => panic!("{error}"),
    }
}

/// The same operations on other objects are another behaviour, even if they have no effect.
/// A thread that waits for a message never returns with nothing, whatever another program did there.
#[test]
fn a_receive_that_waits_does_not_find_nothing() {
    type Receive = fn(&Receiver<u32>) -> Option<u32>;
    fn receives(how: Receive) -> impl Fn() -> Option<u32> + Send + Sync + 'static {
        move || {
            let (tx, rx) = channel();
            let sender = thread::spawn(move || tx.send(1).unwrap());
            let got = how(&rx);
            sender.join().unwrap();
            got
        }
    }
    let hasty: [Receive; 2] = [|rx| rx.try_recv().ok(), |rx| rx.recv_timeout(Duration::from_secs(1)).ok()];
    for how in hasty {
        let sequences = all_sequences(Explorer::new(), receives(how));
        assert_eq!(sequences.len(), 2);
        for (sequence, output) in sequences {
            let replayed = Explorer::new().replay(&sequence, receives(|rx| rx.recv().ok()));
            match output.as_deref() {
                Some("1") => assert_eq!(replayed.unwrap().output, output),
                _ => assert!(matches!(replayed, Err(ReplayError::Impossible { .. })), "{replayed:?}"),
            }
        }
    }
}

#[test]
fn sequence_with_another_object_is_a_typed_error() {
    let sends_to = |second: bool| {
        move || {
            let (to_first, _first) = channel();
            let (to_second, _second) = channel();
            let tx = if second { to_second.clone() } else { to_first.clone() };
            tx.send(1).unwrap();
        }
    };
    let first = Explorer::new().run(sends_to(false)).sequence;
    assert!(Explorer::new().replay(&first, sends_to(false)).is_ok());
    let replayed = Explorer::new().replay(&first, sends_to(true));
    assert!(matches!(replayed, Err(ReplayError::Diverged { .. })), "{replayed:?}");
}

/// All pairs of programs: a sequence of one program is never accepted for another.
#[test]
fn sequences_of_all_other_programs_are_refused() {
    let programs: Vec<Arc<dyn Fn() + Send + Sync>> = vec![
        Arc::new(bb::selective_wait(config(2, 2, 1))),
        Arc::new(bb::semaphores(config(2, 2, 1))),
        Arc::new(bb::su_monitor(config(2, 2, 1))),
        Arc::new(bb::sc_notify_all(config(2, 2, 1))),
        Arc::new(bb::sc_monitor(config(2, 2, 1), true)),
        Arc::new(rw::selective_wait(2, 1)),
        Arc::new(rw::semaphores(2, 1)),
        Arc::new(rw::su_monitor(2, 1)),
        Arc::new(dp::su_monitor(3)),
    ];
    for (i, mine) in programs.iter().enumerate() {
        let mine = mine.clone();
        let sequence = Explorer::new().run(move || mine()).sequence;
        for (j, theirs) in programs.iter().enumerate() {
            let theirs = theirs.clone();
            let replayed = Explorer::new().replay(&sequence, move || theirs());
            assert_eq!(replayed.is_ok(), i == j, "sequence of program {i} with program {j}: {replayed:?}");
        }
    }
}

/// Whatever is done to a sequence, replaying it ends in a result: no panic, no hang.
#[test]
fn damaged_sequences_are_typed_errors() {
    let good = Explorer::new().run(checks_order).sequence;
    let replay = |s: &Sequence| Explorer::new().replay(s, checks_order);
    assert!(replay(&good).is_ok());

    let mut bad = good.clone();
    bad.processes[0].id = "nobody".to_string();
    assert!(matches!(replay(&bad), Err(ReplayError::NoSuchProcess { id }) if id == "nobody"));
    for id in
        ["", "main/", "main/thread", "main/thread0", "main/thread99999999999", "main/spoon1", "main/end", "/"]
    {
        let mut bad = good.clone();
        bad.processes[1].id = id.to_string();
        let error = replay(&bad).unwrap_err();
        assert!(matches!(&error, ReplayError::NoSuchProcess { id: named } if named == id), "{id}: {error}");
    }

    let mut bad = good.clone();
    let main = &mut bad.processes[0].events;
    let receive = main.iter().position(|e| e.op == Op::Receive).unwrap();
    main[receive].pick = Pick::Partners(vec![EventRef { process: 77, index: 0 }]);
    let error = replay(&bad).unwrap_err();
    assert!(matches!(error, ReplayError::Malformed(_)), "{error}");
    assert!(error.to_string().contains(&format!("main#{receive} refers to")), "{error}");

    let mut bad = good.clone();
    let again = bad.processes[1].clone();
    bad.processes.insert(1, again);
    let error = replay(&bad).unwrap_err();
    assert!(error.to_string().contains("two processes have the id"), "{error}");

    // Ends that belong to no thread, and so many processes that their numbers alone would fill the memory.
    let mut bad = good.clone();
    bad.processes[0] = Process { kind: Kind::End, events: Vec::new(), ..bad.processes[0].clone() };
    assert!(replay(&bad).is_err());
    assert!(Explorer::new().force_prefix(&bad, checks_order).is_err());
    for (count, id) in [(1, "main/thread1048576"), (200, "main/thread1000/mutex")] {
        let process = |n: usize| Process {
            id: if count == 1 { id.to_string() } else { format!("{id}{}", 1000 + n) },
            kind: if count == 1 { Kind::Thread } else { Kind::Mutex },
            name: None,
            events: Vec::new(),
        };
        let many = Sequence { processes: (0..count).map(process).collect() };
        match replay(&many) {
            Err(ReplayError::TooManyProcesses { .. }) if count == 1 => {}
            Err(ReplayError::Diverged { .. }) if count > 1 => {}
            other => panic!("{id}: {other:?}"),
        }
    }

    // Every event gone, in turn; every pick changed to nothing, or to any other event.
    let events: Vec<EventRef> = good.events().collect();
    for &at in &events {
        let mut bad = good.clone();
        bad.processes[at.process].events.truncate(at.index);
        assert!(replay(&bad).is_err(), "cut at {at:?}");
        let picks = [Pick::None, Pick::Nothing, Pick::Partners(vec![])].into_iter();
        for pick in picks.chain(events.iter().map(|&e| Pick::Partners(vec![e]))) {
            let mut bad = good.clone();
            bad.processes[at.process].events[at.index].pick = pick;
            if let Ok(execution) = replay(&bad) {
                let (did, said) = (execution.sequence.event(at), bad.event(at));
                assert!(
                    execution.sequence.same_behaviour(&bad),
                    "{at:?} was not followed: {did:?} for {said:?}"
                );
            }
        }
    }
}

/// The threads that joins wait for, the creators of threads and the texts of labels are all part of a behaviour.
#[test]
fn sequences_that_differ_in_little_are_told_apart() {
    fn joins(second_first: bool) {
        let [a, b] = [0, 1].map(|_| thread::spawn(|| drop(Mutex::new(()).lock())));
        let [a, b] = if second_first { [b, a] } else { [a, b] };
        a.join().unwrap();
        b.join().unwrap();
    }
    fn spawns(late: bool) {
        let lock = Mutex::new(());
        if late {
            drop(lock.lock());
        }
        let thread = thread::spawn(|| drop(Mutex::new(()).lock()));
        if !late {
            drop(lock.lock());
        }
        thread.join().unwrap();
    }
    fn labels(other: bool) {
        if other {
            insyn::label!("there");
        } else {
            insyn::label!("here");
        }
    }
    for program in [joins, spawns, labels] {
        let [first, second] = [false, true].map(|other| Explorer::new().run(move || program(other)).sequence);
        assert!(!first.same_behaviour(&second));
        assert_eq!(Explorer::new().replay(&first, move || program(false)).unwrap().sequence, first);
        let replayed = Explorer::new().replay(&first, move || program(true));
        assert!(matches!(replayed, Err(ReplayError::Diverged { .. })), "{replayed:?}");
    }
}

/// Calls that were never completed show as much as those that were.
#[test]
fn receivers_that_wait_for_nothing_are_replayed() {
    let program = || {
        let (_tx, rx) = insyn::crossbeam_channel::unbounded::<u32>();
        let other = rx.clone();
        thread::spawn(move || other.recv());
        let _ = rx.recv();
    };
    let found = explore(program);
    let failure = only_failure(&found);
    assert_eq!(failure.termination, Termination::Deadlock, "{found}");
    let again = Explorer::new().replay(&failure.sequence, program).unwrap();
    assert_eq!(again.failure, Some(single(failure)));
}

/// A run that the bound on steps has cut is followed as far as it goes, whatever the order in which threads were run.
#[test]
fn runs_that_a_bound_has_cut_are_replayed() {
    let program = || {
        let (tx, rx) = channel();
        for _ in 0..3 {
            let tx = tx.clone();
            thread::spawn(move || while tx.send(1).is_ok() {});
        }
        while rx.recv() == Ok(1) {}
    };
    for seed in 0..20 {
        let explorer = Explorer::new().max_steps(30).seed(seed);
        let cut = explorer.run(program);
        assert_eq!(cut.termination, Termination::StepBound);
        for explorer in [Explorer::new().max_steps(30), explorer] {
            let again = explorer.replay(&cut.sequence, program).unwrap();
            assert_eq!(again.termination, Termination::StepBound);
        }
    }
}

/// Sends, and then fails or does something else.
fn sends_and(then: fn()) {
    let (tx, rx) = channel();
    thread::spawn(move || tx.send(1).unwrap());
    assert_eq!(rx.recv(), Ok(1));
    drop(rx);
    then();
}

fn lock_for_ever() {
    let lock = Mutex::new(());
    loop {
        drop(lock.lock());
    }
}

/// A run that ended according to its file must end there, and not only when a bound stops it.
#[test]
fn what_has_ended_must_end_again() {
    let fails = || sends_and(|| panic!("here"));
    let path = file("has_ended.yaml");
    only_failure(&explore(fails)).save(&path).unwrap();
    let explorer = Explorer::new().max_steps(100);
    let replay = |then: fn()| explorer.replay_file(&path, move || sends_and(then));
    assert_eq!(explorer.replay_file(&path, fails).unwrap().termination, Termination::Panic);
    assert_eq!(replay(|| ()).unwrap().termination, Termination::Normal, "it has been repaired");
    let error = replay(lock_for_ever).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the program did all that was recorded, which ended there, and went on with lock on main/mutex1, event 2 of \
         main; the bound on steps stopped it"
    );
    let error = replay(|| {
        loop {
            thread::yield_now();
        }
    });
    assert_eq!(error.unwrap_err(), ReplayError::WentOn { next: None });
    let error = replay(|| drop(Mutex::new(()).lock())).unwrap_err();
    assert!(matches!(&error, ReplayError::Diverged { expected, .. } if expected == "the end"), "{error}");
    // If the file does not record how the run ended, it may have been stopped.
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("ended: panic\n", "")).unwrap();
    assert_eq!(replay(lock_for_ever).unwrap().termination, Termination::StepBound);
    std::fs::remove_file(path).unwrap();
}

/// A run that a bound has cut goes on under a larger one, and may end.
#[test]
fn what_was_cut_may_go_on() {
    fn locks_up(turns: u32) {
        let lock = Arc::new(Mutex::new(()));
        let kept = lock.clone();
        thread::spawn(move || std::mem::forget(kept.lock())).join().unwrap();
        thread::spawn(move || drop(lock.lock()));
        // Meanwhile, it waits.
        let (tx, rx) = channel();
        thread::spawn(move || tx.send(()));
        rx.recv().unwrap();
        locks(turns);
    }
    fn locks(turns: u32) {
        let other = Mutex::new(());
        for _ in 0..turns {
            drop(other.lock());
        }
    }
    for (program, cut, end) in [
        (locks as fn(u32), Termination::StepBound, Termination::Normal),
        (locks_up, Termination::LocalDeadlock, Termination::Deadlock),
    ] {
        let found = Explorer::new().max_steps(50).explore(move || program(10_000));
        let failure = only_failure(&found);
        assert_eq!(failure.termination, cut, "{failure}");
        let path = file(&format!("{}.yaml", cut.words()));
        failure.save(&path).unwrap();
        for steps in [50, 100] {
            let again = Explorer::new().max_steps(steps).replay_file(&path, move || program(10_000)).unwrap();
            assert_eq!(again.termination, cut);
            let again = Explorer::new().max_steps(steps).replay(&failure.sequence, move || program(10_000));
            assert_eq!(again.unwrap().termination, cut);
        }
        let again = Explorer::new().replay_file(&path, move || program(100)).unwrap();
        assert_eq!(again.termination, end);
        std::fs::remove_file(path).unwrap();
    }
}

// ---- prefixes ------------------------------------------------------------------------------------------------------

/// The first events of every process, as far as they are closed under happens-before.
fn first_receive(sequence: &Sequence) -> Sequence {
    let order = insyn::sequences::Order::of(sequence).unwrap();
    let main = 0;
    assert_eq!(sequence.processes[main].id, "main");
    let receive = sequence.processes[main].events.iter().position(|e| e.op == Op::Receive).unwrap();
    let receive = EventRef { process: main, index: receive };
    let mut prefix = sequence.clone();
    for (p, process) in prefix.processes.iter_mut().enumerate() {
        let kept = (0..process.events.len())
            .take_while(|&index| {
                let e = EventRef { process: p, index };
                e == receive || order.happens_before(e, receive)
            })
            .count();
        process.events.truncate(kept);
    }
    prefix
}

#[test]
fn prefix_is_followed_and_the_rest_explored() {
    let everything = all_sequences(Explorer::new(), others::fan_in(4));
    assert_eq!(everything.len(), 24);
    let prefixes: BTreeSet<Sequence> = everything.iter().map(|(s, _)| first_receive(s)).collect();
    assert_eq!(prefixes.len(), 4, "one for each sender that can be first");
    let mut parts = BTreeSet::new();
    for prefix in prefixes {
        for workers in [1, 3] {
            let explorer = Explorer::new().workers(workers).prefix(prefix.clone()).unwrap();
            let found = explorer.clone().explore(others::fan_in(4));
            assert_eq!((found.sequences, found.executions), (6, 6), "{found}");
            assert!(found.failures.is_empty(), "{found}");
            let part = all_sequences(explorer, others::fan_in(4));
            assert!(part.iter().all(|(s, _)| first_receive(s) == prefix));
            parts.extend(part);
        }
        let forced = Explorer::new().force_prefix(&prefix, others::fan_in(4)).unwrap();
        assert_eq!(first_receive(&forced.sequence), prefix);
    }
    assert_eq!(parts, everything, "the parts make the whole");
}

#[test]
fn prefix_of_another_program_is_reported() {
    let other = Explorer::new().run(opposite_orders).sequence;
    let error = Explorer::new().force_prefix(&other, others::fan_in(3)).unwrap_err();
    assert!(matches!(error, ReplayError::Diverged { .. }), "{error}");
    let found = Explorer::new().prefix(other).unwrap().explore(others::fan_in(3));
    assert_eq!((found.sequences, found.nondeterminism), (0, 1), "{found}");
    let failure = only_failure(&found);
    assert_eq!(failure.termination, Termination::Nondeterminism, "{found}");
    assert!(failure.message.contains("does not begin with the prefix"), "{failure}");
    assert!(!failure.message.contains("does not control"), "{failure}");
}

#[test]
fn files_that_cannot_be_replayed_are_typed_errors() {
    let path = file("cannot_be_replayed.yaml");
    let _ = std::fs::remove_file(&path);
    let replay = || Explorer::new().replay_file(&path, others::fan_in(2));
    let unreadable = |what: &str| match replay().unwrap_err() {
        ReplayError::Unreadable { path: named, reason } => {
            assert_eq!(named, path.display().to_string());
            assert!(reason.contains(what), "{reason}");
        }
        other => panic!("{other}"),
    };
    unreadable("No such file");
    let found = Explorer::new().explore(checks_order);
    let failure = &found.failures[0];
    failure.save(&path).unwrap();
    let replayed = Explorer::new().replay_file(&path, checks_order).unwrap();
    assert_eq!(replayed.sequence, failure.sequence);
    assert_eq!(replayed.termination, failure.termination);
    assert!(matches!(replay().unwrap_err(), ReplayError::Diverged { .. }), "another program's");
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("version: 1", "version: 99")).unwrap();
    unreadable("99");
    std::fs::write(&path, &text[..text.len() / 2]).unwrap();
    assert!(replay().is_err(), "half a file");
    std::fs::write(&path, "events: [").unwrap();
    unreadable("");
}

#[test]
fn malformed_prefixes_are_typed_errors() {
    let sequence = Explorer::new().run(checks_order).sequence;
    let mut nobodys = sequence.clone();
    nobodys.processes[0].id = "nobody".to_string();
    let error = Explorer::new().prefix(nobodys).unwrap_err();
    assert!(matches!(&error, ReplayError::NoSuchProcess { id } if id == "nobody"), "{error}");
    let mut dangling = sequence;
    for event in dangling.processes.iter_mut().flat_map(|process| &mut process.events) {
        if let Pick::Partners(partners) = &mut event.pick {
            partners[0].index = 1000;
        }
    }
    let error = Explorer::new().prefix(dangling).unwrap_err();
    assert!(matches!(error, ReplayError::Malformed(_)), "{error}");
}
