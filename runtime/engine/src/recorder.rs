//! Records what a run does, and compares it with the script.
//!
//! Every event of every process is recorded here, and compared with the event that the script has at its place.

use std::panic::Location;
use std::ptr;

use insyn_sequences::Label;

use crate::ending::{Divergence, Found};
use crate::ids::{EventId, ObjectId, ProcessId, ThreadId};
use crate::place::TextPlace;
use crate::record::event::{Event, Flags, Kind, Op, Pick, Span};
use crate::record::run::Past;
use crate::rules::Rule;
use crate::script::{Name, Pace};
use crate::threads::{Thread, WaitFor};
use crate::{Engine, NOWHERE, Place, same_place};

/// What a process must do at its next event.
#[derive(Clone, Copy, Debug)]
pub enum Plan {
    /// The script determines the pick: the partners of this event of the past run.
    Fixed(EventId),
    /// Any partner but an old one.
    Renewed,
    Free,
}

impl Engine {
    /// What the next event of a process must do.
    #[inline]
    pub fn plan(&self, process: ProcessId) -> Plan {
        let pace = &self.playback.paces[process];
        match pace.ahead {
            None if pace.renews && self.settings.rules.has(Rule::Renewal) => Plan::Renewed,
            None => Plan::Free,
            Some(past) => Plan::Fixed(past),
        }
    }

    /// Whether the next event of a process renews one.
    #[inline]
    pub(crate) fn renews(&self, process: ProcessId) -> bool {
        let pace = &self.playback.paces[process];
        pace.renews && pace.ahead.is_none()
    }

    #[inline]
    pub fn events_of(&self, process: ProcessId) -> u32 {
        self.playback.paces[process].len
    }

    /// The event of this run that repeats an event of the past run, if it has happened; else its name.
    #[inline]
    pub fn again(&self, past: EventId) -> Result<EventId, Name> {
        match self.playback.repeated[past] {
            None => Err(self.script.name(past)),
            Some(event) => Ok(event),
        }
    }

    /// How many events at the beginning of this run are those of the past run, with the same numbers and the same pasts.
    pub fn same_beginning(&self) -> usize {
        let kept = self.script.before_changes();
        let mut same = 0;
        for (past, event) in self.playback.repeated.pairs() {
            if same == kept || Some(past) != *event {
                break;
            }
            same += 1;
        }
        same
    }

    #[inline]
    pub(crate) fn name_of(&self, event: EventId) -> Name {
        let e = &self.run.events[event];
        Name { process: e.process, index: e.index }
    }

    #[inline]
    pub fn is_old(&self, event: EventId) -> bool {
        self.run.events[event].flags.has(Flags::OLD_EFFECT)
    }

    /// Appends an event to a process; its index, its partners and the flags from the script are filled in here.
    // Inlined so that the event is built where it will stay.
    #[inline(always)]
    pub fn record(&mut self, event: Event, partners: &[EventId]) -> EventId {
        let id = self.run.events.next();
        let pace = &mut self.playback.paces[event.process];
        let Pace { len: index, ahead: past, renews } = *pace;
        pace.len += 1;
        let mut is_plain = self.journal.is_none();
        let flags = if let Some(past) = past {
            let kept = self.script.kept(past);
            pace.ahead = kept.next;
            self.playback.repeated[past] = Some(id);
            is_plain &= self.playback.same_objects && self.script.is_followed_by(past, &event);
            event.flags | kept.flags
        } else if renews {
            pace.renews = false;
            event.flags | Flags::OLD
        } else {
            event.flags
        };
        self.pulse.beat(event.location);
        let (partner, partners) = self.run.push_partners(partners);
        if event.pick != Pick::No && !flags.has(Flags::BLACK) {
            self.run.open.push(id);
        }
        self.run.events.push(Event { index, flags, partner, partners, ..event });
        if !is_plain {
            self.check_recorded(past, id);
        }
        id
    }

    /// Compares an event with the one of the script that it may not repeat, and notes it where a journal is kept.
    #[cold]
    #[inline(never)]
    fn check_recorded(&mut self, past: Option<EventId>, event: EventId) {
        if let Some(past) = past {
            self.check_step(past, event);
        }
        if let Some(journal) = self.journal {
            journal.note(self.run.events.len(), || (self.settings.is_consistent)(&self.run, &self.settings));
        }
    }

    /// Records a divergence if an event differs from the script.
    fn check_step(&mut self, past: EventId, event: EventId) {
        let event = *self.run.at(event);
        let subject = self.run.subject(&event);
        if !self.script.is_followed_loosely(past, &event, subject) {
            let found = Found::Event(self.describe_operation(event.op, subject, event.location));
            self.diverge(event.process, event.index, found);
        } else if self.script.doubtful && !self.takes_the_same(past, &event) {
            self.diverge(event.process, event.index, Found::Refusal);
        }
    }

