//! What one execution recorded: its events, and its objects as far as the analysis needs them.

use std::cell::RefCell;

use insyn_sequences::{Kind, Op};

use crate::delivery::Delivery;
use crate::ids::{EventId, Id as _, ObjectId, ProcessId, SnapshotId, Table, Values};
use crate::objects::Snapshot;
use crate::process::MAIN;
use crate::record::event::{Event, Flags, Pick, Span};

/// What one execution recorded.
#[derive(Clone, Debug)]
pub struct RecordedRun {
    pub events: Values<EventId, Event>,
    /// The lists of events that other events refer to.
    lists: Vec<EventId>,
    /// The ports that receives were open for.
    ports_open: Vec<ObjectId>,
    /// The states of objects just before completions.
    snapshots: Values<SnapshotId, Snapshot>,
    /// The states of all objects on joined timelines, just before completions there.
    states: Vec<(ObjectId, Snapshot)>,
    /// The steps of a forced sequence that turns can be.
    steps: Vec<u32>,
    /// The states in which polls have found their objects, and in which updates may fail spuriously.
    seen: Vec<Snapshot>,
    /// The receiving events that are not black, in order.
    pub open: Vec<EventId>,
    /// Receiving events that were to take a new partner and found none: the process, and the own predecessors that the event
    /// would have had.
    pub unresolved: Vec<Unresolved>,
    /// Memory for [`RecordedRun::walk_back`]: the events that are still to be visited.
    ahead: RefCell<Vec<u64>>,
    /// Some events are turns, which are not part of the program itself.
    pub has_turns: bool,
    pub objects: Table<ObjectId, RecordedObject>,
    /// How many ports and variables there are.
    pub ports: u32,
    /// Some receiving event could have found nothing on a channel, or a channel has hung up.
    pub may_find_nothing: bool,
}

/// An object, as far as the analysis of a run needs it.
#[derive(Clone, Debug)]
pub struct RecordedObject {
    /// Its process, which names it in other runs too.
    pub process: ProcessId,
    pub kind: Kind,
    /// Receives on it happen on threads; it has no timeline.
    pub is_port: bool,
    pub delivery: Delivery,
    /// The object that keeps its timeline: itself, unless it is joined with others.
    pub host: ObjectId,
    /// Host: the process of the timeline, and the objects on it if there can be several.
    pub timeline: ProcessId,
    pub members: Vec<ObjectId>,
    /// The state that it was made with.
    pub(crate) initial: Snapshot,
    /// Barrier: the program asks which thread is the leader.
    pub has_leader: bool,
    /// Lock: its readers are not ordered, and reading is no call.
    pub is_unordered: bool,
    /// All delivered sends, or all calls, of the run, in order.
    pub sending: Vec<EventId>,
    /// Variable, once: the completions that wrote it, and what.
    pub versions: Vec<(Option<EventId>, u64)>,
    /// Rendezvous: a call was observed waiting; the list of the call has the completion that observed it first.
    pub has_seen_calls: bool,
    /// Timer: when it fires is not known.
    pub fires_late: bool,
    /// Channel: the disconnect.
    pub closed: Option<EventId>,
    /// Channel: the partner of a send when no receiver is left.
    pub receiver_drop: Option<EventId>,
}

impl RecordedObject {
    /// Fresh memory for the record of an object.
    pub(crate) fn blank() -> Self {
        RecordedObject {
            process: MAIN,
            kind: Kind::Thread,
            is_port: false,
            delivery: Delivery::Mailbox,
            host: ObjectId::FIRST,
            timeline: MAIN,
            members: Vec::new(),
            initial: Snapshot::Port,
            has_leader: false,
            is_unordered: false,
            sending: Vec::new(),
            versions: Vec::new(),
            has_seen_calls: false,
            fires_late: false,
            closed: None,
            receiver_drop: None,
        }
    }

    /// Starts the record of a new object.
    #[inline]
    pub(crate) fn restart(&mut self, me: ObjectId, its: ProcessId, of: Kind, state: Snapshot) {
        let RecordedObject {
            process,
            kind,
            is_port,
            delivery,
            host,
            timeline,
            members,
            initial,
            has_leader,
            is_unordered,
            sending,
            versions,
            has_seen_calls,
            fires_late,
            closed,
            receiver_drop,
        } = self;
        (*process, *timeline, *kind, *host, *initial) = (its, its, of, me, state);
        *is_port = false;
        *delivery = Delivery::Mailbox;
        members.clear();
        *has_leader = false;
        *is_unordered = false;
        sending.clear();
        versions.clear();
        *has_seen_calls = false;
        *fires_late = false;
        *closed = None;
        *receiver_drop = None;
    }
}

