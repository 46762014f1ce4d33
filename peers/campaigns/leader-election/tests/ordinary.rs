//! What one would test without insyn: with real threads, once.

use leader_election::election::{Outcome, elect};

/// Who wins is a matter of chance, but with three voters somebody does.
#[test]
fn one_of_two_candidates_wins() {
    let mut outcomes = elect(3, 2, 1);
    outcomes.sort_by_key(|outcome| *outcome == Outcome::Lost);
    assert_eq!(outcomes, [Outcome::Won(1), Outcome::Lost]);
}
