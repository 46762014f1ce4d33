//! Warns of events of a specification that no event of the program matches. Used if the program is not explored anyway.

use std::sync::{Arc, Mutex, PoisonError};

use insyn_sequences::Malformed;
use insyn_specs::correctness::Sightings;
use insyn_specs::spec::Instance;

use super::error::JudgementError;
use super::input::Input;
use super::oracle::Oracle;
use insyn_explorer::body::Body;
use insyn_explorer::exploration::ended::Ended;
use insyn_explorer::explorer::Explorer;

/// This many executions show most events of a program; and this many are searched for rare ones.
const FEW: u64 = 16;
const MANY: u64 = 2_000;

/// The events of the specification that no execution with the inputs of the tests does.
pub(super) fn unmatched(
    explorer: &Explorer,
    oracle: &Oracle,
    inputs: &[Input],
) -> Result<Vec<String>, JudgementError> {
    let Some(spec) = &oracle.spec else { return Ok(Vec::new()) };
    let mut sightings = Sightings::default();
    let mut is_all = true;
    for most in [FEW, MANY] {
        is_all = true;
        for input in inputs {
            if let Some(instance) = oracle.instance(input.data.as_ref())? {
                is_all &= look(&explorer.clone().within(most), &instance, &mut sightings, &input.program)?;
            }
            if sightings.unmatched(spec, is_all).is_empty() {
                return Ok(Vec::new());
            }
        }
        if is_all {
            break;
        }
    }
    Ok(sightings.unmatched(spec, is_all).iter().map(ToString::to_string).collect())
}

/// Checks executions of a program. Returns whether these were all.
fn look(
    explorer: &Explorer,
    instance: &Arc<Instance>,
    sightings: &mut Sightings,
    program: &Body,
) -> Result<bool, JudgementError> {
    type Observed = (u32, Sightings, Option<Malformed>);
    let before = std::mem::take(sightings);
    let observed: Arc<Mutex<Observed>> = Arc::new(Mutex::new((0, before.clone(), None)));
    let observer = {
        let (observed, instance) = (observed.clone(), instance.clone());
        move |ended: &Ended<'_>| {
            let mut observed = observed.lock().unwrap_or_else(PoisonError::into_inner);
            if observed.0 != ended.round() {
                *observed = (ended.round(), before.clone(), None);
            }
            match ended.orders(&instance) {
                _ if !ended.counted() => {}
                Ok(orders) => observed.1.observe(orders.letters(), &ended.sequence()),
                Err(error) => observed.2 = Some(error),
            }
        }
    };
    let free = explorer.clone().workers(1).stop_at_first_failure(false).max_sequences(u64::MAX);
    let (exploration, _) = free.observe(observer).explore_body(program);
    let (_, after, error) = std::mem::take(&mut *observed.lock().unwrap_or_else(PoisonError::into_inner));
    *sightings = after;
    error.map_or(Ok(exploration.is_complete()), |error| Err(error.into()))
}
