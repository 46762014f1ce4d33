//! Vector timestamps as the literature assigns them: with a component for each thread, or for each object.
//!
//! They are what an instrumented program can compute while it runs, and shorter than the clocks behind
//! [`Order`], which have a component for every process. In return they do not decide everything; where they
//! cannot, the answer here is `None`.
//!
//! Both schemes give each thread and object a vector, take the maximum of vectors where events synchronize, and
//! increment a component at certain events. Every meeting is a direct predecessor in [`Order`]: an event's
//! previous one (its process's own vector), its partner (the timestamp a message carries), the completion of the
//! thread's last call (what the thread receives when an operation or a synchronous send finishes). So in both, the
//! timestamp of an event is the maximum of its direct predecessors' timestamps, incremented or not:
//!
//! - **Thread-centric** ([`ThreadCentric`]). A thread increments its own component at each of its events: the
//!   sends and receives of asynchronous programs, the calls of synchronous ones. Objects have no component;
//!   a completion takes the maximum of the object's vector and the call's timestamp, and at a rendezvous of both
//!   calls'. When a synchronous send finishes, the sender's *vector* takes over the receive's timestamp, not the
//!   send's *timestamp*: the start of a send happens before the receive and stays concurrent with other sends.
//! - **Object-centric** ([`ObjectCentric`]). Sending events (calls, sends, and what else is no receiving event)
//!   increment nothing. A receiving event on an object increments the object's component. The rules as printed
//!   (7.5.4.2, rule 2) only take the maximum there, though the text before them has version numbers incremented;
//!   without the increment every timestamp would be zero. Incrementing at receiving events, and at those
//!   only, is what makes propositions 6.2 and 6.3 hold: then the `n`-th receiving event on `O` has `n` in
//!   component `O`, and another event has at least `n` there exactly if that event is in its past. Were sending
//!   events to increment it too, a call would carry the number of a completion that comes later.
//!   Objects that share a timeline share the component of the object that holds it. A load of a variable, or a
//!   question whether a thread has ended, is no receiving event in this sense: such events on one object are
//!   not ordered, and they leave no trace.

use thiserror::Error;

use crate::order::Order;
use crate::sequence::{EventRef, Kind, Op, Pick};

/// Timestamps with one component for each thread.
#[derive(Clone, Debug)]
pub struct ThreadCentric<'o> {
    order: &'o Order<'o>,
    components: Components,
    stamps: Stamps,
}

impl<'o> ThreadCentric<'o> {
    /// Assigns the timestamps.
    pub fn of(order: &'o Order<'o>) -> ThreadCentric<'o> {
        let sequence = order.sequence();
        let components = Components::of(sequence.processes.len(), |process| sequence.is_thread(process));
        let mut stamps = Stamps::new(order);
        for &at in order.line() {
            let mut stamp = stamps.maximum(order, at, components.processes.len());
            if let Some(own) = components.index[at.process] {
                stamp[own] += 1;
            }
            stamps.set(at, stamp);
        }
        ThreadCentric { order, components, stamps }
    }

    /// The threads that the components stand for, as indices of processes.
    pub fn threads(&self) -> &[usize] {
        &self.components.processes
    }

    /// The timestamp of an event.
    pub fn stamp(&self, at: EventRef) -> &[usize] {
        self.stamps.get(at)
    }

    /// Whether `a` happens before `b`, by proposition 6.1: they are a synchronization pair, or
    /// `a.ts[a.tid] <= b.ts[a.tid]` and `a.ts[b.tid] < b.ts[b.tid]`, where `tid` is the thread that executed the
    /// event. (A completion and any offer of the select that it ends are such a pair.)
    ///
    /// The proposition assumes that no event but the completion comes after a call. So it does not apply to the completion of
    /// calls that have [been left waiting](Order::left_waiting) before. If `b` is one, the second condition, which
    /// is that `b` does not happen before `a`, is not needed, as the first is exact.
    ///
    /// None if one of them was executed by no thread (a disconnect), or if `a` is the completion of a call that was
    /// left waiting before.
    pub fn happens_before(&self, a: EventRef, b: EventRef) -> Option<bool> {
        let (a_executed, b_executed) = (self.executed(a)?, self.executed(b)?);
        if a_executed.was_known {
            return None;
        }
        let (a_stamp, b_stamp) = (self.stamp(a), self.stamp(b));
        let pair = self.order.passed(a) == Some(b);
        let knows = a_stamp[a_executed.thread] <= b_stamp[a_executed.thread];
        let earlier = b_executed.was_known || a_stamp[b_executed.thread] < b_stamp[b_executed.thread];
        Some(pair || knows && earlier)
    }

    /// The thread that executed an event: its own, or the one whose call it completes. Where there are several, any will
    /// do whose call was not picked before, as the completion is the next thing to happen in all of them.
    fn executed(&self, at: EventRef) -> Option<Executed> {
        if let Some(thread) = self.components.index[at.process] {
            return Some(Executed { thread, was_known: false });
        }
        let executed = self.order.completed(at).filter_map(|call| {
            let thread = self.components.index[call.process]?;
            Some(Executed { thread, was_known: self.order.picked(call) != Some(at) })
        });
        executed.min_by_key(|it| it.was_known)
    }
}

/// The thread that executed an event, as the number of its component.
struct Executed {
    thread: usize,
    /// Whether the event is a completion, and others knew of the call before it.
    was_known: bool,
}

