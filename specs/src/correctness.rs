//! Correctness of a program for an input: what it can do (feasible) against what it should (valid), in both directions.
//!
//! | | valid | invalid |
//! |---|---|---|
//! | feasible | as it should be | synchronization failure |
//! | infeasible | synchronization failure: a path is missing | as it should be |
//!
//! Each execution, with its sequence S and its result R (output and termination), fulfils one of four conditions:
//!
//! | condition | S | R | |
//! |---|---|---|---|
//! | (i) | valid | correct | |
//! | (ii) | valid | incorrect | computation failure |
//! | (iii) | invalid | incorrect | synchronization failure |
//! | (iv) | invalid | correct | synchronization failure, hidden by *coincidental correctness* |
//!
//! [`Table::observe`] takes the executions of an exploration, [`Table::tried`] the words that were forced, and
//! [`Table::finish`] generates the valid words and decides whether they are feasible. A word is feasible if it is a word of a
//! sequence that was observed. If the exploration was not complete, the caller decides about the other words.
//!
//! The result that an invalid execution should have may depend on its sequence. In that case the result counts as correct if some
//! valid execution could have had it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use insyn_sequences::{Sequence, Termination};
use insyn_verdicts::Conformance;
use insyn_verdicts::Conformity;
use serde_json::Value as Data;

use crate::problem::Problem;
use crate::spec::{BadWord, Bounds, Generated, Instance, Judged, Objection, Orders, Poset, Verdict, Words};
use crate::word::Word;

mod sightings;

pub use sightings::Sightings;

/// The number of letters to try before giving up the search for any valid word.
const MOST_STEPS: usize = 1_000_000;

/// The number of witnesses to keep of each kind.
const MOST_WITNESSES: usize = 10;

/// Whether a program can do a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Feasibility {
    /// Some execution does it.
    Feasible,
    /// No execution does it; the reason, in a sentence.
    Infeasible(String),
    /// A bound was reached before that was known.
    Unknown,
}

impl Feasibility {
    /// The verdict without the reason.
    pub fn verdict(&self) -> insyn_verdicts::Feasibility {
        match self {
            Feasibility::Feasible => insyn_verdicts::Feasibility::Feasible,
            Feasibility::Infeasible(_) => insyn_verdicts::Feasibility::Infeasible,
            Feasibility::Unknown => insyn_verdicts::Feasibility::Unknown,
        }
    }
}

/// The conditions that an execution can fulfil.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Condition {
    /// (i) Valid sequence, correct result.
    Correct,
    /// (ii) Valid sequence, incorrect result.
    ComputationFailure,
    /// (iii) Invalid sequence, incorrect result.
    SynchronizationFailure,
    /// (iv) Invalid sequence, correct result.
    CoincidentallyCorrect,
}

impl Condition {
    /// All of them, from (i) to (iv).
    pub const ALL: [Condition; 4] = [
        Condition::Correct,
        Condition::ComputationFailure,
        Condition::SynchronizationFailure,
        Condition::CoincidentallyCorrect,
    ];
}

/// An execution that shows something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Witness {
    /// Its place among all executions, which does not depend on the order in which they are observed.
    pub place: Vec<u64>,
    /// One of its words, or the bad one.
    pub word: Word,
    /// Why the word is invalid; none if it is valid.
    pub bad: Option<BadWord>,
    /// How it ended.
    pub termination: Termination,
    /// What it returned.
    pub output: Option<Data>,
    /// The outputs that a valid execution may return; empty if any output is correct.
    pub expected: Vec<Data>,
    /// Its whole sequence.
    pub sequence: Sequence,
}

/// The comparison while executions are being observed.
pub struct Table {
    instance: Arc<Instance>,
    bounds: Bounds,
    unjudged: u64,
    /// Sequences with the same letters in the same orders are judged once.
    seen: BTreeMap<Orders, Judged>,
    counts: [u64; 2],
    /// The first executions, in the order of their places.
    failures: Vec<Witness>,
    /// Invalid executions by termination and output: how many, and the first.
    invalid: BTreeMap<(Termination, String), (u64, Witness)>,
    tried: BTreeMap<Word, Feasibility>,
    sightings: Sightings,
}