    /// Whether an event takes what the script requires. (What a completion takes has been compared before.)
    fn takes_the_same(&self, past: EventId, event: &Event) -> bool {
        let is_completion = event.pick == Pick::Partners && event.snapshot.is_some();
        let taken = self.run.partners(event);
        let same = |(&past, &now): (&EventId, &EventId)| self.again(past) == Ok(now);
        let expected = self.script.takes(past);
        is_completion
            || self.script.past.at(past).pick == event.pick
                && expected.len() == taken.len()
                && expected.iter().zip(taken).all(same)
    }

    /// Records an event of the running thread that picks nothing.
    #[inline(always)]
    pub(crate) fn record_thread(
        &mut self,
        op: Op,
        object: impl Into<Option<ObjectId>>,
        place: Place,
    ) -> EventId {
        self.record_pick(op, object.into(), Pick::No, &[], Span::default(), Flags::default(), place)
    }

    /// Records a receiving event of the running thread.
    #[expect(clippy::too_many_arguments, reason = "the parts of one event, each of its own type")]
    #[inline(always)]
    pub(crate) fn record_pick(
        &mut self,
        op: Op,
        object: Option<ObjectId>,
        pick: Pick,
        partners: &[EventId],
        list: Span,
        flags: Flags,
        place: Place,
    ) -> EventId {
        let t = self.schedule.running;
        let thread = &mut self.threads[t];
        let event = Event {
            process: thread.process,
            index: 0,
            op,
            pick,
            flags,
            thread: Some(t),
            object,
            prev: thread.prev,
            also: thread.also.take(),
            partner: None,
            partners: Span::default(),
            list,
            snapshot: None,
            taken_by: None,
            location: place,
        };
        let has_source_place = thread.source_place.is_some();
        thread.prev = Some(self.run.events.next());
        let ix = self.record(event, partners);
        if has_source_place {
            self.record_source_place(ix);
        }
        ix
    }

    /// Records where the operation of an event is in the source, if instrumented code has reported it.
    #[cold]
    #[inline(never)]
    fn record_source_place(&mut self, event: EventId) {
        let noted = self.run.at(event);
        if let Some(place) = self.source_place_at(noted.by(), noted.location) {
            self.notes.places.push((event, place));
        }
    }

    /// The real place of an operation that a thread has begun and whose recorded location is `seeming`; none if that is the
    /// real one.
    pub fn source_place_at(&self, thread: ThreadId, seeming: &Location<'_>) -> Option<TextPlace> {
        self.threads[thread].source_place.filter(|(_, at)| *at == seeming).map(|(place, _)| place)
    }

    /// Where an event is in the source, if instrumented code has reported it; a completion is where its call is.
    pub fn source_place_of(&self, event: EventId) -> Option<TextPlace> {
        let of = |event: EventId| {
            let at = self.notes.places.binary_search_by_key(&event, |(event, _)| *event).ok()?;
            Some(self.notes.places[at].1)
        };
        if self.notes.places.is_empty() {
            return None;
        }
        of(event).or_else(|| {
            let Event { location, .. } = self.run.at(event);
            let partners = self.run.partners(self.run.at(event));
            let call = partners.iter().find(|&&partner| ptr::eq(self.run.at(partner).location, *location))?;
            of(*call)
        })
    }

    /// Records that the program diverged from the script; the first such place counts.
    #[cold]
    #[inline(never)]
    pub(crate) fn diverge(&mut self, process: ProcessId, index: u32, found: Found) {
        self.schedule.unasked = 0;
        self.ending.is_cut = true;
        if self.ending.divergence.is_some() {
            return;
        }
        let expected = self.script.event(Name { process, index }).map(|it| {
            let past = self.script.past.at(it);
            self.describe_operation(past.op, self.script.past.subject(past), past.location)
        });
        self.ending.divergence = Some(Divergence {
            process: self.processes.id(process).to_owned(),
            index,
            expected: expected.unwrap_or_default(),
            found,
            in_prefix: self.script.doubtful,
        });
    }

    /// Records that the recording is wrong, as this event of the run shows.
    pub fn object_to(&mut self, event: EventId, found: Found) {
        let Event { process, index, .. } = *self.run.at(event);
        self.ending.divergence = None;
        self.diverge(process, index, found);
    }

