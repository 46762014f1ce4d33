//! Three items go through a buffer with two slots. The output is what the consumer got.

use serde::Deserialize;
use textbook_buffer::transfer;

/// How many slots the buffer has, and what goes through it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    capacity: i32,
    items: Vec<char>,
}

impl Default for Config {
    fn default() -> Self {
        Config { capacity: 2, items: vec!['A', 'B', 'C'] }
    }
}

#[insyn::test(spec = "specs/buffer.yaml", tests = "specs/buffer.tests.yaml")]
fn buffer(config: Config) -> Vec<char> {
    transfer(config.capacity, config.items, true)
}

/// Never fills the last slot. All that it does is valid, so only a test of what it should do and does not shows it.
#[insyn::test(spec = "specs/one_slot.yaml", tests = "specs/one_slot.tests.yaml")]
fn one_slot(config: Config) -> Vec<char> {
    transfer(config.capacity, config.items, false)
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &[]);
    }
}