/// The comparison.
#[derive(Clone, Debug)]
pub struct Correctness {
    /// How feasible and valid should compare.
    pub conformance: Conformance,
    /// Feasible sequences all of whose words are valid.
    pub feasible_valid: u64,
    /// Feasible sequences with an invalid word.
    pub feasible_invalid: u64,
    /// Feasible sequences that a bound kept from being judged.
    pub unjudged: u64,
    /// Valid words that are feasible; none if the conformance does not ask.
    pub valid_words_feasible: Option<u64>,
    /// Valid words that are not feasible; none if the conformance does not ask.
    pub infeasible_valid: Option<u64>,
    /// Valid words that could not be decided within the bounds.
    pub undecided: u64,
    /// Invalid words that were tried and are infeasible.
    pub infeasible_invalid: u64,
    /// Whether these were all valid words.
    pub generated: Generated,
    /// Whether these were all feasible sequences.
    pub explored: bool,
    /// How many executions fulfil each condition, from (i) to (iv).
    pub conditions: [u64; 4],
    /// The first executions of each condition but (i).
    pub witnesses: BTreeMap<Condition, Vec<Witness>>,
    /// The first valid words that are infeasible, and what stands in the way.
    pub missing: Vec<(Word, String)>,
    /// The `may` constraints that no valid feasible sequence shows.
    pub unshown: Vec<Objection>,
    /// Likely mistakes in the specification: events that no execution did, endless words, or no valid word at all.
    pub unmatched: Vec<Problem>,
}

impl Table {
    /// An empty table.
    pub fn new(instance: Arc<Instance>, bounds: Bounds) -> Self {
        Table {
            instance,
            bounds,
            unjudged: 0,
            seen: BTreeMap::new(),
            counts: [0; 2],
            failures: Vec::new(),
            invalid: BTreeMap::new(),
            tried: BTreeMap::new(),
            sightings: Sightings::default(),
        }
    }

    /// Observes an execution: its letters, its termination and its output. Its place and its whole sequence are requested
    /// only if the execution may be shown, or differs from all before it. The order in which executions are observed makes
    /// no difference.
    ///
    /// # Errors
    /// If an expression of the specification cannot be computed.
    pub fn observe(
        &mut self,
        orders: Orders,
        termination: Termination,
        output: Option<&Data>,
        place: impl Fn() -> Vec<u64>,
        sequence: impl Fn() -> Sequence,
    ) -> Result<Verdict, Problem> {
        if !self.seen.contains_key(&orders) {
            let judged = self.instance.judge_orders(&orders, self.bounds.states)?;
            self.seen.insert(orders.clone(), judged);
            self.sightings.observe(orders.letters(), &sequence());
        }
        let judged = &self.seen[&orders];
        let witness = |word, bad, place| Witness {
            place,
            word,
            bad,
            termination,
            output: output.cloned(),
            expected: judged.outputs.clone(),
            sequence: sequence(),
        };
        match &judged.verdict {
            Verdict::Unknown => self.unjudged += 1,
            Verdict::Valid => {
                let correct =
                    self.instance.spec().terminations().contains(&termination) && judged.allows(output);
                self.counts[usize::from(!correct)] += 1;
                if !correct {
                    let place = place();
                    let at = self.failures.partition_point(|it| it.place <= place);
                    if at < MOST_WITNESSES {
                        self.failures.insert(at, witness(Word(orders.letters().to_vec()), None, place));
                        self.failures.truncate(MOST_WITNESSES);
                    }
                }
            }
            Verdict::Invalid(bad) => {
                let key = (termination, output.map(Data::to_string).unwrap_or_default());
                let place = place();
                let this = |place| witness(bad.word.clone(), Some(bad.clone()), place);
                match self.invalid.get_mut(&key) {
                    Some((count, first)) => {
                        *count += 1;
                        if place < first.place {
                            *first = this(place);
                        }
                    }
                    None => drop(self.invalid.insert(key, (1, this(place)))),
                }
            }
        }
        Ok(judged.verdict.clone())
    }

