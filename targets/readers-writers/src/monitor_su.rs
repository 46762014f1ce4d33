//! A monitor with signal-and-urgent-wait: who is signalled goes on at once.

insyn::instrumented! {

use insyn::sync::{Condition, Monitor};

use crate::{Access, Preference};

/// A monitor with a condition for readers and one for writers.
#[derive(Debug)]
pub struct MonitorSu {
    preference: Preference,
    inside: Monitor<Inside>,
    may_read: Condition,
    may_write: Condition,
}

#[derive(Debug, Default)]
struct Inside {
    readers: u32,
    writing: bool,
}

impl MonitorSu {
    /// Nobody is there yet.
    pub fn new(preference: Preference) -> Self {
        let inside = Monitor::urgent(Inside::default());
        let (may_read, may_write) = (inside.condition(), inside.condition());
        MonitorSu { preference, inside, may_read, may_write }
    }
}

impl Access for MonitorSu {
    fn start_read(&self) {
        let mut inside = self.inside.enter();
        let defers = self.preference.defers_to_waiting_writers();
        if inside.writing || (defers && inside.waiting(&self.may_write) > 0) {
            insyn::label!("wait_read");
            inside.wait(&self.may_read);
        }
        insyn::label!("enter_read");
        inside.readers += 1;
        // One reader that was let in lets in the next.
        inside.signal(&self.may_read);
    }

    fn end_read(&self) {
        let mut inside = self.inside.enter();
        insyn::label!("leave_read");
        inside.readers -= 1;
        if inside.readers == 0 {
            inside.signal(&self.may_write);
        }
    }

    fn start_write(&self) {
        let mut inside = self.inside.enter();
        if inside.readers > 0 || inside.writing {
            insyn::label!("wait_write");
            inside.wait(&self.may_write);
        }
        insyn::label!("enter_write");
        inside.writing = true;
    }

    fn end_write(&self) {
        let mut inside = self.inside.enter();
        insyn::label!("leave_write");
        inside.writing = false;
        let readers_wait = inside.waiting(&self.may_read) > 0;
        let writers_wait = inside.waiting(&self.may_write) > 0;
        if readers_wait && (self.preference.readers_next() || !writers_wait) {
            inside.signal(&self.may_read);
        } else {
            inside.signal(&self.may_write);
        }
    }
}

}
