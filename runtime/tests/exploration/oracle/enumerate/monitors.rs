//! Steps on monitors, signal-and-continue and signal-and-urgent-wait.

use super::super::program::{Object, Op};
use super::Enumerator;
use super::history::Pick;
use super::state::{ObjectState, Phase, State};

impl Enumerator<'_> {
    pub(super) fn step_monitor(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        let ObjectState::Monitor { owner, .. } = &state.objects[o] else { unreachable!("it is a monitor") };
        let mut next = state.clone();
        match (op, state.threads[t].phase) {
            (Op::Enter(_), _) if owner.is_none() => {
                self.call(&mut next, t, "enter", o, &[]);
                *parts(&mut next, o).0 = Some(t as u8);
                self.advance(&mut next, t);
            }
            (Op::MonitorWait(..), Phase::Reentering) if owner.is_none() => {
                let call = self.latest(&next, t);
                self.complete(&mut next, t, "reenter", o, &[call]);
                *parts(&mut next, o).0 = Some(t as u8);
                self.advance(&mut next, t);
            }
            (Op::Exit(_), _) => {
                self.leave(&mut next, t, o);
                self.advance(&mut next, t);
            }
            (Op::MonitorWait(_, condition), Phase::Ready) => {
                self.emit(&mut next, t, "wait", Some(o), Pick::None);
                next.threads[t].phase = Phase::OnCondition;
                parts(&mut next, o).1[*condition].push(t as u8);
                self.leave(&mut next, t, o);
            }
            (Op::Signal(_, condition) | Op::SignalAll(_, condition), Phase::Ready) => {
                self.emit(&mut next, t, "signal", Some(o), Pick::None);
                let Object::Monitor { urgent, .. } = self.program.objects[o] else {
                    unreachable!("it is a monitor")
                };
                if urgent {
                    self.signal_urgently(&mut next, t, o, *condition);
                } else {
                    let waiting = &mut parts(&mut next, o).1[*condition];
                    let count =
                        if matches!(op, Op::Signal(..)) { waiting.len().min(1) } else { waiting.len() };
                    for waiter in waiting.drain(..count).collect::<Vec<_>>() {
                        self.reenter(&mut next, t, o, usize::from(waiter));
                    }
                    self.advance(&mut next, t);
                }
            }
            _ => return,
        }
        out.push(next);
    }

    /// A signalled thread calls for its monitor again.
    fn reenter(&mut self, next: &mut State, signaller: usize, o: usize, waiter: usize) {
        next.order(signaller, waiter);
        self.emit(next, waiter, "reenter", Some(o), Pick::None);
        next.threads[waiter].phase = Phase::Reentering;
    }

    /// The signaller gives the monitor to the longest waiter, if there is one, and waits for it.
    fn signal_urgently(&mut self, next: &mut State, t: usize, o: usize, condition: usize) {
        let (owner, conditions, urgent) = parts(next, o);
        if conditions[condition].is_empty() {
            self.advance(next, t);
            return;
        }
        let waiter = conditions[condition].remove(0);
        urgent.push(t as u8);
        *owner = Some(waiter);
        next.threads[t].phase = Phase::Urgent;
        self.resume(next, t, o, usize::from(waiter));
    }

    /// The thread gives up the monitor, which goes to the latest signaller that waits for it.
    fn leave(&mut self, next: &mut State, t: usize, o: usize) {
        let (owner, _, urgent) = parts(next, o);
        let heir = urgent.pop();
        *owner = heir;
        match heir {
            Some(heir) => self.resume(next, t, o, usize::from(heir)),
            None => next.hand_on(t, self.process(o)),
        }
    }

    /// The thread goes on inside the monitor that `from` has given it.
    fn resume(&mut self, next: &mut State, from: usize, o: usize, heir: usize) {
        next.catch_up(from, heir);
        self.go_on(next, heir, "resume", o);
    }
}

impl State {
    /// How many threads wait on a condition of a monitor.
    pub(super) fn waiting(&self, o: usize, condition: usize) -> u8 {
        match &self.objects[o] {
            ObjectState::Monitor { conditions, .. } => conditions[condition].len() as u8,
            _ => unreachable!("it is a monitor"),
        }
    }
}

type Parts<'s> = (&'s mut Option<u8>, &'s mut Vec<Vec<u8>>, &'s mut Vec<u8>);

/// Owner, conditions and signallers of a monitor.
fn parts(next: &mut State, o: usize) -> Parts<'_> {
    let ObjectState::Monitor { owner, conditions, urgent } = &mut next.objects[o] else {
        unreachable!("it is a monitor")
    };
    (owner, conditions, urgent)
}
