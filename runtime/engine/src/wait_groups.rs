//! Wait groups: a thread that waits gives its handle up, and goes on when every handle is gone.
//!
//! A program cannot observe which handle is dropped first. So a group is a port with a sending side only: drops are not
//! ordered, and one disconnect comes after all of them. Going on is no receiving event either: it comes after the
//! disconnect as a join comes after the end of a thread, and picks nothing.

use crate::access::with;
use crate::delivery::Delivery;
use crate::ids::{ExecutionId, ObjectId, ThreadId};
use crate::ports;
use crate::record::event::{Kind, Op};
use crate::schedule::steps::{begin, wait};
use crate::threads::WaitFor;
use crate::{Engine, NOWHERE, Place};

/// Makes a group with one handle, which is cloned and dropped as a handle for sending is.
pub fn new(execution: ExecutionId) -> ObjectId {
    ports::new_port(execution, Kind::WaitGroup, Delivery::default())
}

/// Gives a handle up, and waits until every other one is gone.
#[track_caller]
pub fn wait_for_all(execution: ExecutionId, group: ObjectId, place: Place) {
    // `NOWHERE`, like every drop of a handle: the disconnect has the place of the last drop, and which drop is last
    // cannot be observed.
    ports::drop_sender(execution, group, NOWHERE);
    // The disconnect wakes only the thread that came last; each wakes the one that came before it.
    let mut before = None;
    let mut has_passed = begin(execution, |engine| {
        let has_passed = engine.try_pass(group, None, place);
        if !has_passed {
            before = engine.objects[group].receiver.replace(engine.schedule.running);
        }
        has_passed
    });
    while !has_passed {
        wait();
        has_passed = with(execution, |engine| engine.try_pass(group, before, place));
    }
}

impl Engine {
    /// Goes on if every handle is gone, and wakes `other`, which waits too; else records what the running thread waits for.
    fn try_pass(&mut self, group: ObjectId, other: Option<ThreadId>, place: Place) -> bool {
        let Some(closed) = self.run.objects[group].closed else {
            self.block(WaitFor::Handles { object: group }, place);
            return false;
        };
        let me = self.schedule.running;
        self.threads[me].also = Some(closed);
        self.record_thread(Op::Await, group, place);
        if let Some(other) = other {
            self.wake(other);
        }
        true
    }
}
