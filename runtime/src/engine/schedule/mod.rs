//! Which thread runs, which could, and where free choices come from.

pub(crate) mod chance;
pub(crate) mod polls;
mod state_hash;
pub(crate) mod steps;

use std::collections::VecDeque;

use insyn_sequences::Op;

use crate::engine::ids::{ExecutionId, ObjectId, ThreadId};
use crate::engine::schedule::chance::{Chance, List};
use crate::engine::{Engine, Phase, Place};

/// How many operations a thread may start before others that are ready have their turn.
const LONGEST_BURST: u64 = 1000;

/// What a program that is forced does besides, of which nothing here knows.
#[derive(Clone, Copy)]
pub(crate) struct Hooks {
    /// Before a thread goes on, waits in the middle of an operation, or ends.
    pub(crate) catch_up: fn(),
    /// Before a call.
    pub(crate) claim: fn(ExecutionId, ObjectId, Op, Place),
}

/// What is known about whose turn it is.
pub(crate) struct Schedule {
    pub(crate) ready: VecDeque<ThreadId>,
    /// Threads that wait with a timeout, which fires only when nothing else can move.
    pub(crate) patient: Vec<ThreadId>,
    /// The thread that runs; of no meaning while no program does.
    pub(crate) running: ThreadId,
    /// How many threads have not come to their end.
    pub(crate) unfinished: u32,
    /// How many threads wait for the end of another.
    pub(crate) joining: u32,
    /// How many threads wait to see a version of a variable.
    pub(crate) reading: u32,
    /// Where free choices come from; none if they are fixed.
    pub(crate) chance: Option<Chance>,
    /// What is done besides, if the program is forced.
    pub(crate) hooks: Option<Hooks>,
    /// Before every operation something is to be asked, and before every turn whose it is: choices are random, the program
    /// is forced or put to the test, or follows what was written.
    pub(crate) asks: bool,
    /// Operations that threads have started.
    pub(crate) steps: u64,
    /// How many objects they have made.
    pub(crate) made: u32,
    /// When the running thread has started so many, others that are ready have their turn.
    turn_ends: u64,
    /// Up to this many nothing is to be asked: neither whether there may be more nor whose turn it is. Zero when choices
    /// are random, and when the run is over.
    pub(crate) unasked: u64,
}

impl Default for Schedule {
    fn default() -> Self {
        Schedule {
            ready: VecDeque::new(),
            patient: Vec::new(),
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
            unasked: 0,
        }
    }
}

impl Schedule {
    /// Starts another run. `asks`: other things than chance want to be asked before every operation.
    #[inline]
    pub(crate) fn reset(&mut self, others_ask: bool) {
        let Schedule {
            ready,
            patient,
            // The first thread is chosen when it is ready.
            running: _,
            unfinished,
            joining,
            reading,
            // Says how the next run chooses.
            chance,
            hooks,
            asks,
            steps,
            made,
            // Set when a turn begins.
            turn_ends: _,
            unasked: _,
        } = self;
        ready.clear();
        patient.clear();
        (*unfinished, *joining, *reading) = (0, 0, 0);
        *hooks = None;
        *asks = chance.is_some() || others_ask;
        (*steps, *made) = (0, 0);
    }
}

impl Engine {
    /// Free choices of the next run are random by this seed, or fixed.
    pub(crate) fn choose_by(&mut self, seed: Option<u64>) {
        self.schedule.chance = seed.map(Chance::by);
    }

    /// Free choices of the next run are the first of a list; [`choose_next`](Self::choose_next) goes on from there.
    pub(crate) fn choose_from(&mut self, list: List) {
        self.schedule.chance = Some(Chance::Listed(list));
    }

    /// Free choices of the next run are the next of the list; false if every one has been made.
    pub(crate) fn choose_next(&mut self) -> bool {
        let Some(Chance::Listed(list)) = &mut self.schedule.chance else { return false };
        list.advance()
    }

    /// Whether the run was left where another had been, so that it shows nothing.
    pub(crate) fn was_left_early(&self) -> bool {
        matches!(&self.schedule.chance, Some(Chance::Listed(list)) if list.was_left_early())
    }

    /// Operations that threads have started.
    pub(crate) fn steps(&self) -> u64 {
        self.schedule.steps
    }

    /// Counts towards the bound on steps. False if there may be none any more.
    pub(crate) fn step(&mut self) -> bool {
        self.schedule.steps += 1;
        if let Some(Chance::Listed(list)) = &mut self.schedule.chance {
            list.begin(self.schedule.running);
        }
        self.may_go_on()
    }

    /// Whether the operation that was counted last is within bounds.
    pub(crate) fn may_go_on(&self) -> bool {
        self.phase == Phase::Running
            && self.ending.divergence.is_none()
            && self.ending.new_facts.is_empty()
            && self.schedule.steps <= self.settings.max_steps
    }

    /// The turn of a thread begins.
    #[inline]
    pub(crate) fn begin_turn(&mut self) {
        self.schedule.turn_ends = self.schedule.steps + LONGEST_BURST;
        self.schedule.unasked =
            if self.schedule.asks { 0 } else { self.settings.max_steps.min(self.schedule.turn_ends - 1) };
    }

    /// Whether another thread should go first: by chance, or because this one has long had its turn. (A thread that never
    /// waits would otherwise keep all others from running at all.)
    pub(crate) fn must_give_way(&mut self) -> bool {
        match &mut self.schedule.chance {
            Some(Chance::Random(rng)) => rng.below(2) == 1,
            // The next choice is between all threads, this one included.
            Some(Chance::Listed(list)) => {
                list.begin(self.schedule.running);
                !self.schedule.ready.is_empty() || !self.schedule.patient.is_empty()
            }
            None => self.schedule.steps >= self.schedule.turn_ends && !self.schedule.ready.is_empty(),
        }
    }

    /// One of `n` free choices.
    #[inline]
    pub(crate) fn choose(&mut self, n: usize) -> usize {
        match &mut self.schedule.chance {
            Some(chance) if n > 1 => chance.below(n),
            _ => 0,
        }
    }

    pub(crate) fn is_random(&self) -> bool {
        self.schedule.chance.is_some()
    }
}
