//! The program's output is the difference of what was received.

use serde::Deserialize;

/// What is sent.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    a: i64,
    b: i64,
}

impl Default for Config {
    fn default() -> Self {
        Config { a: 1, b: 2 }
    }
}

#[insyn::test(spec = "specs/cp.yaml", tests = "specs/cp.tests.yaml")]
fn cp(config: Config) -> i64 {
    let difference = cp::cp(config.a, config.b);
    assert_eq!(difference.abs(), (config.a - config.b).abs());
    difference
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
