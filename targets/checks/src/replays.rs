//! Runs failures again from the files that a failing test names.

use std::fs;

use insyn::specs::file;
use insyn_verdicts::protocol::{Answer, Replay, Request};

use crate::worker::{ask, test};

/// What a failing test tells people to type, but for the file.
const COMMAND: &str = "cargo insyn replay ";

/// Runs a program with a bug as `cargo test` does: it must say what to type to see each failure again, and the file that it
/// names must bring that failure about once more.
///
/// # Panics
/// If that is not so.
pub fn replays(program: &str) {
    let said = test(program);
    let commands = said.lines().filter_map(|line| Some(line.split_once(COMMAND)?.1));
    let files: Vec<&str> = commands.filter(|file| !file.ends_with(" --full")).collect();
    assert!(!files.is_empty(), "{program} names no file:\n{said}");
    let mut failures = 0;
    for path in files {
        let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let file = file::read(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        let of = file.about.get("program").and_then(|path| path.rsplit("::").next());
        assert_eq!(of, Some(program), "{path}");
        let json = file.to_json().expect("it was written, so it is canonical");
        let request = Request::Replay(Replay { input: file.about.get("input").cloned(), file: json });
        let replayed = match ask(program, &request) {
            Ok(Answer::Replayed(replayed)) => replayed,
            other => panic!("{path}: {other:?}"),
        };
        let again = file::read(&replayed.file).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert_eq!(again.sequence, file.sequence, "{path}: another sequence");
        let message =
            file.about.get("message").unwrap_or_else(|| panic!("{path} does not say what is wrong"));
        // What the specification objects to is told by the sequence alone, however it ends.
        let is_objection = ["invalid: ", "valid, "].iter().any(|words| message.starts_with(words));
        if !is_objection {
            assert_eq!(file.about.get("termination"), Some(&replayed.termination.to_string()), "{path}");
            let failing = replayed.failing.as_ref();
            assert_eq!(failing.map(|it| &it.message), Some(message), "{path}");
            failures += 1;
        }
    }
    assert!(failures > 0, "{program} fails in no execution:\n{said}");
}