    /// The distinct sequences of letters that were observed.
    pub fn orders(&self) -> impl Iterator<Item = &Orders> {
        self.seen.keys()
    }

    /// The events of the specification that match nothing in the program, if all its executions have been observed: see
    /// [`Sightings::unknown`].
    ///
    /// # Errors
    /// If an expression of the specification cannot be computed.
    pub fn unknown_events(&self) -> Result<Vec<Problem>, Problem> {
        self.sightings.unknown(&self.instance)
    }

    /// Records a word that was forced.
    pub fn tried(&mut self, word: Word, feasibility: Feasibility) {
        self.tried.insert(word, feasibility);
    }

    /// Compares in the other direction. `explored` is whether all feasible sequences have been observed; if not,
    /// `feasible` is asked about the valid words that no observed sequence has.
    ///
    /// # Errors
    /// If the valid words cannot be generated, or an expression of the specification cannot be computed.
    pub fn finish(
        mut self,
        explored: bool,
        mut feasible: impl FnMut(&Word) -> Feasibility,
    ) -> Result<Correctness, Problem> {
        let conformance = self.instance.spec().conformance();
        let mut result = Correctness {
            conformance,
            feasible_valid: self.counts.iter().sum(),
            feasible_invalid: self.invalid.values().map(|(count, _)| count).sum(),
            unjudged: self.unjudged,
            valid_words_feasible: None,
            infeasible_valid: None,
            undecided: 0,
            infeasible_invalid: 0,
            generated: Generated::All,
            explored,
            conditions: [self.counts[0], self.counts[1], 0, 0],
            witnesses: BTreeMap::new(),
            missing: Vec::new(),
            unshown: self.unshown(),
            unmatched: self.sightings.unmatched(self.instance.spec(), explored),
        };
        let mut outputs = Vec::new();
        // A specification that only forbids invalid sequences need not list the valid ones, unless those decide which results
        // are correct.
        let is_listed = conformance != Conformance::Subset
            || self.instance.output_depends_on_sequence() && !self.invalid.is_empty();
        match self.instance.words(self.bounds) {
            Ok(words) if conformance != Conformance::Subset => {
                self.compare(words, &mut result, &mut outputs, &mut feasible)?;
            }
            Ok(mut words) if is_listed => {
                while words.next().transpose()?.is_some() {
                    note_output(&words, &mut outputs);
                }
                result.generated = words.end();
            }
            Err(problem) if conformance != Conformance::Subset => return Err(problem),
            _ => result.generated = Generated::Words,
        }
        if conformance != Conformance::Subset && result.generated != Generated::All {
            result.unmatched.push(self.instance.spec().has_no_end(result.generated, self.bounds));
        }
        // A feasible valid sequence shows that some sequence is valid.
        if result.feasible_valid == 0 {
            result.unmatched.extend(self.instance.has_no_word(self.bounds.within(MOST_STEPS))?);
        }
        for (word, feasibility) in &self.tried {
            let is_valid = self.instance.judge(word)? == Verdict::Valid;
            result.infeasible_invalid +=
                u64::from(!is_valid && matches!(feasibility, Feasibility::Infeasible(_)));
        }
        self.sort_invalid(&mut result, &outputs)?;
        if !self.failures.is_empty() {
            result.witnesses.insert(Condition::ComputationFailure, self.failures);
        }
        Ok(result)
    }

