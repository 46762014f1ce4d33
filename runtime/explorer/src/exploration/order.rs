//! The questions that race sets ask about the happens-before of a run. Bit sets answer them by looking at all sends of an
//! object; clocks look at the next send of each thread, so that the answers for all events of a long run take no more time
//! than there are events.

use super::bits::Bits;
use super::clocks::Clocks;
use super::senders::Senders;
use super::set::members;
use insyn_engine::ids::{EventId, Id as _, ObjectId};
use insyn_engine::objects::Call;
use insyn_engine::record::event::Event;
use insyn_engine::record::run::{RecordedObject, RecordedRun};

/// Memory for the answers.
#[derive(Default, Debug)]
pub(crate) struct Memory {
    /// A set of sends.
    set: Vec<u64>,
    /// A list of sends.
    list: Vec<EventId>,
    pub(super) senders: Senders,
}

impl Memory {
    /// Starts with another run.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.senders.clear();
    }
}

/// The happens-before of a run.
pub(crate) trait HappensBefore {
    /// Whether `a` happens before `b`.
    fn before(&self, a: EventId, b: EventId) -> bool;

    /// Whether `a` is `b` or happens before it; false if there is no `b`.
    #[inline]
    fn up_to(&self, a: EventId, b: Option<EventId>) -> bool {
        b.is_some_and(|b| a == b || self.before(a, b))
    }

    /// Whether `a` is in the own past of event `i`: before it, and not only through what it picked.
    #[inline]
    fn in_own(&self, run: &RecordedRun, a: EventId, i: EventId) -> bool {
        let event = &run.events[i];
        self.up_to(a, event.prev) || self.up_to(a, event.also)
    }
}

/// What race sets ask about happens-before. Events are asked about in their order.
pub(crate) trait Order: HappensBefore {
    /// Some sends to one object.
    type Sends;

    /// Whether the relations between columns are computed when a column is found, since asking is more expensive.
    const RELATES: bool;

    /// The sends to a port that were not taken before an event. If `first_only`, those that come after another such send of
    /// the same thread may be left out.
    fn untaken(
        &self,
        memory: &mut Memory,
        run: &RecordedRun,
        port: ObjectId,
        before: EventId,
        first_only: bool,
    ) -> Self::Sends;

    /// Gives the memory of a set of sends back.
    fn give_back(memory: &mut Memory, sends: Self::Sends);

    /// The sends, in order.
    fn each(sends: &Self::Sends) -> impl Iterator<Item = EventId>;

    /// Whether any of some sends happens before `b`.
    fn any_before(&self, sends: &Self::Sends, b: EventId) -> bool;

    /// Whether some send to an object that was not taken before an event is as asked for, which is so of all earlier sends of a
    /// thread if it is so of one.
    fn any_untaken(
        &self,
        memory: &mut Memory,
        run: &RecordedRun,
        object: ObjectId,
        before: EventId,
        is_wanted: impl FnMut(EventId) -> bool,
    ) -> bool;

    /// Whether some send to an object, or call of it, was taken after an event or never.
    fn is_any_later(
        &self,
        memory: &mut Memory,
        run: &RecordedRun,
        object: ObjectId,
        sends: &[EventId],
        i: EventId,
    ) -> bool;

    /// Adds each call of an object that was not taken before an event and does not happen after it, in order.
    fn add_waiting(
        &self,
        memory: &mut Memory,
        run: &RecordedRun,
        host: ObjectId,
        calls: &[EventId],
        i: EventId,
        waiting: &mut Vec<Call>,
    );

    /// How many versions of a variable, from the first on, do not come after an event; more if that is not worth computing.
    fn versions_not_after(&self, object: &RecordedObject, i: EventId) -> usize;
}

/// A call as objects see it.
#[inline]
pub(crate) fn as_call(event: EventId, call: &Event) -> Call {
    let Event { thread, op, flags, .. } = *call;
    Call { event, thread, object: call.on(), op, flags }
}

impl HappensBefore for Bits {
    #[inline]
    fn before(&self, a: EventId, b: EventId) -> bool {
        self.before(a, b)
    }
}

impl Order for Bits {
    type Sends = Vec<u64>;

    const RELATES: bool = true;

    #[inline]
    fn untaken(
        &self,
        memory: &mut Memory,
        run: &RecordedRun,
        port: ObjectId,
        before: EventId,
        _first_only: bool,
    ) -> Vec<u64> {
        let mut set = std::mem::take(&mut memory.set);
        set.clear();
        set.resize(self.words(), 0);
        let sends = run.objects[port].sending.iter().filter(|&&s| !run.at(s).is_taken_before(before));
        sends.for_each(|s| set[s.place() / 64] |= 1 << (s.place() % 64));
        set
    }

