//! A sequence that distinguishes a mutant from the original, if no test does: it should be a test.
//!
//! If the specification allows a sequence that only the mutant does, a test that forbids the sequence would contradict the
//! specification. So such a sequence is shown only if there is no other.

use std::collections::BTreeSet;

use insyn_specs::correctness::Feasibility;
use insyn_specs::spec::Orders;
use insyn_specs::test_file::{Expectation, Places, Test, TestSequence};
use insyn_specs::{TestFile, Word};
use insyn_verdicts::Survival;
use insyn_verdicts::mutant::Distinguishing;

use super::super::error::JudgementError;
use super::super::output;
use super::behaviour::{Ending, Kept, Key};
use super::departure::Parting;
use super::verdict::{Comparison, UNNAMED};
use super::{endings, events, file, on_the_original, reaction, steps};
use insyn_explorer::failure::in_files;

/// How many words of a partial order are tried at most.
const MOST_WORDS: usize = 10_000;

/// Why a sequence that differs cannot be shown.
const NOT_KEPT: &str = "it differs in sequences of which none was kept whole, to be shown";

/// A sequence that distinguishes the two, and whether the specification allows the difference.
type Found = (Survival, Distinguishing);

impl Comparison<'_> {
    /// A sequence that only one of the two can do; or why it is not known whether there is one.
    pub(super) fn distinguishing(&self) -> Result<(Option<Found>, Option<String>), JudgementError> {
        let mut search = Search::default();
        let mut seen = BTreeSet::new();
        for kept in &self.mutant.kept {
            match &kept.key {
                Key::Complete(_) => self.of_complete(kept, &mut search)?,
                Key::Abstract(orders) => self.of_words(orders, Some(kept), &mut search)?,
            }
            seen.insert(&kept.key);
            if search.is_over() {
                return Ok(search.end());
            }
        }
        // Some sequences that only the mutant does were not kept whole.
        for key in self.mutant.beyond(&self.original.behaviours).filter(|key| !seen.contains(key)) {
            match key {
                Key::Complete(_) => search.given_up = Some(NOT_KEPT.to_owned()),
                Key::Abstract(orders) => self.of_words(orders, None, &mut search)?,
            }
            if search.is_over() {
                return Ok(search.end());
            }
        }
        if self.exhaustive {
            // Sequences that the original can do, and the mutant cannot, or only with other results. If every sequence is a
            // test, this concerns only some orders of events.
            let all = &self.original.behaviours.endings;
            for (key, _) in
                all.iter().filter(|(key, endings)| self.mutant.endings.get(*key) != Some(*endings))
            {
                match key {
                    Key::Abstract(orders) => self.of_words(orders, None, &mut search)?,
                    Key::Complete(_) => self.of_missing(key, &mut search)?,
                }
                if search.is_over() {
                    return Ok(search.end());
                }
            }
        }
        Ok(search.end())
    }

    /// A complete sequence of the mutant, which the original cannot do if it was explored completely.
    fn of_complete(&self, kept: &Kept, search: &mut Search) -> Result<(), JudgementError> {
        let original = self.original;
        let mut can = original.behaviours.endings.get(&kept.key).cloned().unwrap_or_default();
        let recorded = TestSequence::Recorded(kept.sequence().clone());
        let (mut parting, mut why) = (Parting::NOWHERE, String::new());
        if can.is_empty() {
            let attempt = on_the_original(|| original.force(&recorded));
            match attempt {
                Ok(attempt) => {
                    can = endings(&attempt);
                    if let Feasibility::Infeasible(reason) = attempt.feasibility {
                        parting = Parting::of_original(attempt.left, kept.sequence());
                        why = reason;
                    }
                }
                Err(error) if original.complete => (parting, why) = (Parting::UNKNOWN, error.to_string()),
                Err(_) => return Ok(()),
            }
        }
        let does = self.mutant.endings.get(&kept.key).cloned().unwrap_or_default();
        if can != does {
            let sequence = events(kept.sequence())?;
            let it = self.describe(sequence, recorded, parting, (&does, &can), why, Some(kept))?;
            search.found((Survival::Missing, it));
        }
        Ok(())
    }

    /// A complete sequence of the original, which the mutant cannot do, or does with other results.
    fn of_missing(&self, key: &Key, search: &mut Search) -> Result<(), JudgementError> {
        let original = &self.original.behaviours;
        let Some(kept) = original.kept.iter().map(|it| &**it).find(|it| it.key == *key) else {
            search.given_up = Some(NOT_KEPT.to_owned());
            return Ok(());
        };
        let does = self.mutant.endings.get(key).cloned().unwrap_or_default();
        let recorded = TestSequence::Recorded(kept.sequence().clone());
        let ways = (&does, &original.endings[key]);
        let execution = Some(kept).filter(|_| !does.is_empty());
        let parting = match does.is_empty() {
            true => self.leaves(kept.sequence()),
            false => Parting::NOWHERE,
        };
        let it =
            self.describe(events(kept.sequence())?, recorded, parting, ways, String::new(), execution)?;
        search.found((Survival::Missing, it));
        Ok(())
    }

    /// A word of a sequence that distinguishes the two.
    fn of_words(
        &self,
        orders: &Orders,
        kept: Option<&Kept>,
        search: &mut Search,
    ) -> Result<(), JudgementError> {
        let original = self.original;
        if !self.exhaustive && !self.is_stable(&TestSequence::from(&Word(orders.letters().to_vec()))) {
            search.given_up = Some(UNNAMED.to_owned());
            return Ok(());
        }
        for (n, word) in orders.words().enumerate() {
            if n >= MOST_WORDS {
                let why = format!("its events can be ordered in more than {MOST_WORDS} ways");
                search.given_up = Some(why);
                return Ok(());
            }
            let does = self.mutant.endings_of(&word);
            let mut can = original.behaviours.endings_of(&word);
            let sequence = TestSequence::from(&word);
            let mut why = String::new();
            if can == does {
                continue;
            }
            // A specification can only decide about a word that one of the two cannot do at all.
            let is_denied =
                can.is_empty() != does.is_empty() && original.suite.denies(&word, does.is_empty())?;
            if is_denied && search.allowed.is_some() {
                continue;
            }
            let mut parting = Parting::default();
            if can.is_empty() {
                let attempt = on_the_original(|| original.force(&sequence))?;
                can = endings(&attempt);
                match attempt.feasibility {
                    Feasibility::Infeasible(reason) => {
                        parting.event = Some(original.behaviours.follow(&word));
                        why = reason;
                    }
                    Feasibility::Unknown => {
                        search.given_up = Some("the original reached a bound".to_owned());
                        return Ok(());
                    }
                    Feasibility::Feasible if can == does => continue,
                    Feasibility::Feasible => {}
                }
            } else if does.is_empty() {
                parting.event = Some(self.mutant.follow(&word));
            }
            if parting.event.is_none() {
                parting.departure = Some(self.departure(&word, &can, &does));
            }
            let events = word.0.iter().map(ToString::to_string).collect();
            let it = self.describe(events, sequence, parting, (&does, &can), why, kept)?;
            let is_allowed = is_denied && can.is_empty() != does.is_empty();
            search.found((if is_allowed { Survival::Allowed } else { Survival::Missing }, it));
            if search.is_over() {
                return Ok(());
            }
        }
        Ok(())
    }

    /// A sequence that distinguishes the two, with what each does.
    fn describe(
        &self,
        events: Vec<String>,
        sequence: TestSequence,
        parting: Parting,
        (mutant, original): (&BTreeSet<Ending>, &BTreeSet<Ending>),
        why: String,
        kept: Option<&Kept>,
    ) -> Result<Distinguishing, JudgementError> {
        let verdict = |endings: &BTreeSet<Ending>, why: &str| match endings.is_empty() {
            true => Feasibility::Infeasible(why.to_owned()),
            false => Feasibility::Feasible,
        };
        let of_original = verdict(original, &why);
        let instance = self.original.instance.as_deref();
        let word = instance.and_then(|instance| sequence.word(instance.spec()));
        let steps = steps(instance, word.as_ref(), kept.map(Kept::sequence))?;
        let input = self.original.input.data.clone().unwrap_or_default();
        let expect = expectation(original);
        let test = Test {
            name: "distinguishing".to_owned(),
            about: None,
            input,
            sequence,
            expect,
            position: None,
            places: Places::default(),
        };
        let test = TestFile { tests: vec![test], ..TestFile::default() };
        Ok(Distinguishing {
            program: 0,
            sequence: events,
            event: parting.event,
            departure: parting.departure,
            mutant: reaction(&verdict(mutant, ""), mutant),
            original: reaction(&of_original, original),
            file: kept.map(file).transpose()?,
            steps,
            test: Some(test.write()?),
        })
    }
}

