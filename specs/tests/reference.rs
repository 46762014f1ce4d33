//! `docs/specs.md`: it explains every word that the readers know, and its examples are as it says.

use std::collections::BTreeSet;

use insyn_sequences::{Op, Order, Termination};
use insyn_specs::spec::{Reading, Verdict};
use insyn_specs::{Letter, Spec, TestFile, Word, file, input, vocabulary};
use insyn_verdicts::Conformance;
use serde_json::Value as Data;

fn reference() -> String {
    std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/specs.md")).unwrap()
}

/// The fenced blocks in a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let start = format!("```{language}\n");
    text.split(&start).skip(1).map(|rest| rest.split("```").next().unwrap_or_default().to_owned()).collect()
}

/// The first cells of the table that follows a comment, without their quotes.
fn table(text: &str, comment: &str) -> Vec<Vec<String>> {
    let mark = format!("<!-- {comment}");
    assert_eq!(text.matches(&mark).count(), 1, "{mark}");
    let rest = text.split(&mark).nth(1).unwrap_or_default();
    let lines = rest
        .lines()
        .skip(1)
        .skip_while(|line| !line.starts_with('|'))
        .take_while(|line| line.starts_with('|'));
    let cells = |line: &str| {
        let line = line.trim_matches('|').replace("\\|", "\u{1}");
        line.split(" | ").map(|it| it.trim().trim_matches('|').trim().trim_matches('`').to_owned()).collect()
    };
    lines.skip(2).map(cells).collect()
}

fn first_cells(text: &str, comment: &str) -> Vec<String> {
    table(text, comment).into_iter().map(|row| row[0].clone()).collect()
}

#[track_caller]
fn assert_same(what: &str, documented: Vec<String>, known: &[&str]) {
    let documented: BTreeSet<&str> = documented.iter().map(String::as_str).collect();
    let known: BTreeSet<&str> = known.iter().copied().collect();
    assert_eq!(documented, known, "{what}");
}

#[test]
fn every_word_of_the_readers_is_explained() {
    let text = reference();
    for (name, keys) in [
        ("SPEC", &vocabulary::SPEC[..]),
        ("PARAMETER", &vocabulary::PARAMETER),
        ("STATE", &vocabulary::STATE),
        ("EVENT", &vocabulary::EVENT),
        ("MATCH", &vocabulary::MATCH),
        ("EXPECT", &vocabulary::EXPECT),
        ("TESTS", &vocabulary::TESTS),
        ("TEST", &vocabulary::TEST),
        ("STEP", &vocabulary::STEP),
        ("RECORDED", &vocabulary::RECORDED),
        ("EXPECTATION", &vocabulary::EXPECTATION),
    ] {
        assert_same(name, first_cells(&text, &format!("keys: {name} ")), keys);
    }
    assert_same("constraints", first_cells(&text, "constraints "), &vocabulary::CONSTRAINTS);
    let ops: Vec<&str> = Op::recorded().map(Op::word).collect();
    assert_same("operations", first_cells(&text, "operations "), &ops);
    let words = Conformance::WORDS.map(|(word, _)| word);
    assert_same("conformance", first_cells(&text, "words: conformance "), &words);
    let words = Termination::WORDS.map(|(word, _)| word);
    assert_same("termination", first_cells(&text, "words: termination "), &words);
    for word in vocabulary::RESERVED.iter().chain(&vocabulary::FROM).chain(&vocabulary::OUTCOMES) {
        assert!(text.contains(&format!("`{word}`")), "`{word}` is not explained");
    }
}

