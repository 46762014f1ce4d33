//! How SYN-events are put in line. Of the events that nothing holds back the first comes next, except that
//! - a select, its offers that were not taken and the one that was are one after the other: a select that does not wait is
//!   over at once. Where somebody else has found an offer waiting before one was taken, that comes directly after the offers.
//! - calls that are never completed come last, after all that may be in their way.

use std::collections::BTreeMap;

use super::Place;
use super::nodes::{Nodes, Objects};
use crate::sequence::Op;
use crate::topology::{Required, smallest_first, smallest_legal};

/// Everything that lines of some SYN-events have in common. Events that stay together are a *block*.
pub(super) struct Lines {
    /// The events of each block, in their order.
    blocks: Vec<Vec<usize>>,
    block_of: Vec<usize>,
    /// By block.
    predecessors: Vec<Vec<usize>>,
    keys: Vec<usize>,
}

impl Lines {
    /// Lines in which events on objects are in the order that the objects gave them, or in all the order they have.
    pub(super) fn of(nodes: &Nodes, objects: Objects) -> Lines {
        let predecessors = nodes.predecessors(objects);
        let selects = Selects::of(nodes);
        let lines = Lines::with(nodes, &selects, &ends(nodes, &selects.taken), &predecessors);
        // References that no execution has may leave no line in which all blocks stay together.
        if lines.draw(&Required::default()).is_some() {
            return lines;
        }
        let apart: Vec<usize> = (0..nodes.nodes.len()).collect();
        Lines::with(nodes, &selects, &apart, &predecessors)
    }

    /// Lines of blocks: by event, the one that ends its block.
    fn with(nodes: &Nodes, selects: &Selects, end: &[usize], predecessors: &[Vec<usize>]) -> Lines {
        let n = nodes.nodes.len();
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        let mut block_of_end = vec![None; n];
        let mut block_of = vec![0; n];
        for node in 0..n {
            let block = *block_of_end[end[node]].get_or_insert_with(|| {
                blocks.push(Vec::new());
                blocks.len() - 1
            });
            blocks[block].push(node);
            block_of[node] = block;
        }
        for block in &mut blocks {
            // Those who are found waiting have come first, then those who take part, in their order.
            let last = end[block[0]];
            block.sort_by_key(|&node| {
                let is_mine = |it: &Place| it.process == nodes.nodes[node].threads[0].process;
                (node == last, nodes.nodes[last].threads.iter().position(is_mine), node)
            });
        }
        let mut before = vec![Vec::new(); blocks.len()];
        for (node, all) in predecessors.iter().enumerate() {
            let others = all.iter().map(|&it| block_of[it]).filter(|it| *it != block_of[node]);
            before[block_of[node]].extend(others);
        }
        let key = |block: &Vec<usize>| {
            let first = block.iter().min().copied().unwrap_or(0);
            let is_blocked = |&node: &usize| selects.is_blocked[node] || nodes.nodes[node].additional.blocked;
            if block.iter().any(is_blocked) { n + first } else { first }
        };
        let keys = blocks.iter().map(key).collect();
        Lines { blocks, block_of, predecessors: before, keys }
    }

    /// The line that agrees with what is required; none if there is no such line.
    pub(super) fn draw(&self, required: &Required) -> Option<Vec<usize>> {
        let block = |node: &usize| self.block_of[*node];
        let edges = required.before.iter().map(|(a, b)| (block(a), block(b)));
        let groups = required.before_last.iter();
        let required = Required {
            before: edges.filter(|(a, b)| a != b).collect(),
            before_last: groups
                .map(|(first, second)| {
                    (first.iter().map(block).collect(), second.iter().map(block).collect())
                })
                .collect(),
        };
        let line = smallest_legal(&self.predecessors, &self.keys, &required)?;
        Some(line.into_iter().flat_map(|block| self.blocks[block].iter().copied()).collect())
    }
}

/// By event, the one that ends its block: the offer that was taken, or who has found an offer waiting before that.
fn ends(nodes: &Nodes, taken: &[usize]) -> Vec<usize> {
    let ordered = nodes.predecessors(Objects::Ordered);
    let mut end = taken.to_vec();
    let thread = |node: usize| nodes.nodes[node].threads[0].process;
    for node in smallest_first(&ordered).into_iter().flatten().filter(|&node| taken[node] == node) {
        for &earlier in &ordered[node] {
            let last = taken[earlier];
            // Somebody else comes after an offer and not after what was taken.
            if last != earlier && end[earlier] == last && node != last && !ordered[node].contains(&last) {
                let is_offer = |it: usize| taken[it] == last && it != last && thread(it) == thread(earlier);
                (0..end.len()).filter(|&it| is_offer(it)).for_each(|it| end[it] = node);
            }
        }
    }
    end
}

/// The events that selects are made of.
struct Selects {
    /// By event: the offer of the same select that was taken, or the event itself.
    taken: Vec<usize>,
    /// By event: it is a select of which no offer was ever taken.
    is_blocked: Vec<bool>,
}

impl Selects {
    fn of(nodes: &Nodes) -> Selects {
        let n = nodes.nodes.len();
        let mut selects = Selects { taken: (0..n).collect(), is_blocked: vec![false; n] };
        let mut by_thread: BTreeMap<Place, usize> = BTreeMap::new();
        for (i, node) in nodes.nodes.iter().enumerate() {
            by_thread.extend(node.threads.iter().map(|&place| (place, i)));
        }
        for (&place, &select) in by_thread.iter().filter(|(_, node)| nodes.nodes[**node].op == Op::Select) {
            let mut members = vec![select];
            for number in place.number + 1.. {
                let Some(&next) = by_thread.get(&Place { number, ..place }) else { break };
                if !nodes.nodes[next].additional.withdrawn {
                    if nodes.nodes[next].additional.blocked {
                        selects.is_blocked[select] = true;
                    } else {
                        members.iter().for_each(|&member| selects.taken[member] = next);
                    }
                    break;
                }
                members.push(next);
            }
        }
        selects
    }
}
