//! What a completion does to its object, and what it tells the caller.

use super::Engine;
use super::calling::answer;
use super::event::{Event, Flags, Kind, Op, Pick, Span};
use super::ids::{EventId, ObjectId, ProcessId, ThreadId};
use super::objects::Object;
use super::openness::{ANNOUNCED, RECEIVER_GONE, WRITER, once};
use super::threads::Thread;

/// How a variable is changed: the value to store, or none to leave it.
pub(crate) type Update = fn(old: u64, a: u64, b: u64) -> Option<u64>;

/// What a call on an [`Kind::Arc`] is about, in its argument.
pub(crate) mod count {
    /// A counted pointer.
    pub(crate) const STRONG: u64 = 0;
    /// A weak pointer.
    pub(crate) const WEAK: u64 = 1;
    /// How far weak pointers are shifted in the state.
    const SHIFT: u32 = 32;

    /// How many counted and weak pointers there are.
    pub(crate) fn both(state: u64) -> (u64, u64) {
        (state & ((1 << SHIFT) - 1), state >> SHIFT)
    }

    /// One pointer in the state, by the argument of a call.
    pub(super) fn one(argument: u64) -> u64 {
        if argument == WEAK { 1 << SHIFT } else { 1 }
    }
}

impl Engine {
    /// Changes the state of an object, and finds the answer to the caller.
    pub(super) fn apply(
        &mut self,
        object: ObjectId,
        op: Op,
        thread: Option<ThreadId>,
        partners: &[EventId],
        done: EventId,
    ) -> u64 {
        // Only a hang-up is nobody's call, and that does nothing to a thread.
        let caller = || thread.expect("a thread has called");
        let o = &mut self.objects[object];
        let owner = thread.map_or(0, ThreadId::owner);
        match (o.kind, op) {
            (Kind::Mutex, Op::TryLock) if o.state != 0 => return answer::NO,
            (Kind::Mutex, Op::Lock | Op::TryLock) | (Kind::Monitor, _) => o.state = owner,
            (Kind::Mutex, Op::Unlock) => o.state = 0,
            (Kind::ReentrantLock, Op::TryLock) if o.state != 0 && o.state >> 32 != owner => {
                return answer::NO;
            }
            (Kind::ReentrantLock, Op::Lock | Op::TryLock) => {
                o.state = (owner << 32) | ((o.state & 0xffff_ffff) + 1)
            }
            (Kind::ReentrantLock, Op::Unlock) => {
                o.state -= 1;
                if o.state & 0xffff_ffff == 0 {
                    o.state = 0;
                }
            }
            (Kind::Semaphore, Op::TryAcquire) if o.state == 0 => return answer::NO,
            (Kind::Semaphore, Op::Acquire | Op::TryAcquire) => o.state -= 1,
            (Kind::Semaphore, Op::Release) => o.state += 1,
            (Kind::RwLock, _) => return self.apply_to_lock(object, op, owner),
            (Kind::Condvar, Op::Wait) => {
                o.waiters.push(done);
                o.state += 1;
                self.threads[caller()].woken_by = None;
                self.threads[caller()].wait = Some(done);
            }
            (Kind::Condvar, Op::NotifyOne) => {
                if let [_, waiter] = *partners {
                    o.waiters.retain(|&w| w != waiter);
                    o.state -= 1;
                    self.notify(waiter, done);
                }
            }
            (Kind::Condvar, Op::NotifyAll) => {
                o.state = 0;
                for waiter in std::mem::take(&mut o.waiters) {
                    self.notify(waiter, done);
                }
            }
            (Kind::Condvar, Op::Expire) => {
                let wait = self.threads[caller()].wait;
                o.waiters.retain(|&w| Some(w) != wait);
                o.state -= 1;
            }
            (Kind::Once, _) => return self.apply_to_once(object, op, caller(), done),
            (Kind::Parker, Op::Unpark) => o.state = 1,
            (Kind::Parker, _) => return std::mem::take(&mut o.state),
            (Kind::Atomic, Op::Observe) => {
                let (_, value) = *o.versions.last().expect("it has an initial value");
                self.threads[caller()].old_value = value;
            }
            (Kind::Atomic, Op::Store | Op::Update) => return self.apply_to_variable(object, caller(), done),
            // A thread ends, or its handle is dropped.
            (Kind::End, _) => {
                o.state -= 1;
                return u64::from(o.state == 0);
            }
            (Kind::Arc, _) => return self.apply_to_count(object, op, caller()),
            (Kind::Turns, _) => return self.apply_to_turns(object, op, done),
            (Kind::Bounded | Kind::Channel | Kind::Rendezvous | Kind::Timer, _) => {
                return self.apply_to_channel(object, op, partners, done);
            }
            // An arrival at a barrier, a look at something.
            _ => {}
        }
        answer::YES
    }

