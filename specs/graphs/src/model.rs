//! Models: the least automaton that accepts the words of a program.
//!
//! Some transitions of a graph have letters, the others are silent. A word is feasible if it is what a run spells on its way to a state
//! in which a word may end. The model is the deterministic automaton with the fewest states that accepts exactly the feasible words;
//! from each of its states a word can still be completed, so there is no state for failure. It is unique, and its states are
//! numbered breadth first with letters in the order of their names, so two models are equal if and only if their languages are.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use thiserror::Error;

use crate::graph::{StateGraph, StateId, TransitionId};
use crate::interner::Interner;
use crate::minimization::{Automaton, minimize};

/// The least automaton of a language. State 0 is the initial one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Model {
    /// The letters that occur, in order.
    letters: Vec<String>,
    accepting: Vec<bool>,
    /// For each state its letters and where they lead, in the order of the letters.
    next: Vec<Vec<(u32, u32)>>,
}

/// The automaton would be too large.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "the model has more than {most} states before it is minimized; all words of up to {letters} letters were followed"
)]
pub struct ModelTooLarge {
    /// The bound on states.
    pub most: usize,
    /// All words of so many letters were followed.
    pub letters: usize,
}

/// Why an automaton cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// An edge names a state that is not there, or there is no initial state.
    #[error("the automaton has no state {state}")]
    UnknownState {
        /// The state.
        state: usize,
    },
    /// The automaton is not deterministic.
    #[error("letter {letter:?} leads from state {state} to two states")]
    Ambiguous {
        /// The state.
        state: usize,
        /// The letter.
        letter: String,
    },
}

/// A word that one of two models accepts, and the other does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The letters. There is no shorter word that tells the models apart, and none of this length that comes before it.
    pub word: Vec<String>,
    /// Which of the two accepts it.
    pub accepted_by: Side,
}

/// One of two models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Side {
    /// The one that was compared.
    Left,
    /// The one that it was compared with.
    Right,
}

