//! Numbers go through a stage that keeps the even ones and one that squares them.

#[allow(unreachable_pub, dead_code, reason = "it is the text of a whole crate")]
mod seeded {
    include!("../target/seeded.rs");
}

use pipeline::pipeline::Pipeline;
use serde::Deserialize;

/// How many items go in, and how many have room between two stages.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    items: u32,
    capacity: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config { items: 4, capacity: 2 }
    }
}

fn even(n: u32) -> Option<u32> {
    n.is_multiple_of(2).then_some(n)
}

/// Everything is taken out; the output is what came.
#[insyn::test(spec = "specs/pipeline.yaml", tests = "specs/pipeline.tests.yaml")]
fn pipeline(config: Config) -> Vec<u32> {
    run(config)
}

#[insyn::instrument]
fn run(config: Config) -> Vec<u32> {
    let numbers = Pipeline::new(config.capacity, 0..config.items);
    let squares = numbers.stage(even).stage(|n| Some(n * n)).finish().expect("no stage panics");
    assert_eq!(squares, (0..config.items).filter_map(even).map(|n| n * n).collect::<Vec<_>>());
    squares
}

/// Only the first is taken out; the stages see at some time that nobody waits any more.
#[insyn::test(
    input = "{items: 3, capacity: 1}",
    spec = "specs/early_end.yaml",
    tests = "specs/early_end.tests.yaml"
)]
fn early_end(config: Config) -> Vec<u32> {
    let numbers = Pipeline::new(config.capacity, 0..config.items);
    let first = numbers.stage(|n| Some(n * n)).take(1).expect("no stage panics");
    assert_eq!(first, [0]);
    first
}

#[insyn::test(spec = "specs/pipeline.yaml", tests = "specs/deadlock.tests.yaml")]
#[should_panic(expected = "deadlock")]
fn deadlock(config: Config) -> Vec<u32> {
    let numbers = seeded::pipeline::Pipeline::new(config.capacity, 0..config.items);
    numbers.stage(even).stage(|n| Some(n * n)).finish().expect("no stage panics")
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &["deadlock"]);
    }

    #[test]
    fn the_count_is_confirmed() {
        target_checks::confirm(16, || super::run(super::Config { items: 3, capacity: 2 }));
        target_checks::confirm(32, || super::run(super::Config { items: 4, capacity: 2 }));
    }

    #[test]
    fn the_bug_is_replayed() {
        target_checks::replays("deadlock");
    }

    #[test]
    fn only_attributes_were_added() {
        target_checks::sources(env!("CARGO_MANIFEST_DIR"));
    }
}
