//! The table of feasible and valid, on the textbook's bounded buffer (7.3.2) and on partial orders.

#[path = "../sequences/tests/common/mod.rs"]
mod common;

use std::collections::BTreeSet;
use std::sync::Arc;

use common::build::Build;
use insyn_sequences::{EventRef, Kind, Op, Order, OrderConstraints, Pick, Sequence, Termination};
use insyn_specs::correctness::{Condition, Feasibility, Sightings, Table};
use insyn_specs::spec::{Bounds, Generated, Instance, Verdict};
use insyn_specs::test_file::TestFile;
use insyn_specs::{Names, Spec, Word};
use insyn_verdicts::Conformity;
use proptest::prelude::*;
use serde_json::{Value as Data, json};

fn buffer() -> Spec {
    Spec::read("bounded_buffer.yaml", &text()).unwrap()
}

fn text() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/bounded_buffer.yaml")).unwrap()
}

/// What a server records that accepts calls of a producer and a consumer in an order, given as `D` and `W`.
fn accepts(order: &str) -> Sequence {
    let mut build = Build::default();
    let server = build.process("main/thread1", Kind::Thread);
    let producer = build.process("main/thread2", Kind::Thread);
    let consumer = build.process("main/thread3", Kind::Thread);
    let deposit = build.named("main/entry1", Kind::Entry, "deposit");
    let withdraw = build.named("main/entry2", Kind::Entry, "withdraw");
    for c in order.chars() {
        let (client, entry) = if c == 'D' { (producer, deposit) } else { (consumer, withdraw) };
        let call = build.event(client, Op::Call, Some(entry), Pick::Nothing);
        build.takes(server, Op::Accept, entry, &[call]);
        let reply = build.does(server, Op::Reply, entry);
        let back = build.does(client, Op::Return, entry);
        build.after(back, &[reply]);
    }
    build.finish()
}

/// What a ring buffer of two slots gives out.
fn output(order: &str, items: &[&str]) -> Data {
    let (mut ring, mut put, mut got, mut out) = ([""; 2], 0, 0, Vec::new());
    for c in order.chars() {
        if c == 'D' {
            ring[put % 2] = items[put];
            put += 1;
        } else {
            out.push(ring[got % 2]);
            got += 1;
        }
    }
    json!(out)
}

const FOUR: [&str; 4] = ["DDWDWW", "DDWWDW", "DWDDWW", "DWDWDW"];

fn table(instance: &Instance, orders: &[&str], items: &[&str]) -> Table {
    let mut table = Table::new(instance.clone().into(), Bounds::default());
    for order in orders {
        observe((instance, &mut table), &accepts(order), Termination::Normal, Some(&output(order, items)));
    }
    table
}

/// Shows an execution to a table.
fn observe(
    (instance, table): (&Instance, &mut Table),
    sequence: &Sequence,
    termination: Termination,
    output: Option<&Data>,
) -> Verdict {
    let orders = instance.orders(sequence, &OrderConstraints::default()).unwrap();
    table.observe(orders, termination, output, Vec::new, || sequence.clone()).unwrap()
}

fn nobody(_: &Word) -> Feasibility {
    panic!("all feasible sequences are known")
}

#[test]
fn the_correct_buffer() {
    let spec = buffer();
    let instance = spec.with(&Data::Null).unwrap();
    let result = table(&instance, &FOUR, &["A", "B", "C"]).finish(true, nobody).unwrap();
    assert_eq!((result.feasible_valid, result.feasible_invalid, result.infeasible_valid), (4, 0, Some(0)));
    assert_eq!(result.valid_words_feasible, Some(4));
    assert_eq!(result.conditions, [4, 0, 0, 0]);
    assert_eq!((result.answer(), result.generated), (Conformity::Correct, Generated::All));
    assert!(result.unmatched.is_empty() && result.unshown.is_empty());
}

