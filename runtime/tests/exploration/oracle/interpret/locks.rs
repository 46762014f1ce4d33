//! Operations on mutexes, reentrant locks, semaphores, condition variables and monitors.

use insyn::std::panic::{AssertUnwindSafe, catch_unwind};
use insyn::std::sync::{Condvar, LockResult, Mutex, PoisonError, TryLockError, TryLockResult};
use insyn::std::thread;
use insyn::sync::Semaphore;

use super::super::program::{Op, POISONED};
use super::Runner;
use super::messages::A_WHILE;
use super::objects::{Protected, Shared};

impl<'w> Runner<'w> {
    pub(super) fn lock(&mut self, op: &Op, o: usize) {
        match (&self.world.objects[o], op) {
            (Shared::Mutex(_) | Shared::Behind(_), Op::Unlock(_)) => drop(self.mutexes.remove(&o)),
            (Shared::Mutex(_) | Shared::Behind(_), _) if self.mutexes.contains_key(&o) => {}
            (Shared::Behind(pointer), Op::Lock(_) | Op::TryLock(_)) => {
                if let Some(mutex) = self.mutex_behind(*pointer) {
                    self.lock_mutex(op, o, mutex);
                }
            }
            (Shared::Behind(_), _) => {}
            (Shared::Mutex(mutex), _) => self.lock_mutex(op, o, mutex),
            (Shared::Reentrant(_), Op::Unlock(_)) => drop(self.reentrants.entry(o).or_default().pop()),
            (Shared::Reentrant(_), Op::LockOrPanic(_)) => {}
            (Shared::Reentrant(lock), Op::Lock(_)) => {
                let guard = lock.lock();
                self.reentrants.entry(o).or_default().push(Box::new(guard));
            }
            (Shared::Reentrant(lock), _) => {
                let guard = lock.try_lock();
                self.last = Some(u8::from(guard.is_some()));
                if let Some(guard) = guard {
                    self.reentrants.entry(o).or_default().push(Box::new(guard));
                }
            }
            _ => unreachable!("it is a lock"),
        }
    }

    fn lock_mutex(&mut self, op: &Op, o: usize, mutex: &'w Mutex<Protected>) {
        if matches!(op, Op::TryLock(_)) {
            let guard = tried(mutex.try_lock(), &mut self.last);
            self.mutexes.extend(guard.map(|guard| (o, guard)));
            return;
        }
        let taken = mutex.lock();
        let poisoned = taken.is_err();
        let guard = hear_of_poison(taken, &mut self.last);
        self.mutexes.insert(o, guard);
        assert!(!poisoned || matches!(op, Op::Lock(_)), "gives up");
    }

