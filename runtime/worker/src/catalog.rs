//! What a specification can match in a program, from its executions.

use std::sync::{Arc, Mutex, PoisonError};

use insyn_sequences::Malformed;
use insyn_sequences::catalog::Cataloguing;
use insyn_verdicts::protocol::Catalogued;

use super::Program;
use super::input::Input;
use insyn_explorer::exploration::ended::Ended;
use insyn_explorer::explorer::Explorer;

/// Explores a program, or samples it, and lists its threads, objects and events.
pub(super) fn catalog(
    program: &Program,
    explorer: &Explorer,
    input: &Input,
    sample: Option<u64>,
    watch: impl Fn(&Ended<'_>) + Send + Sync + 'static,
) -> Result<Catalogued, Malformed> {
    type Made = (u32, Cataloguing, Option<Malformed>);
    let made: Arc<Mutex<Made>> = Arc::default();
    let observer = {
        let made = made.clone();
        move |ended: &Ended<'_>| {
            watch(ended);
            let sequence = ended.counted().then(|| ended.sequence());
            let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
            if made.0 != ended.round() {
                *made = (ended.round(), Cataloguing::default(), None);
            }
            let added = sequence.map_or(Ok(()), |sequence| made.1.add(&sequence));
            made.2 = made.2.take().or(added.err());
        }
    };
    let (exploration, _) = program.explore(&explorer.clone().observe(observer), input, sample);
    let (_, made, error) = std::mem::take(&mut *made.lock().unwrap_or_else(PoisonError::into_inner));
    if let Some(error) = error {
        return Err(error);
    }
    Ok(Catalogued {
        input: input.data.clone(),
        sequences: exploration.sequences,
        complete: exploration.is_complete(),
        bound: exploration.bound.map(|bound| bound.to_string()),
        catalog: made.finish(),
        oversight: exploration.oversight().map(|it| it.to_string()),
    })
}
