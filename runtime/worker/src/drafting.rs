//! Drafts a specification from the executions of a program.

use std::sync::{Arc, Mutex, PoisonError};

use insyn_sequences::Malformed;
use insyn_sequences::catalog::Cataloguing;
use insyn_specs::draft::{Observation, draft as write};
use insyn_verdicts::protocol::Drafted;

use super::error::JudgementError;
use super::input::Input;
use super::{Program, output};
use insyn_explorer::exploration::ended::Ended;
use insyn_explorer::explorer::Explorer;
use insyn_explorer::failure::Termination;

/// What was observed in one round of an exploration.
#[derive(Default)]
struct Observed {
    round: u32,
    catalog: Cataloguing,
    /// With their places in the exploration, so that the draft does not depend on which worker is faster.
    executions: Vec<(Vec<u64>, Observation)>,
    failing: u64,
    error: Option<Malformed>,
}

/// Explores a program, and drafts a specification that all its executions keep which end normally.
pub(super) fn draft(
    program: &Program,
    explorer: &Explorer,
    input: &Input,
    watch: impl Fn(&Ended<'_>) + Send + Sync + 'static,
) -> Result<Drafted, JudgementError> {
    let observed: Arc<Mutex<Observed>> = Arc::default();
    let observer = {
        let observed = observed.clone();
        move |ended: &Ended<'_>| {
            watch(ended);
            let mut observed = observed.lock().unwrap_or_else(PoisonError::into_inner);
            if observed.round != ended.round() {
                *observed = Observed { round: ended.round(), ..Observed::default() };
            }
            if !ended.counted() {
                return;
            }
            if ended.termination() != Termination::Normal {
                observed.failing += 1;
                return;
            }
            let sequence = ended.sequence();
            if let Err(error) = observed.catalog.add(&sequence) {
                observed.error.get_or_insert(error);
            }
            let output = output(ended.output().as_deref());
            observed.executions.push((ended.path(), Observation::new(sequence, ended.constraints(), output)));
        }
    };
    let (exploration, _) = program.explore(&explorer.clone().observe(observer), input, program.sample);
    let observed = std::mem::take(&mut *observed.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(error) = observed.error {
        return Err(error.into());
    }
    let mut executions = observed.executions;
    executions.sort_by(|a, b| a.0.cmp(&b.0));
    let executions: Vec<Observation> = executions.into_iter().map(|(_, it)| it).collect();
    let complete = exploration.is_complete();
    let name = program.about.path();
    let name = name.rsplit("::").next().unwrap_or_default();
    let file = write(name, &observed.catalog.finish(), &executions, complete)?;
    Ok(Drafted {
        sequences: executions.len() as u64,
        complete,
        bound: exploration.bound.map(|bound| bound.to_string()),
        failing: observed.failing,
        file,
    })
}
