//! The total view: all SYN-events in one list.

use std::fmt;

use super::nodes::{Node, Nodes, name};
use super::{Additional, Party, Place, ViewError, ViewErrorKind, label, party_labels};
use crate::canonical::Malformed;
use crate::order::Order;
use crate::sequence::{Op, Sequence};

/// A totally ordered sequence of SYN-events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotalView {
    /// The threads and objects.
    pub parties: Vec<Party>,
    /// The events; each addresses others by their index here.
    pub events: Vec<TotalEvent>,
}

/// A complete SYN-event: (threads, object, event type, additional information).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TotalEvent {
    /// The threads that do it, as indices into the parties: one thread; at a rendezvous the sender and the
    /// receiver; at a barrier all threads that pass it together.
    pub threads: Vec<usize>,
    /// The object.
    pub object: usize,
    /// The event type.
    pub op: Op,
    /// The additional information; events are addressed by their index in [`TotalView::events`].
    pub additional: Additional<usize>,
}

impl TotalView {
    /// The SYN-events of a sequence in their canonical total order.
    ///
    /// # Errors
    /// If the sequence is malformed.
    pub fn of(sequence: &Sequence) -> Result<TotalView, Malformed> {
        Ok(TotalView::of_order(&Order::of(sequence)?))
    }

    /// As [`TotalView::of`], when the order is known already.
    pub fn of_order(order: &Order<'_>) -> TotalView {
        let (nodes, line, _) = Nodes::in_line(order);
        TotalView::from_line(&nodes, &line)
    }

    /// Pairs of events, the first directly before the second, that generate happens-before. (The order of the
    /// list itself is stricter: it also puts concurrent events one after the other.)
    ///
    /// # Errors
    /// If the view is inconsistent.
    pub fn immediate(&self) -> Result<Vec<(usize, usize)>, ViewError> {
        let (nodes, position) = self.nodes()?;
        Ok(nodes.immediate(|node| position[node]))
    }

    pub(super) fn from_nodes(nodes: &Nodes) -> Result<TotalView, ViewError> {
        Ok(TotalView::from_line(nodes, &nodes.line()?))
    }

    fn from_line(nodes: &Nodes, line: &[usize]) -> TotalView {
        let mut position = vec![0; line.len()];
        for (i, &node) in line.iter().enumerate() {
            position[node] = i;
        }
        let event = |node: &Node| TotalEvent {
            threads: node.threads.iter().map(|thread| thread.process).collect(),
            object: node.object.process,
            op: node.op,
            additional: node.additional.map(|&other| position[other]),
        };
        let events = line.iter().map(|&node| event(&nodes.nodes[node])).collect();
        TotalView { parties: nodes.parties.clone(), events }
    }

    /// The events with the numbers that follow from their order, and the position of each in the list.
    pub(super) fn nodes(&self) -> Result<(Nodes, Vec<usize>), ViewError> {
        let mut on_thread = vec![0; self.parties.len()];
        let mut on_object = vec![0; self.parties.len()];
        let next = |count: &mut Vec<usize>, process: usize| {
            name(&self.parties, process)?;
            count[process] += 1;
            Ok::<_, ViewError>(Place { process, number: count[process] })
        };
        let mut nodes = Vec::with_capacity(self.events.len());
        for (i, event) in self.events.iter().enumerate() {
            let object = next(&mut on_object, event.object)?;
            let threads: Vec<Place> =
                event.threads.iter().map(|&it| next(&mut on_thread, it)).collect::<Result<_, _>>()?;
            if let Some(&beyond) = event.additional.others().find(|&&other| other >= self.events.len()) {
                let (process, number) = ("the whole".to_owned(), beyond.saturating_add(1));
                return Err(ViewErrorKind::NoSuchEvent { process, number }.into());
            }
            let mut before = event.additional.partners.iter().chain(&event.additional.after);
            if before.any(|&other| other >= i) {
                let Place { process, number } = *threads.first().unwrap_or(&object);
                return Err(ViewErrorKind::Cycle { process: name(&self.parties, process)?, number }.into());
            }
            nodes.push(Node { threads, object, op: event.op, additional: event.additional.clone() });
        }
        let first_threads: Vec<_> = nodes.iter().map(|node| node.threads.first().copied()).collect();
        let mut position: Vec<usize> = (0..nodes.len()).collect();
        position.sort_by_key(|&i| first_threads[i]);
        Ok((Nodes::sorted(self.parties.clone(), nodes)?, position))
    }
}

/// One event to a line, as `(threads, object, event type, additional information)`.
impl fmt::Display for TotalView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let labels = party_labels(&self.parties);
        for event in &self.events {
            f.write_str("(")?;
            for &thread in &event.threads {
                write!(f, "{}, ", label(&labels, thread))?;
            }
            write!(f, "{}, {}", label(&labels, event.object), event.op.word())?;
            event.additional.describe(f, event.op, &labels, |other| format!("{}", other + 1))?;
            f.write_str(")\n")?;
        }
        Ok(())
    }
}
