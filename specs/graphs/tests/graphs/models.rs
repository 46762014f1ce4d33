//! Least automata, and what tells two of them apart.

use std::collections::{BTreeMap, BTreeSet};

use insyn_graphs::{
    Activity, Difference, Model, ModelError, ModelTooLarge, Side, StateGraph, StateId, TransitionId,
};

use crate::explored::{View, explore};
use crate::random::{self, Random};

/// The textbook's bounded buffer: a producer deposits three items, a consumer withdraws them.
fn buffer(slots: u8) -> StateGraph {
    type State = (u8, u8);
    let can = move |&(deposited, withdrawn): &State| {
        [deposited < 3 && deposited - withdrawn < slots, withdrawn < deposited]
    };
    let view = move |state: &State| {
        let thread = |index: usize, done: u8| {
            let activity = match (done == 3, can(state)[index]) {
                (true, _) => Activity::Ended,
                (_, true) => Activity::Ready,
                _ => Activity::Blocked,
            };
            (done.to_string(), activity, false)
        };
        View { threads: vec![thread(0, state.0), thread(1, state.1)], objects: String::new() }
    };
    let steps = move |state: &State| {
        let &(deposited, withdrawn) = state;
        let [deposit, withdraw] = can(state);
        let deposit = deposit.then(|| (&[0][..], "D".to_owned(), (deposited + 1, withdrawn)));
        let withdraw = withdraw.then(|| (&[1][..], "W".to_owned(), (deposited, withdrawn + 1)));
        deposit.into_iter().chain(withdraw).collect()
    };
    explore(&["producer", "consumer"], (0, 0), view, steps)
}

fn is_terminal(graph: &StateGraph) -> impl Fn(StateId) -> bool + '_ {
    |state| graph.outgoing(state).len() == 0
}

fn by_operation<'g>(graph: &'g StateGraph) -> impl Fn(TransitionId) -> Option<&'g str> {
    |id| Some(graph.transition(id).operation)
}

fn model(graph: &StateGraph) -> Model {
    Model::of(graph, by_operation(graph), is_terminal(graph), 1_000).expect("it is small")
}

#[test]
fn the_textbook_buffer_has_models_of_9_and_10_states() {
    let (two, three) = (model(&buffer(2)), model(&buffer(3)));
    assert_eq!(
        (two.states(), two.transitions(), two.letters()),
        (9, 10, &["D".to_owned(), "W".to_owned()][..])
    );
    assert_eq!((three.states(), three.transitions()), (10, 12));
    let words = ["DDWDWW", "DDWWDW", "DWDDWW", "DWDWDW"];
    let accepted = |model: &Model, word: &str| model.accepts(word.split("").filter(|it| !it.is_empty()));
    assert!(words.iter().all(|word| accepted(&two, word) && accepted(&three, word)));
    assert!(accepted(&three, "DDDWWW") && !accepted(&two, "DDDWWW") && !accepted(&two, "DDW"));
    let difference = two.difference(&three).expect("three slots allow more");
    let word = ["D", "D", "D", "W", "W", "W"].map(str::to_owned).to_vec();
    assert_eq!(difference, Difference { word: word.clone(), accepted_by: Side::Right });
    assert_eq!(three.difference(&two), Some(Difference { word, accepted_by: Side::Left }));
    assert_eq!(two.difference(&two), None);
}

#[test]
fn silent_steps_leave_no_trace() {
    let graph = buffer(2);
    let deposits = |id: TransitionId| Some(graph.transition(id).operation).filter(|&it| it == "D");
    let model = Model::of(&graph, deposits, is_terminal(&graph), 1_000).expect("it is small");
    assert_eq!((model.states(), model.transitions()), (4, 3));
    assert!(model.accepts(["D", "D", "D"]) && !model.accepts(["D", "D"]));
}

#[test]
fn the_empty_language_is_one_state() {
    let graph = buffer(2);
    let model = Model::of(&graph, by_operation(&graph), |_| false, 1_000).expect("it is small");
    assert_eq!((model.states(), model.transitions(), model.letters().len()), (1, 0, 0));
    assert!(!model.accepts([]));
}

#[test]
fn a_model_above_its_bound_says_how_far_it_came() {
    let graph = buffer(3);
    let error =
        Model::of(&graph, by_operation(&graph), is_terminal(&graph), 5).expect_err("it has ten states");
    assert_eq!(error, ModelTooLarge { most: 5, letters: 2 });
    assert!(error.to_string().contains("words of up to 2 letters"), "{error}");
}

#[test]
fn what_is_no_deterministic_automaton_is_refused() {
    let unknown = |state| Err(ModelError::UnknownState { state });
    assert_eq!(Model::deterministic(&[], &[]), unknown(0));
    assert_eq!(Model::deterministic(&[true], &[(0, "a", 1)]), unknown(1));
    assert_eq!(Model::deterministic(&[true], &[(3, "a", 0)]), unknown(3));
    let twice = Model::deterministic(&[true, false], &[(0, "a", 1), (0, "a", 0)]);
    assert_eq!(twice, Err(ModelError::Ambiguous { state: 0, letter: "a".to_owned() }));
    assert!(Model::deterministic(&[true], &[(0, "a", 0), (0, "a", 0)]).is_ok(), "an edge may be said twice");
}