/// Which past of an event is asked about, in a program that is forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Past {
    /// What happens before it, the turns of threads included.
    WithTurns,
    /// What happens before it in the program itself, without turns.
    WithoutTurns,
}

/// See [`RecordedRun::unresolved`].
#[derive(Clone, Copy, Debug)]
pub struct Unresolved {
    pub process: ProcessId,
    pub prev: Option<EventId>,
    pub also: Option<EventId>,
}

impl Default for RecordedRun {
    fn default() -> Self {
        RecordedRun {
            events: Values::with(Event::UNUSED),
            lists: Vec::new(),
            ports_open: Vec::new(),
            snapshots: Values::with(Snapshot::Port),
            states: Vec::new(),
            steps: Vec::new(),
            seen: Vec::new(),
            open: Vec::new(),
            unresolved: Vec::new(),
            ahead: RefCell::default(),
            has_turns: false,
            objects: Table::new(RecordedObject::blank),
            ports: 0,
            may_find_nothing: false,
        }
    }
}

impl RecordedRun {
    /// Forgets all of it, but keeps the memory.
    pub fn clear(&mut self) {
        let RecordedRun {
            events,
            lists,
            ports_open,
            snapshots,
            states,
            steps,
            seen,
            open,
            unresolved,
            ahead: _,
            has_turns,
            objects,
            ports,
            may_find_nothing,
        } = self;
        events.clear();
        lists.clear();
        ports_open.clear();
        snapshots.clear();
        states.clear();
        steps.clear();
        seen.clear();
        open.clear();
        unresolved.clear();
        *has_turns = false;
        objects.clear();
        *ports = 0;
        *may_find_nothing = false;
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        let of_object = |object: &RecordedObject| {
            size_of::<RecordedObject>()
                + size_of_val(&object.sending[..])
                + size_of_val(&object.versions[..])
                + size_of_val(&object.members[..])
        };
        size_of_val(self.events.slots())
            + size_of_val(&self.lists[..])
            + size_of_val(&self.ports_open[..])
            + size_of_val(self.snapshots.slots())
            + size_of_val(&self.states[..])
            + size_of_val(&self.steps[..])
            + size_of_val(&self.seen[..])
            + size_of_val(&self.open[..])
            + self.objects.iter().map(of_object).sum::<usize>()
    }

    /// Lets all receiving events change, black ones too.
    pub fn reopen(&mut self) {
        let receiving = self.events.pairs().filter(|(_, event)| event.pick != Pick::No);
        self.open.clear();
        self.open.extend(receiving.map(|(i, _)| i));
    }

    /// The process of the object that an event is about, if it is about one.
    #[inline]
    pub fn subject(&self, event: &Event) -> Option<ProcessId> {
        event.object.map(|object| self.objects[object].process)
    }

    #[inline]
    pub fn list(&self, span: Span) -> &[EventId] {
        span.of(&self.lists)
    }

    /// The ports that a receive was open for, if there were several.
    #[inline]
    pub fn ports(&self, span: Span) -> &[ObjectId] {
        span.of(&self.ports_open)
    }

    /// The states of the objects on a joined timeline.
    #[inline]
    pub fn states(&self, span: Span) -> &[(ObjectId, Snapshot)] {
        span.of(&self.states)
    }

    /// The steps that a turn can be.
    pub fn steps(&self, span: Span) -> &[u32] {
        span.of(&self.steps)
    }

    /// The state in which a poll has found its object, or in which an update may fail spuriously.
    pub fn seen(&self, span: Span) -> Option<Snapshot> {
        span.of(&self.seen).first().copied()
    }

    /// What a receiving event took.
    #[inline]
    pub fn partners<'a>(&'a self, event: &'a Event) -> &'a [EventId] {
        match event.partners.len {
            0 => &[],
            1 => event.partner.as_slice(),
            _ => self.list(event.partners),
        }
    }