    #[inline]
    fn give_back(memory: &mut Memory, sends: Vec<u64>) {
        memory.set = sends;
    }

    #[inline]
    fn each(sends: &Vec<u64>) -> impl Iterator<Item = EventId> {
        members(sends)
    }

    #[inline]
    fn any_before(&self, sends: &Vec<u64>, b: EventId) -> bool {
        self.any_before(sends, b)
    }

    #[inline]
    fn any_untaken(
        &self,
        _memory: &mut Memory,
        run: &RecordedRun,
        object: ObjectId,
        before: EventId,
        mut is_wanted: impl FnMut(EventId) -> bool,
    ) -> bool {
        let mut sends = run.objects[object].sending.iter();
        sends.any(|&send| !run.at(send).is_taken_before(before) && is_wanted(send))
    }

    #[inline]
    fn is_any_later(
        &self,
        _memory: &mut Memory,
        run: &RecordedRun,
        _object: ObjectId,
        sends: &[EventId],
        i: EventId,
    ) -> bool {
        sends.iter().rev().any(|&s| !run.at(s).is_taken_by(i))
    }

    #[inline]
    fn add_waiting(
        &self,
        _memory: &mut Memory,
        run: &RecordedRun,
        _host: ObjectId,
        calls: &[EventId],
        i: EventId,
        waiting: &mut Vec<Call>,
    ) {
        waiting.extend(calls.iter().filter_map(|&event| {
            let call = run.at(event);
            let is_waiting = !call.is_taken_before(i) && !self.before(i, event);
            is_waiting.then(|| as_call(event, call))
        }));
    }

    #[inline]
    fn versions_not_after(&self, object: &RecordedObject, _i: EventId) -> usize {
        object.versions.len()
    }
}

impl HappensBefore for Clocks {
    #[inline]
    fn before(&self, a: EventId, b: EventId) -> bool {
        self.before(a, b)
    }
}

impl Order for Clocks {
    type Sends = Vec<EventId>;

    const RELATES: bool = false;

    fn untaken(
        &self,
        memory: &mut Memory,
        run: &RecordedRun,
        port: ObjectId,
        before: EventId,
        first_only: bool,
    ) -> Vec<EventId> {
        let mut list = std::mem::take(&mut memory.list);
        list.clear();
        if first_only {
            memory.senders.first_untaken(run, self, port, before, |send| list.push(send));
            list.sort_unstable();
        } else {
            let sends = run.objects[port].sending.iter().copied();
            list.extend(sends.filter(|&send| !run.at(send).is_taken_before(before)));
        }
        list
    }

    fn give_back(memory: &mut Memory, sends: Vec<EventId>) {
        memory.list = sends;
    }

    fn each(sends: &Vec<EventId>) -> impl Iterator<Item = EventId> {
        sends.iter().copied()
    }

    fn any_before(&self, sends: &Vec<EventId>, b: EventId) -> bool {
        sends.iter().take_while(|&&send| send < b).any(|&send| self.before(send, b))
    }

    fn any_untaken(
        &self,
        memory: &mut Memory,
        run: &RecordedRun,
        object: ObjectId,
        before: EventId,
        mut is_wanted: impl FnMut(EventId) -> bool,
    ) -> bool {
        let mut any = false;
        memory.senders.first_untaken(run, self, object, before, |send| any = any || is_wanted(send));
        any
    }

    fn is_any_later(
        &self,
        memory: &mut Memory,
        run: &RecordedRun,
        object: ObjectId,
        _sends: &[EventId],
        i: EventId,
    ) -> bool {
        memory.senders.is_any_later(run, self, object, i)
    }

    fn add_waiting(
        &self,
        memory: &mut Memory,
        run: &RecordedRun,
        host: ObjectId,
        _calls: &[EventId],
        i: EventId,
        waiting: &mut Vec<Call>,
    ) {
        let mut list = std::mem::take(&mut memory.list);
        list.clear();
        // What happens after an event is followed by nothing of its thread that does not.
        memory.senders.each_from_first_untaken(run, self, host, i, |call| {
            let is_there = !self.before(i, call);
            if is_there && !run.at(call).is_taken_before(i) {
                list.push(call);
            }
            is_there
        });
        list.sort_unstable();
        waiting.extend(list.iter().map(|&event| as_call(event, run.at(event))));
        memory.list = list;
    }

    fn versions_not_after(&self, object: &RecordedObject, i: EventId) -> usize {
        object.versions.partition_point(|(write, _)| write.is_none_or(|write| !self.before(i, write)))
    }
}
