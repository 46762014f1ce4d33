//! Controlled execution: runs a program's threads as coroutines on one OS thread and decides every pick.
//!
//! One [`Engine`] lives in each worker and is used for all its runs. A run first follows a [`Script`] (the kept part of a
//! variant) and then chooses freely, process by process: since the kept events are closed under happens-before and all
//! their picks are fixed, a process that is past its script may go on while others still follow theirs. Threads run until
//! they must wait, so most operations need no context switch.
//!
//! From the bottom up:
//!
//! - [`ids`], [`process`]: how events, threads, objects and processes are named, in a run and across runs;
//! - [`objects`]: what each kind of object does with a call, as a function of its state;
//! - [`record`]: events and the recorded run; [`script`]: the part of an earlier run that a run repeats;
//! - [`live`] and [`threads`]: the objects and threads of the running program; `recorder`: how the record grows, against the
//!   script;
//! - [`schedule`]: whose turn it is, how operations begin and wait;
//! - [`ports`]: channels whose receives are events of threads and pick a send; [`calls`]: calls of objects, and the
//!   completions that pick them; [`channels`]: selects over both; [`joins`]: how threads start and are joined;
//!   [`wait_groups`]: ports that only end;
//! - [`lifecycle`]: the loop that runs threads, from the first thread to the teardown of all that is left;
//! - [`refinement`]: facts that an exploration starts again with; [`forcing`]: programs that are made to follow a sequence;
//! - [`access`]: how everything else reaches the engine of the program that is running.
//!
//! Beside these, [`coroutine`] is the only file that touches the coroutine library, [`journal`] and [`watchdog`] are for
//! programs that end their process or make no progress, [`system`] is what insyn asks of the operating system, and
//! [`rules`] names every rule of the exploration.
//!
//! Users depend on `insyn`; nothing here is a stable interface.

#![allow(
    missing_docs,
    rustdoc::private_intra_doc_links,
    clippy::len_without_is_empty,
    clippy::new_without_default,
    clippy::result_unit_err,
    clippy::should_implement_trait,
    reason = "an interface between crates of this workspace, not one for strangers"
)]

pub mod access;
pub mod calls;
pub mod channels;
pub mod clock;
pub mod coroutine;
pub mod delivery;
pub mod ending;
pub mod flags;
pub mod forcing;
pub mod guard;
pub mod ids;
pub mod joins;
pub mod journal;
pub mod lifecycle;
pub mod limits;
pub mod live;
pub mod mixer;
pub mod objects;
pub mod place;
pub mod ports;
pub mod process;
pub mod record;
mod recorder;
pub mod refinement;
pub mod rules;
pub mod schedule;
pub mod script;
pub mod shared;
mod slots;
pub mod statics;
pub mod system;
pub mod threads;
pub mod wait_groups;
pub mod watchdog;

use std::sync::Arc;
use std::time::Duration;

use crate::calls::completions::Partners;
use crate::clock::Clock;
use crate::coroutine::Stacks;
use crate::ending::Ending;
use crate::forcing::Turns;
use crate::ids::{EventId, ExecutionId, Id as _, ProcessId, Table, ThreadId};
use crate::journal::Entries;
use crate::limits::Limits;
use crate::live::{Object, Objects};
use crate::objects::Liberties;
use crate::process::Processes;
use crate::record::event::Kind;
use crate::record::notes::Notes;
use crate::record::run::RecordedRun;
use crate::rules::Rules;
use crate::schedule::Schedule;
use crate::schedule::polls::Polls;
use crate::script::playback::Playback;
use crate::script::{Pace, Script};
use crate::statics::Statics;
use crate::threads::Thread;
use crate::threads::panics::Panics;
use crate::watchdog::Pulse;

pub use crate::ending::{Divergence, Found};
pub use crate::place::{NOWHERE, Place, same_place};
pub use crate::recorder::Plan;
pub use crate::threads::WaitFor;
pub use crate::threads::panics::PanicInfo;

/// Limits and choices that hold for every run.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    pub max_steps: u64,
    /// How many bytes of records a worker may have.
    pub record_limit: usize,
    pub liberties: Liberties,
    /// A load has its place in the order of its variable.
    pub ordered_loads: bool,
    /// A thread that polls and yields waits until what it polls has changed.
    pub patient_polling: bool,
    pub stack_size: usize,
    /// How long a program may do nothing before the watchdog warns.
    pub patience: Duration,
    pub rules: Rules,
    /// Whether real objects could have done the run so far; called to record the answer in case the process dies.
    pub is_consistent: fn(&RecordedRun, &Settings) -> bool,
    /// The smallest number of words in which the analysis keeps what happened before an event. Larger numbers take other
    /// code paths, for tests.
    pub least_words: usize,
}

