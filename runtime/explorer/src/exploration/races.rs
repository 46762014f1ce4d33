//! Race sets: for each receiving event of a run, the other partners it could have had.
//!
//! Definition 6.5 of the textbook, with NOTHING, pairs, disconnects and declared deliveries added: a partner must be open
//! at the event, must not happen after it, must not have been taken before it, and must not overtake ([`Races::find`]). A
//! set is computed when the race table reaches its event, which in most runs it does not.

use super::order::{Memory, Order, as_call};
use insyn_engine::Settings;
use insyn_engine::calls::choices::{Choices, States};
use insyn_engine::delivery::Delivery;
use insyn_engine::ids::{EventId, ObjectId, Table};
use insyn_engine::objects::Call;
use insyn_engine::record::event::{Event, Flags, Kind, Op, Pick};
use insyn_engine::record::run::{Past, RecordedObject, RecordedRun};
use insyn_engine::rules::Rule;

/// Receiving events that can still change, each with its race set, as far as they have been found. The first list holds the
/// events, in the order of the run; the other lists hold their race sets.
#[derive(Default, Debug)]
pub(crate) struct Races {
    pub(crate) columns: Vec<Column>,
    pub(crate) candidates: Vec<Candidate>,
    pub(crate) partners: Vec<EventId>,
    /// Memory for the calls that were open at one event.
    calls: Vec<Call>,
    /// Memory for what happens-before answers.
    memory: Memory,
}

/// A receiving event with a race set that is not empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Column {
    pub event: EventId,
    /// Its part of [`Races::candidates`].
    pub first: u32,
    pub len: u32,
}

/// A member of a race set: a part of [`Races::partners`]; none means NOTHING.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub first: u32,
    pub len: u32,
}

/// The first receiving event that can still change and might have another partner. A cheap estimate that may be too early,
/// but never too late.
pub(crate) fn first(run: &RecordedRun) -> Option<usize> {
    run.open.iter().position(|&i| {
        let later = |_, sends: &[EventId]| sends.iter().rev().any(|&send| !run.at(send).is_taken_by(i));
        may_race(run, run.at(i), later)
    })
}

/// Whether the event could have picked something else that was not taken before it. `later` returns whether one of the sends
/// to an object was taken after the event.
#[inline(always)]
fn may_race(run: &RecordedRun, event: &Event, mut later: impl FnMut(ObjectId, &[EventId]) -> bool) -> bool {
    let objects = &run.objects;
    let on = event.on();
    let object = &objects[on];
    match event.op {
        Op::Send | Op::Call => object.receiver_drop.is_some() && !is_received_before_drop(run, event, object),
        Op::Receive | Op::Accept if event.flags.has(Flags::MAY_FAIL) => true,
        Op::Receive | Op::Accept if event.list.len > 0 => {
            let mut ports = run.ports(event.list).iter();
            event.flags.has(Flags::ANY_CLOSED) || ports.any(|&port| later(port, &objects[port].sending))
        }
        Op::Receive | Op::Accept => later(on, &object.sending),
        Op::Load => !object.versions.is_empty(),
        // The completion that it follows is in its past, and no other could have come in between.
        Op::Read | Op::TryRead | Op::UnlockRead if object.is_unordered => false,
        // A receive that returns empty may find the disconnect; a call that finds a partner may miss it; a completion
        // could have taken what it withdraws; any thread may be the leader.
        Op::TryTake
        | Op::TakeTimeout
        | Op::FailedTake
        | Op::OfferPut
        | Op::OfferTake
        | Op::OfferDefault
        | Op::OfferTimeout
        | Op::ReadyPut
        | Op::ReadyTake
        | Op::Arrive => true,
        Op::Update | Op::FailedUpdate if event.partner.is_some_and(|it| run.at(it).op.is_offer()) => true,
        _ => {
            event.list.len > 0
                || matches!(object.kind, Kind::Timer | Kind::Rendezvous)
                || later(object.host, &objects[object.host].sending)
        }
    }
}

/// Whether a send was received by the thread that dropped the receiver, and so before the drop.
#[inline]
fn is_received_before_drop(run: &RecordedRun, send: &Event, port: &RecordedObject) -> bool {
    send.taken_by.zip(port.receiver_drop).is_some_and(|(by, drop)| run.at(by).process == run.at(drop).process)
}

