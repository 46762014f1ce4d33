//! There must never be two leaders in one term. A program's output is the term that each candidate won.

#[allow(unreachable_pub, dead_code, reason = "it is the text of a whole crate")]
mod seeded {
    include!("../target/seeded.rs");
}

use serde::Deserialize;

/// How many vote and stand, and in how many terms.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    voters: usize,
    candidates: usize,
    terms: u32,
}

impl Default for Config {
    fn default() -> Self {
        Config { voters: 3, candidates: 2, terms: 1 }
    }
}

#[insyn::test(spec = "specs/leader_election.yaml", tests = "specs/leader_election.tests.yaml")]
fn leader_election(config: Config) -> Vec<Option<u32>> {
    run(config)
}

#[insyn::instrument]
fn run(config: Config) -> Vec<Option<u32>> {
    use leader_election::election::{Outcome, elect};

    let outcomes = elect(config.voters, config.candidates, config.terms);
    let won = outcomes.into_iter().map(|outcome| match outcome {
        Outcome::Won(term) => Some(term),
        Outcome::Lost => None,
    });
    let won: Vec<Option<u32>> = won.collect();
    assert_one_leader(&won, config.terms);
    won
}

#[insyn::test(
    input = "{voters: 1, candidates: 2, terms: 1}",
    spec = "specs/leader_election.yaml",
    tests = "specs/double_vote.tests.yaml"
)]
#[should_panic(expected = "two leaders in one term")]
fn double_vote(config: Config) -> Vec<Option<u32>> {
    use seeded::election::{Outcome, elect};

    let outcomes = elect(config.voters, config.candidates, config.terms);
    let won = outcomes.into_iter().map(|outcome| match outcome {
        Outcome::Won(term) => Some(term),
        Outcome::Lost => None,
    });
    let won: Vec<Option<u32>> = won.collect();
    assert_one_leader(&won, config.terms);
    won
}

fn assert_one_leader(won: &[Option<u32>], terms: u32) {
    for term in 1..=terms {
        let leaders = won.iter().filter(|it| **it == Some(term)).count();
        assert!(leaders <= 1, "two leaders in one term: {won:?}");
    }
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &["double_vote"]);
    }

    #[test]
    fn the_count_is_confirmed() {
        target_checks::confirm(2, || super::run(super::Config { voters: 1, candidates: 2, terms: 1 }));
    }

    #[test]
    fn the_bug_is_replayed() {
        target_checks::replays("double_vote");
    }

    #[test]
    fn only_attributes_were_added() {
        target_checks::sources(env!("CARGO_MANIFEST_DIR"));
    }
}
