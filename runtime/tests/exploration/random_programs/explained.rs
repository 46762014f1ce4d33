//! Failures of random programs: the one that is shown is the shortest, by brute force; and what is named as its cause fits the
//! definition of that cause, evaluated here on all sequences, by names and without the code that finds causes.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::{Arc, Mutex};

use insyn::sequences::causes::{self, Cause};
use insyn::sequences::failing::Failing;
use insyn::sequences::{Event, EventRef, Kind, Op, Order, Sequence};
use insyn::{Exploration, Explorer, Failure, Termination};

use super::replayed::begins;
use super::{Setting, report, truth};
use crate::oracle::enumerate::{Behaviour, End};
use crate::oracle::generate::{Family, generate};
use crate::oracle::interpret;

/// Programs with more executions than this are left out.
const MOST_EXECUTIONS: u64 = 400;

/// A sequence that an exploration has shown.
struct Shown {
    path: Vec<u64>,
    sequence: Sequence,
    termination: Termination,
    failing: Option<Failing>,
}

/// How many failures of a family were compared, and how many of them have each cause.
#[derive(Default)]
pub(crate) struct Totals {
    failures: u64,
    pub(crate) causes: BTreeMap<String, u64>,
}

/// Compares the failures of programs of a family.
pub(crate) fn agree(family: Family, seeds: Range<u64>) {
    let mut totals = Totals::default();
    for seed in seeds {
        if let Err(difference) = compare(family, seed, &mut totals) {
            panic!("{family:?}, seed {seed}: {difference}\n{}", generate(family, seed));
        }
    }
    report(&format!("{family:?}: {} failures; causes: {:?}", totals.failures, totals.causes));
}

fn compare(family: Family, seed: u64, totals: &mut Totals) -> Result<(), String> {
    let program = Arc::new(generate(family, seed));
    let setting = Setting::of(family, seed);
    let Some(truth) = truth(&program, setting).filter(|it| it.behaviours.len() as u64 <= MOST_EXECUTIONS)
    else {
        return Ok(());
    };
    let run = {
        let program = Arc::clone(&program);
        move || interpret::run(&program)
    };
    let Some(found) = judge(setting.explorer(), run, totals)? else { return Ok(()) };
    // The oracle knows nothing of places; its shortest deadlock is the shortest of all.
    let deadlocks = truth.behaviours.iter().filter(|it| it.end == End::Deadlock);
    let shortest = found.failures.iter().filter(|it| it.termination == Termination::Deadlock);
    let (expected, shortest) = (deadlocks.map(steps).min(), shortest.map(|it| it.steps).min());
    if expected != shortest && found.left_out == 0 {
        return Err(format!("the shortest deadlock has {expected:?} steps, and {shortest:?} here"));
    }
    Ok(())
}

/// Explores a program and compares its failures with all that it can do: none if that is too much.
pub(crate) fn judge(
    explorer: Explorer,
    program: impl Fn() + Send + Sync + 'static,
    totals: &mut Totals,
) -> Result<Option<Exploration>, String> {
    let shown: Arc<Mutex<(u32, Vec<Shown>)>> = Arc::default();
    let collect = Arc::clone(&shown);
    let explorer = explorer.observe(move |ended| {
        let mut shown = collect.lock().expect("nothing panics");
        if ended.round() > shown.0 {
            *shown = (ended.round(), Vec::new());
        }
        if ended.counted() && ended.termination() != Termination::Nondeterminism {
            let failing = ended.failure().map(|failure| failure.facts());
            let (path, sequence) = (ended.path(), ended.sequence());
            shown.1.push(Shown { path, sequence, termination: ended.termination(), failing });
        }
    });
    let found = explorer.explain(program);
    if !found.is_complete() || found.executions > MOST_EXECUTIONS {
        return Ok(None);
    }
    let all = std::mem::take(&mut shown.lock().expect("nothing panics").1);
    for failure in &found.failures {
        is_shortest(failure, &all)?;
        totals.failures += 1;
        if let Some(cause) = causes::of(&failure.sequence, &failure.facts()) {
            fits(&cause, failure, &all).map_err(|why| format!("{cause:?}: {why}\n{failure}"))?;
            let name = format!("{cause:?}");
            let name = name.split(' ').next().unwrap_or_default().to_owned();
            *totals.causes.entry(name).or_default() += 1;
        }
    }
    Ok(Some(found))
}

