//! What a run has done so far, and what its script says comes next.
//!
//! Every event of every process is recorded here, and compared with what the script has there.

use std::panic::Location;
use std::ptr;

use insyn_sequences::Label;

use crate::engine::ending::Divergence;
use crate::engine::ids::{EventId, ObjectId, ProcessId, ThreadId};
use crate::engine::record::event::{Event, Flags, Op, Pick, Span};
use crate::engine::record::run::Past;
use crate::engine::script::{Name, Pace};
use crate::engine::threads::WaitFor;
use crate::engine::{Engine, NOWHERE, Place, same_place};
use crate::place::TextPlace;
use crate::rules::Rule;

/// What a process must do at its next event.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Plan {
    /// The script says what to take: what this event of the past run takes.
    Fixed(EventId),
    /// Any partner but an old one.
    Renewed,
    Free,
}

impl Engine {
    /// What the next event of a process must do.
    #[inline]
    pub(crate) fn plan(&self, process: ProcessId) -> Plan {
        match self.playback.paces[process].ahead {
            None if self.renews(process) && self.settings.rules.has(Rule::Renewal) => Plan::Renewed,
            None => Plan::Free,
            Some(past) => Plan::Fixed(past),
        }
    }

    /// Whether the next event of a process renews one.
    #[inline]
    pub(crate) fn renews(&self, process: ProcessId) -> bool {
        self.script.is_renewed(process, self.events_of(process))
    }

    #[inline]
    pub(crate) fn events_of(&self, process: ProcessId) -> u32 {
        self.playback.paces[process].len
    }

    /// The event of this run that repeats an event of the past run, if it has happened; else its name.
    #[inline]
    pub(crate) fn again(&self, past: EventId) -> Result<EventId, Name> {
        match self.playback.repeated[past] {
            None => Err(self.script.name(past)),
            Some(event) => Ok(event),
        }
    }

    /// How many events of this run, from the first on, are those of the past run under the same numbers, and have the same
    /// pasts.
    pub(crate) fn same_beginning(&self) -> usize {
        let kept = self.playback.repeated.pairs().take(self.script.before_changes());
        kept.take_while(|(past, event)| Some(*past) == **event).count()
    }

    #[inline]
    pub(crate) fn name_of(&self, event: EventId) -> Name {
        let e = &self.run.events[event];
        Name { process: e.process, index: e.index }
    }

    #[inline]
    pub(crate) fn is_old(&self, event: EventId) -> bool {
        self.run.events[event].flags.has(Flags::OLD_EFFECT)
    }

