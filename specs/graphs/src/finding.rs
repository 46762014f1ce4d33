//! Findings: each deadlock, livelock and starvation once, with a run that shows it.
//!
//! Deadlocks and livelocks are told apart by the set of threads and the scope, starvation by the thread, the kind and the scope. The
//! run of a finding first takes a shortest path to the first state that has it. That is the whole run of a deadlock. Of a
//! livelock, a shortest path to a fair cycle follows, on which all its threads move. Starvation is found on a cycle, which is a
//! shortest one through that state.

use std::collections::{BTreeMap, BTreeSet};

use crate::digraph::Digraph;
use crate::fairness::{Cycle, FairSearch, fair_cycle};
use crate::graph::{StateGraph, StateId, TransitionId};
use crate::lasso::{Lasso, LassoFault};
use crate::liveness::{Kind, Liveness, Scope};
use crate::path::{Paths, nearest};
use crate::thread::{ThreadId, ThreadSet};

/// What keeps threads from going on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Trouble {
    /// They are blocked for ever.
    Deadlock,
    /// They run for ever and can make no progress.
    Livelock,
    /// They could make progress, but need not although scheduling is fair.
    Starvation,
}

/// A deadlock, livelock or starvation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Which of the three.
    pub trouble: Trouble,
    /// The threads that are in trouble; one if they starve.
    pub threads: ThreadSet,
    /// Whether other threads are affected.
    pub scope: Scope,
    /// Blocking for a deadlock, busy for a livelock, either for starvation.
    pub kind: Kind,
    /// The first state that has it.
    pub state: StateId,
    /// In how many states it is found.
    pub states: usize,
    /// A run that shows it.
    pub lasso: Lasso,
}

type Key = (Trouble, ThreadSet, Kind, Scope);

impl Liveness {
    /// All findings: deadlocks, then livelocks, then starvation; within these by their threads, kind and scope.
    pub fn findings(&self, graph: &StateGraph) -> Vec<Finding> {
        let mut found: BTreeMap<Key, (StateId, usize)> = BTreeMap::new();
        for state in graph.state_ids() {
            for key in self.keys(graph, state) {
                found.entry(key).or_insert((state, 0)).1 += 1;
            }
        }
        if found.is_empty() {
            return Vec::new();
        }
        let paths = Paths::of(graph, 1);
        let finding = |((trouble, threads, kind, scope), (state, states)): (Key, (StateId, usize))| {
            let stem = paths.to(state.0).into_iter().map(TransitionId).collect();
            let lasso = match trouble {
                Trouble::Deadlock => Lasso { stem, cycle: Vec::new(), is_shortest: true },
                Trouble::Livelock => self.livelock_lasso(graph, state, threads, stem),
                Trouble::Starvation => self.starvation_lasso(graph, state, threads, kind, stem),
            };
            Finding { trouble, threads, scope, kind, state, states, lasso }
        };
        found.into_iter().map(finding).collect()
    }

    fn keys(&self, graph: &StateGraph, state: StateId) -> impl Iterator<Item = Key> {
        let deadlock = self
            .deadlock_scope(graph, state)
            .map(|scope| (Trouble::Deadlock, self.deadlock(state), Kind::Blocking, scope));
        let livelock = self
            .livelock_scope(graph, state)
            .map(|scope| (Trouble::Livelock, self.livelock(state), Kind::Busy, scope));
        let scope = self.starvation_scope(graph, state);
        let starvation = [Kind::Busy, Kind::Blocking].map(|kind| {
            let starved = if scope.is_some() { self.starvation_of(state, kind) } else { ThreadSet::EMPTY };
            let scope = scope.unwrap_or(Scope::Local);
            starved.iter().map(move |it| (Trouble::Starvation, ThreadSet::of(it), kind, scope))
        });
        deadlock.into_iter().chain(livelock).chain(starvation.into_iter().flatten())
    }

