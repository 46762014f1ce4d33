//! Compares mutants of a program with the original.
//!
//! The original is explored once ([`Baseline`]): each of its sequences is a test, and so are those of a test file. A test
//! tells a mutant from the original if the mutant cannot do what the original can or the other way round, or if other
//! results can come of it. The mutant is explored too, so all that is known without forcing anything, unless a bound
//! stopped it. If no test tells the two apart, what the mutant does and the original does not is the sequence that a test
//! should have; if there is no such thing, the two are equal for this input.
//!
//! A mutant that runs on where the original has long ended is cut at a bound on steps, and that is a result of its own.

mod behaviours;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use insyn_specs::correctness::Feasibility;
use insyn_specs::file::SequenceFile;
use insyn_specs::spec::{Instance, Poset};
use insyn_specs::test_file::{Expectation, Test, TestSequence};
use insyn_specs::{Order, Sequence, TestFile, Word, text};

use super::forcing::{self, Attempt};
use super::function::Function;
use super::input::Input;
use super::oracle::Oracle;
use super::protocol::{Compare, Compared, Killed, Reaction, Surveyed, Surveying, Telling};
use super::{Program, output, termination};
use crate::ended::Ended;
use crate::explorer::Explorer;
use crate::{mutation, watchdog};
use behaviours::{Behaviours, Ending, Kept, Key};

/// So many executions of the original are kept whole, to be shown.
const MOST_KEPT: usize = 200;

/// So many words of a partial order are looked at before it is given up.
const MOST_WORDS: usize = 10_000;

/// So many sequences are forced on a mutant that could not be explored to its end.
const MOST_FORCED: usize = 100;

/// The original: what it does, and what mutants are tested by.
pub(super) struct Baseline {
    behaviours: Behaviours,
    complete: bool,
    executions: u64,
    input: Input,
    instance: Option<Arc<Instance>>,
    collected: Vec<Collected>,
    written: Vec<Written>,
    explorer: Explorer,
    pub(super) surveyed: Surveyed,
}

/// A sequence of the original as a test.
struct Collected {
    key: Key,
    /// With a specification: one of its words.
    word: Option<Word>,
    /// All that can come of it.
    endings: BTreeSet<Ending>,
    /// Its place among the executions that are kept.
    kept: Option<usize>,
}

/// A test of a file.
struct Written {
    test: Test,
    input: Input,
    instance: Option<Arc<Instance>>,
    feasibility: Feasibility,
    endings: BTreeSet<Ending>,
}

impl Baseline {
    /// Explores the original, and forces the tests on it.
    pub(super) fn survey(
        program: &Program,
        explorer: Explorer,
        oracle: &Oracle,
        input: Input,
        watch: impl Fn(&Ended<'_>) + Send + Sync + 'static,
        function: Function<'_>,
    ) -> Result<Baseline, String> {
        let instance = oracle.instance(input.data.as_ref())?;
        let work = || {
            let keep = Box::new(|_: &Key, _: &Ending, kept| kept < MOST_KEPT);
            let explored = Behaviours::of(&explorer, instance.as_ref(), keep, watch, &input.program)?;
            let one = |test: &Test| {
                let input = forcing::input_of(program, test, function)?;
                let instance = oracle.instance(input.data.as_ref())?;
                let attempt =
                    forcing::force(&explorer, &test.sequence, instance.as_ref(), true, &input.program)?;
                let (feasibility, endings) = (attempt.feasibility.clone(), endings(&attempt));
                Ok(Written { test: test.clone(), input, instance, feasibility, endings })
            };
            let written = oracle.tests.tests.iter().map(one).collect::<Result<Vec<_>, String>>()?;
            Ok::<_, String>((explored, written))
        };
        let (found, reached) = mutation::reached(work);
        let ((behaviours, exploration), written) = found?;
        let collected = collect(&behaviours);
        let mut tests: Vec<Surveying> = Vec::new();
        for (n, it) in (1..).zip(&collected) {
            let kept = it.kept.map(|kept| &behaviours.kept[kept].sequence);
            tests.push(Surveying {
                name: format!("sequence {n}"),
                input: None,
                sequence: match (&it.word, kept) {
                    (Some(word), _) => word.0.iter().map(ToString::to_string).collect(),
                    (None, Some(sequence)) => events(sequence)?,
                    (None, None) => Vec::new(),
                },
                original: reaction(&Feasibility::Feasible, &it.endings),
                file: kept.map(file).transpose()?,
                steps: steps(instance.as_deref(), it.word.as_ref(), kept)?,
            });
        }
        for it in &written {
            tests.push(Surveying {
                name: it.test.name.clone(),
                input: Some(it.test.input.clone()).filter(|input| !input.is_null()),
                sequence: it.test.sequence.steps().iter().map(ToString::to_string).collect(),
                original: reaction(&it.feasibility, &it.endings),
                file: None,
                steps: Vec::new(),
            });
        }
        let surveyed = Surveyed {
            input: input.data.clone(),
            sequences: exploration.sequences,
            executions: exploration.executions,
            complete: exploration.is_complete(),
            tests,
            collected: collected.len(),
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
            surveyed,
        })
    }

