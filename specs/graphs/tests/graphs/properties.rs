//! Temporal properties: their meaning against the definitions, and graphs against all of their short runs.

use std::collections::BTreeSet;

use insyn_graphs::property::{Atoms, CheckError, Formula, Reason, Trace, Verdict, Violation, check};
use insyn_graphs::{Activity, Lasso, StateGraph, StateId, TransitionId};

use crate::explored::{View, explore, solution_2, solution_3};
use crate::random::{self, Random};

const MOST: usize = 1_000_000;

fn atom(number: u8) -> Formula {
    Formula::Atom(number)
}

fn random_formula(random: &mut Random, depth: usize) -> Formula {
    if depth == 0 {
        return if random.chance(12) {
            Formula::Constant(random.chance(2))
        } else {
            atom(u8::try_from(random.below(3)).expect("it is small"))
        };
    }
    let choice = random.below(12);
    let mut part = || random_formula(random, depth - 1);
    match choice {
        0 => part().not(),
        1 => Formula::And(vec![part(), part()]),
        2 => Formula::Or(vec![part(), part()]),
        3 => part().implies(part()),
        4 => part().next(),
        5 => part().always(),
        6 => part().never(),
        7 => part().eventually(),
        8 => part().until(part()),
        9 => part().leads_to(part()),
        10 => part().precedes(part()),
        _ => part(),
    }
}

fn random_atoms(random: &mut Random) -> Atoms {
    Atoms(random.below(8) as u64)
}

/// The definitions, word by word, with quantifiers over positions. The position behind a finite trace is its length; a trace that repeats
/// is as if it were written out far enough: each position stands for one of the first pass or of the cycle.
fn means(formula: &Formula, trace: &Trace, at: usize) -> bool {
    let length = trace.observations.len();
    let next = |position: usize| {
        if position + 1 < length { position + 1 } else { trace.repeats_from.unwrap_or(length) }
    };
    // The positions from here on, in the order in which a run passes them, until all have been passed.
    let mut later = Vec::new();
    let mut position = at;
    while position < length && later.len() <= 2 * length {
        later.push(position);
        position = next(position);
    }
    let holds = |p: &Formula, at: usize| means(p, trace, at);
    match formula {
        Formula::Constant(value) => *value,
        Formula::Atom(atom) => at < length && trace.observations[at].contains(*atom),
        Formula::Not(p) => !holds(p, at),
        Formula::And(all) => all.iter().all(|p| holds(p, at)),
        Formula::Or(all) => all.iter().any(|p| holds(p, at)),
        Formula::Implies(p, q) => !holds(p, at) || holds(q, at),
        Formula::Next(p) => at < length && next(at) < length && holds(p, next(at)),
        Formula::Always(p) => later.iter().all(|&it| holds(p, it)),
        Formula::Never(p) => !later.iter().any(|&it| holds(p, it)),
        Formula::Eventually(p) => later.iter().any(|&it| holds(p, it)),
        Formula::Until(p, q) => {
            (0..later.len()).any(|j| holds(q, later[j]) && later[..j].iter().all(|&k| holds(p, k)))
        }
        Formula::LeadsTo(p, q) => {
            later.iter().all(|&i| !holds(p, i) || means(&q.clone().eventually(), trace, i))
        }
        Formula::Precedes(p, q) => {
            (0..later.len()).all(|j| !holds(q, later[j]) || later[..=j].iter().any(|&k| holds(p, k)))
        }
    }
}

#[test]
fn properties_of_random_traces_mean_what_the_definitions_say() {
    let mut held = 0;
    for seed in 0..6_000 {
        let mut random = Random(seed);
        let depth = 1 + random.below(3);
        let formula = random_formula(&mut random, depth);
        let mut some = |most: usize| -> Vec<Atoms> {
            (0..random.below(most)).map(|_| random_atoms(&mut random)).collect()
        };
        let trace = Trace::lasso(some(4), some(4));
        let expected = means(&formula, &trace, 0);
        assert_eq!(trace.satisfies(&formula), expected, "seed {seed}: {formula} on {trace:?}");
        held += u32::from(expected);
    }
    assert!((1_000..5_000).contains(&held), "{held}");
}

/// One thread that makes these observations, and then ends or repeats.
fn single(trace: &Trace) -> StateGraph {
    let (count, repeats_from) = (trace.observations.len(), trace.repeats_from);
    let ends = move |at: usize| at == count && repeats_from.is_none();
    let view = |at: &usize| {
        let activity = if ends(*at) { Activity::Ended } else { Activity::Ready };
        View { threads: vec![(at.to_string(), activity, false)], objects: String::new() }
    };
    // The state at the end of the cycle is that at its beginning.
    let steps = |at: &usize| {
        let next = if at + 1 == count { repeats_from.unwrap_or(count) } else { at + 1 };
        if ends(*at) { Vec::new() } else { vec![(&[0][..], at.to_string(), next)] }
    };
    explore(&["only"], 0, view, steps)
}

