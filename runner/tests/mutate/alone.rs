//! Mutants in the build with all of them behave as they do alone in the source.

use std::fmt::Write as _;
use std::fs;

use serde_json::Value;

use crate::support::place;
use crate::{copy, textbook_in};

/// How many mutants are built beside each other.
const SAMPLE: usize = 40;

/// A mutant in the build with all of them does what it does alone in the source. The sources of many, each with one mutant
/// applied, are the modules of one crate, so that one build is enough; each has a program of its own, which must do with
/// every test of the campaign what the mutant did there. And `check` rejects what the suite of the campaign rejects.
#[test]
fn mutants_do_what_they_do_alone() {
    // Its source is changed, so no other test may use it.
    let it = textbook_in("textbook-alone");
    let campaign = it.json(&["mutate", "buffer", "--format", "json", "--out", &it.directory("together")], 0);
    let source = it.root.join("src/lib.rs");
    let original = fs::read_to_string(&source).expect("it is there");
    let mut sources: Vec<(String, String, String, bool)> = Vec::new();
    for mutant in sample(campaign["details"].as_array().expect("a list")) {
        let id = mutant["id"].as_str().expect("a name");
        let said = it.say(&["mutants", id, "--apply"]);
        let applied = fs::read_to_string(&source).expect("it is there");
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert_ne!(applied, original, "{id}");
        let said = it.say(&["mutants", "--revert"]);
        assert_eq!(said.code, Some(0), "{}", said.err);
        assert_eq!(fs::read_to_string(&source).expect("it is there"), original, "{id}");
        let rejections = mutant["rejections"].as_array().expect("a list");
        let is_rejected = rejections.iter().any(|it| it["kind"] != "result");
        sources.push((id.to_owned(), applied, tests(&campaign, mutant), is_rejected));
    }
    drop(it);
    let from = crate::support::workspace().join("targets/textbook-buffer");
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", "textbook-apart");
    let apart = copy("textbook-apart", &from, &["specs/buffer.yaml"], &manifest);
    // It is for all of these programs, not for the one that it names.
    let spec = fs::read_to_string(from.join("specs/buffer.yaml")).expect("it is there");
    place(&apart.root.join("specs/buffer.yaml"), &spec.replace("program: buffer\n", ""));
    let mut lib = String::from(PROGRAMS);
    for (n, (_, source, tests, _)) in sources.iter().enumerate() {
        place(&apart.root.join(format!("src/m{n}.rs")), source);
        place(&apart.root.join(format!("specs/m{n}.tests.yaml")), tests);
        write!(
            lib,
            "#[cfg(test)]\nmod m{n};\n\n#[cfg(test)]\n\
             #[insyn::test(spec = \"specs/buffer.yaml\", tests = \"specs/m{n}.tests.yaml\")]\n\
             fn with_m{n}(config: Config) -> Vec<char> {{\n    m{n}::transfer(config.capacity, config.items, true)\n}}\n\n"
        )
        .expect("a string takes any text");
    }
    place(&apart.root.join("src/lib.rs"), &lib);
    let said = apart.say(&["check", "--format", "json"]);
    let checked: Value =
        serde_json::from_str(&said.out).unwrap_or_else(|error| panic!("{error}: {}{}", said.out, said.err));
    let programs = checked["programs"].as_array().expect("a list");
    assert_eq!(programs.len(), sources.len());
    for program in programs {
        let name = program["name"].as_str().expect("a name");
        let n: usize = name.trim_start_matches("with_m").parse().expect("a number");
        for test in program["tests"].as_array().expect("a list") {
            assert_eq!(test["passed"], true, "{}, {}", sources[n].0, test);
        }
        let fails = program["failures"].as_array().is_some_and(|it| !it.is_empty());
        let is_rejected = fails || program["comparison"]["answer"] == "incorrect";
        assert_eq!(sources[n].3, is_rejected, "{}, {program}", sources[n].0);
    }
}

/// Some of the mutants that end, by a seed. (How far others get depends on bounds.)
fn sample(all: &[Value]) -> Vec<&Value> {
    let ends = |it: &&Value| {
        let is_known = ["killed", "equivalent", "survived"].iter().any(|status| it["status"] == *status);
        let outcomes = it["kills"].as_array().expect("a list").iter().map(|kill| &kill["mutant"]);
        let mut results = outcomes.clone().flat_map(|it| it["results"].as_array().expect("a list"));
        is_known
            && it["died"] == false
            && outcomes.clone().all(|it| it["verdict"] != "unknown")
            && results.all(|it| ["normal", "deadlock", "panic"].iter().any(|end| it["termination"] == *end))
    };
    let mut left: Vec<&Value> = all.iter().filter(ends).collect();
    let mut state = 0x5eed_u64;
    let mut chosen = Vec::new();
    while chosen.len() < SAMPLE && !left.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        chosen.push(left.swap_remove((state >> 33) as usize % left.len()));
    }
    assert!(chosen.len() >= SAMPLE, "there are only {}", chosen.len());
    chosen
}

/// The tests of a campaign, which expect what a mutant does.
fn tests(campaign: &Value, mutant: &Value) -> String {
    let mut text = "insyn: tests\nversion: 1\ntests:\n".to_owned();
    for (n, test) in campaign["tests"].as_array().expect("a list").iter().enumerate() {
        let kill = mutant["kills"].as_array().expect("a list").iter().find(|kill| kill["test"] == n);
        let outcome = kill.map_or(&test["original"], |kill| &kill["mutant"]);
        let expect = match (outcome["verdict"].as_str(), outcome["results"].as_array().map(Vec::as_slice)) {
            (Some("infeasible"), _) => "infeasible".to_owned(),
            (_, Some([one])) => {
                let termination = one["termination"].as_str().expect("a word");
                let output = match &one["output"] {
                    Value::Null => String::new(),
                    output => format!(", output: {output}"),
                };
                format!("{{termination: {termination}{output}}}")
            }
            _ => "feasible".to_owned(),
        };
        let input = match &test["input"] {
            Value::Null => String::new(),
            input => format!("  input: {input}\n"),
        };
        let sequence = &test["sequence"];
        writeln!(
            text,
            "- name: {n}, {}\n{input}  sequence: {sequence}\n  expect: {expect}",
            test["name"].as_str().expect("a name")
        )
        .expect("a string takes any text");
    }
    text
}

const PROGRAMS: &str = "\
//! Sources that differ from each other in one mutant.

#[cfg(test)]
#[derive(Clone, Debug, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    capacity: i32,
    items: Vec<char>,
}

#[cfg(test)]
impl Default for Config {
    fn default() -> Self {
        Config { capacity: 2, items: vec!['A', 'B', 'C'] }
    }
}

";

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
