//! Which thread runs, which could, and where free choices come from.

pub mod chance;
mod looks;
pub mod polls;
mod queue;
mod state_hash;
pub mod steps;

use insyn_sequences::Op;

use crate::ids::{ExecutionId, ObjectId, ThreadId};
use crate::schedule::chance::{Chance, List};
use crate::schedule::queue::Queue;
use crate::{Engine, Phase, Place};

/// How many operations a thread may start before others that are ready have their turn.
const LONGEST_BURST: u64 = 1000;

/// Additional work in a program that is forced. This module does not depend on forcing.
#[derive(Clone, Copy)]
pub(crate) struct Hooks {
    /// Before a thread goes on, waits in the middle of an operation, or ends.
    pub(crate) catch_up: fn(),
    /// Before a call.
    pub(crate) claim: fn(ExecutionId, ObjectId, Op, Place),
}

/// The state of the scheduler.
pub struct Schedule {
    pub ready: Queue,
    /// Threads that wait with a timeout, which fires only when nothing else can move.
    pub timed_waits: Vec<ThreadId>,
    /// The thread that runs; meaningless while no program does.
    pub running: ThreadId,
    /// How many threads have not ended.
    pub unfinished: u32,
    /// How many threads wait for the end of another.
    pub(crate) joining: u32,
    /// How many threads wait to read a version of a variable.
    pub reading: u32,
    /// Where free choices come from; none if they are fixed.
    pub chance: Option<Chance>,
    /// The additional work, if the program is forced.
    pub(crate) hooks: Option<Hooks>,
    /// A check is needed before every operation, and a choice before every turn: choices are random, the program is forced
    /// or its polls are tested, or it follows a script.
    pub asks: bool,
    /// Operations that threads have started.
    pub steps: u64,
    /// Objects that threads have made.
    pub made: u32,
    /// When the running thread has started this many operations, other ready threads have their turn.
    turn_ends: u64,
    /// After this many operations the run looks at its limits.
    pub(crate) next_look: u64,
    /// The same, or the bound on steps if that comes first.
    ask_after: u64,
    /// Up to this many operations no check is needed: neither of limits and the bound on steps nor of whose turn it is. Zero when
    /// choices are random, and when the run is over.
    pub(crate) unasked: u64,
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule {
            ready: Queue::default(),
            timed_waits: Vec::new(),
            running: ThreadId::FIRST,
            unfinished: 0,
            joining: 0,
            reading: 0,
            chance: None,
            hooks: None,
            asks: false,
            steps: 0,
            made: 0,
            turn_ends: 0,
            next_look: 0,
            ask_after: 0,
            unasked: 0,
        }
    }
}

impl Schedule {
    /// Starts another run. `asks`: something other than random choices needs a check before every operation.
    #[inline]
    pub fn reset(&mut self, others_ask: bool) {
        let Schedule {
            ready,
            timed_waits,
            // The first thread is chosen when it is ready.
            running: _,
            unfinished,
            joining,
            reading,
            // Set before the run, to decide how it chooses.
            chance,
            hooks,
            asks,
            steps,
            made,
            // Set when a turn begins.
            turn_ends: _,
            // Set right after this.
            next_look: _,
            ask_after: _,
            unasked: _,
        } = self;
        ready.clear();
        timed_waits.clear();
        (*unfinished, *joining, *reading) = (0, 0, 0);
        *hooks = None;
        *asks = chance.is_some() || others_ask;
        (*steps, *made) = (0, 0);
    }

    /// The run looks at its limits again after so many more operations.
    #[inline]
    pub(crate) fn look_again_after(&mut self, stride: u64, max_steps: u64) {
        self.next_look = self.steps.saturating_add(stride);
        self.ask_after = self.next_look.min(max_steps);
    }
}

impl Engine {
    /// Free choices of the next run are random by this seed, or fixed.
    pub fn choose_by(&mut self, seed: Option<u64>) {
        self.schedule.chance = seed.map(Chance::by);
    }

    /// Free choices of the next run are the first of a list; [`choose_next`](Self::choose_next) goes on from there.
    pub fn choose_from(&mut self, list: List) {
        self.schedule.chance = Some(Chance::Listed(list));
    }

    /// Free choices of the next run are the next of the list; false if all have been made.
    pub fn choose_next(&mut self) -> bool {
        let Some(Chance::Listed(list)) = &mut self.schedule.chance else { return false };
        list.advance()
    }

    /// Whether the run was left in a state that another had reached, so that it shows nothing.
    pub fn was_left_early(&self) -> bool {
        matches!(&self.schedule.chance, Some(Chance::Listed(list)) if list.was_left_early())
    }

    /// Operations that threads have started.
    pub fn steps(&self) -> u64 {
        self.schedule.steps
    }

    /// Counts towards the bound on steps. False if the bound is reached.
    pub fn step(&mut self) -> bool {
        self.schedule.steps += 1;
        if let Some(Chance::Listed(list)) = &mut self.schedule.chance {
            list.begin(self.schedule.running);
        }
        self.look_at_limits();
        self.may_go_on()
    }

    /// Whether the operation that was counted last is within bounds.
    pub fn may_go_on(&self) -> bool {
        self.phase == Phase::Running
            && self.ending.divergence.is_none()
            && self.ending.new_facts.is_empty()
            && self.ending.limit.is_none()
            && self.schedule.steps <= self.settings.max_steps
    }

    /// The turn of a thread begins.
    #[inline]
    pub(crate) fn begin_turn(&mut self) {
        self.schedule.turn_ends = self.schedule.steps + LONGEST_BURST;
        self.schedule.unasked =
            if self.schedule.asks { 0 } else { self.schedule.ask_after.min(self.schedule.turn_ends - 1) };
    }

    /// Whether another thread should go first: by a random choice, or because this thread has run for long. (A thread that
    /// never waits would otherwise keep all others from running.)
    pub(crate) fn must_give_way(&mut self) -> bool {
        match &mut self.schedule.chance {
            Some(Chance::Random(rng)) => rng.below(2) == 1,
            // The next choice is between all threads, this one included.
            Some(Chance::Listed(list)) => {
                list.begin(self.schedule.running);
                !self.schedule.ready.is_empty() || !self.schedule.timed_waits.is_empty()
            }
            None => self.schedule.steps >= self.schedule.turn_ends && !self.schedule.ready.is_empty(),
        }
    }

    /// One of `n` free choices.
    #[inline]
    pub fn choose(&mut self, n: usize) -> usize {
        match &mut self.schedule.chance {
            Some(chance) if n > 1 => chance.below(n),
            _ => 0,
        }
    }

    pub(crate) fn is_random(&self) -> bool {
        self.schedule.chance.is_some()
    }
}