    fn apply_to_lock(&mut self, object: ObjectId, op: Op, owner: u64) -> u64 {
        let state = &mut self.objects[object].state;
        let writer = (*state & !ANNOUNCED) >> WRITER != 0;
        match op {
            Op::TryRead if *state & ANNOUNCED != 0 || writer => return answer::NO,
            Op::Read | Op::TryRead => *state += 1,
            Op::UnlockRead => *state -= 1,
            Op::TryWrite if *state & !ANNOUNCED != 0 => return answer::NO,
            Op::Write | Op::TryWrite => *state = owner << WRITER,
            Op::Unlock => *state = 0,
            Op::Downgrade => *state = 1,
            _ => {}
        }
        answer::YES
    }

    fn apply_to_once(&mut self, object: ObjectId, op: Op, thread: ThreadId, done: EventId) -> u64 {
        let argument = self.threads[thread].argument;
        let o = &mut self.objects[object];
        match (op, o.state) {
            (Op::Begin, once::DONE) => answer::NO,
            // The argument: whether to go on although a panic has left it in doubt.
            (Op::Begin, once::POISONED) if argument == 0 => answer::POISONED,
            (Op::Begin, state) => {
                o.state = once::RUNNING;
                answer::YES + state
            }
            // The argument: whether a panic has left it in doubt.
            (Op::Complete, _) if argument != 0 => {
                o.state = once::POISONED;
                answer::YES
            }
            (Op::Complete, _) => {
                o.state = once::DONE;
                self.write_version(object, 1, done);
                answer::YES
            }
            (_, once::POISONED) => answer::POISONED,
            _ => answer::YES,
        }
    }

    /// What the completion of a call is called that finds it cannot do what it was for.
    pub(super) fn failed(&self, call: &Event, partners: &[EventId]) -> Option<Op> {
        let o = &self.objects[call.on()];
        let is_locked = || match o.kind {
            Kind::ReentrantLock => o.state != 0 && o.state >> 32 != call.by().owner(),
            Kind::RwLock => o.state & !ANNOUNCED != 0,
            _ => o.state != 0,
        };
        let (failed, op) = match call.op {
            Op::Update => (self.leaves_as_is(call), Op::FailedUpdate),
            Op::TryLock => (is_locked(), Op::FailedLock),
            Op::TryAcquire => (o.state == 0, Op::FailedAcquire),
            Op::TryRead => (o.state >> WRITER != 0 || o.state & ANNOUNCED != 0, Op::FailedRead),
            Op::TryWrite => (is_locked(), Op::FailedWrite),
            Op::TryPut | Op::PutTimeout => (o.state & RECEIVER_GONE == 0 && !o.has_room(), Op::FailedPut),
            Op::TryTake | Op::TakeTimeout => (partners.len() == 1 && o.inside.is_empty(), Op::FailedTake),
            Op::Begin => (o.state == once::DONE, Op::FailedBegin),
            Op::Upgrade => (count::both(o.state).0 == 0, Op::FailedUpgrade),
            Op::TryUnwrap => (count::both(o.state).0 != 1, Op::FailedUnwrap),
            _ => return None,
        };
        failed.then_some(op)
    }

    /// Whether an update finds that it must not write.
    fn leaves_as_is(&self, call: &Event) -> bool {
        let (_, old) = *self.objects[call.on()].versions.last().expect("it has an initial value");
        let (change, a, b) = self.threads[call.by()].update.expect("an update says what to write");
        change(old, a, b).is_none()
    }

    fn apply_to_variable(&mut self, object: ObjectId, thread: ThreadId, done: EventId) -> u64 {
        let (_, old) = *self.objects[object].versions.last().expect("it has an initial value");
        let caller = &mut self.threads[thread];
        let (change, a, b) = caller.update.expect("a write says what to write");
        caller.old_value = old;
        match change(old, a, b) {
            Some(new) => {
                self.write_version(object, new, done);
                self.objects[object].state = new;
                answer::YES
            }
            None => answer::NO,
        }
    }

    /// Whether the last update of the running thread has written nothing, or what was there already.
    pub(super) fn has_left_as_it_was(&self) -> bool {
        let Thread { update, old_value, .. } = self.threads[self.running];
        let (change, a, b) = update.expect("an update says what to write");
        change(old_value, a, b).is_none_or(|new| new == old_value)
    }

    fn write_version(&mut self, object: ObjectId, value: u64, done: EventId) {
        self.objects[object].versions.push((Some(done), value));
        let event = &mut self.done.events[done];
        event.flags = event.flags | Flags::WRITES;
        self.tell_readers(object, done);
    }

