//! Happens-before, as vector clocks, and the time that a thread's own clock shows; kept only for programs in which they
//! matter.
//!
//! The histories determine which event happened before which, so the clocks do not distinguish states.

use std::rc::Rc;

use super::history::{At, Pick};
use super::state::State;

/// How long a sleep or timeout is, and how long reading a clock takes.
pub(super) const A_WHILE: u32 = 10_000;
const LOOK: u32 = 1;

/// For each process, how many of its events came before; and the time, which is never behind what came before.
#[derive(Clone)]
struct Clock {
    events: Vec<u8>,
    time: u32,
}

/// The clocks of all events so far.
#[derive(Clone)]
pub(super) struct Clocks {
    /// Of each event of each process: what happened before it, and itself.
    events: Vec<Vec<Rc<Clock>>>,
    /// For each process: what its next event comes after, besides its own past and its partners.
    pending: Vec<Rc<Clock>>,
    /// For each process: the time that has passed since its last event.
    passed: Vec<u32>,
}

impl Clocks {
    pub(super) fn new(processes: usize) -> Clocks {
        let zero = Rc::new(Clock { events: vec![0; processes], time: 0 });
        Clocks {
            events: vec![Vec::new(); processes],
            pending: vec![zero; processes],
            passed: vec![0; processes],
        }
    }

    /// Records a new event.
    pub(super) fn tick(&mut self, at: At, pick: &Pick) {
        let process = usize::from(at.process);
        let mut clock = self.heard(process);
        if let Pick::Partners(partners) = pick {
            for partner in partners.iter().flatten() {
                join(&mut clock, &self.events[usize::from(partner.process)][usize::from(partner.index)]);
            }
        }
        clock.events[process] = at.index + 1;
        clock.time += std::mem::take(&mut self.passed[process]);
        self.events[process].push(Rc::new(clock));
    }

    /// Whether the first event happened before the second.
    pub(super) fn before(&self, first: At, second: At) -> bool {
        let past = &self.events[usize::from(second.process)][usize::from(second.index)].events;
        past[usize::from(first.process)] > first.index
    }

    /// Whether the event is in the current past of the process.
    pub(super) fn is_past(&self, event: At, process: usize) -> bool {
        self.heard(process).events[usize::from(event.process)] > event.index
    }

    /// What is in the current past of a process, and the time of its latest event.
    fn heard(&self, process: usize) -> Clock {
        let mut clock = Clock::clone(&self.pending[process]);
        if let Some(last) = self.events[process].last() {
            join(&mut clock, last);
        }
        clock
    }

    fn time_of(&self, process: usize) -> u32 {
        self.heard(process).time + self.passed[process]
    }
}

impl State {
    /// The next event of `to` comes after all that `from` has done.
    pub(super) fn order(&mut self, from: usize, to: usize) {
        if let Some(clocks) = &mut self.clocks {
            let heard = clocks.heard(from);
            join(Rc::make_mut(&mut clocks.pending[to]), &heard);
        }
    }

    /// As [`order`](Self::order), for a process that goes on where the other has stopped, so that the same time has passed.
    pub(super) fn hand_on(&mut self, from: usize, to: usize) {
        self.order(from, to);
        if let Some(clocks) = &mut self.clocks {
            clocks.passed[to] += clocks.passed[from];
        }
    }

    /// As [`order`](Self::order), for a thread that has waited for the other, and whose clock is then not behind.
    pub(super) fn catch_up(&mut self, from: usize, to: usize) {
        self.order(from, to);
        if let Some(clocks) = &mut self.clocks {
            clocks.passed[to] += clocks.time_of(from).saturating_sub(clocks.time_of(to));
        }
    }

    /// The time of a sleep, or of a timeout that fired, has passed for the thread.
    pub(super) fn pass_time(&mut self, t: usize) {
        self.let_pass(t, A_WHILE);
    }

    /// This much time has passed for the thread.
    pub(super) fn let_pass(&mut self, t: usize, time: u32) {
        if let Some(clocks) = &mut self.clocks {
            clocks.passed[t] += time;
        }
    }

    /// What the clock of a thread shows when the thread reads it.
    pub(super) fn look_at_clock(&mut self, t: usize) -> u32 {
        self.let_pass(t, LOOK);
        self.clocks.as_ref().expect("kept for who looks at them").time_of(t)
    }

    /// The next event of `to` comes after this event.
    pub(super) fn order_event(&mut self, from: At, to: usize) {
        if let Some(clocks) = &mut self.clocks {
            let event = Rc::clone(&clocks.events[usize::from(from.process)][usize::from(from.index)]);
            join(Rc::make_mut(&mut clocks.pending[to]), &event);
        }
    }
}

fn join(clock: &mut Clock, other: &Clock) {
    for (mine, theirs) in clock.events.iter_mut().zip(&other.events) {
        *mine = (*mine).max(*theirs);
    }
    clock.time = clock.time.max(other.time);
}
