//! Shared variables. Writes complete in an order on the variable, each giving it a new version; a load happens on the
//! reading thread and picks a version, so loads do not order each other.

use crate::access::with;
use crate::calls;
use crate::calls::completions;
use crate::ids::{EventId, ExecutionId, ObjectId};
use crate::objects::{Answer, Argument, State, Update, atomic};
use crate::record::event::{Flags, Kind, Op, Pick, Span};
use crate::schedule::polls;
use crate::schedule::steps::{begin, wait};
use crate::threads::WaitFor;
use crate::{Engine, Place, Plan};

/// Makes a variable.
pub fn new(execution: ExecutionId, initial: u64) -> ObjectId {
    let state = State::Atomic(atomic::State { value: initial });
    let object = completions::new_object(execution, Kind::Atomic, state);
    with(execution, |engine| {
        engine.run.ports += 1;
        engine.run.objects[object].versions.push((None, initial));
    });
    object
}

/// Reads a variable.
#[track_caller]
pub fn load(execution: ExecutionId, object: ObjectId, place: Place) -> u64 {
    if with(execution, |engine| engine.settings.ordered_loads) {
        return match calls::call(execution, object, Op::Observe, place) {
            Answer::Read(value) => value,
            answer => unreachable!("a load reads a value, not {answer:?}"),
        };
    }
    let seen = load_version(execution, object, place);
    with(execution, |engine| {
        let versions = &engine.run.objects[object].versions;
        // Mostly it is the last. They are in the order of their writes.
        let last = versions.last().filter(|(write, _)| *write == seen);
        let found = last.or_else(|| {
            let at = versions.binary_search_by_key(&seen, |(write, _)| *write).ok()?;
            versions.get(at)
        });
        found.expect("a version that was picked is there").1
    })
}

/// Writes a variable.
#[track_caller]
pub fn store(execution: ExecutionId, object: ObjectId, value: u64, place: Place) {
    let _ = change(execution, object, Op::Store, Argument::Update(|_, a, _| Some(a), value, 0), place);
}

/// Reads a variable and, if `update` returns a value, writes it in the same step. Returns the old value, as an error if
/// nothing was written.
#[track_caller]
pub fn update(
    execution: ExecutionId,
    object: ObjectId,
    f: Update,
    a: u64,
    b: u64,
    place: Place,
) -> Result<u64, u64> {
    change(execution, object, Op::Update, Argument::Update(f, a, b), place)
}

/// As [`update`], which writes `new` if the variable is `expected`; may fail spuriously, if the exploration allows it.
#[track_caller]
pub fn update_weakly(
    execution: ExecutionId,
    object: ObjectId,
    f: Update,
    expected: u64,
    new: u64,
    place: Place,
) -> Result<u64, u64> {
    change(execution, object, Op::Update, Argument::WeakUpdate(f, expected, new), place)
}

/// The value that was written last. This is no event: the caller has exclusive access to the variable.
#[track_caller]
pub fn latest(execution: ExecutionId, object: ObjectId) -> u64 {
    with(execution, |engine| engine.run.objects[object].versions.last().expect("it has an initial value").1)
}

/// The caller, which has exclusive access to the variable, has changed it.
#[track_caller]
pub fn reset(execution: ExecutionId, object: ObjectId, value: u64) {
    with(execution, |engine| {
        engine.run.objects[object].versions.last_mut().expect("it has an initial value").1 = value;
        engine.objects[object].state = State::Atomic(atomic::State { value });
    });
}

#[track_caller]
fn change(
    execution: ExecutionId,
    object: ObjectId,
    op: Op,
    argument: Argument,
    place: Place,
) -> Result<u64, u64> {
    match calls::call_with(execution, object, op, argument, place) {
        Answer::Wrote { old, .. } => Ok(old),
        Answer::Kept(old) => Err(old),
        Answer::Missed(old) => {
            with(execution, |engine| engine.threads[engine.schedule.running].failed_early += 1);
            Err(old)
        }
        answer => unreachable!("a write tells what was there, not {answer:?}"),
    }
}

/// How often the updates of a thread may fail spuriously in one execution, if spurious failures are on.
const EARLY_FAILURES: u32 = 2;

