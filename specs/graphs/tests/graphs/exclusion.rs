//! Mutual exclusion and bounded waiting.

use std::collections::{BTreeMap, BTreeSet};

use insyn_graphs::{
    Activity, Exclusion, ExclusionError, Lasso, Marker, StateGraph, StateId, ThreadId, ThreadSet,
    TransitionId, Waiting,
};

use crate::brute_force;
use crate::explored::{Step, View, explore, solution_2, solution_3, thread};
use crate::random::Random;

const MOST: usize = 1_000_000;
const MOVES: [&[usize]; 3] = [&[0], &[1], &[2]];

/// Operations named `request`, `enter` and `leave` are what they say.
fn marker(graph: &StateGraph) -> impl Fn(TransitionId) -> Option<Marker> + '_ {
    |id| match graph.transition(id).operation {
        "request" => Some(Marker::Request),
        "enter" => Some(Marker::Enter),
        "leave" => Some(Marker::Leave),
        _ => None,
    }
}

fn judge(graph: &StateGraph) -> Exclusion {
    Exclusion::of(graph, marker(graph), MOST).unwrap_or_else(|error| panic!("{error}"))
}

/// A ticket lock of so many threads, with tickets modulo four. Taking a ticket is the request.
fn ticket_lock(threads: usize) -> StateGraph {
    // Statement, ticket of each; next ticket, ticket that is served.
    type State = (Vec<(u8, u8)>, u8, u8);
    let view = |(at, next, served): &State| View {
        threads: at.iter().map(|it| (it.0.to_string(), Activity::Ready, it.0 == 2)).collect(),
        objects: format!("{at:?} {next} {served}"),
    };
    let steps = |(at, next, served): &State| {
        let step = |thread: usize| -> Step<State> {
            let (mut at, mut next, mut served) = (at.clone(), *next, *served);
            let (operation, to) = match at[thread] {
                (0, _) => {
                    next = (next + 1) % 4;
                    ("request", (1, (next + 3) % 4))
                }
                (1, ticket) if ticket == served => ("enter", (2, 0)),
                (1, ticket) => ("load", (1, ticket)),
                _ => {
                    served = (served + 1) % 4;
                    ("leave", (0, 0))
                }
            };
            at[thread] = to;
            (MOVES[thread], operation.to_owned(), (at, next, served))
        };
        (0..at.len()).map(step).collect()
    };
    let names = ["a", "b", "c"];
    explore(&names[..threads], (vec![(0, 0); threads], 0, 0), view, steps)
}

/// A test-and-set lock of two threads; without its test, nothing is locked.
fn test_and_set(tests: bool) -> StateGraph {
    type State = ([u8; 2], bool);
    let view = |(at, taken): &State| View {
        threads: at.iter().map(|it| (it.to_string(), Activity::Ready, *it == 2)).collect(),
        objects: taken.to_string(),
    };
    let steps = move |&(at, taken): &State| {
        let step = |thread: usize| -> Step<State> {
            let (operation, next, taken) = match at[thread] {
                0 => ("request", 1, taken),
                1 if taken && tests => ("swap", 1, taken),
                1 => ("enter", 2, true),
                _ => ("leave", 0, false),
            };
            let mut at = at;
            at[thread] = next;
            (MOVES[thread], operation.to_owned(), (at, taken))
        };
        vec![step(0), step(1)]
    };
    explore(&["a", "b"], ([0, 0], false), view, steps)
}

#[test]
fn a_ticket_lock_keeps_exclusion_and_bounds_waiting_by_the_others() {
    for threads in [1, 2, 3] {
        let graph = ticket_lock(threads);
        let exclusion = judge(&graph);
        assert_eq!(exclusion.violation, None);
        assert!(exclusion.is_complete);
        for (index, waiting) in exclusion.waiting.iter().enumerate() {
            let Waiting::Bounded { most, path } = waiting else { panic!("{waiting:?}") };
            assert_eq!(*most, threads as u64 - 1, "of {threads} threads");
            assert_eq!(entries(&graph, path, thread(index)), *most);
        }
    }
}

#[test]
fn a_test_and_set_lock_may_be_entered_by_others_for_ever() {
    let graph = test_and_set(true);
    let exclusion = judge(&graph);
    assert_eq!(exclusion.violation, None);
    for (index, waiting) in exclusion.waiting.iter().enumerate() {
        let Waiting::Unbounded { lasso, is_fair: true } = waiting else { panic!("{waiting:?}") };
        check_lasso(&graph, lasso, thread(index), true);
    }
}

#[test]
fn a_lock_without_its_test_is_none() {
    let graph = test_and_set(false);
    let (inside, path) = judge(&graph).violation.expect("both are inside");
    assert_eq!((inside, path.len()), (graph.all_threads(), 4));
    let operations: Vec<_> = path.iter().map(|&id| graph.transition(id).operation).collect();
    assert_eq!(operations, ["request", "enter", "request", "enter"]);
}

