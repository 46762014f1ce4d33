//! The object-based view: for each object the SYN-events on it in order.

use std::collections::BTreeMap;
use std::fmt;

use super::nodes::{Node, Nodes, name};
use super::{Additional, Party, Place, ViewError, ViewErrorKind, label, party_labels};
use crate::sequence::Op;

/// A partially ordered sequence of SYN-events with one list for each object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectView {
    /// The threads and objects.
    pub parties: Vec<Party>,
    /// For each party the events on it; threads have only those that are on no object. The completions of objects that
    /// share a timeline are on the one that holds it.
    pub lists: Vec<Vec<ObjectEvent>>,
}

/// A complete SYN-event on an object: (threads, its order number on each thread, event type, additional
/// information).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ObjectEvent {
    /// The threads that do it, each with its event number: one thread; at a rendezvous the sender and the receiver;
    /// at a barrier all threads that pass it together.
    pub threads: Vec<Place>,
    /// The event type.
    pub op: Op,
    /// The additional information. Events are addressed by their object and their number on it.
    pub additional: Additional<Place>,
}

impl ObjectView {
    /// Pairs of events, the first directly before the second, that generate happens-before.
    ///
    /// # Errors
    /// If the view is inconsistent.
    pub fn immediate(&self) -> Result<Vec<(Place, Place)>, ViewError> {
        let nodes = self.nodes()?;
        Ok(nodes.immediate(|node| nodes.nodes[node].object))
    }

    pub(super) fn from_nodes(nodes: &Nodes) -> ObjectView {
        let mut places: BTreeMap<Place, ObjectEvent> = BTreeMap::new();
        for node in &nodes.nodes {
            let additional = node.additional.map(|&other| nodes.nodes[other].object);
            let event = ObjectEvent { threads: node.threads.clone(), op: node.op, additional };
            places.insert(node.object, event);
        }
        let mut lists = vec![Vec::new(); nodes.parties.len()];
        for (object, event) in places {
            lists[object.process].push(event);
        }
        ObjectView { parties: nodes.parties.clone(), lists }
    }

    pub(super) fn nodes(&self) -> Result<Nodes, ViewError> {
        if self.lists.len() > self.parties.len() {
            return Err(ViewErrorKind::NoSuchProcess { process: self.parties.len() }.into());
        }
        let mut first = Vec::with_capacity(self.lists.len());
        let mut count = 0;
        for list in &self.lists {
            first.push(count);
            count += list.len();
        }
        let index = |place: Place| {
            let Place { process, number } = place;
            let list = self.lists.get(process).ok_or(ViewErrorKind::NoSuchProcess { process })?;
            if number == 0 || number > list.len() {
                let process = name(&self.parties, process)?;
                return Err(ViewErrorKind::NoSuchEvent { process, number }.into());
            }
            Ok::<usize, ViewError>(first[process] + number - 1)
        };
        let mut nodes = Vec::with_capacity(count);
        for (process, list) in self.lists.iter().enumerate() {
            for (i, event) in list.iter().enumerate() {
                event.additional.others().copied().try_for_each(|other| index(other).map(drop))?;
                let additional = event.additional.map(|&other| index(other).expect("it was just there"));
                let object = Place { process, number: i + 1 };
                nodes.push(Node { threads: event.threads.clone(), object, op: event.op, additional });
            }
        }
        Nodes::sorted(self.parties.clone(), nodes)
    }
}

/// A line for each object, with the events on it as `(threads, their order numbers, event type, additional
/// information)`.
impl fmt::Display for ObjectView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = party_labels(&self.parties);
        super::write_lists(f, &labels, &self.lists, |f, event| {
            for thread in &event.threads {
                write!(f, "{}, ", label(&labels, thread.process))?;
            }
            for thread in &event.threads {
                write!(f, "{}, ", thread.number)?;
            }
            f.write_str(event.op.word())?;
            event
                .additional
                .describe(f, event.op, &labels, |it| format!("{}:{}", label(&labels, it.process), it.number))
        })
    }
}