    /// The mutex that a counted pointer of the thread points to.
    fn mutex_behind(&self, pointer: usize) -> Option<&'w Mutex<Protected>> {
        let mutex: *const Mutex<Protected> = self.handles.pointers.get(&pointer)?.last()?.mutex.as_ref()?;
        // SAFETY: it does not move, and it lives as long as the thread has a pointer, which it keeps while it holds the
        // mutex (`holds_inside`, `give_back`). The reference is used only for that.
        Some(unsafe { &*mutex })
    }

    /// Whether the thread holds the mutex that the pointer points to.
    pub(super) fn holds_inside(&self, pointer: usize) -> bool {
        self.mutexes.keys().any(|o| matches!(self.world.objects[*o], Shared::Behind(p) if p == pointer))
    }

    /// Releases a lock in a panic.
    pub(super) fn poison(&mut self, o: usize) {
        if let Some(guard) = self.mutexes.remove(&o) {
            panic_with(guard);
        } else if let Some(guard) = self.rwlocks.get_mut(&o).and_then(Vec::pop) {
            panic_with(guard);
        }
    }

    /// Takes a lock and releases it in the middle of a panic; whether it was poisoned becomes the last value.
    pub(super) fn lock_in_panic(&mut self, o: usize) {
        let Shared::Mutex(mutex) = &self.world.objects[o] else { return };
        if !self.mutexes.contains_key(&o) {
            panic_with(LocksOnDrop { mutex, last: &mut self.last });
        }
    }

    pub(super) fn is_poisoned(&mut self, o: usize) {
        self.last = match &self.world.objects[o] {
            Shared::Mutex(mutex) => Some(u8::from(mutex.is_poisoned())),
            Shared::RwLock(lock) => Some(u8::from(lock.is_poisoned())),
            _ => return,
        };
    }

    pub(super) fn clear_poison(&mut self, o: usize) {
        match &self.world.objects[o] {
            Shared::Mutex(mutex) => mutex.clear_poison(),
            Shared::RwLock(lock) => lock.clear_poison(),
            _ => {}
        }
    }

    /// The number under a lock or monitor, if the thread is inside.
    pub(super) fn number(&self, o: usize) -> Option<u8> {
        let under_mutex = self.mutexes.get(&o).map(|guard| guard.number);
        let under_rwlock = || self.rwlocks.get(&o)?.last().map(|guard| guard.number());
        under_mutex.or_else(|| self.monitors.get(&o).map(|guard| **guard)).or_else(under_rwlock)
    }

    /// The number under a lock or monitor, if the thread may change it.
    pub(super) fn number_mut(&mut self, o: usize) -> Option<&mut u8> {
        if let Some(guard) = self.mutexes.get_mut(&o) {
            return Some(&mut guard.number);
        }
        if let Some(guard) = self.monitors.get_mut(&o) {
            return Some(&mut **guard);
        }
        self.rwlocks.get_mut(&o)?.last_mut()?.number_mut()
    }

    pub(super) fn condvar(&self, o: usize) -> &'w Condvar {
        let Shared::Condvar(condvar, _) = &self.world.objects[o] else {
            unreachable!("it is a condition variable")
        };
        condvar
    }

    pub(super) fn semaphore(&self, o: usize) -> &'w Semaphore {
        let Shared::Semaphore(semaphore) = &self.world.objects[o] else { unreachable!("it is a semaphore") };
        semaphore
    }

    pub(super) fn wait(&mut self, op: &Op, o: usize) {
        let Shared::Condvar(condvar, mutex) = &self.world.objects[o] else {
            unreachable!("it is a condition variable")
        };
        let Some(guard) = self.mutexes.remove(mutex) else { return };
        let guard = match op {
            Op::WaitTimeout(_) | Op::WaitTimeoutWhile(_) => {
                let waited = match op {
                    Op::WaitTimeout(_) => condvar.wait_timeout(guard, A_WHILE),
                    _ => condvar.wait_timeout_while(guard, A_WHILE, is_even),
                };
                let poisoned = waited.is_err();
                let (guard, result) = waited.unwrap_or_else(PoisonError::into_inner);
                self.last = Some(if poisoned { POISONED } else { u8::from(result.timed_out()) });
                guard
            }
            Op::WaitWhile(_) => hear_of_poison(condvar.wait_while(guard, is_even), &mut self.last),
            _ => hear_of_poison(condvar.wait(guard), &mut self.last),
        };
        self.mutexes.insert(*mutex, guard);
    }

    pub(super) fn monitor(&mut self, op: &Op, o: usize) {
        let Shared::Monitor(monitor, conditions) = &self.world.objects[o] else {
            unreachable!("it is a monitor")
        };
        match (op, self.monitors.get_mut(&o)) {
            (Op::Enter(_), None) => {
                self.monitors.insert(o, monitor.enter());
            }
            (Op::Exit(_), Some(_)) => drop(self.monitors.remove(&o)),
            (Op::MonitorWait(_, c), Some(guard)) => guard.wait(&conditions[*c]),
            (Op::Signal(_, c), Some(guard)) => guard.signal(&conditions[*c]),
            (Op::SignalAll(_, c), Some(guard)) => guard.signal_all(&conditions[*c]),
            (Op::Waiting(_, c), Some(guard)) => self.last = Some(guard.waiting(&conditions[*c]) as u8),
            _ => {}
        }
    }
}

fn is_even(protected: &mut Protected) -> bool {
    protected.number.is_multiple_of(2)
}

/// What was taken; whether it is poisoned becomes the last value.
pub(super) fn hear_of_poison<G>(taken: LockResult<G>, last: &mut Option<u8>) -> G {
    taken.unwrap_or_else(|poisoned| {
        *last = Some(1);
        poisoned.into_inner()
    })
}

/// What was taken, if anything; the result becomes the last value.
pub(super) fn tried<G>(taken: TryLockResult<G>, last: &mut Option<u8>) -> Option<G> {
    let (result, guard) = match taken {
        Ok(guard) => (1, Some(guard)),
        Err(TryLockError::Poisoned(poisoned)) => (POISONED, Some(poisoned.into_inner())),
        Err(TryLockError::WouldBlock) => (0, None),
    };
    *last = Some(result);
    guard
}

/// Takes a lock when it is dropped.
struct LocksOnDrop<'a, T> {
    mutex: &'a Mutex<T>,
    last: &'a mut Option<u8>,
}

impl<T> Drop for LocksOnDrop<'_, T> {
    fn drop(&mut self) {
        let guard = hear_of_poison(self.mutex.lock(), self.last);
        assert!(thread::panicking(), "it is in the middle of a panic");
        drop(guard);
    }
}

/// Drops something in a panic, and catches the panic.
fn panic_with<T>(dropped: T) {
    let caught = catch_unwind(AssertUnwindSafe(|| {
        let _dropped = dropped;
        panic!("leaves a lock in doubt");
    }));
    assert!(caught.is_err(), "it does panic");
    assert!(!thread::panicking(), "that is over");
}
