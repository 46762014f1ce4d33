//! Calling objects: a thread makes a call, and waits until it has been completed.

pub mod atomics;
pub mod choices;
pub mod completions;
pub mod monitors;
pub mod once;
pub mod pointers;
pub mod rwlocks;

use crate::access::{is_alive, with};
use crate::calls::completions::AtOnce;
use crate::ids::{EventId, ExecutionId, ObjectId};
use crate::objects::{Answer, Argument, Call};
use crate::record::event::{Flags, Kind, Op, Pick, Span};
use crate::schedule::polls;
use crate::schedule::steps;
use crate::schedule::steps::{begin, wait, wait_patiently};
use crate::threads::{Thread, WaitFor};
use crate::{Engine, Place};

/// Calls an object and waits for the completion; returns the answer.
#[track_caller]
pub fn call(execution: ExecutionId, object: ObjectId, op: Op, place: Place) -> Answer {
    call_with(execution, object, op, Argument::None, place)
}

/// As [`call`], with an argument for the completion.
#[track_caller]
pub(crate) fn call_with(
    execution: ExecutionId,
    object: ObjectId,
    op: Op,
    argument: Argument,
    place: Place,
) -> Answer {
    call_as(execution, object, op, argument, place, |_| {}).1
}

/// As [`call_with`]; `before` is called with the event of the call before any other thread can observe it.
#[inline]
#[track_caller]
pub fn call_as(
    execution: ExecutionId,
    object: ObjectId,
    op: Op,
    argument: Argument,
    place: Place,
    before: impl FnOnce(EventId),
) -> (EventId, Answer) {
    let polls_again = never_waits(op) && with(execution, |engine| engine.polls_again(object, place));
    if polls_again && with(execution, |engine| engine.is_tested()) {
        polls::count_tested_poll();
        let (event, answer) = with(execution, |engine| engine.answer_tested_poll(object, op, place));
        before(event);
        return (event, answer);
    }
    let request = Request { object, op, argument, polls_again, place };
    let made = begin(execution, |engine| match engine.schedule.hooks {
        // A poll that waits for a change is not sure to happen.
        Some(hooks) if !engine.polls_behind(request) => Err(hooks),
        _ => Ok(engine.make_call(request)),
    });
    let Made { event, wakes_early, manner, state } = made.unwrap_or_else(|hooks| {
        (hooks.claim)(execution, object, op, place);
        with(execution, |engine| engine.make_call(request))
    });
    // No other thread has run since the call was recorded, so none can have observed it yet.
    before(event);
    let answer = match state {
        CallState::Answered(answer) => answer,
        CallState::Waiting { has_timed_out } => {
            let request = Request { polls_again: manner == Waits::ForChange, ..request };
            wait_for_answer(execution, request, manner, has_timed_out)
        }
    };
    if wakes_early && answer == Answer::No {
        with(execution, |engine| engine.threads[engine.schedule.running].woke_early += 1);
    }
    if never_waits(op) && found_nothing(answer) {
        with(execution, |engine| {
            engine.note_poll(object, place);
            let me = engine.schedule.running;
            engine.threads[me].poll.answer = Some(answer);
            if let Some(done) = engine.run.at(event).taken_by {
                // The state that the call has found; it may change again before the thread goes on.
                engine.threads[me].poll.state = Some(engine.run.state_found(engine.run.at(done)));
            }
        });
        steps::came_back_empty();
    }
    (event, answer)
}

/// Calls that may time out.
fn is_timed(op: Op) -> bool {
    matches!(op, Op::TakeTimeout | Op::PutTimeout | Op::ParkTimeout)
}

/// Calls that do not wait.
fn never_waits(op: Op) -> bool {
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

/// Calls that wait for a lock.
#[inline]
fn takes_lock(op: Op) -> bool {
    matches!(op, Op::Lock | Op::Read | Op::Write)
}

/// Calls that may find a channel empty, so that it matters when the other handles were dropped.
#[inline]
fn may_be_empty(op: Op) -> bool {
    matches!(op, Op::TryTake | Op::TakeTimeout | Op::OfferDefault | Op::OfferTimeout)
}

/// Whether a call that does not wait has changed nothing: a thread that repeats such a call is polling.
#[inline]
fn found_nothing(answer: Answer) -> bool {
    match answer {
        Answer::No | Answer::WouldBlock | Answer::Kept(_) => true,
        // A lock that spins writes the value that is there already.
        Answer::Wrote { changed, .. } => !changed,
        _ => false,
    }
}

/// How a thread waits for the completion of its call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waits {
    ForGood,
    /// The wait may time out.
    WithTimeout,
    /// The thread polls, and nothing has changed yet.
    ForChange,
}

/// Waits for the completion of the offers that the running thread has just made.
pub(crate) fn await_completion(
    execution: ExecutionId,
    object: ObjectId,
    op: Op,
    how: Waits,
    place: Place,
) -> Answer {
    let request =
        Request { object, op, argument: Argument::None, polls_again: how == Waits::ForChange, place };
    match with(execution, |engine| engine.advance_call(request)) {
        CallState::Answered(answer) => answer,
        CallState::Waiting { has_timed_out } => wait_for_answer(execution, request, how, has_timed_out),
    }
}

