//! Steps on counted pointers: silent until it matters in which order they are counted.

use super::super::program::{Holder, Object, Op, Value};
use super::Enumerator;
use super::facts::Fact;
use super::state::{ObjectState, RECEIVER, State};

impl Enumerator<'_> {
    /// Main makes the weak pointers, then the others but the first, and gives them away.
    pub(super) fn deal_pointers(&mut self, state: &mut State, o: usize) {
        let Object::Arc { holders, weak, to } = self.program.objects[o] else {
            unreachable!("it is a pointer")
        };
        // It points to another sending handle, if another pointer needs the first.
        let later = |x| move |object: &Object| matches!(object, Object::Arc { to: Some(y), .. } if *y == x);
        if let Some(x) = to
            && self.facts.is_known(Fact::Owned(x))
            && (self.program.objects[x].senders() != 0 || self.program.objects[o + 1..].iter().any(later(x)))
        {
            self.call(state, 0, "clone", self.owners(x), &[]);
        }
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
                Op::CloneArc(_) | Op::DowngradeArc(_) | Op::CloneWeak(_) => (("clone", ""), true),
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
                if let (1, Object::Arc { to: Some(x), .. }) = (count, self.program.objects[o]) {
                    for item in self.dying_with(state, x) {
                        self.show(Fact::Counted(o));
                        next.threads[t].dying.push(item);
                    }
                }
            }
            Op::DowngradeArc(_) | Op::CloneWeak(_) => weak[t] += 1,
            Op::DropWeak(_) => weak[t] -= 1,
            Op::Upgrade(_) => {
                strong[t] += u8::from(count > 0);
                next.threads[t].last = Some(u8::from(count > 0));
            }
            Op::WeakCount(_) => {
                let weak = weak.iter().sum();
                next.threads[t].last = Some(if count > 0 { weak } else { 0 });
            }
            _ => next.threads[t].last = Some(count),
        }
        self.advance(&mut next, t);
        out.push(next);
    }

    /// What has to be dropped with what a pointer points to: a sending handle, or the receivers that lie in a mutex.
    fn dying_with(&self, state: &State, x: usize) -> Vec<u8> {
        if !matches!(self.program.objects[x], Object::Mutex) {
            return vec![x as u8];
        }
        let inside = |o: &usize| {
            self.program.objects[*o].receiver() == Some(Holder::Under(x)) && state.has_receiver(0, *o)
        };
        (0..state.objects.len()).filter(inside).map(|o| RECEIVER | o as u8).collect()
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
        let Object::Arc { to: Some(x), .. } = self.program.objects[o] else {
            unreachable!("it points to a handle")
        };
        if self.is_object(x) {
            return self.step_attempt(state, t, out);
        }
        let mut next = state.clone();
        if !self.send_at_once(&mut next, t, x, value.of(state.threads[t].last)) {
            next.threads[t].last = None;
        }
        self.advance(&mut next, t);
        out.push(next);
    }
}
