//! The definitions of the textbook, by brute force: paths and cycles are enumerated, and nothing is condensed. A cycle is a closed
//! walk, of which only its set of transitions matters; so all sets of transitions are tried.

use std::collections::BTreeSet;

use insyn_graphs::{Activity, Kind, StateGraph, StateId, ThreadId, TransitionId};

/// What threads are in, by state: for each state and thread.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Sets {
    pub(crate) deadlock: BTreeSet<(StateId, ThreadId)>,
    pub(crate) livelock: BTreeSet<(StateId, ThreadId)>,
    pub(crate) starvation: BTreeSet<(StateId, ThreadId, Kind)>,
}

/// The states that paths lead to from a state, itself included.
pub(crate) fn reachable(graph: &StateGraph, from: StateId) -> BTreeSet<StateId> {
    let mut reached = BTreeSet::from([from]);
    loop {
        let before = reached.len();
        for state in reached.clone() {
            reached.extend(graph.outgoing(state).map(|id| graph.transition(id).to));
        }
        if reached.len() == before {
            return reached;
        }
    }
}

/// Each set of transitions that is that of a closed walk.
pub(crate) fn cycles(graph: &StateGraph) -> impl Iterator<Item = Vec<TransitionId>> + '_ {
    let count = u32::try_from(graph.transitions()).expect("it is small");
    assert!(count <= 14, "there are too many sets of transitions");
    let members = move |set: u32| (0..count).filter(move |it| set >> it & 1 == 1).map(TransitionId);
    (1..1_u32 << count)
        .map(move |set| members(set).collect::<Vec<_>>())
        .filter(|set| is_closed_walk(graph, set))
}

/// Whether one can walk along all of the transitions, and no others, and come back: from behind each of them to before each of them.
fn is_closed_walk(graph: &StateGraph, set: &[TransitionId]) -> bool {
    let edges: Vec<(u32, u32)> = set
        .iter()
        .map(|&id| {
            let it = graph.transition(id);
            (it.from.0, it.to.0)
        })
        .collect();
    let begins = edges.iter().fold(0_u32, |all, edge| all | 1 << edge.0);
    edges.iter().all(|&(_, start)| {
        let mut reached = 1_u32 << start;
        loop {
            let next = edges
                .iter()
                .filter(|edge| reached >> edge.0 & 1 == 1)
                .fold(reached, |all, edge| all | 1 << edge.1);
            if next == reached {
                break begins & !reached == 0;
            }
            reached = next;
        }
    })
}

pub(crate) fn is_fair(graph: &StateGraph, cycle: &[TransitionId]) -> bool {
    graph.all_threads().iter().all(|thread| {
        let moves = cycle.iter().any(|&id| graph.transition(id).threads.contains(thread));
        let is_idle =
            |&id: &TransitionId| graph.at(graph.transition(id).from, thread).activity != Activity::Ready;
        moves || cycle.iter().all(is_idle)
    })
}

impl Sets {
    pub(crate) fn of(graph: &StateGraph) -> Sets {
        let mut sets = Sets::default();
        let threads: Vec<ThreadId> = graph.all_threads().iter().collect();
        let activity = |state, thread| graph.at(state, thread).activity;
        for state in graph.state_ids() {
            let reached = reachable(graph, state);
            for &thread in &threads {
                if reached.iter().all(|&it| activity(it, thread) == Activity::Blocked) {
                    sets.deadlock.insert((state, thread));
                }
            }
        }
        for state in graph.state_ids() {
            let reached = reachable(graph, state);
            for &thread in &threads {
                let goes_on = |&it: &StateId| {
                    !sets.deadlock.contains(&(it, thread))
                        && activity(it, thread) != Activity::Ended
                        && !graph.at(it, thread).progress
                };
                if reached.iter().all(goes_on) {
                    sets.livelock.insert((state, thread));
                }
            }
        }
        for cycle in cycles(graph).filter(|cycle| is_fair(graph, cycle)) {
            let states: BTreeSet<StateId> = cycle.iter().map(|&id| graph.transition(id).from).collect();
            for &thread in &threads {
                let starves = |&it: &StateId| {
                    !graph.at(it, thread).progress
                        && activity(it, thread) != Activity::Ended
                        && !sets.deadlock.contains(&(it, thread))
                        && !sets.livelock.contains(&(it, thread))
                };
                if states.iter().all(starves) {
                    let moves = cycle.iter().any(|&id| graph.transition(id).threads.contains(thread));
                    let kind = if moves { Kind::Busy } else { Kind::Blocking };
                    sets.starvation.extend(states.iter().map(|&it| (it, thread, kind)));
                }
            }
        }
        sets
    }
}
