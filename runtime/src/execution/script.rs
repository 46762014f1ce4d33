//! A variant in the form that the next execution follows: the run it comes from, how much of it is kept, and what is
//! changed.
//!
//! The kept events of a variant are closed under happens-before, so per process they are a prefix, and at most one
//! event of a process, the one after that prefix, can be renewed. The run itself is lent by the table it belongs to
//! ([`Script::past`]), so that making a variant copies nothing.

use super::event::{Event, Flags, Ix, NONE, Op, Pick, Run, Span};
use super::process::{Path, Processes};
use super::{NOWHERE, Place, same_place};

/// What the next execution must do before it may choose freely.
#[derive(Default, Debug)]
pub(crate) struct Script {
    /// The run that the variant comes from.
    pub(crate) past: Recorded,
    /// By process: how much of it is kept.
    chains: Vec<Chain>,
    /// By event of the past run: it may never change again.
    black: Vec<bool>,
    /// Events that take other mates than they did, and which: a part of `mates`, empty for NOTHING.
    changes: Vec<(Ix, Span)>,
    /// New mates of changed events, as events of the past run.
    mates: Vec<Ix>,
    /// How many events are kept.
    pub(crate) kept: u32,
    /// Some process has a renewed event.
    pub(crate) renews: bool,
    /// It was not made by the exploration, so what it says may be impossible.
    pub(crate) doubtful: bool,
}

/// A run together with its events by process.
#[derive(Default, Debug)]
pub(crate) struct Recorded {
    pub(crate) run: Run,
    pub(crate) chains: Vec<Vec<Ix>>,
}

/// The part of a script that concerns one process.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Chain {
    /// How many of its events are kept.
    pub(crate) kept: u32,
    /// The event after the kept ones comes up again and must take a partner that is not old.
    pub(crate) renewed: bool,
    /// The last kept event has just had its pick changed: what it does is new.
    pub(crate) changed: bool,
}

/// Names an event across executions: the process and the place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) chain: u32,
    pub(crate) index: u32,
}

impl Script {
    /// Starts a script about a past run of so many events; nothing is kept yet.
    pub(crate) fn start(&mut self, processes: usize, events: usize) {
        self.chains.clear();
        self.chains.resize(processes, Chain::default());
        self.black.clear();
        self.black.resize(events, false);
        self.changes.clear();
        self.mates.clear();
        self.kept = 0;
        self.renews = false;
        self.doubtful = false;
    }

    /// Keeps the next event of a process as it was.
    #[inline]
    pub(crate) fn keep(&mut self, chain: u32, event: usize, black: bool) {
        self.kept += 1;
        self.chains[chain as usize].kept += 1;
        self.black[event] = black;
    }

    /// Keeps the next event of a process with other mates.
    pub(crate) fn change(&mut self, chain: u32, event: usize, mates: &[Ix]) {
        self.keep(chain, event, true);
        self.chains[chain as usize].changed = true;
        let start = self.mates.len() as u32;
        self.mates.extend_from_slice(mates);
        self.changes.push((event as Ix, Span { start, len: mates.len() as u32 }));
    }

    /// The event after the kept ones of a process must take a new partner.
    pub(crate) fn renew(&mut self, chain: u32) {
        self.renews = true;
        self.chains[chain as usize].renewed = true;
    }

    #[inline]
    pub(crate) fn chain(&self, chain: u32) -> Chain {
        self.chains.get(chain as usize).copied().unwrap_or_default()
    }

    /// The past event that the event of this name repeats.
    #[inline]
    pub(crate) fn event(&self, chain: u32, index: u32) -> Ix {
        self.past.chains[chain as usize][index as usize]
    }

    #[inline]
    pub(crate) fn is_black(&self, past: Ix) -> bool {
        self.black[past as usize]
    }

    /// What a kept event takes, as events of the past run; none for NOTHING, or if it is no receiving event.
    #[inline]
    pub(crate) fn takes(&self, past: Ix) -> &[Ix] {
        match self.change_of(past) {
            None => self.past.run.mates(self.past.run.at(past)),
            Some(span) => &self.mates[span.start as usize..(span.start + span.len) as usize],
        }
    }

    /// A change is always the last kept event of its process, so most events need no search.
    #[inline]
    fn change_of(&self, past: Ix) -> Option<Span> {
        let event = self.past.run.at(past);
        let chain = self.chains[event.chain as usize];
        if !chain.changed || event.index + 1 != chain.kept {
            return None;
        }
        self.changes.iter().find(|(e, _)| *e == past).map(|(_, span)| *span)
    }

    #[inline]
    pub(crate) fn name(&self, past: Ix) -> Name {
        let event = &self.past.run.events[past as usize];
        Name { chain: event.chain, index: event.index }
    }

