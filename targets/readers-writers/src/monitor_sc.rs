//! A monitor with signal-and-continue, which is what a mutex with condition variables is: who is notified must look again.

insyn::instrumented! {

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::{Access, Preference};

/// A mutex with a condition variable for readers and one for writers.
#[derive(Debug)]
pub struct MonitorSc {
    preference: Preference,
    state: Mutex<State>,
    may_read: Condvar,
    may_write: Condvar,
}

#[derive(Debug, Default)]
struct State {
    readers: u32,
    writing: bool,
    waiting_readers: u32,
    waiting_writers: u32,
}

impl MonitorSc {
    /// Nobody is there yet.
    pub fn new(preference: Preference) -> Self {
        MonitorSc { preference, state: Mutex::default(), may_read: Condvar::new(), may_write: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn reader_must_wait(&self, state: &State) -> bool {
        state.writing || (self.preference == Preference::Writers && state.waiting_writers > 0)
    }
}

impl Access for MonitorSc {
    fn start_read(&self) {
        let mut state = self.state();
        state.waiting_readers += 1;
        if self.reader_must_wait(&state) {
            insyn::label!("wait_read");
        }
        while self.reader_must_wait(&state) {
            state = self.may_read.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        insyn::label!("enter_read");
        state.waiting_readers -= 1;
        state.readers += 1;
    }

    fn end_read(&self) {
        let mut state = self.state();
        insyn::label!("leave_read");
        state.readers -= 1;
        if state.readers == 0 {
            self.may_write.notify_one();
        }
    }

    fn start_write(&self) {
        let mut state = self.state();
        state.waiting_writers += 1;
        if state.readers > 0 || state.writing {
            insyn::label!("wait_write");
        }
        while state.readers > 0 || state.writing {
            state = self.may_write.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        insyn::label!("enter_write");
        state.waiting_writers -= 1;
        state.writing = true;
    }

    fn end_write(&self) {
        let mut state = self.state();
        insyn::label!("leave_write");
        state.writing = false;
        let readers = match self.preference {
            Preference::Readers => state.waiting_readers > 0,
            Preference::Writers => state.waiting_writers == 0,
            Preference::Neither => true,
        };
        if readers {
            self.may_read.notify_all();
        }
        if !readers || self.preference == Preference::Neither {
            self.may_write.notify_one();
        }
    }
}

}