#[test]
fn a_graph_with_one_run_has_the_properties_of_its_trace() {
    let mut reasons = BTreeSet::new();
    for seed in 0..6_000 {
        let mut random = Random(seed);
        let depth = 1 + random.below(3);
        let formula = random_formula(&mut random, depth);
        let mut some = |most: usize| -> Vec<Atoms> {
            (0..random.below(most)).map(|_| random_atoms(&mut random)).collect()
        };
        let trace = Trace::lasso(some(4), some(4));
        let graph = single(&trace);
        let observe = |id: TransitionId| {
            let position: usize = graph.transition(id).operation.parse().expect("it is a number");
            Some(trace.observations[position])
        };
        let verdict = check(&graph, &formula, None, observe, MOST).expect("it is small");
        let expected = trace.satisfies(&formula);
        assert_eq!(matches!(verdict, Verdict::Holds { .. }), expected, "seed {seed}: {formula} on {trace:?}");
        if let Verdict::Violated(Violation { reason, .. }) = verdict {
            reasons.insert(reason);
        }
    }
    assert_eq!(reasons.len(), 3);
}

/// All runs of up to so many steps: paths that end where nothing follows, and fair lassos.
fn runs(graph: &StateGraph, most: usize) -> Vec<Lasso> {
    let mut runs = Vec::new();
    let mut pending: Vec<Vec<TransitionId>> = vec![Vec::new()];
    while let Some(path) = pending.pop() {
        let target = |id: &TransitionId| graph.transition(*id).to;
        let states: Vec<StateId> =
            std::iter::once(StateGraph::INITIAL).chain(path.iter().map(target)).collect();
        let last = *states.last().expect("the initial state is there");
        if graph.outgoing(last).len() == 0 {
            runs.push(Lasso { stem: path.clone(), cycle: Vec::new(), is_shortest: true });
        }
        for (i, _) in states[..path.len()].iter().enumerate().filter(|it| *it.1 == last) {
            let run = Lasso { stem: path[..i].to_vec(), cycle: path[i..].to_vec(), is_shortest: true };
            if run.check_fair(graph).is_ok() {
                runs.push(run);
            }
        }
        if path.len() < most {
            pending.extend(graph.outgoing(last).map(|id| [&path[..], &[id]].concat()));
        }
    }
    runs
}

fn trace_of(run: &Lasso, initial: Option<Atoms>, observe: &dyn Fn(TransitionId) -> Option<Atoms>) -> Trace {
    let stem = initial.into_iter().chain(run.stem.iter().copied().filter_map(observe));
    Trace::lasso(stem.collect::<Vec<_>>(), run.cycle.iter().copied().filter_map(observe).collect::<Vec<_>>())
}

#[test]
fn verdicts_on_random_graphs_agree_with_all_short_runs() {
    let (mut held, mut violated, mut short) = (0, [0; 3], 0);
    for seed in 0..2_500 {
        let graph = random::graph(seed, 6);
        let mut random = Random(seed ^ 0x5eed);
        let depth = 1 + random.below(3);
        let formula = random_formula(&mut random, depth);
        let initial = random.chance(2).then(|| random_atoms(&mut random));
        let observed: Vec<Option<Atoms>> = (0..graph.transitions())
            .map(|_| (!random.chance(3)).then(|| random_atoms(&mut random)))
            .collect();
        let observe = |id: TransitionId| observed[id.0 as usize];
        let all = runs(&graph, 7);
        let bad = all.iter().filter(|run| !trace_of(run, initial, &observe).satisfies(&formula)).count();
        match check(&graph, &formula, initial, observe, MOST).expect("it is small") {
            Verdict::Undecided => panic!("seed {seed}: the graph is complete"),
            Verdict::Holds { .. } => {
                held += 1;
                assert_eq!(bad, 0, "seed {seed}: {formula} on {graph:?} {observed:?}");
            }
            Verdict::Violated(Violation { run, reason, step }) => {
                assert_eq!(run.check_path(&graph), Ok(()), "seed {seed}");
                let steps = run.stem.len() + run.cycle.len();
                assert!(step.is_none_or(|it| it <= steps), "seed {seed}");
                violated[reason as usize] += 1;
                short += u32::from(bad > 0);
                if reason == Reason::Prefix {
                    // All runs that begin like this one violate the property.
                    let begin = |it: &&Lasso| [&it.stem[..], &it.cycle].concat().starts_with(&run.stem);
                    for other in all.iter().filter(begin) {
                        let trace = trace_of(other, initial, &observe);
                        assert!(!trace.satisfies(&formula), "seed {seed}: {formula} on {trace:?}");
                    }
                    continue;
                }
                let last = run.states(&graph).1[0];
                let ends = run.cycle.is_empty() && graph.outgoing(last).len() == 0;
                assert_eq!(reason == Reason::Ended, ends, "seed {seed}");
                assert!(ends || run.check_fair(&graph).is_ok(), "seed {seed}");
                let trace = trace_of(&run, initial, &observe);
                assert!(!trace.satisfies(&formula), "seed {seed}: {formula} on {trace:?}");
            }
        }
    }
    assert!(held > 500 && violated.iter().all(|&it| it > 100) && short > 500, "{held} {violated:?} {short}");
}

