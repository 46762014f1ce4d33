//! What the tests, the benchmark and the example of `insyn` share.

pub mod programs;

use insyn::{Exploration, Failure};

/// The only failure of an exploration.
///
/// # Panics
/// If there is another, or none.
#[track_caller]
pub fn only_failure(found: &Exploration) -> &Failure {
    match &found.failures[..] {
        [failure] => failure,
        _ => panic!("expected one failure: {found}"),
    }
}
