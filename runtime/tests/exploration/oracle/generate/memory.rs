//! Objects that threads share by reference: atomics, rwlocks, barriers, closures that run once, pointers; and parking.

use super::super::program::{Object, OnceShape, Op, Threads, Value};
use super::{Builder, Family};

impl Builder {
    pub(super) fn add_memory(&mut self) {
        match self.family {
            Family::Atomics => {
                for _ in 0..self.random.pick(&[1, 2, 2]) {
                    self.add_atomic();
                }
            }
            Family::RwLocks => {
                self.objects.push(Object::RwLock);
                if self.random.chance(20) {
                    self.objects.push(Object::RwLock);
                }
            }
            Family::Readers => {
                self.objects.push(Object::RwLock);
                if self.random.chance(50) {
                    self.objects.push(Object::Mutex);
                }
                if self.random.chance(20) {
                    self.objects.push(Object::RwLock);
                }
            }
            Family::Barriers => {
                self.add_barrier();
                if self.random.chance(20) {
                    self.add_barrier();
                }
            }
            Family::Onces => {
                self.add_once();
                if self.random.chance(40) {
                    self.add_once();
                }
            }
            Family::Parking => {}
            _ => {
                self.add_pointer();
                if self.random.chance(25) {
                    self.add_pointer();
                }
            }
        }
        let percent = if self.family == Family::Onces { 85 } else { 45 };
        if self.objects.is_empty() || self.random.chance(percent) {
            if self.random.chance(60) { self.add_channel() } else { self.add_atomic() }
        }
    }

    /// An object of any kind.
    pub(super) fn add_anything(&mut self) {
        match self.random.below(12) {
            0 | 1 => self.add_any(),
            2 => self.add_atomic(),
            3 => self.objects.push(Object::RwLock),
            4 => self.add_barrier(),
            5 => self.add_once(),
            6 => self.add_pointer(),
            7 => self.add_timer(),
            _ => self.add_flow(&[None, None, Some(0), Some(1)], 2),
        }
    }

    pub(super) fn add_atomic(&mut self) {
        let initial = self.random.below(2) as u8;
        self.objects.push(Object::Atomic { initial });
    }

    fn add_barrier(&mut self) {
        let most = self.threads.len().min(3);
        let size = if self.random.chance(5) { 0 } else { self.random.between(1, most) };
        self.objects.push(Object::Barrier { size });
    }

    fn add_once(&mut self) {
        let shape = self.random.pick(&[OnceShape::Once, OnceShape::Lock, OnceShape::Lock, OnceShape::Lazy]);
        self.objects.push(Object::Once { shape });
    }

    /// A pointer, usually to a sending handle of a channel that comes before it.
    pub(super) fn add_pointer(&mut self) {
        let sender = self.random.chance(65).then(|| {
            if self.random.chance(50) {
                self.add_channel()
            } else {
                self.add_flow(&[None], 1)
            }
            self.objects.len() - 1
        });
        let holders = self.some_threads(3);
        let weak: Threads = if self.random.chance(75) { self.some_threads(2) } else { 0 };
        self.objects.push(Object::Arc { holders, weak, to: sender });
    }

    pub(super) fn atomic(&mut self, t: usize, o: usize) -> Vec<Op> {
        let value = self.value();
        let op = match self.random.below(12) {
            0..=2 => Op::Store(o, value),
            3..=6 => Op::AtomicLoad(o),
            7 => Op::Swap(o, value),
            8 => Op::FetchAdd(o, Value::Just(1)),
            9 | 10 => Op::CompareExchange(o, self.random.below(2) as u8, value),
            _ => Op::FetchUpdate(o),
        };
        [vec![op], self.branch(t)].concat()
    }

