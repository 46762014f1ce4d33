//! What insyn sees of a program at all: whether anything of it is under control, and which threads did nothing.
//!
//! An execution without a single synchronization event has no races, so an exploration of such a program is complete after
//! one execution, whatever real threads and real locks did meanwhile. [`Sights`] is how that is noticed. Once a worker
//! has seen every thread do something, an execution costs it three comparisons ([`Sights::look`]).

use std::collections::BTreeMap;

use crate::engine::Engine;
use crate::engine::ids::{ProcessId, Values};
use crate::engine::process::Path;
use crate::engine::record::event::{Event, Kind, Op};
use crate::engine::threads::Thread;

/// What a worker has seen in its executions.
#[derive(Default, Debug)]
pub(crate) struct Sights {
    synchronizes: bool,
    /// By process: what it is known to be.
    threads: Values<ProcessId, Sight>,
    /// The threads that are idle so far, and what they are called.
    idle: BTreeMap<ProcessId, String>,
    /// How many processes there were at the last look.
    known: usize,
}

#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
enum Sight {
    /// No thread, or one that has not been there yet.
    #[default]
    Nothing,
    /// A thread that has had no event in any execution so far.
    Idle,
    /// A thread that has had one.
    Active,
}

/// What the workers of an exploration have seen together.
#[derive(Default, Debug)]
pub(crate) struct Seen {
    /// Some execution has synchronized, or started a thread that is under control.
    pub(crate) synchronizes: bool,
    /// What the threads are called that are idle.
    threads: BTreeMap<Path, Option<String>>,
}

impl Sights {
    /// Looks at the run that has just ended.
    #[inline]
    pub(crate) fn look(&mut self, engine: &Engine) {
        if !self.idle.is_empty() || self.known != engine.processes.len() || !self.synchronizes {
            self.look_closely(engine);
        }
    }

    #[cold]
    fn look_closely(&mut self, engine: &Engine) {
        self.known = engine.processes.len();
        self.synchronizes |= engine.threads.len() > 1 || engine.run.events.iter().any(is_synchronization);
        if engine.threads.len() > 1 {
            self.threads.extend_to(self.known, Sight::Nothing);
        }
        // The first is that of the closure under test.
        for thread in engine.threads.iter().skip(1) {
            let acts = engine.events_of(thread.process) > 0 || thread.made[Kind::Thread as usize] > 0;
            let sight = &mut self.threads[thread.process];
            match (*sight, acts) {
                (Sight::Nothing, false) => {
                    *sight = Sight::Idle;
                    self.idle.insert(thread.process, name(engine, thread));
                }
                (Sight::Nothing, true) => *sight = Sight::Active,
                (Sight::Idle, true) => {
                    *sight = Sight::Active;
                    self.idle.remove(&thread.process);
                }
                (Sight::Idle, false) | (Sight::Active, _) => {}
            }
        }
    }

    /// What it has seen, by names that all workers know. Those that are active matter only beside other workers.
    pub(crate) fn seen(&self, engine: &Engine, with_active: bool) -> Seen {
        if self.threads.len() == 0 {
            return Seen { synchronizes: self.synchronizes, threads: BTreeMap::new() };
        }
        let idle = self.idle.iter().map(|(&process, name)| (process, Some(name.clone())));
        let is_active = |&(_, sight): &(ProcessId, &Sight)| with_active && *sight == Sight::Active;
        let active = self.threads.pairs().filter(is_active).map(|(process, _)| (process, None));
        let threads =
            idle.chain(active).map(|(process, name)| (engine.processes.path(process), name)).collect();
        Seen { synchronizes: self.synchronizes, threads }
    }
}

/// Whether an event is one of the program itself, and not only a name for a moment or the turn of a forced one.
fn is_synchronization(event: &Event) -> bool {
    !matches!(event.op, Op::Label | Op::Turn | Op::Done)
}

/// The id of a thread, and what it is called.
fn name(engine: &Engine, thread: &Thread) -> String {
    let id = engine.processes.id(thread.process);
    thread.title().map_or_else(|| id.to_owned(), |title| format!("{id} ({title})"))
}

impl Seen {
    /// Adds what another worker has seen.
    pub(crate) fn merge(&mut self, other: Seen) {
        self.synchronizes |= other.synchronizes;
        if self.threads.is_empty() {
            self.threads = other.threads;
            return;
        }
        for (path, theirs) in other.threads {
            // Of two names the same one, whoever comes first; of a thread that is active somewhere, none.
            self.threads
                .entry(path)
                .and_modify(|mine| *mine = mine.take().min(theirs.clone()))
                .or_insert(theirs);
        }
    }

    /// The threads that had no event in any execution.
    pub(crate) fn idle_threads(self) -> Vec<String> {
        match self.threads.is_empty() {
            true => Vec::new(),
            false => self.threads.into_values().flatten().collect(),
        }
    }
}
