//! Errors are reported.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::loose::loose;
use crate::support::{self, place};
use crate::{Crate, copy, document, reckless, textbook};

#[test]
fn what_cannot_be_done_is_said() {
    let it = reckless();
    it.refused(&["mutate", "fails"], 1, &["fails unmutated", "assertion"]);
    it.refused(&["mutate", "adds", "--operators", "gaurds"], 2, &["did you mean `guards`"]);
    it.refused(&["mutate", "ads"], 2, &["did you mean `adds`"]);
    it.refused(&["mutate", "adds", "--shard", "3/2"], 2, &["K from 1 to N"]);
    let out = it.directory("elsewhere");
    fs::create_dir_all(&out).expect("it can be made");
    let state = Path::new(&out).join("state.json");
    let write = |text: &str| fs::write(&state, text).expect("it can be written");
    write(r#"{"version": 9}"#);
    it.refused(&["mutate", "adds", "--operators", "GNG", "--out", &out], 2, &["another release", "--out"]);
    write(r#"{"version": 1, "package": "reckless", "key": ""}"#);
    it.refused(&["mutate", "adds", "--operators", "GNG", "--out", &out], 2, &["version 1", "--out"]);
    write(r#"{"version": 2, "package": "reckless", "key": "", "memory": 2048}"#);
    it.refused(&["mutate", "adds", "--operators", "GNG", "--out", &out], 2, &["version 2", "--out"]);
    write(r#"{"checksum":"0","content":{"version":3,"package":"reckless"}}"#);
    let words = ["state.json is damaged", "--fresh", "--out"];
    it.refused(&["mutate", "adds", "--operators", "GNG", "--out", &out], 2, &words);
    it.refused(&["mutants", "GBS-00000000"], 2, &["there is no mutant `GBS-00000000`"]);
    let diff = it.root.join("nothing.diff");
    fs::write(&diff, "").expect("it can be written");
    let said = it.say(&["mutants", "--in-diff", &diff.display().to_string()]);
    assert_eq!((said.code, said.out.as_str()), (Some(0), "0 mutants\n"));
}

/// A crate with only this code.
pub(crate) fn tiny(name: &str, code: &str) -> Crate {
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", name);
    let it = copy(name, Path::new(""), &[], &manifest);
    place(&it.root.join("src/lib.rs"), code);
    it
}

/// Reported before anything is built.
#[test]
fn there_must_be_code_to_mutate() {
    let it = tiny("tiny", "pub fn nothing() {}\n");
    it.refused(&["mutate"], 2, &["package `tiny` has no annotated code", "`#[insyn::instrument]`"]);
    let code = |comment: &str| {
        format!(
            "#[insyn::instrument]\npub mod tiny {{\n    {comment}\n    pub fn less(n: u32) -> bool {{\n        n < 2\n    \
             }}\n}}\n"
        )
    };
    place(&it.root.join("src/lib.rs"), &code("// insyn: skip CRQ: a slip of the pen"));
    it.refused(&["mutate"], 2, &["src/lib.rs:3:", "`CRQ`", "did you mean `CRP`"]);
    // All mutants are skipped: that is no error, and there is nothing to build.
    place(&it.root.join("src/lib.rs"), &code("// insyn: skip all: it is right"));
    let out = it.directory("skipped");
    let campaign = it.json(&["mutate", "--format", "json", "--out", &out], 0);
    assert_eq!((&campaign["mutants"]["total"], &campaign["builds"]), (&0.into(), &0.into()));
    assert!(campaign["mutants"]["skipped"].as_u64() > Some(0), "{}", campaign["mutants"]);
    assert_eq!(campaign["score"], serde_json::Value::Null);
    // A file that cannot be read, and a comment that skips nothing, are named beside the mutants.
    place(&it.root.join("src/lib.rs"), &code("// insyn: skip SND: nothing is sent"));
    place(&it.root.join("src/broken.rs"), "#[insyn::instrument]\npub mod broken {\n");
    let said = it.say(&["mutants"]);
    fs::remove_file(it.root.join("src/broken.rs")).expect("it was placed");
    assert_eq!(said.code, Some(0), "{}", said.err);
    assert!(said.err.contains("note: src/broken.rs:"), "{}", said.err);
    assert!(said.err.contains("note: src/lib.rs:3:5: this comment skips nothing"), "{}", said.err);
}

#[test]
fn there_must_be_a_program() {
    let it = tiny(
        "programless",
        "#[insyn::instrument]\npub mod tiny {\n    pub fn two() -> u32 {\n        2\n    }\n}\n",
    );
    it.refused(&["mutate", "--operators", "CRP"], 2, &["have no programs", "`#[insyn::test]`"]);
}

/// Mutants that a diff does not touch are not run; those that it touches may not compile.
#[test]
fn a_diff_may_leave_nothing_to_run() {
    let it = loose("loose");
    let diff = it.root.join("changes.diff");
    let path = diff.display().to_string();
    let out = it.directory("diff");
    let args = ["mutate", "passes", "--in-diff", &path, "--format", "json", "--out", &out];
    fs::write(&diff, "").expect("it can be written");
    let campaign = it.json(&args, 0);
    assert_eq!((&campaign["mutants"]["total"], &campaign["builds"]), (&0.into(), &0.into()));
    assert_eq!(document(&out), it.say(&args).out, "the document is kept");
    let said = it.say(&["mutate", "passes", "--in-diff", &path, "--out", &out]);
    assert!(said.out.contains("There are no mutants."), "{}", said.out);
    // The only line whose one mutant of this kind does not compile.
    let source = fs::read_to_string(it.root.join("src/lib.rs")).expect("it is there");
    let line = source.lines().position(|line| line.contains("Message(1)")).expect("it is there") + 1;
    let hunk = format!("--- a/src/lib.rs\n+++ b/src/lib.rs\n@@ -{line} +{line} @@\n-\n+        send\n");
    fs::write(&diff, hunk).expect("it can be written");
    let said = it.say(&[&args[..], &["--operators", "SDU"]].concat());
    support::refused(&said, 2, &["none of the 1 mutants compiles", "is not implemented for"]);
    // Results are still kept.
    let campaign: Value = serde_json::from_str(&document(&out)).expect("a document");
    assert_eq!(campaign["mutants"]["unviable"], 1);
    assert_eq!(campaign["details"][0]["status"], "unviable");
}

/// A full disk: earlier results are kept, and the campaign can be continued.
#[cfg(unix)]
#[test]
fn a_full_disk_loses_nothing() {
    let it = textbook();
    let out = it.directory("full");
    let args = ["mutate", "one_slot", "--format", "json", "--workers", "1", "--out", &out];
    it.json(&args, 0);
    let whole = document(&out);
    // Files are limited to a size that the results exceed, so the results cannot be written.
    let inner = support::command(&it.root, &[&args[..], &["--fresh"]].concat());
    let limited = support::through_shell(&inner, "trap '' XFSZ; ulimit -f 16");
    let said = support::listen(limited);
    support::refused(&said, 2, &["results.jsonl cannot be written", "what was found before is kept"]);
    let results = fs::read_to_string(Path::new(&out).join("results.jsonl")).expect("it is kept");
    assert!(results.lines().count() > 1, "{results}");
    it.json(&args, 0);
    assert_eq!(document(&out), whole);
}
