//! Calling objects: a thread says what it wants, and waits until that has been completed.

use super::event::{Flags, Kind, Op, Pick, Span};
use super::ids::{EventId, ExecutionId, ObjectId};
use super::openness::Call;
use super::polling;
use super::stepping::{self, begin, wait, wait_patiently};
use super::threads::{Thread, WaitFor};
use super::{Engine, Place, alive, forcing, of};

/// What a completion tells the caller.
pub(crate) mod answer {
    use super::super::ids::{EventId, Id as _};

    /// Nothing to tell, or: it failed.
    pub(crate) const NO: u64 = 0;
    /// It succeeded.
    pub(crate) const YES: u64 = 1;
    /// The channel is disconnected.
    pub(crate) const DISCONNECTED: u64 = 2;
    /// The channel is empty, or full.
    pub(crate) const EMPTY: u64 = 3;
    /// Patience is at an end.
    pub(crate) const TIMED_OUT: u64 = 4;
    /// A panic has left it in doubt.
    pub(crate) const POISONED: u64 = 5;
    /// Added to the number of the put whose message was taken.
    const MESSAGE: u64 = 1 << 32;

    /// The message of a put was taken.
    pub(crate) fn message(put: EventId) -> u64 {
        MESSAGE + u64::from(put.number())
    }

    /// The put whose message was taken, if one was.
    pub(crate) fn taken(answer: u64) -> Option<EventId> {
        EventId::at(answer.checked_sub(MESSAGE)? as usize)
    }
}

/// Calls an object and waits for the completion; tells what it decided.
#[track_caller]
pub(crate) fn call(execution: ExecutionId, object: ObjectId, op: Op, place: Place) -> u64 {
    call_with(execution, object, op, 0, place)
}

/// As [`call`], with something for the completion to know.
#[track_caller]
pub(crate) fn call_with(
    execution: ExecutionId,
    object: ObjectId,
    op: Op,
    argument: u64,
    place: Place,
) -> u64 {
    call_as(execution, object, op, argument, place, |_| {}).1
}

/// As [`call_with`]; `before` gets the name of the call before it can be completed.
#[inline]
#[track_caller]
pub(crate) fn call_as(
    execution: ExecutionId,
    object: ObjectId,
    op: Op,
    argument: u64,
    place: Place,
    before: impl FnOnce(EventId),
) -> (EventId, u64) {
    let polls_again = is_hasty(op) && of(execution).polls_again(object, place);
    if polls_again && polling::is_tested(of(execution)) {
        polling::look_in_vain();
        let (event, answer) = of(execution).call_in_vain(object, op, place);
        before(event);
        return (event, answer);
    }
    let mut engine = begin(execution);
    if engine.turns.forcing.is_some() {
        forcing::claim(execution, object, op, place);
        engine = of(execution);
    }
    let wakes_early = op == Op::Park && engine.may_wake_early();
    // Of a timer one does not know when it fires.
    let is_timed = is_timed(op) || wakes_early || engine.objects[object].kind == Kind::Timer;
    let flags = if wakes_early { Flags::MAY_FAIL } else { Flags::default() };
    let event = match polls_again {
        true => engine.poll_again(object, op, place),
        false => engine.offer(object, op, flags, place),
    };
    before(event);
    engine.threads[engine.running].argument = argument;
    let manner = if polls_again {
        Waits::ForChange
    } else if is_timed {
        Waits::WithTimeout
    } else {
        Waits::ForGood
    };
    let answer = await_completion(execution, object, op, manner, place);
    if wakes_early && answer == answer::NO {
        let engine = of(execution);
        engine.threads[engine.running].woke_early += 1;
    }
    if is_hasty(op) && of(execution).found_nothing(op, answer) {
        let engine = of(execution);
        engine.note_poll(object, place);
        let me = engine.running;
        engine.threads[me].poll.answer = answer;
        if let Some(done) = engine.run().at(event).taken_by() {
            // What it has found: that may have changed again before the thread goes on.
            engine.threads[me].poll.state = engine.run().at(done).state;
        }
        stepping::came_back_empty();
    }
    (event, answer)
}

/// Calls that give up at some time.
fn is_timed(op: Op) -> bool {
    matches!(op, Op::TakeTimeout | Op::PutTimeout | Op::ParkTimeout)
}

/// Calls that do not wait.
fn is_hasty(op: Op) -> bool {
    matches!(
        op,
        Op::TryLock
            | Op::TryAcquire
            | Op::TryTake
            | Op::TryPut
            | Op::TryRead
            | Op::TryWrite
            | Op::TryUnwrap
            | Op::Upgrade
            | Op::Update
    )
}

/// Calls that may find a channel empty, so that it matters when others were dropped.
#[inline]
fn may_be_empty(op: Op) -> bool {
    matches!(op, Op::TryTake | Op::TakeTimeout | Op::OfferDefault | Op::OfferTimeout)
}

/// How a thread waits for the completion of its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Waits {
    ForGood,
    /// It gives up at some time.
    WithTimeout,
    /// It polls, and nothing has changed yet.
    ForChange,
}

