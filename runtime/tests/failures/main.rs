//! What goes wrong in a program under test is reported for what it is, and never breaks the tool.

mod bad_input;
mod control;
mod explained;
mod limits;
mod outputs;
mod reports;
mod stopped;
mod teardown;
mod uncontrolled;
mod watchdog;

/// Does nothing with a result, on purpose.
fn ignore<T>(_result: T) {}

/// Whether the source line that a location names holds a marker.
#[track_caller]
fn assert_line(source: &str, line: u32, marker: &str) {
    let text = source.lines().nth(line as usize - 1).unwrap_or_default();
    assert!(text.contains(marker), "line {line} is `{}`, which is not marked `{marker}`", text.trim());
}
