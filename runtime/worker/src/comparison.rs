//! Compares mutants of a program with the original.
//!
//! The original is explored once ([`Baseline`]). The mutant is explored too, and killed if the user's own test suite would
//! reject it ([`Suite`]): a behaviour fails, a result is one that the original never has, or the specification rejects a
//! behaviour.
//!
//! Each sequence of the original is also a test, and so is each sequence of a test file. A test kills a mutant if only one
//! of the mutant and the original can do its sequence, or if the two end it with different results. What the exploration
//! has shown need not be forced again. If nothing kills the mutant, a sequence that only one of the two does is what a test
//! should have; if there is none, the two are equivalent for this input. [`Comparison::finish`] decides.
//!
//! A mutant that runs far beyond the end of the original is cut at a bound on steps, and that counts as a result.

mod behaviour;
mod behaviours;
mod departure;
mod distinguishing;
mod lineage;
mod rejection;
mod samples;
mod suite;
mod verdict;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use insyn_sequences::{Order, Sequence, text};
use insyn_specs::Word;
use insyn_specs::correctness::Feasibility;
use insyn_specs::spec::Instance;
use insyn_specs::test_file::{Test, TestSequence};
use insyn_verdicts::Reaction;
use insyn_verdicts::campaign::{self, Phase, Variant};
use insyn_verdicts::protocol::{Compare, Compared, LEAST_PATIENCE, Surveyed};

use super::Program;
use super::attempt::Attempt;
use super::error::JudgementError;
use super::forcing;
use super::function::Function;
use super::input::Input;
use super::oracle::Oracle;
use crate::mutation;
use behaviour::{Ending, Kept, Key};
use behaviours::{Behaviours, Keeping};
use insyn_engine::{journal, watchdog};
use insyn_explorer::exploration::ended::Ended;
use insyn_explorer::explorer::Explorer;
use insyn_explorer::results::Execution;
use suite::Suite;
use verdict::Comparison;

/// This many executions of the original are kept whole, to be shown.
const MOST_KEPT: usize = 200;

/// The original: what it does, and the tests for mutants.
pub(super) struct Baseline {
    behaviours: Behaviours,
    complete: bool,
    executions: u64,
    input: Input,
    instance: Option<Arc<Instance>>,
    collected: Vec<Collected>,
    written: Vec<Written>,
    explorer: Explorer,
    /// How the test suite judges mutants.
    suite: Suite,
    /// The longest processor time without an event that insyn can observe.
    longest_silence: Duration,
    pub(super) surveyed: Surveyed,
}

/// A sequence of the original as a test.
struct Collected {
    key: Key,
    /// With a specification: one of its words.
    word: Option<Word>,
    /// All its results.
    endings: BTreeSet<Ending>,
    /// Its place among the executions that are kept.
    kept: Option<usize>,
    /// The test of the sequence that it is a variant of.
    of: Option<usize>,
}

/// A test of a file.
struct Written {
    test: Test,
    input: Input,
    instance: Option<Arc<Instance>>,
    /// Its result.
    attempt: Attempt,
    endings: BTreeSet<Ending>,
}

