//! A variant in the form that the next execution follows: the run it comes from, how much of it is kept, and what is
//! changed.
//!
//! The kept events of a variant are closed under happens-before, so per process they are a prefix, and at most one
//! event of a process, the one after that prefix, can be renewed. The run itself is shared with the table that it belongs to
//! ([`Script::past`]), so that making a variant copies nothing.

pub(crate) mod playback;
mod renewal;

use std::rc::Rc;

use crate::ids::Id as _;
use crate::ids::{EventId, ProcessId, Values};
use crate::process::{Path, Processes};
use crate::record::event::{Event, Flags, Op, Pick, Span};
use crate::record::run::{RecordedObject, RecordedRun};
use crate::rules::{Rule, Rules};
use crate::{NOWHERE, Place, same_place};

/// What the next execution must do before it may choose freely.
#[derive(Default, Debug)]
pub struct Script {
    /// The run that the variant comes from.
    pub past: Rc<RecordedRun>,
    /// By process: where it begins.
    begins: Values<ProcessId, Pace>,
    /// By event of the past run: what becomes of it, if it is kept.
    kept_events: Values<EventId, Kept>,
    /// Events that take other partners than in the past run, each with the part of `partners` that it takes, empty for
    /// NOTHING.
    changes: Vec<(EventId, Span)>,
    /// New partners of changed events, as events of the past run.
    partners: Vec<EventId>,
    /// Some process has a renewed event.
    pub(crate) renews: bool,
    /// The script was not made by the exploration, so it may be impossible.
    pub doubtful: bool,
}

/// A script that keeps a whole run as it was. Every script is made from one by removing events.
#[derive(Default, Debug)]
pub struct Whole {
    begins: Values<ProcessId, Pace>,
    kept: Values<EventId, Kept>,
    /// By event: the one before it in its process.
    before: Values<EventId, Option<EventId>>,
}

/// How far a process is in its script.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct Pace {
    /// How many events it has had.
    pub len: u32,
    /// The event of the script that its next event must repeat.
    pub ahead: Option<EventId>,
    /// The event after the kept ones is renewed: it happens again, and must take a partner that is not old.
    pub renews: bool,
}

impl Pace {
    /// The start of a process for which the script has no events.
    pub(crate) const FREE: Pace = Pace { len: 0, ahead: None, renews: false };
}

/// The part of a script that concerns one kept event.
#[derive(Clone, Copy, Default, Debug)]
pub struct Kept {
    /// The next kept event of the same process.
    pub next: Option<EventId>,
    /// The flags of the event that repeats it.
    pub flags: Flags,
    /// Its pick has just been changed, so its effect is new. It is the last kept event of its process.
    pub changed: bool,
}

impl Kept {
    const NOT: Kept = Kept { next: None, flags: Flags::NO, changed: false };
}

impl Whole {
    /// Keeps all of a run.
    pub fn fill(&mut self, run: &RecordedRun, processes: usize) {
        let Whole { begins, kept, before } = self;
        begins.fill(processes, Pace::FREE);
        // Every value is written below.
        let events = run.events.slots();
        let kept = &mut kept.make_room(run.events.len())[..events.len()];
        let before = &mut before.make_room(run.events.len())[..events.len()];
        // From the end, so that the first event seen so far of a process is the one that comes next.
        for (i, event) in events.iter().enumerate().skip(1).rev() {
            let id = EventId::at(i);
            let next = std::mem::replace(&mut begins[event.process].ahead, id);
            let flags = Flags::OLD | Flags::OLD_EFFECT | event.flags & Flags::BLACK;
            kept[i] = Kept { next, flags, changed: false };
            before[i] = None;
            if let Some(next) = next {
                before[next.place()] = id;
            }
        }
    }
}

impl Whole {
    /// How many bytes it takes.
    pub fn bytes(&self) -> usize {
        size_of_val(self.kept.slots()) + size_of_val(self.before.slots())
    }
}

/// Names an event across executions: the process and the place in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Name {
    pub process: ProcessId,
    pub index: u32,
}

impl Script {
    /// Starts a script that keeps a whole run as it was.
    pub fn start(&mut self, whole: &Whole) {
        self.begins.clone_from(&whole.begins);
        self.kept_events.clone_from(&whole.kept);
        self.changes.clear();
        self.partners.clear();
        self.renews = false;
        self.doubtful = false;
    }

