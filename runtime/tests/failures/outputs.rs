//! The output of a program must be comparable: if it cannot be written as JSON, that is a failure.

use std::collections::BTreeMap;

use insyn::std::sync::mpsc::channel;
use insyn::std::thread;
use insyn::{Explorer, Termination};
use insyn_test_support::only_failure;
use serde::{Serialize, Serializer};

use super::assert_line;

const SOURCE: &str = include_str!("outputs.rs");

/// The order in which the messages of this many threads arrive. The keys are no text.
fn pairs(threads: u32) -> BTreeMap<(u32, u32), u32> {
    let (tx, rx) = channel();
    for n in 0..threads {
        let tx = tx.clone();
        thread::spawn(move || tx.send(n).unwrap());
    }
    (0..threads).map(|n| ((n, n), rx.recv().unwrap())).collect()
}

#[test]
fn output_that_cannot_be_written_is_a_failure() {
    for workers in [1, 2, 4] {
        let found = Explorer::new().workers(workers).explore(|| pairs(2)); // returned here
        assert_eq!((found.sequences, found.executions, found.panics), (2, 2, 2), "{found}");
        let failure = only_failure(&found);
        assert_eq!((failure.termination, failure.occurrences), (Termination::Panic, 2), "{found}");
        assert_eq!(
            failure.message,
            "what the program returned cannot be written as JSON, so it cannot be compared: key must be a string"
        );
        let [panic] = &failure.panics[..] else { panic!("it is told once: {found}") };
        assert_eq!((&panic.message, panic.thread.as_str()), (&failure.message, "main"));
        let at: Vec<&str> =
            panic.location.as_deref().expect("where it was given to us").rsplitn(3, ':').collect();
        assert_line(SOURCE, at[1].parse().unwrap(), "// returned here");
        assert_eq!(failure.to_string().matches("cannot be written").count(), 1, "{failure}");
    }
}

/// Another value of the same type may be fine.
#[test]
fn output_that_can_be_written_is_none() {
    let found = insyn::explore(BTreeMap::<(u32, u32), u32>::new);
    assert!(found.failures.is_empty(), "{found}");
    let run = Explorer::new().run(BTreeMap::<(u32, u32), u32>::new);
    assert_eq!((run.termination, run.output.as_deref()), (Termination::Normal, Some("{}")));
}

#[test]
fn runs_and_replays_have_no_output_then() {
    let run = Explorer::new().run(|| pairs(1));
    assert_eq!((run.termination, &run.output), (Termination::Panic, &None));
    let again = Explorer::new().replay(&run.sequence, || pairs(1)).unwrap();
    assert_eq!((again.termination, &again.output), (Termination::Panic, &None));
    let sampled = Explorer::new().sample(4, || pairs(1));
    assert_eq!((sampled.panics, sampled.failures.len()), (1, 1), "{sampled}");
}

#[test]
fn panic_while_the_output_is_written_is_one_of_the_program() {
    struct Hostile;
    impl Serialize for Hostile {
        fn serialize<S: Serializer>(&self, _: S) -> Result<S::Ok, S::Error> {
            panic!("not to be written")
        }
    }
    let found = insyn::explore(|| (1, Hostile));
    assert_eq!((found.panics, only_failure(&found).message.as_str()), (1, "not to be written"), "{found}");
}
