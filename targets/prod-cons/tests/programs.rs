//! A program's output is what the consumer got; it may be nothing at all.

use serde::Deserialize;

/// How many produce.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    producers: u8,
}

impl Default for Config {
    fn default() -> Self {
        Config { producers: 2 }
    }
}

#[insyn::test(spec = "specs/prod_cons.yaml", tests = "specs/prod_cons.tests.yaml")]
fn prod_cons(config: Config) -> prod_cons::Consumed {
    prod_cons::prod_cons(config.producers)
}

/// An item for each look would be right; most sequences have fewer.
#[insyn::test(spec = "specs/too_early.yaml", tests = "specs/too_early.tests.yaml")]
#[should_panic(expected = "the queue was empty")]
fn too_early(config: Config) {
    let consumed = prod_cons::prod_cons(config.producers);
    assert!(consumed.iter().all(Option::is_some), "the queue was empty");
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &["too_early"]);
    }
}
