//! A compiler that crashes: mutants are built in parts, and those that it crashes on are undecided.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use serde_json::Value;

use crate::support::{self, Said, copy_crate};
use crate::{Crate, elsewhere};

/// A crate of this name, and a compiler for it that kills itself if a shell says so of the list of mutants in `$list`.
fn crashing(name: &str, crashes: &str) -> (Crate, String) {
    let it = elsewhere(name, |root| {
        let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/moving");
        let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", name);
        copy_crate(&from, &["src/lib.rs"], &manifest, root);
    });
    let script = it.root.join("compiler");
    let text = format!(
        "#!/bin/sh\nlist=$INSYN_MUTANTS\ncase \" $* \" in *\" --crate-name {name} \"*)\nif [ -n \"$list\" ] && {crashes}; \
         then kill -SEGV $$; fi;;\nesac\nexec \"$@\"\n"
    );
    fs::write(&script, text).expect("the crate is our own");
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).expect("the script is our own");
    let script = script.display().to_string();
    (it, script)
}

/// A campaign with a compiler.
fn mutate(it: &Crate, compiler: Option<&str>, out: &str) -> Said {
    let mut command = support::command(&it.root, &["mutate", "--format", "json", "--out", out]);
    if let Some(compiler) = compiler {
        command.env("RUSTC_WORKSPACE_WRAPPER", compiler);
    }
    support::listen(command)
}

/// Each mutant of a campaign, with its verdict. What else is said of one that loops depends on how soon that was noticed.
#[track_caller]
fn verdicts(said: &Said) -> Vec<(String, String)> {
    let campaign: Value =
        serde_json::from_str(&said.out).unwrap_or_else(|_| panic!("{}{}", said.out, said.err));
    let text = |it: &Value| it.as_str().expect("a text").to_owned();
    let verdict = |it: &Value| (text(&it["id"]), text(&it["status"]));
    campaign["details"].as_array().expect("a list").iter().map(verdict).collect()
}

#[test]
fn mutants_are_built_in_parts_if_the_compiler_crashes_on_all() {
    let (it, compiler) = crashing("crashes_on_many", "[ $(wc -l < \"$list\") -gt 11 ]");
    let plain = mutate(&it, None, &it.directory("plain"));
    let out = it.directory("split");
    let split = mutate(&it, Some(&compiler), &out);
    assert!(verdicts(&plain).len() > 30, "{}", plain.out);
    assert_eq!(verdicts(&split), verdicts(&plain));
    assert_eq!(split.code, plain.code);
    assert!(split.err.contains("the compiler crashed (signal: 11, SIGSEGV"), "{}", split.err);
    assert!(split.err.contains("so the mutants were built in 4 parts"), "{}", split.err);
    assert!(!plain.err.contains("crashed"), "{}", plain.err);
    // What is known is not found out again.
    let again = mutate(&it, Some(&compiler), &out);
    assert_eq!(again.out, split.out);
}

#[test]
fn a_mutant_that_the_compiler_crashes_on_is_undecided() {
    let (it, compiler) = crashing("crashes_on_one", "grep -q '\tBCR\t' \"$list\"");
    let plain = mutate(&it, None, &it.directory("plain"));
    let split = mutate(&it, Some(&compiler), &it.directory("split"));
    assert_eq!(split.code, Some(5), "{}", split.err);
    assert!(split.err.contains("on 1 mutant, which is undecided"), "{}", split.err);
    assert!(!split.err.contains("parts"), "{}", split.err);
    let mut expected = verdicts(&plain);
    for (id, status) in &mut expected {
        if id.starts_with("BCR") {
            "undecided".clone_into(status);
        }
    }
    assert_eq!(verdicts(&split), expected);
    let campaign: Value = serde_json::from_str(&split.out).expect("it was read before");
    let reason = "the compiler crashed on it: signal: 11, SIGSEGV";
    let details = campaign["details"].as_array().expect("a list").iter();
    let reasons = details.filter_map(|it| it["reason"].as_str()).filter(|it| it.contains(reason));
    assert_eq!(reasons.count(), 1, "{}", split.out);
}

#[test]
fn a_compiler_that_crashes_without_mutants_ends_the_campaign() {
    let (it, compiler) = crashing("crashes_on_none", "true");
    let said = mutate(&it, Some(&compiler), &it.directory("none"));
    support::refused(&said, 3, &["the compiler crashed without any mutant too: signal: 11, SIGSEGV"]);
}
