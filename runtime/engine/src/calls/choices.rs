//! What an object could complete next: which of the calls that wait are enabled, and what they would take.
//!
//! The answer depends only on the states of objects and on the calls, so the running program
//! ([`crate::calls::completions`]) and the analysis of races afterwards (`insyn_explorer::exploration::races`) share this
//! code: the program asks about the current state, the analysis about calls that were waiting at some completion and were
//! not picked.

use crate::ids::{EventId, ObjectId};
use crate::live::Objects;
use crate::objects::{Call, Enabled, Liberties, Snapshot, When};
use crate::record::event::{Flags, Kind, Op};
use crate::record::run::RecordedRun;

/// The states of the objects of a timeline at some point of it.
#[derive(Clone, Copy)]
pub enum States<'a> {
    /// The current states.
    Now(&'a Objects),
    /// The state of its only object.
    One(Snapshot),
    /// The states of all its objects, as `RecordedRun::push_states` has stored them.
    Many(&'a [(ObjectId, Snapshot)]),
}

/// Everything that a completion could take: `calls` that are waiting, in a given state.
pub struct Choices<'a> {
    pub run: &'a RecordedRun,
    pub states: States<'a>,
    /// The waits that could be notified.
    pub waiters: &'a [EventId],
    pub liberties: Liberties,
    /// A call may return empty-handed although there is a disconnect: the call may have come first.
    pub may_be_early: bool,
    /// The recorded completion that the choices are for; none for the next one.
    pub at: Option<EventId>,
}

