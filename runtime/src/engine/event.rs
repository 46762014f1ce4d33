//! Events as they are recorded while a program runs: flat, copyable, and numbered in the order they happened.
//!
//! The order of recording is a topological order of happens-before: whatever comes before an event has a smaller
//! number. The analysis in [`crate::exploration`] leans on that.

use std::cell::RefCell;
use std::panic::Location;

pub(crate) use insyn_specs::{Kind, Op};

use super::NOWHERE;
use super::ids::{EventId, Id as _, ObjectId, ProcessId, ThreadId, Values};
use super::process::MAIN;

/// What a receiving event took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// Not a receiving event.
    No,
    /// A receiving event that took NOTHING.
    Nothing,
    /// A receiving event that took its partners ([`Run::partners`]).
    Partners,
}

/// One recorded event. Its *own* predecessors (`prev`, `also`, and the drops behind a disconnect) made it come up;
/// its partners are what it picked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    /// The process (interned, see [`crate::engine::process`]) it belongs to.
    pub(crate) process: ProcessId,
    /// Its place in that process.
    pub(crate) index: u32,
    pub(crate) op: Op,
    pub(crate) pick: Pick,
    pub(crate) flags: Flags,
    /// The thread that performed it; on a completion, the thread whose call was completed.
    pub(crate) thread: Option<ThreadId>,
    /// The object it happened on.
    pub(crate) object: Option<ObjectId>,
    pub(crate) prev: Option<EventId>,
    pub(crate) also: Option<EventId>,
    /// Its partner, if it has one; more than one are in the list [`Event::partners`].
    pub(crate) partner: Option<EventId>,
    pub(crate) partners: Span,
    /// On a receive: the ports it was open for ([`Run::ports`]). On a joined timeline: the states of all objects
    /// ([`Run::states`]). On a disconnect or hang-up: the drops before it; on a completion of a condition variable: the
    /// waiters; on an expire: the wait ([`Run::list`]). On a turn: the steps that it can be ([`Run::steps`]). On a call that
    /// polls again: the state it was in ([`Run::seen`]).
    pub(crate) list: Span,
    /// On a completion: the state of the object just before it. On a send or a call: what took it ([`Event::taken_by`]).
    pub(crate) state: u64,
    pub(crate) location: &'static Location<'static>,
}

impl Event {
    /// What fills the place of a table that no event has.
    const UNUSED: Event = Event {
        process: MAIN,
        index: 0,
        op: Op::Label,
        pick: Pick::No,
        flags: Flags::NO,
        thread: None,
        object: None,
        prev: None,
        also: None,
        partner: None,
        partners: Span { start: 0, len: 0 },
        list: Span { start: 0, len: 0 },
        state: Event::UNTAKEN,
        location: NOWHERE,
    };

    /// What a send or a call starts with: nothing has taken it.
    pub(crate) const UNTAKEN: u64 = 0;

    /// The object of a call, of a completion, or of whatever else is always about one.
    #[inline]
    pub(crate) fn on(&self) -> ObjectId {
        self.object.expect("the event is about an object")
    }

    /// The thread of a send, a call, or whatever else a thread always does.
    #[inline]
    pub(crate) fn by(&self) -> ThreadId {
        self.thread.expect("a thread has done it")
    }

    /// The receiving event that took this send or call.
    #[inline]
    pub(crate) fn taken_by(&self) -> Option<EventId> {
        EventId::at(self.state as usize)
    }

    /// Notes the receiving event that took this send or call, or because of which it is open no more.
    #[inline]
    pub(crate) fn take(&mut self, by: EventId) {
        self.state = u64::from(by.number());
    }

    /// Whether this send or call was taken by this event or an earlier one.
    #[inline]
    pub(crate) fn is_taken_by(&self, i: EventId) -> bool {
        self.taken_by().is_some_and(|it| it <= i)
    }

    /// Whether this send or call was taken before this event.
    #[inline]
    pub(crate) fn is_taken_before(&self, i: EventId) -> bool {
        self.taken_by().is_some_and(|it| it < i)
    }
}

/// A part of one of the lists of a [`Run`]; which one, the event that has it tells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) len: u32,
}

impl Span {
    /// The part of a list.
    #[inline]
    fn of<T>(self, list: &[T]) -> &[T] {
        &list[self.start as usize..(self.start + self.len) as usize]
    }

    /// Appends to a list; the part that is new.
    #[inline]
    fn appended<T>(list: &mut Vec<T>, items: impl IntoIterator<Item = T>) -> Span {
        let start = list.len() as u32;
        list.extend(items);
        Span { start, len: list.len() as u32 - start }
    }
}

/// Facts about an event that are settled when it is recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flags(u16);

