//! Events as they are recorded while a program runs: flat, copyable, and numbered in the order they happened.
//!
//! The order of recording is a topological order of happens-before: whatever comes before an event has a smaller
//! number. The analysis in [`crate::exploration`] leans on that.

use std::cell::RefCell;
use std::panic::Location;

pub(crate) use insyn_specs::{Kind, Op};

/// Number of an event in its run.
pub(crate) type Ix = u32;

/// No event, no thread, no object.
pub(crate) const NONE: u32 = u32::MAX;

/// What a receiving event took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Pick {
    /// Not a receiving event.
    No,
    /// A receiving event that took NOTHING.
    Nothing,
    /// A receiving event that took its mates ([`Run::mates`]).
    Mates,
}

/// One recorded event. Its *own* predecessors (`prev`, `also`, and the drops behind a disconnect) made it come up;
/// its mates are what it picked.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Event {
    /// The process (interned, see [`crate::execution::process`]) it belongs to.
    pub(crate) chain: u32,
    /// Its place in that process.
    pub(crate) index: u32,
    pub(crate) op: Op,
    pub(crate) pick: Pick,
    pub(crate) flags: Flags,
    /// The thread that performed it; on a completion, the thread whose call was completed.
    pub(crate) thread: u32,
    /// The object it happened on, by its number in this run.
    pub(crate) object: u32,
    pub(crate) prev: Ix,
    pub(crate) also: Ix,
    /// Its mate, if it has one; more than one are in the list [`Event::mates`].
    pub(crate) mate: Ix,
    pub(crate) mates: Span,
    /// On a receive: the open list. On a disconnect or hang-up: the drops before it. On a completion of a condition
    /// variable: the waiters; on a joined timeline: the states of all objects ([`Run::push_states`]). On an expire: the
    /// wait. On a call that polls again: the state it was in, in two halves.
    pub(crate) list: Span,
    /// On a completion: the state of the object just before it. On a send or a call: what took it ([`Event::taken_by`]).
    pub(crate) state: u64,
    pub(crate) location: &'static Location<'static>,
}

impl Event {
    /// What a send or a call starts with: nothing has taken it.
    pub(crate) const UNTAKEN: u64 = NONE as u64;

    /// The receiving event that took this send or call; later than any if none did.
    #[inline]
    pub(crate) fn taken_by(&self) -> Ix {
        self.state as Ix
    }
}

/// A part of [`Run::lists`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Span {
    pub(crate) start: u32,
    pub(crate) len: u32,
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
#[derive(Default, Debug)]
pub(crate) struct Run {
    pub(crate) events: Vec<Event>,
    /// Backing store of every [`Span`].
    pub(crate) lists: Vec<u32>,
    /// The receiving events that are not black, in order.
    pub(crate) open: Vec<Ix>,
    /// Receiving events that were to take a new partner and found none: the process and the place in it, and the own
    /// predecessors that the event would have had.
    pub(crate) unresolved: Vec<Unresolved>,
    /// Memory for [`Run::walk_back`]: the events that are still to be met.
    ahead: RefCell<Vec<u64>>,
    /// Some events are turns, which the program itself knows nothing of.
    pub(crate) has_turns: bool,
    /// By object: its process, which names it in other runs too.
    pub(crate) objects: Vec<u32>,
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
    pub(crate) chain: u32,
    pub(crate) index: u32,
    pub(crate) prev: Ix,
    pub(crate) also: Ix,
}

impl Run {
    pub(crate) fn clear(&mut self) {
        self.events.clear();
        self.lists.clear();
        self.open.clear();
        self.unresolved.clear();
        self.has_turns = false;
        self.objects.clear();
    }

    /// Lets all receiving events change, black ones too.
    pub(crate) fn reopen(&mut self) {
        let receiving = (0..).zip(&self.events).filter(|(_, event)| event.pick != Pick::No);
        self.open.clear();
        self.open.extend(receiving.map(|(i, _)| i));
    }

    /// The process of the object that an event is about, if it is about one.
    #[inline]
    pub(crate) fn subject(&self, event: &Event) -> u32 {
        if event.object == NONE { NONE } else { self.objects[event.object as usize] }
    }

    #[inline]
    pub(crate) fn list(&self, span: Span) -> &[u32] {
        &self.lists[span.start as usize..(span.start + span.len) as usize]
    }

    /// What a receiving event took.
    #[inline]
    pub(crate) fn mates<'a>(&'a self, event: &'a Event) -> &'a [Ix] {
        match event.mates.len {
            0 => &[],
            1 => std::slice::from_ref(&event.mate),
            _ => self.list(event.mates),
        }
    }

    /// Whether these are a put and a take that meet, and are completed together.
    pub(crate) fn is_pair(&self, mates: &[Ix]) -> bool {
        let &[first, second] = mates else { return false };
        let puts = matches!(self.at(first).op, Op::Put | Op::TryPut | Op::PutTimeout | Op::OfferPut);
        puts && matches!(self.at(second).op, Op::Take | Op::TryTake | Op::TakeTimeout | Op::OfferTake)
    }

