//! From a recorded sequence to its reads and writes: their threads, the versions they observed ([`Accesses`]), and which of
//! them come before others by synchronization that is not through variables ([`required`]).

use std::collections::{BTreeMap, BTreeSet};

use super::{Access, RwEvent, RwSequence, VersionError, VersionErrorKind};
use crate::labels::labels;
use crate::order::Order;
use crate::sequence::{EventRef, Kind, Op, Pick, Sequence};
use crate::topology::smallest_first;

/// Reads a recorded sequence.
pub(super) fn read(sequence: &Sequence) -> Result<RwSequence, VersionError> {
    let order = Order::of(sequence).map_err(VersionErrorKind::Malformed)?;
    let accesses = Accesses::of(&order)?;
    accesses.check_loads(&order)?;
    let found = accesses.of_threads(&order)?;

    let mut threads: Vec<usize> = found.keys().map(|at| at.process).collect();
    threads.dedup();
    let variables: BTreeSet<usize> = found.values().map(|it| it.variable).collect();
    let variables: Vec<usize> = variables.into_iter().collect();
    let labels = labels(sequence.processes.iter().map(|it| (it.id.as_str(), it.name.as_deref())));
    let labelled = |processes: &[usize]| processes.iter().map(|&it| labels[it].clone()).collect();
    let position = |processes: &[usize], it: usize| processes.binary_search(&it).expect("it was collected");

    let mut events = vec![Vec::new(); threads.len()];
    for (&at, it) in &found {
        let variable = position(&variables, it.variable);
        events[position(&threads, at.process)].push(RwEvent {
            access: it.access,
            variable,
            version: it.version,
            at,
        });
    }
    let required = required(&order, &threads, &events);
    Ok(RwSequence { threads: labelled(&threads), variables: labelled(&variables), events, required })
}

/// A read or write of a thread.
struct Found {
    access: Access,
    /// The process.
    variable: usize,
    version: usize,
}

/// The accesses to the variables, as events of the recorded sequence.
struct Accesses {
    /// For each variable its completions, in order.
    completions: BTreeMap<usize, Vec<EventRef>>,
    /// For each load its variable and the write it saw.
    loads: BTreeMap<EventRef, (usize, Option<EventRef>)>,
}

impl Accesses {
    fn of(order: &Order<'_>) -> Result<Accesses, VersionError> {
        let sequence = order.sequence();
        let mut accesses = Accesses { completions: BTreeMap::new(), loads: BTreeMap::new() };
        for at in sequence.events() {
            let Some(variable) = variable(sequence, at) else { continue };
            let event = sequence.event(at);
            if !sequence.is_thread(at.process) {
                accesses.completions.entry(variable).or_default().push(at);
            } else if event.op == Op::Load {
                let seen = match event.pick {
                    Pick::Nothing => None,
                    Pick::Partners(ref partners) if partners.len() == 1 => Some(partners[0]),
                    _ => return Err(no_version(sequence, at)),
                };
                accesses.loads.insert(at, (variable, seen));
            }
        }
        let is_write = |variable, at: EventRef| {
            let completes = !sequence.is_thread(at.process) && self::variable(sequence, at) == Some(variable);
            completes && writes(sequence, at)
        };
        for (&load, &(variable, seen)) in &accesses.loads {
            if seen.is_some_and(|write| !is_write(variable, write)) {
                return Err(no_version(sequence, load));
            }
        }
        Ok(accesses)
    }

    /// Checks that the loads are consistent: each comes before the next write after the one it saw.
    fn check_loads(&self, order: &Order<'_>) -> Result<(), VersionError> {
        let sequence = order.sequence();
        let events: Vec<EventRef> = sequence.events().collect();
        let number: BTreeMap<EventRef, usize> = events.iter().copied().zip(0..).collect();
        let mut predecessors: Vec<Vec<usize>> =
            events.iter().map(|&at| order.predecessors(at).iter().map(|it| number[it]).collect()).collect();
        for (load, write) in self.next_writes(sequence) {
            predecessors[number[&write]].push(number[&load]);
        }
        let Err(cycle) = smallest_first(&predecessors) else { return Ok(()) };
        let events = cycle.into_iter().map(|it| sequence.event_name(events[it])).collect();
        Err(VersionErrorKind::Inconsistent { events }.into())
    }

