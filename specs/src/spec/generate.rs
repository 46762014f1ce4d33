//! Generating: every valid word, one at a time, within bounds.
//!
//! The search is depth first, with letters in the order of the specification. So words come in that order, each before the longer
//! words that start with it. A state that led to no word is not searched again.

use std::collections::BTreeMap;

use serde_json::Value as Data;

use super::Spec;
use super::instance::{Instance, State};
use crate::problem::{Position, Problem, ProblemKind};
use crate::word::{Letter, Word};

/// How far generation goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Words have no more letters than this.
    pub length: usize,
    /// No more words than this are generated.
    pub words: usize,
    /// No more letters than this are tried.
    pub steps: usize,
    /// A sequence is judged with no more states than this.
    pub states: usize,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds { length: 100, words: 100_000, steps: 10_000_000, states: 1_000_000 }
    }
}

impl Bounds {
    /// The same bounds, with at most this many letters tried.
    pub(crate) fn within(self, steps: usize) -> Bounds {
        Bounds { steps: self.steps.min(steps), ..self }
    }
}

/// How generation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Generated {
    /// There are no other words.
    All,
    /// A word may continue beyond the greatest length.
    Length,
    /// There may be more words.
    Words,
    /// The bound on letters to try was reached.
    Steps,
}

impl Spec {
    /// There are more valid words than are generated.
    pub(crate) fn has_no_end(&self, end: Generated, bounds: Bounds) -> Problem {
        let bound = match end {
            Generated::Length => format!("they may have more than {} events", bounds.length),
            Generated::Steps => format!("more than {} events were tried", bounds.steps),
            Generated::All | Generated::Words => format!("there are more than {}", bounds.words),
        };
        let unguarded = self.events.iter().find(|event| event.when.is_none()).map(|event| &event.position);
        let hint = "limit how often events happen with a counter in `state` and `when`, or use `conformance: subset`";
        let message = format!("not all valid words were generated: {bound}");
        self.problem(unguarded.or(self.first_event()), ProblemKind::Limit, message, hint)
    }

    fn first_event(&self) -> Option<&Position> {
        self.events.first().map(|event| &event.position)
    }

    fn problem(&self, place: Option<&Position>, kind: ProblemKind, message: String, hint: &str) -> Problem {
        let top = Position { file: self.file.clone(), line: 1, column: 1 };
        Problem::new(place.unwrap_or(&top), kind, message, hint)
    }
}

/// The valid words, in order. Each item is a word, or the problem that made it stop.
pub struct Words<'i> {
    instance: &'i Instance,
    alphabet: Vec<Letter>,
    bounds: Bounds,
    /// The states on the current path, each with the next letter to try and whether the state led to a word.
    way: Vec<Frame>,
    /// The letters that led from each state on the path to the next.
    letters: Vec<usize>,
    /// States that lead to no word, with the number of letters up to which that is known.
    barren: BTreeMap<State, usize>,
    begun: bool,
    tried: usize,
    given: usize,
    end: Generated,
    output: Option<Data>,
}

struct Frame {
    state: State,
    next: usize,
    fertile: bool,
}

/// At most this many states that lead to no word are remembered.
const MOST_BARREN: usize = 100_000;

impl Instance {
    /// Generates the valid words.
    ///
    /// # Errors
    /// If an argument has infinitely many values.
    pub fn words(&self, bounds: Bounds) -> Result<Words<'_>, Problem> {
        let first = Frame { state: self.initial().clone(), next: 0, fertile: false };
        Ok(Words {
            instance: self,
            alphabet: self.alphabet()?,
            bounds,
            way: vec![first],
            letters: Vec::new(),
            barren: BTreeMap::new(),
            begun: false,
            tried: 0,
            given: 0,
            end: Generated::All,
            output: None,
        })
    }
}

impl Instance {
    /// The problem that no word is valid, if none is.
    pub(crate) fn has_no_word(&self, bounds: Bounds) -> Result<Option<Problem>, Problem> {
        let Ok(mut words) = self.words(bounds) else { return Ok(None) };
        if words.next().transpose()?.is_some() || words.end() != Generated::All {
            return Ok(None);
        }
        let spec = self.spec();
        let place = spec.accept.as_ref().map(|accept| &accept.position).or(spec.first_event());
        let message = format!("no sequence is valid{}", self.for_parameters());
        let hint =
            "if this is not intended, check that `accept`, `when` and the constraints can hold together";
        Ok(Some(spec.problem(place, ProblemKind::Contradiction, message, hint)))
    }
}

impl Words<'_> {
    /// How generation ended; before its end, how it would end if there were no more words.
    pub fn end(&self) -> Generated {
        self.end
    }

    /// The output that an execution of the last word should return; none if any output is correct.
    pub(crate) fn output(&self) -> Option<&Data> {
        self.output.as_ref()
    }

    fn stop(&mut self, end: Generated) -> Option<Result<Word, Problem>> {
        self.end = end;
        self.way.clear();
        None
    }

    /// The word so far, if it may end here.
    fn word(&mut self) -> Result<Option<Word>, Problem> {
        let Some(frame) = self.way.last() else { return Ok(None) };
        if self.instance.end(&frame.state)?.is_some() {
            return Ok(None);
        }
        self.output = self.instance.output(&frame.state)?;
        self.way.iter_mut().for_each(|frame| frame.fertile = true);
        Ok(Some(Word(self.letters.iter().map(|&it| self.alphabet[it].clone()).collect())))
    }

    /// Extends the word by one letter, or takes one back; returns whether it was extended.
    fn step(&mut self) -> Result<bool, Problem> {
        let depth = self.letters.len();
        let Some(frame) = self.way.last_mut() else { return Ok(false) };
        let Some(letter) = self.alphabet.get(frame.next) else {
            let left = self.bounds.length - depth;
            let frame = self.way.pop().expect("it is there");
            self.letters.pop();
            if !frame.fertile && self.barren.len() < MOST_BARREN {
                self.barren.insert(frame.state, left);
            }
            return Ok(false);
        };
        frame.next += 1;
        self.tried += 1;
        let Ok(state) = self.instance.step(&frame.state, letter)? else { return Ok(false) };
        if depth == self.bounds.length {
            self.end = Generated::Length;
            return Ok(false);
        }
        if self.barren.get(&state).is_some_and(|&most| most >= self.bounds.length - depth - 1) {
            return Ok(false);
        }
        self.letters.push(frame.next - 1);
        self.way.push(Frame { state, next: 0, fertile: false });
        Ok(true)
    }

    fn advance(&mut self) -> Result<Option<Word>, Problem> {
        let mut went_on = !std::mem::replace(&mut self.begun, true);
        loop {
            if went_on && let Some(word) = self.word()? {
                return Ok(Some(word));
            }
            if self.way.is_empty() {
                return Ok(None);
            }
            if self.tried >= self.bounds.steps {
                self.stop(Generated::Steps);
                return Ok(None);
            }
            went_on = self.step()?;
        }
    }
}

impl Iterator for Words<'_> {
    type Item = Result<Word, Problem>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.advance() {
            Ok(Some(_)) if self.given == self.bounds.words => self.stop(Generated::Words),
            Ok(Some(word)) => {
                self.given += 1;
                Some(Ok(word))
            }
            Ok(None) => None,
            Err(problem) => {
                self.way.clear();
                Some(Err(problem))
            }
        }
    }
}
