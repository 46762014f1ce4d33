//! Steps on rwlocks: many readers or one writer, and writers that keep readers waiting.

use super::super::program::Op;
use super::Enumerator;
use super::history::Pick;
use super::state::{ObjectState, Phase, State};

impl Enumerator<'_> {
    pub(super) fn step_rwlock(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        let ObjectState::RwLock { writer, readers, announced } = state.objects[o] else {
            unreachable!("it is an rwlock")
        };
        let held = writer.is_some() || readers.iter().any(|count| *count > 0);
        let may_read = writer.is_none() && !announced;
        if matches!(op, Op::Write(_)) && held && writer.is_none() && !announced {
            self.keep_readers_waiting(state, t, o, out);
        }
        let mut next = state.clone();
        match op {
            Op::Read(_) if may_read => {
                self.call(&mut next, t, "read", o, &[]);
                parts(&mut next, o).1[t] += 1;
                next.hear_of_poison(t, o);
            }
            Op::TryRead(_) => {
                self.attempt_call(&mut next, t, ("try-read", "failed-read"), o, may_read);
                next.threads[t].last = Some(state.tried(o, may_read));
                parts(&mut next, o).1[t] += u8::from(may_read);
            }
            Op::Write(_) if !held => {
                self.call(&mut next, t, "write", o, &[]);
                start_writing(&mut next, t, o);
                next.hear_of_poison(t, o);
            }
            Op::TryWrite(_) => {
                self.attempt_call(&mut next, t, ("try-write", "failed-write"), o, !held);
                next.threads[t].last = Some(state.tried(o, !held));
                if !held {
                    start_writing(&mut next, t, o);
                }
            }
            Op::UnlockRw(_) | Op::Poison(_) if state.owns(t, o) => {
                self.call(&mut next, t, "unlock", o, &[]);
                *parts(&mut next, o).0 = None;
                if matches!(op, Op::Poison(_)) || state.threads[t].panicked {
                    next.poisoned |= 1 << o;
                }
            }
            // Who only reads leaves nothing in doubt.
            Op::UnlockRw(_) | Op::Poison(_) => {
                self.call(&mut next, t, "unlock-read", o, &[]);
                parts(&mut next, o).1[t] -= 1;
            }
            Op::Downgrade(_) => {
                self.call(&mut next, t, "downgrade", o, &[]);
                let (writer, readers, _) = parts(&mut next, o);
                *writer = None;
                readers[t] += 1;
            }
            _ => return,
        }
        self.advance(&mut next, t);
        out.push(next);
    }

    /// The writer that waits makes some reader that waits, too, go on waiting, and so all that come after.
    fn keep_readers_waiting(&mut self, state: &State, writer: usize, o: usize, out: &mut Vec<State>) {
        if !self.options.waiting_writers_block {
            return;
        }
        for reader in 0..state.threads.len() {
            if !matches!(self.next_op(state, reader), Some(Op::Read(of)) if of == o) {
                continue;
            }
            let mut next = state.clone();
            let write = self.open(&mut next, writer, "write", o);
            let read = self.open(&mut next, reader, "read", o);
            for t in [writer, reader] {
                next.threads[t].phase = Phase::Called;
            }
            let timeline = self.timeline(o);
            self.emit(&mut next, timeline, "block", Some(o), Pick::partners(&[write, read]));
            *parts(&mut next, o).2 = true;
            out.push(next);
        }
    }
}

/// Who writes, how often each thread reads, and whether readers have to wait for a writer.
fn parts(next: &mut State, o: usize) -> (&mut Option<u8>, &mut [u8; 8], &mut bool) {
    let ObjectState::RwLock { writer, readers, announced } = &mut next.objects[o] else {
        unreachable!("it is an rwlock")
    };
    (writer, readers, announced)
}

fn start_writing(next: &mut State, t: usize, o: usize) {
    let (writer, _, announced) = parts(next, o);
    *writer = Some(t as u8);
    *announced = false;
}
