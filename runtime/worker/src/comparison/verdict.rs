//! The verdict on a mutant, and which tests kill it.

use std::collections::BTreeSet;

use insyn_sequences::Sequence;
use insyn_specs::Word;
use insyn_specs::correctness::Feasibility;
use insyn_specs::test_file::TestSequence;
use insyn_verdicts::mutant::{Departure, Difference, Distinguishing, Kill, Rejection};
use insyn_verdicts::protocol::{Compare, Compared};
use insyn_verdicts::{KillKind, Reaction, Verdict};

use super::super::attempt::Attempt;
use super::super::error::JudgementError;
use super::super::forcing::{self, Task};
use super::super::input::Input;
use super::super::replay;
use super::behaviour::{Ending, Kept, Key};
use super::behaviours::Behaviours;
use super::departure::{Parting, Results, departure};
use super::rejection::Rejected;
use super::{Baseline, Collected, endings, events, execution, file, reaction, steps};
use insyn_explorer::explorer::Explorer;

/// This many sequences are forced on a mutant that could not be explored completely.
const MOST_FORCED: usize = 100;

/// Why there is no verdict on a sequence.
pub(super) const UNNAMED: &str = "a bound was reached, and by what names its events go is known only of a program that was explored to its end";

/// A mutant that has been explored.
pub(super) struct Comparison<'b> {
    pub(super) original: &'b Baseline,
    pub(super) mutant: Behaviours,
    /// Whether all its behaviours are known, except for executions that were cut at the bound on steps.
    pub(super) exhaustive: bool,
    pub(super) explorer: &'b Explorer,
    pub(super) how: &'b Compare,
    pub(super) executions: u64,
}

