//! Compares mutants with their originals, in worker processes.
//!
//! Each slot has a worker for every program, and starts a new one when one has died: a mutant that aborts, exhausts
//! memory or spins ends its worker and nothing else. What earlier mutants have left behind (memory, locks, threads that
//! keep running) must not affect a result, so if a mutant ends a worker that had served other mutants, it is run again in
//! a new worker. A witness then decides whether the death counts.
//!
//! A worker that is [disturbed](crate::disturbance) shows nothing about its mutant, which is run again in a new worker;
//! after [`ATTEMPTS`](crate::disturbance::ATTEMPTS) disturbed workers the mutant is undecided.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Result;
use insyn_mutator::Numbered;
use insyn_verdicts::protocol::{Answer, Compare, Journal, Moment, Request};

use super::original::Original;
use super::state::{Limits, MutantResult, ProgramResult};
use super::threads;
use crate::exit::{self, Ended, Exit};
use crate::interrupt;
use crate::worker::{self, Death, Worker};

/// All idle workers of a slot together may have this fraction of the memory that one worker may have.
const SHARE: u64 = 4;

/// Runs mutants on this many slots, and passes each result to `done`. Workers keep their journals in a directory. It is an
/// error if an interrupt comes before all results are known.
pub(crate) fn run(
    mutants: &[&Numbered],
    originals: &[Original],
    limits: Limits,
    slots: usize,
    journals: &Path,
    mut done: impl FnMut(MutantResult) -> Result<()>,
) -> Result<()> {
    let start = |number: usize| {
        let mut slot = Slot { originals, limits, workers: BTreeMap::new(), number, journals };
        move |mutant: &&Numbered| slot.run(mutant)
    };
    let mut known = 0;
    threads::work(mutants, slots, start, interrupt::happened, |result| match result {
        // Other slots may still have results.
        Err(error) if exit::of(&error) == Exit::Interrupted => Ok(()),
        result => {
            known += 1;
            done(result?)
        }
    })?;
    // Interrupted slots leave mutants without a result.
    if known < mutants.len() {
        return Err(Ended::new(Exit::Interrupted, "interrupted").into());
    }
    Ok(())
}

/// The result of a mutant that no program reaches, without running it: undecided with a program that was not explored
/// completely.
pub(crate) fn unreached(mutant: &Numbered, originals: &[Original]) -> MutantResult {
    let mut with = BTreeMap::new();
    for (place, original) in originals.iter().enumerate() {
        if original.reaches(mutant.number).is_none() {
            let why = format!(
                "program `{}` was not explored to its end, and as far as it was, it does not come to the code that the \
                 mutant changes",
                original.program.name
            );
            with.insert(place, ProgramResult::Refused(why));
        }
    }
    MutantResult { number: mutant.number, id: mutant.mutant.id(), with }
}

/// A mutant that cannot be run with any program, and why.
pub(crate) fn undecided(mutant: &Numbered, originals: &[Original], why: &str) -> MutantResult {
    let with = (0..originals.len()).map(|place| (place, ProgramResult::Refused(why.to_owned()))).collect();
    MutantResult { number: mutant.number, id: mutant.mutant.id(), with }
}

struct Slot<'o> {
    originals: &'o [Original],
    limits: Limits,
    /// By the place of the program in the list.
    workers: BTreeMap<usize, Worker>,
    number: usize,
    journals: &'o Path,
}

