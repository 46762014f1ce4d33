//! What goes wrong in a program under test is reported for what it is, and never breaks the tool.

#[path = "failures/bad_input.rs"]
mod bad_input;
#[path = "failures/outputs.rs"]
mod outputs;
#[path = "failures/outside.rs"]
mod outside;
#[path = "failures/replaying.rs"]
mod replaying;
#[path = "failures/reports.rs"]
mod reports;
#[path = "failures/selecting.rs"]
mod selecting;
#[path = "failures/stopped.rs"]
mod stopped;
#[path = "failures/teardown.rs"]
mod teardown;
#[path = "failures/uncontrolled.rs"]
mod uncontrolled;

mod programs;

use insyn::{Exploration, Failure};

/// The only failure of an exploration.
#[track_caller]
fn only_failure(found: &Exploration) -> &Failure {
    match &found.failures[..] {
        [failure] => failure,
        _ => panic!("expected one failure: {found}"),
    }
}

/// Does nothing with a result, on purpose.
fn ignore<T>(_result: T) {}

/// Whether the source line that a location names holds a marker.
#[track_caller]
fn assert_line(source: &str, line: u32, marker: &str) {
    let text = source.lines().nth(line as usize - 1).unwrap_or_default();
    assert!(text.contains(marker), "line {line} is `{}`, which is not marked `{marker}`", text.trim());
}
