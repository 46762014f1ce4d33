//! Results do not depend on how they were obtained.

use std::fs;

use serde_json::Value;

use crate::{document, support, target, textbook};

#[test]
fn the_same_bytes_however_it_was_run() {
    let it = textbook();
    let whole = it.directory("whole");
    it.json(&["mutate", "one_slot", "--format", "json", "--workers", "1", "--out", &whole], 0);
    let whole = document(&whole);
    let many = it.directory("many");
    it.json(&["mutate", "one_slot", "--format", "json", "--workers", "5", "--out", &many], 0);
    assert_eq!(document(&many), whole);
    let parts: Vec<String> = (1..=3).map(|n| it.directory(&format!("part{n}"))).collect();
    for (n, part) in (1..).zip(&parts) {
        let said = it.say(&["mutate", "one_slot", "--shard", &format!("{n}/3"), "--out", part]);
        assert!(matches!(said.code, Some(0 | 5)), "{}", said.err);
    }
    let merged = it.directory("merged");
    let said = it.say(&["merge", &parts[2], &parts[0], &parts[1], "--out", &merged]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(document(&merged), whole);
    // Parts of different campaigns cannot be merged.
    let other = it.directory("other");
    it.json(&["mutate", "buffer", "--format", "json", "--out", &other], 0);
    it.refused(&["merge", &parts[0], &other, "--out", &merged], 2, &["different tests"]);
}

/// Random sequences are the same for a seed, however the campaign is run; for a small program, all are found.
#[test]
fn sequences_collected_at_random() {
    let it = textbook();
    let campaign = |seed: &str, more: &[&str], name: &str| {
        let out = it.directory(name);
        let args = ["mutate", "buffer", "--collect", "random", "--seed", seed, "--out", &out];
        let said = it.say(&[&args, more].concat());
        assert!(matches!(said.code, Some(0 | 5)), "{}", said.err);
        out
    };
    let whole = document(&campaign("7", &["--workers", "1"], "random"));
    assert_eq!(document(&campaign("7", &["--workers", "4"], "random4")), whole);
    let parts =
        ["1/2", "2/2"].map(|part| campaign("7", &["--shard", part], &format!("random{}", &part[..1])));
    let merged = it.directory("random-merged");
    let said = it.say(&["merge", &parts[1], &parts[0], "--out", &merged]);
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert_eq!(document(&merged), whole);
    let words = |text: &str| {
        let campaign: Value = serde_json::from_str(text).expect("a document");
        let tests = campaign["tests"].as_array().unwrap().iter().filter(|test| test["phase"] == "collected");
        let word = |test: &Value| {
            test["sequence"].as_array().unwrap().iter().map(|it| it.as_str().unwrap()).collect()
        };
        tests.map(word).collect::<Vec<String>>()
    };
    let found = words(&whole);
    let mut sorted = found.clone();
    sorted.sort();
    assert_eq!(sorted, ["DDWDWW", "DDWWDW", "DWDDWW", "DWDWDW"]);
    // With other seeds they come in other orders.
    let others = (8..12).map(|seed| words(&document(&campaign(&seed.to_string(), &[], "random-other"))));
    assert!(others.into_iter().any(|other| other != found), "{found:?}");
    it.refused(&["mutate", "buffer", "--seed", "7"], 2, &["`--collect random`"]);
}

/// Hundreds of mutants are in one build, and a second campaign has nothing to build.
#[test]
fn one_build_is_for_all_and_for_the_next() {
    let it = target("bounded-buffer", "bounded-buffer");
    let out = it.directory("first");
    let campaign = it.json(&["mutate", "mpsc", "--format", "json", "--out", &out], 0);
    let details = campaign["details"].as_array().expect("a list");
    let compiled = details.iter().filter(|it| it["status"] != "unviable").count();
    assert!(compiled >= 200, "{compiled} mutants are in the build");
    // Written whenever something had to be built.
    let known = support::target_directory().join("insyn/mutants/bounded-buffer/viability.json");
    let built = || fs::metadata(&known).and_then(|it| it.modified()).expect("it is there");
    let before = built();
    let again = it.directory("again");
    it.json(&["mutate", "mpsc", "--format", "json", "--out", &again], 0);
    assert_eq!(document(&again), document(&out));
    assert_eq!(built(), before, "nothing was built again");
}
