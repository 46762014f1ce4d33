//! Compares mutants with their originals, in worker processes.
//!
//! Each slot has a worker for every program, and a new one when one has died: a mutant that aborts, exhausts memory or
//! spins takes its worker with it, and nothing else.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::Result;
use insyn::program::protocol::{Answer, Compare, Request};
use insyn_mutator::Numbered;

use super::original::Original;
use super::state::{Fate, With};
use crate::exit::{self, Ended, Exit};
use crate::interrupt;
use crate::worker::Worker;

/// How mutants are run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    pub(crate) max_steps: Option<u64>,
    pub(crate) max_executions: Option<u64>,
    /// Seconds without anything that insyn can see.
    pub(crate) patience: u64,
    /// Megabytes of memory.
    pub(crate) memory: u64,
}

/// Runs mutants on so many slots, and hands each to `done` when it is known.
pub(crate) fn run(
    mutants: &[&Numbered],
    originals: &[Original],
    limits: Limits,
    slots: usize,
    mut done: impl FnMut(Fate) -> Result<()>,
) -> Result<()> {
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..slots.min(mutants.len()) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                let mut slot = Slot { originals, limits, workers: BTreeMap::new() };
                while let Some(mutant) = mutants.get(next.fetch_add(1, Ordering::Relaxed)) {
                    // Nobody listens if something went wrong there.
                    if send.send(slot.run(mutant)).is_err() || interrupt::happened() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut result = Ok(());
        for fate in receive {
            result = fate.and_then(&mut done);
            if result.is_err() {
                // Those at work end with the mutants in hand.
                next.store(usize::MAX / 2, Ordering::Relaxed);
                break;
            }
        }
        result
    })
}

struct Slot<'o> {
    originals: &'o [Original],
    limits: Limits,
    /// By the place of their program.
    workers: BTreeMap<usize, Worker>,
}

impl Slot<'_> {
    /// Runs a mutant with every program that comes to it.
    fn run(&mut self, mutant: &Numbered) -> Result<Fate> {
        let mut with = BTreeMap::new();
        for (place, original) in self.originals.iter().enumerate() {
            if original.surveyed.reached.binary_search(&mutant.number).is_ok() {
                with.insert(place, self.compare(place, original, mutant.number)?);
            }
        }
        Ok(Fate { number: mutant.number, id: mutant.mutant.id(), with })
    }

    fn compare(&mut self, place: usize, original: &Original, mutant: u32) -> Result<With> {
        let Limits { max_steps, max_executions, patience, memory } = self.limits;
        let request = Request::Compare(Compare {
            survey: original.survey.clone(),
            mutant,
            max_steps,
            max_executions,
            patience: Some(patience),
        });
        let worker = match self.workers.remove(&place) {
            Some(worker) => Ok(worker),
            None => Worker::start_within(&original.program, Some(memory)),
        };
        // A worker that cannot be started is no fault of the mutant.
        let mut worker = worker?;
        match worker.ask(&request, |_, _| {}) {
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
                Exit::WorkerDied => Ok(With::Died(worker.how_it_died(patience))),
                _ => Err(error),
            },
        }
    }
}