    /// As [`start`](Self::start), for the past run itself.
    pub fn keep_past(&mut self, processes: usize) {
        let mut whole = Whole::default();
        whole.fill(&self.past, processes);
        self.start(&whole);
    }

    /// Removes an event. Later events of the same process must be removed too.
    #[inline]
    pub fn remove(&mut self, whole: &Whole, process: ProcessId, event: EventId) {
        self.kept_events[event] = Kept::NOT;
        match whole.before[event] {
            None => self.begins[process].ahead = None,
            Some(before) => self.kept_events[before].next = None,
        }
    }

    /// Keeps an event permanently.
    #[inline]
    pub fn blacken(&mut self, event: EventId) {
        let flags = &mut self.kept_events[event].flags;
        *flags = *flags | Flags::BLACK;
    }

    /// Gives a kept event other partners.
    pub fn change(&mut self, event: EventId, partners: &[EventId]) {
        let kept = &mut self.kept_events[event];
        kept.flags = Flags::OLD | Flags::BLACK;
        kept.changed = true;
        let start = self.partners.len() as u32;
        self.partners.extend_from_slice(partners);
        self.changes.push((event, Span { start, len: partners.len() as u32 }));
    }

    /// Changes the script to what it would be without a rule that a test has switched off: the effects of changed events
    /// count as old; or other events are black only if they were black before; or only if they were not.
    #[cold]
    #[inline(never)]
    pub(crate) fn bend(&mut self, rules: Rules) {
        let old = Flags::OLD | Flags::OLD_EFFECT;
        for (i, event) in self.past.events.pairs() {
            let kept = &mut self.kept_events[i];
            let rule = if event.flags.has(Flags::BLACK) { Rule::BlackForGood } else { Rule::BlackBefore };
            if kept.changed && !rules.has(Rule::NewEffects) {
                kept.flags = old | Flags::BLACK;
            } else if !kept.changed && kept.flags.has(Flags::BLACK) && !rules.has(rule) {
                kept.flags = old;
            }
        }
    }

