//! SYN-events with all their numbers. Every view is read into this form and written from it.
//!
//! Each view leaves out what its arrangement implies (a list for each thread need not name the thread). [`Nodes`]
//! leaves out nothing, so that a conversion is one step out of a view and one step into another one.

use std::collections::BTreeMap;

use super::lines::Lines;
use super::real::Requirements;
use super::{Additional, Party, Place, ViewError, ViewErrorKind, parties_of};
use crate::order::Order;
use crate::sequence::{EventRef, Op, Pick};
use crate::topology::{Required, smallest_first};

/// SYN-events, sorted by their first thread and their number on it.
pub(super) struct Nodes {
    pub(super) parties: Vec<Party>,
    pub(super) nodes: Vec<Node>,
}

/// One SYN-event. It addresses others by their index in [`Nodes::nodes`].
#[derive(Clone)]
pub(super) struct Node {
    /// The threads that do it, with the sender first if there are two; never empty.
    pub(super) threads: Vec<Place>,
    pub(super) object: Place,
    pub(super) op: Op,
    pub(super) additional: Additional<usize>,
}

impl Nodes {
    /// Combines each call with its completion, and numbers the events on each object. Output: these, the total order of the
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

    /// Takes SYN-events in any order, which address each other by their index in that order.
    ///
    /// # Errors
    /// If order numbers are not 1, 2, 3, … everywhere.
    pub(super) fn sorted(parties: Vec<Party>, mut nodes: Vec<Node>) -> Result<Nodes, ViewError> {
        if let Some(node) = nodes.iter().find(|node| node.threads.is_empty()) {
            let object = name(&parties, node.object.process)?;
            return Err(ViewErrorKind::NoThread { object, number: node.object.number }.into());
        }
        check_numbers(&parties, nodes.iter().flat_map(|node| node.threads.iter().copied()))?;
        check_numbers(&parties, nodes.iter().map(|node| node.object))?;
        nodes
            .iter()
            .filter_map(|node| node.additional.about)
            .try_for_each(|it| name(&parties, it).map(drop))?;
        let mut by_thread: Vec<usize> = (0..nodes.len()).collect();
        by_thread.sort_by_key(|&node| nodes[node].threads[0]);
        let mut place = vec![0; nodes.len()];
        for (new, &old) in by_thread.iter().enumerate() {
            place[old] = new;
        }
        for node in &mut nodes {
            node.additional = node.additional.map(|&old| place[old]);
            node.additional.after.sort_unstable();
        }
        nodes.sort_by_key(|node| node.threads[0]);
        Ok(Nodes { parties, nodes })
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

    /// The direct predecessors of each event: before it on its threads, before it on its object, its partners,
    /// and what it is after.
    pub(super) fn predecessors(&self, objects: Objects) -> Vec<Vec<usize>> {
        let mut lists: BTreeMap<(Role, Place), usize> = BTreeMap::new();
        for (i, node) in self.nodes.iter().enumerate() {
            lists.extend(node.threads.iter().map(|&thread| ((Role::Thread, thread), i)));
            if objects == Objects::All || node.additional.ordered {
                lists.insert((Role::Object, node.object), i);
            }
        }
        let mut before: Vec<Vec<usize>> = self
            .nodes
            .iter()
            .map(|node| [node.additional.partners.as_slice(), &node.additional.after].concat())
            .collect();
        let places: Vec<_> = lists.into_iter().collect();
        for pair in places.windows(2) {
            let [((role, place), earlier), ((next_role, next_place), later)] = [pair[0], pair[1]];
            if role == next_role && place.process == next_place.process && earlier != later {
                before[later].push(earlier);
            }
        }
        for list in &mut before {
            list.sort_unstable();
            list.dedup();
        }
        before
    }

    /// The pairs of happens-before that generate all others, by the addresses that a view has for its events.
    pub(super) fn immediate<A: Ord>(&self, address: impl Fn(usize) -> A) -> Vec<(A, A)> {
        let predecessors = self.predecessors(Objects::Ordered).into_iter().enumerate();
        let mut pairs: Vec<(A, A)> = predecessors
            .flat_map(|(later, before)| before.into_iter().map(move |earlier| (earlier, later)))
            .map(|(earlier, later)| (address(earlier), address(later)))
            .collect();
        pairs.sort_unstable();
        pairs
    }
}

/// Which order numbers on objects count as an order of events.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Objects {
    /// Those given by the object, which are part of happens-before.
    Ordered,
    /// All, as a total order must respect them.
    All,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    Thread,
    Object,
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
        // Of a call before this one, its completion is among the predecessors too, unless they are offered together.
        let before = order.predecessors(at);
        open.extend(before.iter().filter(|&&earlier| {
            order.completion(earlier).is_none_or(|completion| !before.contains(&completion))
        }));
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

/// The id of a party.
pub(super) fn name(parties: &[Party], process: usize) -> Result<String, ViewError> {
    let party = parties.get(process).ok_or(ViewErrorKind::NoSuchProcess { process })?;
    Ok(party.id.clone())
}

fn check_numbers(parties: &[Party], places: impl Iterator<Item = Place>) -> Result<(), ViewError> {
    let mut places: Vec<Place> = places.collect();
    places.sort_unstable();
    for of_one in places.chunk_by(|a, b| a.process == b.process) {
        let process = name(parties, of_one[0].process)?;
        if let Some((i, _)) = of_one.iter().enumerate().find(|(i, place)| place.number != i + 1) {
            // Sorted: a number that is too small has come before, one that is too great leaves a gap.
            let number = of_one[i].number.min(i + 1);
            return Err(ViewErrorKind::Numbering { process, number }.into());
        }
    }
    Ok(())
}
