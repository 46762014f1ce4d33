//! The specification language: examples, words, problems.

use insyn_specs::spec::{Bounds, Generated, Verdict};
use insyn_specs::{Problem, ProblemKind, Spec, Word};
use serde_json::{Value as Data, json};

fn example(name: &str) -> Spec {
    let path = format!("{}/examples/{name}.yaml", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(&path).unwrap();
    Spec::read(&format!("{name}.yaml"), &text).unwrap()
}

fn words(spec: &Spec, input: &Data) -> Vec<String> {
    let instance = spec.with(input).unwrap();
    let mut words = instance.words(Bounds::default()).unwrap();
    let all: Vec<Word> = words.by_ref().collect::<Result<_, _>>().unwrap();
    assert_eq!(words.end(), Generated::All);
    for word in &all {
        assert_eq!(instance.judge(word).unwrap(), Verdict::Valid, "{word}");
    }
    all.iter().map(Word::to_string).collect()
}

/// The four words of the textbook (7.3.2), in which the buffer never holds more than two.
#[test]
fn the_bounded_buffer_has_four_valid_words() {
    let spec = example("bounded_buffer");
    assert_eq!(
        words(&spec, &Data::Null),
        [
            "deposit deposit withdraw deposit withdraw withdraw",
            "deposit deposit withdraw withdraw deposit withdraw",
            "deposit withdraw deposit deposit withdraw withdraw",
            "deposit withdraw deposit withdraw deposit withdraw",
        ]
    );
    assert_eq!(words(&spec, &json!({"capacity": 1})).len(), 1);
    assert_eq!(words(&spec, &json!({"capacity": 3})).len(), 5);
    assert_eq!(words(&spec, &json!({"items": ["A"]})), ["deposit withdraw"]);
    assert_eq!(words(&spec, &json!({"items": []})), ["-"]);
}

#[test]
fn the_other_examples_have_the_words_they_should() {
    // Two blocks of a writer among those of readers, which may overlap: counted by hand for one reader and one writer.
    assert_eq!(
        words(&example("readers_writers"), &json!({"readers": 1, "writers": 1})),
        ["start_read end_read start_write end_write", "start_write end_write start_read end_read",]
    );
    // With three at the table all are neighbours: one eats after the other, in any order.
    assert_eq!(words(&example("philosophers"), &json!({"philosophers": 3})).len(), 6);
    // With two clients: both requests and both answers, each client's in order.
    assert_eq!(
        words(&example("request_reply"), &json!({"server": {"clients": 1}})),
        ["-", "request(1) answer(1)"]
    );
}

fn judge(spec: &Spec, input: &Data, letters: &[usize]) -> Verdict {
    let instance = spec.with(input).unwrap();
    let alphabet = instance.alphabet().unwrap();
    instance.judge(&Word(letters.iter().map(|&it| alphabet[it].clone()).collect())).unwrap()
}

/// The invalid sequences of the textbook, each with the guard that is against it.
#[test]
fn a_bad_word_comes_with_the_reason() {
    let spec = example("bounded_buffer");
    let Verdict::Invalid(bad) = judge(&spec, &Data::Null, &[0, 0, 0, 1, 1, 1]) else {
        panic!("it is invalid")
    };
    assert_eq!(bad.at, 2);
    assert_eq!(
        bad.objection.to_string(),
        "`deposit` may happen only when full < capacity and deposited < length(items) (bounded_buffer.yaml:19:11)"
    );
    let Verdict::Invalid(bad) = judge(&spec, &Data::Null, &[1, 0, 0, 1, 0, 1]) else {
        panic!("it is invalid")
    };
    assert_eq!(bad.at, 0);
    let Verdict::Invalid(bad) = judge(&spec, &Data::Null, &[0, 1]) else { panic!("it is invalid") };
    assert_eq!((bad.at, bad.objection.position.line), (2, 27));
}

fn problem(text: &str) -> Problem {
    let text = format!("insyn: spec\nversion: 1\n{text}");
    match Spec::read("s.yaml", &text) {
        Err(problem) => problem,
        Ok(spec) => {
            let instance = match spec.with(&Data::Null) {
                Err(problem) => return problem,
                Ok(instance) => instance,
            };
            match instance.words(Bounds::default()) {
                Err(problem) => problem,
                Ok(words) => words.filter_map(Result::err).next().expect("there is a problem"),
            }
        }
    }
}

#[test]
fn a_file_with_nothing_in_it() {
    for text in ["", "\n", "# nothing\n", "---\n"] {
        let problem = Spec::read("s.yaml", text).unwrap_err().to_string();
        let expected = "this is not a spec file: it is empty; a spec file starts with `insyn: spec`";
        assert!(problem.starts_with("s.yaml:") && problem.ends_with(expected), "{text:?}: {problem}");
    }
}

/// With different arguments an event is another one.
#[test]
fn an_event_alternates_with_itself_if_the_arguments_differ() {
    let text = "insyn: spec\nversion: 1\nevents: {a: {arguments: {n: 0..1}}}\nconstraints: [a(0) alternates with a(1)]";
    Spec::read("s.yaml", text).unwrap();
}

#[test]
fn problems_say_where_and_what_to_do() {
    for (text, kind, message) in [
        ("event: {}", ProblemKind::Unknown, "3:1: unknown key `event`; did you mean `events`?"),
        ("about: x", ProblemKind::Type, "1:1: `events` is missing; add `events: …`"),
        ("events: [a]", ProblemKind::Type, "3:9: this is a list, not a mapping; write a mapping"),
        ("events: {a: {wen: x}}", ProblemKind::Unknown, "3:14: unknown key `wen`; did you mean `when`?"),
        (
            "state: {full: 0}\nevents: {a: {when: ful > 0}}",
            ProblemKind::Unknown,
            "4:20: unknown name `ful`; did you mean `full`?",
        ),
        (
            "state: {x: 0}\nevents: {a: {when: x}}",
            ProblemKind::Type,
            "4:20: this is a number, not a truth value; write a truth value",
        ),
        (
            "state: {x: 0}\nevents: {a: {when: \"x = 0\"}}",
            ProblemKind::Syntax,
            "4:23: found `=`; equality is `==`",
        ),
        (
            "state: {x: 0}\nevents: {a: {then: {y: 1}}}",
            ProblemKind::Unknown,
            "4:21: unknown state variable `y`; did you mean `x`?",
        ),
        (
            "state: {x: 0}\nevents: {a: {then: {x: true}}}",
            ProblemKind::Type,
            "4:24: this is a truth value, not a number; write a number",
        ),
        (
            "events: {a: {match: {op: acept}}}",
            ProblemKind::Unknown,
            "3:26: unknown operation `acept`; did you mean `accept`?",
        ),
        (
            "events: {a: {match: {}}}",
            ProblemKind::Type,
            "3:21: this matches everything; restrict it by `op`, `on`, `thread`, `from`, `entry`, `label` or `value`",
        ),
        (
            "events: {a: {match: {op: send, thread: w<i>}}}",
            ProblemKind::Unknown,
            "3:40: unknown argument `i`; nothing is declared that could be meant",
        ),
        (
            "events: {a: {arguments: {i: 0..1}, match: {op: send}}}",
            ProblemKind::Type,
            "3:43: the argument `i` gets no value here; write `<i>` where the value is, as in `thread: worker<i>`",
        ),
        (
            "events: {a: , b: }\nconstraints: [a precedes c]",
            ProblemKind::Unknown,
            "4:26: unknown event `c`; did you mean `a`?",
        ),
        (
            "events: {a: , b: }\nconstraints: [a must b]",
            ProblemKind::Syntax,
            "4:22: found `b`; expected `follow`",
        ),
        (
            "events: {a: , b: }\nconstraints:\n- a precedes b\n- b precedes a",
            ProblemKind::Contradiction,
            "6:3: `a precedes b` and `b precedes a` contradict each other; remove one of them; the other is at s.yaml:5:3",
        ),
        (
            "events: {a: , b: }\nconstraints:\n- b must directly follow a\n- b must never follow a",
            ProblemKind::Contradiction,
            "6:3: `b must directly follow a` and `b must never follow a` contradict each other; remove one of them; the other is at s.yaml:5:3",
        ),
        (
            "events: {a: }\nconstraints: [a alternates with a]",
            ProblemKind::Contradiction,
            "4:15: an event cannot alternate with itself; name two events",
        ),
        (
            "events: {a: {arguments: {x: integer}}}",
            ProblemKind::Limit,
            "3:10: `x` has infinitely many values; to generate sequences, give it a range or a list",
        ),
        (
            "parameters: {n: {type: integer}}\nevents: {a: }",
            ProblemKind::Input,
            "3:14: the input has no `n`; add it to the input, or give the parameter a default",
        ),
        (
            "state: {x: 9223372036854775807}\nevents:\n  a: {then: {x: x + 1}}",
            ProblemKind::Arithmetic,
            "5:19: 9223372036854775807 + 1 overflows; keep the numbers small, with a guard",
        ),
        (
            "state: {x: 0}\nevents:\n  a:\n    when: 1 / x > 0",
            ProblemKind::Arithmetic,
            "6:13: 1 / 0 is a division by zero; check the divisor first, with `if … then … else …` or a guard",
        ),
        (
            "state: {x: 0}\nevents: {a: {when: \"5 % x == 0\"}}",
            ProblemKind::Arithmetic,
            "4:23: 5 % 0 is a division by zero; check the divisor first, with `if … then … else …` or a guard",
        ),
        (
            "state: {f: {over: 0..2, initially: 0}}\nevents: {a: {when: \"f[3] == 0\"}}",
            ProblemKind::Arithmetic,
            "4:23: there is no index 3; indices go from 0 to 2",
        ),
        (
            "state: {f: {over: 0..99999999, initially: 0}}\nevents: {a: }",
            ProblemKind::Limit,
            "3:19: 0..99999999 has more than 10000 numbers; use a smaller range",
        ),
        (
            "state: {if: 0}\nevents: {a: }",
            ProblemKind::Syntax,
            "3:9: `if` is a reserved word; use another name",
        ),
        (
            "events: {a: }\nevents: {b: }",
            ProblemKind::Syntax,
            "4:1: duplicate entry with key \"events\"; correct the YAML there",
        ),
    ] {
        let problem = problem(text);
        assert_eq!((problem.to_string(), problem.kind), (format!("s.yaml:{message}"), kind), "{text}");
    }
    let error = |text: &str| Spec::read("s.yaml", text).unwrap_err().to_string();
    assert_eq!(
        error("insyn: tests"),
        "s.yaml:1:8: this is not a spec file: it has `insyn: \"tests\"`; a spec file starts with `insyn: spec`"
    );
    assert_eq!(
        error("insyn: spec\nversion: 2"),
        "s.yaml:2:10: this file has version 2, but only version 1 is supported; write `version: 1`"
    );
    assert!(error("").starts_with("s.yaml:1:1: "));
}

/// A guard that is looked at only when the left side does not decide.
#[test]
fn and_and_or_do_not_look_further_than_they_must() {
    let text = "insyn: spec\nversion: 1\nstate: {x: 0}\nevents: {a: {when: x != 0 and 1 / x > 0 or x > 5}}\n";
    let spec = Spec::read("s.yaml", text).unwrap();
    assert_eq!(words(&spec, &Data::Null), ["-"]);
}

/// Generation without end stops at its bounds and says which.
#[test]
fn generators_without_end_are_stopped() {
    let end = |text: &str, bounds: Bounds| {
        let spec = Spec::read("s.yaml", &format!("insyn: spec\nversion: 1\n{text}")).unwrap();
        let instance = spec.with(&Data::Null).unwrap();
        let mut words = instance.words(bounds).unwrap();
        let count = words.by_ref().map(Result::unwrap).count();
        (count, words.end())
    };
    let short = Bounds { length: 5, ..Bounds::default() };
    assert_eq!(end("events: {a: }", short), (6, Generated::Length));
    assert_eq!(end("events: {a: , b: }", Bounds { words: 10, ..short }), (10, Generated::Words));
    // Every state is new and none accepting; yet each is looked at once.
    let endless = "state: {x: 0}\nevents: {a: {then: {x: x + 1}}, b: {then: {x: x + 1}}}\naccept: x < 0";
    assert_eq!(end(endless, Bounds::default()), (0, Generated::Length));
    assert_eq!(end(endless, Bounds { steps: 50, ..Bounds::default() }), (0, Generated::Steps));
}

/// What other languages write is answered with what to write here.
#[test]
fn operators_of_other_languages_are_answered() {
    let problem = |when: &str| {
        let text = format!(
            "insyn: spec\nversion: 1\nstate: {{a: true, b: true}}\nevents:\n  go:\n    when: {when}\n"
        );
        let problem = Spec::read("s.yaml", &text).unwrap_err();
        assert_eq!(problem.kind, ProblemKind::Syntax);
        problem.to_string()
    };
    assert_eq!(problem("a && b"), "s.yaml:6:13: unexpected `&&`; write `and`");
    assert_eq!(problem("a & b"), "s.yaml:6:13: unexpected `&`; write `and`");
    assert_eq!(problem("a || b"), "s.yaml:6:13: unexpected `||`; write `or`");
    assert_eq!(problem("(a | b)"), "s.yaml:6:14: unexpected `|`; write `or`");
    assert_eq!(problem("(!a)"), "s.yaml:6:12: unexpected `!`; write `not`");
    assert_eq!(problem("a and not (b) != !a"), "s.yaml:6:28: unexpected `!`; write `not`");
    assert_eq!(problem("a = b"), "s.yaml:6:13: found `=`; equality is `==`");
    assert_eq!(problem("a ? b"), "s.yaml:6:13: unexpected '?'; remove it");
}

/// A list of names that is cut says how many more there are.
#[test]
fn cut_lists_say_how_many_more() {
    let names: Vec<String> = (10..30).map(|n| format!("variable{n}")).collect();
    let state: String = names.iter().map(|it| format!("  {it}: 0\n")).collect();
    let text = format!("insyn: spec\nversion: 1\nstate:\n{state}events: {{go: {{when: x > 0}}}}\n");
    let problem = Spec::read("s.yaml", &text).unwrap_err();
    assert_eq!(problem.hint, format!("use one of {} and 8 more", names[..12].join(", ")));
}

/// A specification says which program it is for, by any end of its path.
#[test]
fn a_specification_is_for_its_program() {
    let spec = |program: &str| {
        Spec::read("s.yaml", &format!("insyn: spec\nversion: 1\n{program}events: {{a: }}\n")).unwrap()
    };
    assert_eq!(spec("").is_for("bank::tests::pays"), Ok(()));
    for name in ["pays", "tests::pays", "bank::tests::pays"] {
        assert_eq!(spec(&format!("program: {name}\n")).is_for("bank::tests::pays"), Ok(()));
    }
    for name in ["ays", "saves", "tests", "k::tests::pays"] {
        let refused = spec(&format!("program: {name}\n")).is_for("bank::tests::pays").unwrap_err();
        let said =
            format!("s.yaml:3:10: this specification is for program `{name}`, not for `bank::tests::pays`; ");
        assert!(refused.to_string().starts_with(&said), "{refused}");
    }
}
