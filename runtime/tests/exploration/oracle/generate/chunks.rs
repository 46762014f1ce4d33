//! The operations of a random program's threads, in chunks that make some sense.

use super::super::program::{Guard, Holder, Object, Op, Otherwise, Select, Value};
use super::{Builder, Family};

impl Builder {
    pub(super) fn add_chunks(&mut self, t: usize) {
        if self.relay {
            let chunks = self.relay(t);
            self.threads[t].ops.extend(chunks);
            return;
        }
        if self.crowd {
            let chunks = self.crowd(t);
            self.threads[t].ops.extend(chunks);
            if t != 1 || self.random.chance(70) {
                return;
            }
        }
        let (low, high) = match self.family {
            Family::Ports | Family::Buffers | Family::Selects | Family::Entries => (2, 4),
            Family::UrgentMonitors | Family::Mixed => (1, 4),
            Family::Timeouts | Family::Flows | Family::Onces | Family::Parking | Family::Pointers => (2, 4),
            Family::Carriers | Family::Atomics | Family::Parcels | Family::Counts | Family::Times => (2, 4),
            _ => (1, 3),
        };
        let count =
            if t == 0 { self.random.between(low - 1, high - 1) } else { self.random.between(low, high) };
        for _ in 0..count {
            let chunk = self.chunk(t);
            self.threads[t].ops.extend(chunk);
        }
    }

    /// Threads send to the same port from inside the monitor.
    fn relay(&mut self, t: usize) -> Vec<Op> {
        if self.objects[1].receiver() == Some(Holder::Thread(t)) {
            return vec![Op::Recv(1); self.random.between(1, 2)];
        }
        let mut inside = vec![Op::Send(1, self.value())];
        if self.random.chance(20) {
            inside.push(Op::MonitorWait(0, 0));
        } else if self.random.chance(30) {
            inside.push(Op::Signal(0, 0));
        }
        [vec![Op::Enter(0)], inside, vec![Op::Exit(0)]].concat()
    }

    /// Threads wait on the first condition that there is; main wakes them.
    fn crowd(&mut self, t: usize) -> Vec<Op> {
        let wakes = if t == 0 { self.random.between(1, 2) } else { 1 };
        let mut chunks = Vec::new();
        for _ in 0..wakes {
            // The condition variable comes after its mutex.
            chunks.extend(match self.objects[..2.min(self.objects.len())] {
                [Object::Mutex, Object::Condvar { mutex }, ..] if t > 0 => {
                    let wait = self.wait(1);
                    let branch = if self.timeouts { self.branch(t) } else { Vec::new() };
                    [vec![Op::Lock(mutex), wait], branch, vec![Op::Unlock(mutex)]].concat()
                }
                [Object::Mutex, Object::Condvar { .. }, ..] => {
                    vec![if self.random.chance(50) { Op::NotifyOne(1) } else { Op::NotifyAll(1) }]
                }
                [Object::Monitor { .. }, ..] if t > 0 => {
                    let mut inside = vec![Op::MonitorWait(0, 0)];
                    // A woken thread may wake the next.
                    if self.random.chance(60) {
                        inside.push(Op::Signal(0, 0));
                        inside.extend(self.turn());
                    }
                    if self.random.chance(30) {
                        inside.extend(self.inner_send(t));
                    }
                    [vec![Op::Enter(0)], inside, vec![Op::Exit(0)]].concat()
                }
                [Object::Monitor { urgent, .. }, ..] => {
                    let signal =
                        if urgent || self.random.chance(50) { Op::Signal(0, 0) } else { Op::SignalAll(0, 0) };
                    [vec![Op::Enter(0), signal], self.turn(), vec![Op::Exit(0)]].concat()
                }
                _ => Vec::new(),
            });
        }
        chunks
    }

