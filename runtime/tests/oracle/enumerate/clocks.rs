//! Happens-before, as vector clocks; kept only for programs in which it matters.
//!
//! Which event happened before which is settled by the histories, so the clocks do not tell states apart.

use std::rc::Rc;

use super::history::{At, Pick};
use super::state::State;

/// For each process, how many of its events came before.
type Clock = Vec<u8>;

/// The clocks of all events so far.
#[derive(Clone)]
pub(super) struct Clocks {
    /// Of each event of each process: what happened before it, and itself.
    events: Vec<Vec<Rc<Clock>>>,
    /// For each process: what its next event comes after, besides its own past and its partners.
    pending: Vec<Rc<Clock>>,
}

impl Clocks {
    pub(super) fn new(processes: usize) -> Clocks {
        let zero = Rc::new(vec![0; processes]);
        Clocks { events: vec![Vec::new(); processes], pending: vec![zero; processes] }
    }

    /// Notes a new event.
    pub(super) fn tick(&mut self, at: At, pick: &Pick) {
        let process = usize::from(at.process);
        let mut clock = self.now(process);
        if let Pick::Partners(partners) = pick {
            for partner in partners.iter().flatten() {
                join(&mut clock, &self.events[usize::from(partner.process)][usize::from(partner.index)]);
            }
        }
        clock[process] = at.index + 1;
        self.events[process].push(Rc::new(clock));
    }

    /// Whether the first event happened before the second.
    pub(super) fn before(&self, first: At, second: At) -> bool {
        self.events[usize::from(second.process)][usize::from(second.index)][usize::from(first.process)]
            > first.index
    }

    /// Whether the event is in the past of the process as it stands.
    pub(super) fn is_past(&self, event: At, process: usize) -> bool {
        self.now(process)[usize::from(event.process)] > event.index
    }

    /// What has happened before a process as it stands.
    fn now(&self, process: usize) -> Clock {
        let mut clock = Clock::clone(&self.pending[process]);
        if let Some(last) = self.events[process].last() {
            join(&mut clock, last);
        }
        clock
    }
}

impl State {
    /// The next event of `to` comes after all that `from` has done.
    pub(super) fn order(&mut self, from: usize, to: usize) {
        if let Some(clocks) = &mut self.clocks {
            let now = clocks.now(from);
            join(Rc::make_mut(&mut clocks.pending[to]), &now);
        }
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
    for (mine, theirs) in clock.iter_mut().zip(other) {
        *mine = (*mine).max(*theirs);
    }
}
