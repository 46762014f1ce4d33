//! Specifications and tests with mistakes, or that require little: what is reported about them, and where.

use std::fs;
use std::path::Path;

use tempfile::TempDir;

use crate::{fixture, json, refused, say};

/// Files beside each other.
struct Files(TempDir);

impl Files {
    fn new() -> Files {
        Files(tempfile::tempdir().expect("a directory"))
    }

    fn put(&self, name: &str, text: &str) -> String {
        let path = self.0.path().join(name);
        fs::write(&path, text).expect("it can be written");
        path.display().to_string()
    }

    /// The specification of the buffer, changed.
    fn spec(&self, change: impl Fn(&str) -> String) -> String {
        let text = fs::read_to_string(fixture().join("buffer/spec.yaml")).expect("it is there");
        let changed = change(&text);
        assert_ne!(changed, text, "nothing was changed");
        self.put("spec.yaml", &changed)
    }
}

/// A count that was not requested is not shown as zero.
#[test]
fn a_subset_has_no_count_of_what_is_missing() {
    let files = Files::new();
    let spec = files.spec(|text| format!("{text}conformance: subset\n"));
    let program = &json(&["check", "timid_buffer", "--spec", &spec, "--format", "json"], 0)["programs"][0];
    assert_eq!((&program["feasible_valid"], &program["feasible_invalid"]), (&1.into(), &0.into()));
    assert!(program["infeasible_valid"].is_null(), "{program}");
    assert!(program["comparison"]["infeasible_valid"].is_null(), "{program}");
    assert!(program["comparison"]["valid_words_feasible"].is_null(), "{program}");
    let said = say(&["check", "timid_buffer", "--spec", &spec]);
    for words in
        ["infeasible         -         0  words", "subset does not ask which valid words are infeasible"]
    {
        assert!(said.out.contains(words), "{words:?} is not said: {}", said.out);
    }
}

/// Which witnesses are the first does not depend on which worker is faster.
#[test]
fn a_check_is_the_same_with_any_number_of_workers() {
    let files = Files::new();
    let spec = "insyn: spec\nversion: 1\nparameters: {order: [0, 1, 2, 3, 4]}\nevents: {got: {match: {op: receive}}}\n\
        conformance: subset\nexpect: {output: order}\n";
    let spec = files.put("spec.yaml", spec);
    let check = |workers: &str| {
        let args =
            ["check", "tests::fan_in", "--input", "{senders: 5}", "--spec", &spec, "--workers", workers];
        json(&[&args[..], &["--format", "json"]].concat(), 1)
    };
    let one = check("1");
    let comparison = &one["programs"][0]["comparison"];
    assert_eq!(comparison["conditions"], serde_json::json!([1, 119, 0, 0]));
    assert_eq!(comparison["witnesses"].as_array().map(Vec::len), Some(10));
    for workers in ["2", "5"] {
        assert_eq!(check(workers), one, "{workers} workers");
    }
}

/// Commands that only force or record also warn of an event that matches nothing.
#[test]
fn events_that_match_nothing_are_told_by_all_commands() {
    let files = Files::new();
    let spec = files.spec(|text| text.replace("\naccept:", "  peek:\n    match: {entry: withdrew}\naccept:"));
    let warning = "no execution does `peek`; did you mean `withdraw`?";
    let line = fs::read_to_string(&spec).expect("it is there").lines().position(|it| it == "  peek:");
    let warning = format!("spec.yaml:{}:3: {warning}", line.expect("it is there") + 1);
    let at = warning.split(": ").next().expect("it has a place");
    let unknown =
        "the program has no event `peek`: nothing in it is named `withdrew`; did you mean `withdraw`?";
    let listed = "cargo insyn events fixture::tests::buffer";
    refused(&["check", "tests::buffer", "--spec", &spec], 2, &[&format!("{at}: {unknown}"), listed]);
    let tests = "insyn: tests\nversion: 1\nprogram: tests::buffer\ntests:\n\
        - {name: a, prefix: [deposit]}\n- {name: b, input: {capacity: 1}, prefix: [deposit, withdraw]}\n";
    let tests = files.put("tests.yaml", tests);
    let forced = say(&["force", &tests, "--spec", &spec]);
    assert_eq!(forced.code, Some(0), "{}{}", forced.out, forced.err);
    assert!(
        forced.out.lines().any(|it| it.starts_with("warning: ") && it.ends_with(&warning)),
        "{}",
        forced.out
    );
    let forced = &json(&["force", &tests, "--spec", &spec, "--format", "json"], 0)["programs"][0];
    assert_eq!(forced["warnings"].as_array().map(Vec::len), Some(1), "{forced}");
    let recorded = say(&["record", "tests::buffer", "--spec", &spec]);
    assert_eq!(recorded.code, Some(0), "{}", recorded.err);
    assert!(recorded.err.contains(&warning) && !recorded.out.contains("peek"), "{}", recorded.err);
    // There is no warning about an event that matches something.
    let tests = fixture().join("buffer/tests.yaml").display().to_string();
    let forced = &json(&["force", &tests, "--format", "json"], 0)["programs"][0];
    assert_eq!(forced["warnings"].as_array().map(Vec::len), Some(0), "{forced}");
}