    /// Decides for every valid word whether it is feasible.
    fn compare(
        &self,
        mut words: Words<'_>,
        result: &mut Correctness,
        outputs: &mut Vec<Data>,
        feasible: &mut impl FnMut(&Word) -> Feasibility,
    ) -> Result<(), Problem> {
        // All words of a sequence have the same letters.
        let mut by_letters: BTreeMap<Vec<_>, Vec<&Poset>> = BTreeMap::new();
        let expected = self.seen.keys().filter(|orders| orders.unexpected().is_none());
        for poset in expected.flat_map(Orders::posets) {
            by_letters.entry(sorted(poset.letters())).or_default().push(poset);
        }
        let (mut valid_feasible, mut valid_infeasible) = (0, 0);
        while let Some(word) = words.next() {
            let word = word?;
            note_output(&words, outputs);
            let same = by_letters.get(&sorted(&word.0));
            let observed = same.is_some_and(|all| all.iter().any(|poset| poset.has_word(&word)));
            let feasibility = match self.tried.get(&word) {
                _ if observed => Feasibility::Feasible,
                Some(known) => known.clone(),
                None if result.explored => Feasibility::Infeasible("no execution does it".to_owned()),
                None => feasible(&word),
            };
            match feasibility {
                Feasibility::Feasible => valid_feasible += 1,
                Feasibility::Unknown => result.undecided += 1,
                Feasibility::Infeasible(why) => {
                    valid_infeasible += 1;
                    if result.missing.len() < MOST_WITNESSES {
                        result.missing.push((word, why));
                    }
                }
            }
        }
        result.generated = words.end();
        result.valid_words_feasible = Some(valid_feasible);
        result.infeasible_valid = Some(valid_infeasible);
        Ok(())
    }

    /// Distinguishes (iii) from (iv).
    fn sort_invalid(&mut self, result: &mut Correctness, outputs: &[Data]) -> Result<(), Problem> {
        let expected: Vec<Data> = match self.instance.output_depends_on_sequence() {
            true => outputs.to_vec(),
            false => self.instance.fixed_output()?.into_iter().collect(),
        };
        let any = expected.is_empty() && !self.instance.output_depends_on_sequence();
        for ((termination, _), (count, mut witness)) in std::mem::take(&mut self.invalid) {
            let correct = self.instance.spec().terminations().contains(&termination)
                && (any || witness.output.as_ref().is_some_and(|it| expected.contains(it)));
            witness.expected.clone_from(&expected);
            let condition =
                if correct { Condition::CoincidentallyCorrect } else { Condition::SynchronizationFailure };
            result.conditions[condition as usize] += count;
            let witnesses = result.witnesses.entry(condition).or_default();
            if witnesses.len() < MOST_WITNESSES {
                witnesses.push(witness);
            }
        }
        Ok(())
    }

    fn unshown(&self) -> Vec<Objection> {
        let shown: BTreeSet<usize> =
            self.seen.values().flat_map(|judged| judged.shown.iter().copied()).collect();
        let missing = |(watch, sentence): (usize, Objection)| (!shown.contains(&watch)).then_some(sentence);
        self.instance.permissions().into_iter().filter_map(missing).collect()
    }
}

/// The output that is correct after the word that has just been generated.
fn note_output(words: &Words<'_>, outputs: &mut Vec<Data>) {
    outputs.extend(words.output().filter(|it| !outputs.contains(it)).cloned());
}

fn sorted(letters: &[crate::Letter]) -> Vec<crate::Letter> {
    let mut letters = letters.to_vec();
    letters.sort();
    letters
}

impl Correctness {
    /// Whether the program is correct in the directions that the conformance demands.
    pub fn answer(&self) -> Conformity {
        let (forth, back) = match self.conformance {
            Conformance::Equal => (true, true),
            Conformance::Subset => (true, false),
            Conformance::Superset => (false, true),
        };
        let [_, computation, ..] = self.conditions;
        let unshown = self.explored && self.unjudged == 0 && !self.unshown.is_empty();
        let wrong = computation > 0
            || forth && self.feasible_invalid > 0
            || back && self.infeasible_valid != Some(0)
            || unshown;
        let open = !self.explored
            || self.unjudged > 0
            || back && (self.undecided > 0 || self.generated != Generated::All);
        match (wrong, open) {
            (true, _) => Conformity::Incorrect,
            (_, true) => Conformity::Unknown,
            _ => Conformity::Correct,
        }
    }
}
