//! Words of a specification and steps of tests, forced on programs: the verdict is whether some execution does the word.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex as RealMutex};

use insyn::forced::{Answer, Steps};
use insyn::specs::spec::{Instance, Orders};
use insyn::specs::test_file::{Among, TestSequence};
use insyn::specs::{Spec, TestFile, Word};
use insyn::std::thread;
use insyn::sync::Semaphore;
use insyn::{Explorer, label};
use proptest::prelude::*;
use serde_json::Value as Data;

const SPEC: &str = "
insyn: spec
version: 1
events:
  deposit: {arguments: {item: 0..2}, match: {label: D, value: <item>}}
  withdraw: {match: {label: W}}
";

/// One producer of three items, one consumer.
fn buffer(slots: usize) {
    let empty = Arc::new(Semaphore::new(slots));
    let full = Arc::new(Semaphore::new(0));
    let (e, f) = (empty.clone(), full.clone());
    thread::spawn(move || {
        for item in 0..3 {
            e.acquire();
            label!("D", item);
            f.release();
        }
    });
    for _ in 0..3 {
        full.acquire();
        label!("W");
        empty.release();
    }
}

fn instance() -> Arc<Instance> {
    Arc::new(Spec::read("spec.yaml", SPEC).unwrap().with(&Data::Null).unwrap())
}

/// The executions of the program in the letters of the specification.
fn sequences(instance: &Arc<Instance>, slots: usize) -> BTreeSet<Orders> {
    let found: Arc<RealMutex<BTreeSet<Orders>>> = Arc::default();
    let observe = {
        let (found, instance) = (found.clone(), instance.clone());
        move |ended: &insyn::Ended<'_>| {
            if ended.counted() {
                found
                    .lock()
                    .unwrap()
                    .insert(instance.orders(&ended.sequence(), &ended.constraints()).unwrap());
            }
        }
    };
    assert!(Explorer::new().workers(1).observe(observe).explore(move || buffer(slots)).is_complete());
    std::mem::take(&mut found.lock().unwrap())
}

fn force(sequence: &TestSequence, instance: Option<&Arc<Instance>>, slots: usize) -> Answer {
    let whole = matches!(sequence, TestSequence::Whole(_));
    let (owned, instance) = (sequence.clone(), instance.cloned());
    let steps = Steps::new(sequence.steps().len(), whole, move |event| owned.fit(instance.as_deref(), event));
    Explorer::new().force(&steps, false, move || buffer(slots)).answer
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Most random words are infeasible, so they are made from a feasible one by a few swaps.
    #[test]
    fn a_word_is_feasible_if_and_only_if_an_execution_does_it(
        slots in 1..=3_usize,
        exchanges in prop::collection::vec((0..6_usize, 0..6_usize), 0..4),
        cut in 4..=6_usize,
    ) {
        let instance = instance();
        let sequences = sequences(&instance, slots);
        let mut letters = sequences.first().expect("there are executions").letters().to_vec();
        for (a, b) in exchanges {
            letters.swap(a, b);
        }
        letters.truncate(cut);
        let word = Word(letters);
        let expected = sequences.iter().any(|orders| orders.has_word(&word));
        let whole = TestSequence::from(&word);
        let steps = whole.steps().to_vec();
        for sequence in [whole, TestSequence::Prefix(steps)] {
            // The set of all executions gives the same answer, without running any.
            let told = sequence.among(&sequences);
            let is_whole = matches!(sequence, TestSequence::Whole(_));
            match force(&sequence, Some(&instance), slots) {
                Answer::Feasible(_) => {
                    prop_assert!(expected || !is_whole, "{word}");
                    prop_assert_eq!(told, Some(Among::Feasible));
                }
                Answer::Infeasible(obstacle) => {
                    prop_assert!(!expected, "{word}");
                    prop_assert_eq!(told, Some(Among::Infeasible(obstacle.step)));
                }
                other => prop_assert!(false, "{word}: {other:?}"),
            }
        }
    }
}

fn test(sequence: &str) -> TestSequence {
    let text = format!("insyn: tests\nversion: 1\ntests: [{{name: it, {sequence}}}]\n");
    TestFile::read("tests.yaml", &text).unwrap().tests.remove(0).sequence
}

#[test]
fn the_semaphore_that_stands_in_the_way_is_named() {
    let Answer::Infeasible(obstacle) = force(&test("sequence: [D, D, D, W, W, W]"), None, 2) else {
        panic!("there are two slots");
    };
    assert_eq!(obstacle.step, 2);
    assert!(obstacle.blocked.iter().any(|it| it.waits_for.contains("acquire on")), "{obstacle}");
    assert!(matches!(force(&test("sequence: [D, D, D, W, W, W]"), None, 3), Answer::Feasible(_)));
}

#[test]
fn without_a_specification_names_are_labels_and_the_rest_is_hidden() {
    assert!(matches!(force(&test("sequence: [D, D, D]"), None, 1), Answer::Feasible(_)), "W is hidden");
    assert!(matches!(force(&test("sequence: [D, D]"), None, 1), Answer::Infeasible(_)), "there are three");
    assert!(matches!(force(&test("prefix: [D, D]"), None, 1), Answer::Feasible(_)));
    assert!(matches!(force(&test("sequence: ['D(0)', 'D(1)', 'D(2)']"), None, 1), Answer::Feasible(_)));
    assert!(matches!(force(&test("sequence: ['D(1)', 'D(0)', 'D(2)']"), None, 1), Answer::Infeasible(_)));
    let mixed = test("prefix: [{op: acquire, thread: main/thread1}, D, {op: acquire, thread: main}, W]");
    assert!(matches!(force(&mixed, None, 1), Answer::Feasible(_)));
}