/// The guard `fullSlots <= capacity`: a deposit into a full buffer, and the output C, B, C.
#[test]
fn a_guard_that_lets_too_much_happen() {
    let spec = buffer();
    let five = [FOUR.as_slice(), &["DDDWWW"]].concat();
    let instance = spec.with(&Data::Null).unwrap();
    let result = table(&instance, &five, &["A", "B", "C"]).finish(true, nobody).unwrap();
    assert_eq!((result.feasible_valid, result.feasible_invalid, result.infeasible_valid), (4, 1, Some(0)));
    assert_eq!((result.conditions, result.answer()), ([4, 0, 1, 0], Conformity::Incorrect));
    let witness = &result.witnesses[&Condition::SynchronizationFailure][0];
    assert_eq!(witness.word.to_string(), "deposit deposit deposit withdraw withdraw withdraw");
    assert_eq!(witness.output, Some(json!(["C", "B", "C"])));
    assert_eq!(witness.bad.as_ref().unwrap().at, 2);

    let input = json!({"items": ["C", "B", "C"]});
    let instance = spec.with(&input).unwrap();
    let result = table(&instance, &five, &["C", "B", "C"]).finish(true, nobody).unwrap();
    assert_eq!(result.conditions, [4, 0, 0, 1]);
    assert!(result.witnesses.contains_key(&Condition::CoincidentallyCorrect));
    assert_eq!(result.answer(), Conformity::Incorrect);
}

/// The guard `fullSlots + 1 < capacity`: nothing bad happens, but three of four valid sequences cannot.
#[test]
fn a_guard_that_lets_too_little_happen() {
    let spec = buffer();
    let instance = spec.with(&Data::Null).unwrap();
    let result = table(&instance, &["DWDWDW"], &["A", "B", "C"]).finish(true, nobody).unwrap();
    assert_eq!((result.feasible_valid, result.feasible_invalid, result.infeasible_valid), (1, 0, Some(3)));
    assert_eq!((result.conditions, result.answer()), ([1, 0, 0, 0], Conformity::Incorrect));
    assert_eq!(result.missing[0].0.to_string(), "deposit deposit withdraw deposit withdraw withdraw");
}

/// If the exploration was not complete, the callback decides, but not about words that were observed or tried.
#[test]
fn what_was_not_explored_is_asked_for() {
    let spec = buffer();
    let instance = spec.with(&Data::Null).unwrap();
    let alphabet = instance.alphabet().unwrap();
    let word = |order: &str| Word(order.chars().map(|c| alphabet[usize::from(c == 'W')].clone()).collect());
    let mut table = table(&instance, &["DWDWDW"], &["A", "B", "C"]);
    table.tried(word("DDWDWW"), Feasibility::Feasible);
    table.tried(word("DDDWWW"), Feasibility::Infeasible("the guard of deposit".into()));
    let mut asked = Vec::new();
    let ask = |word: &Word| {
        asked.push(word.clone());
        Feasibility::Unknown
    };
    let result = table.finish(false, ask).unwrap();
    assert_eq!(asked, [word("DDWWDW"), word("DWDDWW")]);
    assert_eq!((result.valid_words_feasible, result.undecided, result.infeasible_invalid), (Some(2), 2, 1));
    assert_eq!(result.answer(), Conformity::Unknown);
}

#[test]
fn computation_failures_are_apart() {
    let spec = buffer();
    let instance = spec.with(&Data::Null).unwrap();
    let mut table = table(&instance, &FOUR[1..], &["A", "B", "C"]);
    observe((&instance, &mut table), &accepts(FOUR[0]), Termination::Normal, Some(&json!(["A", "B", "B"])));
    let result = table.finish(true, nobody).unwrap();
    assert_eq!((result.conditions, result.answer()), ([3, 1, 0, 0], Conformity::Incorrect));
    assert_eq!(result.witnesses[&Condition::ComputationFailure][0].expected, [json!(["A", "B", "C"])]);

    let mut table = self::table(&instance, &FOUR[1..], &["A", "B", "C"]);
    observe((&instance, &mut table), &accepts(FOUR[0]), Termination::Deadlock, Some(&json!(["A", "B", "C"])));
    assert_eq!(table.finish(true, nobody).unwrap().conditions, [3, 1, 0, 0]);
}

/// Threads that each set some labels, with nothing between them.
fn labels(threads: &[&[&str]]) -> Sequence {
    let mut build = Build::default();
    for (i, labels) in threads.iter().enumerate() {
        let thread = build.process(&format!("main/thread{i}"), Kind::Thread);
        for text in *labels {
            build.label(thread, text, None);
        }
    }
    build.finish()
}