impl Baseline {
    /// Explores the original, and forces the tests on it.
    pub(super) fn survey(
        program: &Program,
        explorer: Explorer,
        oracle: &Oracle,
        input: Input,
        random: Option<u64>,
        watch: impl Fn(&Ended<'_>) + Send + Sync + 'static,
        function: Function<'_>,
    ) -> Result<Baseline, JudgementError> {
        let instance = oracle.instance(input.data.as_ref())?;
        let work = || {
            let keep = Keeping { most: MOST_KEPT, original: None };
            let (mut behaviours, exploration) =
                Behaviours::of(&explorer, instance.as_ref(), keep, watch, &input.program)?;
            let chosen = match random {
                Some(seed) => {
                    let explored = (&mut behaviours, &exploration);
                    Some(samples::collect(&explorer, instance.as_ref(), seed, explored, &input.program)?)
                }
                None => None,
            };
            let explored = &input;
            let one = |test: &Test| {
                let input = forcing::input_of(program, test, function)?;
                let instance = oracle.instance(input.data.as_ref())?;
                let is_known = exploration.is_complete() && input.data == explored.data;
                let explorer = behaviours.informed(&explorer, is_known);
                let attempt =
                    forcing::force(&explorer, &test.sequence, instance.as_ref(), true, &input.program)?;
                let endings = endings(&attempt);
                Ok(Written { test: test.clone(), input, instance, attempt, endings })
            };
            let written = oracle.tests.tests.iter().map(one).collect::<Result<Vec<_>, JudgementError>>()?;
            Ok::<_, JudgementError>((behaviours, exploration, chosen, written))
        };
        let ((found, reached), longest_silence) = watchdog::longest_silence(|| mutation::reached(work));
        let (behaviours, exploration, chosen, written) = found?;
        let suite = Suite::of(instance.as_ref(), &behaviours, exploration.is_complete())?;
        let collected = collect(&behaviours, chosen.as_deref());
        let mut tests: Vec<campaign::Test> = Vec::new();
        for (n, it) in (1..).zip(&collected) {
            let kept = it.kept.map(|kept| &*behaviours.kept[kept]);
            let changes = kept.map(|kept| kept.changes.clone()).unwrap_or_default();
            tests.push(campaign::Test {
                program: 0,
                phase: Phase::Collected,
                name: format!("sequence {n}"),
                input: None,
                sequence: match (&it.word, kept) {
                    (Some(word), _) => word.0.iter().map(ToString::to_string).collect(),
                    (None, Some(kept)) => events(kept.sequence())?,
                    (None, None) => Vec::new(),
                },
                original: reaction(&Feasibility::Feasible, &it.endings),
                file: kept.map(file).transpose()?,
                steps: steps(instance.as_deref(), it.word.as_ref(), kept.map(Kept::sequence))?,
                variant: it.of.map(|of| Variant { of, changes }),
            });
        }
        for it in &written {
            tests.push(campaign::Test {
                phase: Phase::Written,
                name: it.test.name.clone(),
                input: Some(it.test.input.clone()).filter(|input| !input.is_null()),
                sequence: match &it.test.sequence {
                    TestSequence::Recorded(sequence) => events(sequence)?,
                    sequence => sequence.steps().iter().map(ToString::to_string).collect(),
                },
                original: reaction(&it.attempt.feasibility, &it.endings),
                ..campaign::Test::default()
            });
        }
        let surveyed = Surveyed {
            input: input.data.clone(),
            sequences: exploration.sequences,
            executions: exploration.executions,
            complete: exploration.is_complete(),
            tests,
            reached: reached.into_iter().collect(),
        };
        Ok(Baseline {
            behaviours,
            complete: exploration.is_complete(),
            executions: exploration.executions,
            input,
            instance,
            collected,
            written,
            explorer,
            suite,
            longest_silence,
            surveyed,
        })
    }

    /// Forces a sequence on the original.
    fn force(&self, sequence: &TestSequence) -> Result<Attempt, JudgementError> {
        let explorer = self.behaviours.informed(&self.explorer, self.complete);
        forcing::force(&explorer, sequence, self.instance.as_ref(), true, &self.input.program)
    }

    /// Explores mutants within bounds far above the number of executions that the original took.
    fn bounded(&self, how: &Compare, executions: u64) -> Explorer {
        let explorer = self.explorer.clone().max_sequences(u64::MAX);
        let explorer = match how.max_steps {
            Some(steps) => explorer.max_steps(steps),
            None => explorer,
        };
        explorer
            .max_executions(how.max_executions.unwrap_or(executions * 10 + 1_000))
            .warn_after(how.patience.map_or_else(|| patience(self.longest_silence), Duration::from_secs))
    }

    /// Compares a mutant with the original.
    pub(super) fn compare(
        self: &Arc<Self>,
        how: &Compare,
        watch: impl Fn(&Ended<'_>) + Send + Sync + 'static,
    ) -> Result<Compared, JudgementError> {
        let longest = how.max_steps.unwrap_or(self.behaviours.longest * 10 + 1_000);
        let explorer = self.bounded(how, self.executions).max_steps(longest);
        watchdog::set_fatal(true);
        // Only behaviours that the original does not have are worth showing.
        let keep = Keeping { most: MOST_KEPT, original: Some(self.clone()) };
        journal::start();
        mutation::switch_to(how.mutant);
        let comparison = Behaviours::of(&explorer, self.instance.as_ref(), keep, watch, &self.input.program)
            .and_then(|(mutant, exploration)| {
                let lost = exploration.nondeterminism + exploration.lost > 0;
                let comparison = Comparison {
                    original: self,
                    mutant,
                    exhaustive: exploration.bound.is_none() && !lost,
                    explorer: &explorer,
                    how,
                    executions: exploration.executions,
                };
                comparison.finish(match exploration.nondeterminism {
                    0 => exploration.bound.map(|bound| bound.to_string()),
                    _ => {
                        Some("something that insyn does not control decides what the mutant does".to_owned())
                    }
                })
            });
        mutation::switch_to(0);
        watchdog::set_fatal(false);
        comparison
    }
}

/// How long a mutant may go without an event: much longer than the original ever does.
fn patience(longest_silence: Duration) -> Duration {
    Duration::from_secs(LEAST_PATIENCE).max(longest_silence * 100)
}

/// One word of each sequence of a program.
pub(super) fn words(
    explorer: &Explorer,
    instance: &Arc<Instance>,
    input: &Input,
) -> Result<BTreeSet<Word>, JudgementError> {
    let keep = Keeping::default();
    let (behaviours, _) = Behaviours::of(explorer, Some(instance), keep, |_| {}, &input.program)?;
    let word = |key: &Key| match key {
        Key::Abstract(orders) => Some(Word(orders.letters().to_vec())),
        Key::Complete(_) => None,
    };
    Ok(behaviours.endings.keys().filter_map(word).collect())
}

/// Each sequence of a program once, in the order of discovery; or only the chosen ones, in their order.
fn collect(behaviours: &Behaviours, chosen: Option<&[Key]>) -> Vec<Collected> {
    let mut kept: BTreeMap<&Key, usize> = BTreeMap::new();
    for (n, it) in behaviours.kept.iter().enumerate() {
        kept.entry(&it.key).or_insert(n);
    }
    let all: Vec<(Option<usize>, &Key)> = match chosen {
        // A random run is no variant of another.
        Some(chosen) => {
            let mut seen = BTreeSet::new();
            chosen.iter().filter(|key| seen.insert(*key)).map(|key| (None, key)).collect()
        }
        None => behaviours.discovered.iter().map(|it| (it.of, &it.key)).collect(),
    };
    // The test of each sequence. A sequence is discovered after the one that it is a variant of.
    let mut tests: Vec<usize> = Vec::with_capacity(all.len());
    let mut words: BTreeMap<Word, usize> = BTreeMap::new();
    let mut collected: Vec<Collected> = Vec::new();
    for (of, key) in all {
        let (word, endings) = match key {
            Key::Abstract(orders) => {
                let word = Word(orders.letters().to_vec());
                let endings = behaviours.endings_of(&word);
                (Some(word), endings)
            }
            Key::Complete(_) => (None, behaviours.endings[key].clone()),
        };
        // Different orders may have words in common; a word is a test only once.
        let new = collected.len();
        let test = word.as_ref().map_or(new, |word| *words.entry(word.clone()).or_insert(new));
        tests.push(test);
        if test == new {
            let (of, kept) = (of.map(|of| tests[of]), kept.get(key).copied());
            collected.push(Collected { key: key.clone(), word, endings, kept, of });
        }
    }
    collected
}

/// Runs `work` on the original while a mutant is on.
fn on_the_original<T>(work: impl FnOnce() -> T) -> T {
    let mutant = mutation::active();
    mutation::switch_to(0);
    let result = work();
    mutation::switch_to(mutant);
    result
}

/// The ways in which a forced sequence can end.
fn endings(attempt: &Attempt) -> BTreeSet<Ending> {
    attempt.found.iter().map(|it| Ending::new(it.termination, it.output.clone())).collect()
}

/// An execution with this ending.
fn execution<'a>(attempt: &'a Attempt, ending: &Ending) -> Option<&'a Sequence> {
    let ends = |it: &&Execution| Ending::new(it.termination, it.output.clone()) == *ending;
    attempt.found.iter().find(ends).map(|it| &it.sequence)
}