    /// An event in words.
    fn describe_operation(&self, op: Op, subject: Option<ProcessId>, at: Place) -> String {
        let on = subject.map(|it| format!(" on {}", self.processes.id(it))).unwrap_or_default();
        let at = if same_place(at, NOWHERE) { String::new() } else { format!(" at {at}") };
        format!("{}{on}{at}", op.word())
    }

    /// Checks that all kept events have happened; if not, the program left the script.
    pub(crate) fn check_script_was_followed(&mut self) {
        if self.ending.is_cut {
            return;
        }
        if self.script.doubtful
            && let Some(process) = self.refusing()
        {
            self.leave_script(process);
        }
        let late = self.playback.paces.pairs().find(|(_, pace)| pace.ahead.is_some());
        if let Some((process, len)) = late.map(|(process, pace)| (process, pace.len)) {
            self.diverge(process, len, Found::Nothing);
        }
    }

    /// A process that has not taken the partners that the script names, though all of them have happened: an object that
    /// could not complete the call, or a thread that waits where its event never arrives.
    fn refusing(&self) -> Option<ProcessId> {
        let has_come = |&past: &EventId| self.again(past).is_ok();
        let waits_in_vain = |thread: &Thread| match thread.waits_for {
            WaitFor::Event(it) => it.index < self.events_of(it.process),
            _ => false,
        };
        let thread = self.threads.iter().find(|thread| waits_in_vain(thread)).map(|it| it.process);
        let mut late = self.playback.paces.pairs().filter_map(|(process, pace)| Some((process, pace.ahead?)));
        thread.or_else(|| {
            let refuses = |(process, past): (ProcessId, EventId)| {
                let taken = self.script.takes(past);
                let is_completion = self.processes.kind(process) != Kind::Thread && !taken.is_empty();
                (is_completion && taken.iter().all(has_come)).then_some(process)
            };
            late.find_map(refuses)
        })
    }

    /// A recorded event, and one that comes before it and is missing from the recording.
    pub fn gap(&self) -> Option<(EventId, EventId)> {
        let is_written = |event: &Event| event.flags.has(Flags::OLD);
        let written = self.run.events.pairs().filter(|(_, event)| self.script.doubtful && is_written(event));
        written.into_iter().find_map(|(i, event)| {
            let mut before = self.run.own(event).chain(self.run.partners(event).iter().copied());
            before.find(|&it| !is_written(self.run.at(it))).map(|it| (i, it))
        })
    }

    /// The next thread to run among the ready threads that have not done all of their scripts. If a bound has cut the
    /// recorded run, it cuts this run at the same place only if no thread goes past its script before all have finished
    /// theirs. None if there is no such thread, or if the last one chosen made no progress.
    pub(crate) fn next_follower(&mut self) -> Option<ThreadId> {
        let events = Some(self.run.events.len());
        if self.playback.followed_at == events {
            return None;
        }
        let first = self.schedule.ready.iter().position(|&thread| self.follows(thread))?;
        self.playback.followed_at = events;
        self.schedule.ready.remove(first)
    }

    /// Whether the running thread has done all events that its recording has, and another ready thread has not.
    pub(crate) fn must_let_follow(&self) -> bool {
        self.script.doubtful
            && self.playback.followed_at != Some(self.run.events.len())
            && !self.follows(self.schedule.running)
            && self.schedule.ready.iter().any(|&thread| self.follows(thread))
    }

    fn follows(&self, thread: ThreadId) -> bool {
        self.playback.paces[self.threads[thread].process].ahead.is_some()
    }

    /// Records a label of the program.
    pub fn record_label(&mut self, label: Label, place: Place) {
        let event = self.record_thread(Op::Label, None, place);
        self.notes.labels.push((event, label));
    }

    /// The label of an event, if it is one.
    pub fn label_of(&self, event: EventId) -> Option<&Label> {
        let at = self.notes.labels.binary_search_by_key(&event, |(event, _)| *event).ok()?;
        Some(&self.notes.labels[at].1)
    }

    /// The program cannot do what comes next on a process in the script.
    #[cold]
    #[inline(never)]
    pub(crate) fn leave_script(&mut self, process: ProcessId) -> WaitFor {
        let index = self.events_of(process);
        self.diverge(process, index, Found::Refusal);
        WaitFor::Nothing
    }

    /// Whether the running thread's own past holds this event.
    pub(crate) fn is_in_past(&self, event: EventId) -> bool {
        self.is_in(Past::WithTurns, event)
    }

    /// Whether this past of the running thread holds this event.
    pub(crate) fn is_in(&self, past: Past, event: EventId) -> bool {
        let me = &self.threads[self.schedule.running];
        self.run.is_up_to(event, [me.prev, me.also], past)
    }
}