/// How many steps a behaviour of the oracle has: events of threads, where what several complete together is one.
fn steps(behaviour: &Behaviour) -> usize {
    let is_thread =
        |id: &str| id.rsplit('/').next().is_some_and(|it| it == "main" || it.starts_with("thread"));
    let (mut operations, mut together) = (0, 0);
    for line in &behaviour.lines {
        let mut parts = line.split(" | ");
        let process = parts.next().unwrap_or_default().trim_end_matches(':');
        for event in parts {
            let op = event.split(' ').next().unwrap_or_default();
            let partners = event.split_once(" = ").map_or("", |(_, partners)| partners).split(" + ");
            let calls = partners.filter(|it| it.split_once('#').is_some_and(|(id, _)| is_thread(id))).count();
            let leaves_waiting = Op::ALL.iter().any(|it| it.word() == op && it.leaves_waiting());
            match is_thread(process) {
                true => operations += 1,
                false if !leaves_waiting => together += calls.saturating_sub(1),
                false => {}
            }
        }
    }
    operations - together
}

/// What failures have in common that count as one.
fn place(termination: Termination, failing: &Failing) -> (Termination, Vec<String>) {
    let mut places: Vec<String> = match failing.fatal {
        Some(fatal) => vec![failing.panics[fatal].location.clone().unwrap_or_default()],
        None => failing
            .waiting
            .iter()
            .map(|it| it.location.as_ref().map(ToString::to_string).unwrap_or_default())
            .collect(),
    };
    places.sort();
    (termination, places)
}

/// The steps up to a failure.
fn length(sequence: &Sequence, failing: &Failing) -> usize {
    let order = Order::of(sequence).expect("the engine's sequences are in order");
    let is_step = |at: EventRef| match sequence.is_thread(at.process) {
        true => order.completion(at).is_none(),
        false => order.completed(at).next().is_some(),
    };
    let Some(fatal) = failing.fatal else {
        return sequence.events().filter(|&at| is_step(at)).count();
    };
    let panic = &failing.panics[fatal];
    let process = sequence.processes.iter().position(|it| it.id == panic.thread).expect("it is one of them");
    let last: Vec<EventRef> = match panic.after.checked_sub(1) {
        Some(index) => {
            let last = EventRef { process, index };
            let offers = last_taken(&order, last);
            [Some(last), offers].into_iter().flatten().collect()
        }
        None => order.predecessors(EventRef { process, index: 0 }).to_vec(),
    };
    let is_before = |at: EventRef| last.iter().any(|&last| last == at || order.happens_before(at, last));
    let calls_before = |at: EventRef| order.completed(at).any(is_before);
    // A step is before the panic if what began it is.
    sequence.events().filter(|&at| is_step(at) && (is_before(at) || calls_before(at))).count()
}

/// The completion with which a thread went on after its last event: of that call, or of another offer of the same select.
fn last_taken(order: &Order<'_>, last: EventRef) -> Option<EventRef> {
    let offers = (0..=last.index).rev().map(|index| EventRef { index, ..last });
    let offers = offers.take_while(|&at| at == last || order.sequence().event(at).op.is_offer());
    offers.filter_map(|at| order.completion(at)).next()
}

/// The failure that is shown is the shortest at its place, and the first of those.
fn is_shortest(failure: &Failure, all: &[Shown]) -> Result<(), String> {
    let facts = failure.facts();
    let here = place(failure.termination, &facts);
    let same = all.iter().filter_map(|it| Some((it, it.failing.as_ref()?)));
    let same = same.filter(|(it, failing)| place(it.termination, failing) == here);
    let mut ranked: Vec<(usize, &Vec<u64>, &Sequence)> =
        same.map(|(it, failing)| (length(&it.sequence, failing), &it.path, &it.sequence)).collect();
    ranked.sort();
    let &(least, _, sequence) = ranked.first().ok_or("it is none of those that were shown")?;
    if failure.steps != least {
        return Err(format!("the shortest has {least} steps, and it has {}\n{failure}", failure.steps));
    }
    if failure.occurrences != ranked.len() as u64 {
        return Err(format!("{} fail like this, and it says {}", ranked.len(), failure.occurrences));
    }
    if failure.sequence != *sequence {
        return Err(format!("another one is the first of those with {least} steps\n{failure}"));
    }
    Ok(())
}

