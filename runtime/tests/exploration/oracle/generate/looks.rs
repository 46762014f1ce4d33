//! Threads that look before they act: whether a thread waits at a rendezvous, whether a timer has fired.

use super::super::program::{Choice, Object, Op, Otherwise, Side};
use super::Builder;

impl Builder {
    /// One or two rendezvous or timers, or a channel beside one.
    pub(super) fn add_looks(&mut self) {
        for n in 0..self.random.pick(&[1, 1, 2]) {
            match self.random.below(10) {
                0..=5 => self.add_flow(&[Some(0)], 2),
                6..=8 => self.add_timer(),
                _ if n == 0 => self.add_flow(&[Some(0)], 1),
                _ => self.add_flow(&[None, Some(1)], 1),
            }
        }
    }

    /// A look at a channel or timer, and perhaps what the look was for.
    pub(super) fn look_before(&mut self, t: usize) -> Vec<Op> {
        let o = self.random.below(self.objects.len());
        let is_timer = matches!(self.objects[o], Object::Timer { .. });
        let side = match (self.receives(t, o), self.sends(t, o)) {
            (true, true) if self.random.chance(50) => Side::Send(self.value()),
            (true, _) => Side::Recv,
            (false, true) => Side::Send(self.value()),
            (false, false) => return Vec::new(),
        };
        let otherwise = match self.random.below(10) {
            0..=3 => Otherwise::Default,
            4 => Otherwise::Timeout,
            _ => Otherwise::Wait,
        };
        let look = if is_timer && self.random.chance(50) {
            Op::IsEmpty(o)
        } else {
            Op::Choose(Choice { arms: vec![(o, side)], otherwise, ready: true, biased: false, never: false })
        };
        let act = match (side, self.random.below(10)) {
            (_, 0..=2) => None,
            (Side::Recv, 3..=6) => Some(Op::TryRecv(o)),
            (Side::Recv, 7 | 8) => Some(Op::RecvTimeout(o)),
            (Side::Recv, _) => Some(Op::Recv(o)),
            (Side::Send(value), 3..=6) => Some(Op::TrySend(o, value)),
            (Side::Send(value), 7 | 8) => Some(Op::SendTimeout(o, value)),
            (Side::Send(value), _) => Some(Op::Send(o, value)),
        };
        let acts = match act {
            Some(act) if self.branches && self.random.chance(30) => vec![Op::UnlessOdd(1), act],
            act => act.into_iter().collect(),
        };
        [vec![look], acts, self.branch(t)].concat()
    }
}