impl Choices<'_> {
    #[inline]
    fn state(&self, object: ObjectId) -> Snapshot {
        match self.states {
            States::Now(objects) => objects[object].state.snapshot(),
            States::One(state) => state,
            States::Many(states) => {
                RecordedRun::state_of(states, object).unwrap_or(self.run.objects[object].initial)
            }
        }
    }

    #[inline]
    fn enabled(&self, call: &Call) -> Enabled {
        self.state(call.object).enabled(call, &self.liberties)
    }

    /// Calls `found` for every choice, in the order of `calls`; a call that returns empty-handed comes last. `closed`
    /// returns the disconnect of a channel, if it may be taken.
    pub fn each(
        &self,
        calls: &[Call],
        closed: impl Fn(ObjectId) -> Option<EventId>,
        mut found: impl FnMut(&[EventId], When),
    ) {
        for call in calls {
            let me = call.event;
            if self.is_passed_by(call, calls, &closed)
                || call.flags.has(Flags::FRESH) && self.is_unchanged(call, &closed)
            {
                continue;
            }
            let early = |closed: Option<EventId>| closed.is_none() || self.may_be_early;
            match self.enabled(call) {
                Enabled::No => {}
                Enabled::Alone(when) => found(&[me], when),
                Enabled::WithDisconnect => {
                    let closed = closed(call.object);
                    if let Some(closed) = closed {
                        found(&[me, closed], When::Now);
                    }
                }
                Enabled::MaybeDisconnect(when) => {
                    let closed = closed(call.object);
                    if let Some(closed) = closed {
                        found(&[me, closed], When::Now);
                    }
                    if early(closed) {
                        found(&[me], when);
                    }
                }
                Enabled::WithWaiter => {
                    let n = if self.liberties.longest_waiter { 1 } else { self.waiters.len() };
                    self.waiters[..n].iter().for_each(|&waiter| found(&[me, waiter], When::Now));
                }
                Enabled::WhileWaiting => {
                    let wait = self.run.list(self.run.at(me).list)[0];
                    if self.waiters.contains(&wait) {
                        found(&[me], When::Late);
                    }
                }
                Enabled::NeedsTake(alone) => {
                    if let Some(when) = alone
                        && !self.surely_meets(call, calls)
                    {
                        found(&[me], when);
                    }
                }
                Enabled::NeedsPut(alone) => {
                    let puts = others(calls, call).filter(|c| c.puts() && (c.waits() || call.waits()));
                    let puts = puts.filter(|c| !self.is_passed_by(c, calls, &closed));
                    puts.for_each(|put| found(&[put.event, me], When::Now));
                    let closed = closed(call.object);
                    if let Some(closed) = closed {
                        found(&[me, closed], When::Now);
                    }
                    if let Some(when) = alone
                        && early(closed)
                        && !self.surely_meets(call, calls)
                    {
                        found(&[me], when);
                    }
                }
                Enabled::AsksForTake => {
                    let takes = others(calls, call).filter(|c| c.takes() && self.may_wait(c, calls));
                    takes.for_each(|take| found(&[me, take.event], When::Now));
                }
                Enabled::AsksForPut => {
                    let puts = others(calls, call).filter(|c| c.puts() && self.may_wait(c, calls));
                    puts.for_each(|put| found(&[me, put.event], When::Now));
                    let closed = closed(call.object);
                    if let Some(closed) = closed {
                        found(&[me, closed], When::Now);
                    }
                }
                Enabled::WithFire { fire, when, alone } => {
                    if let Some(fire) = fire {
                        found(&[me, fire], when);
                    }
                    if let Some(when) = alone {
                        found(&[me], when);
                    }
                }
                Enabled::OrFailure => {
                    found(&[me], When::Now);
                    if let Some(failure) = self.failure_beside(call, calls) {
                        found(&[failure], When::Never);
                    }
                }
                Enabled::UnlessBlocked => {
                    found(&[me], When::Now);
                    each_writer(call, calls, When::Never, &mut found);
                }
                Enabled::Blocked => each_writer(call, calls, When::Now, &mut found),
                Enabled::Together(size) => self.each_gathering(call, size as usize, calls, &mut found),
                Enabled::AtStep(next) => {
                    if self.run.steps(self.run.at(me).list).contains(&next) {
                        found(&[me], When::Now);
                    }
                }
                Enabled::IfNothingElse(when) => {
                    if !self.is_outdone(call, calls, &closed) {
                        found(&[me], when);
                    }
                }
            }
        }
    }

    /// The offer to fail that a thread has made together with an update, if the update would succeed. (An update that
    /// would fail anyway does not fail spuriously: nobody could observe the difference.)
    fn failure_beside(&self, update: &Call, calls: &[Call]) -> Option<EventId> {
        let is_beside = |c: &&Call| c.thread == update.thread && c.op == Op::OfferFailure;
        let failure = calls.iter().find(is_beside)?.event;
        let expected = self.run.seen(self.run.at(failure).list);
        (expected == Some(self.state(update.object))).then_some(failure)
    }

    /// Whether a call that polls again would find the same as before.
    fn is_unchanged(&self, call: &Call, closed: &impl Fn(ObjectId) -> Option<EventId>) -> bool {
        let Some(found) = self.run.seen(self.run.at(call.event).list) else { return false };
        let is_rendezvous = self.run.objects[call.object].kind == Kind::Rendezvous;
        found.finds_the_same(self.state(call.object), call.op)
            && !is_rendezvous
            && closed(call.object).is_none()
    }

    /// Whether a select that prefers earlier offers would not take this one.
    fn is_passed_by(
        &self,
        call: &Call,
        calls: &[Call],
        closed: &impl Fn(ObjectId) -> Option<EventId>,
    ) -> bool {
        call.flags.has(Flags::BIASED) && self.is_outdone(call, calls, closed)
    }

    /// Whether an earlier offer of the same select is certainly enabled. (That a partner waits at a rendezvous, or that a
    /// timer has fired, is certain only if a thread has observed it.)
    fn is_outdone(&self, call: &Call, calls: &[Call], closed: &impl Fn(ObjectId) -> Option<EventId>) -> bool {
        let earlier = calls.iter().filter(|c| c.thread == call.thread && c.event < call.event);
        let is_closed = |object: ObjectId| closed(object).is_some() && !self.may_be_early;
        earlier.into_iter().any(|c| match self.enabled(c) {
            Enabled::Alone(When::Now) | Enabled::WithFire { fire: Some(_), when: When::Now, .. } => true,
            Enabled::WithDisconnect => is_closed(c.object),
            Enabled::NeedsPut(_) | Enabled::AsksForPut => is_closed(c.object) || self.surely_meets(c, calls),
            Enabled::NeedsTake(_) | Enabled::AsksForTake => self.surely_meets(c, calls),
            _ => false,
        })
    }

    /// Whether a call at a rendezvous, or a question, certainly finds a partner: one that was observed waiting is still
    /// there.
    #[inline]
    fn surely_meets(&self, call: &Call, calls: &[Call]) -> bool {
        self.run.objects[call.object].has_seen_calls
            && others(calls, call).any(|c| c.takes() == call.is_for_puts() && self.is_seen(c))
    }

    /// Whether a call was observed waiting.
    fn is_seen(&self, call: &Call) -> bool {
        matches!(call.op, Op::Put | Op::PutTimeout | Op::Take | Op::TakeTimeout)
            && self
                .run
                .list(self.run.at(call.event).list)
                .first()
                .is_some_and(|&by| self.at.is_none_or(|at| by < at))
    }

    /// Whether a call may be waiting at a rendezvous. A call that finds a waiting partner there does not wait; the offers
    /// of a select do, for a moment.
    fn may_wait(&self, call: &Call, calls: &[Call]) -> bool {
        call.waits() && (call.op.is_offer() || !self.surely_meets(call, calls))
    }

    /// The ways in which a call and those after it make up the number of threads that a barrier is for. The leader, if the
    /// program asks for it, comes first, the others in the order of events.
    fn each_gathering(
        &self,
        call: &Call,
        n: usize,
        calls: &[Call],
        found: &mut impl FnMut(&[EventId], When),
    ) {
        let barrier = &self.run.objects[call.object];
        let mut others: Vec<EventId> = calls.iter().map(|c| c.event).filter(|&e| e > call.event).collect();
        others.sort_unstable();
        let mut gathering = vec![call.event];
        gather(&mut gathering, &others, n, &mut |gathering| {
            found(gathering, When::Now);
            if barrier.has_leader {
                for leader in 1..n {
                    let mut led = gathering.to_vec();
                    led[..=leader].rotate_right(1);
                    found(&led, When::Now);
                }
            }
        });
    }
}

/// Every way to fill `chosen` up to `n` with some of `rest`, in order.
fn gather(chosen: &mut Vec<EventId>, rest: &[EventId], n: usize, found: &mut impl FnMut(&[EventId])) {
    if chosen.len() == n {
        return found(chosen);
    }
    for (i, &event) in rest.iter().enumerate() {
        chosen.push(event);
        gather(chosen, &rest[i + 1..], n, found);
        chosen.pop();
    }
}

/// The waiting writers that a reader could have met: a reader that waits then waits behind the writer, a reader that only
/// tries fails.
fn each_writer(reader: &Call, calls: &[Call], when: When, found: &mut impl FnMut(&[EventId], When)) {
    for write in others(calls, reader).filter(|c| c.op == Op::Write) {
        match reader.op {
            Op::TryRead => found(&[reader.event, write.event], when),
            _ => found(&[write.event, reader.event], when),
        }
    }
}

/// The calls of other threads on the same object.
fn others<'a>(calls: &'a [Call], call: &'a Call) -> impl Iterator<Item = &'a Call> {
    calls.iter().filter(|c| c.object == call.object && c.thread != call.thread)
}
