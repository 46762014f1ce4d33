//! Reader-writer locks. Readers are not ordered unless their order could be observed.
//!
//! If other synchronization orders every read of a lock with every write, it makes no difference which of several readers
//! came first. So the start and the end of a read are events of the reading thread, which follow the last completion on the
//! lock; only the operations of writers, and questions about poison, complete on the lock. The first execution in which a
//! writer meets a reader (they are concurrent, or one of them would wait for the other) shows a fact ([`Fact::Ordered`]),
//! and the exploration starts again with one order of all events of the lock.

use crate::access::with;
use crate::calls;
use crate::ids::{EventId, ExecutionId, ObjectId};
use crate::objects::{Answer, Argument, Snapshot, State, rwlock};
use crate::record::event::{Flags, Kind, Op, Pick, Span};
use crate::record::run::Past;
use crate::refinement::Fact;
use crate::schedule::steps;
use crate::schedule::steps::{begin, begin_to_make};
use crate::{Engine, Place};

/// Makes a lock.
pub fn new(execution: ExecutionId) -> ObjectId {
    begin_to_make(execution, |engine| {
        let process = engine.new_process(Kind::RwLock);
        let lock = engine.new_object(process, Kind::RwLock, State::RwLock(rwlock::State::default()));
        engine.run.objects[lock].is_unordered = !engine.processes.facts(process).ordered;
        lock
    })
}

/// Takes the lock for reading, or tries to. Returns the event that shows when this happened, and the answer.
#[track_caller]
pub fn start_reading(execution: ExecutionId, lock: ObjectId, op: Op, place: Place) -> (EventId, Answer) {
    if !is_unordered(execution, lock) {
        return calls::call_as(execution, lock, op, Argument::None, place, |_| {});
    }
    match begin(execution, |engine| engine.start_reading(lock, op, place)) {
        Some(event) => (event, Answer::Yes),
        None => put_in_order(execution, lock),
    }
}

/// Releases the lock after reading.
pub fn stop_reading(execution: ExecutionId, lock: ObjectId, place: Place) {
    if is_unordered(execution, lock) {
        begin(execution, |engine| engine.stop_reading(lock, place));
    } else {
        calls::call(execution, lock, Op::UnlockRead, place);
    }
}

/// Calls the lock for anything but reading; see [`calls::call_as`].
#[track_caller]
pub fn call(
    execution: ExecutionId,
    lock: ObjectId,
    op: Op,
    argument: Argument,
    place: Place,
    before: impl FnOnce(EventId),
) -> (EventId, Answer) {
    let (call, answer) = calls::call_as(execution, lock, op, argument, place, |call| {
        if with(execution, |engine| engine.meets_reader(lock, call)) {
            put_in_order(execution, lock);
        }
        before(call);
    });
    if op == Op::Downgrade && with(execution, |engine| engine.meets_call(lock, call)) {
        put_in_order(execution, lock);
    }
    (call, answer)
}

#[track_caller]
fn is_unordered(execution: ExecutionId, lock: ObjectId) -> bool {
    with(execution, |engine| engine.run.objects[lock].is_unordered)
}

/// Starts the exploration again with one order of all events of a lock.
fn put_in_order(execution: ExecutionId, lock: ObjectId) -> ! {
    steps::start_again(execution, |engine| {
        Fact::Ordered(engine.processes.path(engine.run.objects[lock].process))
    })
}

impl Engine {
    /// The running thread starts to read; none if it meets a writer.
    fn start_reading(&mut self, lock: ObjectId, op: Op, place: Place) -> Option<EventId> {
        let me = self.schedule.running;
        let last = self.last_completion(lock, self.objects[lock].prev);
        let object = &self.objects[lock];
        let is_known = |last: EventId| {
            object.readings.has(me, Some(last))
                || self.run.at(last).thread == Some(me)
                || self.is_in(Past::WithoutTurns, last)
        };
        let is_written = matches!(&object.state, State::RwLock(state) if state.is_written());
        if is_written || !object.pending.is_empty() || !last.is_none_or(is_known) {
            return None;
        }
        let object = &mut self.objects[lock];
        object.readings.start(me, last);
        if let State::RwLock(state) = &mut object.state {
            state.start_reading();
        }
        Some(self.record_reading(lock, op, last, place))
    }

    /// The running thread stops reading.
    fn stop_reading(&mut self, lock: ObjectId, place: Place) {
        let me = self.schedule.running;
        let last = self.last_completion(lock, self.objects[lock].prev);
        let event = self.record_reading(lock, Op::UnlockRead, last, place);
        let object = &mut self.objects[lock];
        object.readings.end(me, last, event);
        if let State::RwLock(state) = &mut object.state {
            state.stop_reading();
        }
    }

    fn record_reading(&mut self, lock: ObjectId, op: Op, last: Option<EventId>, place: Place) -> EventId {
        let pick = if last.is_none() { Pick::Nothing } else { Pick::Partners };
        self.record_pick(op, Some(lock), pick, last.as_slice(), Span::default(), Flags::default(), place)
    }

    /// Whether the running thread, which has just made a call, meets a reader: one that still reads, or whose last read
    /// is not in the thread's past. (No thread starts to read while a call waits. So reads before an earlier completion
    /// are in the past of that completion, and this call completes after it.)
    fn meets_reader(&self, lock: ObjectId, call: EventId) -> bool {
        let event = self.run.at(call);
        if !self.run.objects[lock].is_unordered || matches!(event.op, Op::Unlock | Op::Downgrade) {
            return false;
        }
        let object = &self.objects[lock];
        // A script has calls completed without asking for the state, so what it was before counts.
        let (before, state) = match event.taken_by.map(|done| self.run.at(done)) {
            Some(done) => (done.prev, self.run.state_before(done)),
            None => (object.prev, object.state.snapshot()),
        };
        if matches!(state, Snapshot::RwLock(state) if state.is_read()) {
            return true;
        }
        let me = self.schedule.running;
        let mut ends = object.readings.ends(self.last_completion(lock, before));
        ends.any(|(thread, end)| thread != me && !self.is_in(Past::WithoutTurns, end))
    }

    /// Whether the running thread, which has just turned from a writer into a reader, meets another call: one that waits, or
    /// one that has been completed since.
    fn meets_call(&self, lock: ObjectId, call: EventId) -> bool {
        let object = &self.objects[lock];
        let has_company = !object.pending.is_empty() || object.prev != self.run.at(call).taken_by;
        self.run.objects[lock].is_unordered && has_company
    }

    /// What comes before a completion on a lock, if that is one too.
    fn last_completion(&self, lock: ObjectId, before: Option<EventId>) -> Option<EventId> {
        before.filter(|&event| self.run.at(event).process == self.run.objects[lock].timeline)
    }
}
