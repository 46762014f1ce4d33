//! The runs that findings come with: they are runs, they show what they should, and none is shorter.

use std::collections::BTreeSet;

use insyn_graphs::{
    Activity, Finding, GraphBuilder, Kind, LassoFault, Liveness, StateGraph, StateId, ThreadSet, ThreadState,
    TransitionId, Trouble,
};

use crate::explored::thread;
use crate::random;

const GRAPHS: u64 = 4_000;

/// The number of steps to each state, by trying all paths of one length after the other.
fn distance(graph: &StateGraph, is_goal: impl Fn(StateId) -> bool, from: StateId) -> usize {
    let mut reached = BTreeSet::from([from]);
    for steps in 0.. {
        if reached.iter().any(|&it| is_goal(it)) {
            return steps;
        }
        assert!(steps <= graph.states(), "there is no path");
        let next = reached.iter().flat_map(|&it| graph.outgoing(it)).map(|id| graph.transition(id).to);
        reached = next.collect();
    }
    unreachable!("the loop has no end")
}

/// The length of the shortest fair cycle through a state on which the threads make no progress, by trying all walks of one length
/// after the other. What walks have done so far is kept as a set, and walks that have done the same are tried once.
fn shortest_cycle(
    graph: &StateGraph,
    start: StateId,
    threads: ThreadSet,
    kind: Kind,
    liveness: &Liveness,
    livelock: bool,
) -> usize {
    let allowed = |state: StateId| {
        let in_trouble = if livelock { liveness.livelock(state) } else { liveness.starvation(state) };
        threads.is_subset(in_trouble) && (graph.progress(state) & threads).is_empty()
    };
    let mut walks = BTreeSet::from([(start, ThreadSet::EMPTY, graph.idle(start))]);
    for length in 1_usize.. {
        assert!(length < 100, "there is no cycle");
        let mut next = BTreeSet::new();
        for (state, moved, idle) in walks {
            for id in graph.outgoing(state) {
                let it = graph.transition(id);
                if allowed(it.to) {
                    next.insert((it.to, moved | it.threads, idle & graph.idle(it.to)));
                }
            }
        }
        let closes = |&(state, moved, idle): &(StateId, ThreadSet, ThreadSet)| {
            let is_fair = graph.all_threads().is_subset(moved | idle);
            let fits =
                if kind == Kind::Busy { threads.is_subset(moved) } else { (threads & moved).is_empty() };
            state == start && is_fair && fits
        };
        if next.iter().any(closes) {
            return length;
        }
        walks = next;
    }
    unreachable!("the loop has no end")
}

#[test]
fn lassos_of_random_graphs_are_valid_and_shortest() {
    let mut counts = [0; 4];
    for seed in 0..GRAPHS {
        let graph = random::graph(seed, 24);
        let liveness = Liveness::of(&graph);
        for finding in liveness.findings(&graph) {
            assert_eq!(finding.check(&graph, &liveness), Ok(()), "seed {seed}: {finding:?} {graph:?}");
            check_shortest(&graph, &liveness, &finding, seed);
            counts[match (finding.trouble, finding.kind) {
                (Trouble::Deadlock, _) => 0,
                (Trouble::Livelock, _) => 1,
                (_, Kind::Busy) => 2,
                _ => 3,
            }] += 1;
        }
    }
    assert!(counts.iter().all(|&it| it > 100), "{counts:?}");
}

