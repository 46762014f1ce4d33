//! Events of a program as specifications and tests name them.
//!
//! A call and its completion are one event, which is where the completion is; a call without completion has not happened.

use std::fmt;

use crate::order::Order;
use crate::sequence::{EventRef, Label, Op, Pick, Process};
use crate::views::listed;

/// An event of a program, with everything that specifications and tests use.
#[derive(Clone, Debug)]
pub struct ObservedEvent<'a> {
    /// What happened.
    pub op: Op,
    /// The object that it is about.
    pub object: Option<Named<'a>>,
    /// The thread that did it, or those whose calls were completed.
    pub threads: Vec<Named<'a>>,
    /// What it took.
    pub took: Took<'a>,
    /// What the program called the moment.
    pub label: Option<&'a Label>,
}

/// The id and the name of a thread or object.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// Its id in the sequence.
    pub id: &'a str,
    /// The name that the program gave it.
    pub name: Option<&'a str>,
}

/// What an event took.
#[derive(Clone, Debug)]
pub enum Took<'a> {
    /// Nothing was available, or the event takes nothing.
    Nothing,
    /// No thread was left that could send.
    Closed,
    /// Events of these threads.
    Threads(Vec<Named<'a>>),
}

impl<'a> From<&'a Process> for Named<'a> {
    fn from(process: &'a Process) -> Self {
        Named { id: &process.id, name: process.name.as_deref() }
    }
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name.unwrap_or_else(|| self.id.rsplit('/').next().unwrap_or_default()))
    }
}

/// The event as text: `accept on entry1 by server`.
impl fmt::Display for ObservedEvent<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.op.word())?;
        if let Some(label) = self.label {
            write!(f, " {}", label.text)?;
        }
        if let Some(object) = self.object {
            write!(f, " on {object}")?;
        }
        let threads = self.threads.iter().enumerate();
        threads
            .into_iter()
            .try_for_each(|(i, thread)| write!(f, " {} {thread}", if i == 0 { "by" } else { "and" }))
    }
}

/// The events of an execution that may be in a word, in the order in which they are [`listed`].
pub fn observed_events<'s>(order: &Order<'s>) -> Vec<(EventRef, ObservedEvent<'s>)> {
    listed(order).into_iter().filter_map(|at| Some((at, observe(order, at)?))).collect()
}

/// Those of some operations, in the canonical order of happens-before.
pub fn observed_events_of<'o, 's>(
    order: &'o Order<'s>,
    is_wanted: impl Fn(Op) -> bool + 'o,
) -> impl Iterator<Item = (EventRef, ObservedEvent<'s>)> + 'o {
    let wanted = order.line().iter().filter(move |&&at| is_wanted(order.sequence().event(at).op));
    wanted.filter_map(|&at| Some((at, observe(order, at)?)))
}

fn observe<'s>(order: &Order<'s>, at: EventRef) -> Option<ObservedEvent<'s>> {
    let sequence = order.sequence();
    let event = sequence.event(at);
    let is_thread = sequence.is_thread(at.process);
    if order.completion(at).is_some() || event.op == Op::Select {
        return None;
    }
    let object = event.object.map(|object| &sequence.processes[object]);
    // A handle for receiving that is not the only one is dropped without a completion.
    let completes =
        event.op != Op::DropReceiver && object.is_some_and(|object| object.kind.completes(event.op));
    if is_thread && completes && event.pick == Pick::None {
        return None;
    }
    let named = |at: EventRef| Named::from(&sequence.processes[at.process]);
    let took = |threads: Vec<Named<'s>>| match threads.is_empty() {
        true if event.pick.partners().is_empty() => Took::Nothing,
        true => Took::Closed,
        false => Took::Threads(threads),
    };
    let (threads, took) = if is_thread && completes {
        // A reader that has no order among others: it has the name that it would have in one.
        (vec![named(at)], Took::Threads(vec![named(at)]))
    } else if is_thread {
        let partners = event.pick.partners().iter().filter(|it| sequence.is_thread(it.process));
        (vec![named(at)], took(partners.map(|&it| named(it)).collect()))
    } else {
        let callers: Vec<Named<'s>> = order.completed(at).map(named).collect();
        (callers.clone(), took(callers))
    };
    Some(ObservedEvent {
        op: event.op,
        object: object.map(Named::from),
        threads,
        took,
        label: event.label.as_ref(),
    })
}