/// Waits for the completion of what the running thread has just offered.
pub(crate) fn await_completion(
    execution: ExecutionId,
    object: ObjectId,
    op: Op,
    how: Waits,
    place: Place,
) -> u64 {
    let (timed, polls_again) = (how == Waits::WithTimeout, how == Waits::ForChange);
    let mut engine = of(execution);
    let me = engine.running;
    engine.threads[me].calling = true;
    engine.advance(object);
    while engine.threads[me].calling {
        engine.block(WaitFor::Completion { object, op }, place);
        engine.threads[me].poll.is_waiting = polls_again;
        let lost_patience = wait_unless_late(!timed || engine.threads[me].impatient);
        engine = of(execution);
        engine.threads[me].poll.is_waiting = false;
        if polls_again && engine.threads[me].calling && polling::is_tested(engine) {
            return engine.withdraw_poll(object);
        }
        if lost_patience && engine.threads[me].calling {
            engine.threads[me].impatient = true;
            engine.advance(object);
        }
    }
    engine.threads[me].impatient = false;
    std::mem::take(&mut engine.threads[me].answer)
}

/// Waits; tells whether that ended because nothing else could move, which it does not if `for_good`.
fn wait_unless_late(for_good: bool) -> bool {
    if for_good {
        wait();
        return false;
    }
    wait_patiently()
}

/// As [`call`], from a destructor: does nothing once the program is over.
pub(crate) fn call_in_drop(execution: ExecutionId, object: ObjectId, op: Op, place: Place) {
    if alive(execution).is_some() {
        call(execution, object, op, place);
    }
}

/// Waits, after a completed wait on a condition variable, to be notified.
pub(crate) fn await_notification(execution: ExecutionId, object: ObjectId, place: Place) {
    if of(execution).may_wake_early() {
        if await_notification_or_timeout(execution, object, place) {
            let engine = of(execution);
            engine.threads[engine.running].woke_early += 1;
        }
        return;
    }
    forcing::catch_up_before_waiting(execution);
    let mut engine = of(execution);
    let me = engine.running;
    while engine.threads[me].woken_by.is_none() {
        engine.block(WaitFor::Notification { object }, place);
        wait();
        engine = of(execution);
    }
    engine.threads[me].also = engine.threads[me].woken_by.take();
}

/// As [`await_notification`], but gives up at some time; tells whether it did. Giving up is a call that takes the thread off
/// the list of waiters; a notification withdraws it.
pub(crate) fn await_notification_or_timeout(execution: ExecutionId, object: ObjectId, place: Place) -> bool {
    let mut engine = begin(execution);
    let me = engine.running;
    let Thread { wait: wait_event, woken_by, .. } = engine.threads[me];
    let list = engine.done.push_list(wait_event.as_slice());
    engine.threads[me].calling = true;
    if let Some(by) = woken_by {
        // Notified before it could give up; but it might have given up first.
        let event =
            engine.record_pick(Op::Expire, Some(object), Pick::No, &[], list, Flags::default(), place);
        engine.objects[object].sending.push(event);
        engine.done.events[event].take(by);
    } else {
        let event = engine.offer(object, Op::Expire, Flags::default(), place);
        engine.done.events[event].list = list;
        engine.advance(object);
    }
    while engine.threads[me].calling && engine.threads[me].woken_by.is_none() {
        engine.block(WaitFor::Notification { object }, place);
        let lost_patience = wait_unless_late(engine.threads[me].impatient);
        engine = of(execution);
        if lost_patience && engine.threads[me].calling && engine.threads[me].woken_by.is_none() {
            engine.threads[me].impatient = true;
            engine.advance(object);
        }
    }
    let thread = &mut engine.threads[me];
    thread.impatient = false;
    thread.answer = 0;
    let expired = !thread.calling;
    thread.calling = false;
    if !expired {
        thread.also = thread.woken_by.take();
    }
    expired
}

/// How often a thread wakes for no reason in one execution, where threads do.
const EARLY_WAKINGS: u32 = 2;

impl Engine {
    /// Records a call of the running thread and lets it wait to be completed.
    #[inline]
    pub(crate) fn offer(&mut self, object: ObjectId, op: Op, flags: Flags, place: Place) -> EventId {
        let event = self.record_pick(op, Some(object), Pick::No, &[], Span::default(), flags, place);
        let thread = self.running;
        let host = self.objects[object].host;
        self.objects[host].sending.push(event);
        self.objects[host].pending.push(Call { event, thread: Some(thread), object, op, flags });
        self.may_find_nothing |= may_be_empty(op);
        event
    }

    /// Whether a call of the running thread that does not wait has changed nothing: who makes it again and again waits for
    /// something.
    #[inline]
    fn found_nothing(&self, op: Op, answer: u64) -> bool {
        match op {
            // A lock that spins writes what is there already.
            Op::Update => self.has_left_as_it_was(),
            _ => matches!(answer, answer::NO | answer::EMPTY),
        }
    }

    /// Whether the running thread may yet wake for no reason. A loop around a wait would otherwise have no end.
    fn may_wake_early(&self) -> bool {
        self.settings.liberties.spurious_wakeups && self.threads[self.running].woke_early < EARLY_WAKINGS
    }

    /// As [`offer`](Self::offer), for a call that has failed and waits until the state has changed.
    #[cold]
    #[inline(never)]
    fn poll_again(&mut self, object: ObjectId, op: Op, place: Place) -> EventId {
        let state = self.threads[self.running].poll.state;
        let list = self.done.push_seen(state);
        let event = self.offer(object, op, Flags::FRESH, place);
        self.done.events[event].list = list;
        event
    }
}
