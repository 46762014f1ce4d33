//! Fair cycles: which nodes are on one, and a short one through a given node.
//!
//! A cycle is a closed walk; it may pass a state more than once. It is fair if every thread makes a step on it, or is blocked or
//! ended in each of its states. On a graph with obligations, each obligation must also be missing from some step of the cycle.
//!
//! # Why this is exact without enumerating cycles
//!
//! Let C be a strongly connected part with at least one edge, M the threads with an edge in C, and *missing* the threads that are
//! not in M and are awake (neither blocked nor ended) in some node of C.
//!
//! - If nothing is missing, the closed walk through all edges of C is a fair cycle, so every node of C is on one.
//! - Otherwise let W be a fair cycle in C and T missing. T has no edge in C, so T has none in W, and since W is fair, T is
//!   idle in every node of W. So W lies in the nodes of C in which all missing threads are idle. Removing the others loses
//!   no fair cycle, and W lies in one strong component of what is left, to which the same applies.
//! - An obligation that every edge of C postpones is postponed by every edge of each W in C, so C has no cycle that counts.
//!
//! A thread that was missing is idle in all nodes that are left and is never missing again; so a node takes part in at most
//! one search for each thread, and one more, and the whole is linear in the edges times the number of threads. The enumeration of
//! the textbook's StarvationTest is exponential in the edges.

use crate::digraph::{Moves, Search};
use crate::interner::Interner;
use crate::path::nearest;
use crate::thread::ThreadSet;

/// Finds the greatest fair components of parts of a graph. Its memory serves any number of parts.
pub(crate) struct FairSearch {
    search: Search,
    /// For each node the part that it is in; 0 if it is in none.
    part: Vec<u32>,
}

/// A part in which a closed walk through all edges is fair; every fair cycle is inside one.
pub(crate) struct FairComponent<'a> {
    pub(crate) nodes: &'a [u32],
    /// The threads that make a step in it.
    pub(crate) moved: ThreadSet,
}

impl FairSearch {
    pub(crate) fn new(nodes: usize) -> FairSearch {
        FairSearch { search: Search::new(nodes), part: vec![0; nodes] }
    }

    /// How many edges were followed so far.
    pub(crate) fn followed(&self) -> u64 {
        self.search.followed
    }

    /// Passes on the greatest fair components among the given nodes and the edges between them that are kept.
    pub(crate) fn components<G: Moves>(
        &mut self,
        graph: &G,
        nodes: Vec<u32>,
        keeps: impl Fn(u32) -> bool,
        mut component: impl FnMut(FairComponent<'_>),
    ) {
        // The part of all nodes to begin with is 1; parts that are left of others get new numbers.
        let mut parts = vec![(1, nodes)];
        let mut last = 1;
        while let Some((number, nodes)) = parts.pop() {
            nodes.iter().for_each(|&node| self.part[node as usize] = number);
            let FairSearch { search, part } = self;
            let mut followed = 0;
            // The components one after the other, and where each ends: the search needs the number of the part until it is over.
            let (mut members, mut ends) = (Vec::new(), Vec::new());
            let inside = |edge: u32| keeps(edge) && part[graph.target(edge) as usize] == number;
            search.components(graph, nodes.iter().copied(), inside, |found| {
                members.extend_from_slice(found);
                ends.push(members.len());
            });
            let mut begin = 0;
            for end in ends {
                let found = &members[std::mem::replace(&mut begin, end)..end];
                last += 1;
                found.iter().for_each(|&node| part[node as usize] = last);
                let (mut moved, mut awake, mut postponed, mut edges) =
                    (ThreadSet::EMPTY, ThreadSet::EMPTY, u64::MAX, 0_u64);
                for &node in found {
                    awake |= graph.threads() - graph.idle(node);
                    for edge in graph.edges(node) {
                        followed += 1;
                        if keeps(edge) && part[graph.target(edge) as usize] == last {
                            edges += 1;
                            moved |= graph.moved(edge);
                            postponed &= graph.postponed(edge);
                        }
                    }
                }
                found.iter().for_each(|&node| part[node as usize] = 0);
                let missing = awake - moved;
                if edges == 0 || postponed != 0 {
                    continue;
                }
                if missing.is_empty() {
                    component(FairComponent { nodes: found, moved });
                    continue;
                }
                let left: Vec<u32> =
                    found.iter().copied().filter(|&node| missing.is_subset(graph.idle(node))).collect();
                if !left.is_empty() {
                    parts.push((last, left));
                }
            }
            search.followed += followed;
        }
    }
}

/// A closed walk.
pub(crate) struct Cycle {
    pub(crate) edges: Vec<u32>,
    /// Whether no shorter one would do; otherwise the search for one was given up.
    pub(crate) is_shortest: bool,
}

/// How many nodes the search for a shortest cycle looks at. A shortest walk that passes an edge of each of many threads is as
/// hard to find as the tour of a travelling salesman.
const MOST: usize = 100_000;

/// What a walk from the start has done so far.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Done {
    node: u32,
    moved: ThreadSet,
    awake: ThreadSet,
    postponed: u64,
}