fn check_shortest(graph: &StateGraph, liveness: &Liveness, finding: &Finding, seed: u64) {
    let Finding { trouble, threads, scope, kind, state, ref lasso, .. } = *finding;
    let shows = |state: StateId| match trouble {
        Trouble::Deadlock => {
            liveness.deadlock(state) == threads && liveness.deadlock_scope(graph, state) == Some(scope)
        }
        Trouble::Livelock => {
            liveness.livelock(state) == threads && liveness.livelock_scope(graph, state) == Some(scope)
        }
        Trouble::Starvation => {
            threads.is_subset(liveness.starvation_of(state, kind))
                && liveness.starvation_scope(graph, state) == Some(scope)
        }
    };
    let least = distance(graph, shows, StateGraph::INITIAL);
    let (stem, cycle) = lasso.states(graph);
    let first = stem.iter().chain(&cycle).position(|&it| it == state);
    assert_eq!(first, Some(least), "seed {seed}: the stem is not the shortest");
    if trouble == Trouble::Deadlock {
        assert_eq!(lasso.stem.len(), least, "seed {seed}");
        return;
    }
    assert!(lasso.is_shortest, "seed {seed}");
    let is_livelock = trouble == Trouble::Livelock;
    let shortest = shortest_cycle(graph, cycle[0], threads, kind, liveness, is_livelock);
    assert_eq!(lasso.cycle.len(), shortest, "seed {seed}: {finding:?} {graph:?}");
}

#[test]
fn a_damaged_lasso_is_refused() {
    let graph = crate::explored::solution_3();
    let liveness = Liveness::of(&graph);
    let finding = liveness.findings(&graph).remove(0);
    let damaged = |damage: &dyn Fn(&mut Finding)| {
        let mut finding = finding.clone();
        damage(&mut finding);
        finding.check(&graph, &liveness).expect_err("it is damaged")
    };
    let steps = finding.lasso.stem.len();
    assert_eq!(damaged(&|it| it.lasso.cycle[0] = TransitionId(999)), LassoFault::Unknown { step: steps + 1 });
    assert!(matches!(
        damaged(&|it| it.lasso.stem.insert(0, it.lasso.cycle[0])),
        LassoFault::Broken { step: 1 | 2 }
    ));
    assert_eq!(damaged(&|it| it.lasso.cycle.truncate(it.lasso.cycle.len() - 1)), LassoFault::NotClosed);
    assert_eq!(damaged(&|it| it.lasso.cycle.clear()), LassoFault::Cycle { expected: true });
    assert!(matches!(damaged(&|it| it.kind = Kind::Blocking), LassoFault::Kind { .. }));
    assert!(matches!(damaged(&|it| it.trouble = Trouble::Livelock), LassoFault::Sets { .. }));
    assert!(matches!(
        damaged(&|it| it.state = StateId(57)),
        LassoFault::Missed { .. } | LassoFault::Sets { .. }
    ));
}

/// So many threads that each have a loop of their own in one state; the first may also go where it makes progress, and back.
fn loops(threads: usize) -> StateGraph {
    let names: Vec<String> = (0..threads).map(|it| format!("thread{it}")).collect();
    let mut builder = GraphBuilder::new(names).expect("the names are valid");
    let at =
        |progress: bool| vec![ThreadState { next: "loop", activity: Activity::Ready, progress }; threads];
    let (start, good) = (builder.state(&at(false), ""), builder.state(&at(true), "progress"));
    let (start, good) = (start.expect("there is room"), good.expect("there is room"));
    for index in 0..threads {
        for state in [start, good] {
            builder.transition(state, &[thread(index)], "loop", "", state).expect("there is room");
        }
    }
    builder.transition(start, &[thread(0)], "go", "", good).expect("there is room");
    builder.transition(good, &[thread(0)], "return", "", start).expect("there is room");
    builder.finish(start).expect("it is valid")
}

#[test]
fn where_many_threads_have_to_move_a_cycle_is_still_found() {
    for (threads, is_shortest) in [(6, true), (20, false), (40, false)] {
        let graph = loops(threads);
        let liveness = Liveness::of(&graph);
        assert!(!liveness.starvation(StateGraph::INITIAL).is_empty());
        let found = liveness.findings(&graph);
        assert_eq!(found.len(), threads, "each of them starves");
        for finding in found.iter().take(3) {
            assert_eq!(finding.check(&graph, &liveness), Ok(()));
            assert_eq!(finding.lasso.is_shortest, is_shortest, "{threads} threads");
            // Each takes its loop once, whether or not that was proved to be the least.
            assert_eq!(finding.lasso.cycle.len(), threads);
        }
    }
}