    /// Adds one event or none, depending on the number of times that threads have been here in the monitor.
    fn turn(&mut self) -> Vec<Op> {
        if self.random.chance(50) {
            return Vec::new();
        }
        vec![Op::Load(0), Op::Add(0, Value::Just(1)), Op::UnlessOdd(1), Op::Signal(0, 0)]
    }

    /// Operations on one of the objects that the thread can use.
    pub(super) fn chunk(&mut self, t: usize) -> Vec<Op> {
        if self.family.is_first()
            && self.random.chance(60)
            && let Some(select) = self.select(t)
        {
            return select;
        }
        if matches!(self.family, Family::PortChoices | Family::Choices | Family::Jumble)
            && self.random.chance(65)
            && let Some(choice) = self.choice(t)
        {
            return choice;
        }
        if matches!(self.family, Family::Parking | Family::Jumble) && self.random.chance(50) {
            return self.parking(t);
        }
        let rare = match self.family {
            Family::Panics if self.random.chance(70) => self.risk(t),
            Family::Parcels => self.parcel(t),
            Family::Counts if self.random.chance(40) => self.count(t),
            Family::Arms if self.random.chance(20) => self.look(t),
            Family::Arms if self.random.chance(70) => self.choice(t).unwrap_or_default(),
            Family::Times if self.random.chance(60) => self.time(t),
            Family::Looks if self.random.chance(60) => self.look_before(t),
            Family::Readers if self.random.chance(75) => self.reading(t),
            _ => Vec::new(),
        };
        if !rare.is_empty() {
            return rare;
        }
        for _ in 0..4 {
            let o = self.random.below(self.objects.len());
            let chunk = match self.objects[o] {
                Object::Flow { .. } | Object::Timer { .. } => self.flow(t, o),
                Object::Atomic { .. } => self.atomic(t, o),
                Object::RwLock => self.rwlock(t, o),
                Object::Barrier { .. } => self.barrier(t, o),
                Object::WaitGroup { holders } => self.wait_group(t, o, holders),
                Object::Once { shape } => self.once(t, o, shape),
                Object::Arc { .. } => self.pointer(t, o),
                Object::Port { .. } | Object::Buffer { .. }
                    if self.family == Family::Carriers && self.random.chance(50) =>
                {
                    self.carry(t, o)
                }
                Object::Port { receiver, .. } | Object::Buffer { receiver, .. } => {
                    self.message(t, o, receiver)
                }
                Object::Entry { receiver, .. } => self.rendezvous(t, o, receiver),
                Object::Mutex | Object::Reentrant => self.critical_section(t, o),
                Object::Condvar { mutex } => self.condition(o, mutex),
                Object::Semaphore { .. } => self.permit(t, o),
                Object::Monitor { urgent, conditions } => self.monitor(t, o, urgent, conditions),
            };
            if !chunk.is_empty() {
                return chunk;
            }
        }
        Vec::new()
    }

    pub(super) fn value(&mut self) -> Value {
        if self.branches && self.random.chance(20) {
            Value::LastPlus(self.random.below(2) as u8)
        } else {
            Value::Just(self.random.below(10) as u8)
        }
    }

    /// A send on a port, or nothing if the thread has no handle. Used inside other chunks.
    pub(super) fn inner_send(&mut self, t: usize) -> Option<Op> {
        let ports = (0..self.objects.len())
            .filter(|&o| {
                let never_full =
                    matches!(self.objects[o], Object::Port { .. } | Object::Flow { capacity: None, .. });
                never_full && self.sends(t, o)
            })
            .collect::<Vec<_>>();
        if ports.is_empty() {
            return None;
        }
        let o = self.random.pick(&ports);
        Some(Op::Send(o, self.value()))
    }

