//! A state graph together with something that watches its runs and remembers what matters of them.

use std::hash::Hash;
use std::ops::Range;

use crate::digraph::{Digraph, Moves};
use crate::graph::{StateGraph, StateId, TransitionId};
use crate::interner::Interner;
use crate::thread::ThreadSet;

/// States of a graph, each with what a watcher remembers there. They are numbered breadth first.
pub(crate) struct Product<'g, M> {
    graph: &'g StateGraph,
    nodes: Vec<(u32, M)>,
    roots: u32,
    ends: Vec<u32>,
    steps: Vec<u32>,
    targets: Vec<u32>,
    postponed: Vec<u64>,
}

/// What a watcher remembers behind a step, and the obligations that it postpones there.
pub(crate) type Next<M> = (M, u64);

impl<'g, M: Copy + Eq + Hash> Product<'g, M> {
    /// Follows all runs. `next` is given a node, what is remembered there, and a transition, and adds what is remembered behind it.
    ///
    /// # Errors
    /// The number of nodes, if there would be more than `most`.
    pub(crate) fn explore(
        graph: &'g StateGraph,
        initial: impl IntoIterator<Item = M>,
        most: usize,
        mut next: impl FnMut(u32, M, TransitionId, &mut Vec<Next<M>>),
    ) -> Result<Product<'g, M>, usize> {
        let mut nodes: Interner<(u32, M)> = Interner::default();
        let add = |nodes: &mut Interner<(u32, M)>, state: u32, memory: M| {
            let node = nodes.id((state, memory)).ok_or(nodes.len())?;
            if nodes.len() > most { Err(most) } else { Ok(node) }
        };
        for memory in initial {
            add(&mut nodes, StateGraph::INITIAL.0, memory)?;
        }
        let roots = u32::try_from(nodes.len()).map_err(|_| nodes.len())?;
        let (mut ends, mut steps, mut targets, mut postponed) =
            (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let mut behind = Vec::new();
        let mut node = 0;
        while (node as usize) < nodes.len() {
            let (state, memory) = *nodes.get(node);
            for step in graph.range(state) {
                next(node, memory, TransitionId(step), &mut behind);
                for (memory, obligations) in behind.drain(..) {
                    targets.push(add(&mut nodes, graph.target(step), memory)?);
                    steps.push(step);
                    postponed.push(obligations);
                }
            }
            ends.push(u32::try_from(targets.len()).map_err(|_| nodes.len())?);
            node += 1;
        }
        Ok(Product { graph, nodes: nodes.finish(), roots, ends, steps, targets, postponed })
    }
}

impl<M: Copy> Product<'_, M> {
    /// How many nodes runs begin in; these come first.
    pub(crate) fn roots(&self) -> u32 {
        self.roots
    }

    pub(crate) fn state(&self, node: u32) -> StateId {
        StateId(self.nodes[node as usize].0)
    }

    pub(crate) fn memory(&self, node: u32) -> M {
        self.nodes[node as usize].1
    }

    /// The transition that an edge stands for.
    pub(crate) fn transition(&self, edge: u32) -> TransitionId {
        TransitionId(self.steps[edge as usize])
    }

    /// The transitions that edges stand for.
    pub(crate) fn transitions(&self, edges: impl IntoIterator<Item = u32>) -> Vec<TransitionId> {
        edges.into_iter().map(|edge| self.transition(edge)).collect()
    }
}

impl<M> Digraph for Product<'_, M> {
    fn nodes(&self) -> usize {
        self.nodes.len()
    }

    fn edges(&self, node: u32) -> Range<u32> {
        let node = node as usize;
        if node == 0 { 0..self.ends[0] } else { self.ends[node - 1]..self.ends[node] }
    }

    fn target(&self, edge: u32) -> u32 {
        self.targets[edge as usize]
    }
}

impl<M> Moves for Product<'_, M> {
    fn threads(&self) -> ThreadSet {
        self.graph.all_threads()
    }

    fn moved(&self, edge: u32) -> ThreadSet {
        self.graph.moved(self.steps[edge as usize])
    }

    fn idle(&self, node: u32) -> ThreadSet {
        self.graph.idle(StateId(self.nodes[node as usize].0))
    }

    fn postponed(&self, edge: u32) -> u64 {
        self.postponed[edge as usize]
    }
}
