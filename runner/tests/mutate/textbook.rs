//! The textbook's experiment, our own code, and reports as they are committed.

use std::fs;

use serde_json::Value;

use crate::support::{self, place};
use crate::wrong::tiny;
use crate::{Crate, killers, mutant, target, textbook};

#[test]
fn the_textbooks_experiment() {
    let it = textbook();
    let out = it.directory("experiment");
    let campaign = it.json(&["mutate", "buffer", "--format", "json", "--out", &out], 0);
    let reports = [
        ("text", "summary.txt"),
        ("markdown", "summary.md"),
        ("junit", "junit.xml"),
        ("github", "annotations.txt"),
        ("stryker", "stryker.json"),
        ("html", "report.html"),
    ];
    compare_with_golden(&it, "textbook-buffer", &out, &reports);
    let expected = serde_json::json!({
        "total": 78, "unviable": 2, "equivalent": 6, "undecided": 0, "killed": 70, "survived": 0, "allowed": 0,
        "unreached": 64, "skipped": 0, "pending": 0
    });
    assert_eq!(campaign["mutants"], expected);
    assert_eq!(campaign["score"], 100.0);
    assert_eq!(
        (&campaign["phases"][0]["name"], &campaign["phases"][0]["score"]),
        (&"collected".into(), &94.29.into())
    );
    assert_eq!(
        (&campaign["phases"][1]["name"], &campaign["phases"][1]["score"]),
        (&"written".into(), &100.0.into())
    );
    // The four sequences, and no others.
    let collected = campaign["tests"].as_array().unwrap().iter().filter(|test| test["phase"] == "collected");
    let words: Vec<String> = collected
        .map(|test| test["sequence"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect())
        .collect();
    let mut sorted = words.clone();
    sorted.sort();
    assert_eq!(sorted, ["DDWDWW", "DDWWDW", "DWDDWW", "DWDWDW"]);
    // A mutant that lets the buffer do more than it should is killed only by the invalid sequences.
    let too_many = mutant(&campaign, "serve", "GBS", "full_slots <= capacity");
    assert_eq!(killers(&campaign, too_many), ["three deposits into two slots"]);
    let too_early = mutant(&campaign, "serve", "GBS", "full_slots >= 0");
    assert!(killers(&campaign, too_early).contains(&"a withdrawal from an empty buffer".to_owned()));
    // Every skipped mutant has a reason.
    for left_out in campaign["details"].as_array().unwrap() {
        let status = left_out["status"].as_str().unwrap();
        if status != "killed" {
            assert_ne!(left_out["reason"], "", "{left_out}");
        }
    }
}

/// Reports of the campaign, as committed. `UPDATE_GOLDEN=1` rewrites them.
#[track_caller]
fn compare_with_golden(it: &Crate, target: &str, results: &str, reports: &[(&str, &str)]) {
    let golden = support::workspace().join("reports/golden").join(target);
    for &(format, file) in reports {
        let made = it.root.join(file);
        let said = it.say(&["report", results, "--format", format, "--out", &made.display().to_string()]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        let made = fs::read_to_string(made).expect("it was written");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            place(&golden.join(file), &made);
        }
        let expected = fs::read_to_string(golden.join(file)).expect("it is committed");
        assert!(made == expected, "{file} is not what is committed; `UPDATE_GOLDEN=1` writes it anew");
    }
}

/// The same for programs that are smaller still: a rendezvous, semaphores, a channel, a mailbox, ports.
#[test]
fn small_campaigns_are_as_committed() {
    for name in ["cp", "three-semaphores", "fan-in", "mailbox", "tangled-cycle"] {
        let it = target(name, name);
        let out = it.directory("campaign");
        let said = it.say(&["mutate", "--out", &out]);
        assert!(matches!(said.code, Some(0 | 5)), "{}{}", said.out, said.err);
        compare_with_golden(&it, name, &out, &[("text", "summary.txt"), ("markdown", "summary.md")]);
        // For the smallest, everything: the document with its sequences, their races and what they are variants of.
        if name == "cp" {
            compare_with_golden(&it, name, &out, &[("json", "campaign.json")]);
        }
    }
}

#[test]
fn the_textbooks_first_example() {
    let it = textbook();
    let campaign = it.json(&["mutate", "one_slot", "--format", "json", "--out", &it.directory("example")], 0);
    let right = mutant(&campaign, "serve_all_but_one", "GBS", RIGHT);
    assert_eq!((&right["status"], &right["killed_by"]), (&"killed".into(), &"written".into()));
    assert_eq!(killers(&campaign, right), ["two deposits in a row"]);
    // A mutant that withdraws from an empty buffer returns what the original never does.
    let empty = mutant(&campaign, "serve_all_but_one", "GBS", "full_slots >= 0");
    assert_eq!((&empty["status"], &empty["killed_by"]), (&"killed".into(), &"result".into()));
}

/// In the textbook's first example this mutant is the correct program.
const RIGHT: &str = "full_slots + 1 <= capacity";

/// The specification allows what only the mutant does: a test that forbids it would contradict the specification, so
/// none is written.
#[test]
fn what_the_specification_allows_is_not_forbidden_by_a_test() {
    let it = textbook();
    let tests = it.root.join("other.tests.yaml");
    place(
        &tests,
        "insyn: tests\nversion: 1\nprogram: one_slot\ntests:\n\
         - name: three deposits\n  sequence: [D, D, D, W, W, W]\n  expect: infeasible\n",
    );
    let before = fs::read_to_string(&tests).expect("it was written");
    let path = tests.display().to_string();
    let out = it.directory("allowed");
    let args = ["mutate", "one_slot", "--operators", "GBS", "--tests", &path, "--write-tests", &path];
    let said = it.say(&[&args[..], &["--format", "json", "--out", &out]].concat());
    assert_eq!(said.code, Some(5), "{}", said.err);
    assert!(said.err.contains("the specification allows what 1 of the survivors do"), "{}", said.err);
    assert_eq!(fs::read_to_string(&tests).expect("it is there"), before);
    let campaign: Value = serde_json::from_str(&said.out).expect("a document");
    let right = mutant(&campaign, "serve_all_but_one", "GBS", RIGHT);
    assert_eq!((&right["status"], &right["survival"]), (&"survived".into(), &"allowed".into()));
    assert_eq!((&campaign["mutants"]["survived"], &campaign["mutants"]["allowed"]), (&1.into(), &1.into()));
}

/// The textbook's two invalid sequences are among the suggested ones, and the program can do none of them.
#[test]
fn invalid_sequences_are_suggested() {
    let it = textbook();
    let tests = it.root.join("suggested.tests.yaml");
    let _ = fs::remove_file(&tests);
    let path = tests.display().to_string();
    let said = it.say(&["suggest", "buffer", "--out", &path]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    let suggested = fs::read_to_string(&tests).expect("it was written");
    let names: Vec<&str> = suggested.lines().filter_map(|line| line.strip_prefix("- name: ")).collect();
    for word in ["D D D W W W", "W D D W D W"] {
        assert!(names.contains(&&*format!("{word:?}")), "{word}: {suggested}");
    }
    assert_eq!(said.out, format!("{path}: {} tests\n", names.len()));
    let forced = it.say(&["force", &path]);
    assert_eq!(forced.code, Some(0), "{}{}", forced.out, forced.err);
    assert!(forced.out.contains(&format!("{0} of {0} tests pass", names.len())), "{}", forced.out);
    // No more than requested; an existing file is not overwritten; without a specification nothing is invalid.
    let two = it.say(&["suggest", "buffer", "--max", "2"]);
    assert_eq!((two.code, two.out.matches("- name: ").count()), (Some(0), 2), "{}", two.err);
    it.refused(&["suggest", "buffer", "--out", &path], 2, &["suggested.tests.yaml"]);
    drop(it);
    crate::reckless().refused(&["suggest", "adds"], 2, &["name a specification"]);
}

/// The threads that drive the workers of a campaign are tested as a user's would be.
#[test]
fn insyn_tests_itself() {
    let code = support::workspace().join("runner/src/campaign/threads.rs");
    let it = tiny("threads", &fs::read_to_string(code).expect("it is there"));
    let campaign = it.json(&["mutate", "--format", "json", "--out", &it.directory("itself")], 0);
    let count = |what: &str| campaign["mutants"][what].as_u64().expect("a number");
    assert_eq!(campaign["score"], 100.0);
    let programs = campaign["programs"].as_array().expect("a list");
    let sequences: u64 = programs.iter().filter_map(|it| it["sequences"].as_u64()).sum();
    // As in ARCHITECTURE.md.
    let sentence = format!(
        "There are {}: one does not compile, the other {} are killed by the {sequences} sequences of its four programs.",
        count("total"),
        count("killed"),
    );
    assert_eq!((count("unviable"), programs.len()), (1, 4), "{sentence}");
    let page = fs::read_to_string(support::workspace().join("ARCHITECTURE.md")).expect("it is there");
    assert!(page.contains(&sentence), "{sentence}");
}
