//! The events of a run that constraints of real objects may concern, found once for the run and all its variants.

use super::set::Set;
use insyn_engine::ids::{EventId, ObjectId, Values};
use insyn_engine::record::event::{Flags, Op};
use insyn_engine::record::run::RecordedRun;

/// The events that constraints may concern. If the run cannot be inconsistent, they are not computed.
#[derive(Default, Debug)]
pub(crate) struct Relevant {
    /// The run, or a variant of it, could be inconsistent.
    pub(crate) may_be_inconsistent: bool,
    /// The events that constraints may concern, in order.
    pub events: Vec<EventId>,
    /// The events that are black.
    pub(super) black: Set,
    /// Memory: by port, the last send so far.
    last_sent: Values<ObjectId, Option<EventId>>,
}

impl Relevant {
    /// Whether the run could be inconsistent, judging without its pasts. If it could not, neither could its variants.
    pub(crate) fn is_in_doubt(&mut self, run: &RecordedRun) -> bool {
        // A single queue cannot contradict itself; it takes two, or a receive that found nothing.
        self.may_be_inconsistent = run.may_find_nothing
            || run.ports > 1 && self.races_at_two(run, |a, b| is_plainly_before(run, a, b));
        self.may_be_inconsistent
    }

    /// Reads the run; `before` returns whether one event happens before another. Returns whether the run, or a variant of
    /// it, could be inconsistent.
    pub(crate) fn read(&mut self, run: &RecordedRun, before: impl Fn(EventId, EventId) -> bool) -> bool {
        self.may_be_inconsistent = run.may_find_nothing || self.races_at_two(run, before);
        if self.may_be_inconsistent {
            self.list(run);
        }
        self.may_be_inconsistent
    }

    /// The relevant events of a run, whether or not it could be inconsistent.
    pub(crate) fn of(run: &RecordedRun) -> Self {
        let mut relevant = Relevant { may_be_inconsistent: true, ..Relevant::default() };
        relevant.list(run);
        relevant
    }

    /// Whether messages or loads race at two objects. (If the sends to a port are ordered, so are its receives.)
    fn races_at_two(&mut self, run: &RecordedRun, before: impl Fn(EventId, EventId) -> bool) -> bool {
        self.last_sent.fill(run.objects.len(), None);
        let mut racing = None;
        for (i, event) in run.events.pairs() {
            // Most events cannot race.
            if !CAN_RACE[event.op as usize] {
                continue;
            }
            let races = event.op == Op::Load || {
                let last = self.last_sent[event.on()].replace(i);
                last.is_some_and(|last| !before(last, i))
            };
            if races {
                if racing.is_some() && racing != event.object {
                    return true;
                }
                racing = event.object;
            }
        }
        false
    }

    fn list(&mut self, run: &RecordedRun) {
        // Any completion on a timeline may have found nothing.
        let all_matter = run.may_find_nothing && run.objects.iter().any(|o| !o.is_port);
        self.list_events(run, all_matter);
    }

    fn list_events(&mut self, run: &RecordedRun, all_matter: bool) {
        self.black.clear_for(run.events.len());
        self.events.clear();
        for (i, event) in run.events.pairs() {
            if event.flags.has(Flags::BLACK) {
                self.black.insert(i);
            }
            if all_matter || MATTERS[event.op as usize] || event.flags.has(Flags::WRITES) {
                self.events.push(i);
            }
        }
    }
}

/// By operation: whether something may race at the object of such an event.
const CAN_RACE: [bool; Op::ALL.len()] = {
    let mut can_race = [false; Op::ALL.len()];
    let mut n = 0;
    while n < can_race.len() {
        can_race[n] = matches!(Op::ALL[n], Op::Load | Op::Send | Op::Call | Op::DropReceiver);
        n += 1;
    }
    can_race
};

/// By operation: whether constraints of ports and variables may concern it.
const MATTERS: [bool; Op::ALL.len()] = {
    let mut matters = CAN_RACE;
    let mut n = 0;
    while n < matters.len() {
        matters[n] |= matches!(Op::ALL[n], Op::Receive | Op::Accept | Op::HangUp | Op::Disconnect);
        n += 1;
    }
    matters
};

/// Whether `a` obviously happens before `b`, without pasts: both belong to one process, or the process of `b` has taken `a`
/// before.
fn is_plainly_before(run: &RecordedRun, a: EventId, b: EventId) -> bool {
    let process = run.at(b).process;
    let is_taken = || run.at(a).taken_by.is_some_and(|by| by < b && run.at(by).process == process);
    run.at(a).process == process || is_taken()
}