impl Flags {
    pub(crate) const NO: Flags = Flags(0);
    /// The pick may never change again.
    pub(crate) const BLACK: Flags = Flags(1);
    /// As a receiving event: kept or renewed in the variant that led to this run.
    pub(crate) const OLD: Flags = Flags(2);
    /// As a partner: was there in the parent's run too. A kept event whose pick was just changed is not, since
    /// what it does after the pick is new.
    pub(crate) const OLD_EFFECT: Flags = Flags(4);
    /// A receiving event that may also take NOTHING.
    pub(crate) const MAY_FAIL: Flags = Flags(8);
    /// A receive that any one disconnect can end, not only that of all open ports.
    pub(crate) const ANY_CLOSED: Flags = Flags(16);
    /// An offer of a select that does not wait.
    pub(crate) const HASTY: Flags = Flags(32);
    /// A completion that wrote a new version of a variable.
    pub(crate) const WRITES: Flags = Flags(64);
    /// An offer of a select that prefers earlier offers.
    pub(crate) const BIASED: Flags = Flags(128);
    /// A poll that follows one that found the same thing: it waits until that has changed.
    pub(crate) const FRESH: Flags = Flags(256);
    /// Waits for something to be done, whoever panics before that.
    pub(crate) const FORGIVING: Flags = Flags(512);

    pub(crate) fn has(self, other: Flags) -> bool {
        self.0 & other.0 != 0
    }
}

impl std::ops::BitAnd for Flags {
    type Output = Flags;
    #[inline]
    fn bitand(self, other: Flags) -> Flags {
        Flags(self.0 & other.0)
    }
}

impl std::ops::BitOr for Flags {
    type Output = Flags;
    #[inline]
    fn bitor(self, other: Flags) -> Flags {
        Flags(self.0 | other.0)
    }
}

/// What one execution recorded.
#[derive(Clone, Debug)]
pub(crate) struct Run {
    pub(crate) events: Values<EventId, Event>,
    /// Events that other events are about.
    lists: Vec<EventId>,
    /// The ports that receives were open for.
    ports: Vec<ObjectId>,
    /// The states of objects on joined timelines.
    states: Vec<(ObjectId, u64)>,
    /// The steps of a forced sequence that turns can be.
    steps: Vec<u32>,
    /// The states in which polls have found what they look at.
    seen: Vec<u64>,
    /// The receiving events that are not black, in order.
    pub(crate) open: Vec<EventId>,
    /// Receiving events that were to take a new partner and found none: the process and the place in it, and the own
    /// predecessors that the event would have had.
    pub(crate) unresolved: Vec<Unresolved>,
    /// Memory for [`Run::walk_back`]: the events that are still to be met.
    ahead: RefCell<Vec<u64>>,
    /// Some events are turns, which the program itself knows nothing of.
    pub(crate) has_turns: bool,
    /// By object: its process, which names it in other runs too.
    pub(crate) objects: Values<ObjectId, ProcessId>,
}

/// Which past of an event is asked about, in a program that is forced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Past {
    /// What happens before it, the turns of threads included.
    WithTurns,
    /// What happens before it by what the program itself does.
    WithoutTurns,
}

/// See [`Run::unresolved`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Unresolved {
    pub(crate) process: ProcessId,
    pub(crate) index: u32,
    pub(crate) prev: Option<EventId>,
    pub(crate) also: Option<EventId>,
}

impl Default for Run {
    fn default() -> Self {
        Run {
            events: Values::with(Event::UNUSED),
            lists: Vec::new(),
            ports: Vec::new(),
            states: Vec::new(),
            steps: Vec::new(),
            seen: Vec::new(),
            open: Vec::new(),
            unresolved: Vec::new(),
            ahead: RefCell::default(),
            has_turns: false,
            objects: Values::with(MAIN),
        }
    }
}

impl Run {
    pub(crate) fn clear(&mut self) {
        self.events.clear();
        self.lists.clear();
        self.ports.clear();
        self.states.clear();
        self.steps.clear();
        self.seen.clear();
        self.open.clear();
        self.unresolved.clear();
        self.has_turns = false;
        self.objects.clear();
    }

    /// Lets all receiving events change, black ones too.
    pub(crate) fn reopen(&mut self) {
        let receiving = self.events.pairs().filter(|(_, event)| event.pick != Pick::No);
        self.open.clear();
        self.open.extend(receiving.map(|(i, _)| i));
    }

    /// The process of the object that an event is about, if it is about one.
    #[inline]
    pub(crate) fn subject(&self, event: &Event) -> Option<ProcessId> {
        event.object.map(|object| self.objects[object])
    }

    #[inline]
    pub(crate) fn list(&self, span: Span) -> &[EventId] {
        span.of(&self.lists)
    }

    /// The ports that a receive was open for, if there were several.
    #[inline]
    pub(crate) fn ports(&self, span: Span) -> &[ObjectId] {
        span.of(&self.ports)
    }

    /// The states of the objects on a joined timeline.
    #[inline]
    pub(crate) fn states(&self, span: Span) -> &[(ObjectId, u64)] {
        span.of(&self.states)
    }

    /// The steps that a turn can be.
    pub(crate) fn steps(&self, span: Span) -> &[u32] {
        span.of(&self.steps)
    }