/// Atom 0: a thread requests; atom 1: it enters.
fn entering<'g>(
    graph: &'g StateGraph,
    name: &str,
    request: &'g str,
    enter: &'g str,
) -> impl Fn(TransitionId) -> Option<Atoms> + 'g {
    let thread = graph.thread(name).expect("it is there");
    move |id| {
        let it = graph.transition(id);
        let own = it.threads.contains(thread);
        let (requests, enters) = (it.operation == request, graph.at(it.to, thread).next == enter);
        Some(
            [(0, own && requests), (1, own && enters)].into_iter().filter(|it| it.1).map(|it| it.0).collect(),
        )
    }
}

#[test]
fn a_request_of_solution_3_need_not_lead_to_an_entry() {
    let graph = solution_3();
    let property = atom(0).leads_to(atom(1));
    for name in ["Thread0", "Thread1"] {
        let verdict =
            check(&graph, &property, None, entering(&graph, name, "1", "6"), MOST).expect("it is small");
        let Verdict::Violated(Violation { run, reason: Reason::Cycle, step: Some(step) }) = verdict else {
            panic!("{verdict:?}")
        };
        assert_eq!((run.check_path(&graph), run.check_fair(&graph)), (Ok(()), Ok(())));
        let all = [&run.stem[..], &run.cycle].concat();
        let request = graph.transition(all[step - 1]);
        assert_eq!((graph.name(request.thread), request.operation), (name, "1"));
    }
}

#[test]
fn solution_2_without_an_end_lets_everybody_enter() {
    let graph = solution_2(&[]);
    let property = atom(0).leads_to(atom(1));
    let verdict = check(&graph, &property, None, entering(&graph, "Thread0", "4", "2"), MOST);
    assert_eq!(verdict, Ok(Verdict::Holds { vacuous: Vec::new() }));
    // If Thread1 may end, the request that is never granted is named.
    let graph = solution_2(&[1]);
    let verdict = check(&graph, &property, None, entering(&graph, "Thread0", "4", "2"), MOST);
    assert!(
        matches!(verdict, Ok(Verdict::Violated(Violation { reason: Reason::Cycle, step: Some(_), .. }))),
        "{verdict:?}"
    );
}

#[test]
fn a_property_that_nothing_triggers_holds_vacuously() {
    let graph = solution_3();
    let observe = entering(&graph, "Thread0", "no such statement", "6");
    let vacuous = |property: &Formula| match check(&graph, property, None, &observe, MOST) {
        Ok(Verdict::Holds { vacuous }) => vacuous,
        other => panic!("{other:?}"),
    };
    assert_eq!(vacuous(&atom(0).leads_to(atom(1))), [atom(1)]);
    assert_eq!(vacuous(&atom(0).implies(atom(1)).always()), [atom(1)]);
    assert_eq!(vacuous(&atom(1).precedes(atom(0))), [atom(1)]);
    let both = Formula::And(vec![atom(0).never(), atom(0).leads_to(atom(1))]);
    assert_eq!(vacuous(&both), [atom(1)], "that it never holds is what `never` says");
    // Where nothing is observed at all, everything always holds.
    let nothing = check(&graph, &atom(0).always(), None, |_| None, MOST);
    assert_eq!(nothing, Ok(Verdict::Holds { vacuous: vec![atom(0)] }));
}

