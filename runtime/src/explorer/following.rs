//! Runs of a program that follow a written sequence.

#[cfg(feature = "specs")]
use std::path::Path;

use insyn_sequences::{Sequence, SequenceFile};
use serde::Serialize;

use super::{Explorer, refuse_nesting};
use crate::body::{self, Body};
use crate::engine::Engine;
use crate::exploration::worker::run;
use crate::failure::Termination;
use crate::replay::{
    ReplayError, check, first_difference, inconsistency, is_consistent, left, went_on, write_script,
};
use crate::results::Execution;
use crate::sequence::shown_by;

/// How often a prefix is followed before it counts as one that no real objects could do.
const MOST_TRIES: u64 = 100;

/// How much of what a program does is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Extent {
    /// All of it.
    Whole,
    /// All of it, and it came to its end: nothing may stop it later.
    Ended,
    /// As much as the bound on steps let it do: that has no end of its own, and the program may do more before it ends or
    /// is cut again.
    Cut,
    /// One of these two, and nobody knows which: it may be cut later, but must not end so.
    EndedOrCut,
    /// What it begins with.
    Beginning,
}

impl Extent {
    /// How much a file holds.
    pub(crate) fn of(file: &SequenceFile) -> Extent {
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
    /// Runs the program once more as `sequence` says. If the bound on steps had cut that, it is followed to its end, and the
    /// program runs on until the bound cuts it again.
    ///
    /// # Errors
    /// If the program does not do that: it has changed, or the sequence is another program's.
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

    /// As [`replay`](Self::replay), with a sequence from a YAML file, which needs the feature `specs`, such as [`Failure::save`](crate::Failure::save) writes. If the
    /// file says that it had come to an end, a program that goes on after it is [told so](ReplayError::WentOn).
    ///
    /// # Errors
    /// If the file cannot be read, is no sequence file, or the program does not do what it says.
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

    /// Runs the program once: first as `prefix` says, then freely.
    ///
    /// # Errors
    /// If the program cannot begin like that.
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

    /// Runs the program once as a sequence says: the whole of it, or its beginning.
    pub(crate) fn follow(
        &self,
        sequence: &Sequence,
        program: &Body,
        extent: Extent,
    ) -> Result<Execution, ReplayError> {
        refuse_nesting();
        crate::coroutine::watch();
        check(sequence)?;
        let mut refinement = shown_by(sequence);
        let mut seed = self.plan.seed;
        let mut tries = 0;
        let (engine, execution) = loop {
            let mut engine = Engine::new(self.settings);
            engine.apply(&refinement);
            engine.choose_by(seed);
            write_script(sequence, &mut engine)?;
            let output = run(&mut engine, program);
            if refinement.add(engine.ending.new_facts.drain(..)) {
                continue;
            }
            // It may be the free rest that no real objects could have done.
            let is_beginning = extent == Extent::Beginning;
            let is_unlucky = is_beginning
                && engine.ending.divergence.is_none()
                && !is_consistent(&engine)
                && tries < MOST_TRIES;
            if !is_unlucky {
                let execution = self.ended(&engine, output.as_ref());
                break (engine, execution);
            }
            tries += 1;
            seed = Some(tries);
        };
        if let Some(d) = &engine.ending.divergence {
            return Err(left(sequence, &execution.sequence, d));
        }
        if let Some(error) = inconsistency(&engine) {
            return Err(error);
        }
        let is_cut = matches!(execution.termination, Termination::StepBound | Termination::LocalDeadlock);
        let is_whole = match extent {
            Extent::Whole => true,
            Extent::Ended | Extent::EndedOrCut => !is_cut,
            Extent::Cut | Extent::Beginning => false,
        };
        match first_difference(sequence, &execution.sequence, is_whole) {
            Some(difference) => Err(difference),
            None if extent == Extent::Ended && is_cut => Err(went_on(sequence, &execution.sequence)),
            None => Ok(execution),
        }
    }
}
