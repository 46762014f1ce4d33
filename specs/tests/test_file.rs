//! IN-SYN test files: what is written is read back, every mistake has its place.

#[path = "../sequences/tests/common/mod.rs"]
mod common;

use common::build::Build;
use common::sequences;
use insyn_sequences::{Kind, Label, Named, ObservedEvent, Op, SequenceFile, Termination, Took, Value};
use insyn_specs::correctness::Feasibility;
use insyn_specs::test_file::{Expectation, Outcome, Places, Step, Test, TestSequence};
use insyn_specs::{Letter, Spec, TestFile, file};
use proptest::prelude::*;
use serde_json::{Value as Data, json};

fn example(name: &str) -> String {
    std::fs::read_to_string(format!("{}/examples/{name}", env!("CARGO_MANIFEST_DIR"))).unwrap()
}

fn buffer() -> Spec {
    Spec::read("bounded_buffer.yaml", &example("bounded_buffer.yaml")).unwrap()
}

#[test]
fn the_example_is_read() {
    let file = TestFile::read("t.yaml", &example("bounded_buffer.tests.yaml")).unwrap();
    let spec = buffer();
    file.check(&spec).unwrap();
    assert_eq!(file.spec.as_deref(), Some("bounded_buffer.yaml"));
    assert_eq!(file.tests.len(), 4);
    assert_eq!(file.tests[0].expect.output, Some(json!(["A", "B", "C"])));
    assert_eq!(file.tests[1].expect, Expectation { feasible: false, ..Expectation::default() });
    let word = file.tests[1].sequence.word(&spec).unwrap();
    assert_eq!(word.to_string(), "deposit deposit deposit withdraw withdraw withdraw");
    assert!(matches!(&file.tests[3].sequence, TestSequence::Prefix(steps) if steps.len() == 2));
    let text = file.write().unwrap();
    assert_eq!(TestFile::read("t.yaml", &text).unwrap().write().unwrap(), text);
    assert!(
        text.contains("  - {event: deposit, thread: \"producer*\"}\n  - {op: reply, on: deposit}\n"),
        "{text}"
    );
}

fn problem(tests: &str) -> String {
    let text = format!("insyn: tests\nversion: 1\ntests:\n{tests}");
    match TestFile::read("t.yaml", &text) {
        Err(problem) => problem.to_string(),
        Ok(file) => file.check(&buffer()).expect_err("there is a problem").to_string(),
    }
}

#[test]
fn problems_say_where_and_what_to_do() {
    let recorded = |events: &str| {
        let process = "- {name: x, recorded: {processes: [{id: main, kind: thread, events: [";
        problem(&format!("{process}{events}]}}]}}}}"))
    };
    for (found, expected) in [
        (problem("- {name: x}"), "4:3: this test has no sequence; add `sequence`, `prefix` or `recorded`"),
        (problem("- {sequence: []}"), "4:3: `name` is missing; add `name: …`"),
        (
            problem("- {name: x, sequence: [], prefix: []}"),
            "4:3: this test has two sequences; keep one of `sequence`, `prefix` and `recorded`",
        ),
        (problem("- {name: x, sequenc: []}"), "4:13: unknown key `sequenc`; did you mean `sequence`?"),
        (
            problem("- {name: x, sequence: [depsoit]}"),
            "4:24: there is no event `depsoit` in bounded_buffer.yaml; did you mean `deposit`?",
        ),
        (
            problem("- {name: x, sequence: [deposit, \"deposit(3)\"]}"),
            "4:33: these are not the arguments of `deposit`; remove them",
        ),
        (
            problem("- {name: x, sequence: [\"deposit(1/0)\"]}"),
            "4:34: 1 / 0 is a division by zero; check the divisor first, with `if … then … else …` or a guard",
        ),
        (problem("- {name: x, sequence: [3]}"), "4:24: this is a number, not a text; write a text"),
        (
            problem("- {name: x, sequence: [], expect: infeasable}"),
            "4:35: unknown expectation `infeasable`; did you mean `infeasible`?",
        ),
        (
            problem("- {name: x, sequence: [], expect: {feasible: false, output: 1}}"),
            "4:35: an infeasible sequence has no termination and no output; remove them",
        ),
        (
            problem("- {name: x, sequence: [], expect: {termination: dedlock}}"),
            "4:49: unknown termination `dedlock`; did you mean `deadlock`?",
        ),
        (
            problem("- {name: x, sequence: []}\n- {name: x, sequence: []}"),
            "5:3: another test is named `x`; give each test its own name",
        ),
        (
            problem("- {name: x, sequence: [deposit, {event: deposit, after: [1, 2]}]}"),
            "4:61: this is not the number of an earlier step; write numbers from 1 to 1",
        ),
        (
            problem("- {name: x, sequence: [{op: accept, after: 1}]}"),
            "4:44: this is not the number of an earlier step; no step comes before the first; write `after: []`",
        ),
        (
            problem(&format!("- {{name: x, sequence: [{}]}}", ["{event: deposit, after: []}"; 7].join(", "))),
            "4:23: there are more than 100 steps, or more than 1000 orders of them; add `after` to more of the steps",
        ),
        (recorded("{op: jion}"), "4:70: main#0: unknown operation \"jion\"; use one of"),
        (
            recorded("{op: join}, {op: join, on: a}"),
            "4:82: main#1: there is no process \"a\"; add it to `processes` or correct the id; correct it there",
        ),
        (recorded("{op: join}, {form: a}"), "4:82: unknown field `form`, expected one of"),
        (
            recorded("{op: join, after: main#0}"),
            "4:23: malformed sequence: each of these events must come before the next",
        ),
    ] {
        assert!(
            found.starts_with(&format!("t.yaml:{expected}")),
            "\n found {found}\nwanted t.yaml:{expected}"
        );
    }
}

