//! A variant in the form that the next execution follows: the run it comes from, how much of it is kept, and what is
//! changed.
//!
//! The kept events of a variant are closed under happens-before, so per process they are a prefix, and at most one
//! event of a process, the one after that prefix, can be renewed. The run itself is lent by the table it belongs to
//! ([`Script::past`]), so that making a variant copies nothing.

use super::event::{Event, Flags, Ix, NONE, Op, Pick, Run, Span};
use super::process::{Path, Processes};
use super::{NOWHERE, Place, same_place};
use crate::rules::{Rule, Rules};

/// What the next execution must do before it may choose freely.
#[derive(Default, Debug)]
pub(crate) struct Script {
    /// The run that the variant comes from. Boxed, since it is lent for every run.
    pub(crate) past: Box<Run>,
    /// By process: where it begins.
    begins: Vec<Pace>,
    /// By event of the past run: what becomes of it, if it is kept.
    kept_events: Vec<Kept>,
    /// By process, as far as there are any: the place of the event after the kept ones, if it comes up again and must take
    /// a partner that is not old.
    renewed: Vec<u32>,
    /// Events that take other mates than they did, and which: a part of `mates`, empty for NOTHING.
    changes: Vec<(Ix, Span)>,
    /// New mates of changed events, as events of the past run.
    mates: Vec<Ix>,
    /// Some process has a renewed event.
    pub(crate) renews: bool,
    /// It was not made by the exploration, so what it says may be impossible.
    pub(crate) doubtful: bool,
}

/// A script that keeps a whole run as it was. Every script is made of one, by taking away from it.
#[derive(Default, Debug)]
pub(crate) struct Whole {
    begins: Vec<Pace>,
    kept: Vec<Kept>,
    /// By event: the one before it in its process.
    before: Vec<Ix>,
}

/// How far a process has come.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pace {
    /// How many events it has had.
    pub(crate) len: u32,
    /// The event of the script that its next event must repeat.
    pub(crate) ahead: Ix,
}

impl Pace {
    /// That of a process which no script has anything to say about.
    pub(crate) const FREE: Pace = Pace { len: 0, ahead: NONE };
}

/// The part of a script that concerns one kept event.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    /// The next kept event of the same process.
    pub(crate) next: Ix,
    /// Of the event that repeats it.
    pub(crate) flags: Flags,
    /// Its pick has just been changed: what it does is new. It is the last of its process.
    pub(crate) changed: bool,
}

impl Kept {
    const NOT: Kept = Kept { next: NONE, flags: Flags::NO, changed: false };
}

impl Whole {
    /// Keeps all of a run.
    pub(crate) fn fill(&mut self, run: &Run, processes: usize) {
        self.begins.clear();
        self.begins.resize(processes, Pace::FREE);
        self.kept.resize(run.events.len(), Kept::NOT);
        self.before.resize(run.events.len(), NONE);
        // From the end, so that the first event seen so far of a process is the one that comes next.
        for ((i, event), kept) in run.events.iter().enumerate().zip(&mut self.kept).rev() {
            let first = &mut self.begins[event.chain as usize].ahead;
            let next = std::mem::replace(first, i as Ix);
            let flags = Flags::OLD | Flags::OLD_EFFECT | event.flags & Flags::BLACK;
            *kept = Kept { next, flags, changed: false };
            self.before[i] = NONE;
            if let Some(before) = self.before.get_mut(next as usize) {
                *before = i as Ix;
            }
        }
    }
}

/// Names an event across executions: the process and the place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    pub(crate) chain: u32,
    pub(crate) index: u32,
}

impl Script {
    /// Starts a script that keeps a whole run as it was.
    pub(crate) fn start(&mut self, whole: &Whole) {
        self.begins.clone_from(&whole.begins);
        self.kept_events.clone_from(&whole.kept);
        self.renewed.clear();
        self.changes.clear();
        self.mates.clear();
        self.renews = false;
        self.doubtful = false;
    }

    /// As [`start`](Self::start), for the past run itself.
    pub(crate) fn keep_past(&mut self, processes: usize) {
        let mut whole = Whole::default();
        whole.fill(&self.past, processes);
        self.start(&whole);
    }

    /// Takes an event away. Later ones of the same process must follow it.
    #[inline]
    pub(crate) fn remove(&mut self, whole: &Whole, chain: u32, event: usize) {
        self.kept_events[event] = Kept::NOT;
        match whole.before[event] {
            NONE => self.begins[chain as usize].ahead = NONE,
            before => self.kept_events[before as usize].next = NONE,
        }
    }