    pub(super) fn rwlock(&mut self, t: usize, o: usize) -> Vec<Op> {
        let inner = match self.random.below(6) {
            0 => self.inner_send(t).into_iter().collect(),
            1 => [vec![Op::Load(o)], self.branch(t)].concat(),
            2 => vec![Op::Add(o, Value::Just(1))],
            3 => vec![Op::Load(o), Op::Add(o, Value::LastPlus(1))],
            _ => Vec::new(),
        };
        let [take, again] = match self.random.below(14) {
            0..=3 => [Op::Read(o), Op::UnlockRw(o)],
            4 => [Op::Read(o), Op::Read(o)],
            5 => [Op::Read(o), Op::TryWrite(o)],
            6 | 7 => [Op::TryRead(o), Op::UnlockRw(o)],
            8 | 9 => [Op::Write(o), Op::UnlockRw(o)],
            10 | 11 => [Op::Write(o), Op::Downgrade(o)],
            12 => [self.random.pick(&[Op::IsPoisoned, Op::ClearPoison])(o), Op::Write(o)],
            _ => [Op::TryWrite(o), Op::UnlockRw(o)],
        };
        let try_only = matches!(take, Op::TryRead(_) | Op::TryWrite(_));
        let branch = if try_only && self.branches { vec![Op::UnlessOdd(inner.len())] } else { Vec::new() };
        [vec![take], branch, inner, vec![again, Op::UnlockRw(o)]].concat()
    }

    /// Usually reads an rwlock. Writes usually happen when no thread reads: main writes before it spawns others and after it
    /// has joined them; others write with a mutex that readers take too, if there is one.
    pub(super) fn reading(&mut self, t: usize) -> Vec<Op> {
        let is =
            |object: &Object, lock: &Object| std::mem::discriminant(object) == std::mem::discriminant(lock);
        let locks: Vec<usize> =
            (0..self.objects.len()).filter(|&o| is(&self.objects[o], &Object::RwLock)).collect();
        let mutex = self.objects.iter().position(|object| is(object, &Object::Mutex));
        let o = self.random.pick(&locks);
        let writes = self.random.chance(match (t, mutex) {
            (0, _) => 50,
            (_, Some(_)) => 30,
            (_, None) => 4,
        });
        let inner = match self.random.below(5) {
            0 => self.inner_send(t).into_iter().collect(),
            1 => [vec![Op::Load(o)], self.branch(t)].concat(),
            2 => vec![Op::Add(o, Value::Just(1))],
            _ => Vec::new(),
        };
        let (start, end) = if writes {
            let downgrades = self.random.chance(25);
            let tries = self.random.chance(25);
            (
                vec![if tries { Op::TryWrite(o) } else { Op::Write(o) }],
                if downgrades { vec![Op::Downgrade(o), Op::UnlockRw(o)] } else { vec![Op::UnlockRw(o)] },
            )
        } else {
            match self.random.below(6) {
                0 | 1 => (vec![Op::TryRead(o)], vec![Op::UnlockRw(o)]),
                2 => (vec![Op::Read(o)], vec![Op::Read(o), Op::UnlockRw(o)]),
                _ => (vec![Op::Read(o)], vec![Op::UnlockRw(o)]),
            }
        };
        let is_poisoned = if self.random.chance(4) { vec![Op::IsPoisoned(o)] } else { Vec::new() };
        let all = [is_poisoned, start, inner, end].concat();
        match mutex.filter(|_| t != 0 || self.random.chance(30)) {
            Some(mutex) if self.random.chance(95) => {
                [vec![Op::Lock(mutex)], all, vec![Op::Unlock(mutex)]].concat()
            }
            _ => all,
        }
    }

    pub(super) fn barrier(&mut self, t: usize, o: usize) -> Vec<Op> {
        if self.random.chance(35) {
            [vec![Op::Arrive(o, true)], self.branch(t)].concat()
        } else {
            vec![Op::Arrive(o, false)]
        }
    }

    pub(super) fn once(&mut self, t: usize, o: usize, shape: OnceShape) -> Vec<Op> {
        let channel = (0..self.objects.len()).find(|&x| self.objects[x].takes_sends() && self.sends(t, x));
        let op = match self.random.below(10) {
            0..=2 => Op::IsDone(o),
            3 => Op::AwaitOnce(o),
            4..=6 if shape == OnceShape::Lock => Op::SetOnce(o, self.value()),
            _ => Op::DoOnce(o, channel.filter(|_| self.random.chance(95))),
        };
        [vec![op], self.branch(t)].concat()
    }

