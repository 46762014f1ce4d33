//! Channels whose ends are handed from thread to thread.

use super::super::program::{Delivery, Holder, Object, Op};
use super::Builder;

impl Builder {
    /// Channels with one receiver each, and perhaps a counted pointer to a handle of one.
    pub(super) fn add_parcels(&mut self) {
        for _ in 0..self.random.pick(&[2, 2, 3]) {
            match self.random.below(6) {
                0..=2 => self.add_channel(),
                3 => self.add_buffer(),
                _ => self.add_flow(&[None, Some(1)], 1),
            }
        }
        if self.random.chance(30) {
            return self.add_shared_receiver();
        }
        if self.random.chance(35) {
            if self.random.chance(60) {
                self.add_buffer()
            } else {
                self.add_flow(&[Some(1)], 1)
            }
            let sender = Some(self.objects.len() - 1);
            let holders = self.some_threads(2);
            self.objects.push(Object::Arc { holders, weak: 0, to: sender });
        }
    }

    /// A receiver under a mutex behind a counted pointer.
    fn add_shared_receiver(&mut self) {
        self.objects.truncate(1);
        let mutex = self.objects.len();
        self.objects.push(Object::Mutex);
        let senders = self.senders_to(self.threads.len());
        let receiver = Holder::Under(mutex);
        self.objects.push(Object::Port { delivery: Delivery::Channel, senders, receiver });
        let holders = self.some_threads(3);
        self.objects.push(Object::Arc { holders, weak: 0, to: Some(mutex) });
    }

    /// An operation on a channel that the thread can use, or may be able to use by then.
    pub(super) fn parcel(&mut self, t: usize) -> Vec<Op> {
        let o = self.random.below(self.objects.len());
        match self.objects[o] {
            Object::Arc { .. } if self.random.chance(30) => return vec![Op::DropArc(o)],
            Object::Arc { to: Some(mutex), .. } if matches!(self.objects[mutex], Object::Mutex) => {
                let take = self.random.pick(&[Op::Recv, Op::TryRecv])(mutex + 1);
                return vec![Op::Lock(mutex), take, Op::Unlock(mutex)];
            }
            Object::Arc { .. } => return vec![Op::SendBy(o, self.value())],
            Object::Mutex => return Vec::new(),
            _ => {}
        }
        let x = self.random.below(self.objects.len());
        let receives = self.objects[o].receiver() == Some(Holder::Thread(t)) || self.receives(t, o);
        if receives && (!self.sends(t, o) || self.random.chance(60)) {
            let take = self.random.pick(&[Op::Recv, Op::Recv, Op::TryRecv, Op::TryDrain, Op::Drain])(o);
            // A received message may be an end of another channel.
            let then = match self.random.below(4) {
                0 => vec![Op::Recv(x)],
                1 => vec![Op::Send(x, self.value())],
                _ => self.branch(t),
            };
            return [vec![take], then].concat();
        }
        if !self.sends(t, o) {
            return Vec::new();
        }
        match self.random.below(8) {
            0..=1 => vec![Op::SendReceiver(o, x)],
            2 => vec![Op::SendHandle(o, x)],
            3 => vec![Op::CloneSender(o), Op::SendHandle(x, o)],
            4 => vec![Op::CloneSender(o), Op::Send(o, self.value()), Op::DropSender(o)],
            _ => vec![Op::Send(o, self.value())],
        }
    }
}