/// A fair cycle through a node, in which certain threads make a step. The node must be in a fair component, of which `inside` knows the
/// nodes and `keeps` the edges, and the threads must move in it.
pub(crate) fn fair_cycle<G: Moves>(
    graph: &G,
    start: u32,
    must_move: ThreadSet,
    inside: impl Fn(u32) -> bool,
    keeps: impl Fn(u32) -> bool,
) -> Cycle {
    let keeps = |edge: u32| keeps(edge) && inside(graph.target(edge));
    match shortest(graph, start, must_move, &keeps) {
        Some(edges) => Cycle { edges, is_shortest: true },
        None => Cycle { edges: through_all(graph, start, &keeps), is_shortest: false },
    }
}

fn shortest<G: Moves>(
    graph: &G,
    start: u32,
    must_move: ThreadSet,
    keeps: &impl Fn(u32) -> bool,
) -> Option<Vec<u32>> {
    let awake = |node: u32| graph.threads() - graph.idle(node);
    let first = Done { node: start, moved: ThreadSet::EMPTY, awake: awake(start), postponed: u64::MAX };
    // What walks have done, and for each the walk before it and the edge between them.
    let mut reached: Interner<Done> = Interner::default();
    let mut before: Vec<(u32, u32)> = vec![(0, 0)];
    reached.id(first)?;
    let mut next = 0;
    while (next as usize) < reached.len() {
        let done = *reached.get(next);
        for edge in graph.edges(done.node).filter(|&edge| keeps(edge)) {
            let node = graph.target(edge);
            let done = Done {
                node,
                moved: done.moved | graph.moved(edge),
                awake: done.awake | awake(node),
                postponed: done.postponed & graph.postponed(edge),
            };
            if node == start && done.postponed == 0 && (done.awake | must_move).is_subset(done.moved) {
                let mut edges = vec![edge];
                let mut at = next;
                while at != 0 {
                    let (from, by) = before[at as usize];
                    edges.push(by);
                    at = from;
                }
                edges.reverse();
                return Some(edges);
            }
            let known = reached.len();
            reached.id(done)?;
            if reached.len() > known {
                before.push((next, edge));
            }
            if reached.len() > MOST {
                return None;
            }
        }
        next += 1;
    }
    unreachable!("the node is in a fair component")
}

/// The walk that always takes the nearest edge that is still useful: of a thread that has not moved, or without an obligation that
/// is still open; and then goes home.
fn through_all<G: Moves>(graph: &G, start: u32, keeps: &impl Fn(u32) -> bool) -> Vec<u32> {
    let (mut walk, mut at) = (Vec::new(), start);
    let (mut moved, mut postponed) = (ThreadSet::EMPTY, u64::MAX);
    loop {
        let useful =
            |edge: u32| !(graph.moved(edge) - moved).is_empty() || postponed & !graph.postponed(edge) != 0;
        let Some(way) = nearest(graph, at, keeps, useful) else { break };
        for edge in way {
            moved |= graph.moved(edge);
            postponed &= graph.postponed(edge);
            at = graph.target(edge);
            walk.push(edge);
        }
    }
    if at != start {
        let home = nearest(graph, at, keeps, |edge| graph.target(edge) == start);
        walk.extend(home.expect("the component is strongly connected"));
    }
    walk
}
