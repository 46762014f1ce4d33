//! Threads that sleep, yield, read their clocks, and ask which threads wait in a monitor.

use super::super::program::{Object, Op, Value};
use super::Builder;

impl Builder {
    /// One or two ways in which a thread can learn of another.
    pub(super) fn add_times(&mut self) {
        for _ in 0..self.random.pick(&[1, 1, 2]) {
            match self.random.below(9) {
                0 | 1 => self.add_channel(),
                2 => self.add_buffer(),
                3 | 8 => self.add_condvar(),
                4 => self.add_semaphore(),
                5 => self.add_atomic(),
                6 => self.add_monitor(true),
                _ => self.add_monitor(false),
            }
        }
    }

    /// Lets time pass, or reads how much has passed.
    pub(super) fn time(&mut self, t: usize) -> Vec<Op> {
        let o = self.random.below(self.objects.len());
        match (self.random.below(8), self.objects[o]) {
            (0..=2, Object::Monitor { conditions, .. }) => {
                let condition = self.random.below(conditions);
                let look = if self.random.chance(50) { Op::Waiting(o, condition) } else { Op::Now };
                let wait = self.random.pick(&[Op::MonitorWait, Op::Signal])(o, condition);
                vec![Op::Enter(o), look, Op::UnlessOdd(1), wait, Op::Sleep, Op::Exit(o)]
            }
            (0..=2, Object::Condvar { mutex }) => {
                vec![Op::Lock(mutex), Op::WaitTimeoutWhile(o), Op::UnlessOdd(1), Op::Sleep, Op::Unlock(mutex)]
            }
            (3..=4, Object::Condvar { mutex }) => {
                let late = if self.random.chance(40) { vec![Op::Sleep] } else { Vec::new() };
                let set = vec![
                    Op::Lock(mutex),
                    Op::Add(mutex, Value::Just(1)),
                    Op::NotifyOne(o),
                    Op::Unlock(mutex),
                ];
                [late, set].concat()
            }
            (0..=1, _) => vec![Op::Sleep],
            (2, _) => vec![Op::ParkTimeout],
            (3, _) => vec![Op::Yield],
            _ => [vec![Op::Now], self.branch(t)].concat(),
        }
    }
}
