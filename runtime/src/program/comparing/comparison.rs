//! A mutant beside the original: which tests tell the two apart.

use std::collections::BTreeSet;

use insyn_specs::correctness::Feasibility;
use insyn_specs::test_file::TestSequence;

use super::super::forcing;
use super::super::protocol::{Compared, Killed, Reaction};
use super::behaviours::{Behaviours, Ending};
use super::{Baseline, Collected, endings, reaction};
use crate::explorer::Explorer;

/// So many sequences are forced on a mutant that could not be explored to its end.
const MOST_FORCED: usize = 100;

/// A mutant that has been explored.
pub(super) struct Comparison<'b> {
    pub(super) original: &'b Baseline,
    pub(super) mutant: Behaviours,
    /// Whether it does nothing else, but for what was cut at the bound on steps.
    pub(super) exhaustive: bool,
    pub(super) explorer: &'b Explorer,
    pub(super) executions: u64,
}

impl Comparison<'_> {
    /// Compares. `bound` is why the mutant was not explored to its end, if it was not.
    pub(super) fn finish(mut self, bound: Option<String>) -> Result<Compared, String> {
        let mut compared = Compared { all: self.exhaustive, ..Compared::default() };
        compared.kills = if self.exhaustive { self.by_exploration()? } else { self.by_forcing()? };
        let (kills, unknown) = self.by_tests();
        compared.kills.extend(kills);
        compared.all &= unknown.is_none();
        if compared.kills.is_empty() {
            let is_same = self.mutant.endings == self.original.behaviours.endings;
            let is_known = self.exhaustive && self.original.complete;
            if is_same && is_known && unknown.is_none() {
                compared.equal = true;
            } else {
                let (telling, given_up) = self.telling()?;
                compared.equal = telling.is_none() && is_known && unknown.is_none() && given_up.is_none();
                if telling.is_none() && !compared.equal {
                    let incomplete =
                        || "the original was not explored to its end, so nothing can be proved".to_owned();
                    compared.unknown = bound.or(unknown).or(given_up).or_else(|| Some(incomplete()));
                }
                compared.distinguishing = telling;
            }
            compared.whole = compared.equal && self.mutant.is_wholly(&self.original.behaviours);
        }
        compared.overflows = self.mutant.endings.values().flatten().any(Ending::is_overflow);
        compared.executions = self.executions;
        Ok(compared)
    }

    /// The sequences of the original that the mutant does otherwise or not at all, if all that it does is known.
    fn by_exploration(&mut self) -> Result<Vec<Killed>, String> {
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
                kills.push(killed(test, &it.endings, &endings, None, String::new()));
                continue;
            }
            let event = it.word.as_ref().map(|word| self.mutant.follow(word));
            // What stands in the way is told of the first only: to find it takes another exploration.
            let (event, why) = if kills.is_empty() { self.obstacle(it, event) } else { (event, None) };
            kills.push(match why {
                // An execution that was cut may still have come to it: all that is known is how it ended.
                None if is_cut => cut(test, event),
                why => killed(test, &it.endings, &endings, event, why.unwrap_or_default()),
            });
        }
        Ok(kills)
    }

    /// Where a mutant leaves a sequence, and what stands in the way.
    fn obstacle(&mut self, it: &Collected, event: Option<usize>) -> (Option<usize>, Option<String>) {
        let original = self.original;
        let Some(kept) = it.kept.map(|kept| original.behaviours.kept[kept].sequence()) else {
            return (event, None);
        };
        let sequence = match &it.word {
            Some(word) => TestSequence::from(word),
            None => TestSequence::Recorded(kept.clone()),
        };
        let explorer = self.mutant.informed(self.explorer, true);
        let instance = original.instance.as_ref();
        let attempt = forcing::force(&explorer, &sequence, instance, false, &original.input.program);
        // A mutant may do what cannot be forced at all, which is no reason to stop.
        let Ok(attempt) = attempt else { return (event, None) };
        self.executions += attempt.executions;
        match &attempt.feasibility {
            Feasibility::Infeasible(why) => (event.or_else(|| attempt.left_at(kept)), Some(why.clone())),
            _ => (event, None),
        }
    }

    /// Forces sequences of the original on a mutant that does too much to be explored, until one tells them apart.
    fn by_forcing(&mut self) -> Result<Vec<Killed>, String> {
        let original = self.original;
        for (test, it) in original.collected.iter().enumerate().take(MOST_FORCED) {
            let sequence = match (&it.word, it.kept) {
                (Some(word), _) => TestSequence::from(word),
                (None, Some(kept)) => {
                    TestSequence::Recorded(original.behaviours.kept[kept].sequence().clone())
                }
                (None, None) => break,
            };
            let instance = original.instance.as_ref();
            // To explore it for all that is to be known of it has been tried.
            let explorer = self.mutant.informed(self.explorer, true);
            let attempt = forcing::force(&explorer, &sequence, instance, true, &original.input.program)?;
            self.executions += attempt.executions;
            let endings = endings(&attempt);
            let why = match &attempt.feasibility {
                Feasibility::Unknown => continue,
                Feasibility::Feasible if endings == it.endings => continue,
                Feasibility::Feasible => String::new(),
                Feasibility::Infeasible(why) => why.clone(),
            };
            let event = endings.is_empty().then(|| it.word.as_ref().map(|word| self.mutant.follow(word)));
            return Ok(vec![killed(test, &it.endings, &endings, event.flatten(), why)]);
        }
        Ok(Vec::new())
    }

    /// The written tests that tell the two apart; and why that is not known of some.
    fn by_tests(&mut self) -> (Vec<Killed>, Option<String>) {
        let (mut kills, mut unknown) = (Vec::new(), None);
        let first = self.original.collected.len();
        for (test, it) in (first..).zip(&self.original.written) {
            let instance = it.instance.as_ref();
            let is_known = it.input.data == self.original.input.data;
            let explorer = self.mutant.informed(self.explorer, is_known);
            let attempt = forcing::force(&explorer, &it.test.sequence, instance, true, &it.input.program);
            let attempt = match attempt {
                Ok(attempt) => attempt,
                // The other tests may tell the two apart all the same.
                Err(message) => {
                    unknown = Some(format!("test `{}`: {message}", it.test.name));
                    continue;
                }
            };
            self.executions += attempt.executions;
            let endings = endings(&attempt);
            match (&it.feasibility, &attempt.feasibility) {
                (Feasibility::Unknown, _) | (_, Feasibility::Unknown) => {
                    unknown = Some(format!("test `{}` reached a bound", it.test.name));
                }
                (_, Feasibility::Infeasible(_)) if it.endings.is_empty() => {}
                (_, Feasibility::Feasible) if endings == it.endings => {}
                (_, feasibility) => {
                    let why = match feasibility {
                        Feasibility::Infeasible(why) => why.clone(),
                        _ => String::new(),
                    };
                    kills.push(killed(test, &it.endings, &endings, attempt.step, why));
                }
            }
        }
        (kills, unknown)
    }
}

/// A test that tells a mutant which runs on where the original has ended, so that it is not known whether it can do it.
fn cut(test: usize, event: Option<usize>) -> Killed {
    let why = "it does not come to its end within the bound on steps".to_owned();
    let mutant = Reaction { why, ..reaction(&Feasibility::Unknown, &BTreeSet::new()) };
    Killed { test, difference: "termination".to_owned(), event, mutant }
}

/// A test that tells a mutant with these endings from an original with those.
fn killed(
    test: usize,
    original: &BTreeSet<Ending>,
    mutant: &BTreeSet<Ending>,
    event: Option<usize>,
    why: String,
) -> Killed {
    let new = mutant.difference(original).next();
    let difference = match new {
        _ if original.is_empty() != mutant.is_empty() => "feasibility",
        Some(new) if original.iter().any(|it| it.has_termination_of(new)) => "output",
        Some(_) => "termination",
        None => "output",
    };
    let feasibility = if mutant.is_empty() { Feasibility::Infeasible(why) } else { Feasibility::Feasible };
    Killed { test, difference: difference.to_owned(), event, mutant: reaction(&feasibility, mutant) }
}