/// The schemas for editors have the same keys, at every level; so nothing is explained that an editor would not complete.
#[test]
fn the_schemas_have_the_same_keys() {
    fn mappings(schema: &Data, found: &mut BTreeSet<Vec<String>>) {
        if let Some(properties) = schema.get("properties").and_then(Data::as_object) {
            found.insert(properties.keys().cloned().collect());
        }
        match schema {
            Data::Object(all) => all.values().for_each(|it| mappings(it, found)),
            Data::Array(all) => all.iter().for_each(|it| mappings(it, found)),
            _ => {}
        }
    }
    let sorted = |keys: &[&str]| {
        let mut keys: Vec<String> = keys.iter().map(|it| (*it).to_owned()).collect();
        keys.sort();
        keys
    };
    let of = |kind: &str| {
        let path = format!("{}/schema/{kind}.schema.json", env!("CARGO_MANIFEST_DIR"));
        let mut found = BTreeSet::new();
        mappings(&serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap(), &mut found);
        found
    };
    use vocabulary::{
        EVENT, EXPECT, EXPECTATION, MATCH, PARAMETER, RECORDED, SPEC, STATE, STEP, TEST, TESTS,
    };
    let spec: [&[&str]; 6] = [&SPEC, &PARAMETER, &STATE, &EVENT, &MATCH, &EXPECT];
    assert_eq!(of("spec"), spec.iter().map(|it| sorted(it)).collect());
    let step = [&MATCH[..], &["after"]].concat();
    let processes: [&[&str]; 2] = [&["id", "kind", "name", "events"], &["op"]];
    let tests: [&[&str]; 6] = [&TESTS, &TEST, &RECORDED, &EXPECTATION, &step, &STEP];
    assert_eq!(of("tests"), tests.iter().chain(&processes).map(|it| sorted(it)).collect());
}

/// What a comment in an example says.
fn said<'t>(example: &'t str, what: &str) -> Vec<&'t str> {
    let start = format!("# {what}: ");
    example.lines().filter_map(|line| line.strip_prefix(&start)).collect()
}

#[test]
fn the_examples_of_specifications_do_what_they_say() {
    let text = reference();
    let examples = blocks(&text, "yaml spec");
    assert!(examples.len() >= 18, "{}", examples.len());
    for example in &examples {
        let spec = Spec::read("docs/specs.md", &format!("insyn: spec\nversion: 1\n{example}"));
        let spec = spec.unwrap_or_else(|problem| panic!("{problem}\n{example}"));
        let data = said(example, "input").first().map_or(Data::Null, |text| input::read(text).unwrap());
        let instance = spec.with(&data).unwrap_or_else(|problem| panic!("{problem}\n{example}"));
        let alphabet = instance.alphabet().unwrap();
        let word = |text: &str| {
            let letter = |name: &str| -> Letter {
                let found = alphabet.iter().find(|letter| letter.to_string() == name);
                // A value that the argument does not have.
                found.cloned().unwrap_or_else(|| {
                    let (event, _) = name.split_once('(').unwrap_or_else(|| panic!("{name}\n{example}"));
                    let like = alphabet.iter().find(|letter| *letter.name == *event).expect("an event");
                    Letter { arguments: [insyn_sequences::Value::Text("none".into())].into(), ..like.clone() }
                })
            };
            Word(text.split_whitespace().map(letter).collect())
        };
        let [valid, invalid] = ["valid", "invalid"].map(|what| said(example, what));
        assert!(!valid.is_empty(), "nothing is said of\n{example}");
        for text in valid {
            assert_eq!(instance.judge(&word(text)).unwrap(), Verdict::Valid, "{text}\n{example}");
        }
        for text in invalid {
            let verdict = instance.judge(&word(text)).unwrap();
            assert!(matches!(verdict, Verdict::Invalid(_)), "{text}: {verdict:?}\n{example}");
        }
    }
}

#[test]
fn every_key_and_constraint_has_an_example() {
    let text = reference();
    let specs = format!("\n{}", blocks(&text, "yaml spec").concat());
    let tests = format!("\n{}", blocks(&text, "yaml tests").concat());
    let has = |examples: &str, key: &str| {
        [
            format!("\n{key}: "),
            format!("{{{key}: "),
            format!(" {key}: "),
            format!(" {key}:\n"),
            format!("\n{key}:\n"),
        ]
        .iter()
        .any(|it| examples.contains(it.as_str()))
    };
    use vocabulary::{EVENT, EXPECT, EXPECTATION, PARAMETER, RECORDED, SPEC, STATE, STEP, TEST, TESTS};
    for key in [&SPEC[2..], &PARAMETER, &STATE, &EVENT, &EXPECT].concat() {
        assert!(has(&specs, key), "`{key}` has no example");
    }
    for key in [&TESTS[..], &TEST, &STEP, &RECORDED, &EXPECTATION].concat() {
        assert!(has(&tests, key), "`{key}` has no example in a test file");
    }
    // Every symbol and word of the language is in a specification or in the table of expressions.
    let expressions: String = table(&text, "expressions").iter().map(|row| format!(" {} ", row[0])).collect();
    for symbol in vocabulary::SYMBOLS.iter().filter(|it| **it != "=").chain(&vocabulary::RESERVED) {
        assert!(specs.contains(symbol) || expressions.contains(symbol), "`{symbol}` has no example");
    }
    for constraint in vocabulary::CONSTRAINTS {
        let words: Vec<&str> =
            constraint.split(['A', 'B', 'C', 'N']).map(str::trim).filter(|it| !it.is_empty()).collect();
        let is_it = |line: &&str| {
            let mut rest = *line;
            words.iter().all(|part| match rest.split_once(&format!("{part} ")) {
                Some((_, after)) => {
                    rest = after;
                    true
                }
                None => false,
            })
        };
        let sentences = specs
            .lines()
            .flat_map(|line| line.split([',', '[', ']']))
            .map(|it| it.trim().trim_start_matches("- "));
        assert!(sentences.collect::<Vec<_>>().iter().any(is_it), "`{constraint}` has no example");
    }
}