fn reaction(feasibility: &Feasibility, endings: &BTreeSet<Ending>) -> Reaction {
    let why = match feasibility {
        Feasibility::Infeasible(why) => why.clone(),
        Feasibility::Feasible | Feasibility::Unknown => String::new(),
    };
    Reaction { verdict: feasibility.verdict(), results: endings.iter().map(Ending::shown).collect(), why }
}

/// The events of a sequence in a total order, for people.
fn events(sequence: &Sequence) -> Result<Vec<String>, JudgementError> {
    let order = Order::of(sequence)?;
    let line = |step: text::Step| step.line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ");
    Ok(text::steps(&order, text::WIDTH).into_iter().map(line).collect())
}

/// The events of an execution that match the events of a word, by their names in its file.
fn steps(
    instance: Option<&Instance>,
    word: Option<&Word>,
    sequence: Option<&Sequence>,
) -> Result<Vec<String>, JudgementError> {
    let (Some(instance), Some(word), Some(sequence)) = (instance, word, sequence) else {
        return Ok(Vec::new());
    };
    let events = instance.events(sequence, word)?;
    Ok(events.into_iter().map(|event| sequence.event_name(event)).collect())
}

fn file(kept: &Kept) -> Result<String, JudgementError> {
    Ok(kept.file.write()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patience_is_two_seconds_or_a_hundred_silences() {
        let of_milliseconds = |silence| patience(Duration::from_millis(silence)).as_millis();
        assert_eq!([0, 20, 30].map(of_milliseconds), [2_000, 2_000, 3_000]);
    }
}