fn spec(text: &str) -> Spec {
    Spec::read("s.yaml", &format!("insyn: spec\nversion: 1\n{text}")).unwrap()
}

/// Concurrent events may come in any order, and all must be valid.
#[test]
fn all_words_of_a_sequence_count() {
    let spec = spec("events: {a: , b: }\nconstraints: [a precedes b]");
    let instance = spec.with(&Data::Null).unwrap();
    let verdict = |threads: &[&[&str]]| {
        let orders = instance.orders(&labels(threads), &OrderConstraints::default()).unwrap();
        instance.judge_orders(&orders, 1000).unwrap().verdict
    };
    assert_eq!(verdict(&[&["a", "b"], &["a"]]), Verdict::Valid);
    let Verdict::Invalid(bad) = verdict(&[&["a"], &["b"]]) else { panic!("b may come first") };
    assert_eq!((bad.word.to_string().as_str(), bad.at), ("b a", 0));
    assert_eq!(verdict(&[&["a"], &["hidden", "c"]]), Verdict::Valid);
}

/// Six threads with three events each have more words than could be looked at, and few states.
#[test]
fn concurrent_events_do_not_explode() {
    let spec = spec("state: {n: 0}\nevents: {a: {then: {n: n + 1}}}\naccept: n == 18");
    let instance = spec.with(&Data::Null).unwrap();
    let orders = instance.orders(&labels(&[["a"; 3].as_slice(); 6]), &OrderConstraints::default()).unwrap();
    assert_eq!(instance.judge_orders(&orders, 100_000).unwrap().verdict, Verdict::Valid);
    assert_eq!(instance.judge_orders(&orders, 100).unwrap().verdict, Verdict::Unknown);
    let alphabet = instance.alphabet().unwrap();
    assert!(orders.has_word(&Word(vec![alphabet[0].clone(); 18])));
    assert!(!orders.has_word(&Word(vec![alphabet[0].clone(); 17])));
}

#[test]
fn what_is_neither_named_nor_hidden_is_invalid() {
    let spec = spec("events: {a: }\nhidden: [{label: log*}]\nconformance: subset");
    let instance = spec.with(&Data::Null).unwrap();
    let mut table = Table::new(instance.clone().into(), Bounds { length: 3, ..Bounds::default() });
    let mut observe = |labels_of: &[&str]| {
        observe((&instance, &mut table), &labels(&[labels_of]), Termination::Normal, None)
    };
    assert_eq!(observe(&["a", "log1"]), Verdict::Valid);
    let Verdict::Invalid(bad) = observe(&["a", "b"]) else { panic!("nothing says what b is") };
    assert_eq!(
        bad.objection.message,
        "the program did label b by thread0, which is neither in `events` nor in `hidden`"
    );
}

#[test]
fn permissions_must_be_shown_and_names_must_match() {
    let spec = spec(
        "events: {a: , b: , wrok: }\nconstraints: [b may directly follow a, a may follow b]\nconformance: subset",
    );
    let instance = spec.with(&Data::Null).unwrap();
    let mut table = Table::new(instance.clone().into(), Bounds { length: 2, ..Bounds::default() });
    observe((&instance, &mut table), &labels(&[&["a", "b"], &["work"]]), Termination::Normal, None);
    let result = table.finish(true, nobody).unwrap();
    assert_eq!(result.unshown.len(), 1);
    assert_eq!(result.unshown[0].message, "a may follow b");
    assert_eq!(result.answer(), Conformity::Incorrect);
    assert_eq!(result.unmatched.len(), 1);
    assert_eq!(
        result.unmatched[0].to_string(),
        "s.yaml:3:20: no execution does `wrok`; did you mean `work`?"
    );
}

