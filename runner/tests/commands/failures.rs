//! Failures: how they are shown, saved and run again, and programs that hang or die.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{fixture, json, say, support};

#[test]
fn failures_are_shown_saved_and_run_again() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("failures");
    let _ = fs::remove_dir_all(&out);
    let said = say(&["explore", "tests::transfer", "--out", &out.display().to_string()]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains("2 normal, 1 deadlock"), "{}", said.out);
    assert!(out.join("explore.json").is_file());
    let command = said.out.lines().find_map(|line| line.strip_prefix("replay  cargo insyn replay "));
    let file = command.expect("it says how to see it again");
    let again = say(&["replay", file]);
    assert_eq!(again.code, Some(1), "{}", again.err);
    // Both say the same; a replay has the source too.
    let report = said.out.lines().skip_while(|line| !line.starts_with("deadlock in 1 of 3 interleavings"));
    let report: Vec<&str> = report.take_while(|line| !line.starts_with("replay ")).collect();
    assert!(report.iter().any(|line| line.starts_with("cause   opposite lock order: ")), "{}", said.out);
    assert!(report.iter().any(|line| line.starts_with("passes  if ")), "{}", said.out);
    for line in report {
        assert!(again.out.contains(line), "{line}\n{}", again.out);
    }
    let full = say(&["replay", file, "--full"]);
    assert!(full.out.lines().count() >= again.out.lines().count(), "{}", full.out);
    assert!(again.out.contains("let mut from = savings.lock().unwrap();"), "{}", again.out);
}

/// A program that does all that was recorded, and then never ends, is not the one that failed.
#[test]
fn what_goes_on_after_its_recorded_end_is_told() {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("goes_on");
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", "goes_on");
    support::copy_crate(&root, &[], &manifest, &root);
    let write = |then: &str| {
        let text = "#[insyn::test(max_steps = 200)]
            fn locks() {
                let lock = std::sync::Mutex::new(());
                drop(lock.lock());
                THEN
            }";
        support::place(&root.join("src/lib.rs"), &text.replace("THEN", then));
    };
    write("panic!()");
    let document = support::json(&root, &["explore", "--format", "json"], 1);
    let file = document["programs"][0]["failures"][0]["file"].as_str().expect("a path");
    assert_eq!(support::say(&root, &["replay", file]).code, Some(1));
    write("loop { drop(lock.lock()) }");
    let said = support::say(&root, &["replay", file]);
    let words =
        "the program did all that was recorded, which ended there, and went on with lock on main/mutex1";
    support::refused(&said, 2, &[words, "the bound on steps stopped it"]);
    // A run that the bound had stopped may go on under a larger bound.
    let document = support::json(&root, &["explore", "--max-steps", "50", "--format", "json"], 1);
    let file = document["programs"][0]["failures"][0]["file"].as_str().expect("a path");
    let said = support::say(&root, &["replay", file]);
    assert_eq!(said.code, Some(1), "{}{}", said.out, said.err);
    assert!(said.out.contains("step bound reached"), "{}", said.out);
}

/// Runs a command on a program that hangs, and interrupts it after the warning. Output: how it ended, and what it printed.
#[cfg(unix)]
fn interrupted_while_it_hangs(args: &[&str], signal: &str) -> (Option<i32>, String) {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("hangs");
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", "hangs");
    support::copy_crate(&root, &[], &manifest, &root);
    support::place(
        &root.join("src/lib.rs"),
        "#[insyn::test(input = \"{turns: 3}\")]
        fn hangs(_: std::collections::BTreeMap<String, u32>) {
            eprintln!(\"not for everybody\");
            loop {}
        }",
    );
    let mut command = support::command(&root, args);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    let said = BufReader::new(child.stderr.take().expect("it is piped"));
    // The lines of cargo and of the program that is explored come first.
    let mut lines = said.lines().map(|line| line.expect("it is text"));
    let line = lines.find(|line| line.starts_with("insyn: ")).expect("there is a warning");
    assert!(line.starts_with("insyn: the program under test has done nothing"), "{line:?}");
    let interrupted = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status();
    assert!(interrupted.expect("there is such a command").success());
    let mut out = String::new();
    child.stdout.take().expect("it is piped").read_to_string(&mut out).expect("it is text");
    (child.wait().expect("it ends").code(), out)
}

/// A program that hangs cannot be stopped, but the user gets a warning that names the program and its input.
#[cfg(unix)]
#[test]
fn a_program_that_hangs_is_told_while_it_does() {
    let (code, out) = interrupted_while_it_hangs(&["explore", "--format", "json"], "INT");
    assert_eq!(code, Some(130), "{out}");
    let document: Value = serde_json::from_str(&out).expect("a document");
    assert_eq!(document["programs"][0]["input"], serde_json::json!({"turns": 3}));
}

/// A worker that does not report its progress is ended by an interrupt, too.
#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_worker_that_says_nothing() {
    assert_eq!(interrupted_while_it_hangs(&["record", "hangs"], "TERM").0, Some(130));
}

