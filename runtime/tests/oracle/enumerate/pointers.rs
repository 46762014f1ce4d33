//! Steps on counted pointers: silent until it matters in which order they are counted.

use super::super::program::{Object, Op, Value};
use super::Enumerator;
use super::facts::Fact;
use super::state::{ObjectState, State};

impl Enumerator<'_> {
    /// Main makes the weak pointers, then the others but the first, and gives them away.
    pub(super) fn deal_pointers(&mut self, state: &mut State, o: usize) {
        let Object::Arc { holders, weak, .. } = self.program.objects[o] else {
            unreachable!("it is a pointer")
        };
        if self.is_counted(o) {
            for _ in 1..holders.count_ones() + weak.count_ones() {
                self.call(state, 0, "clone", o, &[]);
            }
        }
    }

    pub(super) fn step_pointer(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        let mut next = state.clone();
        if matches!(op, Op::Upgrade(_) | Op::StrongCount(_) | Op::WeakCount(_) | Op::TryUnwrap(_)) {
            self.show(Fact::Counted(o));
        }
        let ObjectState::Arc { strong, .. } = &state.objects[o] else { unreachable!("it is a pointer") };
        let count: u8 = strong.iter().sum();
        if self.is_counted(o) {
            let (words, succeeds) = match op {
                Op::CloneArc(_) => (("clone", ""), true),
                Op::DropArc(_) | Op::DropWeak(_) => (("drop", ""), true),
                Op::TryUnwrap(_) => (("try-unwrap", "failed-unwrap"), count == 1),
                Op::Upgrade(_) => (("upgrade", "failed-upgrade"), count > 0),
                _ => (("observe", ""), true),
            };
            self.attempt_call(&mut next, t, words, o, succeeds);
        }
        let ObjectState::Arc { strong, weak } = &mut next.objects[o] else { unreachable!("it is a pointer") };
        match op {
            Op::CloneArc(_) => strong[t] += 1,
            Op::TryUnwrap(_) if count > 1 => next.threads[t].last = Some(0),
            Op::DropArc(_) | Op::TryUnwrap(_) => {
                strong[t] -= 1;
                if matches!(op, Op::TryUnwrap(_)) {
                    next.threads[t].last = Some(1);
                }
                if let (1, Object::Arc { sender: Some(x), .. }) = (count, self.program.objects[o]) {
                    self.show(Fact::Counted(o));
                    next.threads[t].dying.push(x as u8);
                }
            }
            Op::DropWeak(_) => *weak &= !(1 << t),
            Op::Upgrade(_) => {
                strong[t] += u8::from(count > 0);
                next.threads[t].last = Some(u8::from(count > 0));
            }
            Op::WeakCount(_) => {
                let weak = weak.count_ones() as u8;
                next.threads[t].last = Some(if count > 0 { weak } else { 0 });
            }
            _ => next.threads[t].last = Some(count),
        }
        self.advance(&mut next, t);
        out.push(next);
    }

    /// A send by the handle that the pointer points to.
    pub(super) fn step_send_by(
        &mut self,
        state: &State,
        t: usize,
        o: usize,
        value: Value,
        out: &mut Vec<State>,
    ) {
        let Object::Arc { sender: Some(x), .. } = self.program.objects[o] else {
            unreachable!("it points to a handle")
        };
        let mut next = state.clone();
        if !self.send_at_once(&mut next, t, x, value.of(state.threads[t].last)) {
            next.threads[t].last = None;
        }
        self.advance(&mut next, t);
        out.push(next);
    }
}
