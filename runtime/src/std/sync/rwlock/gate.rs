//! A real lock for many readers or one writer, in which a writer can become a reader. (The standard library's lock cannot
//! do that in the oldest version that this crate supports.)

use insyn_engine::access::refuse_to_block;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// See the [module](self). A waiting writer blocks new readers.
#[derive(Default)]
pub(super) struct Gate {
    inside: Mutex<Inside>,
    changed: Condvar,
}

#[derive(Default)]
struct Inside {
    readers: usize,
    writing: bool,
    waiting_writers: usize,
}

impl Inside {
    fn may_read(&self) -> bool {
        !self.writing && self.waiting_writers == 0
    }

    fn may_write(&self) -> bool {
        !self.writing && self.readers == 0
    }
}

impl Gate {
    fn inside(&self) -> MutexGuard<'_, Inside> {
        // No code that can panic runs while the lock is held.
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }

    #[track_caller]
    fn wait_until<'a>(
        &self,
        mut inside: MutexGuard<'a, Inside>,
        ready: fn(&Inside) -> bool,
    ) -> MutexGuard<'a, Inside> {
        while !ready(&inside) {
            inside = self.changed.wait(inside).unwrap_or_else(PoisonError::into_inner);
        }
        inside
    }

    #[track_caller]
    pub(super) fn read(&self) {
        if self.try_read() {
            return;
        }
        refuse_to_block();
        self.wait_until(self.inside(), Inside::may_read).readers += 1;
    }

    pub(super) fn try_read(&self) -> bool {
        let mut inside = self.inside();
        let may = inside.may_read();
        inside.readers += usize::from(may);
        may
    }

    #[track_caller]
    pub(super) fn write(&self) {
        if self.try_write() {
            return;
        }
        refuse_to_block();
        let mut inside = self.inside();
        inside.waiting_writers += 1;
        let mut inside = self.wait_until(inside, Inside::may_write);
        inside.waiting_writers -= 1;
        inside.writing = true;
    }

    pub(super) fn try_write(&self) -> bool {
        let mut inside = self.inside();
        let may = inside.may_write();
        inside.writing |= may;
        may
    }

    pub(super) fn end_read(&self) {
        self.inside().readers -= 1;
        self.changed.notify_all();
    }

    pub(super) fn end_write(&self) {
        self.inside().writing = false;
        self.changed.notify_all();
    }

    pub(super) fn downgrade(&self) {
        let mut inside = self.inside();
        inside.writing = false;
        inside.readers = 1;
        drop(inside);
        self.changed.notify_all();
    }
}