/// An event that names what the program does not have is told before any word is generated; one that may never happen, or
/// whose names exist, is not.
#[test]
fn unknown_events_are_found_from_what_was_observed() {
    let unknown = |rest: &str| {
        let instance = spec(rest).with(&Data::Null).unwrap();
        let mut table = Table::new(instance.clone().into(), Bounds::default());
        observe((&instance, &mut table), &labels(&[&["a", "b"], &["work"]]), Termination::Normal, None);
        let all = table.unknown_events().unwrap();
        all.iter().map(|it| format!("{}; {}", it.message, it.hint)).collect::<Vec<_>>()
    };
    assert_eq!(
        unknown("events: {a: , wrok: }"),
        ["the program has no event `wrok`: nothing in it is named `wrok`; did you mean `work`?"]
    );
    assert_eq!(
        unknown("events: {a: {match: {label: a, thread: thraed1}}}"),
        ["the program has no event `a`: nothing in it is named `thraed1`; did you mean `thread1`?"]
    );
    assert_eq!(
        unknown("events: {a: , p: {match: {op: labell}}}".replace("labell", "lock").as_str()),
        ["the program has no event `p`: nothing in it does `lock`; use one of label"]
    );
    // An argument in a pattern stands for any text that fits it.
    assert_eq!(
        unknown("events: {w: {arguments: {t: 0..9}, match: {label: work, thread: thread<t>}}}"),
        [""; 0]
    );
    assert_eq!(unknown("events: {w: {arguments: {t: 0..9}, match: {label: b, thread: thread<t>}}}"), [""; 0]);
    assert_eq!(unknown("events: {w: {arguments: {t: 0..9}, match: {label: b, thread: trhead<t>}}}").len(), 1);
    // One of several ways to match it may be right.
    assert_eq!(unknown("events: {w: {match: [{label: wrok}, {label: work, thread: thread0}]}}"), [""; 0]);
    // What may never happen need not exist.
    assert_eq!(unknown("events: {a: , crash: {when: false}}"), [""; 0]);
    assert_eq!(unknown("events: {a: , crash: }\nconstraints: [at most 0 crash]"), [""; 0]);
    assert_eq!(unknown("events: {a: {arguments: {n: 1..0}}}"), [""; 0]);
    assert_eq!(unknown("state: {n: 0}\nevents: {a: {then: {n: n + 1}}, crash: {when: n < 0}}"), [""; 0]);
}

/// What has several names can be matched by each, so each is a hint, in specifications and in tests.
#[test]
fn each_of_several_names_is_a_hint() {
    let mut sequence = labels(&[&["a"]]);
    sequence.processes[0].name = Some(String::from("requests/received"));
    let warned = |pattern: &str| {
        let mut sightings = Sightings::default();
        sightings.observe(&[], &sequence);
        let spec = spec(&format!("events: {{b: {{match: {{on: {pattern}}}}}}}"));
        sightings.unmatched(&spec, true)[0].hint.clone()
    };
    assert_eq!(warned("recieved"), "did you mean `received`?");
    assert_eq!(warned("received"), "its names exist in the program, but no such operation happens on them");
    assert_eq!(
        warned("requests/received"),
        "its names exist in the program, but no such operation happens on them"
    );
    let tests = "insyn: tests\nversion: 1\nprogram: p\n\
        tests: [{name: t, prefix: [{op: send, on: recieved}], expect: infeasible}]";
    let tests = TestFile::read("t.yaml", tests).unwrap();
    let mut names = Names::default();
    names.add(&sequence);
    let unknown = tests.tests[0].sequence.unknown_name(None, &names, None).unwrap();
    assert_eq!(unknown.hint, "did you mean `received`?");
}

/// Three threads with labels, each label perhaps after some that came before it.
fn partial_orders() -> impl Strategy<Value = Sequence> {
    let event = (0..3usize, prop::sample::select(vec!["a", "b", "c", "hidden"]), any::<u8>());
    prop::collection::vec(event, 0..7).prop_map(|events| {
        let mut build = Build::default();
        let threads = build.threads(["main/thread1", "main/thread2", "main/thread3"]);
        let mut all: Vec<EventRef> = Vec::new();
        for (thread, text, after) in events {
            let at = build.label(threads[thread], text, None);
            let after: Vec<EventRef> =
                all.iter().enumerate().filter(|(i, _)| after >> i & 1 == 1).map(|(_, &at)| at).collect();
            build.after(at, &after);
            all.push(at);
        }
        build.finish()
    })
}

/// OrderConstraints of each kind, by the numbers of events.
type Numbers = (Vec<(usize, usize)>, Vec<(usize, Vec<usize>)>);

