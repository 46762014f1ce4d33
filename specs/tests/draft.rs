//! What can be matched in a program, and drafts of specifications: every execution that a draft is made from keeps it.

#[path = "../sequences/tests/common/mod.rs"]
mod common;

use common::build::Build;
use insyn_sequences::catalog::{Catalog, Cataloguing, Values};
use insyn_sequences::{Kind, Op, OrderConstraints, Pick, Sequence, Value};
use insyn_specs::Spec;
use insyn_specs::draft::{DraftError, Observation, draft};
use insyn_specs::spec::Verdict;
use insyn_verdicts::Conformance;
use proptest::prelude::*;
use serde_json::{Value as Data, json};

/// Threads that do some labels each, without synchronizing.
fn labels(threads: &[&[(&str, Option<i64>)]]) -> Sequence {
    let mut build = Build::default();
    for (n, labels) in threads.iter().enumerate() {
        let thread = build.process(&format!("thread{n}"), Kind::Thread);
        for (text, value) in *labels {
            build.label(thread, text, value.map(Value::Integer));
        }
    }
    build.finish()
}

fn catalog(sequences: &[Sequence]) -> Catalog {
    let mut catalog = Cataloguing::default();
    sequences.iter().for_each(|it| catalog.add(it).unwrap());
    catalog.finish()
}

fn observed(sequences: &[Sequence], output: &Data) -> Vec<Observation> {
    let one = |it: &Sequence| Observation::new(it.clone(), OrderConstraints::default(), Some(output.clone()));
    sequences.iter().map(one).collect()
}

/// The draft of some sequences, which all of them keep.
fn drafted(sequences: &[Sequence], output: &Data) -> String {
    let text = draft("works", &catalog(sequences), &observed(sequences, output), true).unwrap();
    let spec = Spec::read("draft.yaml", &text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
    assert_eq!(spec.conformance(), Conformance::Subset);
    assert_eq!(spec.program(), Some("works"));
    let instance = spec.with(&Data::Null).unwrap();
    for sequence in sequences {
        let orders = instance.orders(sequence, &OrderConstraints::default()).unwrap();
        assert!(!orders.letters().is_empty() || sequences.len() > 1, "{text}");
        let judged = instance.judge_orders(&orders, usize::MAX).unwrap();
        assert_eq!(judged.verdict, Verdict::Valid, "{text}");
        assert!(judged.allows(Some(output)), "{text}");
    }
    text
}

#[test]
fn a_draft_has_the_rules_that_hold() {
    let one = labels(&[&[("submit", Some(0)), ("run", Some(0)), ("submit", Some(1)), ("run", Some(1))]]);
    let other = labels(&[&[("submit", Some(1)), ("submit", Some(0)), ("run", Some(0)), ("run", Some(1))]]);
    let text = drafted(&[one, other], &json!({"a": ["it's", 1]}));
    for line in [
        "  submit: {arguments: {n: 0..1}}\n",
        "- submit(x) precedes run(x)\n",
        "- at most 1 run(x)\n",
        "\nexpect:\n  output: {a: [\"it's\", 1]}\n",
        "  # 2 in each sequence, by thread0\n",
    ] {
        assert!(text.contains(line), "{line:?} is not in\n{text}");
    }
    assert!(!text.contains("run precedes"), "{text}");
    // A text is an expression in `output`.
    let text = drafted(&[labels(&[&[("a", None), ("b", None), ("a", None), ("b", None)]])], &json!("it's"));
    for line in [
        "- a alternates with b\n",
        "- at most 2 a\n",
        "  a:    # the label of this name\n",
        "output: \"'it''s'\"\n",
    ] {
        assert!(text.contains(line), "{line:?} is not in\n{text}");
    }
}

#[test]
fn what_follows_from_others_is_left_out() {
    let chain = labels(&[&[("a", None), ("b", None), ("b", None), ("c", None), ("c", None), ("d", None)]]);
    let text = drafted(&[chain], &Data::Null);
    let rules: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("- ")).collect();
    let expected = ["b precedes each c", "c precedes each d", "a precedes b"];
    assert_eq!(rules[..3], expected, "{text}");
    assert!(rules[3..].iter().all(|it| it.starts_with("at most")), "{text}");
}

