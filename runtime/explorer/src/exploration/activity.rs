//! Whether insyn observes anything of a program: whether any of it is under control, and which threads did nothing.
//!
//! An execution without a single synchronization event has no races, so an exploration of such a program is complete after
//! one execution, whatever real threads and real locks did meanwhile. [`ActivityLog`] detects this. Once a worker has
//! observed an event of every thread, an execution costs it three comparisons ([`ActivityLog::observe`]).

use std::collections::BTreeMap;

use insyn_engine::Engine;
use insyn_engine::ids::{ProcessId, Values};
use insyn_engine::process::Path;
use insyn_engine::record::event::{Event, Kind, Op};
use insyn_engine::threads::Thread;

/// The activity that a worker has observed in its executions.
#[derive(Default, Debug)]
pub(crate) struct ActivityLog {
    synchronizes: bool,
    /// By process: its activity.
    threads: Values<ProcessId, Activity>,
    /// The threads that are idle so far, and their names.
    idle: BTreeMap<ProcessId, String>,
    /// How many processes there were when last observed.
    known: usize,
}

#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
enum Activity {
    /// No thread, or one that has not been observed yet.
    #[default]
    Unknown,
    /// A thread that has had no event in any execution so far.
    Idle,
    /// A thread that has had an event.
    Active,
}

/// The activity that the workers of an exploration have observed together.
#[derive(Default, Debug)]
pub struct ObservedActivity {
    /// Some execution has synchronized, or started a thread that is under control.
    pub(crate) synchronizes: bool,
    /// The names of idle threads.
    threads: BTreeMap<Path, Option<String>>,
}

impl ActivityLog {
    /// Observes the run that has just ended.
    #[inline]
    pub(crate) fn observe(&mut self, engine: &Engine) {
        if !self.idle.is_empty() || self.known != engine.processes.len() || !self.synchronizes {
            self.observe_closely(engine);
        }
    }

    #[cold]
    fn observe_closely(&mut self, engine: &Engine) {
        self.known = engine.processes.len();
        self.synchronizes |= engine.threads.len() > 1 || engine.run.events.iter().any(is_synchronization);
        if engine.threads.len() > 1 {
            self.threads.extend_to(self.known, Activity::Unknown);
        }
        // The first thread is that of the closure under test.
        for thread in engine.threads.iter().skip(1) {
            let acts = engine.events_of(thread.process) > 0 || thread.made[Kind::Thread as usize] > 0;
            let activity = &mut self.threads[thread.process];
            match (*activity, acts) {
                (Activity::Unknown, false) => {
                    *activity = Activity::Idle;
                    self.idle.insert(thread.process, name(engine, thread));
                }
                (Activity::Unknown, true) => *activity = Activity::Active,
                (Activity::Idle, true) => {
                    *activity = Activity::Active;
                    self.idle.remove(&thread.process);
                }
                (Activity::Idle, false) | (Activity::Active, _) => {}
            }
        }
    }

    /// The observed activity, by names that all workers share. Active threads matter only if there are other workers.
    pub(crate) fn summary(&self, engine: &Engine, with_active: bool) -> ObservedActivity {
        if self.threads.len() == 0 {
            return ObservedActivity { synchronizes: self.synchronizes, threads: BTreeMap::new() };
        }
        let idle = self.idle.iter().map(|(&process, name)| (process, Some(name.clone())));
        let is_active =
            |&(_, activity): &(ProcessId, &Activity)| with_active && *activity == Activity::Active;
        let active = self.threads.pairs().filter(is_active).map(|(process, _)| (process, None));
        let threads =
            idle.chain(active).map(|(process, name)| (engine.processes.path(process), name)).collect();
        ObservedActivity { synchronizes: self.synchronizes, threads }
    }
}

/// Whether an event is one of the program itself, and not only a label or the turn of a forced event.
fn is_synchronization(event: &Event) -> bool {
    !matches!(event.op, Op::Label | Op::Turn | Op::Done)
}

/// The id of a thread, and its name.
fn name(engine: &Engine, thread: &Thread) -> String {
    let id = engine.processes.id(thread.process);
    thread.title().map_or_else(|| id.to_owned(), |title| format!("{id} ({title})"))
}

impl ObservedActivity {
    /// Adds what another worker has observed.
    pub(crate) fn merge(&mut self, other: ObservedActivity) {
        self.synchronizes |= other.synchronizes;
        if self.threads.is_empty() {
            self.threads = other.threads;
            return;
        }
        for (path, theirs) in other.threads {
            // Keeps the smaller of two names, so that the order of workers does not matter; no name for a thread that is
            // active in some execution.
            self.threads
                .entry(path)
                .and_modify(|mine| *mine = mine.take().min(theirs.clone()))
                .or_insert(theirs);
        }
    }

    /// The threads that had no event in any execution.
    pub fn idle_threads(self) -> Vec<String> {
        match self.threads.is_empty() {
            true => Vec::new(),
            false => self.threads.into_values().flatten().collect(),
        }
    }
}
