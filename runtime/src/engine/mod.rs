//! Controlled execution: runs a program's threads as coroutines on one OS thread and decides every pick.
//!
//! One [`Engine`] lives in each worker and is used for all its runs. A run first follows a [`Script`] (the kept
//! part of a variant) and then chooses freely, process by process: since the kept events are closed under
//! happens-before and all their picks are fixed, a process that is past its script may go on while others still
//! follow theirs. Threads run until they must wait, so most operations cost no switch at all.
//!
//! - [`event`]: what is recorded, [`recording`]: when it happens; [`process`]: names that hold across runs; [`script`]: what
//!   to replay;
//! - [`life`]: the loop that runs threads, from the first to the end of what is left of them; [`threads`]: what is known of
//!   each, spawning, joining, blocking; [`stepping`]: how they begin an operation, and wait; [`outcomes`]: what they return;
//!   [`panics`]; [`renewing`]: renewed events that never happened;
//! - [`polling`]: loops that look at something again and again;
//! - [`ports`]: channels whose receives are on a thread and pick a send; [`receiving`]: which one; [`unreceived`]: of which;
//! - [`calling`]: calls of objects; [`objects`]: completions on an object that pick a call; [`openness`]: which they could
//!   pick; [`effects`]: what they do;
//! - [`channels`], [`atomics`], [`once`], [`monitors`], [`counting`], [`clock`]: what is made of these;
//! - [`topology`]: facts that an exploration starts again with; [`shared`]: what the handles of an object share;
//! - [`chance`]: where free choices come from; [`whereabouts`]: what a search through all of them remembers.

pub(crate) mod access;
pub(crate) mod atomics;
pub(crate) mod calling;
pub(crate) mod chance;
pub(crate) mod channels;
pub(crate) mod choices;
pub(crate) mod clock;
pub(crate) mod completions;
pub(crate) mod counting;
pub(crate) mod delivery;
pub(crate) mod event;
mod flags;
pub(crate) mod forcing;
mod guessing;
pub(crate) mod happenings;
pub(crate) mod ids;
pub(crate) mod life;
pub(crate) mod live;
pub(crate) mod locals;
pub(crate) mod monitors;
pub(crate) mod naming;
pub(crate) mod objects;
pub(crate) mod once;
pub(crate) mod outcomes;
pub(crate) mod panics;
pub(crate) mod place;
pub(crate) mod polling;
pub(crate) mod ports;
pub(crate) mod process;
pub(crate) mod receiving;
pub(crate) mod recorded;
mod recording;
mod renewing;
pub(crate) mod script;
mod settling;
pub(crate) mod shared;
pub(crate) mod stepping;
pub(crate) mod threads;
pub(crate) mod topology;
pub(crate) mod unreceived;
mod whereabouts;

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use insyn_sequences::Label;

use crate::coroutine::Stacks;
use crate::journal::{self, Entries};
use crate::macro_support::Place as TextPlace;
use crate::rules::Rules;
use crate::watchdog::Pulse;
use chance::{Chance, List};
use completions::Partners;
use event::Kind;
use ids::{EventId, ExecutionId, Id as _, ProcessId, Table, ThreadId, Values};
use live::{Object, Objects};
use objects::Liberties;
use process::Processes;
use recorded::RecordedRun;
use script::{Pace, Script};
use threads::Thread;
use topology::Fact;

pub(crate) use panics::PanicInfo;
pub(crate) use place::{NOWHERE, Place, same_place};
pub(crate) use recording::{Divergence, Plan};
pub(crate) use threads::WaitFor;

/// How many operations a thread may start before others that are ready have their turn.
const LONGEST_BURST: u64 = 1000;

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
    /// In how many words at least the analysis keeps what happened before an event. It goes other ways when there are more.
    pub(crate) least_words: usize,
}