impl Races {
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.columns.clear();
        self.candidates.clear();
        self.partners.clear();
        self.memory.clear();
    }

    /// Finds the race set of one receiving event. If it is not empty, it is a new column.
    pub(crate) fn find(
        &mut self,
        i: EventId,
        run: &RecordedRun,
        pasts: &impl Order,
        settings: &Settings,
    ) -> Option<Column> {
        let event = run.at(i);
        let later =
            |object: ObjectId, sends: &[EventId]| pasts.is_any_later(&mut self.memory, run, object, sends, i);
        if !may_race(run, event, later) {
            return None;
        }
        let first = self.candidates.len() as u32;
        let mut finder = Finder { races: self, run, objects: &run.objects, pasts, settings, i, event };
        match event.op {
            Op::Send | Op::Call => finder.send(),
            Op::Receive | Op::Accept => finder.receive(),
            Op::Load => finder.load(),
            _ => finder.completion(),
        }
        let column = Column { event: i, first, len: self.candidates.len() as u32 - first };
        (column.len > 0).then(|| {
            self.columns.push(column);
            column
        })
    }

    pub(crate) fn of(&self, column: &Column) -> &[Candidate] {
        &self.candidates[column.first as usize..(column.first + column.len) as usize]
    }

    pub(crate) fn partners(&self, candidate: Candidate) -> &[EventId] {
        &self.partners[candidate.first as usize..(candidate.first + candidate.len) as usize]
    }
}

/// Finds the race set of one event.
struct Finder<'a, O> {
    races: &'a mut Races,
    run: &'a RecordedRun,
    objects: &'a Table<ObjectId, RecordedObject>,
    pasts: &'a O,
    settings: &'a Settings,
    i: EventId,
    event: &'a Event,
}

