//! Controlled execution: runs a program's threads as coroutines on one OS thread and decides every pick.
//!
//! One [`Engine`] lives in each worker and is used for all its runs. A run first follows a [`Script`] (the kept
//! part of a variant) and then chooses freely, process by process: since the kept events are closed under
//! happens-before and all their picks are fixed, a process that is past its script may go on while others still
//! follow theirs. Threads run until they must wait, so most operations cost no switch at all.
//!
//! From the bottom up:
//!
//! - [`ids`], [`process`]: how events, threads, objects and processes are named, in a run and across runs;
//! - [`objects`]: what each kind of object does with a call, as a function of its state;
//! - [`record`]: events and the recorded run; [`script`]: what a run is to repeat of an earlier one;
//! - [`live`] and [`threads`]: the objects and threads of the running program; `recorder`: how the record grows, against the
//!   script;
//! - [`schedule`]: whose turn it is, how operations begin and wait;
//! - [`ports`]: channels whose receives are events of threads and pick a send; [`calls`]: calls of objects, and the
//!   completions that pick them; [`channels`]: selects over both; [`joins`]: how threads start and are joined;
//! - [`lifecycle`]: the loop that runs threads, from the first to the end of what is left of them;
//! - [`refinement`]: facts that an exploration starts again with; [`forcing`]: programs that are made to follow a sequence;
//! - [`access`]: how everything else reaches the engine of the program that is running.

pub(crate) mod access;
pub(crate) mod calls;
pub(crate) mod channels;
pub(crate) mod clock;
pub(crate) mod delivery;
pub(crate) mod ending;
pub(crate) mod flags;
pub(crate) mod forcing;
pub(crate) mod guard;
pub(crate) mod ids;
pub(crate) mod joins;
pub(crate) mod lifecycle;
pub(crate) mod live;
pub(crate) mod objects;
pub(crate) mod ports;
pub(crate) mod process;
pub(crate) mod record;
mod recorder;
pub(crate) mod refinement;
pub(crate) mod schedule;
pub(crate) mod script;
pub(crate) mod shared;
pub(crate) mod statics;
pub(crate) mod threads;

use std::sync::Arc;
use std::time::Duration;

use crate::coroutine::Stacks;
use crate::engine::calls::completions::Partners;
use crate::engine::clock::Clock;
use crate::engine::ending::Ending;
use crate::engine::forcing::Turns;
use crate::engine::ids::{EventId, ExecutionId, Id as _, ProcessId, Table, ThreadId};
use crate::engine::live::{Object, Objects};
use crate::engine::objects::Liberties;
use crate::engine::process::Processes;
use crate::engine::record::event::Kind;
use crate::engine::record::notes::Notes;
use crate::engine::record::run::RecordedRun;
use crate::engine::schedule::Schedule;
use crate::engine::schedule::polls::Polls;
use crate::engine::script::playback::Playback;
use crate::engine::script::{Pace, Script};
use crate::engine::statics::Statics;
use crate::engine::threads::Thread;
use crate::engine::threads::panics::Panics;
use crate::journal::{self, Entries};
use crate::rules::Rules;
use crate::watchdog::Pulse;

pub(crate) use crate::engine::ending::Divergence;
pub(crate) use crate::engine::recorder::Plan;
pub(crate) use crate::engine::threads::WaitFor;
pub(crate) use crate::engine::threads::panics::PanicInfo;
pub(crate) use crate::place::{NOWHERE, Place, same_place};

/// Limits and choices that hold for every run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settings {
    pub(crate) max_steps: u64,
    pub(crate) liberties: Liberties,
    /// A load has its place in the order of its variable.
    pub(crate) ordered_loads: bool,
    /// A thread that polls and yields waits until what it polls has changed.
    pub(crate) patient_polling: bool,
    pub(crate) stack_size: usize,
    /// How long a program may do nothing before the watchdog says so.
    pub(crate) patience: Duration,
    pub(crate) rules: Rules,
    /// Whether real objects could have done what a run has done so far; asked when that is to be written down in case the
    /// process dies.
    pub(crate) is_consistent: fn(&RecordedRun, &Settings) -> bool,
    /// In how many words at least the analysis keeps what happened before an event. It goes other ways when there are more.
    pub(crate) least_words: usize,
}

/// The state of a run, and the memory that all runs of a worker share.
pub(crate) struct Engine {
    pub(crate) settings: Settings,
    pub(crate) processes: Processes,
    /// What the run is to repeat, and how far it has come with that.
    pub(crate) script: Script,
    playback: Playback,
    /// What this run has done so far.
    pub(crate) run: RecordedRun,
    pub(crate) threads: Table<ThreadId, Thread>,
    pub(crate) objects: Objects,
    pub(crate) schedule: Schedule,
    /// What the program is forced to do, and how far it has come with that.
    pub(crate) turns: Turns,
    clock: Clock,
    statics: Statics,
    polls: Polls,
    pub(crate) panics: Panics,
    notes: Notes,
    /// Messages of selected puts, by the put, and what their threads had done before they were there.
    handovers: Vec<(EventId, Option<EventId>)>,
    pub(crate) ending: Ending,
    phase: Phase,
    /// The run.
    id: ExecutionId,
    /// Memory for what a completion takes.
    partners: Partners,
    pulse: Arc<Pulse>,
    /// What is left when the process dies, if somebody asks for it then.
    journal: Option<&'static Entries>,
    stacks: Stacks,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// No program is running.
    Idle,
    Running,
    /// The program can do no more; what is left of it is being dropped.
    Teardown,
}

impl Engine {
    pub(crate) fn new(settings: Settings) -> Self {
        Engine {
            settings,
            processes: Processes::new(),
            script: Script::default(),
            playback: Playback::default(),
            run: RecordedRun::default(),
            threads: Table::new(Thread::blank()),
            objects: Objects::new(Object::blank()),
            schedule: Schedule::default(),
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

    /// Starts another run. Every field is named, here and in each part, so that none can be forgotten: what one run left there
    /// would leak into the next.
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
    pub(crate) fn id(&self) -> ExecutionId {
        self.id
    }

    /// A number that no other has: by whom processes are numbered.
    pub(crate) fn worker(&self) -> u64 {
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
    pub(crate) fn child_process(&mut self, parent: ProcessId, kind: Kind, number: u32) -> ProcessId {
        let process = self.processes.child(parent, kind, number);
        if process.place() > self.playback.paces.len() {
            self.make_room();
        }
        process
    }

    /// A process has been met for the first time.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.playback.paces.extend_to(self.processes.len(), Pace::FREE);
    }
}