#[test]
fn contradictions_are_told() {
    let contradicts = |formula: Formula| formula.is_contradiction().expect("it is short");
    assert!(contradicts(Formula::And(vec![atom(0).always(), atom(0).not().eventually()])));
    assert!(contradicts(Formula::And(vec![atom(0).never(), Formula::Constant(true).until(atom(0))])));
    assert!(contradicts(Formula::And(vec![atom(0), atom(0).not()]).always()));
    assert!(!contradicts(atom(0).leads_to(atom(1))));
    // Only an endless trace has always a next position.
    assert!(!contradicts(Formula::Constant(true).next().always()));
    assert!(contradicts(Formula::And(vec![atom(0).next().always(), atom(0).not().next()])));
    for seed in 0..500 {
        let mut random = Random(seed);
        let formula = random_formula(&mut random, 2);
        let some = (0..512_usize).any(|code| {
            let observed: Vec<Atoms> = (0..3).map(|i| Atoms((code >> (3 * i) & 7) as u64)).collect();
            let traces = (0..3).flat_map(|n| {
                let (stem, cycle) = observed.split_at(n);
                [Trace::finite(observed[..=n].to_vec()), Trace::lasso(stem.to_vec(), cycle.to_vec())]
            });
            traces.into_iter().any(|trace| trace.satisfies(&formula))
        });
        if some {
            assert!(!contradicts(formula.clone()), "seed {seed}: {formula}");
        } else {
            // Three observations are enough for all formulas of this size but those that ask for more positions.
            assert!(
                contradicts(formula.clone()) || formula.to_string().contains("next"),
                "seed {seed}: {formula}"
            );
        }
    }
}

#[test]
fn violations_of_traces_have_positions() {
    let trace = Trace::finite([1, 0, 2, 1].map(Atoms));
    let at = |property: Formula| trace.violation(&property);
    assert_eq!(at(atom(0).always()), Some(1));
    assert_eq!(at(atom(1).never()), Some(2));
    assert_eq!(at(atom(0).leads_to(atom(1))), Some(3));
    assert_eq!(at(atom(1).precedes(atom(0))), Some(0));
    assert_eq!(at(atom(0).until(atom(1))), Some(1));
    assert_eq!(at(atom(2).eventually()), None);
    assert_eq!(at(atom(0).eventually()), None, "it holds");
    assert_eq!(at(Formula::And(vec![atom(0).eventually(), atom(1).never()])), Some(2));
    assert_eq!(Trace::default().violation(&atom(0)), None, "there is no position");
    assert!(!Trace::default().satisfies(&atom(0)) && Trace::default().satisfies(&atom(0).always()));
}

#[test]
fn what_is_too_large_is_refused() {
    let graph = solution_3();
    let observe = entering(&graph, "Thread0", "1", "6");
    let error = check(&graph, &atom(0).leads_to(atom(1)), None, &observe, 10);
    assert_eq!(error, Err(CheckError::TooLarge { most: 10 }));
    let long = Formula::And((0..64).map(|it| atom(it).eventually()).collect());
    assert!(matches!(check(&graph, &long, None, &observe, MOST), Err(CheckError::TooLong(_))));
    assert!(matches!(check(&graph, &atom(64), None, &observe, MOST), Err(CheckError::TooLong(_))));
    assert!(long.is_contradiction().is_err());
}

#[test]
fn an_incomplete_graph_proves_nothing_but_violations() {
    let (mut undecided, mut violated) = (0, 0);
    for seed in 0..500 {
        let graph = random::open_graph(seed, 8);
        let mut random = Random(seed);
        let observed: Vec<Atoms> = (0..graph.transitions()).map(|_| random_atoms(&mut random)).collect();
        let observe = |id: TransitionId| Some(observed[id.0 as usize]);
        match check(&graph, &atom(0).never(), None, observe, MOST).expect("it is small") {
            Verdict::Holds { .. } => panic!("seed {seed}: the graph is not complete"),
            Verdict::Undecided => {
                undecided += 1;
                assert!(observed.iter().all(|it| !it.contains(0)), "seed {seed}");
            }
            Verdict::Violated(Violation { reason, step, run }) => {
                violated += 1;
                assert_eq!((reason, step), (Reason::Prefix, Some(run.stem.len())), "seed {seed}");
            }
        }
        // Whether it comes eventually depends on what is not known, unless a known run never brings it.
        match check(&graph, &atom(0).eventually(), None, observe, MOST).expect("it is small") {
            Verdict::Holds { .. } => panic!("seed {seed}: the graph is not complete"),
            Verdict::Undecided => {}
            Verdict::Violated(Violation { run, reason, .. }) => {
                let last = run.states(&graph).1[0];
                assert!(reason == Reason::Cycle || !graph.is_open(last), "seed {seed}");
            }
        }
    }
    assert!(undecided > 50 && violated > 50, "{undecided} {violated}");
}
