//! Loops that poll what is behind a lock: take it, look, give it back, yield, take it again.
//!
//! They are found when they yield, by the last events of the thread, so that a lock that nobody polls costs nothing. A lock
//! counts how often what it protects may have changed, which is whenever a guard that was borrowed mutably is dropped; the
//! next call of the lock waits until that number is another. Hence threads that only look do not wake each other.
//!
//! When such a loop is tested it takes the lock, since what it looks at is nothing that the engine could answer for it. So
//! its events are real ones, and [`Engine::has_left_lock`] tells from them whether it still polls.

use crate::ids::{EventId, ObjectId, ThreadId};
use crate::objects::Snapshot;
use crate::record::event::{Event, Flags, Kind, Op};
use crate::refinement::Fact;
use crate::threads::WaitFor;
use crate::threads::poll::Look;
use crate::{Engine, same_place};

impl Look {
    /// Whether two looks are at the same object, at the same place in the source.
    pub(super) fn is_of(&self, other: &Look) -> bool {
        let places = self.place.zip(other.place);
        self.object == other.object && places.is_some_and(|(a, b)| same_place(a, b))
    }
}

/// Calls that give back a lock.
fn gives_back(op: Op) -> bool {
    matches!(op, Op::Unlock | Op::UnlockRead)
}

/// Completions of calls that have got a lock.
fn got_lock(op: Op) -> bool {
    matches!(op, Op::Lock | Op::TryLock | Op::Read | Op::TryRead | Op::Write | Op::TryWrite)
}

impl Engine {
    /// What the running thread has looked at behind a lock, and the state in which it got the lock, if it has done nothing
    /// since then but give it back. If it has not even done that, it will, before it can take the lock again.
    pub(super) fn look_behind_lock(&self) -> Option<(Look, Snapshot)> {
        let thread = &self.threads[self.schedule.running];
        let next = self.events_of(thread.process);
        let (mut call, mut done) = self.completed(thread.prev?)?;
        if call.process != thread.process || call.index + 1 != next {
            return None;
        }
        let mut at = next + 1;
        if gives_back(call.op) {
            let back = call;
            (call, done) = self.completed(back.prev?)?;
            if call.process != back.process || call.index + 1 != back.index || call.object != back.object {
                return None;
            }
            at = next;
        }
        let object = call.object?;
        let is_lock = matches!(self.run.objects[object].kind, Kind::Mutex | Kind::RwLock);
        let look = Look { object: Some(object), at, place: Some(call.location), is_behind: true };
        (is_lock && got_lock(done.op)).then(|| (look, self.run.state_before(done)))
    }

    /// The running thread yields: if all it has done since it last yielded is read behind a lock whose readers have no order, a
    /// poll could not wait for the lock to change. So the exploration starts again with an order of its readers.
    pub(super) fn order_polled_readers(&mut self) {
        let thread = &self.threads[self.schedule.running];
        let Some(last) = thread.prev.map(|it| self.run.at(it)) else { return };
        let is_last = last.process == thread.process && last.index + 1 == self.events_of(thread.process);
        let object = last.object.filter(|_| is_last && last.op.is_reading());
        if let Some(lock) = object.filter(|&it| self.run.objects[it].is_unordered) {
            self.refine(Fact::Ordered(self.processes.path(self.run.objects[lock].process)));
        }
    }

    /// A call and its completion.
    fn completed(&self, done: EventId) -> Option<(&Event, &Event)> {
        let done = self.run.at(done);
        done.snapshot?;
        Some((self.run.at(done.partner?), done))
    }

    /// Whether a thread that polls behind a lock, and is being tested, has done something other than take that lock and
    /// give it back since it yielded.
    pub(crate) fn has_left_lock(&self, thread: ThreadId) -> bool {
        let t = &self.threads[thread];
        let Look { object, at, place, is_behind } = t.poll.awaited;
        let (Some(last), Some(place), true) = (t.prev, place, is_behind) else { return false };
        let last = self.run.at(last);
        let call = last.partner.filter(|_| last.process != t.process).map_or(last, |call| self.run.at(call));
        let is_here = match self.events_of(t.process) {
            // It has yielded before it gives the lock back.
            events if events < at => true,
            events if events == at || events == at + 2 => gives_back(call.op),
            events if events == at + 1 => same_place(call.location, place),
            _ => false,
        };
        !is_here || call.object != object
    }

    /// Whether a thread waits for something behind a lock which it could not even take: it is blocked, whatever it would do
    /// next.
    pub(super) fn is_locked_out(&self, thread: ThreadId) -> bool {
        let t = &self.threads[thread];
        match t.waits_for {
            WaitFor::Completion { object, op } if t.poll.awaited.is_behind => {
                !self.would_complete(thread, op, object)
            }
            _ => false,
        }
    }

    /// The running thread, which waits for something behind a lock to change, takes the lock although nothing has.
    pub(crate) fn take_unchanged(&mut self, object: ObjectId) {
        let me = self.schedule.running;
        for call in self.objects[object].pending.iter_mut().filter(|call| call.thread == Some(me)) {
            call.flags = Flags::default();
        }
        self.advance(object);
    }

    /// Whether a blocked thread waits for something behind a lock to change, and not for the lock itself.
    pub fn awaits_change_behind(&self, thread: ThreadId) -> bool {
        let poll = &self.threads[thread].poll;
        poll.is_waiting && poll.awaited.is_behind && !self.is_locked_out(thread)
    }
}
