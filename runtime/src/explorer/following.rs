//! Runs of a program that follow a written sequence.

use std::path::Path;

use insyn_specs::Sequence;
use insyn_specs::file::SequenceFile;
use serde::Serialize;

use super::{Explorer, refuse_nesting};
use crate::body::{self, Body};
use crate::execution::Execution as Engine;
use crate::exploration::worker::run;
use crate::replay::{ReplayError, first_difference, is_real, left, write_script};
use crate::results::Execution;
use crate::sequence::shown_by;

impl Explorer {
    /// Runs the program once more as `sequence` says.
    ///
    /// # Errors
    /// If the program does not do that: it has changed, or the sequence is another program's.
    ///
    /// # Panics
    /// Inside a program under test.
    pub fn replay<F, R>(&self, sequence: &Sequence, program: F) -> Result<Execution, ReplayError>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        self.follow(sequence, &body::of(program), true)
    }

    /// As [`replay`](Self::replay), with a sequence from a file, such as [`Failure::save`](crate::Failure::save) writes.
    ///
    /// # Errors
    /// If the file cannot be read, is no sequence file, or the program does not do what it says.
    ///
    /// # Panics
    /// Inside a program under test.
    pub fn replay_file<F, R>(&self, path: impl AsRef<Path>, program: F) -> Result<Execution, ReplayError>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        let path = path.as_ref();
        let unreadable =
            |reason: String| ReplayError::Unreadable { path: path.display().to_string(), reason };
        let text = std::fs::read_to_string(path).map_err(|e| unreadable(e.to_string()))?;
        let file = SequenceFile::read(&text).map_err(|e| unreadable(e.to_string()))?;
        self.replay(&file.sequence, program)
    }

    /// Runs the program once: first as `prefix` says, then freely.
    ///
    /// # Errors
    /// If the program cannot begin like that.
    ///
    /// # Panics
    /// Inside a program under test.
    pub fn force_prefix<F, R>(&self, prefix: &Sequence, program: F) -> Result<Execution, ReplayError>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        self.follow(prefix, &body::of(program), false)
    }

    /// Runs the program once as a sequence says: the whole of it, or its beginning.
    pub(crate) fn follow(
        &self,
        sequence: &Sequence,
        program: &Body,
        whole: bool,
    ) -> Result<Execution, ReplayError> {
        refuse_nesting();
        crate::coroutine::watch();
        let mut topology = shown_by(sequence);
        let (x, execution) = loop {
            let mut x = Engine::new(self.settings);
            x.know(&topology);
            x.choose_by(self.plan.seed);
            write_script(sequence, &mut x)?;
            let output = run(&mut x, program);
            if !topology.add(x.learned.drain(..)) {
                let execution = self.ended(&x, output.as_ref());
                break (x, execution);
            }
        };
        if let Some(d) = &x.divergence {
            return Err(left(sequence, &execution.sequence, d));
        }
        if !is_real(&x) {
            return Err(ReplayError::Unreal);
        }
        first_difference(sequence, &execution.sequence, whole).map_or(Ok(execution), Err)
    }
}
