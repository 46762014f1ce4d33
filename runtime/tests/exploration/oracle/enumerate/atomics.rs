//! Steps on atomics: writes complete in an order, a load picks the latest write.

use super::super::program::Op;
use super::Enumerator;
use super::history::{At, Pick};
use super::state::{EARLY_FAILURES, ObjectState, Phase, State};

impl Enumerator<'_> {
    pub(super) fn step_atomic(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        let ObjectState::Atomic { value: old, .. } = state.objects[o] else {
            unreachable!("it is an atomic")
        };
        let mut next = state.clone();
        let last = state.threads[t].last;
        let updating = state.threads[t].phase == Phase::Updating;
        match op {
            Op::Store(_, value) => self.write(&mut next, t, "store", o, Some(value.of(last))),
            Op::Swap(_, value) => {
                self.write(&mut next, t, "update", o, Some(value.of(last)));
                next.threads[t].last = Some(old);
            }
            Op::FetchAdd(_, more) => {
                self.write(&mut next, t, "update", o, Some(old.wrapping_add(more.of(last))));
                next.threads[t].last = Some(old);
            }
            Op::CompareExchange(_, expected, new) => {
                let same = old == *expected;
                if same && is_weak(op, t) {
                    self.fail_early(state, t, op, o, out);
                }
                self.update(&mut next, t, op, o, same.then(|| new.of(last)));
                next.threads[t].last = Some(u8::from(same));
            }
            Op::FetchUpdate(_) | Op::UpdateOdd(_) => {
                let expected = state.threads[t].request;
                if updating {
                    if old == expected {
                        self.fail_early(state, t, op, o, out);
                    }
                    self.update(&mut next, t, op, o, (old == expected).then(|| old.wrapping_add(1)));
                } else {
                    self.load(&mut next, t, o);
                }
                let only_odd = matches!(op, Op::UpdateOdd(_));
                if !updating || old != expected {
                    if !only_odd || old % 2 == 1 {
                        // Tries, or tries again, with what it has found.
                        next.threads[t].phase = Phase::Updating;
                        next.threads[t].request = old;
                        out.push(next);
                        return;
                    }
                    next.threads[t].last = Some(0);
                } else {
                    next.threads[t].last = Some(if only_odd { 1 } else { old });
                }
                next.threads[t].request = 0;
            }
            _ => {
                self.load(&mut next, t, o);
                next.threads[t].last = Some(old);
            }
        }
        self.advance(&mut next, t);
        out.push(next);
    }

    /// Whether the operation, which could fail spuriously, still may.
    fn may_fail_early(&self, state: &State, t: usize, op: &Op) -> bool {
        self.options.spurious_failures && is_weak(op, t) && state.threads[t].failed_early < EARLY_FAILURES
    }

    /// An update that would succeed may fail spuriously instead: a `compare_exchange` goes on without success, the others try
    /// again with the same value.
    fn fail_early(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        if !self.may_fail_early(state, t, op) {
            return;
        }
        let mut next = state.clone();
        let [_, failure] = self.offer_update(&mut next, t, o);
        self.complete(&mut next, t, "failed-update", o, &[failure]);
        next.threads[t].failed_early += 1;
        if matches!(op, Op::CompareExchange(..)) {
            next.threads[t].last = Some(0);
            self.advance(&mut next, t);
        }
        out.push(next);
    }

    /// An attempt to write; without a value it fails.
    fn update(&mut self, next: &mut State, t: usize, op: &Op, o: usize, value: Option<u8>) {
        if !self.may_fail_early(next, t, op) {
            return self.write(next, t, "update", o, value);
        }
        let [update, _] = self.offer_update(next, t, o);
        self.finish(next, t, "update", o, update, value);
    }

    /// The thread offers to update and to fail.
    fn offer_update(&mut self, next: &mut State, t: usize, o: usize) -> [At; 2] {
        self.emit(next, t, "select", None, Pick::None);
        ["offer-update", "offer-failure"].map(|word| self.emit(next, t, word, Some(o), Pick::None))
    }

    fn load(&mut self, next: &mut State, t: usize, o: usize) {
        let ObjectState::Atomic { written, .. } = next.objects[o] else { unreachable!("it is an atomic") };
        if self.options.ordered_loads {
            self.call(next, t, "observe", o, &[]);
        } else {
            let pick = written.map_or(Pick::Nothing, |written| Pick::partners(&[written]));
            self.emit(next, t, "load", Some(o), pick);
        }
    }

    /// A write; without a value it fails and writes nothing, but still has its place.
    fn write(&mut self, next: &mut State, t: usize, word: &'static str, o: usize, value: Option<u8>) {
        let call = self.open(next, t, word, o);
        self.finish(next, t, word, o, call, value);
    }

    /// The completion of a write, or of one that fails.
    fn finish(
        &mut self,
        next: &mut State,
        t: usize,
        word: &'static str,
        o: usize,
        call: At,
        value: Option<u8>,
    ) {
        let completed = if value.is_some() { word } else { "failed-update" };
        let at = self.complete(next, t, completed, o, &[call]);
        if let Some(value) = value {
            next.objects[o] = ObjectState::Atomic { value, written: Some(at) };
        }
    }
}

/// Whether the operation is one that may fail spuriously: the `compare_exchange` of every other thread is.
fn is_weak(op: &Op, t: usize) -> bool {
    match op {
        Op::CompareExchange(..) => t % 2 == 1,
        _ => matches!(op, Op::FetchUpdate(_) | Op::UpdateOdd(_)),
    }
}