#[test]
fn the_expressions_have_the_values_of_the_table() {
    let text = reference();
    let names = "parameters: {n: 3, items: [A, B, C]}\nstate: {full: 2}\n";
    assert!(text.contains("<!-- expressions: parameters: {n: 3, items: [A, B, C]}, state: {full: 2} -->"));
    let rows = table(&text, "expressions");
    assert!(rows.len() >= 20);
    for row in rows {
        let (expression, value) = (&row[0], &row[1]);
        let quoted = |it: &str| it.replace('\'', "''");
        let when = format!("({}) == ({})", quoted(expression), quoted(value));
        let text = format!("insyn: spec\nversion: 1\n{names}events: {{go: {{when: '{when}'}}}}\n");
        let spec = Spec::read("s.yaml", &text).unwrap_or_else(|problem| panic!("{expression}: {problem}"));
        let instance = spec.with(&Data::Null).unwrap();
        let word = Word(instance.alphabet().unwrap());
        assert_eq!(instance.judge(&word).unwrap(), Verdict::Valid, "{expression} is not {value}");
    }
}

#[test]
fn the_matchers_match_as_many_events_as_the_table_says() {
    let text = reference();
    let [sequence] = &blocks(&text, "yaml sequence")[..] else { panic!("there is one") };
    let sequence = file::read(sequence).unwrap().sequence;
    let order = Order::of(&sequence).unwrap();
    let events = insyn_sequences::observed_events(&order);
    let rest = text.split("| matcher | events |").nth(1).unwrap();
    let rows: Vec<&str> = rest.lines().skip(2).take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() >= 14);
    let mut used: BTreeSet<&str> = BTreeSet::new();
    for row in rows {
        let (matcher, count) = row.trim_matches('|').rsplit_once('|').unwrap();
        let matcher = matcher.trim().trim_matches('`');
        let text = format!("insyn: spec\nversion: 1\nevents: {{it: {{match: {matcher}}}}}\n");
        let spec = Spec::read("s.yaml", &text).unwrap_or_else(|problem| panic!("{matcher}: {problem}"));
        let instance = spec.with(&Data::Null).unwrap();
        let is_it = |event: &insyn_sequences::ObservedEvent<'_>| {
            matches!(instance.reading(event), Reading::Letter(_))
        };
        let found = events.iter().filter(|(_, event)| is_it(event)).count();
        assert_eq!(found.to_string(), count.trim(), "{matcher}");
        used.extend(vocabulary::MATCH.iter().filter(|key| matcher.contains(&format!("{key}: "))));
        used.extend(vocabulary::FROM.iter().filter(|word| matcher.contains(&format!("from: {word}"))));
    }
    assert_eq!(used.len(), vocabulary::MATCH.len() + vocabulary::FROM.len(), "{used:?}");
}

#[test]
fn the_examples_of_tests_can_be_read() {
    let text = reference();
    let examples = blocks(&text, "yaml tests");
    assert!(examples.len() >= 4);
    for example in examples {
        let tests = TestFile::read("docs/specs.md", &example)
            .unwrap_or_else(|problem| panic!("{problem}\n{example}"));
        let written = tests.write().unwrap();
        assert_eq!(TestFile::read("again", &written).unwrap().tests.len(), tests.tests.len());
    }
}