/// The state of a run, and the memory that all runs of a worker share.
pub struct Engine {
    pub settings: Settings,
    pub processes: Processes,
    /// What the run is to repeat, and how much of it has been done.
    pub script: Script,
    playback: Playback,
    /// What this run has done so far.
    pub run: RecordedRun,
    pub threads: Table<ThreadId, Thread>,
    pub objects: Objects,
    pub schedule: Schedule,
    pub limits: Limits,
    /// What the program is forced to do, and how much of it has been done.
    pub turns: Turns,
    clock: Clock,
    statics: Statics,
    polls: Polls,
    pub panics: Panics,
    notes: Notes,
    /// The puts of selects whose messages are there, each with the last event of its thread before the handover.
    handovers: Vec<(EventId, Option<EventId>)>,
    pub ending: Ending,
    phase: Phase,
    /// The run.
    id: ExecutionId,
    /// Memory for what a completion takes.
    partners: Partners,
    pulse: Arc<Pulse>,
    /// What remains when the process dies, if the parent process asks for it.
    journal: Option<&'static Entries>,
    stacks: Stacks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No program is running.
    Idle,
    Running,
    /// The program is over; what is left of it is being dropped.
    Teardown,
}

impl Engine {
    pub fn new(settings: Settings) -> Self {
        Engine {
            settings,
            processes: Processes::new(),
            script: Script::default(),
            playback: Playback::default(),
            run: RecordedRun::default(),
            threads: Table::new(Thread::blank),
            objects: Objects::new(Object::blank),
            schedule: Schedule::default(),
            limits: Limits::default(),
            turns: Turns::default(),
            clock: Clock::default(),
            statics: Statics::default(),
            polls: Polls::default(),
            panics: Panics::default(),
            notes: Notes::default(),
            handovers: Vec::new(),
            ending: Ending::default(),
            phase: Phase::Idle,
            id: ExecutionId::first_of_a_worker(),
            partners: Partners::new(),
            pulse: Pulse::watched(settings.patience),
            journal: journal::of_process(),
            stacks: Stacks::new(settings.stack_size),
        }
    }

    /// Starts another run. Every field is named, here and in each part, so that none can be forgotten: state left there
    /// would leak into the next run.
    fn reset(&mut self) {
        let Engine {
            settings,
            processes,
            script,
            playback,
            run,
            threads,
            objects,
            schedule,
            limits,
            turns,
            clock,
            statics,
            polls,
            panics,
            notes,
            handovers,
            ending,
            id,
            // Set when the run begins and ends.
            phase: _,
            // Memory that is overwritten.
            partners: _,
            // The same for all runs.
            pulse: _,
            journal: _,
            stacks: _,
        } = self;
        if !settings.rules.keep_scripts() {
            script.bend(settings.rules);
        }
        run.clear();
        playback.reset(script, processes.len());
        threads.clear();
        objects.clear();
        schedule.reset(turns.forcing.is_some() || script.doubtful);
        schedule.look_again_after(limits.first_look(), settings.max_steps);
        clock.reset();
        statics.reset();
        polls.reset();
        panics.reset();
        notes.reset();
        handovers.clear();
        ending.reset();
        *id = id.next();
    }

    /// The run that is running, or was last.
    pub fn id(&self) -> ExecutionId {
        self.id
    }

    /// A unique number of the worker that this engine belongs to.
    pub fn worker(&self) -> u64 {
        self.id.worker()
    }

    /// Names a new process made by the running thread, or by a static that it touches first.
    #[inline]
    pub(crate) fn new_process(&mut self, kind: Kind) -> ProcessId {
        let thread = &mut self.threads[self.schedule.running];
        let (process, creator) = (thread.process, thread.creator);
        let number = if creator == process {
            thread.made[kind as usize] += 1;
            thread.made[kind as usize]
        } else {
            self.count_in_static(creator, kind)
        };
        self.child_process(creator, kind, number)
    }

    #[inline]
    pub fn child_process(&mut self, parent: ProcessId, kind: Kind, number: u32) -> ProcessId {
        let process = self.processes.child(parent, kind, number);
        if process.place() > self.playback.paces.len() {
            self.make_room();
        }
        process
    }

    /// A process has been observed for the first time.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.playback.paces.extend_to(self.processes.len(), Pace::FREE);
    }
}
