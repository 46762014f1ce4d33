//! A million states: memory, and work that grows with the size of the graph. Work is counted in transitions that were followed.

use insyn_graphs::{Activity, GraphBuilder, Liveness, StateGraph, StateId, ThreadId, ThreadState, Trouble};

use crate::explored::thread;

/// Four threads that each go round in a circle of so many statements. At its first statement a thread makes progress, and it may jump
/// over that one, so each can starve.
fn rings(length: u32) -> StateGraph {
    let labels: Vec<String> = (0..length).map(|it| format!("src/rings.rs:{it}:9")).collect();
    let names = ["first", "second", "third", "fourth"];
    let mut builder = GraphBuilder::new(names).expect("the names are valid");
    let place = |state: u32, thread: u32| state / length.pow(thread) % length;
    for state in 0..length.pow(4) {
        let at = |thread: u32| {
            let at = place(state, thread);
            ThreadState { next: &labels[at as usize], activity: Activity::Ready, progress: at == 0 }
        };
        builder.state(&[at(0), at(1), at(2), at(3)], "").expect("there is room");
        for (index, ring) in (0..4).enumerate() {
            let at = place(state, ring);
            let mut to = |next: u32| {
                let target = state - at * length.pow(ring) + next * length.pow(ring);
                let from = &labels[at as usize];
                builder
                    .transition(StateId(state), &[thread(index)], "load", from, StateId(target))
                    .expect("there is room");
            };
            to((at + 1) % length);
            if at == length - 1 {
                to(1);
            }
        }
    }
    builder.finish(StateId(0)).expect("it is valid")
}

/// A chain of so many states in which one thread moves. The other waits at every step, and is blocked for ever in the second half.
fn chain(length: u32) -> StateGraph {
    let mut builder = GraphBuilder::new(["runner", "waiter"]).expect("the names are valid");
    let both: [ThreadId; 2] = [thread(0), thread(1)];
    for state in 0..length {
        let is_last = state + 1 == length;
        let runner = if is_last { Activity::Ended } else { Activity::Ready };
        let waiter = if state * 2 >= length { Activity::Blocked } else { Activity::Ready };
        let at = |activity| ThreadState { next: "step", activity, progress: false };
        builder.state(&[at(runner), at(waiter)], &format!("count = {state}")).expect("there is room");
        if !is_last {
            builder
                .transition(StateId(state), &both[..1], "store", "", StateId(state + 1))
                .expect("there is room");
        }
        if waiter == Activity::Ready {
            builder
                .transition(StateId(state), &both[1..], "load", "", StateId(state))
                .expect("there is room");
        }
    }
    builder.finish(StateId(0)).expect("it is valid")
}

/// The work on a graph, for each of its transitions and threads.
fn work(graph: &StateGraph, liveness: &Liveness) -> f64 {
    liveness.followed() as f64 / (graph.transitions() * graph.threads().len()) as f64
}

#[test]
fn a_million_states_take_less_than_100_mb_and_work_in_proportion() {
    let (small, large) = (rings(10), rings(32));
    assert_eq!((large.states(), large.transitions()), (1_048_576, 4_325_376));
    assert!(large.bytes() < 100_000_000, "{} bytes", large.bytes());
    let (some, all) = (Liveness::of(&small), Liveness::of(&large));
    // Every thread can starve wherever it is not at its first statement.
    let starves = |it: &StateId| all.starvation(*it) == large.all_threads() - large.progress(*it);
    assert!(large.state_ids().all(|it| starves(&it)));
    let (few, many) = (work(&small, &some), work(&large, &all));
    assert!(many < few * 1.2 && many < 4.0, "{few} and {many} for each transition and thread");
}

#[test]
fn a_chain_of_a_million_states_needs_no_deep_stack() {
    let (small, large) = (chain(10_000), chain(1_000_000));
    assert!(large.bytes() < 100_000_000, "{} bytes", large.bytes());
    let (some, all) = (Liveness::of(&small), Liveness::of(&large));
    assert_eq!(all.condensation().len(), 1_000_000);
    assert!((500_000..1_000_000).all(|it| all.deadlock(StateId(it)).contains(thread(1))));
    assert!((0..500_000).all(|it| all.deadlock(StateId(it)).is_empty()));
    let (few, many) = (work(&small, &some), work(&large, &all));
    assert!(many < few * 1.2 && many < 4.0, "{few} and {many} for each transition and thread");
    let found = all.findings(&large);
    assert!(found.iter().all(|it| it.trouble == Trouble::Deadlock && it.check(&large, &all) == Ok(())));
    assert_eq!(found.iter().map(|it| it.lasso.stem.len()).collect::<Vec<_>>(), [500_000, 999_999]);
}
