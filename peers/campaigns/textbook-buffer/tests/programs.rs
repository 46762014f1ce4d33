//! Three items go through a buffer with two slots. The output is what the consumer got.

use serde::Deserialize;
use textbook_buffer::buffer::transfer;

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
    transfer(config.capacity, config.items)
}