    /// Keeps an event for good.
    #[inline]
    pub(crate) fn blacken(&mut self, event: usize) {
        let flags = &mut self.kept_events[event].flags;
        *flags = *flags | Flags::BLACK;
    }

    /// Lets an event that is kept have other mates.
    pub(crate) fn change(&mut self, event: usize, mates: &[Ix]) {
        let kept = &mut self.kept_events[event];
        kept.flags = Flags::OLD | Flags::BLACK;
        kept.changed = true;
        let start = self.mates.len() as u32;
        self.mates.extend_from_slice(mates);
        self.changes.push((event as Ix, Span { start, len: mates.len() as u32 }));
    }

    /// Makes the script as it would be without some rules, of which a test has switched one off: what changed events do
    /// counts as old; others are black only if they were before, or only if they were not.
    #[cold]
    #[inline(never)]
    pub(crate) fn bend(&mut self, rules: Rules) {
        let old = Flags::OLD | Flags::OLD_EFFECT;
        for (kept, event) in self.kept_events.iter_mut().zip(&self.past.events) {
            let rule = if event.flags.has(Flags::BLACK) { Rule::BlackForGood } else { Rule::BlackBefore };
            if kept.changed && !rules.has(Rule::NewEffects) {
                kept.flags = old | Flags::BLACK;
            } else if !kept.changed && kept.flags.has(Flags::BLACK) && !rules.has(rule) {
                kept.flags = old;
            }
        }
    }

    /// The events that take other mates than in the past run, which may have been lent to somebody.
    pub(crate) fn changed<'s>(&'s self, past: &'s Run) -> impl Iterator<Item = Name> + 's {
        self.changes.iter().map(|&(event, _)| {
            let event = past.at(event);
            Name { chain: event.chain, index: event.index }
        })
    }

    /// The first event that takes other mates than in the past run; none is before all others.
    #[inline]
    pub(crate) fn first_change(&self) -> usize {
        self.changes.first().map_or(0, |(event, _)| *event as usize)
    }

    /// The event at this place of a process, after the kept ones, must take a new partner.
    pub(crate) fn renew(&mut self, chain: u32, index: u32) {
        self.renews = true;
        if self.renewed.is_empty() {
            self.renewed.resize(self.begins.len(), NONE);
        }
        self.renewed[chain as usize] = index;
    }

    /// Whether the event at this place of a process renews one.
    #[inline]
    pub(crate) fn is_renewed(&self, chain: u32, index: u32) -> bool {
        self.renews && self.renewed.get(chain as usize) == Some(&index)
    }

    /// Where the processes that the script knows of begin.
    pub(crate) fn paces(&self) -> &[Pace] {
        &self.begins
    }

    #[inline]
    pub(crate) fn kept(&self, past: Ix) -> Kept {
        self.kept_events[past as usize]
    }

    /// The past event that the event of this name repeats.
    pub(crate) fn event(&self, name: Name) -> Ix {
        (0..name.index).fold(self.begins[name.chain as usize].ahead, |event, _| self.kept(event).next)
    }

    /// What a kept event takes, as events of the past run; none for NOTHING, or if it is no receiving event.
    #[inline]
    pub(crate) fn takes(&self, past: Ix) -> &[Ix] {
        if self.kept(past).changed { self.new_mates(past) } else { self.past.mates(self.past.at(past)) }
    }

    #[inline(never)]
    fn new_mates(&self, past: Ix) -> &[Ix] {
        let found = self.changes.iter().find(|(event, _)| *event == past);
        let (_, span) = found.expect("there is a change for each event marked so");
        &self.mates[span.start as usize..(span.start + span.len) as usize]
    }

    #[inline]
    pub(crate) fn name(&self, past: Ix) -> Name {
        let event = &self.past.events[past as usize];
        Name { chain: event.chain, index: event.index }
    }

    /// Whether an event is what the script has there, where objects have the same numbers as in the past run.
    #[inline]
    pub(crate) fn is_followed_by(&self, past: Ix, now: &Event) -> bool {
        let event = self.past.at(past);
        event.op == now.op && event.object == now.object && std::ptr::eq(event.location, now.location)
    }