    /// Perhaps an operation that depends on what was received.
    pub(super) fn branch(&mut self, t: usize) -> Vec<Op> {
        if !self.branches || !self.random.chance(60) {
            return Vec::new();
        }
        let inner = match self.inner_send(t) {
            // Whether the second is sent depends on whether the first could be.
            Some(send) if self.random.chance(35) => {
                let targets: Vec<usize> = (0..self.objects.len())
                    .filter(|&o| self.sends(t, o) && !matches!(self.objects[o], Object::Entry { .. }))
                    .collect();
                let first = Op::Send(self.random.pick(&targets), self.value());
                vec![first, Op::UnlessOdd(1), send]
            }
            Some(send) => vec![send],
            None => {
                let o = self.random.below(self.objects.len());
                match self.objects[o] {
                    Object::Mutex | Object::Reentrant => vec![Op::Lock(o), Op::Unlock(o)],
                    Object::Semaphore { .. } => vec![Op::Release(o)],
                    Object::Condvar { .. } => vec![Op::NotifyOne(o)],
                    Object::Buffer { .. } | Object::Port { .. } if self.sends(t, o) => {
                        vec![Op::Send(o, self.value())]
                    }
                    Object::Buffer { .. } | Object::Port { .. } => vec![Op::TryRecv(o)],
                    Object::Entry { .. } => vec![Op::Call(o, self.value())],
                    Object::Monitor { .. } => vec![Op::Enter(o), Op::Signal(o, 0), Op::Exit(o)],
                    Object::Flow { .. } if self.sends(t, o) => vec![Op::TrySend(o, self.value())],
                    Object::Flow { .. } | Object::Timer { .. } => vec![Op::TryRecv(o)],
                    Object::Atomic { .. } => vec![Op::Store(o, self.value())],
                    Object::RwLock => vec![Op::TryWrite(o), Op::UnlockRw(o)],
                    Object::Barrier { .. } => vec![Op::Arrive(o, false)],
                    Object::Once { .. } => vec![Op::DoOnce(o, None)],
                    Object::Arc { .. } => vec![Op::DropArc(o)],
                    Object::WaitGroup { .. } => vec![Op::DropGroup(o)],
                }
            }
        };
        [vec![Op::UnlessOdd(inner.len())], inner].concat()
    }

    fn message(&mut self, t: usize, o: usize, receiver: Holder) -> Vec<Op> {
        let buffer = matches!(self.objects[o], Object::Buffer { .. });
        let take = if self.timeouts && self.random.chance(35) {
            Op::RecvTimeout(o)
        } else if (self.tries || buffer) && self.random.chance(50) {
            Op::TryRecv(o)
        } else if self.random.chance(15) {
            Op::Drain(o)
        } else {
            Op::Recv(o)
        };
        match receiver {
            Holder::Thread(holder) if holder == t => [vec![take], self.branch(t)].concat(),
            Holder::Under(mutex) if !self.sends(t, o) || self.random.chance(50) => {
                let mut chunk = vec![Op::Lock(mutex), take];
                if self.drops && self.random.chance(15) {
                    chunk.push(Op::DropReceiver(o));
                }
                chunk.push(Op::Unlock(mutex));
                // Operations that depend on the message are done under the mutex or after it.
                let at = if self.random.chance(50) { chunk.len() } else { 2 };
                let branch = self.branch(t);
                chunk.splice(at..at, branch);
                chunk
            }
            _ if self.sends(t, o) && self.branches && self.random.chance(25) => {
                // The second is sent only if the first could be.
                let [first, second] = [self.value(), self.value()];
                vec![Op::Remember(1), Op::Send(o, first), Op::UnlessOdd(1), Op::Send(o, second)]
            }
            _ if self.sends(t, o) && buffer && self.timeouts && self.random.chance(50) => {
                let value = self.value();
                [vec![Op::TrySend(o, value)], self.branch(t)].concat()
            }
            _ if self.sends(t, o) => vec![Op::Send(o, self.value())],
            _ => Vec::new(),
        }
    }

