//! All participants must do what was decided. A program's output is the decision.

#[allow(unreachable_pub, dead_code, reason = "it is the text of a whole crate")]
mod seeded {
    include!("../target/seeded.rs");
}

use serde::Deserialize;

/// How many take part, and which of them cannot commit.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Config {
    participants: usize,
    unable: Vec<usize>,
}

impl Default for Config {
    fn default() -> Self {
        Config { participants: 3, unable: Vec::new() }
    }
}

impl Config {
    fn can_commit(&self) -> Vec<bool> {
        (0..self.participants).map(|n| !self.unable.contains(&n)).collect()
    }
}

/// How long the coordinator waits for a vote. Time is virtual: it may be over before any vote comes.
const PATIENCE: std::time::Duration = std::time::Duration::from_secs(1);

/// Without a no, it is committed if every vote comes in time.
#[insyn::test(spec = "specs/two_phase_commit.yaml", tests = "specs/two_phase_commit.tests.yaml")]
fn two_phase_commit(config: &Config) -> &'static str {
    run(config)
}

#[insyn::instrument]
fn run(config: &Config) -> &'static str {
    use two_phase_commit::transaction::{Decision, Transaction};

    let settled = Transaction::begin(config.can_commit()).settle(PATIENCE);
    for (n, done) in settled.participants.iter().enumerate() {
        assert_eq!(*done, Some(settled.decision), "participant {n} must do what was decided");
    }
    match settled.decision {
        Decision::Commit => {
            assert!(config.unable.is_empty(), "nobody may vote no");
            "commit"
        }
        Decision::Abort => "abort",
    }
}

#[insyn::test(
    input = "{participants: 2, unable: [0]}",
    spec = "specs/orders.yaml",
    tests = "specs/early_disconnect.tests.yaml"
)]
#[should_panic(expected = "must do what was decided")]
fn early_disconnect(config: &Config) {
    let settled = seeded::transaction::Transaction::begin(config.can_commit()).settle(PATIENCE);
    for (n, done) in settled.participants.iter().enumerate() {
        assert_eq!(*done, Some(settled.decision), "participant {n} must do what was decided");
    }
}

mod checks {
    #[test]
    fn counts_are_as_expected() {
        target_checks::counts(env!("CARGO_MANIFEST_DIR"));
    }

    #[test]
    fn the_count_is_confirmed() {
        target_checks::confirm(10, || super::run(&super::Config { participants: 2, unable: Vec::new() }));
        target_checks::confirm(18, || super::run(&super::Config { participants: 2, unable: vec![1] }));
    }

    #[test]
    fn the_bug_is_replayed() {
        target_checks::replays("early_disconnect");
    }

    #[test]
    fn verdicts_are_as_expected() {
        target_checks::verdicts(env!("CARGO_MANIFEST_DIR"), &["early_disconnect"]);
    }

    /// Without the bug everybody hears the decision.
    #[test]
    fn nobody_is_left_alone() {
        let root = env!("CARGO_MANIFEST_DIR");
        assert_eq!(target_checks::executions(root, "two_phase_commit", "specs/orders.tests.yaml").len(), 2);
    }

    #[test]
    fn only_attributes_were_added() {
        target_checks::sources(env!("CARGO_MANIFEST_DIR"));
    }
}
