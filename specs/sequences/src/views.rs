//! Sequences in the form that people read: one SYN-event for each synchronization, in a total order or in partial orders,
//! one for each thread or one for each object.
//!
//! A [`Sequence`] has a call and its completion as two events, since that is what race analysis works on. For
//! reading and replaying they are one *SYN-event*, done by a thread (or by two, at a rendezvous; or more, at a
//! barrier) on an object: the event is where the completion is, and a call that never completed is an event that is
//! [`blocked`](Additional::blocked) or [`withdrawn`](Additional::withdrawn). Three views hold the same SYN-events in
//! different arrangements:
//!
//! | view | arrangement | a complete event |
//! |---|---|---|
//! | [`TotalView`] | one list | threads, object, type |
//! | [`ThreadView`] | a list for each thread | object, its order number on the object, type |
//! | [`ObjectView`] | a list for each object | threads, its order number on each thread, type |
//!
//! and, in each, [`Additional`] information. They convert into each other without loss and have the same
//! happens-before, that of [`Order`]. Each has a `simple` format too, with only what a replay needs:
//! a program that is made to take the same choices reaches the same objects and operations by itself.
//!
//! Two conventions make every event fit every view. An event that no thread does (a disconnect) is listed as done
//! by its object; an event on no object (a join) is listed as on its thread. Operations that no object orders
//! (two threads send to one channel) still need order numbers on it: theirs are taken from the canonical total
//! order, and mean nothing for happens-before. [`Additional::ordered`] is true of the others.
//!
//! Objects that one select joins share one timeline, that of one of them: their completions are listed and numbered
//! on that object, and [`Additional::about`] is the one that is meant. The offers of a select are events of their own.
//! The one that was taken comes last, since the thread went on with it, whatever its place among the arms.
//!
//! The canonical total order of SYN-events is built like [`Order::line`](crate::Order::line): of the events that
//! nothing holds back, the one with the smallest first thread and number on it comes next. But it is one that real objects
//! could have done: messages are sent in the order in which they are received, a thread that finds a channel empty comes
//! before what is received later, and a call that is blocked comes after everything that may block it. All lists and diagrams of
//! sequences are in this order; [`listed`] has the events themselves in it.
//!
//! [`Sequence`]: crate::Sequence

use std::fmt;

use thiserror::Error;

use crate::labels::labels;
use crate::order::Order;
use crate::sequence::{EventRef, Kind, Op, Sequence};
use nodes::Nodes;

mod conversions;
mod gather;
mod lines;
mod nodes;
mod objects;
mod real;
mod simple;
mod threads;
mod total;

pub use objects::{ObjectEvent, ObjectView};
pub use simple::{SimpleEvent, SimpleObjects, SimpleThreads, SimpleTotal};
pub use threads::{ThreadEvent, ThreadView};
pub use total::{TotalEvent, TotalView};

/// The events of a sequence in the order in which lists have them: those that are SYN-events, or complete the calls of one.
pub fn listed(order: &Order<'_>) -> Vec<EventRef> {
    let (_, line, events) = Nodes::in_line(order);
    line.into_iter().map(|node| events[node]).collect()
}

/// A thread or an object, without its events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Party {
    /// Its id in the sequence.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// The name the program gave it.
    pub name: Option<String>,
}

/// An order number: the `number`-th event, from 1, of a thread or on an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Place {
    /// The thread or object: an index into the parties of the view.
    pub process: usize,
    /// The order number, from 1.
    pub number: usize,
}

/// The additional information of a complete SYN-event. `A` is how the view addresses events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Additional<A> {
    /// Whether the object itself put the event in order: then events with greater order numbers on it happen
    /// later, if they are ordered too. Otherwise the number is only the place in the canonical total order.
    pub ordered: bool,
    /// Whether the thread called and is blocked ever since.
    pub blocked: bool,
    /// Whether the thread called and went on without a completion: it made another offer of which one was taken, or it
    /// was notified before its time was over.
    pub withdrawn: bool,
    /// Whether the event could have taken a partner and there was nothing: a receive found the channel empty, a send
    /// found no dropped receiver.
    pub nothing: bool,
    /// The object that the event is about, where that is not the one whose timeline it is on.
    pub about: Option<usize>,
    /// The events it took, beside the calls that are part of it: the send received, the waiter woken.
    pub partners: Vec<A>,
    /// Calls that it found waiting and left waiting. They are part of other events, which may well come later.
    pub waiting: Vec<A>,
    /// Other events that come before it: the last one of a thread joined, the reply to a call, what a thread did before
    /// the call that was found waiting.
    pub after: Vec<A>,
}

/// Why a view is not one of any sequence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("inconsistent view: {kind}")]
pub struct ViewError {
    /// What is wrong with it.
    pub kind: ViewErrorKind,
}