    /// Whether an operation at this place is what the script has there. A completion is called after its call, so when
    /// it is changed it may become another; and of a sequence from a file the places are not known.
    #[inline]
    pub(crate) fn is_followed_by(&self, past: Ix, op: Op, place: Place) -> bool {
        let event = self.past.run.at(past);
        event.op == op && std::ptr::eq(event.location, place) || self.is_followed_loosely(past, op, place)
    }

    #[cold]
    fn is_followed_loosely(&self, past: Ix, op: Op, place: Place) -> bool {
        let event = self.past.run.at(past);
        // A select over entries and channels may change from one to the other.
        let is_receive = |op| matches!(op, Op::Receive | Op::Accept);
        let same_op = event.op == op || is_receive(event.op) && is_receive(op);
        let is_completion =
            event.pick != Pick::No && !is_receive(event.op) && !matches!(event.op, Op::Send | Op::Call);
        is_completion && self.change_of(past).is_some()
            || same_op && (std::ptr::eq(event.location, NOWHERE) || same_place(event.location, place))
    }

    /// The script as another worker, which has numbered its processes differently, can read it.
    pub(crate) fn export(&self, processes: &Processes) -> Portable {
        let mut place = vec![NONE; self.past.run.events.len()];
        let mut kept: Vec<Ix> = Vec::with_capacity(self.kept as usize);
        for (i, event) in self.past.run.events.iter().enumerate() {
            if event.index < self.chain(event.chain).kept {
                place[i] = kept.len() as u32;
                kept.push(i as Ix);
            }
        }
        let events = kept
            .iter()
            .map(|&i| {
                let event = &self.past.run.events[i as usize];
                let mates: Vec<u32> = self.takes(i).iter().map(|&m| place[m as usize]).collect();
                let pick = match event.pick {
                    Pick::No => Pick::No,
                    _ if mates.is_empty() => Pick::Nothing,
                    _ => Pick::Mates,
                };
                PortableEvent {
                    chain: event.chain,
                    op: event.op,
                    pick,
                    mates,
                    black: self.is_black(i),
                    changed: self.change_of(i).is_some(),
                    location: event.location,
                }
            })
            .collect();
        let renewed = (0..self.chains.len() as u32).filter(|&c| self.chain(c).renewed);
        Portable {
            events,
            renewed: renewed.map(|c| processes.path(c)).collect(),
            paths: (0..processes.len() as u32).map(|c| processes.path(c)).collect(),
        }
    }

    /// The reverse of [`export`](Self::export).
    pub(crate) fn import(&mut self, portable: Portable, processes: &mut Processes) {
        let chains: Vec<u32> = portable.paths.iter().map(|path| processes.find(path)).collect();
        self.past.clear(processes.len());
        for e in &portable.events {
            self.past.push(chains[e.chain as usize], e.op, e.pick, &e.mates, e.location);
        }
        self.start(processes.len(), portable.events.len());
        for (i, e) in portable.events.iter().enumerate() {
            let chain = chains[e.chain as usize];
            if e.changed {
                self.change(chain, i, &e.mates);
            } else {
                self.keep(chain, i, e.black);
            }
        }
        for path in &portable.renewed {
            self.renew(processes.find(path));
        }
    }
}

impl Recorded {
    pub(crate) fn clear(&mut self, processes: usize) {
        self.run.clear();
        for chain in &mut self.chains {
            chain.clear();
        }
        if self.chains.len() < processes {
            self.chains.resize_with(processes, Vec::new);
        }
    }

    /// Adds an event of which only what a script needs is known.
    pub(crate) fn push(&mut self, chain: u32, op: Op, pick: Pick, mates: &[Ix], location: Place) {
        let (mate, mates) = self.run.push_mates(mates);
        let index = self.chains[chain as usize].len() as u32;
        self.chains[chain as usize].push(self.run.events.len() as Ix);
        self.run.events.push(Event {
            chain,
            index,
            op,
            pick,
            flags: Flags::default(),
            thread: NONE,
            object: NONE,
            prev: NONE,
            also: NONE,
            mate,
            mates,
            list: Span::default(),
            state: 0,
            location,
        });
    }
}

/// A script with processes named by their way from `main`.
#[derive(Debug)]
pub(crate) struct Portable {
    paths: Vec<Path>,
    events: Vec<PortableEvent>,
    renewed: Vec<Path>,
}

/// A kept event; its process is an index into [`Portable::paths`], its mates are indices of kept events.
#[derive(Debug)]
struct PortableEvent {
    chain: u32,
    op: Op,
    pick: Pick,
    mates: Vec<u32>,
    black: bool,
    changed: bool,
    location: Place,
}