/// Timestamps with one component for each object: version vectors.
#[derive(Clone, Debug)]
pub struct ObjectCentric<'o> {
    order: &'o Order<'o>,
    components: Components,
    stamps: Stamps,
}

/// Two receives on one object that nothing orders: with them the object has no version numbers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "{second} is a receive on {object}, and an earlier receive there does not happen before it; \
     objects with concurrent receives need thread-centric timestamps"
)]
pub struct ConcurrentReceives {
    /// Id of the object.
    pub object: String,
    /// The later receive by the canonical total order, as `process-id#index`.
    pub second: String,
}

impl<'o> ObjectCentric<'o> {
    /// Assigns the timestamps. The receiving events are the completions on objects and the receives from
    /// channels, ports, entries and timers; a disconnect is a sending event of no thread.
    ///
    /// # Errors
    /// If receives from one channel, port, entry or timer are concurrent. Objects that complete calls put them in order.
    pub fn of(order: &'o Order<'o>) -> Result<ObjectCentric<'o>, ConcurrentReceives> {
        let sequence = order.sequence();
        let components = Components::of(sequence.processes.len(), |process| !sequence.is_thread(process));
        let mut versions = vec![0; components.processes.len()];
        let mut stamps = Stamps::new(order);
        for &at in order.line() {
            let mut stamp = stamps.maximum(order, at, versions.len());
            if let Some(object) = receiving(order, at).and_then(|object| components.index[object]) {
                if stamp[object] != versions[object] {
                    return Err(ConcurrentReceives {
                        object: sequence.processes[components.processes[object]].id.clone(),
                        second: sequence.event_name(at),
                    });
                }
                stamp[object] += 1;
                versions[object] += 1;
            }
            stamps.set(at, stamp);
        }
        Ok(ObjectCentric { order, components, stamps })
    }

    /// The objects that the components stand for, as indices of processes.
    pub fn objects(&self) -> &[usize] {
        &self.components.processes
    }

    /// The timestamp of an event.
    pub fn stamp(&self, at: EventRef) -> &[usize] {
        self.stamps.get(at)
    }

    /// Whether `a` happens before `b`.
    ///
    /// - If both are receiving events, on objects `i` and `j`, by proposition 6.2: `a.ts[i] <= b.ts[i]` and
    ///   `a.ts[j] < b.ts[j]`.
    /// - If only `a` is, by proposition 6.3: `a.ts[i] <= b.ts[i]`.
    /// - If `a` is a call that was completed or left waiting: by what picked it first, since all that comes after the
    ///   call comes after that. Offers of one select, which are made together, are in their own order.
    /// - None for any other sending event `a`, which left no trace in a version vector.
    pub fn happens_before(&self, a: EventRef, b: EventRef) -> Option<bool> {
        if let Some(first) = self.order.picked(a) {
            if self.order.are_offered_together(a, b) {
                return Some(a.index < b.index);
            }
            return if first == b { Some(true) } else { self.happens_before(first, b) };
        }
        let (a_stamp, b_stamp) = (self.stamp(a), self.stamp(b));
        let i = self.object(a)?;
        let knows = a_stamp[i] <= b_stamp[i];
        Some(match self.object(b) {
            Some(j) => knows && a_stamp[j] < b_stamp[j],
            None => knows,
        })
    }

    fn object(&self, at: EventRef) -> Option<usize> {
        receiving(self.order, at).and_then(|object| self.components.index[object])
    }
}

/// The object on which an event is a receiving event.
fn receiving(order: &Order<'_>, at: EventRef) -> Option<usize> {
    let sequence = order.sequence();
    let event = sequence.event(at);
    if !sequence.is_thread(at.process) {
        return matches!(event.pick, Pick::Partners(_)).then_some(at.process);
    }
    let object = event.object?;
    let kind = sequence.processes[object].kind;
    let delivers = matches!(kind, Kind::Channel | Kind::Port | Kind::Entry | Kind::Timer);
    (delivers && matches!(event.op, Op::Receive | Op::Accept)).then_some(object)
}

/// Which processes have a component, and which.
#[derive(Clone, Debug)]
struct Components {
    processes: Vec<usize>,
    index: Vec<Option<usize>>,
}

impl Components {
    fn of(count: usize, has_one: impl Fn(usize) -> bool) -> Components {
        let processes: Vec<usize> = (0..count).filter(|&process| has_one(process)).collect();
        let mut index = vec![None; count];
        for (component, &process) in processes.iter().enumerate() {
            index[process] = Some(component);
        }
        Components { processes, index }
    }
}

/// The timestamps assigned so far, by process and index.
#[derive(Clone, Debug)]
struct Stamps(Vec<Vec<Vec<usize>>>);

impl Stamps {
    fn new(order: &Order<'_>) -> Stamps {
        Stamps(order.sequence().processes.iter().map(|it| vec![Vec::new(); it.events.len()]).collect())
    }

    fn get(&self, at: EventRef) -> &[usize] {
        &self.0[at.process][at.index]
    }

    fn set(&mut self, at: EventRef, stamp: Vec<usize>) {
        self.0[at.process][at.index] = stamp;
    }

    fn maximum(&self, order: &Order<'_>, at: EventRef, width: usize) -> Vec<usize> {
        let mut maximum = vec![0; width];
        for &earlier in order.predecessors(at) {
            for (own, &other) in maximum.iter_mut().zip(self.get(earlier)) {
                *own = other.max(*own);
            }
        }
        maximum
    }
}