/// Random letters for the transitions of a graph; some are silent.
fn random_letters(graph: &StateGraph, random: &mut Random) -> Vec<Option<&'static str>> {
    (0..graph.transitions()).map(|_| [Some("a"), Some("b"), None][random.below(3)]).collect()
}

/// The words of up to so many letters, by following all runs.
fn words(
    graph: &StateGraph,
    letters: &[Option<&'static str>],
    ends: &[bool],
    length: usize,
) -> BTreeSet<Vec<&'static str>> {
    let mut reached: BTreeSet<(Vec<&'static str>, StateId)> =
        BTreeSet::from([(Vec::new(), StateGraph::INITIAL)]);
    let mut pending: Vec<_> = reached.iter().cloned().collect();
    while let Some((word, state)) = pending.pop() {
        for id in graph.outgoing(state) {
            let mut word = word.clone();
            word.extend(letters[id.0 as usize]);
            let next = (word, graph.transition(id).to);
            if next.0.len() <= length && reached.insert(next.clone()) {
                pending.push(next);
            }
        }
    }
    reached.into_iter().filter(|it| ends[it.1.0 as usize]).map(|it| it.0).collect()
}

/// All words over two letters up to a length, shortest first, and then in order.
fn all_words(length: usize) -> Vec<Vec<&'static str>> {
    let mut all = vec![Vec::new()];
    let mut begin = 0;
    for _ in 0..length {
        let end = all.len();
        for i in begin..end {
            for letter in ["a", "b"] {
                let mut word: Vec<&'static str> = all[i].clone();
                word.push(letter);
                all.push(word);
            }
        }
        begin = end;
    }
    all
}

/// The number of different languages that are left behind the prefixes of words: by Nerode's theorem, that of the states of the least
/// automaton, if words are long enough. The empty language does not count, unless there is no word at all.
fn residuals(accepts: &BTreeSet<Vec<&'static str>>, prefix: usize, rest: usize) -> usize {
    let (prefixes, rests) = (all_words(prefix), all_words(rest));
    let residual = |prefix: &Vec<&'static str>| -> Vec<bool> {
        rests.iter().map(|rest| accepts.contains(&[&prefix[..], rest].concat())).collect()
    };
    let mut found: BTreeSet<Vec<bool>> = prefixes.iter().map(residual).collect();
    found.remove(&vec![false; rests.len()]);
    found.len().max(1)
}

#[test]
fn models_of_random_graphs_have_their_words_and_the_fewest_states() {
    let mut sizes: BTreeMap<usize, u32> = BTreeMap::new();
    let (mut told, mut same) = (0, 0);
    let mut before: Option<(Model, BTreeSet<Vec<&'static str>>)> = None;
    for seed in 0..600 {
        let graph = random::graph(seed, 7);
        let mut random = Random(seed);
        let letters = random_letters(&graph, &mut random);
        let ends: Vec<bool> = (0..graph.states()).map(|_| random.chance(2)).collect();
        let of = |id: TransitionId| letters[id.0 as usize];
        let model = Model::of(&graph, of, |it| ends[it.0 as usize], 1_000).expect("it is small");
        let accepted = words(&graph, &letters, &ends, 8);
        for word in all_words(8) {
            assert_eq!(
                model.accepts(word.iter().copied()),
                accepted.contains(&word),
                "seed {seed}: {word:?}"
            );
        }
        // Words of four letters reach every state of an automaton of up to five, and words of four tell them apart.
        if model.states() <= 5 {
            assert_eq!(model.states(), residuals(&accepted, 4, 4), "seed {seed}");
        }
        *sizes.entry(model.states()).or_default() += 1;
        if let Some((other, others)) = &before {
            let expected = all_words(8).into_iter().find(|it| accepted.contains(it) != others.contains(it));
            let difference = model.difference(other);
            assert_eq!(
                difference.is_none(),
                model == *other,
                "seed {seed}: models are equal if their words are"
            );
            let Some(expected) = expected else {
                same += u32::from(difference.is_none());
                assert!(difference.is_none_or(|it| it.word.len() > 8), "seed {seed}");
                before = Some((model, accepted));
                continue;
            };
            told += 1;
            let difference =
                difference.unwrap_or_else(|| panic!("seed {seed}: {expected:?} tells them apart"));
            let side = if accepted.contains(&expected) { Side::Left } else { Side::Right };
            assert_eq!(difference.word, expected, "seed {seed}");
            assert_eq!(difference.accepted_by, side, "seed {seed}");
        }
        before = Some((model, accepted));
    }
    assert!(told > 100 && same > 10 && sizes.len() > 4, "{told} {same} {sizes:?}");
}
