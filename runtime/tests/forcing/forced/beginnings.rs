//! After a forced prefix everything is free: it has every result that the program can have, and no order of its
//! own.

use std::collections::BTreeSet;

use insyn::forced::Answer;
use insyn::sequences::Op;
use insyn::std::sync::mpsc;
use insyn::std::thread;
use insyn::{Explorer, label};

use super::{Name, steps};

/// The outputs that a program can have after a prefix, and how many executions it took to find them.
#[track_caller]
fn outputs<R: serde::Serialize + 'static>(
    word: &[&str],
    name: Name,
    program: impl Fn() -> R + Send + Sync + 'static,
) -> (BTreeSet<String>, u64) {
    let word: Vec<String> = word.iter().map(ToString::to_string).collect();
    let forced = Explorer::new().force(&steps(&word, false, name), true, program);
    let Answer::Feasible(executions) = forced.answer else { panic!("{word:?}: {forced:?}") };
    (executions.into_iter().filter_map(|it| it.output).collect(), forced.executions)
}

/// The number of the thread that announces itself.
fn says(event: &insyn::sequences::ObservedEvent<'_>) -> Option<String> {
    event.label.map(|_| event.threads[0].id[11..].to_owned())
}

/// Each of six threads announces itself, and does nothing else.
fn six() {
    let threads: Vec<_> = (0..6).map(|_| thread::spawn(|| label!("here"))).collect();
    threads.into_iter().for_each(|it| it.join().unwrap());
}

#[test]
fn later_events_have_no_order() {
    let (outputs, executions) = outputs(&["3"], says, six);
    assert_eq!(outputs.len(), 1, "{outputs:?}");
    assert!(executions <= 10, "{executions} executions");
}

#[test]
fn no_beginning_is_no_order() {
    let (_, executions) = outputs(&[], says, six);
    assert_eq!(executions, 1);
}

/// Three threads announce themselves and then send their numbers; returns what was received, in order.
fn fan_in() -> Vec<u32> {
    let (tx, rx) = mpsc::channel();
    for id in 1..=3 {
        let tx = tx.clone();
        thread::spawn(move || {
            label!("here");
            tx.send(id).unwrap();
        });
    }
    drop(tx);
    rx.iter().collect()
}

#[test]
fn later_events_come_in_every_order() {
    let sends: Name = |event| match event.op {
        Op::Send => Some(event.threads[0].id[11..].to_owned()),
        _ => None,
    };
    let (all, executions) = outputs(&["2"], says, fan_in);
    assert_eq!(all.len(), 6, "{all:?}");
    assert!(executions <= 12, "{executions} executions");
    let all = |all: &[&str]| all.iter().map(ToString::to_string).collect::<BTreeSet<_>>();
    assert_eq!(outputs(&["2"], sends, fan_in).0, all(&["[2,1,3]", "[2,3,1]"]));
    assert_eq!(outputs(&["3", "1"], sends, fan_in).0, all(&["[3,1,2]"]));
    // Either of two events may be the step.
    let some: Name = |event| match event.op {
        Op::Send => Some(String::from(if event.threads[0].id.ends_with('3') { "last" } else { "first" })),
        _ => None,
    };
    let expected = all(&["[1,2,3]", "[1,3,2]", "[2,1,3]", "[2,3,1]"]);
    assert_eq!(outputs(&["first"], some, fan_in).0, expected);
    assert_eq!(outputs(&["first", "last"], some, fan_in).0, all(&["[1,3,2]", "[2,3,1]"]));
}
