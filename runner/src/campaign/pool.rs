//! Compares mutants with their originals, in worker processes.
//!
//! Each slot has a worker for every program, and a new one when one has died: a mutant that aborts, exhausts memory or
//! spins takes its worker with it, and nothing else. What earlier mutants have left behind must not decide, so a mutant that
//! died in a worker which had served others is run again in a new one. Whether its death counts, a witness says.
//!
//! A worker that is killed from outside (see [`signals`](crate::signals)) says nothing about its mutant, which is run again in
//! a new one; after [`ATTEMPTS`](worker::ATTEMPTS) of them the mutant is undecided.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use insyn_mutator::Numbered;
use insyn_verdicts::protocol::{Answer, Compare, Moment, Request};

use super::crew;
use super::original::Original;
use super::state::{Fate, With};
use crate::exit::{self, Ended, Exit};
use crate::interrupt;
use crate::worker::{self, Death, Worker};

/// How mutants are run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) max_steps: Option<u64>,
    pub(crate) max_executions: Option<u64>,
    /// Seconds without anything that insyn can see; as long as the original suggests if not said.
    pub(crate) patience: Option<u64>,
    /// Megabytes of memory.
    pub(crate) memory: u64,
}

/// Runs mutants on so many slots, and hands each to `done` when it is known. Workers keep their journals in a directory. It is
/// an error if that was interrupted before all are known.
pub(crate) fn run(
    mutants: &[&Numbered],
    originals: &[Original],
    limits: Limits,
    slots: usize,
    journals: &Path,
    mut done: impl FnMut(Fate) -> Result<()>,
) -> Result<()> {
    let hire = |number: usize| {
        let mut slot = Slot { originals, limits, workers: BTreeMap::new(), number, journals };
        move |mutant: &&Numbered| slot.run(mutant)
    };
    let mut known = 0;
    crew::work(mutants, slots, hire, interrupt::happened, |fate| match fate {
        // Other slots may still know something.
        Err(error) if exit::of(&error) == Exit::Interrupted => Ok(()),
        fate => {
            known += 1;
            done(fate?)
        }
    })?;
    // Slots that were interrupted leave mutants behind.
    if known < mutants.len() {
        return Err(Ended::new(Exit::Interrupted, "interrupted").into());
    }
    Ok(())
}

/// What is known of a mutant without running it: with a program that was not run to its end, nothing.
pub(crate) fn unreached(mutant: &Numbered, originals: &[Original]) -> Fate {
    let mut with = BTreeMap::new();
    for (place, original) in originals.iter().enumerate() {
        if original.reaches(mutant.number).is_none() {
            let why = format!(
                "program `{}` was not explored to its end, and as far as it was, it does not come to the code that the \
                 mutant changes",
                original.program.name
            );
            with.insert(place, With::Refused(why));
        }
    }
    Fate { number: mutant.number, id: mutant.mutant.id(), with }
}

struct Slot<'o> {
    originals: &'o [Original],
    limits: Limits,
    /// By the place of their program.
    workers: BTreeMap<usize, Worker>,
    number: usize,
    journals: &'o Path,
}