// ---- causes -------------------------------------------------------------------------------------------------------

/// The failing sequence and all sequences, to evaluate definitions on.
struct Case<'a> {
    sequence: &'a Sequence,
    order: Order<'a>,
    failing: Failing,
    all: &'a [Shown],
}

/// Whether a cause is what its definition says.
fn fits(cause: &Cause, failure: &Failure, all: &[Shown]) -> Result<(), String> {
    let order = Order::of(&failure.sequence).expect("the engine's sequences are in order");
    let case = Case { sequence: &failure.sequence, order, failing: failure.facts(), all };
    let is_deadlock = failure.termination == Termination::Deadlock;
    let holds = match cause {
        Cause::LockOrder { circle } => {
            let next = |i: usize| &circle[(i + 1) % circle.len()];
            is_deadlock
                && circle.len() > 1
                && (0..circle.len()).all(|i| {
                    let link = circle[i];
                    case.holds(link.thread, link.holds)
                        && link.wants == next(i).holds
                        && case.waits_for(link.thread, link.wants)
                })
        }
        Cause::LockedTwice { thread, lock } => {
            is_deadlock && case.holds(*thread, *lock) && case.waits_for(*thread, *lock)
        }
        Cause::CircularWait { threads } => {
            let next = |i: usize| threads[(i + 1) % threads.len()];
            is_deadlock && threads.len() > 1 && (0..threads.len()).all(|i| case.waits_on(threads[i], next(i)))
        }
        Cause::MissedWakeup { wait, notification } => {
            let condvar = notification.process;
            let of = |at: EventRef| &case.sequence.event(at).op;
            let began = case.order.completion(*wait).ok_or("the wait did not begin")?;
            let notified = |at: &EventRef| matches!(of(*at), Op::NotifyOne | Op::NotifyAll);
            let later = case.on(condvar).filter(|at| at.index > began.index).any(|at| notified(&at));
            is_deadlock
                && case.waits_for(wait.process, condvar)
                && began.process == condvar
                && began.index > notification.index
                && notified(notification)
                && !later
                && case.decides(*notification, &[*wait])
        }
        Cause::KeptSender { thread, channel, .. } | Cause::FullChannel { thread, channel } => {
            is_deadlock && case.waits_for(*thread, *channel) && case.all_wait_for(*thread)
        }
        Cause::ForgottenReply { call, accept } => {
            let accepted = case.sequence.event(*accept);
            let is_last = case.sequence.processes[call.process].events.len() == call.index + 1;
            is_deadlock && is_last && accepted.op == Op::Accept && accepted.pick.partners().contains(call)
        }
        Cause::DoubleReceive { channel, first, second, waits } => {
            let by = |at: EventRef| case.order.completed(at).next().map(|call| call.process);
            is_deadlock
                && first.process == *channel
                && second.process == *channel
                && first < second
                && by(*first) == by(*second)
                && case.order.is_open(*waits)
                && by(*first) != Some(waits.process)
                && case.decides(*second, &[*waits])
        }
        Cause::DroppedSender { receive, end } => {
            let event = case.sequence.event(*receive);
            let takes_end = event.pick.partners() == [*end] && case.sequence.event(*end).op == Op::Disconnect;
            let messages = case.alternatives(*receive, |event| event.op == Op::Send);
            case.is_before(*receive)
                && takes_end
                && (case.panics_at(*receive) || messages.iter().any(|it| case.decides(*receive, it)))
        }
        Cause::DroppedReceiver { send, drop } => {
            let event = case.sequence.event(*send);
            let is_refused = event.pick.partners() == [*drop] && event.op == Op::Send;
            case.is_before(*send) && is_refused && (case.panics_at(*send) || case.decides(*send, &[]))
        }
        Cause::LostUpdate { load, lost, store } => {
            let writes = |at: EventRef| case.order.completed(at).next();
            let (lost_by, stored) = (writes(*lost).ok_or("nobody")?, writes(*store).ok_or("nobody")?);
            let seen = case.sequence.event(*load).pick.partners().first().copied();
            let seen = seen.map(|at| case.order.completion(at).unwrap_or(at).index);
            let instead = [vec![lost_by], vec![*lost]];
            case.is_before(*load)
                && lost.process == store.process
                && lost.index < store.index
                && seen.is_none_or(|seen| seen < lost.index)
                && lost_by.process != load.process
                && stored.process == load.process
                && stored.index > load.index
                && instead.iter().any(|it| case.decides(*load, it))
        }
        Cause::NotAtomic { first, between, second } => {
            let by = |at: EventRef| case.order.completed(at).next().map(|call| call.process);
            let own = case.on(between.process).filter(|at| at.index < between.index);
            let mut own = own.filter(|&at| by(at) == Some(second.process));
            let last = own.next_back();
            case.is_before(*between)
                && first.process == between.process
                && by(*first) == Some(second.process)
                && by(*between) != Some(second.process)
                && last.is_some_and(|last| case.sequence.event(last).op == Op::Unlock)
                && case.decides(*between, &[*second])
        }
        other => return Err(format!("{other:?} has no definition here")),
    };
    holds.then_some(()).ok_or_else(|| "the definition does not hold".to_owned())
}

