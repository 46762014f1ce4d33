//! The meaning of specifications, compared with evaluators that share no code with them.

use std::collections::BTreeSet;

use insyn_specs::spec::{Bounds, Generated, Verdict};
use insyn_specs::{Spec, Word};
use proptest::prelude::*;
use serde_json::Value as Data;

/// Every word over an alphabet of the given size, up to a length, as indices.
fn all_words(letters: usize, length: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    let mut last = all.clone();
    for _ in 0..length {
        last = last
            .iter()
            .flat_map(|word| {
                (0..letters).map(move |letter| word.iter().copied().chain([letter]).collect::<Vec<_>>())
            })
            .collect();
        all.extend(last.iter().cloned());
    }
    all
}

/// Says of every word up to a length whether it is valid, by judging it; and checks that generation says the same.
fn valid_words(text: &str, length: usize) -> Vec<(Vec<usize>, bool)> {
    let spec = Spec::read("s.yaml", text).unwrap_or_else(|problem| panic!("{problem}\n{text}"));
    let instance = spec.with(&Data::Null).unwrap();
    let alphabet = instance.alphabet().unwrap();
    let word = |letters: &[usize]| Word(letters.iter().map(|&it| alphabet[it].clone()).collect());
    let judged: Vec<(Vec<usize>, bool)> = all_words(alphabet.len(), length)
        .into_iter()
        .map(|letters| {
            let verdict = instance.judge(&word(&letters)).unwrap();
            assert_ne!(verdict, Verdict::Unknown);
            (letters, verdict == Verdict::Valid)
        })
        .collect();
    let mut words = instance.words(Bounds { length, ..Bounds::default() }).unwrap();
    let generated: Vec<Word> = words.by_ref().collect::<Result<_, _>>().unwrap();
    assert!(matches!(words.end(), Generated::All | Generated::Length));
    let valid: BTreeSet<Word> =
        judged.iter().filter(|(_, valid)| *valid).map(|(letters, _)| word(letters)).collect();
    assert_eq!(generated.len(), valid.len(), "words are given once\n{text}");
    assert_eq!(generated.into_iter().collect::<BTreeSet<_>>(), valid, "{text}");
    judged
}

/// What the sentences mean, read from their table by quantifiers over whole words. Letters are 0, 1, 2 for a, b, c.
fn keeps(sentence: &str, w: &[usize]) -> bool {
    let words: Vec<&str> = sentence.split(' ').collect();
    let letter = |name: &str| "abc".find(name).unwrap();
    let places = |x: usize| (0..w.len()).filter(move |&i| w[i] == x);
    match words[..] {
        [b, "must", "follow", a] => places(letter(a)).all(|i| w[i + 1..].contains(&letter(b))),
        [b, "must", "directly", "follow", a] => places(letter(a)).all(|i| w.get(i + 1) == Some(&letter(b))),
        [b, "must", "never", "follow", a] => places(letter(a)).all(|i| !w[i + 1..].contains(&letter(b))),
        [b, "must", "never", "directly", "follow", a] => {
            places(letter(a)).all(|i| w.get(i + 1) != Some(&letter(b)))
        }
        [_, "may", ..] => true,
        [a, "precedes", "each", b] => places(letter(b)).all(|i| {
            let count = |x: usize, end: usize| w[..end].iter().filter(|&&it| it == x).count();
            count(letter(b), i) < count(letter(a), i)
        }),
        [a, "precedes", b] => places(letter(b)).all(|i| w[..i].contains(&letter(a))),
        [a, "alternates", "with", b] => {
            let only: Vec<usize> =
                w.iter().copied().filter(|&it| it == letter(a) || it == letter(b)).collect();
            only.iter().enumerate().all(|(i, &it)| it == if i % 2 == 0 { letter(a) } else { letter(b) })
        }
        ["at", "most", n, b] => places(letter(b)).count() <= n.parse().unwrap(),
        ["at", "most", n, b, "between", a, "and", c] => places(letter(a)).all(|i| {
            let end = (i + 1..w.len()).find(|&j| w[j] == letter(c)).unwrap_or(w.len());
            w[i + 1..end].iter().filter(|&&it| it == letter(b)).count() <= n.parse().unwrap()
        }),
        _ => unreachable!("{sentence}"),
    }
}

fn sentence() -> impl Strategy<Value = String> {
    let event = || prop::sample::select(vec!["a", "b", "c"]);
    let relation = prop::sample::select(vec![
        "must follow",
        "must directly follow",
        "must never follow",
        "must never directly follow",
        "may follow",
        "may directly follow",
        "precedes",
        "precedes each",
        "alternates with",
    ]);
    prop_oneof![
        4 => (event(), relation, event()).prop_map(|(a, relation, b)| format!("{a} {relation} {b}")),
        1 => (0..3, event()).prop_map(|(n, a)| format!("at most {n} {a}")),
        2 => (0..3, event(), event(), event()).prop_map(|(n, b, a, c)| format!("at most {n} {b} between {a} and {c}")),
    ]
}