#[test]
fn waiting_may_be_finite_and_yet_without_a_bound() {
    // The first thread waits only until it is scheduled: every fair run lets it enter, but after any number of entries.
    let view = |at: &[u8; 2]| View {
        threads: at.iter().map(|it| (it.to_string(), Activity::Ready, false)).collect(),
        objects: String::new(),
    };
    let steps = |at: &[u8; 2]| {
        let names = ["request", "enter", "leave"];
        let step = |thread: usize| -> Step<[u8; 2]> {
            let mut to = *at;
            to[thread] = (to[thread] + 1) % 3;
            (MOVES[thread], names[usize::from(at[thread])].to_owned(), to)
        };
        vec![step(0), step(1)]
    };
    let graph = explore(&["a", "b"], [0, 0], view, steps);
    let exclusion = judge(&graph);
    assert!(exclusion.violation.is_some());
    let Waiting::Unbounded { lasso, is_fair: false } = &exclusion.waiting[0] else { panic!("{exclusion:?}") };
    check_lasso(&graph, lasso, thread(0), false);
}

#[test]
fn the_textbooks_solutions() {
    // The first statement wants to enter, the critical section is statement 2 or 6, and the one behind it leaves.
    let judge = |graph: &StateGraph, request: &str, enter: StateOf, leave: &str| {
        let marker = |id: TransitionId| {
            let it = graph.transition(id);
            let to = graph.at(it.to, it.thread).next;
            match it.operation {
                operation if operation == request => Some(Marker::Request),
                operation if enter.0 == to && operation != enter.0 => Some(Marker::Enter),
                operation if operation == leave => Some(Marker::Leave),
                _ => None,
            }
        };
        Exclusion::of(graph, marker, MOST).unwrap_or_else(|error| panic!("{error}"))
    };
    struct StateOf(&'static str);
    // Statement 4 leads to the loop of statement 1, which is what waits.
    let second = judge(&solution_2(&[]), "4", StateOf("2"), "3");
    assert_eq!(second.violation, None);
    for waiting in &second.waiting {
        assert!(matches!(waiting, Waiting::Bounded { most: 1, .. }), "{waiting:?}");
    }
    let third = judge(&solution_3(), "1", StateOf("6"), "7");
    assert_eq!(third.violation, None);
    for waiting in &third.waiting {
        assert!(matches!(waiting, Waiting::Unbounded { is_fair: true, .. }), "{waiting:?}");
    }
}

#[test]
fn markers_in_a_wrong_order_are_refused() {
    let graph = test_and_set(true);
    let swapped = |id: TransitionId| match marker(&graph)(id) {
        Some(Marker::Enter) => Some(Marker::Leave),
        other => other,
    };
    let error = Exclusion::of(&graph, swapped, MOST).expect_err("nobody is inside");
    let ExclusionError::Misuse { thread: who, marker: Marker::Leave, is_inside: false, path } = error else {
        panic!("{error}")
    };
    assert_eq!((who, path.len()), (thread(0), 2));
    let all_enter = |id: TransitionId| marker(&graph)(id).map(|_| Marker::Enter);
    let error = Exclusion::of(&graph, all_enter, MOST).expect_err("it enters twice");
    assert!(
        matches!(error, ExclusionError::Misuse { marker: Marker::Enter, is_inside: true, .. }),
        "{error}"
    );
    assert_eq!(Exclusion::of(&graph, |_| None, 3), Err(ExclusionError::TooLarge { most: 3 }));
    let nothing = Exclusion::of(&graph, |_| None, MOST).expect("nothing is wrong with it");
    assert_eq!(nothing.waiting, [Waiting::Never, Waiting::Never]);
}

/// How often others enter on a path, since the last request of a thread.
fn entries(graph: &StateGraph, path: &[TransitionId], waiting: ThreadId) -> u64 {
    let mut count = 0;
    for &id in path {
        let it = graph.transition(id);
        match it.operation {
            "request" if it.thread == waiting => count = 0,
            "enter" if it.thread != waiting => count += 1,
            _ => {}
        }
    }
    count
}

#[track_caller]
fn check_lasso(graph: &StateGraph, lasso: &Lasso, waiting: ThreadId, is_fair: bool) {
    assert_eq!(lasso.check_path(graph), Ok(()));
    assert_eq!(lasso.check_fair(graph).is_ok(), is_fair);
    let own = |ids: &[TransitionId]| -> Vec<String> {
        let own = ids.iter().map(|&id| graph.transition(id)).filter(|it| it.thread == waiting);
        own.map(|it| it.operation.to_owned())
            .filter(|it| ["request", "enter", "leave"].contains(&&**it))
            .collect()
    };
    assert_eq!(own(&lasso.stem).last().map(String::as_str), Some("request"));
    assert_eq!(own(&lasso.cycle), Vec::<String>::new(), "it waits all the time");
    assert!(entries(graph, &lasso.cycle, waiting) > 0);
}

/// A random protocol: each thread requests, enters and leaves in turn, where a random table over a small shared value allows it. Where
/// it does not, the thread is blocked or spins.
fn protocol(seed: u64) -> StateGraph {
    type State = ([u8; 2], usize);
    let mut random = Random(seed);
    let values = 1 + random.below(4);
    let table: BTreeMap<(usize, u8, usize), (usize, usize)> = (0..2)
        .flat_map(|thread| (0..3).flat_map(move |phase| (0..values).map(move |value| (thread, phase, value))))
        .map(|key| (key, (random.below(5), random.below(values))))
        .collect();
    let (blocked, spins) = (0, 1);
    let rule = |thread: usize, state: &State| table[&(thread, state.0[thread], state.1)];
    let view = |state: &State| {
        let thread = |thread: usize| {
            let activity = if rule(thread, state).0 == blocked { Activity::Blocked } else { Activity::Ready };
            (state.0[thread].to_string(), activity, false)
        };
        View { threads: vec![thread(0), thread(1)], objects: state.1.to_string() }
    };
    let steps = |state: &State| {
        let step = |thread: usize| -> Option<Step<State>> {
            let (does, value) = rule(thread, state);
            let (mut at, _) = *state;
            let operation = ["request", "enter", "leave"][usize::from(at[thread])];
            if does == blocked {
                return None;
            }
            if does == spins {
                return Some((MOVES[thread], "load".to_owned(), *state));
            }
            at[thread] = (at[thread] + 1) % 3;
            Some((MOVES[thread], operation.to_owned(), (at, value)))
        };
        (0..2).filter_map(step).collect()
    };
    explore(&["a", "b"], ([0, 0], 0), view, steps)
}

/// The greatest number of entries of others while a thread waits, by following all paths of one length after the other; none if it
/// grows above the number of states, so that a state must have come again in between.
fn greatest(graph: &StateGraph, waiting: ThreadId) -> Option<u64> {
    let is_waiting = |state: StateId| graph.at(state, waiting).next == "1";
    let mut most: BTreeMap<StateId, u64> =
        graph.state_ids().filter(|&it| is_waiting(it)).map(|it| (it, 0)).collect();
    for _ in 0..(graph.states() + 1) * (graph.states() + 1) {
        let before = most.clone();
        for (&state, count) in &mut most {
            for id in graph.outgoing(state) {
                let it = graph.transition(id);
                if let Some(behind) = before.get(&it.to) {
                    let enters = it.thread != waiting && it.operation == "enter";
                    *count = (*count).max(behind + u64::from(enters));
                }
            }
        }
    }
    let most = most.values().copied().max().unwrap_or(0);
    (most <= graph.states() as u64).then_some(most)
}

/// Whether some fair cycle has an entry of another thread, while the thread waits in all of its states.
fn has_fair_wait(graph: &StateGraph, waiting: ThreadId) -> bool {
    brute_force::cycles(graph).any(|cycle| {
        let steps = || cycle.iter().map(|&id| graph.transition(id));
        steps().all(|it| graph.at(it.from, waiting).next == "1")
            && steps().any(|it| it.thread != waiting && it.operation == "enter")
            && brute_force::is_fair(graph, &cycle)
    })
}

#[test]
fn random_protocols_agree_with_brute_force() {
    let (mut bounds, mut unbounded, mut violations, mut fairness) = (BTreeSet::new(), 0, 0, 0);
    for seed in 0..2_000 {
        let graph = protocol(seed);
        let exclusion = judge(&graph);
        let inside = |state: StateId| -> ThreadSet {
            graph.all_threads().iter().filter(|&it| graph.at(state, it).next == "2").collect()
        };
        let is_violated = graph.state_ids().any(|it| inside(it).len() > 1);
        assert_eq!(exclusion.violation.is_some(), is_violated, "seed {seed}");
        if let Some((threads, path)) = &exclusion.violation {
            violations += 1;
            let lasso = Lasso { stem: path.clone(), cycle: Vec::new(), is_shortest: true };
            assert_eq!(lasso.check_path(&graph), Ok(()), "seed {seed}");
            assert_eq!(inside(lasso.states(&graph).1[0]), *threads, "seed {seed}");
        }
        for (index, waiting) in exclusion.waiting.iter().enumerate() {
            let expected = greatest(&graph, thread(index));
            match waiting {
                Waiting::Never => assert_eq!(expected, Some(0), "seed {seed}"),
                Waiting::Bounded { most, path } => {
                    assert_eq!(Some(*most), expected, "seed {seed}");
                    let lasso = Lasso { stem: path.clone(), cycle: Vec::new(), is_shortest: true };
                    assert_eq!(lasso.check_path(&graph), Ok(()), "seed {seed}");
                    assert_eq!(entries(&graph, path, thread(index)), *most, "seed {seed}");
                    bounds.insert(*most);
                }
                Waiting::Unbounded { lasso, is_fair } => {
                    unbounded += 1;
                    assert_eq!(expected, None, "seed {seed}");
                    check_lasso(&graph, lasso, thread(index), *is_fair);
                    if graph.transitions() <= 14 {
                        fairness += 1;
                        assert_eq!(*is_fair, has_fair_wait(&graph, thread(index)), "seed {seed}");
                    }
                }
            }
        }
    }
    assert!(bounds.len() > 2 && unbounded > 100 && violations > 100, "{bounds:?} {unbounded} {violations}");
    assert!(fairness > 50, "{fairness}");
}
