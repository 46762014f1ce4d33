//! Shortest paths.

use std::collections::{BTreeMap, VecDeque};

use crate::digraph::{Digraph, nodes};

/// Shortest paths to all nodes of a graph that is numbered breadth first, from the first few of them.
pub(crate) struct Paths {
    roots: u32,
    /// For each node but the roots, the node before it on its path, and the edge between them.
    parents: Vec<(u32, u32)>,
}

impl Paths {
    pub(crate) fn of(graph: &impl Digraph, roots: u32) -> Paths {
        let mut parents = vec![(0, 0); graph.nodes()];
        // A search from the roots finds the nodes in the order of their numbers.
        let mut next = roots;
        for node in nodes(graph) {
            for edge in graph.edges(node) {
                if graph.target(edge) == next {
                    parents[next as usize] = (node, edge);
                    next += 1;
                }
            }
        }
        Paths { roots, parents }
    }

    /// The edges of a shortest path to a node.
    pub(crate) fn to(&self, mut node: u32) -> Vec<u32> {
        let mut path = Vec::new();
        while node >= self.roots {
            let (from, edge) = self.parents[node as usize];
            path.push(edge);
            node = from;
        }
        path.reverse();
        path
    }
}

/// The shortest walk whose last edge is as wanted.
pub(crate) fn nearest<G: Digraph>(
    graph: &G,
    start: u32,
    keeps: impl Fn(u32) -> bool,
    wanted: impl Fn(u32) -> bool,
) -> Option<Vec<u32>> {
    let mut ways: BTreeMap<u32, Option<(u32, u32)>> = BTreeMap::from([(start, None)]);
    let mut pending = VecDeque::from([start]);
    while let Some(node) = pending.pop_front() {
        for edge in graph.edges(node).filter(|&edge| keeps(edge)) {
            if wanted(edge) {
                let mut way = vec![edge];
                let mut at = node;
                while let Some((from, by)) = ways[&at] {
                    way.push(by);
                    at = from;
                }
                way.reverse();
                return Some(way);
            }
            let target = graph.target(edge);
            ways.entry(target).or_insert_with(|| {
                pending.push_back(target);
                Some((node, edge))
            });
        }
    }
    None
}
