//! The order in which messages arrive is the only thing that differs between two runs.

use serde::Deserialize;

/// How many threads send.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    senders: usize,
}

impl Default for Config {
    fn default() -> Self {
        Config { senders: 4 }
    }
}

/// The output is who sent, in the order of arrival.
#[insyn::test(spec = "specs/fan_in.yaml", tests = "specs/fan_in.tests.yaml")]
fn fan_in(config: Config) -> Vec<usize> {
    let arrived = fan_in::fan_in(config.senders);
    let mut sorted = arrived.clone();
    sorted.sort_unstable();
    assert_eq!(sorted, (0..config.senders).collect::<Vec<_>>(), "everybody sends once");
    arrived
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