/// An output directory that cannot be written to is refused before anything is built.
#[cfg(target_os = "linux")]
#[test]
fn a_read_only_place_is_refused_first() {
    for args in [
        ["explore", "panics", "--out", "/proc/insyn"].as_slice(),
        &["check", "buffer", "--out", "/proc/insyn"],
        &["mutate", "buffer", "--out", "/proc/insyn"],
    ] {
        let mut command = support::command(fixture(), args);
        // Nothing can be built there.
        command.env("CARGO_TARGET_DIR", "/proc/target");
        support::refused(&support::listen(command), 2, &["/proc/insyn cannot be written"]);
    }
}

/// A failure that cannot be saved is still shown.
#[cfg(target_os = "linux")]
#[test]
fn what_cannot_be_saved_is_shown() {
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unsaved");
    let _ = fs::remove_dir_all(&out);
    fs::create_dir_all(&out).expect("it can be made");
    // A file at the path of the package's directory.
    fs::write(out.join("fixture"), "").expect("it can be written");
    let out = out.display().to_string();
    let said = say(&["explore", "tests::transfer", "--out", &out]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains("deadlock in 1 of 3 interleavings"), "{}", said.out);
    assert!(said.out.contains("it could not be saved: ") && !said.out.contains("replay"), "{}", said.out);
    let document = json(&["explore", "tests::transfer", "--out", &out, "--format", "json"], 1);
    let failure = &document["programs"][0]["failures"][0];
    assert!(failure["unsaved"].is_string() && failure["file"].is_null(), "{failure}");
    let said = say(&["check", "overfull_buffer", "--out", &out]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains("could not be saved"), "{}", said.out);
}

#[test]
fn a_program_that_dies_keeps_what_it_had_found() {
    let said = say(&["explore", "dies", "panics", "--format", "json"]);
    assert_eq!(said.code, Some(4), "{}", said.err);
    let document: Value = serde_json::from_str(&said.out).expect("a document");
    let error = document["programs"][0]["error"].as_str().expect("it says why");
    assert!(error.contains("these are my last words"), "{error}");
    let dead = &document["programs"][0];
    assert_eq!(dead["complete"], false);
    assert_eq!(dead["executions"], 10_000, "all that were over when it died");
    assert_eq!(dead["sequences"], 10_000);
    let terminations = &dead["terminations"];
    let ended = |how: &str| terminations[how].as_u64().expect("a number");
    assert_eq!(ended("normal") + ended("panic"), 10_000, "{terminations}");
    assert!(ended("normal") > 0 && ended("panic") > 0, "{terminations}");
    let failures = dead["failures"].as_array().expect("a list");
    assert_eq!(failures.len(), 1, "{failures:?}");
    assert!(failures[0]["message"].as_str().is_some_and(|it| it.contains("not the last")), "{failures:?}");
    let file = failures[0]["file"].as_str().expect("a path");
    let said = say(&["replay", file]);
    assert_eq!(said.code, Some(1), "{}", said.err);
    assert!(said.out.contains("not the last"), "{}", said.out);
    assert_eq!(document["programs"][1]["sequences"], 2, "the others are explored all the same");
}

/// A command whose output cannot be printed fails, help included.
#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written() {
    let all = [
        &["--help"][..],
        &["--version"],
        &["mutate", "--help"],
        &["help", "explore"],
        &["completions", "bash"],
        &["man"],
        &["mutants", "--list-operators"],
        &["list"],
        &["explore", "fan_in"],
        &["check", "buffer", "--format", "json"],
    ];
    for args in all {
        let full = fs::File::options().write(true).open("/dev/full").expect("it is there");
        let mut command = support::command(fixture(), args);
        let output = command.stdout(full).output().expect("it runs");
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {err}");
        assert!(err.contains("standard output cannot be written: No space left"), "{args:?}: {err}");
        // A closed pipe is no error.
        let (reader, writer) = std::io::pipe().expect("there are pipes");
        drop(reader);
        let output = support::command(fixture(), args).stdout(writer).output().expect("it runs");
        assert_eq!(output.status.code(), Some(0), "{args:?}");
    }
}