/// A state machine whose variables stay small, so that it comes back to its states.
fn machine() -> impl Strategy<Value = String> {
    let guard = prop::sample::select(vec![
        "true",
        "x < 2",
        "x > 0",
        "y != x",
        "x % 2 == y",
        "not (x == 1) or y > 0",
        "(if x > y then x else y) < 2",
    ]);
    let update = prop::sample::select(vec![
        "{}",
        "{x: x + 1}",
        "{x: 0}",
        "{y: 1 - y}",
        "{x: y, y: x}",
        "{x: x * 2 - 1}",
    ]);
    let accept = prop::sample::select(vec!["true", "x == 0", "y == 1 and x < 3", "x >= 1"]);
    (prop::collection::vec((guard, update), 3), accept).prop_map(|(rules, accept)| {
        let events: Vec<String> = ["a", "b", "c"]
            .iter()
            .zip(rules)
            .map(|(name, (guard, update))| format!("  {name}: {{when: '{guard}', then: {update}}}\n"))
            .collect();
        format!("state: {{x: 0, y: 0}}\nevents:\n{}accept: {accept}\n", events.concat())
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// Judging and generating agree with each other and with the table of constraints.
    #[test]
    fn constraints_mean_what_they_say(sentences in prop::collection::vec(sentence(), 0..4)) {
        let list: Vec<String> = sentences.iter().map(|it| format!("\n- {it}")).collect();
        let list = if list.is_empty() { " []".to_owned() } else { list.concat() };
        let text = format!("insyn: spec\nversion: 1\nevents: {{a: , b: , c: }}\nconstraints:{list}\n");
        // Sentences that exclude each other are refused; what they would mean is tested one by one.
        prop_assume!(Spec::read("s.yaml", &text).is_ok());
        for (word, valid) in valid_words(&text, 5) {
            let expected = sentences.iter().all(|sentence| keeps(sentence, &word));
            prop_assert_eq!(valid, expected, "{:?} {:?}", sentences, word);
        }
    }

    /// Judging and generating agree where there is a state.
    #[test]
    fn generating_agrees_with_judging(machine in machine(), sentence in sentence()) {
        let text = format!("insyn: spec\nversion: 1\n{machine}constraints: [{sentence}]\n");
        prop_assume!(Spec::read("s.yaml", &text).is_ok());
        valid_words(&text, 5);
    }
}

/// A variable makes one constraint of many; `_` makes none.
#[test]
fn variables_stand_for_each_of_their_values() {
    let text = "insyn: spec\nversion: 1\nevents:\n  on: {arguments: {i: 0..1}}\n  off: {arguments: {i: 0..1}}\n\
                constraints: [CONSTRAINT]\n";
    let valid = |constraint: &str| -> BTreeSet<Vec<usize>> {
        let all = valid_words(&text.replace("CONSTRAINT", constraint), 4);
        all.into_iter().filter(|(_, valid)| *valid).map(|(word, _)| word).collect()
    };
    // Letters are on(0), on(1), off(0), off(1).
    let each = valid("'on(i) precedes off(i)'");
    assert!(each.contains(&vec![1, 0, 2, 3]) && !each.contains(&vec![0, 3]));
    assert_eq!(each, &valid("'on(0) precedes off(0)'") & &valid("'on(1) precedes off(1)'"));
    let any = valid("'on(_) precedes off(_)'");
    assert!(any.contains(&vec![0, 3]) && !any.contains(&vec![2]));
    assert_eq!(any, valid("on precedes off"));
}

/// Arithmetic and comparison, against what the language of these tests makes of them.
#[test]
fn expressions_compute() {
    let holds = |expression: &str| {
        let text = format!("insyn: spec\nversion: 1\nevents: {{a: }}\naccept: \"{expression}\"\n");
        let spec = Spec::read("s.yaml", &text).unwrap_or_else(|problem| panic!("{problem}"));
        spec.with(&Data::Null).unwrap().judge(&Word::default()).unwrap() == Verdict::Valid
    };
    for a in -4i64..=4 {
        for b in -4i64..=4 {
            assert!(holds(&format!("{a} + {b} * 2 - 1 == {}", a + b * 2 - 1)));
            assert!(holds(&format!("({a} - {b}) * -{} == {}", a.abs(), (a - b) * -a.abs())));
            assert_eq!(holds(&format!("{a} < {b} or {a} == {b}")), a <= b);
            assert_eq!(holds(&format!("not {a} >= {b}")), a < b);
            if b != 0 {
                assert!(holds(&format!("{a} / {b} == {} and {a} % {b} == {}", a / b, a % b)));
            }
        }
    }
    assert!(holds("'a' < 'b' and 'it''s' != 'its' and true != false"));
    assert!(holds("if 1 > 2 then false else true"));
    assert!(holds("1 - 1 - 1 == -1"));
}
