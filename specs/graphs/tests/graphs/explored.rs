//! Graphs written as data: hand-written models of programs, explored into state graphs.

use std::collections::BTreeMap;
use std::fmt::Debug;

use insyn_graphs::{Activity, GraphBuilder, StateGraph, StateId, ThreadId, ThreadState};

/// A step of a model: the threads that make it, its operation, and the state behind it.
pub(crate) type Step<S> = (&'static [usize], String, S);

/// What a model says of a state.
pub(crate) struct View {
    /// For each thread the label of its next statement, what it can do, and whether it makes progress.
    pub(crate) threads: Vec<(String, Activity, bool)>,
    pub(crate) objects: String,
}

pub(crate) fn thread(index: usize) -> ThreadId {
    ThreadId::new(index).expect("graphs have fewer than 64 threads")
}

/// Explores a model depth first, which is not the order in which the states of a graph are numbered.
pub(crate) fn explore<S: Clone + Ord + Debug>(
    names: &[&str],
    initial: S,
    view: impl Fn(&S) -> View,
    steps: impl Fn(&S) -> Vec<Step<S>>,
) -> StateGraph {
    let mut builder = GraphBuilder::new(names.iter().copied()).expect("the names are valid");
    let mut known: BTreeMap<S, StateId> = BTreeMap::new();
    let mut pending = vec![initial.clone()];
    let mut add = |builder: &mut GraphBuilder, state: &S, pending: &mut Vec<S>| {
        *known.entry(state.clone()).or_insert_with(|| {
            pending.push(state.clone());
            let View { threads, objects } = view(state);
            let threads: Vec<ThreadState<'_>> = threads
                .iter()
                .map(|(next, activity, progress)| ThreadState {
                    next,
                    activity: *activity,
                    progress: *progress,
                })
                .collect();
            builder.state(&threads, &objects).expect("there is room")
        })
    };
    pending.clear();
    let first = add(&mut builder, &initial, &mut pending);
    while let Some(state) = pending.pop() {
        let from = add(&mut builder, &state, &mut pending);
        for (threads, operation, target) in steps(&state) {
            let to = add(&mut builder, &target, &mut pending);
            let threads: Vec<ThreadId> = threads.iter().map(|&it| thread(it)).collect();
            builder.transition(from, &threads, &operation, "", to).expect("there is room");
        }
    }
    builder.finish(first).unwrap_or_else(|error| panic!("{error}"))
}

/// The state that is described like this.
#[track_caller]
pub(crate) fn state(graph: &StateGraph, described: &str) -> StateId {
    let found: Vec<StateId> = graph.state_ids().filter(|&it| graph.describe(it) == described).collect();
    let [state] = found[..] else { panic!("{} states are {described}", found.len()) };
    state
}

fn activity(label: &str) -> Activity {
    if label == "end" { Activity::Ended } else { Activity::Ready }
}

const MOVES: [&[usize]; 2] = [&[0], &[1]];

/// Solution 2 of the textbook's section 2.1.2: `turn`, where some threads may end in their non-critical section. Progress is
/// statement 2.
pub(crate) fn solution_2(may_end: &[usize]) -> StateGraph {
    // Statement 0 is the end.
    type State = ([u8; 2], usize);
    let view = |&(at, turn): &State| {
        let threads = at.iter().map(|&it| {
            let label = if it == 0 { "end".to_owned() } else { it.to_string() };
            let activity = activity(&label);
            (label, activity, it == 2)
        });
        View { threads: threads.collect(), objects: format!("turn {turn}") }
    };
    let steps = |&(at, turn): &State| {
        let mut steps = Vec::new();
        for thread in 0..2 {
            let mut to = |next: u8, turn: usize| {
                let mut at = at;
                let operation = at[thread].to_string();
                at[thread] = next;
                steps.push((MOVES[thread], operation, (at, turn)));
            };
            match at[thread] {
                1 => to(if turn == thread { 2 } else { 1 }, turn),
                2 => to(3, turn),
                3 => to(4, 1 - thread),
                4 => {
                    to(1, turn);
                    if may_end.contains(&thread) {
                        to(0, turn);
                    }
                }
                _ => {}
            }
        }
        steps
    };
    explore(&["Thread0", "Thread1"], ([1, 1], 0), view, steps)
}

/// Solution 3: `intendToEnter`. Progress is statement 6.
pub(crate) fn solution_3() -> StateGraph {
    type State = ([u8; 2], [bool; 2]);
    let view = |&(at, intends): &State| {
        let threads = at.iter().map(|&it| (it.to_string(), Activity::Ready, it == 6)).collect();
        View { threads, objects: format!("intend {} {}", u8::from(intends[0]), u8::from(intends[1])) }
    };
    let steps = |&(at, intends): &State| {
        let step = |thread: usize| {
            let other = intends[1 - thread];
            let (next, intend) = match at[thread] {
                1 | 5 => (2, Some(true)),
                2 => (if other { 3 } else { 6 }, None),
                3 => (4, Some(false)),
                4 => (if other { 4 } else { 5 }, None),
                6 => (7, None),
                7 => (8, Some(false)),
                _ => (1, None),
            };
            let (mut at, mut intends) = (at, intends);
            let operation = at[thread].to_string();
            at[thread] = next;
            intends[thread] = intend.unwrap_or(intends[thread]);
            (MOVES[thread], operation, (at, intends))
        };
        vec![step(0), step(1)]
    };
    explore(&["Thread0", "Thread1"], ([1, 1], [false, false]), view, steps)
}

/// Fig. 7.9: four threads that meet on synchronous ports. The textbook's copy of the second statement of Thread2 is garbled; with
/// `r.send`, it is blocked in (2,2,1,1) as the figure says.
pub(crate) fn figure_7_9() -> StateGraph {
    const TEXTS: [&[&str]; 4] = [
        &["p.send", "p.send", "r.receive"],
        &["p.receive", "r.send", "p.receive"],
        &["q.receive", "s.send"],
        &["q.send"],
    ];
    const PAIRS: [(usize, usize, &[usize]); 12] = [
        (0, 1, &[0, 1]),
        (1, 0, &[1, 0]),
        (0, 2, &[0, 2]),
        (2, 0, &[2, 0]),
        (0, 3, &[0, 3]),
        (3, 0, &[3, 0]),
        (1, 2, &[1, 2]),
        (2, 1, &[2, 1]),
        (1, 3, &[1, 3]),
        (3, 1, &[3, 1]),
        (2, 3, &[2, 3]),
        (3, 2, &[3, 2]),
    ];
    fn steps(at: &[usize; 4]) -> Vec<Step<[usize; 4]>> {
        let next = |thread: usize| TEXTS[thread].get(at[thread]).copied().unwrap_or("");
        let meet = |&&(sender, receiver, _): &&(usize, usize, &[usize])| {
            let port = next(sender).strip_suffix(".send");
            port.is_some() && port == next(receiver).strip_suffix(".receive")
        };
        let step = |&(sender, receiver, threads): &(usize, usize, &'static [usize])| {
            let mut to = *at;
            to[sender] += 1;
            to[receiver] += 1;
            (threads, next(sender).to_owned(), to)
        };
        PAIRS.iter().filter(meet).map(step).collect()
    }
    let view = |at: &[usize; 4]| {
        let moving = steps(at);
        let thread = |thread: usize| {
            let has_ended = at[thread] == TEXTS[thread].len();
            let label = if has_ended { "end".to_owned() } else { (at[thread] + 1).to_string() };
            let can_move = moving.iter().any(|(threads, _, _)| threads.contains(&thread));
            let activity = match (has_ended, can_move) {
                (true, _) => Activity::Ended,
                (_, true) => Activity::Ready,
                _ => Activity::Blocked,
            };
            (label, activity, has_ended)
        };
        View { threads: (0..4).map(thread).collect(), objects: String::new() }
    };
    explore(&["Thread1", "Thread2", "Thread3", "Thread4"], [0; 4], view, steps)
}
