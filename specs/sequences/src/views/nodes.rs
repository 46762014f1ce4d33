//! SYN-events with all their numbers. Every view is read into this form and written from it.
//!
//! Each view leaves out what its arrangement implies (a list for each thread need not name the thread). [`Nodes`]
//! leaves out nothing, so that a conversion is one step out of a view and one step into another one.

use std::collections::BTreeMap;

use super::{Additional, Party, Place, ViewError, ViewErrorKind};
use crate::sequence::Op;

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
