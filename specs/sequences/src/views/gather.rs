//! From a sequence to SYN-events: each call combined with its completion, numbered and in line.

use std::collections::BTreeMap;

use super::lines::Lines;
use super::nodes::{Node, Nodes, Objects};
use super::real::Requirements;
use super::{Additional, Place, ViewError, ViewErrorKind, parties_of};
use crate::order::Order;
use crate::sequence::{EventRef, Op, Pick};
use crate::topology::{Required, smallest_first};

impl Nodes {
    /// Combines each call with its completion, and numbers the events on each object. With the total order of the
    /// events, and the event of the sequence that each of them is or ends with.
    pub(super) fn in_line(order: &Order<'_>) -> (Nodes, Vec<usize>, Vec<EventRef>) {
        let sequence = order.sequence();
        let numbers = Numbers::of(order);
        let mut syn_events: Vec<(Vec<Place>, EventRef)> = Vec::new();
        let mut own_events = vec![0; sequence.processes.len()];
        for at in sequence.events().filter(|&at| order.completion(at).is_none()) {
            let mut threads: Vec<Place> = calls(order, at).map(|call| numbers.place(call)).collect();
            if threads.is_empty() {
                own_events[at.process] += 1;
                threads.push(Place { process: at.process, number: own_events[at.process] });
            }
            syn_events.push((threads, at));
        }
        syn_events.sort_by_key(|(threads, _)| threads[0]);
        let index: BTreeMap<EventRef, usize> =
            syn_events.iter().enumerate().map(|(i, &(_, at))| (at, i)).collect();
        // The SYN-event that an event is part of, and the one with which its thread continued.
        let node_of = |at: EventRef| index[&order.completion(at).unwrap_or(at)];
        let node_past = |at: EventRef| index[&order.passed(at).unwrap_or(at)];

        let node = |&(ref threads, at): &(Vec<Place>, EventRef)| {
            let event = sequence.event(at);
            let ordered = !sequence.is_thread(at.process);
            let object = if ordered { at.process } else { event.object.unwrap_or(at.process) };
            // A handle for receiving that is not the only one is dropped without a completion.
            let completes =
                event.op != Op::DropReceiver && sequence.processes[object].kind.completes(event.op);
            let is_call = !ordered && completes && event.pick == Pick::None;
            let itself = index[&at];
            let own_calls: Vec<EventRef> = calls(order, at).filter(|&call| call != at).collect();
            let waiting: Vec<EventRef> = order.left_waiting(at).collect();
            let parts = || std::iter::once(at).chain(own_calls.iter().copied()).map(|at| sequence.event(at));
            let taken = parts().flat_map(|part| part.pick.partners()).filter(|it| !own_calls.contains(it));
            let mut after: Vec<usize> =
                parts().flat_map(|part| &part.after).map(|&earlier| node_past(earlier)).collect();
            after.extend(waiting.iter().flat_map(|&call| known_with(order, call)).map(node_of));
            // What the thread did just before follows from its order.
            let previous =
                |at: &Place| threads.iter().any(|it| it.process == at.process && it.number == at.number + 1);
            after.retain(|&earlier| earlier != itself && !syn_events[earlier].0.iter().any(previous));
            after.sort_unstable();
            after.dedup();
            let additional = Additional {
                ordered,
                blocked: is_call && order.is_open(at),
                withdrawn: is_call && !order.is_open(at) && (event.op.is_offer() || event.op == Op::Expire),
                nothing: event.pick == Pick::Nothing,
                about: event.object.filter(|&about| ordered && about != object),
                partners: taken.filter(|it| !waiting.contains(it)).map(|&at| node_past(at)).collect(),
                waiting: waiting.iter().map(|&call| node_of(call)).collect(),
                after,
            };
            // The number of an event that its object did not order is not known yet.
            let number = if ordered { at.index + 1 } else { 0 };
            Node {
                threads: threads.clone(),
                object: Place { process: object, number },
                op: event.op,
                additional,
            }
        };
        let nodes: Vec<Node> = syn_events.iter().map(node).collect();
        let mut nodes = Nodes { parties: parties_of(sequence), nodes };
        let required = Requirements::of(order);
        let lines = Lines::of(&nodes, Objects::Ordered);
        let (real, required) = required
            .line(node_of, |required| lines.draw(required))
            .expect("an order of calls has one of SYN-events");
        let mut count = vec![0; nodes.parties.len()];
        for &node in &real {
            let object = &mut nodes.nodes[node].object;
            count[object.process] += 1;
            object.number = count[object.process];
        }
        // The numbers on objects have almost all that real objects require, so that the line which other views are put in
        // agrees with it too. What is left concerns more than one object.
        let line = Lines::of(&nodes, Objects::All).draw(&Required::default());
        let line = line.filter(|line| required.is_met_by(line)).unwrap_or(real);
        (nodes, line, syn_events.iter().map(|&(_, at)| at).collect())
    }

    /// The canonical total order, as indices.
    ///
    /// # Errors
    /// If events wait for each other.
    pub(super) fn line(&self) -> Result<Vec<usize>, ViewError> {
        if let Some(line) = Lines::of(self, Objects::All).draw(&Required::default()) {
            return Ok(line);
        }
        let line = smallest_first(&self.predecessors(Objects::All)).map_err(|cycle| {
            let Place { process, number } = self.nodes[cycle[0]].threads[0];
            ViewErrorKind::Cycle { process: self.parties[process].id.clone(), number }
        })?;
        Ok(line)
    }
}

/// The thread events that make up a SYN-event: itself, or the calls that it completes.
fn calls<'a>(order: &'a Order<'_>, at: EventRef) -> impl Iterator<Item = EventRef> + 'a {
    let is_thread = order.sequence().is_thread(at.process);
    is_thread.then_some(at).into_iter().chain(order.completed(at))
}

/// Events that are SYN-events or end one, and of which all know who know that a call is waiting: the call itself if
/// it was never completed, else what came directly before it. For an offer, all offers of its select count as one call.
fn known_with(order: &Order<'_>, call: EventRef) -> Vec<EventRef> {
    let mut known = Vec::new();
    let mut open = vec![order.last_offer(call)];
    while let Some(at) = open.pop() {
        if order.completion(at).is_none() {
            known.push(at);
            continue;
        }
        // Of a call before this one, the completion with which its thread went on is among the predecessors too, unless they
        // are offered together.
        let before = order.predecessors(at);
        open.extend(
            before.iter().filter(|&&earlier| order.passed(earlier).is_none_or(|it| !before.contains(&it))),
        );
    }
    known
}

/// Every event of a thread is in exactly one SYN-event, so it can be numbered before these are known.
struct Numbers(BTreeMap<EventRef, usize>);

impl Numbers {
    fn of(order: &Order<'_>) -> Numbers {
        let sequence = order.sequence();
        let threads = (0..sequence.processes.len()).filter(|&it| sequence.is_thread(it));
        Numbers(threads.flat_map(|it| order.completion_order(it).into_iter().zip(1..)).collect())
    }

    fn place(&self, at: EventRef) -> Place {
        Place { process: at.process, number: self.0[&at] }
    }
}
