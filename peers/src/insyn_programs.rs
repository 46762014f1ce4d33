//! The programs on insyn, with the time they take.

use insyn::{Exploration, Explorer};
use insyn_peers::outcome::Outcome;
use insyn_peers::program::Program;
use insyn_peers_programs::on_insyn;
use std::time::Instant;

/// Explores `program` exhaustively with one worker.
pub(crate) fn explore(program: Program) -> Outcome {
    let explorer = on_insyn::explorer();
    let body = on_insyn::body(program);
    let start = Instant::now();
    let exploration = explorer.explore(body);
    let time = start.elapsed();
    assert!(exploration.failures.is_empty(), "none of the programs fails: {:?}", exploration.failures);
    Outcome::Finished { runs: exploration.sequences, time }
}

/// Explores fan-in of `n` with `workers`, cut after `max_sequences` if there is such a bound.
pub(crate) fn explore_fan_in(n: usize, workers: usize, max_sequences: Option<u64>) -> Exploration {
    let mut explorer = Explorer::new().workers(workers);
    if let Some(max) = max_sequences {
        explorer = explorer.max_sequences(max);
    }
    explorer.explore(move || on_insyn::fan_in(n))
}
