//! Steps of crossbeam's selects: as one receive where all arms are ports, else as offers on one timeline.

use super::super::program::{Choice, NOTHING_THERE, Object, Otherwise, Side};
use super::Enumerator;
use super::facts::Fact;
use super::history::{At, Pick};
use super::state::{Message, Payload, State};

impl Enumerator<'_> {
    /// Whether all arms are receives on ports, so that the select is one receive.
    fn is_receive(&self, choice: &Choice) -> bool {
        let on_port = |(o, side): &(usize, Side)| matches!(side, Side::Recv) && !self.is_object(*o);
        !choice.ready && !choice.biased && choice.arms.iter().all(on_port)
    }

    /// Whether the select is offers on one timeline, and all that takes is known.
    pub(super) fn is_joined(&self, choice: &Choice) -> bool {
        let first = self.timeline(choice.arms[0].0);
        !self.is_receive(choice)
            && choice.arms.iter().all(|(o, _)| self.is_object(*o) && self.timeline(*o) == first)
    }

    /// A select with two arms or more.
    pub(super) fn step_choice(&mut self, state: &State, t: usize, choice: &Choice, out: &mut Vec<State>) {
        if self.is_receive(choice) {
            self.receive_any(state, t, choice, out);
        } else if self.is_joined(choice) {
            self.step_attempt(state, t, out);
        } else {
            let first = choice.arms[0].0;
            for (o, _) in &choice.arms {
                if !self.is_object(*o) {
                    self.show(Fact::Shared(*o));
                }
                if self.timeline(*o) != self.timeline(first) {
                    self.show(Fact::Joined(first, *o));
                }
            }
        }
    }

    /// One receive over several ports, where a disconnected port counts like a message.
    fn receive_any(&mut self, state: &State, t: usize, choice: &Choice, out: &mut Vec<State>) {
        let open: Vec<usize> = choice.arms.iter().map(|(o, _)| *o).collect();
        let mut surely = false;
        for &o in &open {
            let messages = self.deliverable(state, o);
            for &i in &messages {
                surely |= !matches!(self.program.objects[o], Object::Timer { .. });
                let mut next = state.clone();
                self.receive(&mut next, t, (o, i), &open);
                self.advance(&mut next, t);
                out.push(next);
            }
            if messages.is_empty()
                && let Some(disconnect) = self.disconnect(state, o)
            {
                surely = true;
                self.receive_none(state, t, (o, &open), Some(disconnect), out);
            }
        }
        if !surely && choice.otherwise != Otherwise::Wait {
            self.receive_none(state, t, (open[0], &open), None, out);
            if choice.otherwise == Otherwise::Timeout
                && let Some(next) = out.last_mut()
            {
                next.pass_time(t);
            }
        }
    }

    fn receive_none(
        &mut self,
        state: &State,
        t: usize,
        (o, open): (usize, &[usize]),
        disconnect: Option<At>,
        out: &mut Vec<State>,
    ) {
        let mut next = state.clone();
        let pick = disconnect.map_or(Pick::Nothing, |disconnect| Pick::partners(&[disconnect]));
        let at = self.emit(&mut next, t, "receive", Some(o), pick);
        next.note_receive(at, open);
        next.threads[t].last = disconnect.is_none().then_some(NOTHING_THERE);
        self.advance(&mut next, t);
        out.push(next);
    }

    /// The timer has the time ready, to be taken at any time. (If the timer is an object, that is beside its timeline,
    /// like the disconnect of a channel.)
    pub(super) fn fire(&mut self, next: &mut State, o: usize) {
        let process = self.disconnects(o);
        let at = self.emit(next, process, "fire", Some(o), Pick::None);
        next.channel_mut(o).messages.push(Message { at, payload: Payload::Time });
    }
}
