//! DeadlockTest, LivelockTest and StarvationTest of Carver and Tai (*Modern Multithreading*, section 7.3.3), for every state.
//!
//! - T is **deadlocked** in S if it is blocked in S and in all states that can be reached from S.
//! - T **makes progress** in S if its next statement there is a progress statement.
//! - T is **livelocked** in S if neither in S nor in any state that can be reached from S it is deadlocked, has ended or makes
//!   progress.
//! - A cycle is a **starvation cycle** for T if it is fair, and if in none of its states T makes progress, is deadlocked, is
//!   livelocked or has ended. It is *busy* if T makes a step on it, and otherwise *blocking*. T **starves** in the states on such cycles.
//!
//! The first two are the same for all states of a strong component, and are computed from the leaves of the condensation up. The
//! textbook intersects NoProgress with the *NoProgress* sets of the children; by the definition it has to be their *Livelock*
//! sets, as here. The module `fairness` says how starvation is found without enumerating cycles.
//!
//! # Incomplete graphs
//!
//! What lies behind an open state is not known. The sets have only what holds whatever that is: a thread is deadlocked or livelocked in no
//! state that leads to an open one; and it starves only where the known part shows that it is neither. That a set is empty proves
//! nothing then.

use crate::condensation::Condensation;
use crate::digraph::nodes;
use crate::fairness::FairSearch;
use crate::graph::{Activity, StateGraph, StateId};
use crate::thread::{ThreadId, ThreadSet};

/// How far a deadlock, livelock or starvation goes in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Scope {
    /// Other threads are not affected.
    Local,
    /// Deadlock: every thread is blocked or has ended. Livelock and starvation: every thread is affected or has ended.
    Global,
}

/// How a thread fails to make progress.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// It makes steps.
    Busy,
    /// It is blocked.
    Blocking,
}

/// In which states which threads are deadlocked, livelocked or starve.
#[derive(Clone, Debug)]
pub struct Liveness {
    condensation: Condensation,
    /// For each component.
    deadlock: Vec<ThreadSet>,
    livelock: Vec<ThreadSet>,
    /// For each state.
    busy: Vec<ThreadSet>,
    blocking: Vec<ThreadSet>,
    followed: u64,
}

impl Liveness {
    /// Runs the three tests.
    pub fn of(graph: &StateGraph) -> Liveness {
        let condensation = Condensation::of(graph);
        let mut followed = condensation.followed;
        let mut certain = Sets::of(graph, &condensation, None);
        followed += graph.transitions() as u64;
        let possible = if graph.is_complete() {
            None
        } else {
            followed += graph.transitions() as u64;
            Some(Sets::of(graph, &condensation, Some(&certain)))
        };
        let mut liveness = Liveness {
            condensation,
            deadlock: std::mem::take(&mut certain.deadlock),
            livelock: std::mem::take(&mut certain.livelock),
            busy: vec![ThreadSet::EMPTY; graph.states()],
            blocking: vec![ThreadSet::EMPTY; graph.states()],
            followed,
        };
        let mut search = FairSearch::new(graph.states());
        for thread in graph.all_threads().iter() {
            liveness.starvation_test(graph, possible.as_ref(), &mut search, thread);
        }
        liveness.followed += search.followed();
        liveness
    }

    fn starvation_test(
        &mut self,
        graph: &StateGraph,
        possible: Option<&Sets>,
        search: &mut FairSearch,
        thread: ThreadId,
    ) {
        let deadlock = possible.map_or(&self.deadlock, |it| &it.deadlock);
        let livelock = possible.map_or(&self.livelock, |it| &it.livelock);
        let candidate = |&state: &u32| {
            let situation = graph.situation(state, thread);
            let component = self.condensation.component(StateId(state));
            !situation.progress
                && situation.activity != Activity::Ended
                && !(deadlock[component] | livelock[component]).contains(thread)
        };
        let candidates: Vec<u32> = nodes(graph).filter(candidate).collect();
        let is_blocked = |&state: &u32| graph.situation(state, thread).activity == Activity::Blocked;
        let blocked: Vec<u32> = candidates.iter().copied().filter(is_blocked).collect();
        // A fair component in which the thread moves has a cycle through each of its states on which the thread moves; one in which it
        // does not move is found again below.
        let busy = &mut self.busy;
        search.components(
            graph,
            candidates,
            |_| true,
            |found| {
                if found.moved.contains(thread) {
                    found.nodes.iter().for_each(|&state| busy[state as usize].insert(thread));
                }
            },
        );
        let blocking = &mut self.blocking;
        search.components(
            graph,
            blocked,
            |_| true,
            |found| {
                found.nodes.iter().for_each(|&state| blocking[state as usize].insert(thread));
            },
        );
    }