/// Up to two of each kind.
fn some_demands() -> impl Strategy<Value = Numbers> {
    let one = || 0..7usize;
    let either = (one(), prop::collection::vec(one(), 1..3));
    (prop::collection::vec((one(), one()), 0..3), prop::collection::vec(either, 0..3))
}

/// OrderConstraints about the events of a sequence that there are.
fn constraints(sequence: &Sequence, (before, before_one): Numbers) -> OrderConstraints {
    let events: Vec<EventRef> = sequence.events().collect();
    let at = |number: usize| events.get(number).copied();
    let either = |(event, options): (usize, Vec<usize>)| {
        let options: Vec<EventRef> = options.into_iter().filter_map(at).collect();
        (!options.is_empty()).then_some((at(event)?, options))
    };
    OrderConstraints {
        before: before.into_iter().filter_map(|(a, b)| Some((at(a)?, at(b)?))).collect(),
        before_one: before_one.into_iter().filter_map(either).collect(),
    }
}

/// Every word of a sequence, by trying all orders of its events, hidden ones included.
fn all_words(sequence: &Sequence, constraints: &OrderConstraints) -> BTreeSet<Vec<String>> {
    let order = Order::of(sequence).unwrap();
    let mut words = BTreeSet::new();
    let mut open: Vec<Vec<EventRef>> = vec![Vec::new()];
    while let Some(done) = open.pop() {
        let next: Vec<EventRef> = sequence
            .events()
            .filter(|at| !done.contains(at))
            .filter(|&at| sequence.events().all(|it| !order.happens_before(it, at) || done.contains(&it)))
            .collect();
        let place = |at: &EventRef| done.iter().position(|it| it == at);
        let meets =
            |(event, options): &(EventRef, Vec<EventRef>)| options.iter().any(|it| place(event) < place(it));
        if next.is_empty()
            && constraints.before.iter().all(|(a, b)| place(a) < place(b))
            && constraints.before_one.iter().all(meets)
        {
            let text = |&at: &EventRef| sequence.event(at).label.as_ref().unwrap().text.clone();
            words.insert(done.iter().map(text).filter(|text| text != "hidden").collect());
        }
        open.extend(next.into_iter().map(|at| done.iter().copied().chain([at]).collect()));
    }
    words
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// A sequence is valid if all its words are, and has those words and no others. It is malformed if it has none.
    #[test]
    fn judging_a_sequence_is_judging_its_words(
        sequence in partial_orders(),
        demanded in some_demands(),
        constraint in prop::sample::select(vec![
            "a precedes b", "b must follow a", "c must never directly follow b", "at most 1 a between b and c",
            "a alternates with b", "a precedes each c",
        ]),
    ) {
        let spec = spec(&format!("state: {{n: 0}}\nevents: {{a: {{then: {{n: n + 1}}}}, b: {{when: n < 2}}, c: }}\nconstraints: [{constraint}]"));
        let instance = spec.with(&Data::Null).unwrap();
        let alphabet = instance.alphabet().unwrap();
        let constraints = constraints(&sequence, demanded);
        let letters = |word: &Vec<String>| {
            Word(word.iter().map(|name| alphabet.iter().find(|it| *it.name == **name).unwrap().clone()).collect())
        };
        let words: BTreeSet<Word> = all_words(&sequence, &constraints).iter().map(letters).collect();
        let Ok(orders) = instance.orders(&sequence, &constraints) else {
            prop_assert!(words.is_empty());
            return Ok(());
        };
        match instance.judge_orders(&orders, 100_000).unwrap().verdict {
            Verdict::Valid => {
                for word in &words {
                    prop_assert_eq!(instance.judge(word).unwrap(), Verdict::Valid);
                }
            }
            Verdict::Invalid(bad) => {
                prop_assert!(words.contains(&bad.word), "{}", bad.word);
                let Verdict::Invalid(again) = instance.judge(&bad.word).unwrap() else { panic!("{}", bad.word) };
                prop_assert_eq!((again.at, again.objection), (bad.at, bad.objection));
            }
            Verdict::Unknown => prop_assert!(false, "there are few states"),
        }
        prop_assert_eq!(orders.words().collect::<BTreeSet<_>>(), words.clone());
        let length = orders.letters().len() as u32;
        for number in 0..3usize.pow(length.min(5)) {
            let word: Vec<_> = (0..length).map(|i| alphabet[number / 3usize.pow(i) % 3].clone()).collect();
            let word = Word(word);
            prop_assert_eq!(orders.has_word(&word), words.contains(&word));
        }
    }
}

