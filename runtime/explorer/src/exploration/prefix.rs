//! Whether a real program could begin with the prefix that a run was made to follow.

use super::consistency::Consistency;
use super::order::HappensBefore as _;
use super::past::Pasts;
use super::relevant::Relevant;
use crate::sequence;
use insyn_engine::ids::EventId;
use insyn_engine::{Engine, Found};

/// Records what is wrong with the prefix that the run was made to follow: it lacks an event that must come before one of
/// its events, or its events are possible one by one but not together. If neither, some real execution begins with it.
pub(crate) fn check(engine: &mut Engine) {
    if let Some((event, before)) = engine.gap() {
        let before = sequence::names(engine, &[before]).concat();
        return engine.object_to(event, Found::Gap(before));
    }
    if engine.ending.divergence.is_none()
        && let Some(cycle) = cycle(engine)
        && let Some(&last) = cycle.last()
    {
        let cycle = sequence::names(engine, &cycle);
        engine.object_to(last, Found::Cycle(cycle));
    }
}

/// Events of the prefix, each of which would have to come before the next, and the last before the first.
fn cycle(engine: &Engine) -> Option<Vec<EventId>> {
    let (run, settings) = (&engine.run, &engine.settings);
    let mut relevant = Relevant::default();
    if !relevant.is_in_doubt(run) {
        return None;
    }
    let mut pasts = Pasts::default();
    pasts.compute(run, 1);
    if !relevant.read(run, |a, b| pasts.before(a, b)) {
        return None;
    }
    Consistency::default().explain_written(run, &pasts, &relevant, settings).err()
}