#[test]
fn steps_accept_what_they_mean() {
    let text = "insyn: tests\nversion: 1\ntests:\n- name: x\n  sequence:\n  - deposit\n  - {event: deposit, thread: pro*}\n  \
                - {op: accept, from: producer}\n  - note('hi')\n";
    let file = TestFile::read("t.yaml", text).unwrap();
    let steps = file.tests[0].sequence.steps();
    let named = |id| Named { id, name: None };
    let accept = |caller: &'static str| ObservedEvent {
        op: Op::Accept,
        object: Some(Named { id: "main/entry1", name: Some("deposit") }),
        threads: vec![named("main/server")],
        took: Took::Threads(vec![named(caller)]),
        label: None,
    };
    let label = Label { text: "note".into(), value: Some(Value::Text("hi".into())) };
    let note = ObservedEvent {
        op: Op::Label,
        object: None,
        threads: vec![named("main")],
        took: Took::Nothing,
        label: Some(&label),
    };
    let spec = buffer();
    let instance = spec.with(&Data::Null).unwrap();
    let accepted = |event: &ObservedEvent<'_>, with: bool| -> Vec<bool> {
        steps.iter().map(|step| step.accepts(with.then_some(&instance), event)).collect()
    };
    // The server does it, so it is not by a thread whose name begins with `pro`.
    assert_eq!(accepted(&accept("main/producer"), true), [true, false, true, false]);
    assert_eq!(accepted(&accept("main/other"), true), [true, false, false, false]);
    // Without a specification a name is that of a label.
    assert_eq!(accepted(&accept("main/producer"), false), [false, false, true, false]);
    assert_eq!(accepted(&note, false), [false, false, false, true]);
}

/// Each order that agrees with what comes after what, once, and in the order of the file.
#[test]
fn steps_in_a_partial_order_have_several_lines() {
    let lines = |steps: &str| {
        let text = format!("insyn: tests\nversion: 1\ntests:\n- {{name: x, prefix: [{steps}]}}\n");
        let file = TestFile::read("t.yaml", &text).unwrap();
        let again = TestFile::read("t.yaml", &file.write().unwrap()).unwrap();
        assert_eq!(again.write().unwrap(), file.write().unwrap());
        let line = |it: &TestSequence| it.steps().iter().map(Step::brief).collect::<Vec<_>>().join(" ");
        let all: Vec<String> = again.tests[0].sequence.lines().iter().map(line).collect();
        all
    };
    assert_eq!(lines("a, b, c"), ["a b c"]);
    assert_eq!(lines("a, {event: b, after: []}, {event: c, after: 1}"), ["a b c", "a c b", "b a c"]);
    assert_eq!(lines("a, {event: a, after: []}, {event: b, after: [1, 2]}"), ["a a b"]);
    assert_eq!(lines("{op: send}, {op: lock, after: []}").len(), 2);
}

#[test]
fn expectations_are_met_or_not() {
    let expect =
        Expectation { feasible: true, termination: Some(Termination::Normal), output: Some(json!(1)) };
    let outcome = |feasibility, output| Outcome {
        feasibility,
        termination: Some(Termination::Normal),
        output: Some(output),
    };
    assert_eq!(expect.is_met(&outcome(Feasibility::Feasible, json!(1))), Some(true));
    assert_eq!(expect.is_met(&outcome(Feasibility::Feasible, json!(2))), Some(false));
    assert_eq!(expect.is_met(&outcome(Feasibility::Infeasible(String::new()), json!(1))), Some(false));
    assert_eq!(expect.is_met(&outcome(Feasibility::Unknown, json!(1))), None);
    let never = Expectation { feasible: false, ..Expectation::default() };
    assert_eq!(never.is_met(&outcome(Feasibility::Infeasible(String::new()), json!(1))), Some(true));
    assert_eq!(never.is_met(&outcome(Feasibility::Feasible, json!(1))), Some(false));
}