/// Waits until the call of the running thread has been completed.
fn wait_for_answer(
    execution: ExecutionId,
    mut request: Request,
    how: Waits,
    mut has_timed_out: bool,
) -> Answer {
    let object = request.object;
    loop {
        let is_late = wait_unless_late(how != Waits::WithTimeout || has_timed_out);
        let state = with(execution, |engine| {
            let me = engine.schedule.running;
            engine.threads[me].poll.is_waiting = false;
            let is_waiting = engine.threads[me].calling;
            if request.polls_again && is_waiting && engine.is_tested() {
                if !engine.threads[me].poll.awaited.is_behind {
                    return CallState::Answered(engine.withdraw_poll(object));
                }
                request.polls_again = false;
                engine.take_unchanged(object);
            }
            if is_late && is_waiting {
                engine.threads[me].call_timed_out = true;
                engine.advance(object);
            }
            engine.answer_or_block(request)
        });
        has_timed_out = match state {
            CallState::Answered(answer) => return answer,
            CallState::Waiting { has_timed_out } => has_timed_out,
        };
    }
}

/// A call that a thread makes.
#[derive(Clone, Copy)]
struct Request {
    object: ObjectId,
    op: Op,
    argument: Argument,
    /// The call waits until something has changed since it was made before.
    polls_again: bool,
    place: Place,
}

/// A call that has been made.
struct Made {
    event: EventId,
    /// The wait may end spuriously.
    wakes_early: bool,
    manner: Waits,
    state: CallState,
}

/// The state of a call.
enum CallState {
    /// The call has been completed.
    Answered(Answer),
    /// The thread must wait for the completion.
    Waiting {
        /// The wait has timed out before.
        has_timed_out: bool,
    },
}

/// Waits; returns whether the wait ended because nothing else could move, which cannot happen if `for_good`.
fn wait_unless_late(for_good: bool) -> bool {
    if for_good {
        wait();
        return false;
    }
    wait_patiently()
}

/// As [`call`], from a destructor: does nothing once the program is over.
pub fn call_in_drop(execution: ExecutionId, object: ObjectId, op: Op, place: Place) {
    if is_alive(execution) {
        call(execution, object, op, place);
    }
}

/// Waits, after a completed wait on a condition variable, to be notified.
pub fn await_notification(execution: ExecutionId, object: ObjectId, place: Place) {
    if with(execution, |engine| engine.may_wake_early()) {
        if await_notification_or_timeout(execution, object, place) {
            with(execution, |engine| engine.threads[engine.schedule.running].woke_early += 1);
        }
        return;
    }
    steps::catch_up();
    while with(execution, |engine| engine.sleep_until_woken(WaitFor::Notification { object }, place)) {
        wait();
    }
}

/// As [`await_notification`], but may time out; returns whether it did. To time out is a call that takes the thread off the
/// list of waiters; a notification withdraws that call.
pub fn await_notification_or_timeout(execution: ExecutionId, object: ObjectId, place: Place) -> bool {
    begin(execution, |engine| engine.offer_to_expire(object, place));
    // Whether the wait has timed out before, if the thread has to wait.
    let must_wait = |engine: &mut Engine| {
        let Thread { calling, woken_by, call_timed_out, .. } = engine.threads[engine.schedule.running];
        (calling && woken_by.is_none()).then(|| {
            engine.block(WaitFor::Notification { object }, place);
            call_timed_out
        })
    };
    while let Some(has_timed_out) = with(execution, must_wait) {
        let is_late = wait_unless_late(has_timed_out);
        with(execution, |engine| {
            let me = engine.schedule.running;
            let thread = &mut engine.threads[me];
            if is_late && thread.calling && thread.woken_by.is_none() {
                thread.call_timed_out = true;
                engine.advance(object);
            }
        });
    }
    with(execution, |engine| {
        let thread = &mut engine.threads[engine.schedule.running];
        thread.call_timed_out = false;
        thread.answer = None;
        let expired = !thread.calling;
        thread.calling = false;
        if !expired {
            thread.also = thread.woken_by.take();
        }
        expired
    })
}

/// How often a thread may wake spuriously in one execution, if spurious wakeups are on.
const EARLY_WAKINGS: u32 = 2;

impl Engine {
    /// Records a call of the running thread and lets it wait to be completed.
    #[inline]
    pub fn offer(&mut self, object: ObjectId, op: Op, flags: Flags, place: Place) -> EventId {
        let call = self.record_call(object, op, flags, place);
        let host = self.run.objects[object].host;
        self.objects[host].pending.push(call);
        call.event
    }

    /// Records a call of the running thread.
    #[inline]
    fn record_call(&mut self, object: ObjectId, op: Op, flags: Flags, place: Place) -> Call {
        let event = self.record_pick(op, Some(object), Pick::No, &[], Span::default(), flags, place);
        let host = self.run.objects[object].host;
        self.run.objects[host].sending.push(event);
        self.run.may_find_nothing |= may_be_empty(op);
        Call { event, thread: Some(self.schedule.running), object, op, flags }
    }

