//! Verdicts that are easily wrong.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::support::place;
use crate::{Crate, copy, mutant};

/// A package with this name: a test that changes its source needs one of its own.
pub(crate) fn loose(name: &str) -> Crate {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/loose");
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", name);
    let more = "[dependencies.crossbeam-channel]\nversion = \"0.5\"\n\n[lib]\nname = \"loose\"\n";
    let files = [
        "src/lib.rs",
        "src/limits.rs",
        "src/message.rs",
        "specs/counts.tests.yaml",
        "specs/crowd.yaml",
        "specs/work.yaml",
    ];
    copy(name, &from, &files, &format!("{manifest}\n{more}"))
}

/// Of more than 720 orders that the mutant has and the original does not, only one has words that are not the original's: that
/// is not among the first, which are kept whole.
#[test]
fn what_is_new_is_not_lost_among_much_that_is_new() {
    let it = loose("loose");
    let out = it.directory("crowds");
    let campaign = it.json(&["mutate", "crowds", "--operators", "ROR", "--format", "json", "--out", &out], 5);
    let queues = mutant(&campaign, "crowd", "ROR", ">=");
    assert_eq!(queues["status"], "survived", "{queues}");
    let sequence = queues["distinguishing"]["sequence"].as_array().expect("a list");
    assert_eq!(sequence.len(), 7, "{queues}");
    assert_eq!(sequence.last(), Some(&"raise(1)".into()), "{queues}");
    let same = mutant(&campaign, "crowd", "ROR", "!=");
    assert_eq!(same["reason"], "all its sequences and their results are those of the original");
}

/// What a program does beyond a bound is not known, so mutants that it has not reached are undecided.
#[test]
fn nothing_is_said_of_what_is_beyond_a_bound() {
    let it = loose("loose");
    let out = it.directory("bounds");
    let status = |programs: &[&str], code: i32| {
        let args = ["--operators", "GBS", "--format", "json", "--out", &out];
        let campaign = it.json(&[&["mutate"], programs, &args].concat(), code);
        let it = mutant(&campaign, "late", "GBS", "n >= 10").clone();
        (it["status"].as_str().unwrap().to_owned(), it["reason"].as_str().unwrap().to_owned())
    };
    // Explored completely, the program reaches the mutant; within its bound it does not.
    assert_eq!(status(&["goes_on"], 0).0, "equivalent");
    let (verdict, reason) = status(&["begins"], 5);
    assert_eq!(verdict, "undecided");
    assert!(reason.starts_with("program `begins` was not explored to its end"), "{reason}");
    // A proof with one program holds for that program only.
    assert_eq!(status(&["ends"], 0).0, "equivalent");
    assert_eq!(status(&["begins", "ends"], 5), (verdict, reason));
    // A program that was explored completely and does not reach the mutant decides it.
    assert_eq!(status(&["passes"], 0).0, "unreached");
}

/// The name of an event may show only in executions that a bound has cut off: then a test that names it shows nothing.
#[test]
fn nothing_is_said_by_names_that_are_not_known_yet() {
    let it = loose("loose");
    let out = it.directory("names");
    let status = |more: &[&str], code: i32| {
        let args = ["mutate", "works", "--operators", "CRP", "--format", "json", "--out", &out];
        let campaign = it.json(&[&args, more].concat(), code);
        mutant(&campaign, "work_with_two", "CRP", "3")["status"].as_str().expect("a word").to_owned()
    };
    assert_eq!(status(&["--max-executions", "5"], 5), "undecided");
    assert_eq!(status(&[], 0), "equivalent");
}

/// The bounds for a test with a large input are those that the original needs for that input, not for the small one.
#[test]
fn large_inputs_of_tests_have_bounds_of_their_own() {
    let it = loose("loose");
    let out = it.directory("large");
    let campaign = it.json(&["mutate", "counts", "--operators", "ROR", "--format", "json", "--out", &out], 0);
    let same = mutant(&campaign, "count", "ROR", "!=");
    assert_eq!(same["status"], "equivalent", "{same}");
    let other = mutant(&campaign, "count", "ROR", "==");
    assert_eq!(other["status"], "killed", "{other}");
}

/// Which mutants compile depends on more than the files with mutants.
#[test]
fn what_does_not_compile_is_found_out_anew_when_anything_changes() {
    let it = loose("loose-changing");
    let out = it.directory("changes");
    let message = it.root.join("src/message.rs");
    let without = fs::read_to_string(&message).expect("it is there");
    let campaign = || {
        let campaign =
            it.json(&["mutate", "passes", "--operators", "SDU", "--format", "json", "--out", &out], 0);
        let twice = mutant(&campaign, "pass", "SDU", TWICE);
        (twice["status"].as_str().unwrap().to_owned(), campaign["builds"].as_u64().unwrap())
    };
    let (status, builds) = campaign();
    assert_eq!(status, "unviable");
    place(&message, &without.replace("Debug", "Clone, Debug"));
    assert_ne!(campaign().0, "unviable");
    // And back again: nothing remains of the results in between.
    place(&message, &without);
    assert_eq!(campaign(), (status, builds));
}

/// Mutants that drop limits, leave out arms or swap locks compile, and are killed.
#[test]
fn limits_arms_and_shared_locks_are_mutated() {
    let it = loose("loose");
    let out = it.directory("limits");
    let campaign = it
        .json(&["mutate", "is_limited", "--operators", "ARD,LEO,MTD", "--format", "json", "--out", &out], 0);
    let details = campaign["details"].as_array().expect("a list").iter();
    let here: Vec<_> = details.filter(|it| it["file"] == "src/limits.rs").collect();
    // An arm that is never taken, or always, makes no difference if there is no other.
    let told = |it: &&&Value| it["status"] == "killed";
    for mutant in &here {
        let may_be_equal = mutant["operator"] == "ARD" && mutant["status"] == "equivalent";
        assert!(told(&mutant) || may_be_equal, "{mutant}");
    }
    assert!(here.iter().filter(told).count() > 6);
    let count = |operator: &str| here.iter().filter(|it| it["operator"] == operator).count();
    assert_eq!(["ARD", "LEO", "MTD"].map(count), [4, 2, 3]);
}

const TWICE: &str = "({ let insyn_message = Message(1); let _ = send.send(Clone::clone(&insyn_message)); \
                     send.send(insyn_message) })";
