//! Wait groups, and another object that shows what came before what.

use super::super::program::{Delivery, Holder, Object, Op, Threads};
use super::Builder;

impl Builder {
    /// One or two groups, and usually another object.
    pub(super) fn add_wait_groups(&mut self) {
        for _ in 0..self.random.pick(&[1, 1, 2]) {
            let holders = self.some_threads(4);
            self.objects.push(Object::WaitGroup { holders });
        }
        match self.random.below(10) {
            0..=2 => self.add_atomic(),
            3 | 4 => self.add_channel(),
            5 | 6 => {
                let receiver = self.random.below(self.threads.len());
                let senders = self.senders_to(receiver);
                let receiver = Holder::Thread(receiver);
                self.objects.push(Object::Port { delivery: Delivery::Causal, senders, receiver });
            }
            7 => self.objects.push(Object::Mutex),
            _ => {}
        }
    }

    pub(super) fn wait_group(&mut self, t: usize, o: usize, holders: Threads) -> Vec<Op> {
        if holders >> t & 1 == 0 {
            return Vec::new();
        }
        match self.random.below(8) {
            0 | 1 => vec![Op::DropGroup(o)],
            2 => vec![Op::CloneGroup(o)],
            3 => vec![Op::CloneGroup(o), Op::DropGroup(o)],
            _ => vec![Op::WaitGroup(o)],
        }
    }
}