    /// The strong components.
    pub fn condensation(&self) -> &Condensation {
        &self.condensation
    }

    /// The threads that are deadlocked in a state.
    pub fn deadlock(&self, state: StateId) -> ThreadSet {
        self.deadlock[self.condensation.component(state)]
    }

    /// The threads that are livelocked in a state.
    pub fn livelock(&self, state: StateId) -> ThreadSet {
        self.livelock[self.condensation.component(state)]
    }

    /// The threads that starve in a state.
    pub fn starvation(&self, state: StateId) -> ThreadSet {
        self.starvation_of(state, Kind::Busy) | self.starvation_of(state, Kind::Blocking)
    }

    /// The threads for which a starvation cycle of this kind passes a state.
    pub fn starvation_of(&self, state: StateId, kind: Kind) -> ThreadSet {
        match kind {
            Kind::Busy => self.busy[state.0 as usize],
            Kind::Blocking => self.blocking[state.0 as usize],
        }
    }

    /// The scope of a deadlock; none if no thread is deadlocked in this state.
    pub fn deadlock_scope(&self, graph: &StateGraph, state: StateId) -> Option<Scope> {
        scope(self.deadlock(state), graph.idle(state), graph)
    }

    /// The scope of a livelock; none if no thread is livelocked in this state.
    pub fn livelock_scope(&self, graph: &StateGraph, state: StateId) -> Option<Scope> {
        let livelocked = self.livelock(state);
        scope(livelocked, livelocked | graph.ended(state), graph)
    }

    /// The scope of starvation; none if no thread starves in this state.
    pub fn starvation_scope(&self, graph: &StateGraph, state: StateId) -> Option<Scope> {
        let starved = self.starvation(state);
        scope(starved, starved | graph.ended(state), graph)
    }

    /// How many transitions all searches together have followed. It measures the work that was done.
    pub fn followed(&self) -> u64 {
        self.followed
    }
}

fn scope(affected: ThreadSet, covered: ThreadSet, graph: &StateGraph) -> Option<Scope> {
    let is_global = graph.all_threads().is_subset(covered);
    (!affected.is_empty()).then_some(if is_global { Scope::Global } else { Scope::Local })
}

/// Deadlock and livelock sets of all components.
struct Sets {
    deadlock: Vec<ThreadSet>,
    livelock: Vec<ThreadSet>,
}

impl Sets {
    /// The sets that are certain, whatever follows open states; or, given these, the sets that are possible: a thread is in one if something
    /// may follow that makes it so.
    fn of(graph: &StateGraph, condensation: &Condensation, certain: Option<&Sets>) -> Sets {
        let mut sets = Sets {
            deadlock: Vec::with_capacity(condensation.len()),
            livelock: Vec::with_capacity(condensation.len()),
        };
        let all = graph.all_threads();
        // Children come before their parents.
        for component in 0..condensation.len() {
            let (mut blocked, mut stopped, mut is_open) = (all, ThreadSet::EMPTY, false);
            for state in condensation.states(component) {
                blocked = blocked & graph.blocked(state);
                stopped |= graph.ended(state) | graph.progress(state);
                is_open |= certain.is_none() && graph.is_open(state);
            }
            let (mut deadlock, mut livelock) =
                if is_open { (ThreadSet::EMPTY, ThreadSet::EMPTY) } else { (blocked, all) };
            for child in condensation.children(graph, component) {
                deadlock = deadlock & sets.deadlock[child];
                livelock = livelock & sets.livelock[child];
            }
            sets.deadlock.push(deadlock);
            // A thread that is perhaps deadlocked may also be livelocked, behind an open state.
            let deadlocked = certain.map_or(deadlock, |it| it.deadlock[component]);
            sets.livelock.push(livelock - stopped - deadlocked);
        }
        sets
    }
}