impl Slot<'_> {
    /// Runs a mutant with every program that comes to it.
    fn run(&mut self, mutant: &Numbered) -> Result<Fate> {
        let mut fate = unreached(mutant, self.originals);
        for (place, original) in self.originals.iter().enumerate() {
            if original.reaches(mutant.number) == Some(true) {
                fate.with.insert(place, self.compare(place, original, mutant.number)?);
            }
        }
        Ok(fate)
    }

    fn compare(&mut self, place: usize, original: &Original, mutant: u32) -> Result<With> {
        let Limits { max_steps, max_executions, patience, .. } = self.limits;
        let compare = Compare {
            survey: original.survey.clone(),
            mutant,
            max_steps,
            max_executions,
            patience,
            died_at: None,
        };
        let with = worker::persist(|| self.attempt(place, original, &compare));
        with.or_else(|error| match exit::killer(&error) {
            Some(signal) => Ok(With::Disturbed(worker::killed(signal))),
            None => Err(error),
        })
    }

    fn attempt(&mut self, place: usize, original: &Original, compare: &Compare) -> Result<With> {
        // One that was killed while it had nothing to do is no loss. One that cannot be started is no fault of the mutant.
        let (mut worker, is_new) = match self.workers.remove(&place).and_then(Worker::alive) {
            Some(worker) => (worker, false),
            None => (self.start(place, original)?, true),
        };
        match worker.ask(&Request::Compare(compare.clone()), |_, _| {}) {
            Ok(Answer::Compared(compared)) => {
                self.workers.insert(place, worker);
                Ok(With::Compared(compared))
            }
            Ok(other) => {
                let message = format!("the program answered something else: {other:?}");
                Err(Ended::new(Exit::WorkerDied, message).into())
            }
            Err(error) => match exit::of(&error) {
                Exit::Refused => {
                    self.workers.insert(place, worker);
                    Ok(With::Refused(format!("{error:#}")))
                }
                Exit::WorkerDied if exit::killer(&error).is_none() => {
                    match worker.how_it_died(compare.patience) {
                        Death::Died(_) if !is_new => self.attempt(place, original, compare),
                        Death::Died(how) | Death::Looped(how) => {
                            self.post_mortem(place, original, compare, how)
                        }
                        Death::Waited => Ok(With::Refused(
                            "it waits in a lock, a channel or a call that is not under control, and does nothing else"
                                .to_owned(),
                        )),
                    }
                }
                _ => Err(error),
            },
        }
    }

    /// Where the worker of a program says what it does.
    fn journal(&self, place: usize) -> PathBuf {
        self.journals.join(format!("journal{}-{place}", self.number))
    }

    fn start(&self, place: usize, original: &Original) -> Result<Worker> {
        let journal = self.journal(place);
        fs::write(&journal, Moment::EMPTY)
            .with_context(|| format!("{} cannot be written", journal.display()))?;
        Worker::start_for_mutants(&original.program, self.limits.memory, &journal)
    }

    /// What follows from the death of a worker. What is explored need not be real, so another worker goes the same way, up
    /// to the last event before it, and says whether that is.
    fn post_mortem(&self, place: usize, original: &Original, compare: &Compare, how: String) -> Result<With> {
        let undecided = |why: &str| Ok(With::Refused(format!("{how}, {why}")));
        let Some(moment) = fs::read(self.journal(place))
            .ok()
            .and_then(|bytes| Moment::of(&bytes))
            .filter(|moment| moment.run > 0)
        else {
            return undecided("but it is not known in which execution");
        };
        match moment {
            Moment { mutant: 0, .. } => return undecided("while the original ran beside it"),
            Moment { over: true, .. } => {
                return undecided(
                    "while what was left of an execution was cleared away, which no program does",
                );
            }
            Moment { events: 0, .. } => return Ok(With::Died(how)),
            _ => {}
        }
        let request = Request::Compare(Compare { died_at: Some(moment), ..compare.clone() });
        let testimony = worker::persist(|| {
            let mut witness = self.start(place, original)?;
            match witness.ask(&request, |_, _| {}) {
                Err(error) if exit::killer(&error).is_some() || exit::of(&error) == Exit::Interrupted => {
                    Err(error)
                }
                answer => Ok(answer),
            }
        });
        match testimony {
            Ok(Ok(Answer::Testified { real: true })) => Ok(With::Died(how)),
            Ok(Ok(Answer::Testified { real: false })) => undecided(
                "but in an execution that no real objects could do, which is as far as it was explored",
            ),
            Ok(_) => {
                undecided("but not when it was run again: something that insyn does not control decides that")
            }
            Err(error) => match exit::killer(&error) {
                Some(signal) => {
                    let killed = worker::killed(signal);
                    Ok(With::Disturbed(format!("{how}, but when it was run again to confirm that, {killed}")))
                }
                None => Err(error),
            },
        }
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        // Nobody will ask any more how the workers died.
        self.workers.clear();
        for place in 0..self.originals.len() {
            let _ = fs::remove_file(self.journal(place));
        }
    }
}
