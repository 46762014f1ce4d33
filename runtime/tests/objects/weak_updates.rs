//! Weak updates of atomics: with `Explorer::spurious_failures` they may fail although the value is the expected one, each
//! thread's at most twice in an execution.

use std::sync::{Arc, Mutex as Plain};

use insyn::forced::{Answer, Steps};
use insyn::sequences::{EventRef, Op, Pick, Sequence, SequenceFile};
use insyn::std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, Ordering::SeqCst};
use insyn::std::thread;
use insyn::{Explorer, ReplayError, Termination};

use super::{counts, explored, outputs};

fn weak() -> Explorer {
    Explorer::new().spurious_failures(true)
}

/// How many times the loop runs.
fn attempts() -> u32 {
    let x = AtomicU32::new(0);
    let mut failures = 0;
    while x.compare_exchange_weak(0, 1, SeqCst, SeqCst).is_err() {
        failures += 1;
    }
    failures
}

/// A loop ends, since a thread fails at most twice; without the option it never fails.
#[test]
fn a_thread_fails_at_most_twice() {
    assert_eq!(outputs(attempts), counts([("0", 1)]));
    let (found, outputs) = explored(weak(), attempts);
    found.assert_ok();
    assert_eq!(outputs, counts([("0", 1), ("1", 1), ("2", 1)]));
    // The two are those of a thread, whatever it fails at: of four attempts on two variables, none, one or two fail.
    let (found, outputs) = explored(weak(), || {
        let [a, b] = [AtomicBool::new(true), AtomicBool::new(true)];
        let weakly = |x: &AtomicBool| x.compare_exchange_weak(true, true, SeqCst, SeqCst).is_err();
        u8::from(weakly(&a)) + u8::from(weakly(&b)) + u8::from(weakly(&a)) + u8::from(weakly(&b))
    });
    found.assert_ok();
    assert_eq!(outputs, counts([("0", 1), ("1", 4), ("2", 6)]));
    // Another thread has two of its own.
    let (found, outputs) = explored(weak(), || {
        let other = thread::spawn(attempts);
        attempts() + other.join().unwrap()
    });
    found.assert_ok();
    assert_eq!(outputs, counts([("0", 1), ("1", 2), ("2", 3), ("3", 2), ("4", 1)]));
}

/// A failure that is not spurious returns another value and does not count; a spurious one returns the expected value.
#[test]
fn only_what_would_succeed_fails_spuriously() {
    let (found, outputs) = explored(weak(), || {
        let x = AtomicU32::new(5);
        let real = (0..3).map(|_| x.compare_exchange_weak(0, 1, SeqCst, SeqCst)).collect::<Vec<_>>();
        assert_eq!(real, [Err(5); 3]);
        x.compare_exchange_weak(5, 6, SeqCst, SeqCst)
    });
    found.assert_ok();
    assert_eq!(outputs, counts([("{\"Err\":5}", 1), ("{\"Ok\":5}", 1)]));
}

/// What is built on weak attempts tries again; what is not never fails.
#[test]
fn updates_try_again() {
    let (found, outputs) = explored(weak(), || {
        let (x, mut calls) = (AtomicU32::new(0), 0);
        let old = x.fetch_update(SeqCst, SeqCst, |n| {
            calls += 1;
            Some(n + 1)
        });
        (old, x.load(SeqCst), calls)
    });
    found.assert_ok();
    let all = counts([("[{\"Ok\":0},1,1]", 1), ("[{\"Ok\":0},1,2]", 1), ("[{\"Ok\":0},1,3]", 1)]);
    assert_eq!(outputs, all);
    let (found, outputs) = explored(weak(), || {
        let (x, mut word) = (AtomicU32::new(0), 7_u32);
        let p = AtomicPtr::new(&raw mut word);
        assert_eq!(p.compare_exchange(&raw mut word, &raw mut word, SeqCst, SeqCst), Ok(&raw mut word));
        (x.compare_exchange(0, 1, SeqCst, SeqCst).is_ok(), x.swap(2, SeqCst), x.fetch_add(3, SeqCst))
    });
    found.assert_ok();
    assert_eq!(outputs, counts([("[true,1,2]", 1)]));
}

/// Two threads take a lock that spins.
fn spin_lock() -> u32 {
    let (taken, inside) = (AtomicBool::new(false), AtomicU32::new(0));
    thread::scope(|s| {
        for _ in 0..2 {
            s.spawn(|| {
                while taken.compare_exchange_weak(false, true, SeqCst, SeqCst).is_err() {
                    thread::yield_now();
                }
                assert_eq!(inside.fetch_add(1, SeqCst), 0, "it is alone");
                inside.store(0, SeqCst);
                taken.store(false, SeqCst);
            });
        }
    });
    inside.load(SeqCst)
}

/// A spurious failure is no poll: the next attempt does not wait for a change, which might never come.
#[test]
fn a_loop_that_polls_is_not_blocked() {
    let strong = outputs(spin_lock);
    let (found, outputs) = explored(weak(), spin_lock);
    found.assert_ok();
    assert_eq!(found.deadlocks, 0);
    assert!(outputs["0"] > strong["0"], "{outputs:?} {strong:?}");
    let every = weak().brute_force(1_000_000, spin_lock).expect("it is small");
    assert_eq!(every.sequences, found.sequences);
}

