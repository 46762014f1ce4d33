//! Hostile texts: no panic, no endless work, bounded memory.

use std::time::{Duration, Instant};

use insyn_specs::spec::{Bounds, Verdict};
use insyn_specs::{Position, Problem, ProblemKind, Spec, TestFile, Word, file, input};
use proptest::prelude::*;
use serde_json::Value as Data;

/// The result of reading a text. A problem must have a position inside the text, and say what to do.
fn unless_wrong<T>(text: &str, result: Result<T, Problem>) -> Option<T> {
    let is_break = |c: &char| matches!(c, '\n' | '\r' | '\u{85}' | '\u{2028}' | '\u{2029}');
    // To the YAML library the end is a line of its own.
    let lines = text.chars().filter(is_break).count() + 2;
    result
        .map_err(|problem| {
            let Position { file, line, column } = &problem.position;
            assert!(["t.yaml", "s.yaml"].contains(&&**file), "{problem}");
            assert!((1..=lines).contains(line) && *column > 0, "{problem}\n{text:?}");
            assert!(!problem.message.is_empty() && !problem.hint.is_empty(), "{problem:?}");
        })
        .ok()
}

/// Reads a text as every kind of file, and uses what was read.
fn use_it(text: &str) {
    if let Some(file) = unless_wrong(text, TestFile::read("t.yaml", text)) {
        file.write().unwrap();
    }
    let Some(spec) = unless_wrong(text, Spec::read("s.yaml", text)) else { return };
    let Some(instance) = unless_wrong(text, spec.with(&Data::Null)) else { return };
    let bounds = Bounds { length: 6, words: 50, steps: 5000, states: 1000 };
    let Some(words) = unless_wrong(text, instance.words(bounds)) else { return };
    for word in words {
        let Some(word) = unless_wrong(text, word) else { break };
        assert_eq!(instance.judge(&word).unwrap(), Verdict::Valid);
    }
    unless_wrong(text, instance.judge(&Word::default()));
}

/// Reads a text as a specification, in no time that a person would notice.
fn kind_of(text: &str) -> Option<ProblemKind> {
    let start = Instant::now();
    let kind = Spec::read("s.yaml", text).err().map(|problem| problem.kind);
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    kind
}

#[test]
fn bombs_are_refused() {
    let mut bomb = "a: &a [x, x, x, x, x, x, x, x, x]\n".to_owned();
    for (before, name) in "abcdefgh".chars().zip("bcdefghi".chars()) {
        let aliases = vec![format!("*{before}"); 9].join(", ");
        bomb += &format!("{name}: &{name} [{aliases}]\n");
    }
    assert_eq!(kind_of(&bomb), Some(ProblemKind::Limit));
    // All kinds of file have the same reader, and so have inputs.
    for text in [&bomb, &"[".repeat(100_000), &"x".repeat(70 << 20)] {
        assert!(input::read::<Data>(text).is_err());
        assert!(file::read(text).is_err());
        assert_eq!(TestFile::read("t.yaml", text).unwrap_err().kind, ProblemKind::Limit);
    }
    assert_eq!(kind_of(&"[".repeat(100_000)), Some(ProblemKind::Limit));
    assert_eq!(kind_of(&"{a: ".repeat(100_000)), Some(ProblemKind::Limit));
    assert!(kind_of(&"- ".repeat(100_000)).is_some());
    assert!(kind_of(&"? ".repeat(20_000)).is_some());
    assert!(kind_of(&format!("a: {}", "x".repeat(5_000_000))).is_some());
    assert_eq!(kind_of(&"x".repeat(70 << 20)), Some(ProblemKind::Limit));
}

/// Where a text goes beyond a bound, not where it begins.
#[test]
fn bounds_are_reported_with_positions() {
    let place_of = |text: &str| {
        let problem = Spec::read("s.yaml", text).expect_err("it is too much");
        assert_eq!(problem.kind, ProblemKind::Limit, "{problem}");
        (problem.position.line, problem.position.column)
    };
    assert_eq!(place_of(&format!("insyn: spec\nabout: {}", "[".repeat(200))), (2, 8 + 100));
    // What is repeated too often.
    let (long, aliases) = ("x".repeat(1000), "  - *a\n".repeat(100));
    assert_eq!(place_of(&format!("insyn: spec\na: &a {long}\nlist:\n{aliases}")).0, 2);
}

/// The heading of every specification below.
fn spec(rest: &str) -> String {
    format!("insyn: spec\nversion: 1\n{rest}")
}

