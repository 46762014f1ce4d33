//! Where free choices come from when they are not fixed: from a seed, or from a list that goes through all of them.

use crate::ids::{Id as _, ThreadId};
use std::collections::BTreeSet;

/// What decides free choices.
#[derive(Clone, Debug)]
pub enum Chance {
    Random(Rng),
    Listed(List),
}

impl Chance {
    pub fn by(seed: u64) -> Self {
        Chance::Random(Rng(seed))
    }

    /// One of `n`.
    pub fn below(&mut self, n: usize) -> usize {
        match self {
            Chance::Random(rng) => rng.below(n),
            Chance::Listed(list) => list.below(n),
        }
    }
}

/// The choices of one run after another, in the order of a depth-first search: each run repeats the choices of the run
/// before up to the last one that had an alternative left, and takes that alternative.
#[derive(Clone, Debug, Default)]
pub struct List {
    /// What was chosen, and from how many.
    choices: Vec<(usize, usize)>,
    /// How many of them have been made in this run.
    made: usize,
    /// By thread of this run: how many operations it has begun.
    pub begun: Vec<u32>,
    /// The hashes of states that runs have reached ([`crate::schedule::state_hash`]), if they are remembered.
    places: Option<BTreeSet<u128>>,
    /// This run has reached a state that another run has reached before.
    left_early: bool,
}

impl List {
    /// Remembers the states that runs have reached; a run that reaches one again is left.
    pub fn with_memory() -> Self {
        List { places: Some(BTreeSet::new()), ..List::default() }
    }

    /// A thread begins an operation.
    pub fn begin(&mut self, thread: ThreadId) {
        let thread = thread.place();
        if self.begun.len() <= thread {
            self.begun.resize(thread + 1, 0);
        }
        self.begun[thread] += 1;
    }

    /// Whether the state of the run is to be compared: not while the run repeats the choices of the one before.
    pub fn is_lost(&self) -> bool {
        self.places.is_some() && self.made == self.choices.len()
    }

    /// The run has reached this state; returns whether to leave the run, since another has reached it before.
    pub(crate) fn reaches(&mut self, place: u128) -> bool {
        self.left_early = self.places.as_mut().is_some_and(|places| !places.insert(place));
        self.left_early
    }

    /// Whether the last run was left.
    pub fn was_left_early(&self) -> bool {
        self.left_early
    }

    fn below(&mut self, n: usize) -> usize {
        if self.made == self.choices.len() {
            self.choices.push((0, n));
        }
        let (chosen, of) = self.choices[self.made];
        assert_eq!(of, n, "the program does not do again what it did before");
        self.made += 1;
        chosen
    }

    /// Goes on to the next run; false if there is none.
    pub(crate) fn advance(&mut self) -> bool {
        self.made = 0;
        self.begun.clear();
        self.left_early = false;
        while let Some((chosen, of)) = self.choices.last_mut() {
            *chosen += 1;
            if chosen < of {
                return true;
            }
            self.choices.pop();
        }
        false
    }
}

/// A small generator of pseudo-random numbers (splitmix64): the same numbers from the same seed everywhere.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
}