/// What is wrong with an inconsistent view.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ViewErrorKind {
    /// An event names a thread or object that is not among the parties, or there are more lists than parties.
    #[error("there is no process number {process}; list it among the parties")]
    NoSuchProcess {
        /// The number that is out of range.
        process: usize,
    },
    /// Order numbers must be 1, 2, 3, … on every thread and object.
    #[error("the order numbers on {process} are not 1, 2, 3, …: {number} is missing, or two events have it")]
    Numbering {
        /// Id of the thread or object.
        process: String,
        /// The first number that is not there exactly once.
        number: usize,
    },
    /// A partner, or an event said to come before another one, does not exist.
    #[error("an event refers to number {number} on {process}, and there is none")]
    NoSuchEvent {
        /// Id of the thread or object; "the whole" in a total view.
        process: String,
        /// The number referred to.
        number: usize,
    },
    /// An event without a thread.
    #[error("event {number} on {object} has no thread; name the object itself if it acts on its own")]
    NoThread {
        /// Id of the object.
        object: String,
        /// The event's number on it.
        number: usize,
    },
    /// The threads that share an event disagree about it.
    #[error("the threads of event {number} on {object} disagree about its type, its roles or what it took")]
    Disagree {
        /// Id of the object.
        object: String,
        /// The event's number on it.
        number: usize,
    },
    /// Events wait for each other, or a total view has an event before its partner.
    #[error("event {number} of {process} is to come before itself")]
    Cycle {
        /// Id of the first thread of an event in the cycle.
        process: String,
        /// The event's number on that thread.
        number: usize,
    },
}

impl From<ViewErrorKind> for ViewError {
    fn from(kind: ViewErrorKind) -> Self {
        ViewError { kind }
    }
}

fn parties_of(sequence: &Sequence) -> Vec<Party> {
    let party = |it: &crate::Process| Party { id: it.id.clone(), kind: it.kind, name: it.name.clone() };
    sequence.processes.iter().map(party).collect()
}

fn party_labels(parties: &[Party]) -> Vec<String> {
    labels(parties.iter().map(|party| (party.id.as_str(), party.name.as_deref())))
}

/// The label of a process; a view that was made by hand may name one that it does not have.
fn label(labels: &[String], process: usize) -> &str {
    labels.get(process).map_or("?", String::as_str)
}

impl<A> Additional<A> {
    /// All events that it refers to.
    fn others(&self) -> impl Iterator<Item = &A> {
        self.partners.iter().chain(&self.waiting).chain(&self.after)
    }

    /// The same information with events addressed in another way.
    fn map<B>(&self, mut address: impl FnMut(&A) -> B) -> Additional<B> {
        Additional {
            ordered: self.ordered,
            blocked: self.blocked,
            withdrawn: self.withdrawn,
            nothing: self.nothing,
            about: self.about,
            partners: self.partners.iter().map(&mut address).collect(),
            waiting: self.waiting.iter().map(&mut address).collect(),
            after: self.after.iter().map(&mut address).collect(),
        }
    }

    /// Appends the fields that are not trivial, as further fields of a tuple: `, from 3, after 2`.
    fn describe(
        &self,
        f: &mut fmt::Formatter<'_>,
        op: Op,
        labels: &[String],
        mut name: impl FnMut(&A) -> String,
    ) -> fmt::Result {
        if let Some(object) = self.about {
            write!(f, ", about {}", label(labels, object))?;
        }
        if self.blocked {
            f.write_str(", blocked")?;
        }
        if self.withdrawn {
            f.write_str(", withdrawn")?;
        }
        if self.nothing && matches!(op, Op::Receive | Op::Accept | Op::Load) {
            f.write_str(", nothing")?;
        }
        let mut list = |f: &mut fmt::Formatter<'_>, word: &str, all: &[A]| {
            all.iter().enumerate().try_for_each(|(i, at)| {
                write!(f, "{}{}", if i == 0 { format!(", {word} ") } else { " and ".into() }, name(at))
            })
        };
        list(f, "from", &self.partners)?;
        list(f, "waiting", &self.waiting)?;
        list(f, "after", &self.after)
    }
}

/// Writes lists of events, one line for each process that has any: `C1: (…), (…)`.
fn write_lists<E>(
    f: &mut fmt::Formatter<'_>,
    labels: &[String],
    lists: &[Vec<E>],
    mut event: impl FnMut(&mut fmt::Formatter<'_>, &E) -> fmt::Result,
) -> fmt::Result {
    for (label, list) in labels.iter().zip(lists).filter(|(_, list)| !list.is_empty()) {
        write!(f, "{label}:")?;
        for (i, it) in list.iter().enumerate() {
            f.write_str(if i == 0 { " (" } else { ", (" })?;
            event(f, it)?;
            f.write_str(")")?;
        }
        f.write_str("\n")?;
    }
    Ok(())
}
