//! Vector timestamps as the literature assigns them: with a component for each thread, or for each object.
//!
//! They are what an instrumented program can compute while it runs, and shorter than the clocks behind
//! [`Order`], which have a component for every process. In return they do not decide everything; where they
//! cannot, the answer here is `None`.
//!
//! Both schemes give each thread and object a vector, take the maximum of vectors where events meet, and
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
//!   events to increment it too, a call would carry the number of a completion that it does not know of.

use thiserror::Error;

use crate::order::Order;
use crate::sequence::{EventRef, Kind, Op};

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
    /// event. None if one of them was executed by no thread: a disconnect.
    pub fn happens_before(&self, a: EventRef, b: EventRef) -> Option<bool> {
        let (a_thread, b_thread) = (self.thread(a)?, self.thread(b)?);
        let (a_stamp, b_stamp) = (self.stamp(a), self.stamp(b));
        let pair = self.order.completion(a) == Some(b);
        Some(pair || a_stamp[a_thread] <= b_stamp[a_thread] && a_stamp[b_thread] < b_stamp[b_thread])
    }

    /// The component of the thread that executed an event: its own, or the one whose call it completes. At a
    /// rendezvous either will do, as the completion is the next thing to happen in both.
    fn thread(&self, at: EventRef) -> Option<usize> {
        let own = self.components.index[at.process];
        let callers = self.order.sequence().event(at).pick.partners().iter();
        own.or_else(|| callers.filter_map(|call| self.components.index[call.process]).next())
    }
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
    /// channels, ports and entries; a disconnect is a sending event of no thread.
    ///
    /// # Errors
    /// If receives from one channel, port or entry are concurrent. Objects that complete calls put them in order.
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
    /// - If `a` is a call that was completed: by its completion, since nothing but that comes directly after it.
    /// - None for any other sending event `a`, which left no trace in a version vector.
    pub fn happens_before(&self, a: EventRef, b: EventRef) -> Option<bool> {
        if let Some(completion) = self.order.completion(a) {
            return if completion == b { Some(true) } else { self.happens_before(completion, b) };
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
        let completes = event.pick.partners().iter().any(|call| sequence.is_thread(call.process));
        return completes.then_some(at.process);
    }
    let object = event.object?;
    let delivers = matches!(sequence.processes[object].kind, Kind::Channel | Kind::Port | Kind::Entry);
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