impl Comparison<'_> {
    /// Compares, and decides. `bound` is why the mutant was not explored completely, if it was not.
    pub(super) fn finish(mut self, bound: Option<String>) -> Result<Compared, JudgementError> {
        let rejections = self.rejections()?;
        let mut kills = if self.exhaustive { self.by_exploration()? } else { self.by_forcing()? };
        let (written, unknown) = self.by_tests();
        kills.extend(written);
        let all_kills = self.exhaustive && unknown.is_none();
        let phase = |kill: &Kill| match kill.test < self.original.collected.len() {
            true => KillKind::Collected,
            false => KillKind::Written,
        };
        let kind = rejections.iter().map(|it| it.kind).chain(kills.iter().map(phase)).min();
        let (verdict, reason, distinguishing) = match kind {
            Some(kind) => (Verdict::Killed(kind), String::new(), None),
            None => self.unkilled(bound.or(unknown))?,
        };
        let executions = self.executions;
        Ok(Compared { executions, verdict, reason, rejections, kills, all_kills, distinguishing })
    }

    /// The verdict on a mutant that nothing kills, the reason for it, and a sequence that would kill it. `unknown` is why
    /// some behaviour of the mutant is not known, if that is so.
    fn unkilled(
        &self,
        unknown: Option<String>,
    ) -> Result<(Verdict, String, Option<Distinguishing>), JudgementError> {
        let is_known = self.exhaustive && self.original.complete && unknown.is_none();
        let is_same = is_known && self.mutant.endings == self.original.behaviours.endings;
        let (found, given_up) = if is_same { (None, None) } else { self.distinguishing()? };
        if let Some((survival, distinguishing)) = found {
            return Ok((Verdict::Survived(survival), String::new(), Some(distinguishing)));
        }
        if is_known && given_up.is_none() {
            let seen = match self.mutant.is_wholly(&self.original.behaviours) {
                true => "",
                false => "as far as the specification sees, ",
            };
            let reason = format!("{seen}all its sequences and their results are those of the original");
            return Ok((Verdict::Equivalent, reason, None));
        }
        let incomplete = || "the original was not explored to its end, so nothing can be proved".to_owned();
        Ok((Verdict::Undecided, unknown.or(given_up).unwrap_or_else(incomplete), None))
    }

    /// Why the test suite rejects the mutant: the first of each kind, in order.
    fn rejections(&mut self) -> Result<Vec<Rejection>, JudgementError> {
        let mut all = std::mem::take(&mut self.mutant.rejected);
        let original = self.original;
        let is_cut = self.mutant.endings.values().flatten().any(Ending::is_cut);
        // An execution that was cut might still have shown a behaviour that seems to be lost.
        if self.exhaustive && !is_cut && all.iter().all(|it| it.kind != KillKind::Specification) {
            all.extend(original.suite.lost(&original.behaviours, &self.mutant)?);
        }
        all.sort_by_key(|it| it.kind);
        all.into_iter().map(|it| self.rejection(it)).collect()
    }

    /// A rejection as it is shown: by the word that the specification rejects, or by the behaviour that fails.
    fn rejection(&self, it: Rejected) -> Result<Rejection, JudgementError> {
        let Rejected { kind, why, word, kept } = it;
        let kept = kept.as_deref();
        let instance = self.original.instance.as_deref();
        let (word, event) = match (word, kept.map(|kept| &kept.key)) {
            (Some((word, at)), _) => (Some(word), Some(at)),
            (None, Some(Key::Abstract(orders))) => (Some(Word(orders.letters().to_vec())), None),
            _ => (None, None),
        };
        let sequence = match (&word, kept) {
            (Some(word), _) => word.0.iter().map(ToString::to_string).collect(),
            (None, Some(kept)) => events(kept.sequence())?,
            (None, None) => Vec::new(),
        };
        let is_expected = kept.is_some_and(|kept| matches!(kept.key, Key::Abstract(_)));
        let steps = match is_expected {
            true => steps(instance, word.as_ref(), kept.map(Kept::sequence))?,
            false => Vec::new(),
        };
        let file = kept.map(file).transpose()?;
        Ok(Rejection { program: 0, kind, why, sequence, event, file, steps })
    }

    /// The sequences of the original that the mutant cannot do, or does with other results, if all its behaviours are
    /// known.
    fn by_exploration(&mut self) -> Result<Vec<Kill>, JudgementError> {
        let mut kills = Vec::new();
        if self.mutant.endings == self.original.behaviours.endings {
            return Ok(kills);
        }
        let is_cut = self.mutant.endings.values().flatten().any(Ending::is_cut);
        for (test, it) in self.original.collected.iter().enumerate() {
            let endings = match &it.word {
                Some(word) => self.mutant.endings_of(word),
                None => self.mutant.endings.get(&it.key).cloned().unwrap_or_default(),
            };
            if endings == it.endings {
                continue;
            }
            if !endings.is_empty() {
                let parting = self.parting(it, &endings);
                kills.push(killed(test, &it.endings, &endings, parting, String::new()));
                continue;
            }
            // The obstacle is described for the first kill only: finding it takes another exploration.
            let (parting, why) = self.obstacle(it, kills.is_empty());
            kills.push(match why {
                // An execution that was cut might still have done the test: only its ending is known.
                None if is_cut => cut(test, parting),
                why => killed(test, &it.endings, &endings, parting, why.unwrap_or_default()),
            });
        }
        Ok(kills)
    }

    /// Where the two first differ, if both can do a sequence but with different results.
    fn parting(&self, it: &Collected, mutant: &BTreeSet<Ending>) -> Parting {
        match &it.word {
            Some(word) => Parting { event: None, departure: Some(self.departure(word, &it.endings, mutant)) },
            None => Parting::NOWHERE,
        }
    }

    /// Where two executions of the same word, with different results, first differ.
    pub(super) fn departure(
        &self,
        word: &Word,
        original: &BTreeSet<Ending>,
        mutant: &BTreeSet<Ending>,
    ) -> Departure {
        let original =
            Results { endings: original, execution: &|it| self.original.behaviours.execution(word, it) };
        let mutant = Results { endings: mutant, execution: &|it| self.mutant.execution(word, it) };
        departure(self.explorer, &original, &mutant, &self.original.input.program)
    }

    /// Where a mutant leaves a complete sequence of the original.
    pub(super) fn leaves(&self, sequence: &Sequence) -> Parting {
        match replay::leaves(self.explorer, sequence, &self.original.input.program) {
            Ok(left) => Parting::of_mutant(left, sequence),
            Err(_) => Parting::UNKNOWN,
        }
    }

    /// Where a mutant leaves a sequence that it cannot do and, if `wanted`, the obstacle.
    fn obstacle(&mut self, it: &Collected, wanted: bool) -> (Parting, Option<String>) {
        let original = self.original;
        let kept = it.kept.map(|kept| original.behaviours.kept[kept].sequence());
        let (parting, sequence) = match (&it.word, kept) {
            (Some(word), _) => {
                let event = Some(self.mutant.follow(word));
                (Parting { event, departure: None }, TestSequence::from(word))
            }
            (None, Some(kept)) => (self.leaves(kept), TestSequence::Recorded(kept.clone())),
            (None, None) => return (Parting::UNKNOWN, None),
        };
        if !wanted {
            return (parting, None);
        }
        let explorer = self.mutant.informed(self.explorer, true);
        let instance = original.instance.as_ref();
        let attempt = forcing::force(&explorer, &sequence, instance, false, &original.input.program);
        // A mutant may do something that cannot be forced at all, which is no reason to stop.
        let Ok(attempt) = attempt else { return (parting, None) };
        self.executions += attempt.executions;
        match attempt.feasibility {
            Feasibility::Infeasible(why) => (parting, Some(why)),
            _ => (parting, None),
        }
    }

    /// Forces sequences of the original on a mutant that has too many behaviours to explore, until one distinguishes the
    /// two.
    fn by_forcing(&mut self) -> Result<Vec<Kill>, JudgementError> {
        let original = self.original;
        for (test, it) in original.collected.iter().enumerate().take(MOST_FORCED) {
            let sequence = match (&it.word, it.kept) {
                (Some(word), _) => TestSequence::from(word),
                (None, Some(kept)) => {
                    TestSequence::Recorded(original.behaviours.kept[kept].sequence().clone())
                }
                (None, None) => break,
            };
            // The names of some events are known only after a complete exploration, which has failed already.
            if !self.is_stable(&sequence) {
                continue;
            }
            let instance = original.instance.as_ref();
            let explorer = self.mutant.informed(self.explorer, true);
            let attempt = forcing::force(&explorer, &sequence, instance, true, &original.input.program)?;
            self.executions += attempt.executions;
            let endings = endings(&attempt);
            if matches!(attempt.feasibility, Feasibility::Unknown) || endings == it.endings {
                continue;
            }
            let of_original = |ending: &Ending| original.behaviours.execution(it.word.as_ref()?, ending);
            let original = Results { endings: &it.endings, execution: &of_original };
            let parting = self.parting_of(&sequence, (&original, None), &attempt, &self.original.input);
            return Ok(vec![killed(test, &it.endings, &endings, parting, attempt.why())]);
        }
        Ok(Vec::new())
    }

    /// Whether the events of a sequence have the same names in a mutant that was not explored completely as they would have
    /// after a complete exploration.
    pub(super) fn is_stable(&self, sequence: &TestSequence) -> bool {
        let instance = self.original.instance.as_ref();
        Task { sequence, instance, all: true, program: &self.original.input.program }.is_stable()
    }

    /// The written tests that kill the mutant; and why the result of some tests is not known.
    fn by_tests(&mut self) -> (Vec<Kill>, Option<String>) {
        let (mut kills, mut unknown) = (Vec::new(), None);
        let first = self.original.collected.len();
        for (test, it) in (first..).zip(&self.original.written) {
            let instance = it.instance.as_ref();
            let is_known = it.input.data == self.original.input.data;
            if is_known && !self.exhaustive && !self.is_stable(&it.test.sequence) {
                unknown = Some(format!("test `{}`: {UNNAMED}", it.test.name));
                continue;
            }
            // With another input the program may do many more steps, and take much longer.
            let others = self.original.bounded(self.how, it.attempt.executions);
            let explorer = self.mutant.informed(if is_known { self.explorer } else { &others }, is_known);
            let attempt = forcing::force(&explorer, &it.test.sequence, instance, true, &it.input.program);
            let attempt = match attempt {
                Ok(attempt) => attempt,
                // Other tests may still kill the mutant.
                Err(message) => {
                    unknown = Some(format!("test `{}`: {message}", it.test.name));
                    continue;
                }
            };
            self.executions += attempt.executions;
            let endings = endings(&attempt);
            match (&it.attempt.feasibility, &attempt.feasibility) {
                (Feasibility::Unknown, _) | (_, Feasibility::Unknown) => {
                    unknown = Some(format!("test `{}` reached a bound", it.test.name));
                }
                _ if endings == it.endings => {}
                _ => {
                    let of_original = |ending: &Ending| execution(&it.attempt, ending);
                    let original = Results { endings: &it.endings, execution: &of_original };
                    let sides = (&original, Some(&it.attempt));
                    let parting = self.parting_of(&it.test.sequence, sides, &attempt, &it.input);
                    kills.push(killed(test, &it.endings, &endings, parting, attempt.why()));
                }
            }
        }
        (kills, unknown)
    }

    /// The first difference in a sequence that was forced on the mutant and, unless it comes from the original, on the
    /// original.
    fn parting_of(
        &self,
        sequence: &TestSequence,
        (original, on_original): (&Results<'_>, Option<&Attempt>),
        attempt: &Attempt,
        input: &Input,
    ) -> Parting {
        let endings = endings(attempt);
        let refused = on_original.filter(|_| original.endings.is_empty());
        match (sequence, refused) {
            (TestSequence::Recorded(sequence), Some(it)) => Parting::of_original(it.left.clone(), sequence),
            (TestSequence::Recorded(sequence), None) if endings.is_empty() => {
                Parting::of_mutant(attempt.left.clone(), sequence)
            }
            (TestSequence::Recorded(_), None) => Parting::NOWHERE,
            (_, Some(it)) => Parting { event: it.event, departure: None },
            _ if endings.is_empty() => Parting { event: attempt.event, departure: None },
            _ => {
                let mutant = Results { endings: &endings, execution: &|it| execution(attempt, it) };
                let departure = departure(self.explorer, original, &mutant, &input.program);
                Parting { event: None, departure: Some(departure) }
            }
        }
    }
}