/// Two threads, one of which tries weakly: it is first and succeeds, is first and fails, or is second and fails.
fn two_attempts() -> (bool, bool) {
    let x = AtomicU32::new(0);
    thread::scope(|s| {
        let a = s.spawn(|| x.compare_exchange_weak(0, 1, SeqCst, SeqCst).is_ok());
        let b = x.compare_exchange(0, 2, SeqCst, SeqCst).is_ok();
        (a.join().unwrap(), b)
    })
}

#[test]
fn every_order_of_steps_agrees() {
    let (found, outputs) = explored(weak(), two_attempts);
    found.assert_ok();
    assert_eq!(outputs, counts([("[false,true]", 2), ("[true,false]", 1)]));
    for program in [two_attempts, || (attempts() > 0, false)] {
        let every = weak().every_order(100_000, program).expect("it is small");
        assert_eq!(every.sequences, 3);
        assert_eq!(weak().sample(300, program).sequences, 3);
    }
}

/// Sequences with their outputs.
type Outputs = Vec<(Sequence, Option<String>)>;

/// All sequences of a program.
fn sequences(explorer: Explorer, program: fn() -> (bool, bool)) -> Outputs {
    let seen: Arc<Plain<Outputs>> = Arc::default();
    let collect = seen.clone();
    let _ = explorer
        .workers(1)
        .observe(move |ended| {
            if ended.counted() {
                collect.lock().unwrap().push((ended.sequence(), ended.output()));
            }
        })
        .explore(program);
    std::mem::take(&mut *seen.lock().unwrap())
}

/// The last completion on the variable that has failed, and what it takes.
fn failed(sequence: &Sequence) -> Option<(EventRef, EventRef)> {
    let at = sequence.events().filter(|&at| sequence.event(at).op == Op::FailedUpdate).last()?;
    Some((at, sequence.event(at).pick.partners()[0]))
}

/// Sequences are saved and replayed; a failure is what it was.
#[test]
fn spurious_failures_are_replayed() {
    let all = sequences(weak(), two_attempts);
    assert_eq!(all.len(), 3);
    let mut spurious = 0;
    for (sequence, output) in all {
        let text = SequenceFile::from(sequence.clone()).write().unwrap();
        let read = insyn::specs::file::read(&text).unwrap().sequence;
        assert_eq!(read, sequence);
        let again = weak().replay(&read, two_attempts).unwrap();
        assert_eq!((&again.sequence, &again.output), (&sequence, &output));
        assert_eq!(again.termination, Termination::Normal);
        let (_, call) = failed(&sequence).expect("one of the two has failed");
        if sequence.event(call).op == Op::OfferFailure {
            spurious += 1;
            // Without the option the program does something else from there on.
            let error = Explorer::new().replay(&sequence, two_attempts).unwrap_err();
            assert!(matches!(error, ReplayError::Diverged { .. }), "{error}");
        }
    }
    assert_eq!(spurious, 1);
}

/// A file that makes a failure spurious which is not, or takes a success for one, cannot happen.
#[test]
fn edited_failures_are_refused() {
    let mut edited = 0;
    for (mut sequence, _) in sequences(weak(), two_attempts) {
        let Some((at, call)) = failed(&sequence) else { continue };
        if sequence.event(call).op != Op::OfferUpdate {
            continue;
        }
        let failure = EventRef { index: call.index + 1, ..call };
        assert_eq!(sequence.event(failure).op, Op::OfferFailure);
        sequence.processes[at.process].events[at.index].pick = Pick::Partners(vec![failure]);
        let error = weak().replay(&sequence, two_attempts).unwrap_err();
        assert!(matches!(error, ReplayError::Impossible { .. }), "{error}");
        edited += 1;
    }
    assert_eq!(edited, 1);
}

/// Events of the variable by their names alone.
fn word(letters: &'static [&'static str]) -> Steps {
    Steps::new(letters.len(), true, move |event| {
        let name = event.op.word();
        name.ends_with("update")
            .then(|| (0..).zip(letters).filter(|it| *it.1 == name).map(|it| it.0).collect())
    })
}

#[test]
fn spurious_failures_are_forced() {
    let force = |explorer: Explorer, letters| explorer.force(&word(letters), true, two_attempts).answer;
    // The weak attempt fails, and then the other succeeds.
    let Answer::Feasible(found) = force(weak(), &["failed-update", "update"]) else {
        panic!("it is feasible")
    };
    assert_eq!(found[0].output.as_deref(), Some("[false,true]"));
    assert!(matches!(force(weak(), &["update", "failed-update"]), Answer::Feasible(_)));
    // Both never fail, and without the option the first never does.
    assert!(matches!(force(weak(), &["failed-update", "failed-update"]), Answer::Infeasible(_)));
    assert!(matches!(force(Explorer::new(), &["failed-update", "update"]), Answer::Infeasible(_)));
    // Forced as the beginning of a run, with the rest explored.
    for (sequence, output) in sequences(weak(), two_attempts) {
        let found = weak().prefix(sequence).unwrap().explore(two_attempts);
        assert_eq!((found.sequences, found.failures.len()), (1, 0), "{output:?}: {found}");
    }
}