impl Slot<'_> {
    /// Runs a mutant with every program that reaches it.
    fn run(&mut self, mutant: &Numbered) -> Result<MutantResult> {
        let mut result = unreached(mutant, self.originals);
        for (place, original) in self.originals.iter().enumerate() {
            if original.reaches(mutant.number) == Some(true) {
                result.with.insert(place, self.compare(place, original, mutant.number)?);
            }
        }
        Ok(result)
    }

    fn compare(&mut self, place: usize, original: &Original, mutant: u32) -> Result<ProgramResult> {
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
        with.or_else(|error| match exit::disturbance(&error) {
            Some(disturbance) => Ok(ProgramResult::Disturbed(disturbance.to_string())),
            None => Err(error),
        })
    }

    fn attempt(&mut self, place: usize, original: &Original, compare: &Compare) -> Result<ProgramResult> {
        self.tidy_up();
        // If a worker cannot be started, that is no fault of the mutant.
        let (mut worker, is_new) = match self.workers.remove(&place) {
            Some(worker) => (worker, false),
            None => (self.start(place, original)?, true),
        };
        match worker.ask(&Request::Compare(compare.clone()), |_, _| {}) {
            Ok(Answer::Compared(compared)) => {
                self.keep(place, worker);
                Ok(ProgramResult::Compared(compared))
            }
            Ok(other) => {
                let message = format!("the program answered something else: {other:?}");
                Err(Ended::new(Exit::WorkerDied, message).into())
            }
            Err(error) => match exit::of(&error) {
                Exit::Refused => {
                    self.keep(place, worker);
                    Ok(ProgramResult::Refused(format!("{error:#}")))
                }
                Exit::WorkerDied if exit::disturbance(&error).is_none() => {
                    match worker.how_it_died(compare.patience) {
                        _ if !is_new => self.attempt(place, original, compare),
                        Death::Died(how) | Death::Looped(how) => {
                            self.post_mortem(place, original, compare, how)
                        }
                        Death::Undecided(why) => Ok(ProgramResult::Refused(why)),
                    }
                }
                _ => Err(error),
            },
        }
    }

    /// Keeps a worker for the next mutant.
    fn keep(&mut self, place: usize, mut worker: Worker) {
        worker.rest();
        self.workers.insert(place, worker);
    }

    /// Ends idle workers whose mutants have left running threads or much memory behind, and removes those that were killed
    /// meanwhile.
    fn tidy_up(&mut self) {
        self.workers.retain(|_, worker| worker.is_fit());
        let mut sizes: Vec<(u64, usize)> =
            self.workers.iter().map(|(it, worker)| (worker.memory(), *it)).collect();
        let mut all: u64 = sizes.iter().map(|(size, _)| size).sum();
        sizes.sort_unstable();
        // The worker that runs now may have the whole limit to itself.
        while all > (self.limits.memory << 20) / SHARE
            && let Some((size, place)) = sizes.pop()
        {
            self.workers.remove(&place);
            all -= size;
        }
    }

    /// The journal of the worker of a program.
    fn journal(&self, place: usize) -> PathBuf {
        self.journals.join(format!("journal{}-{place}", self.number))
    }

    fn start(&self, place: usize, original: &Original) -> Result<Worker> {
        let Limits { memory, patience, .. } = self.limits;
        Worker::start_for_mutants(&original.program, memory, patience, &self.journal(place))
    }

    /// What the death of a worker shows about its mutant. The run in which it died may be inconsistent, so another worker
    /// repeats the run up to the last event before the death, and reports whether it is consistent.
    fn post_mortem(
        &self,
        place: usize,
        original: &Original,
        compare: &Compare,
        how: String,
    ) -> Result<ProgramResult> {
        let undecided = |why: &str| Ok(ProgramResult::Refused(format!("{how}, {why}")));
        let Some(moment) = fs::read(self.journal(place))
            .ok()
            .and_then(|bytes| Journal::of(&bytes))
            .map(|journal| journal.moment)
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
            Moment { events: 0, .. } => return Ok(ProgramResult::Died(how)),
            _ => {}
        }
        let request = Request::Compare(Compare { died_at: Some(moment), ..compare.clone() });
        let testimony = worker::persist(|| {
            let mut witness = self.start(place, original)?;
            match witness.ask(&request, |_, _| {}) {
                Err(error)
                    if exit::disturbance(&error).is_some() || exit::of(&error) == Exit::Interrupted =>
                {
                    Err(error)
                }
                answer => Ok(answer),
            }
        });
        match testimony {
            Ok(Ok(Answer::Testified { real: true })) => Ok(ProgramResult::Died(how)),
            Ok(Ok(Answer::Testified { real: false })) => undecided(
                "but in an execution that no real objects could do, which is as far as it was explored",
            ),
            Ok(_) => {
                undecided("but not when it was run again: something that insyn does not control decides that")
            }
            Err(error) => match exit::disturbance(&error) {
                Some(disturbance) => Ok(ProgramResult::Disturbed(format!(
                    "{how}, but when it was run again to confirm that, {disturbance}"
                ))),
                None => Err(error),
            },
        }
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        // The journals are no longer needed: no death will be examined any more.
        self.workers.clear();
        for place in 0..self.originals.len() {
            let _ = fs::remove_file(self.journal(place));
        }
    }
}