/// A kill by a test, of a mutant that runs on where the original has ended, so that it is not known whether the mutant can
/// do the test.
fn cut(test: usize, parting: Parting) -> Kill {
    let why = "it does not come to its end within the bound on steps".to_owned();
    let mutant = Reaction { why, ..reaction(&Feasibility::Unknown, &BTreeSet::new()) };
    let Parting { event, departure } = parting;
    Kill { test, difference: Difference::Termination, event, departure, mutant }
}

/// A kill by a test that distinguishes the endings of the mutant from those of the original.
fn killed(
    test: usize,
    original: &BTreeSet<Ending>,
    mutant: &BTreeSet<Ending>,
    parting: Parting,
    why: String,
) -> Kill {
    let new = mutant.difference(original).next();
    let difference = match new {
        _ if original.is_empty() != mutant.is_empty() => Difference::Feasibility,
        Some(new) if original.iter().any(|it| it.has_termination_of(new)) => Difference::Output,
        Some(_) => Difference::Termination,
        None => Difference::Output,
    };
    let feasibility = if mutant.is_empty() { Feasibility::Infeasible(why) } else { Feasibility::Feasible };
    let Parting { event, departure } = parting;
    let mutant = reaction(&feasibility, mutant);
    Kill { test, difference, event, departure, mutant }
}
