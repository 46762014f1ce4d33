//! Simple SYN-events: the part that a replay of the same program and input has to enforce.
//!
//! A program that has taken the recorded choices so far reaches its next operation and object by itself, so
//! neither is in a simple event. What remains is who is next (in the total view and on an object) or which place
//! on the object a thread has to wait for (in the thread-based view), and the pick of an event that had a choice
//! among partners, since the order alone does not decide which waiter was woken or which message a port delivered.

use std::fmt;

use super::{Additional, ObjectView, Party, Place, ThreadView, TotalView, label, party_labels};

/// A simple SYN-event: `W` is whose turn it is, `A` is how the view addresses events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimpleEvent<W, A> {
    /// Whose turn it is, or its place in the order.
    pub turn: W,
    /// What it took; nothing if empty.
    pub partners: Vec<A>,
    /// The calls that it found waiting and left waiting.
    pub waiting: Vec<A>,
}

/// The simple format of a [`TotalView`]: the threads of each event, in the total order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimpleTotal {
    /// The threads and objects.
    pub parties: Vec<Party>,
    /// The events; each has the threads whose turn it is.
    pub events: Vec<SimpleEvent<Vec<usize>, usize>>,
}

/// The simple format of a [`ThreadView`]: for each event of a thread the order number on its object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimpleThreads {
    /// The threads and objects.
    pub parties: Vec<Party>,
    /// For each party its events; each has the order number on its object.
    pub lists: Vec<Vec<SimpleEvent<usize, Place>>>,
}

/// The simple format of an [`ObjectView`]: for each event on an object the threads that do it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimpleObjects {
    /// The threads and objects.
    pub parties: Vec<Party>,
    /// For each party the events on it; each has the threads whose turn it is.
    pub lists: Vec<Vec<SimpleEvent<Vec<usize>, Place>>>,
}

impl TotalView {
    /// The simple format.
    pub fn simple(&self) -> SimpleTotal {
        let events = self.events.iter().map(|it| simple(it.threads.clone(), &it.additional)).collect();
        SimpleTotal { parties: self.parties.clone(), events }
    }
}

impl ThreadView {
    /// The simple format.
    pub fn simple(&self) -> SimpleThreads {
        let list = |list: &Vec<super::ThreadEvent>| {
            list.iter().map(|it| simple(it.object.number, &it.additional)).collect()
        };
        SimpleThreads { parties: self.parties.clone(), lists: self.lists.iter().map(list).collect() }
    }
}

impl ObjectView {
    /// The simple format.
    pub fn simple(&self) -> SimpleObjects {
        let event = |it: &super::ObjectEvent| {
            simple(it.threads.iter().map(|thread| thread.process).collect(), &it.additional)
        };
        let lists = self.lists.iter().map(|list| list.iter().map(event).collect()).collect();
        SimpleObjects { parties: self.parties.clone(), lists }
    }
}

fn simple<W, A: Clone>(turn: W, additional: &Additional<A>) -> SimpleEvent<W, A> {
    SimpleEvent { turn, partners: additional.partners.clone(), waiting: additional.waiting.clone() }
}

/// One event to a line, as `(threads)`.
impl fmt::Display for SimpleTotal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = party_labels(&self.parties);
        for event in &self.events {
            write!(f, "({}", names(&labels, &event.turn))?;
            picked(f, event, |other| format!("{}", other + 1))?;
            f.write_str(")\n")?;
        }
        Ok(())
    }
}

/// A line for each thread, with its events as `(order number)`.
impl fmt::Display for SimpleThreads {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = party_labels(&self.parties);
        super::write_lists(f, &labels, &self.lists, |f, event| {
            write!(f, "{}", event.turn)?;
            picked(f, event, |it| format!("{}:{}", label(&labels, it.process), it.number))
        })
    }
}

/// A line for each object, with the events on it as `(threads)`.
impl fmt::Display for SimpleObjects {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = party_labels(&self.parties);
        super::write_lists(f, &labels, &self.lists, |f, event| {
            f.write_str(&names(&labels, &event.turn))?;
            picked(f, event, |it| format!("{}:{}", label(&labels, it.process), it.number))
        })
    }
}

fn names(labels: &[String], threads: &[usize]) -> String {
    threads.iter().map(|&thread| label(labels, thread)).collect::<Vec<_>>().join(", ")
}

fn picked<W, A>(
    f: &mut fmt::Formatter<'_>,
    event: &SimpleEvent<W, A>,
    name: impl Fn(&A) -> String,
) -> fmt::Result {
    for (word, all) in [(", from ", &event.partners), (", waiting ", &event.waiting)] {
        for (i, other) in all.iter().enumerate() {
            write!(f, "{}{}", if i == 0 { word } else { " and " }, name(other))?;
        }
    }
    Ok(())
}
