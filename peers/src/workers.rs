//! What a second worker is worth.

use crate::insyn_programs;
use insyn_peers::program::factorial;
use insyn_peers_programs::numbers::grouped;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Senders of the fan-in that is measured: 40,320 sequences.
const SENDERS: usize = 8;
/// One to warm up, the others count.
const ROUNDS: usize = 6;
/// Two workers are to be at least this many times as fast as one.
const TIMES_ONE: f64 = 1.7;

/// Measures, and returns what to print and every goal that is missed.
pub(crate) fn measure() -> (String, Vec<String>) {
    let expected = factorial(SENDERS as u64);
    // A set: a count that differs does so in every round.
    let mut missed = BTreeSet::new();
    let mut best = [Duration::MAX; 2];
    for round in 0..ROUNDS {
        for (best, workers) in best.iter_mut().zip(1..) {
            let start = Instant::now();
            let exploration = insyn_programs::explore_fan_in(SENDERS, workers, None);
            let time = start.elapsed();
            if round > 0 {
                *best = time.min(*best);
            }
            if exploration.sequences != expected {
                missed.insert(format!(
                    "fan-in {SENDERS}, {workers} workers: {} sequences, not {expected}",
                    exploration.sequences
                ));
            }
        }
    }
    let [one, two] = best.map(|time| time.as_secs_f64() * 1e3);
    let times = one / two;
    if times < TIMES_ONE {
        missed.insert(format!(
            "fan-in {SENDERS}: two workers are {times:.2} times as fast as one, not {TIMES_ONE}"
        ));
    }
    let text = format!(
        "fan-in {SENDERS}, {} sequences\n1 worker:  {one:.1} ms\n2 workers: {two:.1} ms, {times:.2} times as fast",
        grouped(expected)
    );
    (text, missed.into_iter().collect())
}
