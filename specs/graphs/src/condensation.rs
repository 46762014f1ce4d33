//! The strong components of a state graph, and the graph of these.

use crate::digraph::{Search, nodes};
use crate::graph::{StateGraph, StateId};

/// The condensation of a state graph: its strong components. They are numbered so that a component comes after those that it leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condensation {
    /// For each state its component.
    of: Vec<u32>,
    /// The states, component by component.
    states: Vec<u32>,
    /// For each component the end of its states.
    ends: Vec<u32>,
    pub(crate) followed: u64,
}

impl Condensation {
    /// The condensation of a graph, by one search that follows every transition once.
    pub fn of(graph: &StateGraph) -> Condensation {
        let mut condensation = Condensation {
            of: vec![0; graph.states()],
            states: Vec::with_capacity(graph.states()),
            ends: Vec::new(),
            followed: 0,
        };
        let mut search = Search::new(graph.states());
        search.components(
            graph,
            nodes(graph),
            |_| true,
            |component| {
                let number = u32::try_from(condensation.ends.len()).expect("there are no more than states");
                let begin = condensation.states.len();
                condensation.states.extend_from_slice(component);
                condensation.states[begin..].sort_unstable();
                component.iter().for_each(|&state| condensation.of[state as usize] = number);
                condensation.ends.push(u32::try_from(condensation.states.len()).expect("there are no more"));
            },
        );
        condensation.followed = search.followed;
        condensation
    }

    /// The number of components.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no component. No graph is without states, so this is never so.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The component of a state.
    pub fn component(&self, state: StateId) -> usize {
        self.of[state.0 as usize] as usize
    }

    /// The states of a component, in order.
    pub fn states(&self, component: usize) -> impl ExactSizeIterator<Item = StateId> {
        let begin = if component == 0 { 0 } else { self.ends[component - 1] as usize };
        self.states[begin..self.ends[component] as usize].iter().copied().map(StateId)
    }

    /// The components that transitions lead to from this one, without itself; in order, once for each transition.
    pub fn children<'a>(
        &'a self,
        graph: &'a StateGraph,
        component: usize,
    ) -> impl Iterator<Item = usize> + 'a {
        let edges = self.states(component).flat_map(|state| graph.range(state.0));
        let targets = edges.map(|edge| self.of[graph.targets[edge as usize] as usize] as usize);
        targets.filter(move |&child| child != component)
    }

    /// Whether no transition leaves the component.
    pub fn is_leaf(&self, graph: &StateGraph, component: usize) -> bool {
        self.children(graph, component).next().is_none()
    }
}