impl Case<'_> {
    fn on(&self, object: usize) -> impl DoubleEndedIterator<Item = EventRef> {
        (0..self.sequence.processes[object].events.len())
            .map(move |index| EventRef { process: object, index })
    }

    /// Whether a thread has taken a lock, by what the lock completed, more often than it has released it.
    fn holds(&self, thread: usize, lock: usize) -> bool {
        let is_own = |at: &EventRef| self.order.completed(*at).any(|call| call.process == thread);
        // Readers that have no order are completed by nothing on the lock.
        let own = (0..self.sequence.processes[thread].events.len())
            .map(|index| EventRef { process: thread, index });
        let free = own.filter(|&at| {
            let event = self.sequence.event(at);
            event.object == Some(lock) && !event.pick.partners().is_empty()
        });
        let mut held = 0_i64;
        for at in self.on(lock).filter(is_own).chain(free) {
            held += match self.sequence.event(at).op {
                Op::Lock
                | Op::TryLock
                | Op::Read
                | Op::TryRead
                | Op::Write
                | Op::TryWrite
                | Op::Enter
                | Op::Reenter
                | Op::Resume => 1,
                Op::Unlock | Op::UnlockRead => -1,
                _ => 0,
            };
        }
        held > 0 || self.sequence.processes[lock].kind == Kind::Monitor
    }

    fn id(&self, process: usize) -> &str {
        &self.sequence.processes[process].id
    }

    fn waits_for(&self, thread: usize, object: usize) -> bool {
        let (thread, object) = (self.id(thread), self.id(object));
        self.failing.waiting.iter().any(|it| it.thread == thread && it.on == [object])
    }

    /// Whether a thread waits for another one: for its end, for a lock that it holds, for its reply, or for it to accept.
    fn waits_on(&self, thread: usize, other: usize) -> bool {
        let Some(waiting) = self.failing.waiting.iter().find(|it| it.thread == self.id(thread)) else {
            return false;
        };
        let Some(object) = self.sequence.processes.iter().position(|it| waiting.on == [it.id.as_str()])
        else {
            return false;
        };
        let accepts = self.sequence.events().filter(|&at| {
            let event = self.sequence.event(at);
            event.op == Op::Accept && event.object == Some(object)
        });
        let servers: BTreeSet<usize> = accepts.map(|at| at.process).collect();
        object == other || servers == BTreeSet::from([other]) || self.holds(other, object)
    }

    /// Whether every other thread that has not ended waits for the end of this one.
    fn all_wait_for(&self, thread: usize) -> bool {
        let mut reached = BTreeSet::from([self.id(thread)]);
        let waiting = &self.failing.waiting;
        for _ in waiting {
            let more = waiting.iter().filter(|it| it.on.len() == 1 && reached.contains(it.on[0].as_str()));
            reached.extend(more.map(|it| it.thread.as_str()).collect::<Vec<_>>());
        }
        waiting.iter().all(|it| reached.contains(it.thread.as_str()))
    }

    /// Whether an event happens before the panic that the execution ended with.
    fn is_before(&self, at: EventRef) -> bool {
        let Some(panic) = self.failing.fatal.map(|fatal| &self.failing.panics[fatal]) else { return false };
        let process = self.sequence.processes.iter().position(|it| it.id == panic.thread);
        let (Some(process), Some(index)) = (process, panic.after.checked_sub(1)) else { return false };
        let last = EventRef { process, index };
        let ends = [Some(last), last_taken(&self.order, last)];
        ends.into_iter().flatten().any(|last| at == last || self.order.happens_before(at, last))
    }

    /// Whether the thread of an event panics in its line, without another event between.
    fn panics_at(&self, at: EventRef) -> bool {
        let Some(panic) = self.failing.fatal.map(|fatal| &self.failing.panics[fatal]) else { return false };
        let place = self.sequence.event(at).location.as_ref().map(|it| format!("{}:{}:", it.file, it.line));
        let is_there = place.is_some_and(|it| panic.location.as_ref().is_some_and(|at| at.starts_with(&it)));
        self.id(at.process) == panic.thread && panic.after == at.index + 1 && is_there
    }

    /// What an event picks in other sequences, if it is of this kind.
    fn alternatives(&self, at: EventRef, is_one: impl Fn(&Event) -> bool) -> Vec<Vec<EventRef>> {
        let sends = self.sequence.events().filter(|&it| it != at && is_one(self.sequence.event(it)));
        sends.map(|it| vec![it]).collect()
    }

    /// Whether a pick decides: of all sequences that begin as the failing one does, up to the event, those with this pick pass,
    /// all of them or at least some while no other does.
    fn decides(&self, at: EventRef, instead: &[EventRef]) -> bool {
        let direct = self.order.predecessors_but_partners(at);
        let past: BTreeSet<EventRef> =
            self.sequence.events().filter(|&it| self.is_up_to(it, &direct)).collect();
        let own = self.sequence.event(at).pick.partners();
        let (mut same, mut other) = ([0; 2], [0; 2]);
        for shown in self.all {
            let passes = usize::from(shown.termination == Termination::Normal);
            let picked = self.picked(at, &shown.sequence);
            let agrees = |partners: &[EventRef]| {
                let mut all = past.clone();
                all.extend(self.sequence.events().filter(|&it| self.is_up_to(it, partners)));
                begins(&shown.sequence, &self.cut(&all))
            };
            match picked {
                Some(picked) if picked == self.names(own) && agrees(own) => same[passes] += 1,
                Some(picked) if picked == self.names(instead) && agrees(instead) => other[passes] += 1,
                _ => {}
            }
        }
        other[1] > 0 && (other[0] == 0 || same[1] == 0)
    }

    fn is_up_to(&self, at: EventRef, last: &[EventRef]) -> bool {
        last.iter().any(|&last| at == last || self.order.happens_before(at, last))
    }

    /// The failing sequence with these events only; they are the first of each process.
    fn cut(&self, events: &BTreeSet<EventRef>) -> Sequence {
        let mut cut = self.sequence.clone();
        for (process, it) in cut.processes.iter_mut().enumerate() {
            let kept =
                (0..it.events.len()).take_while(|&index| events.contains(&EventRef { process, index }));
            it.events.truncate(kept.count());
        }
        cut
    }

    fn names(&self, events: &[EventRef]) -> Vec<String> {
        events.iter().map(|&at| self.sequence.event_name(at)).collect()
    }

    /// The names of what an event picks in another sequence, if it is there and picks.
    fn picked(&self, at: EventRef, other: &Sequence) -> Option<Vec<String>> {
        let process = other.processes.iter().find(|it| it.id == self.id(at.process))?;
        let event = process.events.get(at.index)?;
        let partners = event.pick.partners().iter().map(|&it| other.event_name(it));
        (event.pick != insyn::sequences::Pick::None).then(|| partners.collect())
    }
}
