//! There must never be two leaders in one term. The output is the term that each candidate won.

use leader_election::election::{Outcome, elect};
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
    let outcomes = elect(config.voters, config.candidates, config.terms);
    let won = outcomes.into_iter().map(|outcome| match outcome {
        Outcome::Won(term) => Some(term),
        Outcome::Lost => None,
    });
    let won: Vec<Option<u32>> = won.collect();
    for term in 1..=config.terms {
        let leaders = won.iter().filter(|it| **it == Some(term)).count();
        assert!(leaders <= 1, "two leaders in one term: {won:?}");
    }
    won
}
