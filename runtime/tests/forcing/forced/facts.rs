//! Forcing uses the names that all executions together give, even if no forced run shows them.

use std::time::Duration;

use insyn::Explorer;
use insyn::crossbeam_channel;
use insyn::forced::Answer;
use insyn::sequences::Op;
use insyn::std::sync::atomic::{AtomicBool, Ordering};
use insyn::std::sync::mpsc;
use insyn::std::sync::{Arc, Barrier};
use insyn::std::thread;

use super::{Name, force, steps, words};

/// The operation, the object and the threads of every event that a thread does.
fn everything(event: &insyn::sequences::ObservedEvent<'_>) -> Option<String> {
    let threads: Vec<&str> = event.threads.iter().map(|it| it.id).collect();
    let object = event.object.map_or("", |it| it.id);
    (!threads.is_empty()).then(|| format!("{} {object} {}", event.op.word(), threads.join("+")))
}

/// Every word is feasible; without its events with this operation, it is feasible only if some execution does that.
#[track_caller]
fn compare_without(op: Op, name: Name, program: impl Fn() + Send + Sync + Copy + 'static) {
    let feasible = words(name, program);
    let is_left_out = |it: &String| it.split(' ').next() == Some(op.word());
    assert!(feasible.iter().flatten().any(is_left_out), "{feasible:?}");
    for word in &feasible {
        let less: Vec<String> = word.iter().filter(|it| !is_left_out(it)).cloned().collect();
        for word in [word, &less] {
            let forced = force(word, true, name, program);
            let is_feasible = matches!(forced.answer, Answer::Feasible(_));
            assert_eq!(is_feasible, feasible.contains(word), "{word:?}: {forced:?}");
        }
    }
}

/// Which handle of a channel is the last matters only if a message is left behind whose destructor synchronizes.
#[test]
fn handles_that_count_in_some_executions_only() {
    let of_one: Name = |event| everything(event).filter(|it| it.ends_with("main/thread1/thread1"));
    compare_without(Op::Drop, of_one, || {
        let (to_first, first) = mpsc::channel();
        let (handles, carried) = crossbeam_channel::bounded(2);
        let (to_second, other) = (to_first.clone(), handles.clone());
        thread::spawn(move || {
            let second = thread::spawn(move || {
                let _ = to_second.send(9);
                let _ = to_second.send(1);
                drop(to_second);
                let _ = other.try_send(None);
            });
            let _ = first.recv_timeout(Duration::from_secs(1));
            let _ = carried.recv();
            second.join().unwrap();
        });
        let _ = handles.send(Some(to_first));
    });
}

/// One execution of 120 asks which thread was the leader; then the leader is named first.
#[test]
fn a_leader_that_is_asked_for_in_few_executions() {
    let arrivals: Name = |event| everything(event).filter(|_| event.op == Op::Arrive);
    let program = || {
        let barrier = Arc::new(Barrier::new(2));
        let (tx, rx) = mpsc::channel();
        for id in 0..5 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(id));
        }
        let other = barrier.clone();
        thread::spawn(move || {
            other.wait();
        });
        let result = barrier.wait();
        if rx.iter().take(5).eq([3, 1, 4, 0, 2]) {
            let _ = result.is_leader();
        }
    };
    let feasible = words(arrivals, program);
    assert_eq!(feasible.len(), 2, "{feasible:?}");
    for word in &feasible {
        let forced = force(word, true, arrivals, program);
        assert!(matches!(forced.answer, Answer::Feasible(_)), "{word:?}: {forced:?}");
    }
}

/// A loop that polls and gives up polls repeatedly; this shows only when nothing else can move.
#[test]
fn a_loop_that_gives_up() {
    let name: Name = |event| match event.op {
        Op::Load => Some("look".to_owned()),
        Op::Store => Some("end".to_owned()),
        _ => None,
    };
    let program = || {
        let flag = AtomicBool::new(false);
        for _ in 0..3 {
            if flag.load(Ordering::SeqCst) {
                return;
            }
            thread::yield_now();
        }
        flag.store(true, Ordering::SeqCst);
    };
    let word = |text: &str| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(words(name, program), [word("look look look end")].into());
    for (text, expected) in [("look look look end", true), ("look", false), ("look look end", false)] {
        // No other event is named, and this one has the same name whatever is known.
        let steps = steps(&word(text), true, name).among(|op| matches!(op, Op::Load | Op::Store));
        let forced = Explorer::new().force(&steps, false, program);
        assert_eq!(matches!(forced.answer, Answer::Feasible(_)), expected, "{text}: {forced:?}");
    }
}

/// If nothing could change the names of events, the other executions are not explored: there are millions.
#[test]
fn names_that_cannot_change_are_not_looked_for() {
    let name: Name = |event| match event.op {
        Op::Send => Some(format!("s{}", &event.threads[0].id[11..])),
        Op::Receive => Some(String::from("r")),
        _ => None,
    };
    let program = || {
        let (tx, rx) = mpsc::channel();
        for id in 0..12 {
            let tx = tx.clone();
            thread::spawn(move || tx.send(id).is_ok());
        }
        drop(tx);
        rx.iter().take(12).count()
    };
    let mut word: Vec<String> = (1..=12).rev().map(|n| format!("s{n}")).collect();
    word.extend(std::iter::repeat_n(String::from("r"), 12));
    let forced = force(&word, true, name, program);
    assert!(matches!(forced.answer, Answer::Feasible(_)), "{forced:?}");
    assert!(forced.executions <= 10, "{} executions", forced.executions);
    word.insert(12, String::from("s1"));
    let bounded = Explorer::new().max_executions(1_000);
    let forced = bounded.force(&steps(&word, true, name), false, program);
    assert!(matches!(forced.answer, Answer::Infeasible(_)), "{forced:?}");
}