    /// For each load the write that came next after the version it saw.
    fn next_writes(&self, sequence: &Sequence) -> BTreeMap<EventRef, EventRef> {
        let mut next: BTreeMap<(usize, Option<EventRef>), EventRef> = BTreeMap::new();
        for (&variable, completions) in &self.completions {
            let mut last = None;
            for &write in completions.iter().filter(|&&at| writes(sequence, at)) {
                next.insert((variable, last), write);
                last = Some(write);
            }
        }
        self.loads.iter().filter_map(|(&load, version)| Some((load, *next.get(version)?))).collect()
    }

    /// The reads and writes by the events of the threads that did them.
    fn of_threads(&self, order: &Order<'_>) -> Result<BTreeMap<EventRef, Found>, VersionError> {
        let sequence = order.sequence();
        let mut found = BTreeMap::new();
        let mut version_of: BTreeMap<EventRef, usize> = BTreeMap::new();
        for (&variable, completions) in &self.completions {
            let mut version = 0;
            for &at in completions {
                let writes = writes(sequence, at);
                version += usize::from(writes);
                version_of.insert(at, version);
                let access = if writes { Access::Write } else { Access::Read };
                let event = || sequence.event_name(at);
                let call = order
                    .completed(at)
                    .next()
                    .ok_or_else(|| VersionErrorKind::NoThread { event: event() })?;
                found.insert(call, Found { access, variable, version });
            }
        }
        for (&load, &(variable, seen)) in &self.loads {
            let version = seen.map_or(0, |write| version_of[&write]);
            found.insert(load, Found { access: Access::Read, variable, version });
        }
        Ok(found)
    }
}

/// Whether a completion on a variable is a write.
fn writes(sequence: &Sequence, at: EventRef) -> bool {
    matches!(sequence.event(at).op, Op::Store | Op::Update)
}

fn no_version(sequence: &Sequence, load: EventRef) -> VersionError {
    VersionErrorKind::NoVersion { load: sequence.event_name(load) }.into()
}

/// The variable that an event reads, writes or inspects.
fn variable(sequence: &Sequence, at: EventRef) -> Option<usize> {
    let event = sequence.event(at);
    let object = event.object.filter(|&it| sequence.processes[it].kind == Kind::Atomic)?;
    let accesses = matches!(event.op, Op::Load | Op::Store | Op::Update | Op::FailedUpdate | Op::Observe);
    accesses.then_some(object)
}

/// By thread and event, how many events of each thread happen before it even if variables order nothing: neither
/// their completions each other, nor writes the loads that see them.
fn required(order: &Order<'_>, threads: &[usize], events: &[Vec<RwEvent>]) -> Vec<Vec<Vec<usize>>> {
    let sequence = order.sequence();
    let numbers: BTreeMap<EventRef, (usize, usize)> = events
        .iter()
        .enumerate()
        .flat_map(|(thread, all)| all.iter().enumerate().map(move |(i, it)| (it.at, (thread, i))))
        .collect();
    let mut pasts: BTreeMap<EventRef, Vec<usize>> = BTreeMap::new();
    for &at in order.line() {
        let before = match variable(sequence, at) {
            Some(_) if !sequence.is_thread(at.process) => {
                [order.before_by_pick(at), order.before_by_after(at)].concat()
            }
            Some(_) if sequence.event(at).op == Op::Load => {
                [order.before_in_process(at), order.before_by_after(at)].concat()
            }
            _ => order.predecessors(at).to_vec(),
        };
        let mut past = vec![0; threads.len()];
        for earlier in before {
            past.iter_mut().zip(&pasts[&earlier]).for_each(|(own, &other)| *own = other.max(*own));
        }
        if let Some(&(thread, index)) = numbers.get(&at) {
            past[thread] = index + 1;
        }
        pasts.insert(at, past);
    }
    let of_event = |(thread, event): (usize, &RwEvent)| {
        let mut past = pasts[&order.completion(event.at).unwrap_or(event.at)].clone();
        // Up to here the count includes the event itself.
        past[thread] -= 1;
        past
    };
    let of_thread =
        |(thread, all): (usize, &Vec<RwEvent>)| all.iter().map(|it| of_event((thread, it))).collect();
    events.iter().enumerate().map(of_thread).collect()
}