    /// The running thread makes a call.
    fn make_call(&mut self, request: Request) -> Made {
        let polls_again = request.polls_again || self.polls_behind(request);
        let request = Request { polls_again, ..request };
        let Request { object, op, argument, place, .. } = request;
        let wakes_early = op == Op::Park && self.may_wake_early();
        let flags = if wakes_early { Flags::MAY_FAIL } else { Flags::default() };
        self.threads[self.schedule.running].argument = argument;
        let manner = if polls_again {
            Waits::ForChange
        // When a timer fires is not known.
        } else if is_timed(op) || wakes_early || self.run.objects[object].kind == Kind::Timer {
            Waits::WithTimeout
        } else {
            Waits::ForGood
        };
        if let Argument::WeakUpdate(_, expected, _) = argument
            && self.may_fail_early()
        {
            let event = self.offer_update(object, expected, polls_again, place);
            return Made { event, wakes_early, manner, state: self.advance_call(request) };
        }
        if polls_again {
            let event = self.poll_again(object, op, place);
            return Made { event, wakes_early, manner, state: self.advance_call(request) };
        }
        let call = self.record_call(object, op, flags, place);
        let state = match self.complete_at_once(call) {
            AtOnce::Completed(answer) => CallState::Answered(answer),
            AtOnce::Blocked => {
                self.objects[object].pending.push(call);
                self.threads[self.schedule.running].calling = true;
                self.answer_or_block(request)
            }
            AtOnce::Unclear => {
                let host = self.run.objects[object].host;
                self.objects[host].pending.push(call);
                self.advance_call(request)
            }
        };
        Made { event: call.event, wakes_early, manner, state }
    }

    /// Completes all calls that can be completed, now that the running thread has made one.
    #[inline]
    fn advance_call(&mut self, request: Request) -> CallState {
        self.threads[self.schedule.running].calling = true;
        self.advance(request.object);
        self.answer_or_block(request)
    }

    /// The state of the running thread's call; if it has not been completed, records that the thread waits.
    #[inline]
    fn answer_or_block(&mut self, request: Request) -> CallState {
        let Request { object, op, polls_again, place, .. } = request;
        let me = self.schedule.running;
        if self.threads[me].calling {
            self.block(WaitFor::Completion { object, op }, place);
            self.threads[me].poll.is_waiting = polls_again;
            return CallState::Waiting { has_timed_out: self.threads[me].call_timed_out };
        }
        self.threads[me].call_timed_out = false;
        CallState::Answered(self.threads[me].answer.take().unwrap_or(Answer::No))
    }

    /// Whether the running thread has to wait until another thread names the event that ends its wait; if not, that event
    /// comes before what the running thread does next.
    pub(crate) fn sleep_until_woken(&mut self, on: WaitFor, place: Place) -> bool {
        let thread = &mut self.threads[self.schedule.running];
        match thread.woken_by.take() {
            Some(by) => {
                thread.also = Some(by);
                false
            }
            None => {
                self.block(on, place);
                true
            }
        }
    }

    /// The running thread, which waits to be notified, offers to time out.
    fn offer_to_expire(&mut self, object: ObjectId, place: Place) {
        let me = self.schedule.running;
        let Thread { wait, woken_by, .. } = self.threads[me];
        let list = self.run.push_list(wait.as_slice());
        self.threads[me].calling = true;
        if let Some(by) = woken_by {
            // The notification came before the timeout; but the thread might have timed out first.
            let event =
                self.record_pick(Op::Expire, Some(object), Pick::No, &[], list, Flags::default(), place);
            self.run.objects[object].sending.push(event);
            self.run.events[event].taken_by = Some(by);
        } else {
            let event = self.offer(object, Op::Expire, Flags::default(), place);
            self.run.events[event].list = list;
            self.advance(object);
        }
    }

    /// Whether the running thread may still wake spuriously. Without a limit, a loop around a wait would never end.
    fn may_wake_early(&self) -> bool {
        self.settings.liberties.spurious_wakeups
            && self.threads[self.schedule.running].woke_early < EARLY_WAKINGS
    }

    /// Whether the running thread has polled what is behind a lock, and is about to take that lock again.
    #[inline]
    fn polls_behind(&self, request: Request) -> bool {
        self.polls.are_behind_locks
            && takes_lock(request.op)
            && self.polls_again(request.object, request.place)
    }

    /// As [`offer`](Self::offer), for a call that has failed and waits until the state has changed.
    #[cold]
    #[inline(never)]
    pub(super) fn poll_again(&mut self, object: ObjectId, op: Op, place: Place) -> EventId {
        let state = self.threads[self.schedule.running].poll.state;
        let list = state.map(|state| self.run.push_seen(state)).unwrap_or_default();
        let event = self.offer(object, op, Flags::FRESH, place);
        self.run.events[event].list = list;
        event
    }
}
