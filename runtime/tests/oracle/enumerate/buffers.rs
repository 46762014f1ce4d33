//! Steps on bounded channels and rendezvous: puts and takes that complete in an order on the object.

use super::super::program::Op;
use super::Enumerator;
use super::history::{At, Pick};
use super::state::{ObjectState, Phase, State};

impl Enumerator<'_> {
    pub(super) fn step_buffer(
        &mut self,
        state: &State,
        t: usize,
        op: &Op,
        (o, capacity): (usize, usize),
        out: &mut Vec<State>,
    ) {
        match op {
            Op::Send(..) if capacity == 0 => self.put_rendezvous(state, t, o, out),
            Op::Send(_, value) => {
                let value = value.of(state.threads[t].last);
                self.put(state, t, (o, capacity), value, out);
            }
            Op::DropSender(_) => {
                let mut next = state.clone();
                self.drop_sender(&mut next, t, o);
                out.push(next);
            }
            Op::DropReceiver(_) => {
                let mut next = state.clone();
                self.call(&mut next, t, "drop-receiver", o, &[]);
                let ObjectState::Buffer { values, dropped, .. } = &mut next.objects[o] else {
                    unreachable!()
                };
                *dropped = true;
                values.clear();
                self.advance(&mut next, t);
                out.push(next);
            }
            _ if capacity == 0 => self.take_rendezvous(state, t, op, o, out),
            _ => self.take(state, t, op, o, out),
        }
    }

    fn put(
        &mut self,
        state: &State,
        t: usize,
        (o, capacity): (usize, usize),
        value: u8,
        out: &mut Vec<State>,
    ) {
        let ObjectState::Buffer { values, dropped, .. } = &state.objects[o] else { unreachable!() };
        if !*dropped && values.len() >= capacity {
            return;
        }
        let mut next = state.clone();
        self.call(&mut next, t, "put", o, &[]);
        if *dropped {
            next.threads[t].last = None;
        } else if let ObjectState::Buffer { values, .. } = &mut next.objects[o] {
            values.push(value);
        }
        self.advance(&mut next, t);
        out.push(next);
    }

    fn take(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        let ObjectState::Buffer { values, .. } = &state.objects[o] else { unreachable!() };
        if let Some(&value) = values.first() {
            let mut next = state.clone();
            self.call(&mut next, t, taking_word(op), o, &[]);
            let ObjectState::Buffer { values, .. } = &mut next.objects[o] else { unreachable!() };
            values.remove(0);
            self.took(&mut next, t, op, Some(value));
            out.push(next);
        } else {
            self.take_nothing(state, t, op, o, out);
        }
    }

    /// The object is empty: a take sees the disconnect or waits, a try-take goes on anyway.
    fn take_nothing(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        let disconnect = self.disconnect(state, o);
        if disconnect.is_some() || matches!(op, Op::TryRecv(_)) {
            let mut next = state.clone();
            let with: Vec<At> = disconnect.into_iter().collect();
            self.call(&mut next, t, taking_word(op), o, &with);
            self.took(&mut next, t, op, None);
            out.push(next);
        }
    }

    /// First the call, then (if nobody takes it) the failure when the receiver is gone.
    fn put_rendezvous(&mut self, state: &State, t: usize, o: usize, out: &mut Vec<State>) {
        let mut next = state.clone();
        if state.threads[t].phase != Phase::Putting {
            self.emit(&mut next, t, "put", Some(o), Pick::None);
            next.threads[t].phase = Phase::Putting;
        } else if !state.has_receiver(o) {
            let call = self.latest(state, t);
            self.complete(&mut next, t, "put", o, &[call]);
            next.threads[t].last = None;
            self.advance(&mut next, t);
        } else {
            return;
        }
        out.push(next);
    }

    fn take_rendezvous(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        let mut met = false;
        for u in 0..state.threads.len() {
            if state.threads[u].phase != Phase::Putting {
                continue;
            }
            let Some(Op::Send(to, value)) = self.next_op(state, u) else { unreachable!("it is putting") };
            if to != o {
                continue;
            }
            met = true;
            let mut next = state.clone();
            let put = self.latest(state, u);
            let take = self.emit(&mut next, t, taking_word(op), Some(o), Pick::None);
            self.complete(&mut next, t, taking_word(op), o, &[put, take]);
            next.order(self.process(o), u);
            let value = value.of(state.threads[u].last);
            self.advance(&mut next, u);
            self.took(&mut next, t, op, Some(value));
            out.push(next);
        }
        if !met {
            self.take_nothing(state, t, op, o, out);
        }
    }

    fn took(&self, next: &mut State, t: usize, op: &Op, value: Option<u8>) {
        next.threads[t].last = value;
        if value.is_none() || !matches!(op, Op::Drain(_)) {
            self.advance(next, t);
        }
    }
}

fn taking_word(op: &Op) -> &'static str {
    if matches!(op, Op::TryRecv(_)) { "try-take" } else { "take" }
}
