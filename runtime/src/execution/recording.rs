//! What a run has done so far, and what its script says comes next.
//!
//! Every event of every process is recorded here, and compared with what the script has there.

use std::panic::Location;
use std::ptr;

use insyn_specs::Label;

use super::event::{Event, Flags, Ix, NONE, Op, Past, Pick, Run, Span};
use super::script::{Name, Pace};
use super::threads::WaitFor;
use super::{Execution, NOWHERE, Place, same_place};
use crate::macro_support::Place as TextPlace;
use crate::replay::is_real;
use crate::rules::Rule;

/// The program did not do again what it had done before the same picks.
#[derive(Clone, Debug)]
pub(crate) struct Divergence {
    /// The process, by its id.
    pub(crate) process: String,
    pub(crate) index: u32,
    pub(crate) expected: String,
    pub(crate) found: Option<String>,
    /// What it was to do was written down, and it never has done that.
    pub(crate) in_prefix: bool,
}

/// What a process must do at its next event.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Plan {
    /// The script says what to take: what this event of the past run takes.
    Fixed(Ix),
    /// Any partner but an old one.
    Renewed,
    Free,
}

impl Execution {
    /// What the next event of a process must do.
    #[inline]
    pub(crate) fn plan(&self, chain: u32) -> Plan {
        match self.paces[chain as usize].ahead {
            NONE if self.renews(chain) && self.settings.rules.has(Rule::Renewal) => Plan::Renewed,
            NONE => Plan::Free,
            past => Plan::Fixed(past),
        }
    }

    /// Whether the next event of a process renews one.
    #[inline]
    pub(super) fn renews(&self, chain: u32) -> bool {
        self.script.is_renewed(chain, self.chain_len(chain))
    }

    #[inline]
    pub(crate) fn chain_len(&self, chain: u32) -> u32 {
        self.paces[chain as usize].len
    }

    /// The event of this run that repeats an event of the past run, if it has happened; else its name.
    #[inline]
    pub(crate) fn again(&self, past: Ix) -> Result<Ix, Name> {
        match self.repeated[past as usize] {
            NONE => Err(self.script.name(past)),
            event => Ok(event),
        }
    }

    /// How many events of this run, from the first on, are those of the past run under the same numbers, and have the same
    /// pasts.
    pub(crate) fn same_beginning(&self) -> usize {
        let kept = &self.repeated[..self.script.first_change()];
        (0..).zip(kept).take_while(|(past, event)| past == *event).count()
    }

    #[inline]
    pub(crate) fn name_of(&self, event: Ix) -> Name {
        let e = &self.run().events[event as usize];
        Name { chain: e.chain, index: e.index }
    }

    #[inline]
    pub(crate) fn is_old(&self, event: Ix) -> bool {
        self.run().events[event as usize].flags.has(Flags::OLD_EFFECT)
    }

    #[inline]
    pub(crate) fn run(&self) -> &Run {
        &self.done
    }

    /// Appends an event to a process; its index, its mates and what the script says about it are filled in here.
    // Inlined so that the event is built where it will stay.
    #[inline(always)]
    pub(crate) fn record(&mut self, event: Event, mates: &[Ix]) -> Ix {
        let ix = self.done.events.len() as Ix;
        let pace = &mut self.paces[event.chain as usize];
        let Pace { len: index, ahead: past } = *pace;
        pace.len += 1;
        let mut is_as_before = true;
        let flags = if past != NONE {
            let kept = self.script.kept(past);
            pace.ahead = kept.next;
            self.repeated[past as usize] = ix;
            is_as_before = self.same_objects && self.script.is_followed_by(past, &event);
            event.flags | kept.flags
        } else if self.script.is_renewed(event.chain, index) {
            event.flags | Flags::OLD
        } else {
            event.flags
        };
        self.pulse.beat(event.location);
        let (mate, mates) = self.done.push_mates(mates);
        if event.pick != Pick::No && !flags.has(Flags::BLACK) {
            self.done.open.push(ix);
        }
        self.done.events.push(Event { index, flags, mate, mates, ..event });
        if !is_as_before {
            self.check_step(past, ix);
        }
        if let Some(journal) = self.journal {
            journal.note(self.run().events.len(), || is_real(self));
        }
        ix
    }

    /// Notes it if an event is not what the script has there.
    #[cold]
    #[inline(never)]
    fn check_step(&mut self, past: Ix, event: Ix) {
        let event = *self.done.at(event);
        let subject = self.done.subject(&event);
        if !self.script.is_followed_loosely(past, &event, subject) {
            self.diverge(event.chain, event.index, Some((event.op, subject, event.location)));
        }
    }

    /// Records an event of the running thread that picks nothing.
    #[inline(always)]
    pub(crate) fn record_thread(&mut self, op: Op, object: u32, place: Place) -> Ix {
        self.record_pick(op, object, Pick::No, &[], Span::default(), Flags::default(), place)
    }