    /// The events that take other partners than in the past run.
    pub fn changed(&self) -> impl Iterator<Item = Name> + '_ {
        self.changes.iter().map(|&(event, _)| self.name(event))
    }

    /// How many events of the past run come before the first whose partners are changed.
    #[inline]
    pub(crate) fn before_changes(&self) -> usize {
        self.changes.first().map_or(0, |(event, _)| event.place() - 1)
    }

    /// The event of a process after the kept ones must take a new partner.
    pub fn renew(&mut self, process: ProcessId) {
        self.renews = true;
        self.begins[process].renews = true;
    }

    /// How many bytes it takes, apart from the past run.
    pub fn bytes(&self) -> usize {
        size_of_val(self.kept_events.slots())
            + size_of_val(&self.changes[..])
            + size_of_val(&self.partners[..])
    }

    /// Where the processes that the script knows of begin.
    pub(crate) fn paces(&self) -> &Values<ProcessId, Pace> {
        &self.begins
    }

    #[inline]
    pub fn kept(&self, past: EventId) -> Kept {
        self.kept_events[past]
    }

    /// The past event that the event of this name repeats.
    pub fn event(&self, name: Name) -> Option<EventId> {
        (0..name.index).fold(self.begins[name.process].ahead, |event, _| self.kept(event?).next)
    }

    /// What a kept event takes, as events of the past run; none for NOTHING, or if it is no receiving event.
    #[inline]
    pub fn takes(&self, past: EventId) -> &[EventId] {
        if self.kept(past).changed { self.new_partners(past) } else { self.past.partners(self.past.at(past)) }
    }

    #[inline(never)]
    fn new_partners(&self, past: EventId) -> &[EventId] {
        let found = self.changes.iter().find(|(event, _)| *event == past);
        let (_, span) = found.expect("there is a change for each event marked so");
        &self.partners[span.start as usize..(span.start + span.len) as usize]
    }

    #[inline]
    pub fn name(&self, past: EventId) -> Name {
        let event = &self.past.events[past];
        Name { process: event.process, index: event.index }
    }

    /// Whether an event is what the script has there, where objects have the same numbers as in the past run.
    #[inline]
    pub(crate) fn is_followed_by(&self, past: EventId, now: &Event) -> bool {
        let event = self.past.at(past);
        event.op == now.op && event.object == now.object && std::ptr::eq(event.location, now.location)
    }

    /// Whether an event on this object is the one that the script has there, with exceptions: a completion is named after
    /// its call, so a changed one may have another name; a changed receive may be from another port; and a sequence from
    /// a file has no source locations.
    pub(crate) fn is_followed_loosely(&self, past: EventId, now: &Event, subject: Option<ProcessId>) -> bool {
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
    pub fn export(&self, processes: &Processes) -> Portable {
        // By event: its place among those that are kept.
        let mut place = Values::of(self.past.events.len(), 0);
        let mut kept: Vec<EventId> = Vec::new();
        for (i, fate) in self.kept_events.pairs() {
            if fate.flags.has(Flags::OLD) {
                place[i] = kept.len();
                kept.push(i);
            }
        }
        // All processes have a path, in their order.
        let path_of = |process: ProcessId| process.place() - 1;
        let events = kept
            .iter()
            .map(|&i| {
                let event = &self.past.events[i];
                let partners: Vec<usize> = self.takes(i).iter().map(|&m| place[m]).collect();
                let pick = match event.pick {
                    Pick::No => Pick::No,
                    _ if partners.is_empty() => Pick::Nothing,
                    _ => Pick::Partners,
                };
                PortableEvent {
                    process: path_of(event.process),
                    index: event.index,
                    op: event.op,
                    subject: self.past.subject(event).map(path_of),
                    pick,
                    partners,
                    black: self.kept(i).flags.has(Flags::BLACK),
                    changed: self.kept(i).changed,
                    location: event.location,
                }
            })
            .collect();
        let renewed = self.begins.pairs().filter(|(_, pace)| pace.renews);
        Portable {
            events,
            renewed: renewed.map(|(process, _)| processes.path(process)).collect(),
            paths: processes.ids().map(|it| processes.path(it)).collect(),
        }
    }

    /// The reverse of [`export`](Self::export).
    pub fn import(&mut self, portable: Portable, processes: &mut Processes) {
        let known: Vec<ProcessId> = portable.paths.iter().map(|path| processes.find(path)).collect();
        let mut past = RecordedRun::default();
        let event_at = |place: &usize| EventId::at(place + 1).expect("it is not the first place");
        let partners_of = |e: &PortableEvent| e.partners.iter().map(event_at).collect::<Vec<_>>();
        for e in &portable.events {
            let name = Name { process: known[e.process], index: e.index };
            let subject = e.subject.map(|it| known[it]);
            past.add_scripted(name, e.op, subject, e.pick, &partners_of(e), e.location);
        }
        self.past = Rc::new(past);
        let renewed: Vec<ProcessId> = portable.renewed.iter().map(|path| processes.find(path)).collect();
        self.keep_past(processes.len());
        for (i, e) in portable.events.iter().enumerate() {
            if e.changed {
                self.change(event_at(&i), &partners_of(e));
            } else if e.black {
                self.blacken(event_at(&i));
            }
        }
        renewed.into_iter().for_each(|process| self.renew(process));
    }
}

impl RecordedRun {
    /// Adds an event with the parts that a script needs.
    pub fn add_scripted(
        &mut self,
        name: Name,
        op: Op,
        subject: Option<ProcessId>,
        pick: Pick,
        partners: &[EventId],
        location: Place,
    ) {
        let (partner, partners) = self.push_partners(partners);
        let object =
            subject.map(|process| self.objects.push(RecordedObject { process, ..RecordedObject::blank() }));
        self.events.push(Event {
            process: name.process,
            index: name.index,
            op,
            pick,
            flags: Flags::default(),
            thread: None,
            object,
            prev: None,
            also: None,
            partner,
            partners,
            list: Span::default(),
            snapshot: None,
            taken_by: None,
            location,
        });
    }
}

/// A script with processes named by their paths from `main`.
#[derive(Debug)]
pub struct Portable {
    paths: Vec<Path>,
    events: Vec<PortableEvent>,
    /// The processes that have a renewed event.
    renewed: Vec<Path>,
}

/// A kept event; its process and that of its object are indices into [`Portable::paths`], its partners are indices of kept
/// events.
#[derive(Debug)]
struct PortableEvent {
    process: usize,
    index: u32,
    op: Op,
    subject: Option<usize>,
    pick: Pick,
    partners: Vec<usize>,
    black: bool,
    changed: bool,
    location: Place,
}