    /// Compares a mutant with the original.
    pub(super) fn compare(
        self: &Arc<Self>,
        how: &Compare,
        watch: impl Fn(&Ended<'_>) + Send + Sync + 'static,
    ) -> Result<Compared, String> {
        let explorer = self
            .explorer
            .clone()
            .max_steps(how.max_steps.unwrap_or(self.behaviours.longest * 10 + 1_000))
            .max_executions(how.max_executions.unwrap_or(self.executions * 10 + 1_000))
            .max_sequences(u64::MAX);
        let explorer = match how.patience {
            Some(seconds) => explorer.warn_after(Duration::from_secs(seconds)),
            None => explorer,
        };
        watchdog::set_fatal(how.patience.is_some());
        let original = self.clone();
        // Only what the original does not do is worth showing.
        let keep = Box::new(move |key: &Key, ending: &Ending, kept: usize| {
            let known = original.behaviours.endings.get(key).is_some_and(|it| it.contains(ending));
            kept < MOST_KEPT && !known
        });
        mutation::switch_to(how.mutant);
        let comparison = Behaviours::of(&explorer, self.instance.as_ref(), keep, watch, &self.input.program)
            .and_then(|(mutant, exploration)| {
                let lost = exploration.nondeterminism + exploration.lost > 0;
                let comparison = Comparison {
                    original: self,
                    mutant,
                    exhaustive: exploration.bound.is_none() && !lost,
                    explorer: &explorer,
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

/// One word of each sequence of a program.
pub(super) fn words(
    explorer: &Explorer,
    instance: &Arc<Instance>,
    input: &Input,
) -> Result<BTreeSet<Word>, String> {
    let keep = Box::new(|_: &Key, _: &Ending, _| false);
    let (behaviours, _) = Behaviours::of(explorer, Some(instance), keep, |_| {}, &input.program)?;
    let word = |key: &Key| match key {
        Key::Abstract(poset) => Some(Word(poset.letters().to_vec())),
        Key::Complete(_) => None,
    };
    Ok(behaviours.endings.keys().filter_map(word).collect())
}

/// Each sequence of a program once, in the order of their discovery.
fn collect(behaviours: &Behaviours) -> Vec<Collected> {
    let mut keys: BTreeSet<&Key> = BTreeSet::new();
    let kept = behaviours.kept.iter().enumerate().map(|(n, kept)| (Some(n), &kept.key));
    // Those that were not kept come after those that were, in their own order.
    let all = kept.chain(behaviours.endings.keys().map(|key| (None, key)));
    let mut collected = Vec::new();
    for (kept, key) in all {
        if !keys.insert(key) {
            continue;
        }
        let (word, endings) = match key {
            Key::Abstract(poset) => {
                let word = Word(poset.letters().to_vec());
                let endings = behaviours.endings_of(&word);
                (Some(word), endings)
            }
            Key::Complete(_) => (None, behaviours.endings[key].clone()),
        };
        // Different orders may have words in common; the first is the test of it.
        if word.is_some() && collected.iter().any(|it: &Collected| it.word == word) {
            continue;
        }
        collected.push(Collected { key: key.clone(), word, endings, kept });
    }
    collected
}

/// A mutant that has been explored.
struct Comparison<'b> {
    original: &'b Baseline,
    mutant: Behaviours,
    /// Whether it does nothing else, but for what was cut at the bound on steps.
    exhaustive: bool,
    explorer: &'b Explorer,
    executions: u64,
}

impl Comparison<'_> {
    fn finish(mut self, bound: Option<String>) -> Result<Compared, String> {
        let mut compared = Compared { all: self.exhaustive, ..Compared::default() };
        compared.kills = if self.exhaustive { self.by_exploration()? } else { self.by_forcing()? };
        let (kills, unknown) = self.by_tests()?;
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
        }
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
            let (mut event, mut why) = (None, String::new());
            if endings.is_empty() {
                event = it.word.as_ref().map(|word| self.mutant.follow(word));
                // What stands in the way is told of the first only: to find it takes another exploration.
                if kills.is_empty() {
                    (event, why) = self.obstacle(it, event)?;
                }
                if is_cut && why.is_empty() {
                    "it does not come to its end within the bound on steps".clone_into(&mut why);
                }
            }
            kills.push(killed(test, &it.endings, &endings, event, why));
        }
        Ok(kills)
    }

    /// Where a mutant leaves a sequence, and what stands in the way.
    fn obstacle(&mut self, it: &Collected, event: Option<usize>) -> Result<(Option<usize>, String), String> {
        let original = self.original;
        let Some(kept) = it.kept.map(|kept| &original.behaviours.kept[kept].sequence) else {
            return Ok((event, String::new()));
        };
        let sequence = match &it.word {
            Some(word) => TestSequence::from(word),
            None => TestSequence::Recorded(kept.clone()),
        };
        let attempt = forcing::force(
            self.explorer,
            &sequence,
            original.instance.as_ref(),
            false,
            &original.input.program,
        );
        // A mutant may do what cannot be forced at all, which is no reason to stop.
        let Ok(attempt) = attempt else { return Ok((event, String::new())) };
        self.executions += attempt.executions;
        Ok(match &attempt.feasibility {
            Feasibility::Infeasible(why) => (event.or_else(|| attempt.left_at(kept)), why.clone()),
            _ => (event, String::new()),
        })
    }

    /// Forces sequences of the original on a mutant that does too much to be explored, until one tells them apart.
    fn by_forcing(&mut self) -> Result<Vec<Killed>, String> {
        let original = self.original;
        for (test, it) in original.collected.iter().enumerate().take(MOST_FORCED) {
            let sequence = match (&it.word, it.kept) {
                (Some(word), _) => TestSequence::from(word),
                (None, Some(kept)) => TestSequence::Recorded(original.behaviours.kept[kept].sequence.clone()),
                (None, None) => break,
            };
            let instance = original.instance.as_ref();
            let attempt = forcing::force(self.explorer, &sequence, instance, true, &original.input.program)?;
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
    fn by_tests(&mut self) -> Result<(Vec<Killed>, Option<String>), String> {
        let (mut kills, mut unknown) = (Vec::new(), None);
        let first = self.original.collected.len();
        for (test, it) in (first..).zip(&self.original.written) {
            let instance = it.instance.as_ref();
            let attempt = forcing::force(self.explorer, &it.test.sequence, instance, true, &it.input.program)
                .map_err(|message| format!("test `{}`: {message}", it.test.name))?;
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
        Ok((kills, unknown))
    }

    /// Something that only one of the two can do; or why it is not known whether there is such a thing.
    fn telling(&mut self) -> Result<(Option<Telling>, Option<String>), String> {
        let mut given_up = None;
        for kept in std::mem::take(&mut self.mutant.kept) {
            match &kept.key {
                Key::Complete(_) => {
                    if let Some(telling) = self.of_complete(&kept)? {
                        return Ok((Some(telling), None));
                    }
                }
                Key::Abstract(poset) => match self.of_words(poset, Some(&kept))? {
                    Search::Found(telling) => return Ok((Some(*telling), None)),
                    Search::None => {}
                    Search::GivenUp(why) => given_up = Some(why),
                },
            }
        }
        if self.exhaustive {
            // What the original can do in some order of its events, and the mutant only in others.
            let missing = self.original.behaviours.endings.keys();
            for key in missing.filter(|key| !self.mutant.endings.contains_key(key)) {
                if let Key::Abstract(poset) = key {
                    match self.of_words(poset, None)? {
                        Search::Found(telling) => return Ok((Some(*telling), None)),
                        Search::None => {}
                        Search::GivenUp(why) => given_up = Some(why),
                    }
                }
            }
        }
        Ok((None, given_up))
    }

    /// A complete sequence that the mutant does: the original does not, unless it was not explored to its end.
    fn of_complete(&self, kept: &Kept) -> Result<Option<Telling>, String> {
        let original = self.original;
        let mut can = original.behaviours.endings.get(&kept.key).cloned().unwrap_or_default();
        let recorded = TestSequence::Recorded(kept.sequence.clone());
        let (mut event, mut why) = (None, String::new());
        if can.is_empty() {
            let attempt = on_the_original(|| {
                forcing::force(&original.explorer, &recorded, None, true, &original.input.program)
            });
            match attempt {
                Ok(attempt) => {
                    event = attempt.left_at(&kept.sequence);
                    can = endings(&attempt);
                    if let Feasibility::Infeasible(reason) = attempt.feasibility {
                        why = reason;
                    }
                }
                Err(message) if original.complete => why = message,
                Err(_) => return Ok(None),
            }
        }
        let does = self.mutant.endings.get(&kept.key).cloned().unwrap_or_default();
        if can == does {
            return Ok(None);
        }
        let sequence = events(&kept.sequence)?;
        Ok(Some(self.tell(sequence, recorded, event, (&does, &can), why, Some(kept))?))
    }

    /// A word of a partial order that tells the two apart.
    fn of_words(&self, poset: &Poset, kept: Option<&Kept>) -> Result<Search, String> {
        let original = self.original;
        for (n, word) in poset.words().enumerate() {
            if n >= MOST_WORDS {
                let why = format!("its events can be ordered in more than {MOST_WORDS} ways");
                return Ok(Search::GivenUp(why));
            }
            let does = self.mutant.endings_of(&word);
            let mut can = original.behaviours.endings_of(&word);
            let sequence = TestSequence::from(&word);
            let (mut event, mut why) = (None, String::new());
            if can == does {
                continue;
            }
            if can.is_empty() {
                event = Some(original.behaviours.follow(&word));
                let instance = original.instance.as_ref();
                let attempt = on_the_original(|| {
                    forcing::force(&original.explorer, &sequence, instance, true, &original.input.program)
                })?;
                can = endings(&attempt);
                match attempt.feasibility {
                    Feasibility::Infeasible(reason) => why = reason,
                    Feasibility::Unknown => {
                        return Ok(Search::GivenUp("the original reached a bound".to_owned()));
                    }
                    Feasibility::Feasible if can == does => continue,
                    Feasibility::Feasible => {}
                }
            } else if does.is_empty() {
                event = Some(self.mutant.follow(&word));
            }
            let events = word.0.iter().map(ToString::to_string).collect();
            let telling = self.tell(events, sequence, event, (&does, &can), why, kept)?;
            return Ok(Search::Found(Box::new(telling)));
        }
        Ok(Search::None)
    }

    /// A sequence that tells the two apart, with what each does.
    fn tell(
        &self,
        events: Vec<String>,
        sequence: TestSequence,
        event: Option<usize>,
        (mutant, original): (&BTreeSet<Ending>, &BTreeSet<Ending>),
        why: String,
        kept: Option<&Kept>,
    ) -> Result<Telling, String> {
        let verdict = |endings: &BTreeSet<Ending>, why: &str| match endings.is_empty() {
            true => Feasibility::Infeasible(why.to_owned()),
            false => Feasibility::Feasible,
        };
        let of_original = verdict(original, &why);
        let instance = self.original.instance.as_deref();
        let word = instance.and_then(|instance| sequence.word(instance.spec()));
        let steps = steps(instance, word.as_ref(), kept.map(|kept| &kept.sequence))?;
        let input = self.original.input.data.clone().unwrap_or_default();
        let expect = expectation(original);
        let test =
            Test { name: "distinguishing".to_owned(), about: None, input, sequence, expect, position: None };
        let test = TestFile { program: None, spec: None, tests: vec![test] };
        Ok(Telling {
            sequence: events,
            event,
            mutant: reaction(&verdict(mutant, ""), mutant),
            original: reaction(&of_original, original),
            file: kept.map(|kept| file(&kept.sequence)).transpose()?,
            steps,
            test: test.write().map_err(|error| error.to_string())?,
        })
    }
}

/// What came of looking for a word.
enum Search {
    Found(Box<Telling>),
    None,
    GivenUp(String),
}

/// Does something with the original while a mutant is on.
fn on_the_original<T>(work: impl FnOnce() -> T) -> T {
    let mutant = mutation::active();
    mutation::switch_to(0);
    let result = work();
    mutation::switch_to(mutant);
    result
}

/// What a test of a sequence expects, if the original is right.
fn expectation(endings: &BTreeSet<Ending>) -> Expectation {
    let one = endings.first().filter(|_| endings.len() == 1);
    Expectation {
        feasible: !endings.is_empty(),
        termination: one.map(|it| termination(it.termination())),
        output: one.and_then(|it| output(it.output())).filter(|output| !output.is_null()),
    }
}

/// The ways in which a forced sequence can end.
fn endings(attempt: &Attempt) -> BTreeSet<Ending> {
    attempt.found.iter().map(|it| Ending::new(it.termination, it.output.clone())).collect()
}

fn reaction(feasibility: &Feasibility, endings: &BTreeSet<Ending>) -> Reaction {
    let (verdict, why) = match feasibility {
        Feasibility::Feasible => ("feasible", String::new()),
        Feasibility::Infeasible(why) => ("infeasible", why.clone()),
        Feasibility::Unknown => ("unknown", String::new()),
    };
    Reaction { verdict: verdict.to_owned(), results: endings.iter().map(Ending::outcome).collect(), why }
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

/// The events of a sequence in a total order, for people.
fn events(sequence: &Sequence) -> Result<Vec<String>, String> {
    let order = Order::of(sequence).map_err(|error| error.to_string())?;
    let line = |step: text::Step| step.line.split_whitespace().skip(1).collect::<Vec<_>>().join(" ");
    Ok(text::steps(&order).into_iter().map(line).collect())
}

/// The events of an execution that the events of a word are, by their names in its file.
fn steps(
    instance: Option<&Instance>,
    word: Option<&Word>,
    sequence: Option<&Sequence>,
) -> Result<Vec<String>, String> {
    let (Some(instance), Some(word), Some(sequence)) = (instance, word, sequence) else {
        return Ok(Vec::new());
    };
    let events = instance.events(sequence, word).map_err(|error| error.to_string())?;
    Ok(events.into_iter().map(|event| sequence.event_name(event)).collect())
}

fn file(sequence: &Sequence) -> Result<String, String> {
    SequenceFile::from(sequence.clone()).write().map_err(|error| error.to_string())
}
