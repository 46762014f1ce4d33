//! The thread-based view: for each thread its SYN-events in order, as in a space-time diagram.

use std::collections::BTreeMap;
use std::fmt;

use super::nodes::{Node, Nodes, name};
use super::{Additional, Party, Place, ViewError, ViewErrorKind, label, party_labels};
use crate::sequence::Op;

/// A partially ordered sequence of SYN-events with one list for each thread.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadView {
    /// The threads and objects.
    pub parties: Vec<Party>,
    /// For each party the events it does; objects have only those they do on their own.
    pub lists: Vec<Vec<ThreadEvent>>,
}

/// A complete SYN-event of a thread: (object, its order number on the object, event type, additional
/// information). An event of several threads is in the lists of all, with the same place on the object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadEvent {
    /// The object, and the number of this event among the events on it.
    pub object: Place,
    /// The event type.
    pub op: Op,
    /// Which of the event's threads this one is: 0 for the only one or the sender, 1 for the receiver; at a barrier, its
    /// place among those who go on together.
    pub role: usize,
    /// The additional information. Events are addressed by their first thread and their number on it.
    pub additional: Additional<Place>,
}

impl ThreadView {
    /// Pairs of events, the first directly before the second, that generate happens-before. An event of
    /// several threads is addressed by the first.
    ///
    /// # Errors
    /// If the view is inconsistent.
    pub fn immediate(&self) -> Result<Vec<(Place, Place)>, ViewError> {
        let nodes = self.nodes()?;
        Ok(nodes.immediate(|node| nodes.nodes[node].threads[0]))
    }

    pub(super) fn from_nodes(nodes: &Nodes) -> ThreadView {
        let mut places: BTreeMap<Place, ThreadEvent> = BTreeMap::new();
        for node in &nodes.nodes {
            let additional = node.additional.map(|&other| nodes.nodes[other].threads[0]);
            for (role, &thread) in node.threads.iter().enumerate() {
                let additional = additional.clone();
                places.insert(thread, ThreadEvent { object: node.object, op: node.op, role, additional });
            }
        }
        let mut lists = vec![Vec::new(); nodes.parties.len()];
        for (thread, event) in places {
            lists[thread.process].push(event);
        }
        ThreadView { parties: nodes.parties.clone(), lists }
    }

    pub(super) fn nodes(&self) -> Result<Nodes, ViewError> {
        if self.lists.len() > self.parties.len() {
            return Err(ViewErrorKind::NoSuchProcess { process: self.parties.len() }.into());
        }
        // The view that each thread of an event has of it; the place on the object is what they have in common.
        let mut shares: BTreeMap<Place, Vec<(Place, &ThreadEvent)>> = BTreeMap::new();
        for (process, list) in self.lists.iter().enumerate() {
            for (i, event) in list.iter().enumerate() {
                shares.entry(event.object).or_default().push((Place { process, number: i + 1 }, event));
            }
        }
        let index: BTreeMap<Place, usize> =
            shares.keys().enumerate().map(|(i, &object)| (object, i)).collect();
        let mut nodes = Vec::with_capacity(shares.len());
        for (object, mut of_threads) in shares {
            of_threads.sort_by_key(|(_, event)| event.role);
            let first = of_threads[0].1;
            let agree = |(role, (_, event)): (usize, &(Place, &ThreadEvent))| {
                event.role == role && event.op == first.op && event.additional == first.additional
            };
            if !of_threads.iter().enumerate().all(agree) {
                let number = object.number;
                let object = name(&self.parties, object.process)?;
                return Err(ViewErrorKind::Disagree { object, number }.into());
            }
            first.additional.others().copied().try_for_each(|other| self.at(other).map(drop))?;
            let additional =
                first.additional.map(|&other| index[&self.at(other).expect("it was just there").object]);
            let threads = of_threads.iter().map(|&(thread, _)| thread).collect();
            nodes.push(Node { threads, object, op: first.op, additional });
        }
        Nodes::sorted(self.parties.clone(), nodes)
    }

    fn at(&self, place: Place) -> Result<&ThreadEvent, ViewError> {
        let Place { process, number } = place;
        let list = self.lists.get(process).ok_or(ViewErrorKind::NoSuchProcess { process })?;
        match number.checked_sub(1).and_then(|index| list.get(index)) {
            Some(event) => Ok(event),
            None => Err(ViewErrorKind::NoSuchEvent { process: name(&self.parties, process)?, number }.into()),
        }
    }
}

/// A line for each thread, with its events as `(object, order number, event type, additional information)`.
impl fmt::Display for ThreadView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = party_labels(&self.parties);
        super::write_lists(f, &labels, &self.lists, |f, event| {
            let Place { process, number } = event.object;
            write!(f, "{}, {number}, {}", label(&labels, process), event.op.word())?;
            event
                .additional
                .describe(f, event.op, &labels, |it| format!("{}:{}", label(&labels, it.process), it.number))
        })
    }
}