    /// The state in which a poll has found what it looks at.
    pub(crate) fn seen(&self, span: Span) -> Option<u64> {
        span.of(&self.seen).first().copied()
    }

    /// What a receiving event took.
    #[inline]
    pub(crate) fn partners<'a>(&'a self, event: &'a Event) -> &'a [EventId] {
        match event.partners.len {
            0 => &[],
            1 => event.partner.as_slice(),
            _ => self.list(event.partners),
        }
    }

    /// Whether these are a put and a take that meet, and are completed together.
    pub(crate) fn is_pair(&self, partners: &[EventId]) -> bool {
        let &[first, second] = partners else { return false };
        let puts = matches!(self.at(first).op, Op::Put | Op::TryPut | Op::PutTimeout | Op::OfferPut);
        puts && matches!(self.at(second).op, Op::Take | Op::TryTake | Op::TakeTimeout | Op::OfferTake)
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
    pub(crate) fn at(&self, i: EventId) -> &Event {
        &self.events[i]
    }

    /// The own predecessors of an event, without its partners.
    #[inline]
    pub(crate) fn own(&self, event: &Event) -> impl Iterator<Item = EventId> + '_ {
        let drops = self.drops(event);
        event.prev.into_iter().chain(event.also).chain(drops.iter().copied())
    }

    /// The drops that a disconnect or a hang-up comes after.
    #[inline]
    pub(crate) fn drops(&self, event: &Event) -> &[EventId] {
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
    pub(crate) fn push_states(&mut self, states: impl Iterator<Item = (ObjectId, u64)>) -> Span {
        Span::appended(&mut self.states, states)
    }

    /// Stores the ports that a receive is open for.
    pub(crate) fn push_ports(&mut self, ports: &[ObjectId]) -> Span {
        Span::appended(&mut self.ports, ports.iter().copied())
    }

    /// Stores the steps that a turn can be.
    pub(crate) fn push_steps(&mut self, steps: &[u32]) -> Span {
        Span::appended(&mut self.steps, steps.iter().copied())
    }

    /// Stores the state in which a poll has found what it looks at.
    pub(crate) fn push_seen(&mut self, state: u64) -> Span {
        Span::appended(&mut self.seen, [state])
    }

    /// The state of an object among those of a timeline.
    pub(crate) fn state_of(states: &[(ObjectId, u64)], object: ObjectId) -> Option<u64> {
        states.iter().find(|(it, _)| *it == object).map(|(_, state)| *state)
    }

    /// The state of an object just before a completion on its timeline.
    pub(crate) fn state_at(&self, completion: &Event, object: ObjectId) -> u64 {
        match completion.object == Some(object) {
            true => completion.state,
            false => Run::state_of(self.states(completion.list), object).unwrap_or(0),
        }
    }

    pub(crate) fn push_list(&mut self, items: &[EventId]) -> Span {
        Span::appended(&mut self.lists, items.iter().copied())
    }

    /// Whether `a` happens before one of `events`, or is one of them. For questions while a program runs; the analysis
    /// afterwards has [`crate::exploration::past`].
    pub(crate) fn is_up_to(&self, a: EventId, events: [Option<EventId>; 2], past: Past) -> bool {
        let process = self.at(a).process;
        let mut later = events.into_iter().flatten().filter(|&b| b >= a);
        // Most questions are about an earlier event of the same process.
        later.any(|b| self.at(b).process == process) || self.walk_back(events, a, past, |event| event == a)
    }

    /// The earliest of `events` that happens before `b`.
    pub(crate) fn first_before(&self, b: EventId, events: &[EventId], past: Past) -> Option<EventId> {
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

    /// Visits some events and all that happens before them, the latest first, but none before `earliest`, until one is what
    /// is wanted. Output: whether one was.
    fn walk_back(
        &self,
        events: [Option<EventId>; 2],
        earliest: EventId,
        past: Past,
        mut is_wanted: impl FnMut(EventId) -> bool,
    ) -> bool {
        let skips = past == Past::WithoutTurns && self.has_turns;
        let mut ahead = self.ahead.borrow_mut();
        let note = |ahead: &mut [u64], event: EventId| {
            let event = if skips { self.without_turns(event) } else { Some(event) };
            if let Some(event) = event.filter(|&it| it >= earliest) {
                ahead[event.place() / 64] |= 1 << (event.place() % 64);
            }
        };
        ahead.clear();
        ahead.resize((self.events.len() + 1).div_ceil(64), 0);
        events.into_iter().flatten().for_each(|event| note(&mut ahead, event));
        for word in (earliest.place() / 64..ahead.len()).rev() {
            while let Some(bit) = ahead[word].checked_ilog2() {
                ahead[word] &= !(1 << bit);
                let Some(i) = EventId::at(word * 64 + bit as usize) else { continue };
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

    /// The event that stands for one once the turns are taken away: the last before them.
    pub(crate) fn without_turns(&self, event: EventId) -> Option<EventId> {
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