    /// Livelock sets only grow along a path, so the threads stay livelocked behind the state. Each leaf of the condensation that can be
    /// reached is a fair component in which each of them moves: none of them is blocked everywhere in it, since that
    /// would be a deadlock, and the closed walk through all of its transitions is fair.
    fn livelock_lasso(
        &self,
        graph: &StateGraph,
        state: StateId,
        threads: ThreadSet,
        mut stem: Vec<TransitionId>,
    ) -> Lasso {
        let mut behind = BTreeSet::from([state.0]);
        let mut pending = vec![state.0];
        while let Some(node) = pending.pop() {
            let targets = graph.range(node).map(|edge| graph.target(edge));
            pending.extend(targets.filter(|&target| behind.insert(target)));
        }
        let mut component_of = BTreeMap::new();
        let mut count = 0_u32;
        let behind = behind.into_iter().collect();
        FairSearch::new(graph.states()).components(
            graph,
            behind,
            |_| true,
            |found| {
                if threads.is_subset(found.moved) {
                    component_of.extend(found.nodes.iter().map(|&node| (node, count)));
                    count += 1;
                }
            },
        );
        if !component_of.contains_key(&state.0) {
            let way =
                nearest(graph, state.0, |_| true, |edge| component_of.contains_key(&graph.target(edge)));
            stem.extend(way.expect("a leaf is a fair component").into_iter().map(TransitionId));
        }
        let start = stem.last().map_or(StateGraph::INITIAL, |&last| graph.transition(last).to);
        let component = component_of[&start.0];
        let inside = |node: u32| component_of.get(&node) == Some(&component);
        let cycle = fair_cycle(graph, start.0, threads, inside, |_| true);
        lasso(stem, cycle)
    }

    fn starvation_lasso(
        &self,
        graph: &StateGraph,
        state: StateId,
        threads: ThreadSet,
        kind: Kind,
        stem: Vec<TransitionId>,
    ) -> Lasso {
        let thread = threads.iter().next().expect("a thread starves");
        let starves = |state: &StateId| self.starvation_of(*state, kind).contains(thread);
        let starving = graph.state_ids().filter(starves).map(|state| state.0).collect();
        let mut component = Vec::new();
        FairSearch::new(graph.states()).components(
            graph,
            starving,
            |_| true,
            |found| {
                if found.nodes.contains(&state.0) {
                    component.extend_from_slice(found.nodes);
                }
            },
        );
        component.sort_unstable();
        let inside = |node: u32| component.binary_search(&node).is_ok();
        let must_move = if kind == Kind::Busy { threads } else { ThreadSet::EMPTY };
        lasso(stem, fair_cycle(graph, state.0, must_move, inside, |_| true))
    }
}

fn lasso(stem: Vec<TransitionId>, cycle: Cycle) -> Lasso {
    let is_shortest = cycle.is_shortest;
    Lasso { stem, cycle: cycle.edges.into_iter().map(TransitionId).collect(), is_shortest }
}

impl Finding {
    /// Checks that the run is one of the graph and that it shows what the finding says, by the definitions; the sets of states
    /// are taken from `liveness`.
    ///
    /// # Errors
    /// What does not fit.
    pub fn check(&self, graph: &StateGraph, liveness: &Liveness) -> Result<(), LassoFault> {
        self.lasso.check_path(graph)?;
        let (stem, cycle) = self.lasso.states(graph);
        let first = stem.iter().chain(&cycle).position(|&state| state == self.state);
        let first = first.ok_or(LassoFault::Missed { state: self.state })?;
        let sets: fn(&Liveness, StateId) -> ThreadSet = match self.trouble {
            Trouble::Deadlock => Liveness::deadlock,
            Trouble::Livelock => Liveness::livelock,
            Trouble::Starvation => Liveness::starvation,
        };
        for &state in stem.iter().chain(&cycle).skip(first) {
            if let Some(thread) = (self.threads - sets(liveness, state)).iter().next() {
                return Err(LassoFault::Sets { thread, state });
            }
        }
        if self.trouble == Trouble::Deadlock {
            let is_finite = self.lasso.cycle.is_empty();
            return if is_finite { Ok(()) } else { Err(LassoFault::Cycle { expected: false }) };
        }
        self.lasso.check_fair(graph)?;
        let check = |thread: ThreadId| self.lasso.check_no_progress(graph, thread, self.kind);
        self.threads.iter().try_for_each(check)
    }
}