    fn rendezvous(&mut self, t: usize, o: usize, server: Holder) -> Vec<Op> {
        if server != Holder::Thread(t) {
            return if self.sends(t, o) {
                [vec![Op::Call(o, self.value())], self.branch(t)].concat()
            } else {
                Vec::new()
            };
        }
        match self.random.below(9) {
            0..=2 => [vec![Op::AcceptReply(o)], self.branch(t)].concat(),
            3 => vec![Op::Serve(o)],
            4 => vec![Op::Accept(o)],
            5 => vec![Op::Accept(o), Op::DropCall],
            _ => [vec![Op::Accept(o)], self.branch(t), vec![Op::Reply]].concat(),
        }
    }

    /// A select over the ports and entries of the thread, if it has several (or one, at times).
    fn select(&mut self, t: usize) -> Option<Vec<Op>> {
        let mut arms: Vec<usize> = (0..self.objects.len())
            .filter(|&o| {
                self.objects[o].receiver() == Some(Holder::Thread(t))
                    && !matches!(self.objects[o], Object::Buffer { .. })
            })
            .collect();
        if arms.len() < 2 && !(arms.len() == 1 && self.random.chance(25)) {
            return None;
        }
        // The first arm is always open, but it may be any of them.
        let first = self.random.below(arms.len());
        arms.swap(0, first);
        arms.truncate(3);
        let mut guards = vec![Guard::Always];
        for _ in 1..arms.len() {
            guards.push(self.random.pick(&[Guard::Always, Guard::Always, Guard::Odd, Guard::NotOdd]));
        }
        let mut arms: Vec<(usize, Guard)> = arms.into_iter().zip(guards).collect();
        arms.rotate_left(usize::from(self.random.chance(50)));
        let otherwise = match self.random.below(10) {
            0..=2 => Otherwise::Default,
            3..=5 => Otherwise::Timeout,
            _ => Otherwise::Wait,
        };
        let after = match self.random.below(4) {
            0 => self.branch(t),
            1 => vec![Op::DropCall],
            _ => vec![Op::Reply],
        };
        Some([vec![Op::Select(Select { arms, otherwise })], after].concat())
    }

    /// Operations inside a mutex or monitor: perhaps a send, a change of the number, an operation that depends on it.
    fn protected(&mut self, t: usize, o: usize) -> Vec<Op> {
        match self.random.below(7) {
            0 | 1 => self.inner_send(t).into_iter().collect(),
            2 => vec![Op::Add(o, Value::Just(1))],
            3 => [vec![Op::Load(o), Op::Add(o, Value::LastPlus(1))], self.branch(t)].concat(),
            _ => Vec::new(),
        }
    }

    fn critical_section(&mut self, t: usize, o: usize) -> Vec<Op> {
        if !self.family.is_first() && matches!(self.objects[o], Object::Mutex) && self.random.chance(15) {
            return vec![Op::LockInPanic(o)];
        }
        let mut inner = self.protected(t, o);
        if !self.family.is_first() && self.random.chance(25) {
            inner.push(self.random.pick(&[Op::IsPoisoned, Op::ClearPoison])(o));
        }
        if matches!(self.objects[o], Object::Reentrant) && self.random.chance(40) {
            inner.extend([Op::Lock(o), Op::Unlock(o)]);
        }
        // Another lock inside, so that there are deadlocks.
        if self.random.chance(25) {
            let other = self.random.below(self.objects.len());
            if matches!(self.objects[other], Object::Mutex | Object::Reentrant) {
                inner.extend([Op::Lock(other), Op::Unlock(other)]);
            }
        }
        if self.random.chance(35) {
            let branch = if self.branches { vec![Op::UnlessOdd(inner.len())] } else { Vec::new() };
            [vec![Op::TryLock(o)], branch, inner, vec![Op::Unlock(o)]].concat()
        } else {
            [vec![Op::Lock(o)], inner, vec![Op::Unlock(o)]].concat()
        }
    }

    fn wait(&mut self, o: usize) -> Op {
        if self.timeouts && self.random.chance(60) { Op::WaitTimeout(o) } else { Op::Wait(o) }
    }