    fn apply_to_count(&mut self, object: ObjectId, op: Op, thread: ThreadId) -> u64 {
        let argument = self.threads[thread].argument;
        let state = &mut self.objects[object].state;
        let (strong, _) = count::both(*state);
        match op {
            Op::Upgrade if strong == 0 => return answer::NO,
            Op::TryUnwrap if strong != 1 => return answer::NO,
            Op::Clone | Op::Upgrade => *state += count::one(argument),
            Op::Drop | Op::TryUnwrap => {
                *state -= count::one(argument);
                // Whether the last of its kind is gone.
                return u64::from(strong == 1 && argument != count::WEAK);
            }
            _ => return *state,
        }
        answer::YES
    }

    fn apply_to_channel(&mut self, object: ObjectId, op: Op, partners: &[EventId], done: EventId) -> u64 {
        let o = &mut self.objects[object];
        let gone = o.state & RECEIVER_GONE != 0;
        let inside = o.state & !RECEIVER_GONE;
        match op {
            Op::DropReceiver | Op::HangUp => {
                // Of several, only the last counts.
                o.receivers = o.receivers.saturating_sub(1);
                if o.receivers > 0 && op == Op::DropReceiver {
                    return answer::NO;
                }
                // What is inside a channel that is never full is gone with it; a bounded one keeps it.
                o.state = if o.kind == Kind::Channel { RECEIVER_GONE } else { o.state | RECEIVER_GONE };
                answer::YES
            }
            Op::Observe => inside,
            Op::ReadyPut | Op::ReadyTake => answer::YES,
            Op::OfferDefault => answer::NO,
            Op::OfferTimeout => answer::TIMED_OUT,
            Op::Put | Op::TryPut | Op::PutTimeout | Op::OfferPut => {
                if gone {
                    answer::DISCONNECTED
                } else if o.has_room() {
                    o.inside.push_back(partners[0]);
                    o.state += 1;
                    answer::YES
                } else if op == Op::PutTimeout {
                    answer::TIMED_OUT
                } else {
                    answer::EMPTY
                }
            }
            _ if o.kind == Kind::Timer => match partners {
                [_, fire] => {
                    let fire = *fire;
                    self.take_fire(object, done);
                    answer::message(fire)
                }
                _ => nothing_taken(op),
            },
            _ if o.kind == Kind::Rendezvous => match *partners {
                [_] => nothing_taken(op),
                [_, e] if self.run().at(e).op == Op::Disconnect => answer::DISCONNECTED,
                _ => answer::message(partners[0]),
            },
            _ => match o.inside.pop_front() {
                Some(put) => {
                    o.state -= 1;
                    answer::message(put)
                }
                None if partners.len() > 1 => answer::DISCONNECTED,
                None => nothing_taken(op),
            },
        }
    }

    /// A timer's fire has been taken; that of a ticking one is followed by the next.
    pub(super) fn take_fire(&mut self, object: ObjectId, taken: EventId) {
        let o = &mut self.objects[object];
        let ticks = o.capacity > 0;
        if o.is_port {
            if ticks {
                let process = self.objects[object].process;
                let fire = self.record_fire(object, process, Some(taken));
                self.objects[object].unreceived.push(fire);
                self.objects[object].sending.push(fire);
            }
            return;
        }
        if ticks {
            let (process, kind) = (o.process, o.kind);
            let process = self.child_process(process, kind, 1);
            let fire = self.record_fire(object, process, Some(taken));
            let o = &mut self.objects[object];
            o.unreceived.push(fire);
            o.state = o.unreceived.len() as u64;
        } else {
            o.state = 0;
        }
    }

    /// Records that the time of a timer has come.
    pub(super) fn record_fire(
        &mut self,
        object: ObjectId,
        process: ProcessId,
        prev: Option<EventId>,
    ) -> EventId {
        let event = Event {
            process,
            index: 0,
            op: Op::Fire,
            pick: Pick::No,
            flags: Flags::default(),
            thread: None,
            object: Some(object),
            prev,
            also: None,
            partner: None,
            partners: Span::default(),
            list: Span::default(),
            state: Event::UNTAKEN,
            location: super::NOWHERE,
        };
        self.record(event, &[])
    }
}

impl Object {
    /// Channel: whether a message can be put inside.
    fn has_room(&self) -> bool {
        self.kind != Kind::Rendezvous && self.state & !RECEIVER_GONE < self.capacity
    }
}

/// What a take is told that comes back by itself.
fn nothing_taken(op: Op) -> u64 {
    if op == Op::TakeTimeout { answer::TIMED_OUT } else { answer::EMPTY }
}