impl Model {
    /// The model of a graph. `letter` gives the letter of a transition, or none if it is silent; a word may end in the states of which
    /// `ends` says so. If the graph is not complete, the program may have more words than its model.
    ///
    /// # Errors
    /// If the deterministic automaton has more than `most` states before it is minimized.
    pub fn of<'l>(
        graph: &StateGraph,
        letter: impl Fn(TransitionId) -> Option<&'l str>,
        ends: impl Fn(StateId) -> bool,
        most: usize,
    ) -> Result<Model, ModelTooLarge> {
        let ids = || graph.state_ids().flat_map(|it| graph.outgoing(it));
        let names: BTreeSet<&str> = ids().filter_map(&letter).collect();
        let numbers: BTreeMap<&str, u32> = names.iter().copied().zip(0..).collect();
        let letters: Vec<Option<u32>> = ids().map(|id| letter(id).map(|it| numbers[it])).collect();
        let automaton = determinize(graph, &letters, ends, most)?;
        let names: Vec<&str> = names.into_iter().collect();
        Ok(Model::from_automaton(&minimize(&automaton), &names))
    }

    /// The least automaton with the language of a deterministic one, such as that of a specification. Its initial state is 0; `accepting`
    /// says of each state whether a word may end there, and an edge is the state that it leaves, its letter, and where it leads.
    ///
    /// # Errors
    /// If there is no state, if an edge names an unknown one, or if two edges of a state have the same letter and lead to different states.
    pub fn deterministic(accepting: &[bool], edges: &[(usize, &str, usize)]) -> Result<Model, ModelError> {
        let known = |state: usize| {
            u32::try_from(state)
                .ok()
                .filter(|_| state < accepting.len())
                .ok_or(ModelError::UnknownState { state })
        };
        known(0)?;
        let names: BTreeSet<&str> = edges.iter().map(|it| it.1).collect();
        let numbers: BTreeMap<&str, u32> = names.iter().copied().zip(0..).collect();
        let mut targets: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        for &(from, letter, to) in edges {
            let (place, to) = ((known(from)?, numbers[letter]), known(to)?);
            if *targets.entry(place).or_insert(to) != to {
                return Err(ModelError::Ambiguous { state: from, letter: letter.to_owned() });
            }
        }
        let edges = targets.into_iter().map(|((from, letter), to)| (from, letter, to)).collect();
        let automaton = Automaton { accepting: accepting.to_vec(), edges };
        let names: Vec<&str> = names.into_iter().collect();
        Ok(Model::from_automaton(&minimize(&automaton), &names))
    }

    fn from_automaton(automaton: &Automaton, names: &[&str]) -> Model {
        let used: BTreeSet<u32> = automaton.edges.iter().map(|it| it.1).collect();
        let numbers: BTreeMap<u32, u32> = used.iter().copied().zip(0..).collect();
        let mut next = vec![Vec::new(); automaton.accepting.len()];
        for &(from, letter, to) in &automaton.edges {
            next[from as usize].push((numbers[&letter], to));
        }
        next.iter_mut().for_each(|it| it.sort_unstable());
        // Breadth first.
        let mut order: Vec<u32> = vec![0];
        let mut places = vec![None; next.len()];
        places[0] = Some(0_u32);
        let mut at = 0;
        while let Some(&state) = order.get(at) {
            at += 1;
            for &(_, to) in &next[state as usize] {
                if places[to as usize].is_none() {
                    places[to as usize] = u32::try_from(order.len()).ok();
                    order.push(to);
                }
            }
        }
        let place = |state: u32| places[state as usize].expect("every state of a least automaton is reached");
        let moved =
            |&state: &u32| next[state as usize].iter().map(|&(letter, to)| (letter, place(to))).collect();
        Model {
            letters: used.iter().map(|&it| names[it as usize].to_owned()).collect(),
            accepting: order.iter().map(|&it| automaton.accepting[it as usize]).collect(),
            next: order.iter().map(moved).collect(),
        }
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.next.len()
    }

    /// The number of transitions.
    pub fn transitions(&self) -> usize {
        self.next.iter().map(Vec::len).sum()
    }

    /// The letters that occur in words, in order.
    pub fn letters(&self) -> &[String] {
        &self.letters
    }

    /// Whether a word may end in a state.
    pub fn accepts_at(&self, state: usize) -> bool {
        self.accepting[state]
    }

    /// The letters that may follow in a state, and where they lead.
    pub fn next(&self, state: usize) -> impl Iterator<Item = (&str, usize)> {
        self.next[state].iter().map(|&(letter, to)| (self.letters[letter as usize].as_str(), to as usize))
    }

    /// Whether a word is accepted.
    pub fn accepts<'w>(&self, word: impl IntoIterator<Item = &'w str>) -> bool {
        let step = |state: usize, letter: &str| self.next(state).find(|it| it.0 == letter).map(|it| it.1);
        word.into_iter().try_fold(0, step).is_some_and(|state| self.accepting[state])
    }

    /// The shortest word that tells two models apart; none if both accept the same words.
    pub fn difference(&self, other: &Model) -> Option<Difference> {
        type Pair = (Option<usize>, Option<usize>);
        let accepts = |model: &Model, state: Option<usize>| state.is_some_and(|it| model.accepting[it]);
        let step = |model: &Model, state: Option<usize>, letter: &str| {
            state.and_then(|it| model.next(it).find(|it| it.0 == letter)).map(|it| it.1)
        };
        let mut from: BTreeMap<Pair, Option<(Pair, &str)>> = BTreeMap::from([((Some(0), Some(0)), None)]);
        let mut pending: VecDeque<Pair> = VecDeque::from([(Some(0), Some(0))]);
        while let Some((left, right)) = pending.pop_front() {
            let (in_left, in_right) = (accepts(self, left), accepts(other, right));
            if in_left != in_right {
                let mut word = Vec::new();
                let mut at = (left, right);
                while let Some((before, letter)) = from[&at] {
                    word.push(letter.to_owned());
                    at = before;
                }
                word.reverse();
                let accepted_by = if in_left { Side::Left } else { Side::Right };
                return Some(Difference { word, accepted_by });
            }
            let names = |model: &'_ Model, state: Option<usize>| {
                state.into_iter().flat_map(|it| model.next[it].clone()).map(|it| it.0).collect::<Vec<u32>>()
            };
            let mine = names(self, left).into_iter().map(|it| self.letters[it as usize].as_str());
            let yours = names(other, right).into_iter().map(|it| other.letters[it as usize].as_str());
            for letter in mine.chain(yours).collect::<BTreeSet<&str>>() {
                let pair = (step(self, left, letter), step(other, right, letter));
                from.entry(pair).or_insert_with(|| {
                    pending.push_back(pair);
                    Some(((left, right), letter))
                });
            }
        }
        None
    }
}

/// The automaton whose states are the sets of states that runs with the same word can be in.
fn determinize(
    graph: &StateGraph,
    letters: &[Option<u32>],
    ends: impl Fn(StateId) -> bool,
    most: usize,
) -> Result<Automaton, ModelTooLarge> {
    let close = |set: BTreeSet<u32>| {
        let mut pending: Vec<u32> = set.iter().copied().collect();
        let mut closed = set;
        while let Some(state) = pending.pop() {
            let silent = graph.range(state).filter(|&it| letters[it as usize].is_none());
            pending.extend(silent.map(|it| graph.targets[it as usize]).filter(|&to| closed.insert(to)));
        }
        closed.into_iter().collect::<Box<[u32]>>()
    };
    let mut sets: Interner<Box<[u32]>> = Interner::default();
    let mut automaton = Automaton { accepting: Vec::new(), edges: Vec::new() };
    // The number of letters to each set that is still to be followed: these do not decrease.
    let mut depths = vec![0_usize];
    sets.id(close(BTreeSet::from([StateGraph::INITIAL.0])));
    let mut at = 0;
    while (at as usize) < sets.len() {
        let depth = depths[at as usize];
        automaton.accepting.push(sets.get(at).iter().any(|&it| ends(StateId(it))));
        let mut targets: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
        for edge in sets.get(at).iter().flat_map(|&it| graph.range(it)) {
            if let Some(letter) = letters[edge as usize] {
                targets.entry(letter).or_default().insert(graph.targets[edge as usize]);
            }
        }
        for (letter, target) in targets {
            let before = sets.len();
            let to = sets.id(close(target)).ok_or(ModelTooLarge { most, letters: depth })?;
            if sets.len() > before {
                depths.push(depth + 1);
            }
            if sets.len() > most {
                return Err(ModelTooLarge { most, letters: depth });
            }
            automaton.edges.push((at, letter, to));
        }
        at += 1;
    }
    Ok(automaton)
}
