//! What is no graph, and that the order of discovery leaves no trace.

use insyn_graphs::{Activity, GraphBuilder, GraphError, StateGraph, StateId, ThreadState};

use crate::explored::{solution_3, thread};

const READY: Activity = Activity::Ready;

fn at(next: &str, activity: Activity) -> ThreadState<'_> {
    ThreadState { next, activity, progress: false }
}

/// Two states of two threads with these activities, and these transitions between them: from, thread, to.
fn build(states: &[[Activity; 2]], transitions: &[(u32, usize, u32)]) -> Result<StateGraph, GraphError> {
    let mut builder = GraphBuilder::new(["a", "b"])?;
    for &(from, index, to) in transitions {
        builder.transition(StateId(from), &[thread(index)], "step", "", StateId(to))?;
    }
    for state in states {
        builder.state(&state.map(|activity| at("1", activity)), "")?;
    }
    builder.finish(StateId(0))
}

#[test]
fn invalid_graphs_are_refused_with_the_reason() {
    let (blocked, ended) = (Activity::Blocked, Activity::Ended);
    let name = || "b".to_owned();
    let both: [(u32, usize, u32); 2] = [(0, 0, 0), (0, 1, 0)];
    assert!(build(&[[READY, READY]], &both).is_ok());
    let moves = |activity| GraphError::Moves { state: 0, thread: name(), activity };
    assert_eq!(build(&[[READY, blocked]], &both), Err(moves(blocked)));
    assert_eq!(build(&[[READY, ended]], &both), Err(moves(ended)));
    assert_eq!(build(&[[READY, READY]], &both[..1]), Err(GraphError::Stuck { state: 0, thread: name() }));
    let unknown = |state| GraphError::UnknownState { state };
    assert_eq!(build(&[[READY, READY]], &[(0, 0, 0), (0, 1, 7)]), Err(unknown(7)));
    assert_eq!(build(&[[READY, READY]], &[(0, 0, 0), (9, 1, 0)]), Err(unknown(9)));
    assert_eq!(build(&[], &[]), Err(unknown(0)));
    assert_eq!(build(&[[READY, READY]], &[(0, 2, 0)]), Err(GraphError::UnknownThread { index: 2 }));
    let revived = build(&[[READY, ended], [READY, READY]], &[(0, 0, 1), (1, 0, 1), (1, 1, 1)]);
    assert_eq!(revived, Err(GraphError::Revived { state: 1, thread: name() }));
    let lonely = build(&[[READY, READY], [ended, ended]], &both);
    assert_eq!(lonely, Err(GraphError::Unreachable { state: 1 }));
}

#[test]
fn builders_refuse_what_is_not_there() {
    let error = |names: &[&str]| GraphBuilder::new(names.iter().copied()).expect_err("it is refused");
    assert_eq!(error(&[]), GraphError::Threads { count: 0 });
    assert_eq!(error(&["a", "b", "a"]), GraphError::SameName { name: "a".to_owned() });
    let many: Vec<String> = (0..65).map(|it| it.to_string()).collect();
    assert_eq!(GraphBuilder::new(many).expect_err("it is refused"), GraphError::Threads { count: 65 });
    let mut builder = GraphBuilder::new(["a", "b"]).expect("it is valid");
    let described = builder.state(&[at("1", READY)], "");
    assert_eq!(described, Err(GraphError::Described { state: 0, threads: 1, expected: 2 }));
    assert_eq!(builder.open(StateId(0)), Err(GraphError::UnknownState { state: 0 }));
    let nobody = builder.transition(StateId(0), &[], "step", "", StateId(0));
    assert_eq!(nobody, Err(GraphError::NobodyMoves { state: 0 }));
}

#[test]
fn a_state_that_was_not_explored_may_lack_transitions() {
    let mut builder = GraphBuilder::new(["a"]).expect("it is valid");
    let state = builder.state(&[at("1", READY)], "").expect("there is room");
    builder.open(state).expect("it is there");
    let graph = builder.finish(state).expect("it is valid");
    assert!(!graph.is_complete() && graph.is_open(StateGraph::INITIAL));
    assert_eq!(graph.open_states().collect::<Vec<_>>(), [StateGraph::INITIAL]);
}

/// Rebuilds a graph from its states and transitions in another order.
fn shuffled(graph: &StateGraph, seed: usize) -> StateGraph {
    let count = graph.states();
    let place = |state: StateId| (state.0 as usize * 31 + seed) % count;
    let mut order: Vec<StateId> = graph.state_ids().collect();
    order.sort_by_key(|&it| place(it));
    let mut builder = GraphBuilder::new(graph.threads()).expect("it is valid");
    let number = |state: StateId| StateId(u32::try_from(place(state)).expect("it is small"));
    for &state in order.iter().rev() {
        for id in graph.outgoing(state) {
            let it = graph.transition(id);
            let threads: Vec<_> = it.threads.iter().collect();
            builder
                .transition(number(it.from), &threads, it.operation, it.place, number(it.to))
                .expect("there is room");
        }
    }
    for &state in &order {
        let threads: Vec<_> = graph.all_threads().iter().map(|it| graph.at(state, it)).collect();
        builder.state(&threads, graph.objects(state)).expect("there is room");
    }
    builder.finish(number(StateGraph::INITIAL)).expect("it is valid")
}

#[test]
fn the_order_of_discovery_leaves_no_trace() {
    let graph = solution_3();
    for seed in 0..58 {
        assert_eq!(shuffled(&graph, seed), graph, "seed {seed}");
    }
    assert_eq!(graph.describe(StateGraph::INITIAL), "(1, 1; intend 0 0)");
}

#[test]
fn states_are_numbered_by_their_distance() {
    let graph = solution_3();
    let mut next = 1;
    for state in graph.state_ids() {
        for id in graph.outgoing(state) {
            let it = graph.transition(id);
            assert_eq!(it.from, state);
            assert!(it.to.0 <= next, "a later state is found first");
            next = next.max(it.to.0 + 1);
        }
        let threads: Vec<_> = graph.outgoing(state).map(|id| graph.transition(id).thread).collect();
        assert!(threads.is_sorted());
    }
}
