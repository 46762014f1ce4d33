//! Steps on rwlocks: many readers or one writer, and waiting writers that block readers.
//!
//! A behaviour contains the order in which readers start and end only if, at some point of some interleaving, one thread is
//! about to read while another writes or is about to write, or one reads while another is about to write. Otherwise it only
//! contains what happened to the lock before.

use super::super::program::Op;
use super::Enumerator;
use super::facts::Fact;
use super::history::Pick;
use super::state::{ObjectState, Phase, Queue, State};

impl Enumerator<'_> {
    pub(super) fn step_rwlock(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        let ObjectState::RwLock { writer, readers, queue } = state.objects[o] else {
            unreachable!("it is an rwlock")
        };
        let held = writer.is_some() || readers.iter().any(|count| *count > 0);
        let may_read = writer.is_none() && queue == Queue::Nobody;
        if held && writer.is_none() {
            match op {
                Op::Write(_) if queue != Queue::WriterAndReader => {
                    self.keep_readers_waiting(state, t, o, out)
                }
                Op::TryRead(_) if queue == Queue::Nobody => self.fail_behind_writer(state, t, o, out),
                _ => {}
            }
        }
        let mut next = state.clone();
        match op {
            Op::Read(_) if may_read => {
                self.call_to_read(&mut next, t, "read", o);
                parts(&mut next, o).1[t] += 1;
                next.hear_of_poison(t, o);
            }
            Op::TryRead(_) => {
                match may_read {
                    true => self.call_to_read(&mut next, t, "try-read", o),
                    false => self.attempt_call(&mut next, t, ("try-read", "failed-read"), o, false),
                }
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
            // A thread that only reads leaves nothing in doubt.
            Op::UnlockRw(_) | Op::Poison(_) => {
                self.call_to_read(&mut next, t, "unlock-read", o);
                let (_, readers, queue) = parts(&mut next, o);
                readers[t] -= 1;
                // The waiting writer is woken; a thread that comes now may be faster.
                if *readers == [0; 8] && *queue == Queue::Writer {
                    *queue = Queue::Nobody;
                }
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

    /// Looks for rwlocks that are read and written at once.
    pub(super) fn look_for_writers(&mut self, state: &State) {
        for (o, object) in state.objects.iter().enumerate() {
            let ObjectState::RwLock { writer, readers, .. } = object else { continue };
            let next = || (0..state.threads.len()).filter_map(|t| self.next_op(state, t));
            let will_read = next().any(|op| matches!(op, Op::Read(of) | Op::TryRead(of) if of == o));
            let will_write = next().any(|op| match op {
                // Operations about poison depend on what writers leave behind.
                Op::Write(of) | Op::TryWrite(of) | Op::IsPoisoned(of) | Op::ClearPoison(of) => of == o,
                _ => false,
            });
            let is_read = readers.iter().any(|count| *count > 0);
            if will_write && (will_read || is_read) || will_read && writer.is_some() {
                self.show(Fact::Met(o));
            }
        }
    }

    /// The thread starts or stops reading, whose order cannot be observed unless another thread writes at the same time.
    fn call_to_read(&mut self, next: &mut State, t: usize, word: &'static str, o: usize) {
        if self.facts.is_known(Fact::Met(o)) {
            self.call(next, t, word, o, &[]);
            return;
        }
        let lock = self.process(o);
        let has_been_used = self.histories.len(next.histories[lock]) > 0;
        let pick = if has_been_used { Pick::partners(&[self.latest(next, lock)]) } else { Pick::Nothing };
        self.emit(next, t, word, Some(o), pick);
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
            *parts(&mut next, o).2 = Queue::WriterAndReader;
            out.push(next);
        }
    }

    /// A thread that tries to read finds some writer waiting, while others read.
    fn fail_behind_writer(&mut self, state: &State, reader: usize, o: usize, out: &mut Vec<State>) {
        if !self.options.waiting_writers_block {
            return;
        }
        for writer in 0..state.threads.len() {
            if !matches!(self.next_op(state, writer), Some(Op::Write(of)) if of == o) {
                continue;
            }
            let mut next = state.clone();
            let write = self.open(&mut next, writer, "write", o);
            next.threads[writer].phase = Phase::Called;
            let attempt = self.open(&mut next, reader, "try-read", o);
            self.complete(&mut next, reader, "failed-read", o, &[attempt, write]);
            next.threads[reader].last = Some(state.tried(o, false));
            *parts(&mut next, o).2 = Queue::Writer;
            self.advance(&mut next, reader);
            out.push(next);
        }
    }
}

/// The writer, how often each thread reads, and which threads wait.
fn parts(next: &mut State, o: usize) -> (&mut Option<u8>, &mut [u8; 8], &mut Queue) {
    let ObjectState::RwLock { writer, readers, queue } = &mut next.objects[o] else {
        unreachable!("it is an rwlock")
    };
    (writer, readers, queue)
}

fn start_writing(next: &mut State, t: usize, o: usize) {
    let (writer, _, queue) = parts(next, o);
    *writer = Some(t as u8);
    *queue = Queue::Nobody;
}
