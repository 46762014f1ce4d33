//! Channels of crossbeam, selects over them, and channels that are sent over channels.

use super::super::program::{Choice, Object, Op, Otherwise, Side, Threads};
use super::{Builder, Family};

impl Builder {
    pub(super) fn add_flows(&mut self) {
        match self.family {
            Family::Carriers => {
                for _ in 0..self.random.pick(&[2, 2, 3]) {
                    match self.random.below(6) {
                        0 | 1 => self.add_channel(),
                        2 => self.add_buffer(),
                        _ => self.add_flow(&[None, None, Some(0), Some(1), Some(2)], 1),
                    }
                }
            }
            Family::Flows => {
                self.add_flow(&[None], 2);
                if self.random.chance(40) {
                    self.add_flow(&[None, Some(0), Some(1)], 2);
                } else if self.random.chance(30) {
                    self.add_timer();
                }
            }
            Family::Crowds => {
                self.add_flow(&[Some(0), Some(0), Some(0), Some(1), Some(1), Some(2)], 3);
                if self.random.chance(25) {
                    self.add_flow(&[Some(0), Some(1)], 2);
                }
            }
            Family::PortChoices => {
                let receiver = self.random.below(self.threads.len());
                for _ in 0..self.random.pick(&[2, 2, 3]) {
                    if self.random.chance(30) {
                        self.add_timer_of(1 << receiver);
                    } else {
                        self.add_flow_to(None, 1 << receiver);
                    }
                }
            }
            _ => {
                for _ in 0..self.random.pick(&[2, 2, 2, 3]) {
                    if self.random.chance(12) {
                        self.add_timer();
                    } else {
                        self.add_flow(&[None, None, Some(0), Some(0), Some(1), Some(1), Some(2)], 2);
                    }
                }
            }
        }
    }

    /// Two channels and a timer, or three channels, that one thread can choose from.
    pub(super) fn add_arms(&mut self) {
        let chooser = self.random.below(self.threads.len());
        for n in 0..3 {
            if n == 2 && self.random.chance(60) {
                self.add_timer_of(1 << chooser);
                continue;
            }
            let capacity = self.random.pick(&[None, None, Some(0), Some(1)]);
            let other = (chooser + 1) % self.threads.len();
            if self.random.chance(75) {
                self.objects.push(Object::Flow { capacity, senders: 1 << other, receivers: 1 << chooser });
            } else {
                self.objects.push(Object::Flow { capacity, senders: 1 << chooser, receivers: 1 << other });
            }
        }
    }

    /// A look at what is inside a channel or timer.
    pub(super) fn look(&mut self, t: usize) -> Vec<Op> {
        let o = self.random.below(self.objects.len());
        [vec![self.random.pick(&[Op::IsEmpty, Op::IsFull, Op::Len])(o)], self.branch(t)].concat()
    }

    /// A channel with one of these capacities and at most `most` receivers.
    pub(super) fn add_flow(&mut self, capacities: &[Option<usize>], most: usize) {
        let capacity = self.random.pick(capacities);
        let receivers = self.some_threads(most);
        self.add_flow_to(capacity, receivers);
    }

    pub(super) fn add_flow_to(&mut self, capacity: Option<usize>, receivers: Threads) {
        let senders = self.senders_to(receivers.trailing_zeros() as usize);
        self.objects.push(Object::Flow { capacity, senders, receivers });
    }

    pub(super) fn add_timer(&mut self) {
        let receivers = if self.random.chance(80) { self.some_threads(1) } else { self.some_threads(2) };
        self.add_timer_of(receivers);
    }

    pub(super) fn add_timer_of(&mut self, receivers: Threads) {
        let tick = self.random.chance(40);
        self.objects.push(Object::Timer { tick, receivers });
    }

    /// At least one thread, at most `most`.
    pub(super) fn some_threads(&mut self, most: usize) -> Threads {
        let count = self.random.between(1, most.min(self.threads.len()));
        let mut threads: Threads = 0;
        while (threads.count_ones() as usize) < count {
            threads |= 1 << self.random.below(self.threads.len());
        }
        threads
    }

    /// A send or receive on a channel, or a receive on a timer.
    pub(super) fn flow(&mut self, t: usize, o: usize) -> Vec<Op> {
        if self.family == Family::Carriers && self.random.chance(50) {
            let chunk = self.carry(t, o);
            if !chunk.is_empty() {
                return chunk;
            }
        }
        let receives = self.receives(t, o) && (!self.sends(t, o) || self.random.chance(60));
        if receives {
            let take = match self.random.below(20) {
                0..=8 => Op::Recv(o),
                9..=13 => Op::TryRecv(o),
                14..=16 => Op::RecvTimeout(o),
                19 if self.family != Family::PortChoices => Op::Len(o),
                _ => Op::Drain(o),
            };
            return [vec![take], self.branch(t)].concat();
        }
        if !self.sends(t, o) {
            return Vec::new();
        }
        let value = self.value();
        match self.random.below(20) {
            0..=9 => vec![Op::Send(o, value)],
            10..=14 => [vec![Op::TrySend(o, value)], self.branch(t)].concat(),
            18..=19 if self.family != Family::PortChoices => [vec![Op::Len(o)], self.branch(t)].concat(),
            _ => [vec![Op::SendTimeout(o, value)], self.branch(t)].concat(),
        }
    }

    /// Sends a handle of another channel over this one, or uses it as any other.
    pub(super) fn carry(&mut self, t: usize, o: usize) -> Vec<Op> {
        let carried: Vec<usize> = (0..self.objects.len()).filter(|&x| x != o && self.sends(t, x)).collect();
        if !self.sends(t, o) || carried.is_empty() {
            return Vec::new();
        }
        let x = self.random.pick(&carried);
        vec![Op::SendHandle(o, x)]
    }

    /// A select over channels and timers that the thread can use, if there are several.
    pub(super) fn choice(&mut self, t: usize) -> Option<Vec<Op>> {
        let mut arms: Vec<(usize, Side)> = Vec::new();
        for o in 0..self.objects.len() {
            if !matches!(self.objects[o], Object::Flow { .. } | Object::Timer { .. }) {
                continue;
            }
            if self.receives(t, o) {
                arms.push((o, Side::Recv));
            }
            let may_send = self.family != Family::PortChoices && self.sends(t, o);
            if may_send && (!self.receives(t, o) || self.random.chance(20)) {
                arms.push((o, Side::Send(self.value())));
            }
        }
        if arms.len() < 2 && !(arms.len() == 1 && self.random.chance(25)) {
            return None;
        }
        let turn = self.random.below(arms.len());
        arms.rotate_left(turn);
        arms.truncate(if self.family == Family::Arms { 3 } else { self.random.pick(&[2, 2, 2, 3]) });
        let otherwise = match self.random.below(10) {
            0..=2 => Otherwise::Default,
            3..=4 => Otherwise::Timeout,
            _ => Otherwise::Wait,
        };
        let ports = self.family == Family::PortChoices;
        let ready = !ports && self.random.chance(25);
        let biased = !ports && self.random.chance(20);
        let never = self.random.chance(15);
        Some([vec![Op::Choose(Choice { arms, otherwise, ready, biased, never })], self.branch(t)].concat())
    }
}