    /// Appends an event to a process; its index, its partners and what the script says about it are filled in here.
    // Inlined so that the event is built where it will stay.
    #[inline(always)]
    pub(crate) fn record(&mut self, event: Event, partners: &[EventId]) -> EventId {
        let id = self.run.events.next();
        let pace = &mut self.playback.paces[event.process];
        let Pace { len: index, ahead: past } = *pace;
        pace.len += 1;
        let mut is_as_before = true;
        let flags = if let Some(past) = past {
            let kept = self.script.kept(past);
            pace.ahead = kept.next;
            self.playback.repeated[past] = Some(id);
            is_as_before = self.playback.same_objects && self.script.is_followed_by(past, &event);
            event.flags | kept.flags
        } else if self.script.is_renewed(event.process, index) {
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
        if let Some(past) = past
            && !is_as_before
        {
            self.check_step(past, id);
        }
        if let Some(journal) = self.journal {
            journal.note(self.run.events.len(), || (self.settings.is_consistent)(&self.run, &self.settings));
        }
        id
    }

    /// Notes it if an event is not what the script has there.
    #[cold]
    #[inline(never)]
    fn check_step(&mut self, past: EventId, event: EventId) {
        let event = *self.run.at(event);
        let subject = self.run.subject(&event);
        if !self.script.is_followed_loosely(past, &event, subject) {
            self.diverge(event.process, event.index, Some((event.op, subject, event.location)));
        }
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
        let told = thread.told.is_some();
        thread.prev = Some(self.run.events.next());
        let ix = self.record(event, partners);
        if told {
            self.note_told(ix);
        }
        ix
    }

    /// Where the operation that an event belongs to really is, if the program has told.
    #[cold]
    #[inline(never)]
    fn note_told(&mut self, event: EventId) {
        let noted = self.run.at(event);
        if let Some(place) = self.told_by(noted.by(), noted.location) {
            self.notes.places.push((event, place));
        }
    }

    /// Where something really is that a thread has begun and that seems to be at a location; none if it is there.
    pub(crate) fn told_by(&self, thread: ThreadId, seeming: &Location<'_>) -> Option<TextPlace> {
        self.threads[thread].told.filter(|(_, at)| *at == seeming).map(|(place, _)| place)
    }

    /// Where an event really is, if the program has told; a completion is where its call is.
    pub(crate) fn told_of(&self, event: EventId) -> Option<TextPlace> {
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

    /// Notes that the program did something else than the script has there; the first such place counts.
    #[cold]
    #[inline(never)]
    pub(crate) fn diverge(
        &mut self,
        process: ProcessId,
        index: u32,
        found: Option<(Op, Option<ProcessId>, Place)>,
    ) {
        self.schedule.unasked = 0;
        self.ending.is_cut = true;
        if self.ending.divergence.is_some() {
            return;
        }
        let say = |op: Op, subject: Option<ProcessId>, at: Place| {
            let on = subject.map(|it| format!(" on {}", self.processes.id(it))).unwrap_or_default();
            let at = if same_place(at, NOWHERE) { String::new() } else { format!(" at {at}") };
            format!("{}{on}{at}", op.word())
        };
        let expected = self.script.event(Name { process, index }).map(|it| {
            let past = self.script.past.at(it);
            say(past.op, self.script.past.subject(past), past.location)
        });
        self.ending.divergence = Some(Divergence {
            process: self.processes.id(process).to_owned(),
            index,
            expected: expected.unwrap_or_default(),
            found: found.map(|(op, subject, at)| say(op, subject, at)),
            in_prefix: self.script.doubtful,
        });
    }

    /// Kept events that never came: the program left the script.
    pub(crate) fn check_script_was_followed(&mut self) {
        if self.ending.is_cut {
            return;
        }
        let late = self.playback.paces.pairs().find(|(_, pace)| pace.ahead.is_some());
        if let Some((process, len)) = late.map(|(process, pace)| (process, pace.len)) {
            self.diverge(process, len, None);
        }
    }

    /// The next thread to run of those that are ready and have not done all that was written down for them. Where a bound has
    /// cut what was written, it does so again only if nobody goes further before all have come there. None if there is no
    /// such thread, or nothing has come of it the last time.
    pub(crate) fn next_follower(&mut self) -> Option<ThreadId> {
        let events = Some(self.run.events.len());
        if self.playback.followed_at == events {
            return None;
        }
        let first = self.schedule.ready.iter().position(|&thread| self.follows(thread))?;
        self.playback.followed_at = events;
        self.schedule.ready.remove(first)
    }

    /// Whether the running thread has done all that was written down for it, and another that is ready has not.
    pub(crate) fn must_let_follow(&self) -> bool {
        self.script.doubtful
            && self.playback.followed_at != Some(self.run.events.len())
            && !self.follows(self.schedule.running)
            && self.schedule.ready.iter().any(|&thread| self.follows(thread))
    }

    fn follows(&self, thread: ThreadId) -> bool {
        self.playback.paces[self.threads[thread].process].ahead.is_some()
    }

    /// The program gives the moment a name.
    pub(crate) fn record_label(&mut self, label: Label, place: Place) {
        let event = self.record_thread(Op::Label, None, place);
        self.notes.labels.push((event, label));
    }

    /// What the program called the moment of an event.
    pub(crate) fn label_of(&self, event: EventId) -> Option<&Label> {
        let at = self.notes.labels.binary_search_by_key(&event, |(event, _)| *event).ok()?;
        Some(&self.notes.labels[at].1)
    }

    /// The program cannot do what the script says comes next on a process.
    #[cold]
    #[inline(never)]
    pub(crate) fn leave_script(&mut self, process: ProcessId) -> WaitFor {
        let index = self.events_of(process);
        self.diverge(process, index, None);
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
