//! Judging: a sequence is valid if all its words are.
//!
//! Words are not enumerated. What may follow some letters depends only on which letters they are (a down-set of the partial
//! order) and on the state they lead to; so [`Instance::judge_poset`] goes through the down-sets layer by layer, and keeps
//! each state once. The first letter that may not happen, or the first state that may not be the last, gives the bad word.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Data;

use super::instance::{Instance, Objection, State};
use super::orders::Orders;
use super::poset::{DownSet, Poset};
use crate::problem::Problem;
use crate::word::Word;

/// The verdict of a specification on a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// All its words are valid.
    Valid,
    /// One of its words is not.
    Invalid(BadWord),
    /// The bound on states to visit was reached.
    Unknown,
}

/// A word that is not valid, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadWord {
    /// The word.
    pub word: Word,
    /// The index of the letter that may not happen; the length of the word if it may not end.
    pub at: usize,
    /// Why.
    pub objection: Objection,
}

/// The verdict, and details of a valid sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// The verdict.
    pub verdict: Verdict,
    /// The outputs that an execution of a valid sequence may return; empty if any output is correct.
    pub(crate) outputs: Vec<Data>,
    /// The `may` constraints that some word of a valid sequence shows.
    pub(crate) shown: BTreeSet<usize>,
}

impl Judged {
    /// Whether an execution of the sequence may return this.
    pub fn allows(&self, output: Option<&Data>) -> bool {
        self.outputs.is_empty() || output.is_some_and(|it| self.outputs.contains(it))
    }

    /// The `may` constraints that some word of a valid sequence shows, by their places among the
    /// [permissions](Instance::permissions).
    pub fn shown(&self) -> &BTreeSet<usize> {
        &self.shown
    }
}

/// A path to a down-set and a state: the path before it, and its last letter.
type Step = (usize, usize);

impl Instance {
    /// Judges a word.
    ///
    /// # Errors
    /// If an expression cannot be computed.
    pub fn judge(&self, word: &Word) -> Result<Verdict, Problem> {
        Ok(self.judge_poset(&Poset::of_word(word), usize::MAX)?.verdict)
    }

    /// Judges all words of a sequence, visiting no more than `most_states` states for each partial order.
    ///
    /// # Errors
    /// If an expression cannot be computed.
    pub fn judge_orders(&self, orders: &Orders, most_states: usize) -> Result<Judged, Problem> {
        let mut all = Judged { verdict: Verdict::Valid, outputs: Vec::new(), shown: BTreeSet::new() };
        if let Some(event) = orders.unexpected() {
            let message = format!("the program did {event}, which is neither in `events` nor in `hidden`");
            let objection = Objection { position: self.hidden_at(), message };
            let word = Word(orders.letters().to_vec());
            all.verdict = Verdict::Invalid(BadWord { word, at: 0, objection });
            return Ok(all);
        }
        for poset in orders.posets() {
            let one = self.judge_poset(poset, most_states)?;
            match one.verdict {
                Verdict::Invalid(_) => return Ok(one),
                Verdict::Unknown => all.verdict = Verdict::Unknown,
                Verdict::Valid => {}
            }
            all.outputs.extend(one.outputs);
            all.shown.extend(one.shown);
        }
        all.outputs.dedup();
        Ok(all)
    }

    /// Judges all words of a partial order, visiting no more than `most_states` states.
    ///
    /// # Errors
    /// If an expression cannot be computed.
    pub fn judge_poset(&self, poset: &Poset, most_states: usize) -> Result<Judged, Problem> {
        let verdict = |verdict| Judged { verdict, outputs: Vec::new(), shown: BTreeSet::new() };
        let mut steps: Vec<Step> = vec![(0, 0)];
        let mut layer: BTreeMap<(DownSet, State), usize> =
            BTreeMap::from([((poset.empty(), self.initial().clone()), 0)]);
        let bad = |steps: &[Step], way: usize, last: Option<usize>, objection| {
            let start: Vec<usize> = path(steps, way).into_iter().chain(last).collect();
            let at = start.len() - usize::from(last.is_some());
            Verdict::Invalid(BadWord { word: poset.complete(&start), at, objection })
        };
        for _ in poset.letters() {
            let mut next: BTreeMap<(DownSet, State), usize> = BTreeMap::new();
            // In the order in which the paths were found, so that the bad word is always the same.
            let mut ways: Vec<_> = layer.into_iter().collect();
            ways.sort_by_key(|(_, way)| *way);
            for ((done, state), way) in ways {
                for letter in poset.next(&done) {
                    let state = match self.step(&state, &poset.letters()[letter])? {
                        Ok(state) => state,
                        Err(objection) => return Ok(verdict(bad(&steps, way, Some(letter), objection))),
                    };
                    next.entry((Poset::with(&done, letter), state)).or_insert_with(|| {
                        steps.push((way, letter));
                        steps.len() - 1
                    });
                    if steps.len() > most_states {
                        return Ok(verdict(Verdict::Unknown));
                    }
                }
            }
            layer = next;
        }
        let mut judged = verdict(Verdict::Valid);
        for ((_, state), way) in layer {
            if let Some(objection) = self.end(&state)? {
                return Ok(verdict(bad(&steps, way, None, objection)));
            }
            judged.outputs.extend(self.output(&state)?);
            judged.shown.extend(self.shown(&state));
        }
        judged.outputs.dedup();
        Ok(judged)
    }
}

/// The letters on a path, starting with the first.
fn path(steps: &[Step], mut way: usize) -> Vec<usize> {
    let mut letters = Vec::new();
    while way != 0 {
        letters.push(steps[way].1);
        way = steps[way].0;
    }
    letters.reverse();
    letters
}