/// The state of a run, and the memory that all runs of a worker share.
pub(crate) struct Engine {
    pub(crate) settings: Settings,
    pub(crate) processes: Processes,
    pub(crate) script: Script,
    /// What this run has done so far.
    pub(crate) run: RecordedRun,
    /// By process: how far it has come.
    paces: Values<ProcessId, Pace>,
    /// By event of the past run: the event of this run that repeats it.
    repeated: Values<EventId, Option<EventId>>,
    pub(crate) threads: Table<ThreadId, Thread>,
    pub(crate) objects: Objects,
    /// They have been made in the order in which the past run of the script made its own, so that they have the same numbers.
    same_objects: bool,
    ready: VecDeque<ThreadId>,
    /// Threads that wait with a timeout, which fires only when nothing else can move.
    patient: Vec<ThreadId>,
    /// The thread that runs; of no meaning while no program does.
    pub(crate) running: ThreadId,
    /// How many threads have not come to their end.
    pub(crate) unfinished: u32,
    /// Some thread has panicked and not caught it.
    pub(crate) any_panicked: bool,
    /// Some thread has ended with something that it takes user code to drop.
    leaves_results: bool,
    /// How many threads wait for the end of another.
    pub(crate) joining: u32,
    /// How many threads wait to see a version of a variable.
    reading: u32,
    /// Memory for what a completion takes.
    partners: Partners,
    /// Messages of selected puts, by the put, and what their threads had done before they were there.
    handovers: Vec<(EventId, Option<EventId>)>,
    /// By event: the time at which it happened, as far as anybody has asked.
    times: Values<EventId, u64>,
    /// How long a thread slept before an event.
    slept: BTreeMap<(ProcessId, u32), u64>,
    /// What the statics of the program hold, and how many processes of which kind each has made.
    statics: Vec<naming::StaticValue>,
    static_counts: BTreeMap<(ProcessId, Kind), u32>,
    /// Facts that this run has shown. It is of no use then.
    pub(crate) learned: Vec<Fact>,
    phase: Phase,
    /// What is known about threads that poll; whether some are being tested.
    polls: Vec<polling::Known>,
    tests_polls: bool,
    /// Before every operation something is to be asked, and before every turn whose it is: choices are random, the program
    /// is forced or put to the test, or follows what was written.
    asks: bool,
    /// How many events there were when a thread was last chosen because it follows what was written.
    followed_at: Option<usize>,
    /// Operations that threads have started.
    steps: u64,
    /// How many objects they have made.
    made: u32,
    /// When the running thread has started so many, others that are ready have their turn.
    turn_ends: u64,
    /// Up to this many nothing is to be asked: neither whether there may be more nor whose turn it is. Zero when choices
    /// are random, and when the run is over.
    unasked: u64,
    /// Threads that sleep in the middle of a panic.
    unwinding_asleep: u32,
    /// What the program wants to be called when it panics; whether that is at work.
    pub(crate) hook: Option<panics::Hook>,
    in_hook: bool,
    /// The run.
    id: ExecutionId,
    /// What the program is forced to do, and how far it has come with that.
    pub(crate) turns: forcing::Turns,
    /// Where events really are that seem to be elsewhere, by event.
    told: Vec<(EventId, TextPlace)>,
    /// What the program called its moments, by event.
    labels: Vec<(EventId, Label)>,
    /// Where free choices come from; none if they are fixed.
    chance: Option<Chance>,
    pulse: Arc<Pulse>,
    /// What is left when the process dies, if somebody asks for it then.
    journal: Option<&'static Entries>,
    stacks: Stacks,
    /// Nobody is to go on: the run has reached a bound or a stack's end, left its script, or shown a fact.
    is_cut: bool,
    pub(crate) bound_hit: bool,
    pub(crate) divergence: Option<Divergence>,
    pub(crate) panics: Vec<PanicInfo>,
    /// The thread whose stack overflowed: the program as a whole is over.
    pub(crate) overflowed: Option<ThreadId>,
    pub(crate) leaked: u64,
    /// An object was used that does not belong to this run.
    pub(crate) foreign: bool,
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
            run: RecordedRun::default(),
            paces: Values::default(),
            repeated: Values::default(),
            threads: Table::new(Thread::blank()),
            objects: Objects::new(Object::blank()),
            same_objects: true,
            ready: VecDeque::new(),
            patient: Vec::new(),
            running: ThreadId::FIRST,
            unfinished: 0,
            any_panicked: false,
            leaves_results: false,
            joining: 0,
            reading: 0,
            partners: Partners::new(),
            handovers: Vec::new(),
            times: Values::with(0),
            slept: BTreeMap::new(),
            statics: Vec::new(),
            static_counts: BTreeMap::new(),
            learned: Vec::new(),
            phase: Phase::Idle,
            polls: Vec::new(),
            tests_polls: false,
            asks: false,
            followed_at: None,
            steps: 0,
            made: 0,
            turn_ends: 0,
            unasked: 0,
            unwinding_asleep: 0,
            hook: None,
            in_hook: false,
            id: ExecutionId::first_of_a_worker(),
            turns: forcing::Turns::default(),
            told: Vec::new(),
            labels: Vec::new(),
            chance: None,
            pulse: Pulse::watched(settings.patience),
            journal: journal::of_process(),
            stacks: Stacks::new(settings.stack_size),
            is_cut: false,
            bound_hit: false,
            divergence: None,
            panics: Vec::new(),
            overflowed: None,
            leaked: 0,
            foreign: false,
        }
    }

    /// Free choices of the next run are random by this seed, or fixed.
    pub(crate) fn choose_by(&mut self, seed: Option<u64>) {
        self.chance = seed.map(Chance::by);
    }

    /// Free choices of the next run are the first of a list; [`choose_next`](Self::choose_next) goes on from there.
    pub(crate) fn choose_from(&mut self, list: List) {
        self.chance = Some(Chance::Listed(list));
    }

    /// Free choices of the next run are the next of the list; false if every one has been made.
    pub(crate) fn choose_next(&mut self) -> bool {
        let Some(Chance::Listed(list)) = &mut self.chance else { return false };
        list.advance()
    }

    /// Whether the run was left where another had been, so that it shows nothing.
    pub(crate) fn was_left_early(&self) -> bool {
        matches!(&self.chance, Some(Chance::Listed(list)) if list.was_left_early())
    }

    fn reset(&mut self) {
        self.run.clear();
        self.paces.copy(self.script.paces(), self.processes.len(), Pace::FREE);
        if !self.settings.rules.keep_scripts() {
            self.script.bend(self.settings.rules);
        }
        self.repeated.fill(self.script.past.events.len(), None);
        self.steps = 0;
        self.made = 0;
        self.tests_polls = false;
        self.asks = self.chance.is_some() || self.turns.forcing.is_some() || self.script.doubtful;
        self.followed_at = None;
        self.threads.clear();
        self.objects.clear();
        self.same_objects = true;
        self.unfinished = 0;
        self.any_panicked = false;
        self.leaves_results = false;
        self.joining = 0;
        self.reading = 0;
        self.handovers.clear();
        self.labels.clear();
        self.told.clear();
        self.times.clear();
        // To clear a map takes it apart, even if it is empty; most programs neither sleep nor have statics.
        if !self.slept.is_empty() {
            self.slept.clear();
        }
        if !self.static_counts.is_empty() {
            self.static_counts.clear();
        }
        self.learned.clear();
        self.ready.clear();
        self.patient.clear();
        self.is_cut = false;
        self.bound_hit = false;
        self.divergence = None;
        self.panics.clear();
        self.overflowed = None;
        self.leaked = 0;
        self.foreign = false;
        self.id = self.id.next();
    }

    /// The run that is running, or was last.
    pub(crate) fn id(&self) -> ExecutionId {
        self.id
    }

    /// A number that no other has: by whom processes are numbered.
    pub(crate) fn worker(&self) -> u64 {
        self.id.worker()
    }

    /// Operations that threads have started.
    pub(crate) fn steps(&self) -> u64 {
        self.steps
    }

    /// Counts towards the bound on steps. False if there may be none any more.
    pub(crate) fn step(&mut self) -> bool {
        self.steps += 1;
        if let Some(Chance::Listed(list)) = &mut self.chance {
            list.begin(self.running);
        }
        self.may_go_on()
    }

    /// Whether the operation that was counted last is within bounds.
    pub(crate) fn may_go_on(&self) -> bool {
        self.phase == Phase::Running
            && self.divergence.is_none()
            && self.learned.is_empty()
            && self.steps <= self.settings.max_steps
    }

    /// The turn of a thread begins.
    #[inline]
    fn begin_turn(&mut self) {
        self.turn_ends = self.steps + LONGEST_BURST;
        self.unasked = if self.asks { 0 } else { self.settings.max_steps.min(self.turn_ends - 1) };
    }

    /// Whether another thread should go first: by chance, or because this one has long had its turn. (A thread that never
    /// waits would otherwise keep all others from running at all.)
    fn must_give_way(&mut self) -> bool {
        match &mut self.chance {
            Some(Chance::Random(rng)) => rng.below(2) == 1,
            // The next choice is between all threads, this one included.
            Some(Chance::Listed(list)) => {
                list.begin(self.running);
                !self.ready.is_empty() || !self.patient.is_empty()
            }
            None => self.steps >= self.turn_ends && !self.ready.is_empty(),
        }
    }

    /// One of `n` free choices.
    #[inline]
    pub(crate) fn choose(&mut self, n: usize) -> usize {
        match &mut self.chance {
            Some(chance) if n > 1 => chance.below(n),
            _ => 0,
        }
    }

    pub(crate) fn is_random(&self) -> bool {
        self.chance.is_some()
    }

    /// Names a new process made by the running thread, or by a static that it touches first.
    #[inline]
    pub(crate) fn new_process(&mut self, kind: Kind) -> ProcessId {
        let thread = &mut self.threads[self.running];
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
        if process.place() > self.paces.len() {
            self.make_room();
        }
        process
    }

    /// A process has been met for the first time.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self) {
        self.paces.extend_to(self.processes.len(), Pace::FREE);
    }
}
