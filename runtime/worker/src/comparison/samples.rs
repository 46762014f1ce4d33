//! Sequences of the original that are collected at random, by a seed.
//!
//! Runs come in batches. When some batches in a row have brought no new sequence, the set of tests is stable, and so is any
//! score that follows from it. This is decided on the original alone, so it does not matter which mutants are run, in which
//! order, or on which machine.

use std::sync::Arc;

use insyn_specs::spec::{Instance, Verdict};
use insyn_verdicts::Conformance;

use super::super::error::{JudgementError, JudgementErrorKind};
use super::behaviour::Key;
use super::behaviours::Behaviours;
use insyn_explorer::body::Body;
use insyn_explorer::explorer::Explorer;
use insyn_explorer::failure::{Termination, in_files};
use insyn_explorer::results::Exploration;

/// Runs in a batch.
const BATCH: u64 = 20;

/// After this many batches in a row without a new sequence, the set is stable.
const STABLE_AFTER: u64 = 5;

/// The maximal number of batches.
const MOST_BATCHES: u64 = 500;

/// The maximal number of states that are visited to judge a sequence.
const MOST_STATES: usize = 100_000;

/// Collects sequences of the original at random, in the order of discovery, and adds them to those that an exploration
/// observed. If the exploration was not complete, each new one is judged as the explored ones were.
pub(super) fn collect(
    explorer: &Explorer,
    instance: Option<&Arc<Instance>>,
    seed: u64,
    (explored, exploration): (&mut Behaviours, &Exploration),
    program: &Body,
) -> Result<Vec<Key>, JudgementError> {
    let mut all = Behaviours::default();
    let mut quiet = 0;
    for batch in 0..MOST_BATCHES {
        // The runs are those that one long series would have.
        let seed = seed.wrapping_add((batch * BATCH).wrapping_mul(Explorer::NEXT_SEED));
        let (more, sampled) =
            Behaviours::at_random(explorer, instance, (BATCH, seed), &explored.refinement, program)?;
        if more.round > 0 {
            return Err(JudgementErrorKind::CutShort.into());
        }
        if !exploration.is_complete() {
            judge(&more, &sampled, instance.map(|it| &**it))?;
        }
        quiet = if all.add(more) { 0 } else { quiet + 1 };
        if quiet == STABLE_AFTER {
            break;
        }
    }
    let keys = all.kept.iter().map(|it| it.key.clone()).collect();
    explored.add(all);
    explored.index();
    Ok(keys)
}

/// A wrong behaviour among those observed is an error.
fn judge(
    seen: &Behaviours,
    sampled: &Exploration,
    instance: Option<&Instance>,
) -> Result<(), JudgementError> {
    let ends = instance.map(|it| it.spec().terminations());
    let expected = |it: Termination| ends.is_some_and(|ends| ends.contains(&in_files(it)));
    if let Some(failure) = sampled.failures.iter().find(|it| !expected(it.termination)) {
        return Err(JudgementErrorKind::Fails(failure.to_string()).into());
    }
    let Some(instance) = instance.filter(|it| it.spec().conformance() != Conformance::Superset) else {
        return Ok(());
    };
    for key in seen.endings.keys() {
        let Key::Abstract(orders) = key else { continue };
        let judged = instance.judge_orders(orders, MOST_STATES)?;
        if let Verdict::Invalid(bad) = judged.verdict {
            let (word, objection) = (bad.word.to_string(), bad.objection.to_string());
            return Err(JudgementErrorKind::Invalid { word, objection }.into());
        }
    }
    Ok(())
}