    /// Whether an event on this object is what the script has there. A completion is called after its call, so when it is
    /// changed it may become another, and a changed receive may be from another port; and of a sequence from a file the
    /// places are not known.
    pub(crate) fn is_followed_loosely(&self, past: Ix, now: &Event, subject: u32) -> bool {
        let event = self.past.at(past);
        // A select over entries and channels may change from one to the other.
        let is_receive = |op| matches!(op, Op::Receive | Op::Accept);
        let changed = self.kept(past).changed;
        let same_op = event.op == now.op || is_receive(event.op) && is_receive(now.op);
        let same_subject = self.past.subject(event) == subject || changed && is_receive(event.op);
        let is_completion =
            event.pick != Pick::No && !is_receive(event.op) && !matches!(event.op, Op::Send | Op::Call);
        let same = |place: Place| std::ptr::eq(place, NOWHERE) || same_place(place, now.location);
        is_completion && changed || same_op && same_subject && same(event.location)
    }

    /// The script as another worker, which has numbered its processes differently, can read it.
    pub(crate) fn export(&self, processes: &Processes) -> Portable {
        let mut place = vec![NONE; self.past.events.len()];
        let mut kept: Vec<Ix> = Vec::new();
        for (i, (place, fate)) in place.iter_mut().zip(&self.kept_events).enumerate() {
            if fate.flags.has(Flags::OLD) {
                *place = kept.len() as u32;
                kept.push(i as Ix);
            }
        }
        let events = kept
            .iter()
            .map(|&i| {
                let event = &self.past.events[i as usize];
                let mates: Vec<u32> = self.takes(i).iter().map(|&m| place[m as usize]).collect();
                let pick = match event.pick {
                    Pick::No => Pick::No,
                    _ if mates.is_empty() => Pick::Nothing,
                    _ => Pick::Mates,
                };
                PortableEvent {
                    name: Name { chain: event.chain, index: event.index },
                    op: event.op,
                    subject: self.past.subject(event),
                    pick,
                    mates,
                    black: self.kept(i).flags.has(Flags::BLACK),
                    changed: self.kept(i).changed,
                    location: event.location,
                }
            })
            .collect();
        let renewed = (0..).zip(&self.renewed).filter(|(_, index)| **index != NONE);
        Portable {
            events,
            renewed: renewed.map(|(chain, index)| (processes.path(chain), *index)).collect(),
            paths: (0..processes.len() as u32).map(|c| processes.path(c)).collect(),
        }
    }

    /// The reverse of [`export`](Self::export).
    pub(crate) fn import(&mut self, portable: Portable, processes: &mut Processes) {
        let chains: Vec<u32> = portable.paths.iter().map(|path| processes.find(path)).collect();
        self.past.clear();
        for e in &portable.events {
            let name = Name { chain: chains[e.name.chain as usize], ..e.name };
            let subject = chains.get(e.subject as usize).copied().unwrap_or(NONE);
            self.add_to_past(name, e.op, subject, e.pick, &e.mates, e.location);
        }
        let renewed: Vec<(u32, u32)> =
            portable.renewed.iter().map(|(path, index)| (processes.find(path), *index)).collect();
        self.keep_past(processes.len());
        for (i, e) in portable.events.iter().enumerate() {
            if e.changed {
                self.change(i, &e.mates);
            } else if e.black {
                self.blacken(i);
            }
        }
        renewed.into_iter().for_each(|(chain, index)| self.renew(chain, index));
    }

    /// Adds an event to the past run of which only what a script needs is known.
    pub(crate) fn add_to_past(
        &mut self,
        name: Name,
        op: Op,
        subject: u32,
        pick: Pick,
        mates: &[Ix],
        location: Place,
    ) {
        let (mate, mates) = self.past.push_mates(mates);
        let object = if subject == NONE { NONE } else { self.past.objects.len() as u32 };
        if object != NONE {
            self.past.objects.push(subject);
        }
        self.past.events.push(Event {
            chain: name.chain,
            index: name.index,
            op,
            pick,
            flags: Flags::default(),
            thread: NONE,
            object,
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
    /// Processes, and the place of the renewed event in each.
    renewed: Vec<(Path, u32)>,
}

/// A kept event; its process and that of its object are indices into [`Portable::paths`], its mates are indices of kept
/// events.
#[derive(Debug)]
struct PortableEvent {
    name: Name,
    op: Op,
    subject: u32,
    pick: Pick,
    mates: Vec<u32>,
    black: bool,
    changed: bool,
    location: Place,
}
