//! How the user's own test suite judges a mutant: the exploration, the results, or the specification may reject it, just as
//! they would reject the same change in the source.
//!
//! The original passes, so only behaviours that the original does not have must be judged. [`Suite::judge`] judges a
//! behaviour of the mutant as it is discovered; [`Suite::lost`] searches, when all behaviours are known, for behaviours
//! that the specification requires and the mutant no longer has.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use insyn_sequences::harmless;
use insyn_specs::Word;
use insyn_specs::spec::{Bounds, Instance, Judged, Orders, Verdict};
use insyn_verdicts::Conformance;
use insyn_verdicts::KillKind;

use super::super::error::JudgementError;
use super::super::output;
use super::behaviour::{Ending, Key};
use super::behaviours::Behaviours;
use super::rejection::Rejected;
use insyn_explorer::failure::{Termination, in_files};

/// This many words of a behaviour that the mutant lost are tried.
const MOST_WORDS: usize = 10_000;

/// What is known of the original, to judge its mutants.
#[derive(Default)]
pub(super) struct Suite {
    instance: Option<Arc<Instance>>,
    /// All outputs of the original; none if it was not explored completely.
    outputs: Option<BTreeSet<String>>,
    /// The `may` constraints that each behaviour of the original shows, if the specification has any.
    shown: BTreeMap<Key, BTreeSet<usize>>,
}

impl Suite {
    /// The suite of an original that was explored, completely or not.
    pub(super) fn of(
        instance: Option<&Arc<Instance>>,
        original: &Behaviours,
        is_complete: bool,
    ) -> Result<Suite, JudgementError> {
        let endings = || original.endings.values().flatten();
        let outputs = || endings().filter_map(|it| it.output().map(str::to_owned)).collect();
        let mut suite =
            Suite { instance: instance.cloned(), outputs: is_complete.then(outputs), shown: BTreeMap::new() };
        if instance.is_some_and(|it| !it.permissions().is_empty()) {
            for key in original.endings.keys() {
                if let Key::Abstract(orders) = key {
                    let shown = suite.judged(orders)?.map(|it| it.shown().clone()).unwrap_or_default();
                    suite.shown.insert(key.clone(), shown);
                }
            }
        }
        Ok(suite)
    }

    /// How the specification judges a behaviour; none without a specification.
    pub(super) fn judged(&self, orders: &Orders) -> Result<Option<Judged>, JudgementError> {
        let judge = |instance: &Arc<Instance>| instance.judge_orders(orders, Bounds::default().states);
        Ok(self.instance.as_ref().map(judge).transpose()?)
    }

    /// Judges a behaviour of a mutant and its ending, which the original does not have; `judged` is the judgement of the
    /// specification.
    pub(super) fn judge(
        &self,
        ending: &Ending,
        judged: Option<&Judged>,
        describe: impl Fn() -> String,
    ) -> Vec<Rejected> {
        let mut all = Vec::new();
        let mut reject = |kind, why, word| all.push(Rejected { kind, why, word, kept: None });
        let termination = ending.termination();
        let spec = self.instance.as_ref().map(|it| it.spec());
        let fails = match spec {
            Some(spec) => !spec.terminations().contains(&in_files(termination)),
            None => termination != Termination::Normal,
        };
        if fails {
            reject(KillKind::Exploration, describe(), None);
        }
        // The output of a failing execution is no result.
        if let (false, Some(outputs), Some(output)) = (fails, &self.outputs, ending.output())
            && !outputs.contains(output)
        {
            let output = harmless::text(output);
            reject(KillKind::Result, format!("returns {output}, which the original never does"), None);
        }
        if let (Some(spec), Some(judged)) = (spec, judged) {
            match &judged.verdict {
                Verdict::Invalid(bad) if spec.conformance() != Conformance::Superset => {
                    let word = Some((bad.word.clone(), bad.at));
                    reject(KillKind::Specification, bad.objection.to_string(), word);
                }
                Verdict::Valid if !fails && !judged.allows(output(ending.output()).as_ref()) => {
                    let output = harmless::text(ending.output().unwrap_or("nothing"));
                    let why =
                        format!("returns {output} after a valid sequence, which must return something else");
                    reject(KillKind::Specification, why, None);
                }
                _ => {}
            }
        }
        all
    }

    /// Behaviours that the specification requires and the original has, but a completely explored mutant has not.
    pub(super) fn lost(
        &self,
        original: &Behaviours,
        mutant: &Behaviours,
    ) -> Result<Option<Rejected>, JudgementError> {
        let Some(instance) = &self.instance else { return Ok(None) };
        let conformance = instance.spec().conformance();
        if conformance != Conformance::Subset {
            let lost = original.endings.keys().filter(|key| !mutant.endings.contains_key(key));
            for key in lost {
                let Key::Abstract(orders) = key else { continue };
                for word in orders.words().take(MOST_WORDS) {
                    if !mutant.endings_of(&word).is_empty() {
                        continue;
                    }
                    let verdict = instance.judge(&word)?;
                    if verdict == Verdict::Valid {
                        let why = "valid, and no behaviour of the mutant does it".to_owned();
                        let at = mutant.follow(&word);
                        let word = Some((word, at));
                        return Ok(Some(Rejected { kind: KillKind::Specification, why, word, kept: None }));
                    }
                }
            }
        }
        self.lost_permission(instance, mutant)
    }

    /// A `may` constraint that no behaviour of the mutant shows.
    fn lost_permission(
        &self,
        instance: &Instance,
        mutant: &Behaviours,
    ) -> Result<Option<Rejected>, JudgementError> {
        let permissions = instance.permissions();
        let mut shown = BTreeSet::new();
        if permissions.is_empty() {
            return Ok(None);
        }
        for key in mutant.endings.keys() {
            match (self.shown.get(key), key) {
                (Some(known), _) => shown.extend(known),
                (None, Key::Abstract(orders)) => {
                    shown.extend(self.judged(orders)?.iter().flat_map(|it| it.shown()).copied());
                }
                (None, Key::Complete(_)) => {}
            }
        }
        let lost = permissions.into_iter().find(|(watch, _)| !shown.contains(watch));
        Ok(lost.map(|(_, sentence)| {
            let why = format!("no behaviour of the mutant shows it: {sentence}");
            Rejected { kind: KillKind::Specification, why, word: None, kept: None }
        }))
    }

    /// Whether the specification contradicts a test that demands or forbids a word.
    pub(super) fn denies(&self, word: &Word, feasible: bool) -> Result<bool, JudgementError> {
        let Some(instance) = &self.instance else { return Ok(false) };
        let verdict = instance.judge(word)?;
        Ok(match verdict {
            Verdict::Valid => !feasible,
            Verdict::Invalid(_) => feasible,
            Verdict::Unknown => false,
        })
    }
}
