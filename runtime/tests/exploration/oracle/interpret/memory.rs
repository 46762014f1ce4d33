//! Operations on atomics, rwlocks, barriers, wait groups, closures that run once, and counted pointers.

use insyn::std::panic::{AssertUnwindSafe, catch_unwind};
use insyn::std::sync::atomic::Ordering;
use insyn::std::sync::{Arc, RwLockReadGuard, RwLockWriteGuard};

use super::super::program::{OnceShape, Op, Value};
use super::Runner;
use super::locks::{hear_of_poison, tried};
use super::objects::{Message, SendHandle, Shared};

/// The guard that a thread has of an rwlock.
pub(super) enum RwGuard<'w> {
    Read(RwLockReadGuard<'w, u8>),
    Write(RwLockWriteGuard<'w, u8>),
}

impl RwGuard<'_> {
    pub(super) fn number(&self) -> u8 {
        match self {
            RwGuard::Read(guard) => **guard,
            RwGuard::Write(guard) => **guard,
        }
    }

    pub(super) fn number_mut(&mut self) -> Option<&mut u8> {
        match self {
            RwGuard::Read(_) => None,
            RwGuard::Write(guard) => Some(&mut **guard),
        }
    }
}

impl Runner<'_> {
    pub(super) fn wait_group(&mut self, op: &Op, o: usize) {
        let groups = self.handles.groups.entry(o).or_default();
        match op {
            Op::CloneGroup(_) => {
                let another = groups.last().cloned();
                groups.extend(another);
            }
            Op::DropGroup(_) => drop(groups.pop()),
            _ => {
                if let Some(group) = groups.pop() {
                    group.wait();
                }
            }
        }
    }

    pub(super) fn atomic(&mut self, op: &Op, o: usize) {
        let Shared::Atomic(atomic) = &self.world.objects[o] else { unreachable!("it is an atomic") };
        let order = Ordering::SeqCst;
        self.last = Some(match op {
            Op::Store(_, value) => return atomic.store(value.of(self.last), order),
            Op::AtomicLoad(_) => atomic.load(order),
            Op::Swap(_, value) => atomic.swap(value.of(self.last), order),
            Op::FetchAdd(_, value) => atomic.fetch_add(value.of(self.last), order),
            Op::CompareExchange(_, expected, new) if self.t % 2 == 1 => {
                u8::from(atomic.compare_exchange_weak(*expected, new.of(self.last), order, order).is_ok())
            }
            Op::CompareExchange(_, expected, new) => {
                u8::from(atomic.compare_exchange(*expected, new.of(self.last), order, order).is_ok())
            }
            Op::UpdateOdd(_) => {
                let next = |value: u8| (value % 2 == 1).then(|| value.wrapping_add(1));
                u8::from(atomic.fetch_update(order, order, next).is_ok())
            }
            _ => match atomic.fetch_update(order, order, |value| Some(value.wrapping_add(1))) {
                Ok(old) | Err(old) => old,
            },
        });
    }

    pub(super) fn rwlock(&mut self, op: &Op, o: usize) {
        let Shared::RwLock(lock) = &self.world.objects[o] else { unreachable!("it is an rwlock") };
        let held = self.rwlocks.entry(o).or_default();
        let writes = matches!(held.last(), Some(RwGuard::Write(_)));
        match op {
            Op::UnlockRw(_) => drop(held.pop()),
            Op::Downgrade(_) => {
                if writes && let Some(RwGuard::Write(guard)) = held.pop() {
                    held.push(RwGuard::Read(RwLockWriteGuard::downgrade(guard)));
                }
            }
            _ if writes => {}
            Op::Read(_) => held.push(RwGuard::Read(hear_of_poison(lock.read(), &mut self.last))),
            Op::TryRead(_) => {
                let guard = tried(lock.try_read(), &mut self.last);
                held.extend(guard.map(RwGuard::Read));
            }
            Op::TryWrite(_) => {
                let guard = tried(lock.try_write(), &mut self.last);
                held.extend(guard.map(RwGuard::Write));
            }
            _ if held.is_empty() => {
                held.push(RwGuard::Write(hear_of_poison(lock.write(), &mut self.last)));
            }
            _ => {}
        }
    }

    pub(super) fn arrive(&mut self, o: usize, asks: bool) {
        let Shared::Barrier(barrier) = &self.world.objects[o] else { unreachable!("it is a barrier") };
        let result = barrier.wait();
        if asks {
            self.last = Some(u8::from(result.is_leader()));
        }
    }

    pub(super) fn once(&mut self, op: &Op, o: usize) {
        let last = self.last;
        let t = self.t as u8;
        let mut ops = self.world.program.threads.iter().flat_map(|thread| &thread.ops);
        let may_be_in_doubt = ops.any(|op| matches!(op, Op::FailOnce(_)));
        let sends = |shape: OnceShape| {
            if let Op::DoOnce(_, Some(x)) = op
                && shape != OnceShape::Lazy
                && self.world.program.objects[*x].takes_sends()
            {
                match self.handles.senders.get(x) {
                    Some(SendHandle::Channel(sender)) => drop(sender.send(Message::Number(t))),
                    Some(SendHandle::Flow(sender)) => drop(sender.send(Message::Number(t))),
                    _ => {}
                }
            }
        };
        match (&self.world.objects[o], op) {
            (Shared::Once(once), Op::IsDone(_)) => self.last = Some(u8::from(once.is_completed())),
            (Shared::Once(once), Op::DoOnce(..)) if may_be_in_doubt => {
                once.call_once_force(|_| sends(OnceShape::Once));
            }
            (Shared::Once(once), Op::DoOnce(..)) => once.call_once(|| sends(OnceShape::Once)),
            (Shared::Once(once), Op::DoOnceOrPanic(_)) => once.call_once(|| {}),
            (Shared::Once(once), Op::AwaitOnceOrPanic(_)) => once.wait(),
            (Shared::Once(once), Op::FailOnce(_)) => {
                let _ =
                    catch_unwind(AssertUnwindSafe(|| once.call_once_force(|_| panic!("leaves it in doubt"))));
            }
            (Shared::Once(once), Op::AwaitOnce(_)) if may_be_in_doubt => once.wait_force(),
            (Shared::Once(once), Op::AwaitOnce(_)) => once.wait(),
            (Shared::OnceLock(lock), Op::IsDone(_)) => self.last = lock.get().copied(),
            (Shared::OnceLock(lock), Op::DoOnce(..)) => {
                let value = *lock.get_or_init(|| {
                    sends(OnceShape::Lock);
                    t
                });
                self.last = Some(value);
            }
            (Shared::OnceLock(lock), Op::FailOnce(_)) => {
                let init = || *lock.get_or_init(|| panic!("leaves it as it was"));
                if let Ok(value) = catch_unwind(AssertUnwindSafe(init)) {
                    self.last = Some(value);
                }
            }
            (Shared::OnceLock(lock), Op::SetOnce(_, value)) => {
                self.last = Some(u8::from(lock.set(Value::of(*value, last)).is_ok()));
            }
            (Shared::OnceLock(lock), Op::AwaitOnce(_)) => self.last = Some(*lock.wait()),
            (Shared::OnceLock(lock), Op::DoOnceOrPanic(_)) => self.last = Some(*lock.get_or_init(|| t)),
            (Shared::LazyLock(lazy), Op::DoOnceOrPanic(_)) => self.last = Some(**lazy),
            (Shared::LazyLock(lazy), Op::DoOnce(..)) => {
                self.last = Some(catch_unwind(AssertUnwindSafe(|| **lazy)).unwrap_or(1));
            }
            _ => {}
        }
    }

    pub(super) fn pointer(&mut self, op: &Op, o: usize) {
        if matches!(op, Op::DropArc(_) | Op::TryUnwrap(_)) && self.holds_inside(o) {
            return;
        }
        let pointers = self.handles.pointers.entry(o).or_default();
        let all_weak = self.handles.weak.entry(o).or_default();
        let weak = all_weak.last();
        match op {
            Op::CloneArc(_) => {
                let another = pointers.last().cloned();
                pointers.extend(another);
            }
            Op::DropArc(_) => drop(pointers.pop()),
            Op::DropWeak(_) => drop(all_weak.pop()),
            Op::DowngradeArc(_) => {
                let another = pointers.last().map(Arc::downgrade);
                all_weak.extend(another);
            }
            Op::CloneWeak(_) => {
                let another = weak.cloned();
                all_weak.extend(another);
            }
            Op::TryUnwrap(_) => {
                let Some(pointer) = pointers.pop() else { return };
                let unwrapped = Arc::try_unwrap(pointer);
                self.last = Some(u8::from(unwrapped.is_ok()));
                pointers.extend(unwrapped.err());
            }
            Op::WeakCount(_) => {
                let count = match (pointers.last(), weak) {
                    (Some(pointer), _) => Arc::weak_count(pointer),
                    (None, Some(weak)) => weak.weak_count(),
                    (None, None) => return,
                };
                self.last = Some(count as u8);
            }
            Op::StrongCount(_) => {
                let count = match (pointers.last(), weak) {
                    (Some(pointer), _) => Arc::strong_count(pointer),
                    (None, Some(weak)) => weak.strong_count(),
                    (None, None) => return,
                };
                self.last = Some(count as u8);
            }
            _ => {
                let Some(weak) = weak else { return };
                let pointer = weak.upgrade();
                self.last = Some(u8::from(pointer.is_some()));
                pointers.extend(pointer);
            }
        }
    }
}