#[test]
fn huge_parts_are_refused_or_read_in_time() {
    let items = vec!["a"; 300_000].join(", ");
    assert_eq!(kind_of(&spec(&format!("parameters: {{p: [{items}]}}\nevents: {{a: }}"))), None);
    let many: String = (0..100_000).map(|i| format!("  e{i}: \n")).collect();
    assert_eq!(kind_of(&spec(&format!("events:\n{many}"))), Some(ProblemKind::Limit));
    let long = vec!["1"; 100_000].join(" + ");
    assert_eq!(kind_of(&spec(&format!("events: {{a: }}\naccept: {long} == 1"))), Some(ProblemKind::Limit));
    let deep = format!("{}true{}", "(".repeat(400), ")".repeat(20));
    assert_eq!(kind_of(&spec(&format!("events: {{a: }}\naccept: \"{deep}\""))), Some(ProblemKind::Limit));
    let signs = format!("{}1 == 1", "- ".repeat(300));
    assert_eq!(kind_of(&spec(&format!("events: {{a: }}\naccept: \"{signs}\""))), Some(ProblemKind::Limit));
    assert_eq!(
        kind_of(&spec(&format!("events: {{a: }}\naccept: \"{}\"", "not ".repeat(300)))),
        Some(ProblemKind::Limit)
    );
}

#[test]
fn products_are_refused() {
    let text = spec(
        "events:\n  a:\n    match: {thread: <i>-<j>-<k>}\n    arguments: {i: 0..999, j: 0..999, k: 0..999}\n",
    );
    let spec = Spec::read("s.yaml", &text).unwrap();
    let instance = spec.with(&Data::Null).unwrap();
    assert_eq!(instance.alphabet().unwrap_err().kind, ProblemKind::Limit);
    let text = text + "constraints: ['a(x, y, z) precedes a(y, z, x)']\n";
    let spec = Spec::read("s.yaml", &text).unwrap();
    assert_eq!(spec.with(&Data::Null).unwrap_err().kind, ProblemKind::Limit);
}

/// Pieces that specifications and tests are made of, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "insyn: spec\n",
        "insyn: tests\n",
        "version: 1\n",
        "events:\n",
        "  a:\n",
        "  b: {}\n",
        "    when: ",
        "    then: {x: x + 1}\n",
        "state: {x: 0}\n",
        "state:\n",
        "  x: ",
        "  f: {over: 0..2, initially: 0}\n",
        "    arguments: {i: 0..2}\n",
        "    match: {thread: w<i>}\n",
        "    match: ",
        "constraints:\n",
        "- a precedes b\n",
        "{event: a, after: [1]}",
        "- b must follow a\n",
        "- at most ",
        "accept: ",
        "x > 0\n",
        "x / x\n",
        "not ",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ",",
        ": ",
        "- ",
        "&a ",
        "*a",
        "!t ",
        "'",
        "\"",
        "\n",
        "  ",
        "#",
        "|\n",
        ">\n",
        "---\n",
        "...\n",
        "0",
        "9223372036854775807",
        " + ",
        " - ",
        " * ",
        " / ",
        " % ",
        "==",
        "..",
        "if ",
        " then ",
        " else ",
        "true",
        "length(f)",
        "f[x]",
        "tests:\n",
        "- name: n\n",
        "  sequence: [a, b]\n",
        "  recorded: {processes: []}\n",
        "  expect: ",
        "feasible\n",
        "expect: {output: ",
        "hidden: []\n",
        "conformance: ",
        "é",
        "\u{0}",
        "\u{feff}",
        "\t",
        "<<: *a\n",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// The examples with one part replaced.
fn damaged() -> impl Strategy<Value = String> {
    let names =
        ["bounded_buffer", "readers_writers", "philosophers", "request_reply", "bounded_buffer.tests"];
    let texts: Vec<String> = names
        .iter()
        .map(|name| {
            std::fs::read_to_string(format!("{}/examples/{name}.yaml", env!("CARGO_MANIFEST_DIR"))).unwrap()
        })
        .collect();
    (prop::sample::select(texts), any::<prop::sample::Index>(), 0..12usize, pieces(), 0..12usize).prop_map(
        |(text, start, length, piece, keep)| {
            let chars: Vec<char> = text.chars().collect();
            let start = start.index(chars.len());
            let end = (start + length).min(chars.len());
            chars[..start]
                .iter()
                .copied()
                .chain(piece.chars().take(keep))
                .chain(chars[end..].iter().copied())
                .collect()
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn any_text_does_no_harm(text in any::<String>()) {
        use_it(&text);
        use_it(&spec(&text));
    }

    #[test]
    fn any_pieces_do_no_harm(text in pieces()) {
        use_it(&text);
        use_it(&spec(&format!("state: {{x: 0}}\n{text}")));
        use_it(&spec(&format!("state: {{x: 1, y: 2}}\nevents: {{a: , b: }}\naccept: {text}")));
    }

    #[test]
    fn damaged_examples_do_no_harm(text in damaged()) {
        use_it(&text);
    }
}
