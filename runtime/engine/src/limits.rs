//! Limits on time and on records, which hold in the middle of a run too.
//!
//! A run that reaches one is cut there, and nothing follows from it: unlike the bound on steps, where the limit is reached
//! depends on the machine, or on what else the worker keeps.

use std::time::{Duration, Instant};

use crate::Engine;

/// The limits of the runs of a worker. Looking costs more than most operations, so it is done once in a while.
#[derive(Debug)]
pub struct Limits {
    /// When the runs must be over.
    pub deadline: Option<Instant>,
    /// How many bytes of records of earlier runs the worker keeps.
    pub held: usize,
    /// How many operations lie between two looks.
    stride: u64,
    last_look: Option<Instant>,
}

/// A limit that cut a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    Time,
    Records,
}

/// Looks that are further apart than this are more than it takes to be in time.
const OFTEN: Duration = Duration::from_millis(1);

/// The maximal number of operations between two looks.
const LONGEST_STRIDE: u64 = 4096;

impl Default for Limits {
    fn default() -> Self {
        Limits { deadline: None, held: 0, stride: 1, last_look: None }
    }
}

impl Limits {
    /// The number of operations before the first look of a run.
    #[inline]
    pub(crate) fn first_look(&self) -> u64 {
        if self.deadline.is_some() { self.stride } else { LONGEST_STRIDE }
    }

    /// The limit that has been reached by a run with so many bytes of records.
    fn reached(&mut self, records: usize, most: usize) -> Option<Limit> {
        if records.saturating_add(self.held) > most {
            return Some(Limit::Records);
        }
        let Some(deadline) = self.deadline else {
            self.stride = LONGEST_STRIDE;
            return None;
        };
        let now = Instant::now();
        let is_often = self.last_look.replace(now).is_none_or(|last| now - last < OFTEN);
        self.stride = if is_often { (self.stride * 2).min(LONGEST_STRIDE) } else { (self.stride / 2).max(1) };
        (now >= deadline).then_some(Limit::Time)
    }
}

impl Engine {
    /// Looks whether the run has reached a limit, if it is time to look.
    #[inline]
    pub(crate) fn look_at_limits(&mut self) {
        if self.schedule.steps > self.schedule.next_look {
            self.check_limits();
        }
    }

    #[cold]
    #[inline(never)]
    fn check_limits(&mut self) {
        let reached = self.limits.reached(self.records(), self.settings.record_limit);
        self.schedule.look_again_after(self.limits.stride, self.settings.max_steps);
        if let Some(limit) = reached {
            self.ending.limit.get_or_insert(limit);
            self.ending.is_cut = true;
            self.schedule.unasked = 0;
        }
    }

    /// How many bytes the records of the run take, with those of the script that it follows.
    pub fn records(&self) -> usize {
        let repeated = size_of_val(self.playback.repeated.slots());
        self.run.bytes() + self.script.bytes() + repeated
    }
}