/// A specification of one event, which happens at most three times, and what follows in the file.
fn counted(rest: &str) -> Arc<Instance> {
    let text = format!(
        "insyn: spec\nversion: 1\nstate: {{n: 0}}\nevents:\n  d: {{match: {{label: d}}, when: n < 3, then: {{n: n + 1}}}}\n{rest}"
    );
    Arc::new(Spec::read("spec.yaml", &text).unwrap().with(&Data::Null).unwrap())
}

/// `superset` asks that all that is valid is feasible, and does not mind what else is.
#[test]
fn a_superset_may_do_more_but_not_less() {
    let spec = |order: &str| {
        let text = text().replace("\nevents:", &format!("\nconformance: {order}\nevents:"));
        Spec::read("spec.yaml", &text).unwrap().with(&Data::Null).unwrap()
    };
    let five = [FOUR.as_slice(), &["DDDWWW"]].concat();
    for (conformance, orders, answer) in [
        ("superset", &five[..], Conformity::Correct),
        ("superset", &FOUR[..], Conformity::Correct),
        ("superset", &["DWDWDW"][..], Conformity::Incorrect),
        ("subset", &five[..], Conformity::Incorrect),
        ("subset", &["DWDWDW"][..], Conformity::Correct),
    ] {
        let result = table(&spec(conformance), orders, &["A", "B", "C"]).finish(true, nobody).unwrap();
        assert_eq!(result.answer(), answer, "{conformance} {orders:?}");
        // A count that the conformance does not ask for is none, and not zero.
        let asked = (result.infeasible_valid.is_some(), result.valid_words_feasible.is_some());
        assert_eq!(asked, (conformance == "superset", conformance == "superset"), "{conformance} {orders:?}");
    }
}

/// A specification that nothing fulfils has nothing to miss, so it must be said.
#[test]
fn a_specification_without_words_is_reported() {
    for (rest, is_empty) in [("accept: n == 4", true), ("accept: n == 3", false), ("accept: n == 0", false)] {
        for conformance in ["equal", "superset", "subset"] {
            let instance = counted(&format!("{rest}\nconformance: {conformance}\n"));
            let result =
                Table::new(instance, Bounds::default()).finish(true, |_| Feasibility::Feasible).unwrap();
            let told: Vec<String> = result.unmatched.iter().map(ToString::to_string).collect();
            let expected = "spec.yaml:6:9: no sequence is valid; if this is not intended, check";
            assert_eq!(
                told.iter().any(|it| it.starts_with(expected)),
                is_empty,
                "{conformance} {rest}: {told:?}"
            );
        }
    }
    // Beyond a bound there may be some.
    let instance = counted("accept: n == 4\n");
    let table = Table::new(instance, Bounds { length: 2, ..Bounds::default() });
    let result = table.finish(true, |_| Feasibility::Feasible).unwrap();
    assert!(result.unmatched.iter().all(|it| !it.message.starts_with("no sequence is valid")));
}

/// Which bound was reached is said, and where the words may come from.
#[test]
fn endless_words_are_reported() {
    let instance = counted("  e: {match: {label: e}}\n");
    for (bounds, why) in [
        (Bounds { length: 4, ..Bounds::default() }, "they may have more than 4 events"),
        (Bounds { words: 5, ..Bounds::default() }, "there are more than 5"),
        (Bounds { steps: 6, ..Bounds::default() }, "more than 6 events were tried"),
    ] {
        let table = Table::new(instance.clone(), bounds);
        let result = table.finish(true, |_| Feasibility::Feasible).unwrap();
        let reported = result.unmatched.last().unwrap().to_string();
        let expected = format!("spec.yaml:6:3: not all valid words were generated: {why}; limit how often");
        assert!(reported.starts_with(&expected), "{reported}");
        assert_ne!(result.answer(), Conformity::Correct);
    }
}
