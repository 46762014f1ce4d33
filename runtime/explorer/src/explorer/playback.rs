//! Runs of a program that follow a recorded sequence.

#[cfg(feature = "specs")]
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use insyn_sequences::{Sequence, SequenceFile};
use serde::Serialize;

use super::{Explorer, refuse_nesting};
use crate::body::{self, Body};
use crate::exploration::prefix;
use crate::exploration::worker::run;
use crate::failure::Termination;
use crate::replay::{
    ReplayError, check, first_difference, inconsistency, is_consistent, left, went_on, write_script,
};
use crate::results::Execution;
use crate::sequence::shown_by;
use insyn_engine::Engine;
use insyn_engine::refinement::Refinement;

/// How much of a run is recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// All of it, and the run ended: nothing may cut it later.
    Ended,
    /// As much as the bound on steps allowed: the recorded run has no end of its own, and the program may do more before it
    /// ends or is cut again.
    Cut,
    /// Either ended or cut, but it was not recorded which: the run may go on and be cut later, but must not go on and end.
    EndedOrCut,
    /// A prefix.
    Beginning,
}

impl Extent {
    /// How much of a run a file holds.
    pub fn of(file: &SequenceFile) -> Extent {
        match file.ended {
            None => Extent::EndedOrCut,
            Some(insyn_sequences::Termination::Bound | insyn_sequences::Termination::LocalDeadlock) => {
                Extent::Cut
            }
            Some(_) => Extent::Ended,
        }
    }
}

impl Explorer {
    /// Runs the program once more, as recorded in `sequence`. If the bound on steps had cut the recorded run, the program
    /// follows the sequence to its end and runs on until the bound cuts it again.
    ///
    /// # Errors
    /// If the program does not follow the sequence: the program has changed, or the sequence is another program's.
    ///
    /// # Panics
    /// Inside a program under test.
    #[track_caller]
    pub fn replay<F, R>(&self, sequence: &Sequence, program: F) -> Result<Execution, ReplayError>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        self.follow(sequence, &body::of(program), Extent::EndedOrCut)
    }

    /// As [`replay`](Self::replay), with a sequence from a YAML file such as [`Failure::save`](crate::Failure::save)
    /// writes; needs the feature `specs`. If the recorded run had ended, a program that runs on past that end is [an
    /// error](ReplayError::WentOn).
    ///
    /// # Errors
    /// If the file cannot be read or is no sequence file, or if the program does not follow the sequence.
    ///
    /// # Panics
    /// Inside a program under test.
    #[cfg(feature = "specs")]
    #[track_caller]
    pub fn replay_file<F, R>(&self, path: impl AsRef<Path>, program: F) -> Result<Execution, ReplayError>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        let path = path.as_ref();
        let unreadable =
            |reason: String| ReplayError::Unreadable { path: path.display().to_string(), reason };
        let text = std::fs::read_to_string(path).map_err(|e| unreadable(e.to_string()))?;
        let file = insyn_specs::file::read(&text).map_err(|e| unreadable(e.to_string()))?;
        self.follow(&file.sequence, &body::of(program), Extent::of(&file))
    }

    /// Runs the program once: first through `prefix`, then freely.
    ///
    /// # Errors
    /// If the program cannot begin with the prefix.
    ///
    /// # Panics
    /// Inside a program under test.
    #[track_caller]
    pub fn force_prefix<F, R>(&self, prefix: &Sequence, program: F) -> Result<Execution, ReplayError>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        self.follow(prefix, &body::of(program), Extent::Beginning)
    }

    /// Runs the program once through a sequence: the whole of a run, or its beginning.
    #[doc(hidden)]
    pub fn follow(
        &self,
        sequence: &Sequence,
        program: &Body,
        extent: Extent,
    ) -> Result<Execution, ReplayError> {
        refuse_nesting();
        insyn_engine::coroutine::watch();
        check(sequence)?;
        let mut refinement = shown_by(sequence);
        let mut engine = Engine::new(self.settings);
        let output = loop {
            engine.apply(&refinement);
            engine.choose_by(self.plan.seed);
            write_script(sequence, &mut engine)?;
            let output = run(&mut engine, program);
            if !refinement.add(engine.ending.new_facts.drain(..)) {
                break output;
            }
        };
        if extent == Extent::Beginning {
            prefix::check(&mut engine);
        }
        let is_real = engine.ending.divergence.is_some() || is_consistent(&engine);
        let may_go_on = !matches!(extent, Extent::Whole | Extent::Ended);
        let goes_on = engine.run.events.len() > sequence.events().count();
        // Perhaps real objects could have done the prefix, and only the free rest is inconsistent.
        let execution = match !is_real && may_go_on && goes_on {
            true => self.first_real(sequence, refinement, program).ok_or_else(|| inconsistency(&engine))?,
            false => self.ended(&engine, output.as_ref()),
        };
        if let Some(d) = &engine.ending.divergence {
            return Err(left(sequence, &execution.sequence, d));
        }
        let is_cut = matches!(execution.termination, Termination::StepBound | Termination::LocalDeadlock);
        let is_whole = match extent {
            Extent::Whole => true,
            Extent::Ended | Extent::EndedOrCut => !is_cut,
            Extent::Cut | Extent::Beginning => false,
        };
        match first_difference(sequence, &execution.sequence, is_whole) {
            Some(difference) => Err(difference),
            None if !is_real && !goes_on => Err(inconsistency(&engine)),
            None if extent == Extent::Ended && is_cut => Err(went_on(sequence, &execution.sequence)),
            None => Ok(execution),
        }
    }

    /// The first execution that begins with a sequence and that real objects could have done, the free rest included.
    fn first_real(&self, beginning: &Sequence, known: Refinement, program: &Body) -> Option<Execution> {
        let first: Arc<Mutex<Option<Execution>>> = Arc::default();
        let over = Arc::new(AtomicBool::new(false));
        let mut explorer = self.clone().workers(1).refined(known);
        // A single run has no bound except the one on steps.
        (explorer.plan.max_executions, explorer.plan.max_sequences, explorer.time_limit) = (None, None, None);
        explorer.plan.stop_at_first_failure = false;
        explorer.plan.over = Some(Arc::clone(&over));
        explorer.prefix = Some(Arc::new(beginning.clone()));
        let (found, observer) = (Arc::clone(&first), self.plan.observer.clone());
        let explorer = explorer.observe(move |ended| {
            let mut found = found.lock().unwrap_or_else(PoisonError::into_inner);
            if ended.counted() && ended.termination() != Termination::Nondeterminism && found.is_none() {
                over.store(true, Ordering::Relaxed);
                observer.iter().for_each(|observer| observer(ended));
                *found = Some(ended.to_execution());
            }
        });
        let _ = explorer.explore_body(program);
        first.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}