/// Picks a version: the completion that wrote it, or none for the first.
#[track_caller]
pub(crate) fn load_version(execution: ExecutionId, object: ObjectId, place: Place) -> Option<EventId> {
    let (polls_again, is_tested) = with(execution, |engine| {
        let polls_again = engine.polls_again(object, place);
        (polls_again, polls_again && engine.is_tested())
    });
    if is_tested {
        polls::count_tested_poll();
        return with(execution, |engine| engine.latest_version(object));
    }
    let flags = if polls_again { Flags::FRESH } else { Flags::default() };
    let look = |engine: &mut Engine| {
        let version = engine.try_load(object, flags, place);
        if let Err(on) = version {
            engine.block(on, place);
            engine.schedule.reading += 1;
            engine.threads[engine.schedule.running].poll.is_waiting = polls_again;
        }
        version
    };
    let mut found = begin(execution, look);
    loop {
        if let Ok(version) = found {
            return version;
        }
        wait();
        found = with(execution, |engine| {
            engine.schedule.reading -= 1;
            engine.threads[engine.schedule.running].poll.is_waiting = false;
            match polls_again && engine.is_tested() {
                true => Ok(engine.latest_version(object)),
                false => look(engine),
            }
        });
    }
}

impl Engine {
    /// Whether an update of the running thread may still fail spuriously. Without a limit, a loop around it would never
    /// end.
    pub(super) fn may_fail_early(&self) -> bool {
        self.settings.liberties.spurious_failures
            && self.threads[self.schedule.running].failed_early < EARLY_FAILURES
    }

    /// The running thread offers to update a variable, and to fail if it is `expected`; one of the two offers is taken.
    #[cold]
    #[inline(never)]
    pub(super) fn offer_update(
        &mut self,
        object: ObjectId,
        expected: u64,
        polls_again: bool,
        place: Place,
    ) -> EventId {
        let me = self.schedule.running;
        self.record_thread(Op::Select, None, place);
        let update = match polls_again {
            true => self.poll_again(object, Op::OfferUpdate, place),
            false => self.offer(object, Op::OfferUpdate, Flags::default(), place),
        };
        let failure = self.offer(object, Op::OfferFailure, Flags::default(), place);
        let expected = State::Atomic(atomic::State { value: expected }).snapshot();
        self.run.events[failure].list = self.run.push_seen(expected);
        self.threads[me].offers = 2;
        update
    }

    fn try_load(&mut self, object: ObjectId, flags: Flags, place: Place) -> Result<Option<EventId>, WaitFor> {
        let process = self.threads[self.schedule.running].process;
        let versions = &self.run.objects[object].versions;
        let version = match self.plan(process) {
            Plan::Fixed(past) => {
                let version = match self.script.takes(past) {
                    [] => None,
                    [write, ..] => Some(self.again(*write).map_err(WaitFor::Event)?),
                };
                let is_its = version.is_none_or(|it| self.run.at(it).object == Some(object));
                if !is_its || self.script.doubtful && !self.may_see(object, version) {
                    return Err(self.leave_script(process));
                }
                version
            }
            Plan::Renewed => {
                let mut writes = versions.iter().rev().filter_map(|(write, _)| *write);
                let fresh = writes.find(|&write| !self.is_old(write));
                Some(fresh.ok_or(WaitFor::Version { object })?)
            }
            Plan::Free => {
                let latest = self.latest_version(object);
                if flags.has(Flags::FRESH) && latest.is_none_or(|it| self.is_in_past(it)) {
                    return Err(WaitFor::Version { object });
                }
                latest
            }
        };
        let (pick, partners) =
            if version.is_none() { (Pick::Nothing, &[][..]) } else { (Pick::Partners, version.as_slice()) };
        self.record_pick(Op::Load, Some(object), pick, partners, Span::default(), flags, place);
        self.note_poll(object, place);
        Ok(version)
    }

    fn latest_version(&self, object: ObjectId) -> Option<EventId> {
        self.run.objects[object].versions.last().and_then(|(write, _)| *write)
    }

    /// Whether no later version is in the past of the running thread.
    #[cold]
    #[inline(never)]
    fn may_see(&self, object: ObjectId, version: Option<EventId>) -> bool {
        let versions = &self.run.objects[object].versions;
        // The first of the versions after it: if that is not in the past, no later one is.
        let next = match versions.binary_search_by_key(&version, |(write, _)| *write) {
            Ok(at) => versions.get(at + 1),
            Err(_) if version.is_none() => versions.first(),
            Err(_) => return false,
        };
        !next.is_some_and(|(write, _)| write.is_some_and(|it| self.is_in_past(it)))
    }

    /// Wakes the threads that wait to read a version.
    pub(crate) fn wake_readers(&mut self, object: ObjectId, write: EventId) {
        if self.schedule.reading == 0 {
            return;
        }
        let name = self.name_of(write);
        for t in self.threads.ids() {
            let waits = self.threads[t].waits_for;
            if waits == WaitFor::Event(name) || waits == (WaitFor::Version { object }) {
                self.wake(t);
            }
        }
    }
}