    fn condition(&mut self, o: usize, mutex: usize) -> Vec<Op> {
        let notify = if self.random.chance(60) { Op::NotifyOne(o) } else { Op::NotifyAll(o) };
        let wait = self.wait(o);
        match self.random.below(7) {
            0 | 1 => vec![Op::Lock(mutex), wait, Op::Unlock(mutex)],
            2 => vec![Op::Lock(mutex), notify, wait, Op::Unlock(mutex)],
            3 | 4 => vec![Op::Lock(mutex), notify, Op::Unlock(mutex)],
            _ => vec![notify],
        }
    }

    fn permit(&mut self, t: usize, o: usize) -> Vec<Op> {
        let binary = matches!(self.objects[o], Object::Semaphore { binary: true, .. });
        match self.random.below(9) {
            0 => vec![Op::Acquire(o)],
            1 => vec![Op::Release(o)],
            2 if !binary => vec![Op::Release(o)],
            2..=4 => [vec![Op::Acquire(o)], self.inner_send(t).into_iter().collect(), vec![Op::Release(o)]]
                .concat(),
            5 | 6 => [vec![Op::TryAcquire(o)], self.branch(t)].concat(),
            _ => vec![Op::TryAcquire(o), Op::UnlessOdd(1), Op::Release(o)],
        }
    }

    fn monitor(&mut self, t: usize, o: usize, urgent: bool, conditions: usize) -> Vec<Op> {
        let condition = self.random.below(conditions);
        let signal = if urgent || self.random.chance(60) {
            Op::Signal(o, condition)
        } else {
            Op::SignalAll(o, condition)
        };
        let mut inner = match self.random.below(8) {
            0 | 1 => vec![Op::MonitorWait(o, condition)],
            2..=5 => vec![signal],
            6 => vec![signal, Op::MonitorWait(o, self.random.below(conditions))],
            _ => Vec::new(),
        };
        let at = self.random.below(inner.len() + 1);
        let protected = self.protected(t, o);
        inner.splice(at..at, protected);
        [vec![Op::Enter(o)], inner, vec![Op::Exit(o)]].concat()
    }

    /// Threads that receive on their own ports, and send to each other's depending on what they received.
    pub(super) fn tangle(&mut self) {
        debug_assert_eq!(self.family, Family::Tangled);
        let count = self.threads.len();
        for t in 0..count {
            let mut ops = Vec::new();
            let starts = if t == 0 { self.random.between(1, 2) } else { usize::from(self.random.chance(60)) };
            for _ in 0..starts {
                ops.push(self.send_to_other(t));
            }
            for _ in 0..self.random.between(usize::from(t > 0), if count == 3 { 3 } else { 2 }) {
                ops.push(if self.tries && self.random.chance(30) { Op::TryRecv(t) } else { Op::Recv(t) });
                if self.random.chance(75) {
                    ops.extend([Op::UnlessOdd(1), self.send_to_other(t)]);
                } else if self.random.chance(60) {
                    ops.push(self.send_to_other(t));
                }
            }
            self.threads[t].ops = ops;
        }
        // Unused handles would only add drops.
        for o in 0..count {
            let uses =
                |t: &usize| self.threads[*t].ops.iter().any(|op| matches!(op, Op::Send(to, _) if *to == o));
            let mut used: u8 = (0..count).filter(uses).map(|t| 1 << t).sum();
            if used == 0 {
                used = 1;
            }
            if let Object::Port { senders, .. } = &mut self.objects[o] {
                *senders = used;
            }
        }
    }

    fn send_to_other(&mut self, t: usize) -> Op {
        let step = self.random.between(1, self.threads.len() - 1);
        let value = if self.random.chance(30) {
            Value::LastPlus(1)
        } else {
            Value::Just(self.random.below(10) as u8)
        };
        Op::Send((t + step) % self.threads.len(), value)
    }
}
