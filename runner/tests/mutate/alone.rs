//! Mutants in the build with all of them are those in the source.

use std::fs;

use crate::textbook_in;

/// A mutant in the build with all of them does what it does alone in the source.
#[test]
fn mutants_do_what_they_do_alone() {
    // Its source is changed, so nobody else may use it.
    let it = textbook_in("textbook-alone");
    let campaign = it.json(&["mutate", "buffer", "--format", "json", "--out", &it.directory("together")], 0);
    let source = it.root.join("src/lib.rs");
    let original = fs::read_to_string(&source).expect("it is there");
    let tried = campaign["details"].as_array().unwrap().iter().filter(|it| it["status"] == "distinguished");
    for mutant in tried.step_by(11) {
        let id = mutant["id"].as_str().unwrap();
        let said = it.say(&["mutants", id, "--apply"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        let recorded = it.say(&["record", "buffer", "--max", "10000"]);
        fs::write(&source, &original).expect("it can be taken back");
        assert_eq!(recorded.code, Some(0), "{}", recorded.err);
        for (n, test) in campaign["tests"].as_array().unwrap().iter().enumerate() {
            let kill = mutant["kills"].as_array().unwrap().iter().find(|kill| kill["test"] == n);
            let can = match kill {
                Some(kill) => kill["mutant"]["verdict"] == "feasible",
                None => test["original"]["verdict"] == "feasible",
            };
            let steps = test["sequence"].as_array().unwrap().iter();
            let steps: String = steps.map(|step| format!("  - {}\n", step.as_str().unwrap())).collect();
            let is_there = recorded.out.contains(&format!("  sequence:\n{steps}  expect"));
            assert_eq!(is_there, can, "{id}, {}:\n{}", test["name"], recorded.out);
        }
    }
}

#[test]
fn mutants_are_listed() {
    let it = crate::textbook();
    let listed = it.json(&["mutants", "--format", "json", "--operators", "guards"], 0);
    let all = listed["mutants"].as_array().unwrap();
    assert!(all.iter().all(|it| it["family"] == "guards") && all.len() > 10);
    let id = all[0]["id"].as_str().unwrap();
    let said = it.say(&["mutants", id, "--diff"]);
    assert!(said.out.starts_with("--- src/lib.rs\n+++ src/lib.rs "), "{}", said.out);
    let operators = it.json(&["mutants", "--list-operators", "--format", "json"], 0);
    assert!(operators["operators"].as_array().unwrap().len() > 50);
}