    pub(super) fn pointer(&mut self, t: usize, o: usize) -> Vec<Op> {
        let Object::Arc { holders, weak, .. } = self.objects[o] else { unreachable!("it is a pointer") };
        if weak >> t & 1 == 1 && self.random.chance(70) {
            return match self.random.below(7) {
                0 | 1 => vec![Op::DropWeak(o)],
                2 => vec![Op::StrongCount(o)],
                3 => [vec![Op::WeakCount(o)], self.branch(t)].concat(),
                _ => [vec![Op::Upgrade(o)], self.branch(t)].concat(),
            };
        }
        if (holders | weak) >> t & 1 == 0 {
            return Vec::new();
        }
        match self.random.below(11) {
            0 | 1 => vec![Op::CloneArc(o)],
            2 => [vec![Op::StrongCount(o)], self.branch(t)].concat(),
            3 | 4 => vec![Op::DropArc(o)],
            5 | 6 => [vec![Op::TryUnwrap(o)], self.branch(t)].concat(),
            7 => [vec![Op::WeakCount(o)], self.branch(t)].concat(),
            _ => vec![Op::SendBy(o, self.value())],
        }
    }

    /// Rare operations on a counted pointer or an atomic.
    pub(super) fn count(&mut self, t: usize) -> Vec<Op> {
        let o = self.random.below(self.objects.len());
        match self.objects[o] {
            Object::Arc { .. } => {
                let op = self.random.pick(&[Op::DowngradeArc, Op::DowngradeArc, Op::CloneWeak]);
                let use_of = self.random.pick(&[Op::Upgrade, Op::WeakCount, Op::DropWeak, Op::DropArc]);
                [vec![op(o), use_of(o)], self.branch(t)].concat()
            }
            Object::Atomic { .. } => [vec![Op::UpdateOdd(o)], self.branch(t)].concat(),
            _ => Vec::new(),
        }
    }

    /// Parks, or unparks another.
    pub(super) fn parking(&mut self, t: usize) -> Vec<Op> {
        match self.random.below(8) {
            0..=2 => vec![Op::Park],
            3 => [vec![Op::ParkTimeout], self.branch(t)].concat(),
            _ => vec![Op::Unpark(self.random.below(self.threads.len()))],
        }
    }

    /// Sometimes, when a thread releases a lock or runs a closure once, it panics.
    pub(super) fn add_panics(&mut self) {
        for _ in 0..3 {
            self.add_panic();
        }
    }

    fn add_panic(&mut self) {
        let locks = |op: &Op| match op {
            Op::Unlock(o) if matches!(self.objects[*o], Object::Mutex) => Some(*o),
            Op::UnlockRw(o) => Some(*o),
            _ => None,
        };
        let ops = self.threads.iter().enumerate().flat_map(|(t, thread)| {
            thread.ops.iter().enumerate().filter_map(move |(i, op)| Some((t, i, locks(op)?)))
        });
        let places: Vec<(usize, usize, usize)> = ops.collect();
        if !places.is_empty() && self.random.chance(40) {
            let (t, i, o) = self.random.pick(&places);
            self.threads[t].ops[i] = Op::Poison(o);
            return;
        }
        let ops = self.threads.iter().enumerate().flat_map(|(t, thread)| {
            thread.ops.iter().enumerate().filter_map(move |(i, op)| match op {
                Op::DoOnce(o, None) => Some((t, i, *o)),
                _ => None,
            })
        });
        let is_lazy = |o: usize| matches!(self.objects[o], Object::Once { shape: OnceShape::Lazy });
        let places: Vec<(usize, usize, usize)> = ops.filter(|(_, _, o)| !is_lazy(*o)).collect();
        if !places.is_empty() && self.random.chance(40) {
            let (t, i, o) = self.random.pick(&places);
            self.threads[t].ops[i] = Op::FailOnce(o);
        }
    }

    /// Asks whether threads have finished, somewhere after they have been spawned.
    pub(super) fn add_questions(&mut self) {
        for child in 1..self.threads.len() {
            let parent = self.threads[child].parent;
            if !self.random.chance(40) {
                continue;
            }
            let ops = &self.threads[parent].ops;
            let spawned = ops.iter().position(|op| matches!(op, Op::Spawn(c) if *c == child));
            let Some(spawned) = spawned else { continue };
            let later: Vec<usize> = (spawned + 1..=ops.len()).collect();
            let at = self.random.pick(&later);
            self.threads[parent].ops.insert(at, Op::IsFinished(child));
        }
    }
}
