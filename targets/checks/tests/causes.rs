//! The eight seeded bugs and four programs that deadlock: which causes their failures name, in the texts that are committed. (That
//! the texts are what the programs print is checked where they are made.)

use std::fs;
use std::path::Path;

/// The text with the failures of a program, from the root of the repository, and the cause that it names.
const FAILURES: [(&str, Option<&str>); 12] = [
    ("reports/golden/worker-pool/check.txt", Some("missed wakeup")),
    // A client takes a reply for that to another request: the order of messages is as it may be.
    ("reports/golden/request-reply/check.txt", None),
    ("reports/golden/pipeline/check.txt", Some("full channel")),
    // Whose two uses of the lock belong together cannot be told.
    ("reports/golden/pubsub-broker/check.txt", None),
    ("reports/golden/rate-limiter/check.txt", Some("not atomic")),
    // A voter counts wrongly.
    ("reports/golden/leader-election/check.txt", None),
    ("reports/golden/two-phase-commit/check.txt", Some("dropped receiver")),
    ("reports/golden/chat-room/check.txt", Some("dropped receiver")),
    ("runtime/tests/failures/explained/opposite_locks.txt", Some("opposite lock order")),
    ("runtime/tests/failures/explained/philosophers.txt", Some("opposite lock order")),
    ("runtime/tests/failures/explained/kept_sender.txt", Some("kept sender")),
    ("runtime/tests/failures/explained/forgotten_reply.txt", Some("forgotten reply")),
];

#[test]
fn nine_of_twelve_failures_name_their_cause() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut named = 0;
    for (path, expected) in FAILURES {
        let text = fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        let causes: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("cause   ")).collect();
        let names: Vec<Option<&str>> = causes.iter().map(|it| Some(it.split_once(':')?.0)).collect();
        let failures = text.lines().filter(|line| line.contains("(shortest: ")).count();
        assert!(failures > 0, "{path} has no failure");
        match expected {
            Some(cause) => assert_eq!(names, vec![Some(cause); failures], "{path}"),
            None => assert_eq!(names, [], "{path}"),
        }
        named += usize::from(expected.is_some());
    }
    assert!(named >= 9, "{named} of {} are named", FAILURES.len());
}