/// The result of the search so far.
#[derive(Default)]
struct Search {
    /// A difference that a test should have.
    missing: Option<Distinguishing>,
    /// A difference that the specification allows.
    allowed: Option<Distinguishing>,
    /// Why some differences are not known.
    given_up: Option<String>,
}

impl Search {
    fn found(&mut self, (survival, it): Found) {
        let place = match survival {
            Survival::Missing => &mut self.missing,
            Survival::Allowed => &mut self.allowed,
        };
        place.get_or_insert(it);
    }

    /// Whether no better result can be found.
    fn is_over(&self) -> bool {
        self.missing.is_some()
    }

    fn end(self) -> (Option<Found>, Option<String>) {
        let missing = self.missing.map(|it| (Survival::Missing, it));
        let allowed = self.allowed.map(|it| (Survival::Allowed, it));
        (missing.or(allowed), self.given_up)
    }
}

/// What a test of a sequence expects, if the original is right.
fn expectation(endings: &BTreeSet<Ending>) -> Expectation {
    let one = endings.first().filter(|_| endings.len() == 1);
    Expectation {
        feasible: !endings.is_empty(),
        termination: one.map(|it| in_files(it.termination())),
        output: one.and_then(|it| output(it.output())).filter(|output| !output.is_null()),
    }
}
