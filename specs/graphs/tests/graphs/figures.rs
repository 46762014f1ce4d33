//! The textbook's figures and solutions (*Modern Multithreading*, 7.3.3).

use insyn_graphs::{Kind, Liveness, Scope, StateGraph, StateId, ThreadSet, Trouble};

use crate::explored::{figure_7_9, solution_2, solution_3, state, thread};

fn set(threads: &[usize]) -> ThreadSet {
    threads.iter().map(|&it| thread(it)).collect()
}

/// The descriptions of the states in which a set is not empty, with the set.
fn those(graph: &StateGraph, of: impl Fn(StateId) -> ThreadSet) -> Vec<(String, ThreadSet)> {
    let states = graph.state_ids().filter(|&it| !of(it).is_empty());
    let mut all: Vec<_> = states.map(|it| (graph.describe(it), of(it))).collect();
    all.sort();
    all
}

#[test]
fn figure_7_9_has_its_deadlock_sets() {
    let graph = figure_7_9();
    let liveness = Liveness::of(&graph);
    assert_eq!((graph.states(), graph.transitions()), (4, 4));
    assert_eq!(liveness.condensation().len(), 4, "the graph and its condensation are the same");
    let at = |described: &str| {
        let state = state(&graph, described);
        (liveness.deadlock(state), liveness.deadlock_scope(&graph, state))
    };
    assert_eq!(at("(1, 1, 1, 1)"), (set(&[]), None));
    assert_eq!(at("(2, 2, 1, 1)"), (set(&[0, 1]), Some(Scope::Local)));
    assert_eq!(at("(1, 1, 2, end)"), (set(&[2]), Some(Scope::Local)));
    assert_eq!(at("(2, 2, 2, end)"), (set(&[0, 1, 2]), Some(Scope::Global)));
    assert!(liveness.condensation().is_leaf(&graph, 0));
    assert!(
        graph.state_ids().all(|it| liveness.livelock(it).is_empty() && liveness.starvation(it).is_empty())
    );
    let found = liveness.findings(&graph);
    let shown: Vec<_> =
        found.iter().map(|it| (it.trouble, it.threads, it.scope, it.kind, it.lasso.stem.len())).collect();
    let deadlock =
        |threads: &[usize], scope, steps| (Trouble::Deadlock, set(threads), scope, Kind::Blocking, steps);
    assert_eq!(
        shown,
        [
            deadlock(&[0, 1], Scope::Local, 1),
            deadlock(&[2], Scope::Local, 1),
            deadlock(&[0, 1, 2], Scope::Global, 2)
        ]
    );
}

#[test]
fn solution_2_livelocks_where_the_other_thread_has_ended() {
    let graph = solution_2(&[1]);
    let liveness = Liveness::of(&graph);
    assert_eq!((graph.states(), graph.transitions()), (22, 44));
    let livelocked = |described: &str| (described.to_owned(), set(&[0]));
    assert_eq!(
        those(&graph, |it| liveness.livelock(it)),
        ["(1, end; turn 1)", "(3, end; turn 0)", "(4, end; turn 1)"].map(livelocked)
    );
    // Thread1 has ended, so there is nobody else.
    let scope = liveness.livelock_scope(&graph, state(&graph, "(1, end; turn 1)"));
    assert_eq!(scope, Some(Scope::Global));
    assert!(graph.state_ids().all(|it| liveness.deadlock(it).is_empty()));
    let found = liveness.findings(&graph);
    let livelock = found.iter().find(|it| it.trouble == Trouble::Livelock).expect("it was found");
    assert_eq!((livelock.threads, livelock.kind, livelock.states), (set(&[0]), Kind::Busy, 3));
    // The book's prefix ends in the loop of statement 1, and so does the lasso.
    assert_eq!(livelock.lasso.states(&graph).1, [state(&graph, "(1, end; turn 1)")]);
    assert_eq!(livelock.check(&graph, &liveness), Ok(()));
}

#[test]
fn solution_2_where_both_may_end() {
    let graph = solution_2(&[0, 1]);
    let liveness = Liveness::of(&graph);
    assert_eq!((graph.states(), graph.transitions()), (30, 60));
    assert_eq!(
        those(&graph, |it| liveness.livelock(it)),
        [("(1, end; turn 1)".to_owned(), set(&[0])), ("(end, 1; turn 0)".to_owned(), set(&[1]))]
    );
}

#[test]
fn solution_3_starves_in_29_states_of_each_thread() {
    let graph = solution_3();
    let liveness = Liveness::of(&graph);
    assert_eq!((graph.states(), graph.transitions()), (58, 116));
    assert_eq!(liveness.condensation().len(), 1);
    assert!(graph.state_ids().all(|it| liveness.livelock(it).is_empty() && liveness.deadlock(it).is_empty()));
    for index in 0..2 {
        let starving = |it: &StateId| liveness.starvation(*it).contains(thread(index));
        assert_eq!(graph.state_ids().filter(starving).count(), 29, "of thread {index}");
        assert!(
            graph.state_ids().all(|it| !liveness.starvation_of(it, Kind::Blocking).contains(thread(index)))
        );
    }
    let known = state(&graph, "(4, 2; intend 0 1)");
    assert!(liveness.starvation(known).contains(thread(0)));
    // Its loop is no fair cycle: Thread1 could move and does not.
    let own = graph.outgoing(known).find(|&it| graph.transition(it).to == known).expect("it has a loop");
    let mut lasso = liveness.findings(&graph).remove(0).lasso;
    let fault = |lasso: &insyn_graphs::Lasso| lasso.check_fair(&graph).expect_err("it is not fair");
    lasso.cycle = vec![own];
    assert_eq!(fault(&lasso), insyn_graphs::LassoFault::Unfair { thread: thread(1) });
}

#[test]
fn a_lasso_of_solution_3_spins_while_the_other_thread_comes_and_goes() {
    let graph = solution_3();
    let liveness = Liveness::of(&graph);
    let found = liveness.findings(&graph);
    assert!(!found.is_empty() && found.iter().all(|it| it.trouble == Trouble::Starvation));
    for finding in &found {
        assert_eq!(finding.check(&graph, &liveness), Ok(()), "{finding:?}");
        assert!(finding.lasso.is_shortest);
    }
    assert_eq!(found.iter().map(|it| it.threads).collect::<std::collections::BTreeSet<_>>().len(), 2);
}