/// A specification that names another program is not used, from the command line or from an attribute.
#[test]
fn a_specification_for_another_program_is_refused() {
    let files = Files::new();
    let spec = files.spec(|text| text.replace("version: 1\n", "version: 1\nprogram: fan_in\n"));
    let words =
        ["spec.yaml:3:10: this specification is for program `fan_in`, not for `fixture::tests::buffer`"];
    refused(&["check", "tests::buffer", "--spec", &spec], 2, &words);
    let spec = files.spec(|text| text.replace("version: 1\n", "version: 1\nprogram: tests::buffer\n"));
    assert_eq!(say(&["check", "--spec", &spec]).code, Some(0));
}

/// An error in the input of a test, or in the name of a specification, has the position in the file.
#[test]
fn what_is_wrong_in_a_test_file_is_told_with_its_line() {
    let files = Files::new();
    let test = |input: &str| {
        let text = format!(
            "insyn: tests\nversion: 1\nprogram: tests::buffer\ntests:\n- name: a\n  input:\n{input}  sequence: []\n"
        );
        files.put("tests.yaml", &text)
    };
    for (input, words) in [
        (
            "    capacity: 2\n    items: [A, BB]\n",
            "tests.yaml:8:16: test `a`: items[1]: invalid value: string \"BB\"",
        ),
        (
            "    items: [A]\n    capacity: many\n",
            "tests.yaml:8:15: test `a`: capacity: invalid type: string \"many\"",
        ),
        ("    slots: 2\n    items: [A]\n", "tests.yaml:7:5: test `a`: unknown field `slots`"),
    ] {
        let path = test(input);
        refused(&["force", &path], 2, &[words, "not an input that program"]);
        assert!(!say(&["force", &path]).err.contains("line 1"));
    }
    let text = "insyn: tests\nversion: 1\nspec: nowhere.yaml\nprogram: tests::buffer\ntests: []\n";
    let path = files.put("tests.yaml", text);
    refused(&["force", &path], 2, &["tests.yaml:3:7", "nowhere.yaml cannot be read"]);
    refused(&["check", "--tests", &path], 2, &["tests.yaml:3:7", "nowhere.yaml cannot be read"]);
}

/// If nothing at all is valid, the constraints contradict each other, or the input does not fit them.
#[test]
fn a_specification_that_nothing_fulfils_is_told() {
    let files = Files::new();
    let spec = files
        .spec(|text| text.replace("- deposit precedes each withdraw", "- withdraw precedes each deposit"));
    let said = say(&["check", "tests::buffer", "--spec", &spec]);
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    let words = "no sequence is valid for capacity = 2, items = ['A', 'B', 'C']; if this is not intended";
    assert!(said.out.contains(words), "{}", said.out);
}

/// A specification with infinitely many words is not proved, and the command does not wait for that.
#[test]
fn words_without_end_are_no_proof() {
    let files = Files::new();
    let events = "events:\n  deposit: {match: {entry: deposit}}\n  withdraw: {match: {entry: withdraw}}\n";
    let spec = files.put("spec.yaml", &format!("insyn: spec\nversion: 1\n{events}"));
    let args = ["check", "tests::buffer", "--tests", &files.put("tests.yaml", NO_TESTS), "--spec", &spec];
    let said = say(&args);
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    for words in ["incorrect by", "spec.yaml:4:3: not all valid words were generated"] {
        assert!(said.out.contains(words), "{words:?} is not said: {}", said.out);
    }
    // Infinitely many arguments cannot be listed at all.
    let spec = files.put(
        "spec.yaml",
        "insyn: spec\nversion: 1\nevents:\n  deposit: {match: {entry: 'd<n>'}, arguments: {n: text}}\n",
    );
    let args = ["check", "tests::buffer", "--tests", &files.put("tests.yaml", NO_TESTS), "--spec", &spec];
    refused(&args, 2, &["spec.yaml:4:3", "`n` has infinitely many values", "give it a range or a list"]);
}

const NO_TESTS: &str = "insyn: tests\nversion: 1\nprogram: tests::buffer\ntests: []\n";

/// A recorded sequence that cannot happen is reported like any other: the first event, what can happen instead, the obstacle.
#[test]
fn a_recorded_sequence_that_cannot_happen_says_why() {
    let files = Files::new();
    let out = files.0.path().join("out").display().to_string();
    let document = json(&["check", "overfull_buffer", "--format", "json", "--out", &out], 1);
    let witness = &document["programs"][0]["comparison"]["witnesses"][0]["file"];
    let text = fs::read_to_string(Path::new(witness.as_str().expect("a path"))).expect("it was saved");
    let (_, processes) = text.split_once("\nprocesses:\n").expect("a sequence file");
    let (processes, _) = processes.split_once("\nraces:").unwrap_or((processes, ""));
    let processes: String = processes.lines().map(|line| format!("      {line}\n")).collect();
    let tests = format!(
        "insyn: tests\nversion: 1\nprogram: tests::buffer\ntests:\n- name: overfull\n  recorded:\n    processes:\n{processes}  expect: infeasible\n"
    );
    let said = say(&["force", &files.put("tests.yaml", &tests)]);
    assert_eq!(said.code, Some(0), "{}{}", said.out, said.err);
    for words in [
        "ok    overfull: infeasible",
        "`accept on deposit by server` (src/buffer.rs:",
        "), cannot happen",
        "thread producer waits for its call of deposit to be accepted while `has_room` (src/buffer.rs:",
    ] {
        assert!(said.out.contains(words), "{words:?} is not said: {}", said.out);
    }
}
