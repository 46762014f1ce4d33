//! Steps on wait groups. Only the number of handles that are left counts: the order of drops cannot be observed.

use super::super::program::Op;
use super::Enumerator;
use super::history::Pick;
use super::state::{ObjectState, Phase, State};

impl Enumerator<'_> {
    pub(super) fn step_wait_group(
        &mut self,
        state: &State,
        t: usize,
        op: &Op,
        o: usize,
        out: &mut Vec<State>,
    ) {
        let mut next = state.clone();
        match op {
            Op::CloneGroup(_) => next.handles_mut(o)[t] += 1,
            Op::DropGroup(_) => self.drop_handle(&mut next, t, o),
            _ if state.threads[t].phase != Phase::Awaiting => {
                self.drop_handle(&mut next, t, o);
                next.threads[t].phase = Phase::Awaiting;
                out.push(next);
                return;
            }
            _ if !state.is_given_up(o) => return,
            _ => {
                next.order(self.process(o), t);
                self.emit(&mut next, t, "await", Some(o), Pick::None);
            }
        }
        self.advance(&mut next, t);
        out.push(next);
    }

    /// The thread drops a handle. After the last one comes an event of the group.
    fn drop_handle(&mut self, next: &mut State, t: usize, o: usize) {
        self.emit(next, t, "drop-sender", Some(o), Pick::None);
        next.order(t, self.process(o));
        next.handles_mut(o)[t] -= 1;
        if next.is_given_up(o) {
            self.emit(next, self.process(o), "disconnect", Some(o), Pick::None);
        }
    }
}

impl State {
    /// How many handles of a wait group the thread has.
    pub(super) fn handles(&self, t: usize, o: usize) -> u8 {
        if let ObjectState::WaitGroup { handles } = &self.objects[o] { handles[t] } else { 0 }
    }

    fn handles_mut(&mut self, o: usize) -> &mut [u8; 8] {
        match &mut self.objects[o] {
            ObjectState::WaitGroup { handles } => handles,
            _ => unreachable!("it is a wait group"),
        }
    }

    /// Whether no handle of a wait group is left.
    pub(super) fn is_given_up(&self, o: usize) -> bool {
        (0..self.threads.len()).all(|t| self.handles(t, o) == 0)
    }
}