#[test]
fn names_of_any_kind_can_be_matched() {
    let mut build = Build::default();
    let main = build.named("main", Kind::Thread, "a: \"b\" {c} # d");
    let plain = build.named("main/mutex1", Kind::Mutex, "<left>*");
    let inner = build.process("main/thread1/mutex1", Kind::Mutex);
    let text = build.named("main/mutex2", Kind::Mutex, "it's: [a] #x\n\u{202e}");
    for object in [plain, inner, text] {
        build.calls(main, Op::Lock, object);
        build.calls(main, Op::Unlock, object);
    }
    let sequence = build.finish();
    let all = catalog(std::slice::from_ref(&sequence));
    let patterns: Vec<&str> = all.objects.iter().map(|it| it.pattern.as_str()).collect();
    assert_eq!(patterns, ["main/mutex1", "it's: [a] #x\n\u{202e}", "thread1/mutex1"]);
    let text = drafted(&[sequence], &Data::Null);
    assert!(
        text.contains("lock_main") && text.contains("lock_thread1") && text.contains("lock_it_s"),
        "{text}"
    );
    // Nothing is in two events at once: three locks, each once.
    assert_eq!(text.matches("- at most 1 ").count(), 3, "{text}");
}

#[test]
fn what_was_taken_and_how_often_is_counted() {
    let run = |polls: usize| {
        let mut build = Build::default();
        let main = build.process("main", Kind::Thread);
        let channel = build.process("main/channel1", Kind::Channel);
        let worker = build.named("main/thread1", Kind::Thread, "worker");
        for _ in 0..polls {
            build.event(main, Op::Receive, Some(channel), Pick::Nothing);
        }
        let send = build.event(worker, Op::Send, Some(channel), Pick::Nothing);
        build.takes(main, Op::Receive, channel, &[send]);
        build.finish()
    };
    let all = catalog(&[run(0), run(2), run(1)]);
    let of = |matcher: &str| {
        let class =
            all.events.iter().find(|it| it.matcher == matcher).unwrap_or_else(|| panic!("{:?}", all.events));
        (class.least, class.most, class.threads.join(" "))
    };
    assert_eq!(of("{op: receive, on: channel1, from: nothing}"), (0, 2, "main".to_owned()));
    assert_eq!(of("{op: receive, on: channel1}"), (1, 1, "main".to_owned()));
    assert_eq!(of("{op: send, on: channel1}"), (1, 1, "worker".to_owned()));
    assert_eq!(all.sequences, 3);
    let text = drafted(&[run(0), run(2)], &Data::Null);
    assert!(text.contains("- send_channel1 precedes receive_channel1\n"), "{text}");
}

#[test]
fn nothing_to_match_is_said() {
    let sequence = labels(&[&[]]);
    let refused =
        draft("works", &catalog(std::slice::from_ref(&sequence)), &observed(&[sequence], &Data::Null), true);
    assert_eq!(refused, Err(DraftError::NoEvents));
}

#[test]
fn values_of_labels_are_summed_up() {
    let values = |all: &[Option<i64>]| {
        let labels: Vec<Sequence> = all.iter().map(|it| self::labels(&[&[("a", *it)]])).collect();
        catalog(&labels).events[0].values.clone()
    };
    assert_eq!(values(&[None]), Values::None);
    assert_eq!(values(&[Some(3), Some(-2)]), Values::Integers(-2, 3));
    assert_eq!(values(&[Some(3), None]), Values::Mixed);
    drafted(&[labels(&[&[("a", Some(-2)), ("a", Some(3))]])], &Data::Null);
    drafted(&[labels(&[&[("a", Some(i64::MIN)), ("a", Some(i64::MAX))]])], &Data::Null);
}

proptest! {
    /// Whatever a program does, it keeps its draft.
    #[test]
    fn every_program_keeps_its_draft(
        runs in prop::collection::vec(
            prop::collection::vec(prop::collection::vec((0..4usize, prop::option::of(0..3i64)), 0..4), 1..3),
            1..5,
        )
    ) {
        const NAMES: [&str; 4] = ["a", "b", "c", "at"];
        let sequence = |threads: &Vec<Vec<(usize, Option<i64>)>>| {
            let threads: Vec<Vec<(&str, Option<i64>)>> =
                threads.iter().map(|it| it.iter().map(|(name, value)| (NAMES[*name], *value)).collect()).collect();
            labels(&threads.iter().map(Vec::as_slice).collect::<Vec<_>>())
        };
        let sequences: Vec<Sequence> = runs.iter().map(sequence).collect();
        if catalog(&sequences).events.is_empty() {
            return Ok(());
        }
        drafted(&sequences, &json!([1, "x"]));
    }
}