    /// Records a receiving event of the running thread.
    #[expect(clippy::too_many_arguments, reason = "the parts of one event, each of its own type")]
    #[inline(always)]
    pub(crate) fn record_pick(
        &mut self,
        op: Op,
        object: u32,
        pick: Pick,
        mates: &[Ix],
        list: Span,
        flags: Flags,
        place: Place,
    ) -> Ix {
        let t = self.running;
        let thread = &mut self.threads[t as usize];
        let event = Event {
            chain: thread.process,
            index: 0,
            op,
            pick,
            flags,
            thread: t,
            object,
            prev: thread.prev,
            also: std::mem::replace(&mut thread.also, NONE),
            mate: NONE,
            mates: Span::default(),
            list,
            state: Event::UNTAKEN,
            location: place,
        };
        let told = thread.told.is_some();
        thread.prev = self.done.events.len() as Ix;
        let ix = self.record(event, mates);
        if told {
            self.note_told(ix);
        }
        ix
    }

    /// Where the operation that an event belongs to really is, if the program has told.
    #[cold]
    #[inline(never)]
    fn note_told(&mut self, event: Ix) {
        let Event { thread, location, .. } = *self.run().at(event);
        if let Some(place) = self.told_by(thread as usize, location) {
            self.told.push((event, place));
        }
    }

    /// Where something really is that a thread has begun and that seems to be at a location; none if it is there.
    pub(crate) fn told_by(&self, thread: usize, seeming: &Location<'_>) -> Option<TextPlace> {
        self.threads[thread].told.filter(|(_, at)| *at == seeming).map(|(place, _)| place)
    }

    /// Where an event really is, if the program has told; a completion is where its call is.
    pub(crate) fn told_of(&self, event: Ix) -> Option<TextPlace> {
        let of = |event: Ix| {
            let at = self.told.binary_search_by_key(&event, |(event, _)| *event).ok()?;
            Some(self.told[at].1)
        };
        if self.told.is_empty() {
            return None;
        }
        of(event).or_else(|| {
            let Event { location, .. } = self.run().at(event);
            let mates = self.run().mates(self.run().at(event));
            let call = mates.iter().find(|&&mate| ptr::eq(self.run().at(mate).location, *location))?;
            of(*call)
        })
    }

    /// Notes that the program did something else than the script has there; the first such place counts.
    #[cold]
    #[inline(never)]
    pub(crate) fn diverge(&mut self, chain: u32, index: u32, found: Option<(Op, u32, Place)>) {
        self.unasked = 0;
        self.is_cut = true;
        if self.divergence.is_some() {
            return;
        }
        let say = |op: Op, subject: u32, at: Place| {
            let on =
                if subject == NONE { String::new() } else { format!(" on {}", self.processes.id(subject)) };
            let at = if same_place(at, NOWHERE) { String::new() } else { format!(" at {at}") };
            format!("{}{on}{at}", op.word())
        };
        let past = self.script.past.at(self.script.event(Name { chain, index }));
        self.divergence = Some(Divergence {
            process: self.processes.id(chain).to_owned(),
            index,
            expected: say(past.op, self.script.past.subject(past), past.location),
            found: found.map(|(op, subject, at)| say(op, subject, at)),
            in_prefix: self.script.doubtful,
        });
    }

    /// Kept events that never came: the program left the script.
    pub(super) fn check_script_was_followed(&mut self) {
        if self.is_cut {
            return;
        }
        if let Some(chain) = self.paces.iter().position(|pace| pace.ahead != NONE) {
            self.diverge(chain as u32, self.paces[chain].len, None);
        }
    }

    /// The next thread to run of those that are ready and have not done all that was written down for them. Where a bound has
    /// cut what was written, it does so again only if nobody goes further before all have come there. None if there is no
    /// such thread, or nothing has come of it the last time.
    pub(super) fn next_follower(&mut self) -> Option<u32> {
        let events = Some(self.done.events.len());
        if self.followed_at == events {
            return None;
        }
        let first = self.ready.iter().position(|&thread| self.follows(thread))?;
        self.followed_at = events;
        self.ready.remove(first)
    }

    /// Whether the running thread has done all that was written down for it, and another that is ready has not.
    pub(super) fn must_let_follow(&self) -> bool {
        self.script.doubtful
            && self.followed_at != Some(self.done.events.len())
            && !self.follows(self.running)
            && self.ready.iter().any(|&thread| self.follows(thread))
    }

    fn follows(&self, thread: u32) -> bool {
        self.paces[self.threads[thread as usize].process as usize].ahead != NONE
    }

    /// The program gives the moment a name.
    pub(crate) fn record_label(&mut self, label: Label, place: Place) {
        let event = self.record_thread(Op::Label, NONE, place);
        self.labels.push((event, label));
    }

    /// What the program called the moment of an event.
    pub(crate) fn label_of(&self, event: Ix) -> Option<&Label> {
        let at = self.labels.binary_search_by_key(&event, |(event, _)| *event).ok()?;
        Some(&self.labels[at].1)
    }

    /// The program cannot do what the script says comes next on a process.
    #[cold]
    #[inline(never)]
    pub(super) fn leave_script(&mut self, chain: u32) -> WaitFor {
        let index = self.chain_len(chain);
        self.diverge(chain, index, None);
        WaitFor::Nothing
    }

    /// Whether the running thread's own past holds this event.
    pub(super) fn is_in_past(&self, event: Ix) -> bool {
        self.is_in(Past::WithTurns, event)
    }

    /// Whether this past of the running thread holds this event.
    pub(super) fn is_in(&self, past: Past, event: Ix) -> bool {
        let me = &self.threads[self.running as usize];
        event != NONE && self.run().is_up_to(event, [me.prev, me.also], past)
    }
}
