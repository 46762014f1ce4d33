//! Threads that panic, and what other threads observe then.

use super::super::program::{Object, OnceShape, Op, Value};
use super::Builder;

impl Builder {
    /// Objects that a panic can poison, and perhaps another that is released or dropped in the middle of a panic.
    pub(super) fn add_risks(&mut self) {
        for _ in 0..self.random.pick(&[1, 1, 2]) {
            match self.random.below(7) {
                0 | 1 => self.objects.push(Object::Mutex),
                2 | 3 => self.add_condvar(),
                4 => self.objects.push(Object::RwLock),
                _ => {
                    let shape = self.random.pick(&[OnceShape::Once, OnceShape::Once, OnceShape::Doomed]);
                    self.objects.push(Object::Once { shape });
                }
            }
        }
        if self.random.chance(35) {
            self.add_channel();
        } else if self.random.chance(40) {
            self.add_anything();
        }
    }

    /// Uses an object that may be poisoned, or poisons it.
    pub(super) fn risk(&mut self, t: usize) -> Vec<Op> {
        let o = self.random.below(self.objects.len());
        match self.objects[o] {
            Object::Mutex => {
                let take = self.random.pick(&[Op::LockOrPanic, Op::Lock, Op::TryLock])(o);
                let inside = [self.branch(t), vec![Op::Add(o, Value::Just(1))]].concat();
                [vec![take], inside, vec![Op::Unlock(o)]].concat()
            }
            Object::Condvar { mutex } => {
                let notify = self.random.pick(&[Op::NotifyOne, Op::NotifyAll])(o);
                match self.random.below(5) {
                    0 | 1 => {
                        let wait =
                            self.random.pick(&[Op::WaitWhile, Op::WaitWhile, Op::Wait, Op::WaitTimeout]);
                        [vec![Op::Lock(mutex), wait(o)], self.branch(t), vec![Op::Unlock(mutex)]].concat()
                    }
                    2 => vec![Op::LockOrPanic(mutex), Op::WaitWhile(o), Op::Unlock(mutex)],
                    _ => vec![Op::Lock(mutex), Op::Add(mutex, Value::Just(1)), notify, Op::Unlock(mutex)],
                }
            }
            Object::RwLock => {
                let take = self.random.pick(&[Op::Read, Op::TryRead, Op::Write, Op::TryWrite])(o);
                [vec![take], self.branch(t), vec![Op::UnlockRw(o)]].concat()
            }
            Object::Once { shape: OnceShape::Once } => {
                let all = [Op::FailOnce, Op::DoOnceOrPanic, Op::AwaitOnceOrPanic, Op::AwaitOnce];
                let op = self.random.pick(&all)(o);
                [vec![op], self.branch(t)].concat()
            }
            Object::Once { .. } => {
                let op = if self.random.chance(60) { Op::DoOnce(o, None) } else { Op::DoOnceOrPanic(o) };
                [vec![op], self.branch(t)].concat()
            }
            _ => Vec::new(),
        }
    }

    /// Some threads end with a panic.
    pub(super) fn add_ends(&mut self) {
        for t in 0..self.threads.len() {
            if !self.random.chance(if t == 0 { 8 } else { 45 }) {
                continue;
            }
            let at = self.random.below(self.threads[t].ops.len() + 1);
            self.threads[t].ops.insert(at, Op::Panic);
        }
    }
}
