//! What the algorithms need to know of a graph, so that they work on state graphs and on products of them; and the search for
//! strong components.

use std::ops::Range;

use crate::graph::{StateGraph, StateId};
use crate::thread::ThreadSet;

/// A directed graph on numbers, whose edges are numbered too.
pub(crate) trait Digraph {
    /// The number of nodes.
    fn nodes(&self) -> usize;
    /// The edges that leave a node.
    fn edges(&self, node: u32) -> Range<u32>;
    /// The node that an edge leads to.
    fn target(&self, edge: u32) -> u32;
}

/// A graph whose edges are steps of threads.
pub(crate) trait Moves: Digraph {
    /// All threads.
    fn threads(&self) -> ThreadSet;
    /// The threads that make this step.
    fn moved(&self, edge: u32) -> ThreadSet;
    /// The threads that are blocked or have ended.
    fn idle(&self, node: u32) -> ThreadSet;
    /// Obligations that this step leaves open: on a cycle, each of them must be missing from some step.
    fn postponed(&self, _edge: u32) -> u64 {
        0
    }
}

impl Digraph for StateGraph {
    fn nodes(&self) -> usize {
        self.states()
    }

    fn edges(&self, node: u32) -> Range<u32> {
        self.range(node)
    }

    fn target(&self, edge: u32) -> u32 {
        self.targets[edge as usize]
    }
}

impl Moves for StateGraph {
    fn threads(&self) -> ThreadSet {
        self.all_threads()
    }

    fn moved(&self, edge: u32) -> ThreadSet {
        StateGraph::moved(self, edge)
    }

    fn idle(&self, node: u32) -> ThreadSet {
        StateGraph::idle(self, StateId(node))
    }
}

/// All nodes of a graph.
pub(crate) fn nodes(graph: &impl Digraph) -> Range<u32> {
    0..u32::try_from(graph.nodes()).expect("nodes have numbers of 32 bits")
}

/// Tarjan's search for strong components, without recursion. Its memory serves any number of searches.
pub(crate) struct Search {
    /// When a node was found, from 1; 0 if it was not.
    found: Vec<u32>,
    /// The earliest node that is known to be in the same component; `DONE` once the component is known.
    low: Vec<u32>,
    stack: Vec<u32>,
    /// The nodes on the current path, each with its edges that are still to be followed.
    path: Vec<(u32, Range<u32>)>,
    /// How many edges were followed, in all searches.
    pub(crate) followed: u64,
}

const DONE: u32 = u32::MAX;

impl Search {
    pub(crate) fn new(nodes: usize) -> Search {
        Search {
            found: vec![0; nodes],
            low: vec![0; nodes],
            stack: Vec::new(),
            path: Vec::new(),
            followed: 0,
        }
    }

    /// Passes on the strong components of the part that `roots` are the nodes of, each after those that it leads to. An edge
    /// belongs to the part if `keeps` says so, which must be false where an edge leads to a node outside.
    pub(crate) fn components<G: Digraph>(
        &mut self,
        graph: &G,
        roots: impl Iterator<Item = u32> + Clone,
        keeps: impl Fn(u32) -> bool,
        mut component: impl FnMut(&[u32]),
    ) {
        for root in roots.clone() {
            self.found[root as usize] = 0;
        }
        let mut count = 0;
        for root in roots {
            if self.found[root as usize] == 0 {
                self.visit(graph, root, &mut count);
            }
            while let Some((node, edges)) = self.path.last_mut() {
                let node = *node;
                if let Some(edge) = edges.next() {
                    self.followed += 1;
                    if !keeps(edge) {
                        continue;
                    }
                    let target = graph.target(edge);
                    if self.found[target as usize] == 0 {
                        self.visit(graph, target, &mut count);
                    } else if self.low[target as usize] != DONE {
                        self.low[node as usize] = self.low[node as usize].min(self.found[target as usize]);
                    }
                    continue;
                }
                self.path.pop();
                let low = self.low[node as usize];
                if low == self.found[node as usize] {
                    let begin = self.stack.iter().rposition(|&it| it == node).expect("it is on the stack");
                    self.stack[begin..].iter().for_each(|&it| self.low[it as usize] = DONE);
                    component(&self.stack[begin..]);
                    self.stack.truncate(begin);
                } else if let Some((parent, _)) = self.path.last() {
                    self.low[*parent as usize] = self.low[*parent as usize].min(low);
                }
            }
        }
    }

    fn visit(&mut self, graph: &impl Digraph, node: u32, count: &mut u32) {
        *count += 1;
        self.found[node as usize] = *count;
        self.low[node as usize] = *count;
        self.stack.push(node);
        self.path.push((node, graph.edges(node)));
    }
}