#[test]
fn labels_are_written_and_read_back() {
    let mut build = Build::default();
    let main = build.process("main", Kind::Thread);
    build.label(main, "begin", None);
    for value in
        [Value::Integer(-3), Value::Boolean(true), Value::Text("3".into()), Value::Text("a b".into())]
    {
        build.label(main, "deposit", Some(value));
    }
    let file = SequenceFile::from(build.finish());
    let text = file.write().unwrap();
    assert!(text.contains("  - {op: label, label: deposit, value: -3}\n"), "{text}");
    assert!(text.contains("  - {op: label, label: deposit, value: \"3\"}\n"), "{text}");
    assert_eq!(file::read(&text).unwrap(), file);
    let shown = insyn_sequences::text::render(&file.sequence).unwrap();
    assert!(shown.starts_with("1  main  label  begin\n2  main  label  deposit -3\n"), "{shown}");
}

#[test]
fn steps_with_arguments_are_written_as_in_expressions() {
    let written = |arguments: &[Value]| {
        let letter = Letter { event: 0, name: "take".into(), arguments: arguments.into() };
        let sequence = TestSequence::Whole(vec![Step::from(&letter)]);
        let test = Test {
            name: "a".into(),
            about: None,
            input: Data::Null,
            sequence,
            position: None,
            places: Places::default(),
            expect: Expectation::default(),
        };
        let text = TestFile { tests: vec![test], ..TestFile::default() }.write().unwrap();
        let back = TestFile::read("t.yaml", &text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        let [step] = back.tests[0].sequence.steps() else { panic!("{text}") };
        assert!(text.contains(&format!("\n  - {step}\n")), "{step} comes back from {text}");
        text.lines().find_map(|line| line.strip_prefix("  - ")).unwrap_or_default().to_owned()
    };
    let text = |it: &str| Value::Text(it.to_owned());
    assert_eq!(written(&[]), "take");
    assert_eq!(written(&[Value::Integer(0)]), "take(0)");
    assert_eq!(written(&[Value::Integer(-1), Value::Boolean(true), text("abc")]), "take(-1, true, 'abc')");
    // What could be read otherwise is written out.
    assert_eq!(written(&[text("a: b")]), "{event: take, arguments: [\"a: b\"]}");
    assert_eq!(written(&[Value::Integer(i64::MIN)]), "{event: take, arguments: [-9223372036854775808]}");
}

fn data() -> impl Strategy<Value = Data> {
    let leaf = prop_oneof![
        Just(Data::Null),
        any::<bool>().prop_map(Data::from),
        any::<i64>().prop_map(Data::from),
        any::<u64>().prop_map(Data::from),
        (-1e6..1e6f64).prop_map(Data::from),
        any::<String>().prop_map(Data::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Data::from),
            prop::collection::btree_map(any::<String>(), inner, 0..4)
                .prop_map(|all| Data::Object(all.into_iter().collect())),
        ]
    })
}

fn value() -> impl Strategy<Value = Value> {
    prop_oneof![
        any::<bool>().prop_map(Value::Boolean),
        any::<i64>().prop_map(Value::Integer),
        any::<String>().prop_map(Value::Text),
    ]
}

fn test_sequence() -> impl Strategy<Value = TestSequence> {
    let letter =
        || {
            ("[a-e][a-z0-9_]{0,5}x", prop::collection::vec(value(), 0..3)).prop_map(|(name, arguments)| {
                Letter { event: 0, name: name.into(), arguments: arguments.into() }
            })
        };
    let steps = || prop::collection::vec(letter().prop_map(|letter| Step::from(&letter)), 0..5);
    prop_oneof![
        steps().prop_map(TestSequence::Whole),
        steps().prop_map(TestSequence::Prefix),
        sequences().prop_map(TestSequence::Recorded),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 128, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_is_read_back(
        tests in prop::collection::vec((any::<Option<String>>(), data(), test_sequence(), data(), 0..3), 0..4),
    ) {
        let tests: Vec<Test> = tests.into_iter().enumerate().map(|(i, (about, input, sequence, output, kind))| Test {
            name: format!("{i} {}", about.as_deref().unwrap_or_default()),
            about,
            input,
            sequence,
            position: None,
            places: Places::default(),
            expect: match kind {
                0 => Expectation::default(),
                1 => Expectation { feasible: false, ..Expectation::default() },
                _ => Expectation { feasible: true, termination: Some(Termination::Deadlock), output: Some(output) },
            },
        }).collect();
        let file = TestFile { program: Some("a program".into()), tests, ..TestFile::default() };
        let text = file.write().unwrap();
        let back = TestFile::read("t.yaml", &text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
        prop_assert_eq!(back.write().unwrap(), text);
        for (test, its) in file.tests.iter().zip(&back.tests) {
            prop_assert_eq!((&test.name, &test.about, &test.input), (&its.name, &its.about, &its.input));
            prop_assert_eq!(&test.expect, &its.expect);
            match (&test.sequence, &its.sequence) {
                (TestSequence::Recorded(one), TestSequence::Recorded(other)) => prop_assert_eq!(one, other),
                (one, other) => prop_assert_eq!(one.steps().len(), other.steps().len()),
            }
        }
    }
}