    /// Whether these are a put and a take that are completed together.
    pub fn is_pair(&self, partners: &[EventId]) -> bool {
        let &[first, second] = partners else { return false };
        let puts = matches!(self.at(first).op, Op::Put | Op::TryPut | Op::PutTimeout | Op::OfferPut);
        puts && matches!(self.at(second).op, Op::Take | Op::TryTake | Op::TakeTimeout | Op::OfferTake)
    }

    /// The channels that a completion of a select shows to have been empty: it takes the default or the timeout, or an offer
    /// of a select that prefers earlier offers, so the earlier offers could not have taken anything. If the completion takes
    /// a pair, this holds for both offers.
    pub fn passed_over<'a>(&'a self, taken: &'a [EventId]) -> impl Iterator<Item = ObjectId> + 'a {
        let completed = if self.is_pair(taken) { 2 } else { 1 };
        taken.iter().take(completed).flat_map(|&offer| self.earlier_takes(offer))
    }

    /// The channels from which offers that a select prefers to this one would have taken something.
    fn earlier_takes(&self, offer: EventId) -> impl Iterator<Item = ObjectId> + '_ {
        let taken = self.at(offer);
        let is_last = matches!(taken.op, Op::OfferDefault | Op::OfferTimeout);
        let prefers = taken.pick == Pick::No && (is_last || taken.flags.has(Flags::BIASED));
        let mut at = if prefers { taken.prev } else { None };
        std::iter::from_fn(move || {
            let earlier = self.at(at?);
            if earlier.op == Op::Select {
                return None;
            }
            at = earlier.prev;
            Some(earlier)
        })
        .filter(|e| matches!(e.op, Op::OfferTake | Op::ReadyTake))
        .map(Event::on)
    }

    /// Stores partners for an event: the first, and the list if there are more.
    #[inline]
    pub(crate) fn push_partners(&mut self, partners: &[EventId]) -> (Option<EventId>, Span) {
        match partners {
            [] => (None, Span::default()),
            [one] => (Some(*one), Span { start: 0, len: 1 }),
            more => (Some(more[0]), self.push_list(more)),
        }
    }

    #[inline]
    pub fn at(&self, i: EventId) -> &Event {
        &self.events[i]
    }

    /// The own predecessors of an event, without its partners.
    #[inline]
    pub fn own(&self, event: &Event) -> impl Iterator<Item = EventId> + '_ {
        let drops = self.drops(event);
        event.prev.into_iter().chain(event.also).chain(drops.iter().copied())
    }

    /// The drops that a disconnect or a hang-up comes after.
    #[inline]
    pub fn drops(&self, event: &Event) -> &[EventId] {
        match event.op {
            // Most events have no list at all.
            _ if event.list.len == 0 => &[],
            Op::Disconnect => self.list(event.list),
            // Its completion on a timeline has the same name, and takes it.
            Op::HangUp if event.pick == Pick::No => self.list(event.list),
            _ => &[],
        }
    }

    /// Stores the states of the objects of a joined timeline.
    pub(crate) fn note_states(&mut self, host: ObjectId, state: impl Fn(ObjectId) -> Snapshot) -> Span {
        let members = self.objects[host].members.iter();
        Span::appended(&mut self.states, members.map(|&o| (o, state(o))))
    }

    /// Stores the ports that a receive is open for.
    pub(crate) fn push_ports(&mut self, ports: &[ObjectId]) -> Span {
        Span::appended(&mut self.ports_open, ports.iter().copied())
    }

    /// Stores the steps that a turn can be.
    pub(crate) fn push_steps(&mut self, steps: &[u32]) -> Span {
        Span::appended(&mut self.steps, steps.iter().copied())
    }

    /// Stores the state in which a poll has found its object, or in which an update may fail spuriously.
    pub(crate) fn push_seen(&mut self, state: Snapshot) -> Span {
        Span::appended(&mut self.seen, [state])
    }

    /// Stores the state of an object just before a completion.
    #[inline]
    pub(crate) fn push_snapshot(&mut self, snapshot: Snapshot) -> SnapshotId {
        self.snapshots.push(snapshot)
    }

    /// The state of an object among those of a timeline.
    pub(crate) fn state_of(states: &[(ObjectId, Snapshot)], object: ObjectId) -> Option<Snapshot> {
        states.iter().find(|(it, _)| *it == object).map(|(_, state)| *state)
    }

    /// The state of the object of a completion, just before it.
    ///
    /// # Panics
    /// If the event is no completion.
    #[inline]
    pub fn state_before(&self, completion: &Event) -> Snapshot {
        self.snapshots[completion.snapshot.expect("a completion records the state before it")]
    }

    /// The state in which a failed completion has left its object: unchanged, unless a reader has met a waiting writer.
    pub(crate) fn state_found(&self, completion: &Event) -> Snapshot {
        let state = self.state_before(completion);
        let met_writer = completion.op == Op::FailedRead && completion.partners.len > 1;
        if met_writer { state.behind_writer() } else { state }
    }

    /// The state of an object just before a completion on its timeline, if it was there.
    pub(crate) fn state_at(&self, completion: &Event, object: ObjectId) -> Option<Snapshot> {
        match completion.object == Some(object) {
            true => Some(self.state_before(completion)),
            false => RecordedRun::state_of(self.states(completion.list), object),
        }
    }

    /// Whether there was nothing to take from an object just before a completion on its timeline.
    pub fn was_empty_at(&self, completion: &Event, object: ObjectId) -> bool {
        self.state_at(completion, object).is_none_or(Snapshot::is_empty)
    }

    pub(crate) fn push_list(&mut self, items: &[EventId]) -> Span {
        Span::appended(&mut self.lists, items.iter().copied())
    }

    /// Whether `a` happens before one of `events`, or is one of them. For use while a program runs; the analysis afterwards
    /// uses `insyn_explorer::exploration::past`.
    pub fn is_up_to(&self, a: EventId, events: [Option<EventId>; 2], past: Past) -> bool {
        let process = self.at(a).process;
        let mut later = events.into_iter().flatten().filter(|&b| b >= a);
        // Most questions are about an earlier event of the same process.
        later.any(|b| self.at(b).process == process) || self.walk_back(events, a, past, |event| event == a)
    }

    /// The earliest of `events` that happens before `b`.
    pub fn first_before(&self, b: EventId, events: &[EventId], past: Past) -> Option<EventId> {
        let earliest = events.iter().copied().min().filter(|&earliest| earliest < b)?;
        let mut first = None;
        self.walk_back([Some(b), None], earliest, past, |event| {
            if event != b && events.contains(&event) {
                first = Some(event);
            }
            false
        });
        first
    }

    /// Visits some events and all that happens before them, the latest first, but none before `earliest`, until
    /// `is_wanted` returns true. Returns whether it did.
    fn walk_back(
        &self,
        events: [Option<EventId>; 2],
        earliest: EventId,
        past: Past,
        mut is_wanted: impl FnMut(EventId) -> bool,
    ) -> bool {
        let skips = past == Past::WithoutTurns && self.has_turns;
        let mut ahead = self.ahead.borrow_mut();
        // Only the part from the earliest event on is needed.
        let first = earliest.place() / 64;
        let note = |ahead: &mut [u64], event: EventId| {
            let event = if skips { self.without_turns(event) } else { Some(event) };
            if let Some(event) = event.filter(|&it| it >= earliest) {
                ahead[event.place() / 64 - first] |= 1 << (event.place() % 64);
            }
        };
        let latest = events.into_iter().flatten().max().map_or(0, EventId::place);
        ahead.clear();
        ahead.resize((latest / 64 + 1).saturating_sub(first), 0);
        events.into_iter().flatten().for_each(|event| note(&mut ahead, event));
        for word in (0..ahead.len()).rev() {
            while let Some(bit) = ahead[word].checked_ilog2() {
                ahead[word] &= !(1 << bit);
                let Some(i) = EventId::at((first + word) * 64 + bit as usize) else { continue };
                if is_wanted(i) {
                    return true;
                }
                let event = self.at(i);
                for p in self.own(event).chain(self.partners(event).iter().copied()) {
                    note(&mut ahead, p);
                }
            }
        }
        false
    }

    /// The event that takes the place of another once the turns are removed: the last before them.
    pub fn without_turns(&self, event: EventId) -> Option<EventId> {
        let mut at = Some(event);
        while let Some(i) = at {
            let event = self.at(i);
            if !event.op.is_turn() {
                return Some(i);
            }
            at = if event.pick == Pick::No { event.prev } else { event.partner };
        }
        None
    }
}
