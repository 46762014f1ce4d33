//! Mutants that do the worst.

use std::path::Path;

use serde_json::Value;

use crate::loose::loose;
use crate::{copy, mutant, reckless};

#[test]
fn mutants_that_do_the_worst() {
    let it = reckless();
    let out = it.directory("worst");
    let args = ["mutate", "adds", "--format", "json", "--memory", "512", "--out", &out];
    let said = it.say(&args);
    let campaign: Value =
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}{}", said.out, said.err));
    let reason = |function: &str, operator: &str, replacement: &str| {
        let mutant = mutant(&campaign, function, operator, replacement);
        assert_eq!(mutant["status"], "killed", "{mutant}");
        mutant["reason"].as_str().unwrap().to_owned()
    };
    let aborted = reason("check", "GTR", "true");
    assert!(aborted.contains("the process died"), "{aborted}");
    // Stacks are guarded, so a stack overflow is an ending like others, and does not end the process.
    let overflowed = reason("down", "AOR", "depth * 1");
    assert!(overflowed.starts_with("stack overflow"), "{overflowed}");
    let all: Vec<&str> =
        campaign["details"].as_array().unwrap().iter().filter_map(|it| it["reason"].as_str()).collect();
    assert!(all.iter().any(|it| it.contains("a loop without synchronization")), "{all:?}");
    assert!(all.iter().any(|it| it.contains("out of memory")), "{all:?}");
    assert_eq!(campaign["mutants"]["undecided"], 0, "{all:?}");
}

/// Mutants that compile alone compile beside others that move the values they use.
#[test]
fn only_the_mutant_that_moves_too_often_does_not_compile() {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/moving");
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", "moving");
    let it = copy("moving", &from, &["src/lib.rs"], &manifest);
    let out = it.directory("moves");
    let operators = "SDU,SND,BCR";
    let campaign =
        it.json(&["mutate", "work", "--operators", operators, "--format", "json", "--out", &out], 0);
    let status = |operator: &str| {
        let details = campaign["details"].as_array().expect("a list").iter();
        let mut found = details.filter(|it| it["operator"] == operator && it["function"] == "pass");
        found.next().map(|it| (it["status"].as_str(), it["reason"].as_str()))
    };
    // Only with this mutant does the loop repeat; the others move the value as the original does.
    let (verdict, reason) = status("BCR").expect("there is one");
    assert_eq!(verdict, Some("unviable"));
    assert!(reason.is_some_and(|it| it.starts_with("E0382: use of moved value: `job`")), "{reason:?}");
    for operator in ["SDU", "SND"] {
        assert_eq!(status(operator).expect("there is one").0, Some("killed"), "{operator}");
    }
    assert_eq!(campaign["builds"], 3);
}

/// A mutant that dies only in an execution that no real channels could do is not killed by that.
#[test]
fn a_death_that_is_not_real_does_not_count() {
    let it = reckless();
    let out = it.directory("inconsistent");
    let campaign = it.json(
        &["mutate", "crosses", "--operators", "guards,operators", "--format", "json", "--out", &out],
        5,
    );
    let told_more = mutant(&campaign, "believe", "GBS", "told >= 3");
    assert_eq!(told_more["status"], "undecided", "{told_more}");
    let reason = told_more["reason"].as_str().unwrap();
    assert!(reason.contains("no real objects could do"), "{reason}");
    // A mutant that dies in one that they could do is killed.
    let believes_all = mutant(&campaign, "believe", "GTR", "true");
    assert_eq!(believes_all["status"], "killed", "{believes_all}");
    assert!(believes_all["reason"].as_str().unwrap().starts_with("the process died"), "{believes_all}");
}

/// What mutants leave behind in a worker must not count against the mutants after them.
#[test]
fn no_mutant_dies_of_what_others_have_left() {
    let it = loose("loose");
    let out = it.directory("hoards");
    let args = ["mutate", "hoards", "--operators", "GBS,GNG,GTR,ROR", "--workers", "1", "--memory", "256"];
    let campaign = it.json(&[&args[..], &["--format", "json", "--out", &out]].concat(), 0);
    let all = campaign["details"].as_array().expect("a list").iter();
    let hoarding: Vec<&Value> = all.filter(|it| it["function"] == "hoard").collect();
    assert!(hoarding.len() > 5, "{hoarding:?}");
    for mutant in hoarding {
        assert_eq!(mutant["status"], "equivalent", "{mutant}");
    }
}

/// A mutant that waits is not mistaken for one that loops, however long it takes.
#[test]
fn a_mutant_that_waits_out_of_control_is_undecided() {
    let it = loose("loose");
    let out = it.directory("meets");
    let args =
        ["mutate", "meets", "--operators", "GTR", "--patience", "1", "--format", "json", "--out", &out];
    let campaign = it.json(&args, 5);
    let waits = mutant(&campaign, "meet", "GTR", "true");
    assert_eq!(waits["status"], "undecided", "{waits}");
    assert!(waits["reason"].as_str().is_some_and(|it| it.contains("not under control")), "{waits}");
}
