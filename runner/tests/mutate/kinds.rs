//! What kills a mutant, and what becomes of those that nothing kills.

use std::fs;

use serde_json::Value;

use crate::mutant;
use crate::support::place;
use crate::wrong::tiny;

/// Two threads meet; the first one waits for the other.
const MEETING: &str = r#"
#[insyn::instrument]
pub mod meeting {
    use std::sync::{Condvar, Mutex};
    use std::thread;

    pub fn meet() {
        let (ready, changed) = (Mutex::new(false), Condvar::new());
        thread::scope(|scope| {
            scope.spawn(|| {
                *ready.lock().unwrap() = true;
                insyn::label!("ready");
                changed.notify_one();
            });
            let mut it = ready.lock().unwrap();
            while !*it {
                it = changed.wait(it).unwrap();
            }
            insyn::label!("met");
        });
    }
}

#[cfg(test)]
#[insyn::test(spec = "meeting.yaml")]
fn meets() {
    meeting::meet()
}
"#;

const MEETING_SPEC: &str = "\
insyn: spec
version: 1
program: meets
events:
  ready:
    match: {label: ready}
  met:
    match: {label: met}
conformance: subset
";

/// The mutant can do all that the original does, and the specification rejects nothing. Without the notification some
/// behaviours still deadlock: `cargo test` rejects that, so the mutant is killed.
#[test]
fn what_the_test_suite_rejects_is_killed() {
    let it = tiny("meeting", MEETING);
    place(&it.root.join("meeting.yaml"), MEETING_SPEC);
    let out = it.directory("rejected");
    let campaign = it.json(&["mutate", "--operators", "CND", "--format", "json", "--out", &out], 0);
    let silent = mutant(&campaign, "meet", "CND", "");
    assert_eq!((&silent["status"], &silent["killed_by"]), (&"killed".into(), &"exploration".into()));
    assert_eq!(silent["kills"], Value::Array(Vec::new()), "no sequence of the original tells them apart");
    assert!(silent["reason"].as_str().is_some_and(|it| it.starts_with("deadlock: ")), "{silent}");
    let shown = &silent["rejections"][0];
    assert_eq!(shown["sequence"], serde_json::json!(["ready"]));
    assert!(shown["file"].as_str().is_some_and(|it| it.starts_with("insyn: sequence")), "{shown}");
    // In the textbook's experiment only sequences kill.
    assert_eq!((&campaign["score"], &campaign["phases"][1]["score"]), (&100.0.into(), &0.0.into()));
}

/// Two threads enter a room, one at a time.
const ROOM: &str = r#"
#[insyn::instrument]
pub mod room {
    use std::thread;

    use insyn::sync::Semaphore;

    pub fn enter() {
        let room = Semaphore::new(1);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    room.acquire();
                    room.release();
                });
            }
        });
    }
}

#[cfg(test)]
#[insyn::test]
fn enters() {
    room::enter()
}
"#;

/// A survivor for which a test is missing is reported with its sequence, and a test of that sequence kills it.
#[test]
fn a_missing_test_is_written() {
    let it = tiny("room", ROOM);
    let out = it.directory("missing");
    let tests = it.root.join("room.tests.yaml");
    let _ = fs::remove_file(&tests);
    let tests = tests.display().to_string();
    let args = ["mutate", "--operators", "SMP", "--format", "json", "--out", &out];
    let said = it.say(&[&args[..], &["--write-tests", &tests]].concat());
    assert_eq!(said.code, Some(5), "{}{}", said.out, said.err);
    let campaign = serde_json::from_str(&said.out).expect("a document");
    let wide = mutant(&campaign, "enter", "SMP", "2");
    assert_eq!((&wide["status"], &wide["survival"]), (&"survived".into(), &"missing".into()));
    // A survivor is shown as soon as it is known, with what is replaced and where.
    let id = wide["id"].as_str().expect("a name");
    let streamed = format!("    Survived {id} src/lib.rs:");
    let line =
        said.err.lines().find(|line| line.starts_with(&streamed)).unwrap_or_else(|| panic!("{}", said.err));
    assert!(line.ends_with(" in enter: `1` replaced by `2`"), "{line}");
    // The test has a name in words, and the attribute that runs it is shown.
    let written = fs::read_to_string(&tests).expect("it was written");
    assert!(written.contains("- name: \"catches in enter: 1 replaced by 2\"\n"), "{written}");
    assert!(written.contains(&format!("  about: \"kills {id} at src/lib.rs:")), "{written}");
    let attribute = "write `#[insyn::test(tests = \"room.tests.yaml\")]` above `enters`";
    assert!(said.err.contains(attribute), "{}", said.err);
    let campaign = it.json(&[&args[..], &["--tests", &tests]].concat(), 0);
    let wide = mutant(&campaign, "enter", "SMP", "2");
    assert_eq!((&wide["status"], &wide["killed_by"]), (&"killed".into(), &"written".into()));
}