impl<O: Order> Finder<'_, O> {
    /// Adds a candidate, unless both the event and all partners of the candidate are old. NOTHING always exists, so it is
    /// always old.
    fn add(&mut self, partners: &[EventId]) {
        if self.event.flags.has(Flags::OLD) && self.are_old(partners) {
            return;
        }
        let first = self.races.partners.len() as u32;
        self.races.partners.extend_from_slice(partners);
        self.races.candidates.push(Candidate { first, len: partners.len() as u32 });
    }

    fn are_old(&self, partners: &[EventId]) -> bool {
        let rules = self.settings.rules;
        let is_old = |m: &EventId| self.run.events[*m].flags.has(Flags::OLD_EFFECT);
        match partners {
            [] => rules.has(Rule::OldNothing),
            _ if !rules.has(Rule::OldPartners) => false,
            several if !rules.has(Rule::OldTogether) => several.iter().any(is_old),
            all => all.iter().all(is_old),
        }
    }

    /// Whether another event does not happen after this one, so that it could exist before it.
    fn not_after(&self, other: EventId) -> bool {
        not_after(self.pasts, self.settings, self.i, other)
    }

    /// The earliest event that may have taken a candidate: sends and calls that were taken before it are not available
    /// here.
    fn earliest(&self) -> EventId {
        if self.settings.rules.has(Rule::NotTaken) { self.i } else { EventId::FIRST }
    }

    fn in_own_past(&self, other: EventId) -> bool {
        self.pasts.in_own(self.run, other, self.i)
    }

    /// Whether NOTHING is no choice, if it would be `untrue`.
    fn is_ruled_out(&self, untrue: bool) -> bool {
        untrue && self.settings.rules.has(Rule::NothingRuledOut)
    }

    /// Whether the event's own past holds a disconnect or hang-up, or all the drops before it: then it has happened.
    fn is_surely_closed(&self, closed: EventId) -> bool {
        if self.in_own_past(closed) {
            return true;
        }
        let drops = self.run.drops(self.run.at(closed));
        !drops.is_empty() && drops.iter().all(|&drop| self.in_own_past(drop))
    }

    /// A delivered send could have picked the receiver's drop, and a send that picked the drop could have been delivered.
    fn send(&mut self) {
        let Some(drop) = self.run.objects[self.event.on()].receiver_drop else { return };
        if self.event.pick == Pick::Nothing {
            if self.not_after(drop) {
                self.add(&[drop]);
            }
        } else if !self.is_ruled_out(self.is_surely_closed(drop)) {
            self.add(&[]);
        }
    }

    fn receive(&mut self) {
        let all: Vec<ObjectId>;
        let open = if !self.settings.rules.has(Rule::Open) {
            all = self.objects.ids().filter(|&o| self.run.objects[o].is_port).collect();
            &all[..]
        } else if self.event.list.len == 0 {
            self.event.object.as_slice()
        } else {
            self.run.ports(self.event.list)
        };
        let own = self.run.partners(self.event);
        let (run, objects, pasts, earliest) = (self.run, self.objects, self.pasts, self.earliest());
        for &port in open {
            let on = &objects[port];
            let first_only = self.is_ordered(on.delivery);
            let untaken = pasts.untaken(&mut self.races.memory, run, port, earliest, first_only);
            for s in O::each(&untaken) {
                if own != [s] && self.not_after(s) && !self.overtakes(on.delivery, s, &untaken) {
                    self.add(&[s]);
                }
            }
            // The disconnect comes after every message, so it is a choice only if no message is left.
            let any_closed = self.event.flags.has(Flags::ANY_CLOSED);
            let is_empty =
                || O::each(&untaken).next().is_none() || !self.settings.rules.has(Rule::DisconnectLast);
            if let Some(closed) = on.closed
                && any_closed
                && own != [closed]
                && self.not_after(closed)
                && is_empty()
            {
                self.add(&[closed]);
            }
            O::give_back(&mut self.races.memory, untaken);
        }
        if self.event.flags.has(Flags::MAY_FAIL) {
            self.nothing(open);
        }
    }

    /// A receive that may return empty-handed could have done so; and one that did could have found the disconnect.
    fn nothing(&mut self, open: &[ObjectId]) {
        let (run, i, pasts, objects) = (self.run, self.i, self.pasts, self.objects);
        let any_closed = self.event.flags.has(Flags::ANY_CLOSED);
        if self.event.pick == Pick::Nothing {
            let must_be_empty = self.settings.rules.has(Rule::DisconnectLast);
            let memory = &mut self.races.memory;
            let mut is_empty = |port| !must_be_empty || !pasts.any_untaken(memory, run, port, i, |_| true);
            let may_be_closed = |&port: &ObjectId| {
                objects[port].closed.is_some_and(|it| not_after(pasts, self.settings, i, it))
                    && is_empty(port)
            };
            if !any_closed && open.iter().all(may_be_closed) {
                let partners: Vec<EventId> = open.iter().filter_map(|&port| objects[port].closed).collect();
                self.add(&partners);
            }
            return;
        }
        let memory = &mut self.races.memory;
        let is_sent = |&port: &ObjectId| {
            // The creation of a timer is in the past of every thread that has it.
            let is_timer = objects[port].kind == Kind::Timer;
            !objects[port].fires_late
                && pasts.any_untaken(memory, run, port, i, |send| is_timer || pasts.in_own(run, send, i))
        };
        let any_sent = open.iter().any(is_sent);
        let is_surely_closed = |&port: &ObjectId| {
            objects[port].closed.is_some_and(|it| self.not_after(it) && self.is_surely_closed(it))
        };
        let sure = any_sent
            || if any_closed { open.iter().any(is_surely_closed) } else { open.iter().all(is_surely_closed) };
        if !self.is_ruled_out(sure) {
            self.add(&[]);
        }
    }

    /// Whether the sends of each thread to a port with such a delivery must be taken in order, so that only the first one of
    /// each that was not taken matters.
    fn is_ordered(&self, delivery: Delivery) -> bool {
        let rules = self.settings.rules;
        rules.has(Rule::CausalDelivery)
            && rules.has(Rule::NotTaken)
            && match delivery {
                Delivery::Mailbox | Delivery::Fifo => true,
                Delivery::Causal => !self.run.has_turns,
                Delivery::Bag => false,
            }
    }

    /// Whether taking `s` would overtake another untaken send that must be received first.
    fn overtakes(&self, delivery: Delivery, s: EventId, untaken: &O::Sends) -> bool {
        let process = |s: EventId| self.run.at(s).process;
        self.settings.rules.has(Rule::CausalDelivery)
            && match delivery {
                Delivery::Causal if self.run.has_turns => {
                    let others: Vec<EventId> = O::each(untaken).collect();
                    self.run.first_before(s, &others, Past::WithoutTurns).is_some()
                }
                Delivery::Mailbox | Delivery::Causal => self.pasts.any_before(untaken, s),
                Delivery::Fifo => O::each(untaken).any(|u| u < s && process(u) == process(s)),
                Delivery::Bag => false,
            }
    }

    /// Another version could have been read: any that is not known to have been overwritten.
    fn load(&mut self) {
        let versions = &self.run.objects[self.event.on()].versions;
        let own = self.run.partners(self.event);
        let mut overwritten = false;
        // A load that polls again takes a version that was not in its past.
        let fresh = self.event.flags.has(Flags::FRESH);
        let versions = match self.settings.rules.has(Rule::NotAfter) {
            true => &versions[..self.pasts.versions_not_after(&self.run.objects[self.event.on()], self.i)],
            false => versions,
        };
        for write in versions.iter().rev().filter_map(|(write, _)| *write) {
            if overwritten {
                break;
            }
            overwritten = self.in_own_past(write) && self.settings.rules.has(Rule::NotOverwritten);
            let is_known = overwritten && fresh;
            if own != [write] && self.not_after(write) && !is_known {
                self.add(&[write]);
            }
        }
        if self.event.pick == Pick::Partners && !overwritten && !fresh {
            self.add(&[]);
        }
    }

    /// Another call could have been completed instead.
    fn completion(&mut self) {
        let host_id = self.run.objects[self.event.on()].host;
        let host = &self.objects[host_id];
        let mut calls = std::mem::take(&mut self.races.calls);
        calls.clear();
        let rules = self.settings.rules;
        if rules.has(Rule::NotTaken) && rules.has(Rule::NotAfter) {
            let memory = &mut self.races.memory;
            self.pasts.add_waiting(memory, self.run, host_id, &host.sending, self.i, &mut calls);
        } else {
            let earliest = self.earliest();
            let is_there =
                |&call: &EventId| !self.run.at(call).is_taken_before(earliest) && self.not_after(call);
            let there = host.sending.iter().copied().filter(is_there);
            calls.extend(there.map(|event| as_call(event, self.run.at(event))));
        }
        let list = self.event.list;
        let (states, waiters) = match host.members.is_empty() {
            true => (States::One(self.run.state_before(self.event)), self.run.list(list)),
            false => (States::Many(self.run.states(list)), &[][..]),
        };
        let (run, pasts, i, objects) = (self.run, self.pasts, self.i, self.objects);
        let choices = Choices {
            run,
            states,
            waiters,
            liberties: self.settings.liberties,
            may_be_early: true,
            at: Some(i),
        };
        let closed = |o: ObjectId| objects[o].closed.filter(|&closed| !pasts.before(i, closed));
        let own = run.partners(self.event);
        choices.each(&calls, closed, |partners, _| {
            if partners != own && !self.is_ruled_out(self.falsely_empty(partners)) {
                self.add(partners);
            }
        });
        if !self.settings.rules.has(Rule::Open) {
            calls
                .iter()
                .map(|call| [call.event])
                .filter(|partners| partners != own)
                .for_each(|partners| self.add(&partners));
        }
        self.races.calls = calls;
    }

    /// Whether a completion would find nothing, or pass over an offer, although a disconnect is known to have happened.
    fn falsely_empty(&self, partners: &[EventId]) -> bool {
        let [call, ..] = *partners else { return false };
        let event = self.run.at(call);
        let known =
            |e: EventId| partners.iter().any(|&partner| self.pasts.before(e, partner)) || self.in_own_past(e);
        let is_known_closed = |object: ObjectId| match self.run.objects[object].closed {
            None => false,
            Some(closed) => {
                known(closed) || self.run.drops(self.run.at(closed)).iter().all(|&drop| known(drop))
            }
        };
        let comes_back = partners.len() == 1 && matches!(event.op, Op::TryTake | Op::TakeTimeout);
        let is_empty = || self.run.was_empty_at(self.event, event.on());
        comes_back && is_empty() && is_known_closed(event.on())
            || self.run.passed_over(partners).any(is_known_closed)
    }
}

/// Whether another event could be there at event `i`: it does not depend on it.
#[inline]
fn not_after(pasts: &impl Order, settings: &Settings, i: EventId, other: EventId) -> bool {
    !pasts.before(i, other) || !settings.rules.has(Rule::NotAfter)
}
