//! The three sets of every state of random graphs, against brute force.

use std::collections::BTreeSet;

use insyn_graphs::{Activity, GraphBuilder, Kind, Liveness, StateGraph, StateId, ThreadId, ThreadState};

use crate::brute_force::Sets;
use crate::random::{self, Random};

const GRAPHS: u64 = 10_000;
const MOST: usize = 12;

fn found(graph: &StateGraph) -> Sets {
    let liveness = Liveness::of(graph);
    let mut sets = Sets::default();
    for state in graph.state_ids() {
        sets.deadlock.extend(liveness.deadlock(state).iter().map(|it| (state, it)));
        sets.livelock.extend(liveness.livelock(state).iter().map(|it| (state, it)));
        for kind in [Kind::Busy, Kind::Blocking] {
            sets.starvation.extend(liveness.starvation_of(state, kind).iter().map(|it| (state, it, kind)));
        }
    }
    sets
}

#[test]
fn the_sets_of_random_graphs_are_those_of_the_definitions() {
    let (mut deadlocks, mut livelocks, mut busy, mut blocking) = (0, 0, 0, 0);
    for seed in 0..GRAPHS {
        let graph = random::graph(seed, MOST);
        let sets = Sets::of(&graph);
        assert_eq!(found(&graph), sets, "seed {seed}: {graph:?}");
        deadlocks += u32::from(!sets.deadlock.is_empty());
        livelocks += u32::from(!sets.livelock.is_empty());
        busy += u32::from(sets.starvation.iter().any(|it| it.2 == Kind::Busy));
        blocking += u32::from(sets.starvation.iter().any(|it| it.2 == Kind::Blocking));
    }
    // The graphs are of use only if all of it happens often.
    let counts = [deadlocks, livelocks, busy, blocking];
    assert!(counts.iter().all(|&it| it > 100), "{counts:?}");
}

/// The graph with every open state closed in one way: each thread that lacks a transition becomes blocked, ends, or goes to some
/// state, which may be one of three new ones: one in which it makes progress for ever, one in which it runs in vain, one in which all
/// others are blocked.
fn completed(graph: &StateGraph, random: &mut Random) -> StateGraph {
    let threads: Vec<ThreadId> = graph.all_threads().iter().collect();
    let mut builder = GraphBuilder::new(graph.threads()).expect("it is valid");
    for state in graph.state_ids() {
        let at: Vec<ThreadState<'_>> = threads.iter().map(|&it| graph.at(state, it)).collect();
        builder.state(&at, "").expect("there is room");
    }
    let count = u32::try_from(graph.states()).expect("it is small");
    let mut next = count;
    for state in graph.state_ids() {
        for id in graph.outgoing(state) {
            let it = graph.transition(id);
            let movers: Vec<ThreadId> = it.threads.iter().collect();
            builder.transition(state, &movers, "step", "", it.to).expect("there is room");
        }
        if !graph.is_open(state) {
            continue;
        }
        for &mover in &threads {
            if graph.at(state, mover).activity != Activity::Ready {
                continue;
            }
            let at: Vec<ThreadState<'_>> = threads
                .iter()
                .map(|&it| {
                    let ended = graph.at(state, it).activity == Activity::Ended;
                    let activity = match random.below(3) {
                        _ if ended => Activity::Ended,
                        0 => Activity::Blocked,
                        _ => Activity::Ready,
                    };
                    ThreadState { next: "new", activity, progress: random.chance(3) }
                })
                .collect();
            let added = builder.state(&at, &next.to_string()).expect("there is room");
            assert_eq!(added, StateId(next));
            next += 1;
            builder.transition(state, &[mover], "step", "", added).expect("there is room");
            for (&it, at) in threads.iter().zip(&at) {
                if at.activity == Activity::Ready {
                    builder.transition(added, &[it], "step", "", added).expect("there is room");
                }
            }
        }
    }
    builder.finish(StateId(0)).expect("it is made to be valid")
}

#[test]
fn what_is_found_in_an_incomplete_graph_holds_whatever_follows() {
    let (mut certain, mut compared) = (0_usize, 0);
    for seed in 0..2_000 {
        let graph = random::open_graph(seed, MOST);
        let known = found(&graph);
        certain += known.deadlock.len() + known.livelock.len() + known.starvation.len();
        let mut random = Random(seed);
        for _ in 0..4 {
            let whole = completed(&graph, &mut random);
            if whole.transitions() > 13 {
                continue;
            }
            compared += 1;
            let sets = Sets::of(&whole);
            // The numbers of states are others there; the labels of old states are not.
            let same = |state: StateId| {
                let all = graph.all_threads();
                whole
                    .state_ids()
                    .filter(|&it| all.iter().all(|t| whole.at(it, t) == graph.at(state, t)))
                    .collect()
            };
            let has = |state: StateId, check: &dyn Fn(StateId) -> bool| {
                let candidates: BTreeSet<StateId> = same(state);
                assert!(!candidates.is_empty());
                candidates.into_iter().all(check)
            };
            for &(state, thread) in &known.deadlock {
                assert!(has(state, &|it| sets.deadlock.contains(&(it, thread))), "seed {seed}: deadlock");
            }
            for &(state, thread) in &known.livelock {
                assert!(has(state, &|it| sets.livelock.contains(&(it, thread))), "seed {seed}: livelock");
            }
            for &(state, thread, kind) in &known.starvation {
                assert!(
                    has(state, &|it| sets.starvation.contains(&(it, thread, kind))),
                    "seed {seed}: starvation"
                );
            }
        }
    }
    assert!(certain > 500 && compared > 500, "{certain} {compared}");
}