    /// Stores mates for an event: the first, and the list if there are more.
    #[inline]
    pub(crate) fn push_mates(&mut self, mates: &[Ix]) -> (Ix, Span) {
        match mates {
            [] => (NONE, Span::default()),
            [one] => (*one, Span { start: 0, len: 1 }),
            more => (more[0], self.push_list(more)),
        }
    }

    #[inline]
    pub(crate) fn at(&self, i: Ix) -> &Event {
        &self.events[i as usize]
    }

    /// The own predecessors of an event, without its mates.
    #[inline]
    pub(crate) fn own(&self, event: &Event) -> impl Iterator<Item = Ix> + '_ {
        let drops = self.drops(event);
        [event.prev, event.also].into_iter().filter(|&p| p != NONE).chain(drops.iter().copied())
    }

    /// The drops that a disconnect or a hang-up comes after.
    #[inline]
    pub(crate) fn drops(&self, event: &Event) -> &[Ix] {
        match event.op {
            // Most events have no list at all.
            _ if event.list.len == 0 => &[],
            Op::Disconnect => self.list(event.list),
            // Its completion on a timeline has the same name, and takes it.
            Op::HangUp if event.pick == Pick::No => self.list(event.list),
            _ => &[],
        }
    }

    /// Stores the states of the objects of a joined timeline: for each its number and its state in two halves.
    pub(crate) fn push_states(&mut self, states: impl Iterator<Item = (u32, u64)>) -> Span {
        let start = self.lists.len() as u32;
        for (object, state) in states {
            self.lists.extend([object, state as u32, (state >> 32) as u32]);
        }
        Span { start, len: self.lists.len() as u32 - start }
    }

    /// The state of an object among those that [`push_states`](Self::push_states) has stored.
    pub(crate) fn state_of(states: &[u32], object: u32) -> Option<u64> {
        let found = states.chunks_exact(3).find(|s| s[0] == object)?;
        Some(u64::from(found[1]) | u64::from(found[2]) << 32)
    }

    /// The state of an object just before a completion on its timeline.
    pub(crate) fn state_at(&self, completion: &Event, object: u32) -> u64 {
        match completion.object == object {
            true => completion.state,
            false => Run::state_of(self.list(completion.list), object).unwrap_or(0),
        }
    }

    pub(crate) fn push_list(&mut self, items: &[u32]) -> Span {
        let start = self.lists.len() as u32;
        self.lists.extend_from_slice(items);
        Span { start, len: items.len() as u32 }
    }

    /// Whether `a` happens before one of `events`, or is one of them. For questions while a program runs; the analysis
    /// afterwards has [`crate::exploration::past`].
    pub(crate) fn is_up_to(&self, a: Ix, events: [Ix; 2], past: Past) -> bool {
        let chain = self.at(a).chain;
        let mut later = events.into_iter().filter(|&b| b != NONE && b >= a);
        // Most questions are about an earlier event of the same process.
        later.any(|b| self.at(b).chain == chain) || self.walk_back(events, a, past, |event| event == a)
    }

    /// The earliest of `events` that happens before `b`.
    pub(crate) fn first_before(&self, b: Ix, events: &[Ix], past: Past) -> Option<Ix> {
        let earliest = events.iter().copied().min().filter(|&earliest| earliest < b)?;
        let mut first = None;
        self.walk_back([b, NONE], earliest, past, |event| {
            if event != b && events.contains(&event) {
                first = Some(event);
            }
            false
        });
        first
    }

    /// Meets some events and all that happens before them, the latest first, but none before `earliest`, until one is what
    /// is wanted. Output: whether one was.
    fn walk_back(
        &self,
        events: [Ix; 2],
        earliest: Ix,
        past: Past,
        mut is_wanted: impl FnMut(Ix) -> bool,
    ) -> bool {
        let skips = past == Past::WithoutTurns && self.has_turns;
        let mut ahead = self.ahead.borrow_mut();
        let note = |ahead: &mut [u64], event: Ix| {
            let event = if skips { self.without_turns(event).unwrap_or(NONE) } else { event };
            if event != NONE && event >= earliest {
                ahead[event as usize / 64] |= 1 << (event % 64);
            }
        };
        ahead.clear();
        ahead.resize(self.events.len().div_ceil(64), 0);
        events.into_iter().for_each(|event| note(&mut ahead, event));
        for word in (earliest as usize / 64..ahead.len()).rev() {
            while let Some(bit) = ahead[word].checked_ilog2() {
                ahead[word] &= !(1 << bit);
                let i = word as Ix * 64 + bit;
                if is_wanted(i) {
                    return true;
                }
                let event = self.at(i);
                for p in self.own(event).chain(self.mates(event).iter().copied()) {
                    note(&mut ahead, p);
                }
            }
        }
        false
    }

    /// The event that stands for one once the turns are taken away: the last before them.
    pub(crate) fn without_turns(&self, mut i: Ix) -> Option<Ix> {
        while i != NONE {
            let event = self.at(i);
            if !event.op.is_turn() {
                return Some(i);
            }
            i = if event.pick == Pick::No { event.prev } else { event.mate };
        }
        None
    }
}
