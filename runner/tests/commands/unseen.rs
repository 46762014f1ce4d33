//! Programs in which insyn observes nothing: no command reports them as correct.

use std::path::{Path, PathBuf};

use crate::support::{self, Said};

const PROGRAMS: &str = r#"
/// Real threads and a real channel: this code is not annotated.
fn real() -> u32 {
    let (tx, rx) = std::sync::mpsc::channel();
    let other = tx.clone();
    let threads = [
        std::thread::spawn(move || tx.send(1).unwrap()),
        std::thread::spawn(move || other.send(2).unwrap()),
    ];
    let sum = rx.iter().sum();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    sum
}

#[insyn::instrument]
pub mod annotated {
    pub fn add(a: u32, b: u32) -> u32 {
        a + b
    }
}

#[insyn::test]
fn unseen() -> u32 {
    annotated::add(real(), 1)
}

#[insyn::test(tests = "tests.yaml")]
fn tested() -> u32 {
    real()
}

#[insyn::test(spec = "spec.yaml")]
fn specified() -> u32 {
    real()
}

#[insyn::test(sequential)]
fn meant() -> u32 {
    annotated::add(real(), 1)
}

#[insyn::test(sequential)]
fn seen() -> u32 {
    *std::sync::Mutex::new(1).lock().unwrap()
}

#[insyn::test]
fn idle() {
    let (tx, rx) = std::sync::mpsc::channel();
    let worker = std::thread::Builder::new().name("worker".to_owned()).spawn(real).unwrap();
    let sender = std::thread::spawn(move || tx.send(1).unwrap());
    assert_eq!(rx.recv(), Ok(1));
    worker.join().unwrap();
    sender.join().unwrap();
}
"#;

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("unseen");
    let manifest = include_str!("../reckless/Cargo.toml").replace("reckless", "unseen");
    support::copy_crate(&root, &[], &manifest, &root);
    support::place(&root.join("src/lib.rs"), PROGRAMS);
    let tests = "insyn: tests\nversion: 1\ntests:\n- {name: any, prefix: []}\n";
    support::place(&root.join("tests.yaml"), tests);
    support::place(&root.join("spec.yaml"), "insyn: spec\nversion: 1\nevents: {}\n");
    let sequence = "insyn: sequence\nversion: 1\nprocesses:\n- {id: main, kind: thread, events: []}\n";
    support::place(&root.join("sequence.yaml"), sequence);
    root
}

/// The commands that run a program, each with the arguments that it needs for this one.
fn commands(program: &str) -> [Vec<&str>; 7] {
    [
        vec!["explore", program],
        vec!["check", program, "--tests", "tests.yaml"],
        vec!["check", program, "--spec", "spec.yaml"],
        vec!["force", "tests.yaml", "--program", program],
        vec!["record", program],
        vec!["replay", "sequence.yaml", "--program", program],
        vec!["suggest", program, "--spec", "spec.yaml"],
    ]
}

#[track_caller]
fn says(said: &Said, code: i32, words: &[&str]) {
    let all = format!("{}{}", said.out, said.err);
    assert_eq!(said.code, Some(code), "{all}");
    for word in words {
        assert!(all.contains(word), "{word:?} is not said: {all}");
    }
}

#[test]
fn a_program_that_nobody_sees_fails_in_every_command() {
    let root = root();
    let words = ["nothing is under control", "`#[insyn::instrument]`", "`#[insyn::test(sequential)]`"];
    for args in commands("unseen") {
        says(&support::say(&root, &args), 1, &words);
    }
    says(&support::say(&root, &["check", "tested"]), 1, &words);
    says(&support::say(&root, &["check", "specified"]), 1, &words);
    let before = ["program `unseen` fails unmutated", words[0]];
    says(&support::say(&root, &["mutate", "unseen", "--out", "of-unseen"]), 1, &before);
    for command in ["explore", "check"] {
        let program = &support::json(&root, &[command, "tested", "--format", "json"], 1)["programs"][0];
        assert!(program["oversight"].as_str().is_some_and(|it| it.contains(words[0])), "{program}");
    }
}

#[test]
fn a_program_that_is_meant_to_be_sequential_is() {
    let root = root();
    for args in commands("meant") {
        let said = support::say(&root, &args);
        assert_eq!(said.code, Some(0), "{args:?} {}{}", said.out, said.err);
    }
    let said = support::say(&root, &["mutate", "meant", "--out", "of-meant"]);
    assert!(said.out.contains("score"), "{}{}", said.out, said.err);
    for args in commands("seen") {
        says(
            &support::say(&root, &args),
            1,
            &["not sequential: insyn saw the program synchronize; remove `sequential`"],
        );
    }
}

#[test]
fn threads_that_did_nothing_are_named_after_a_run() {
    let root = root();
    for args in [&["explore", "idle"][..], &["check", "idle", "--tests", "tests.yaml"]] {
        let said = support::say(&root, args);
        says(&said, 0, &["threads that did nothing insyn can see: main/thread1 (worker)\n"]);
        let program = &support::json(&root, &[args, &["--format", "json"]].concat(), 0)["programs"][0];
        assert_eq!(program["idle_threads"], serde_json::json!(["main/thread1 (worker)"]));
        assert!(program["oversight"].is_null());
    }
    // In tests the message is on standard error.
    let output = std::process::Command::new(env!("CARGO"))
        .args(["test", "--features", "insyn/instrument,insyn/specs", "--", "idle", "--nocapture"])
        .current_dir(&root)
        .env("CARGO_TARGET_DIR", support::target_directory())
        .output()
        .expect("cargo runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    let words = "unseen::idle: threads that did nothing insyn can see: main/thread1 (worker)\n";
    assert!(said.contains(words), "{said}");
}
