//! Judges a program: by its specification, in both directions, and by its tests.

use std::sync::{Arc, Mutex, PoisonError};

use insyn_sequences::{RaceTable, Sequence};
use insyn_specs::correctness::{self, Correctness, Feasibility, Table};
use insyn_specs::spec::{Bounds, Generated, Instance};
use insyn_specs::test_file::TestSequence;
use insyn_specs::{Problem, Spec};
use insyn_verdicts::protocol::{Checked, Comparison, Failed, Missing, Tested, Witness};

use super::error::{JudgementError, JudgementErrorKind};
use super::forcing::{self, Task, Tried};
use super::function::Function;
use super::input::Input;
use super::knowledge::{Knowledge, Known};
use super::oracle::Oracle;
use super::{Program, output, saved};
use insyn_explorer::body::Body;
use insyn_explorer::exploration::ended::Ended;
use insyn_explorer::explorer::Explorer;
use insyn_explorer::explorer::playback::Extent;
use insyn_explorer::failure::{Termination, in_files};

/// The executions of an exploration, as far as the specification names their events.
struct Observed {
    round: u32,
    instance: Arc<Instance>,
    table: Table,
    /// The first error, and the place of its execution.
    error: Option<(Vec<u64>, JudgementError)>,
}

impl Observed {
    fn new(instance: &Arc<Instance>, round: u32) -> Observed {
        let table = Table::new(instance.clone(), Bounds::default());
        Observed { round, instance: instance.clone(), table, error: None }
    }

    /// An execution has ended, in a worker of many.
    fn observe(observed: &Mutex<Observed>, instance: &Instance, ended: &Ended<'_>) {
        // Done before the lock is taken, so that slow work does not block other workers.
        let orders = ended.counted().then(|| ended.orders(instance).map_err(JudgementError::from));
        let mut observed = observed.lock().unwrap_or_else(PoisonError::into_inner);
        if ended.round() != observed.round {
            *observed = Observed::new(&observed.instance, ended.round());
        }
        let Some(orders) = orders else { return };
        let output = output(ended.output().as_deref());
        let termination = in_files(ended.termination());
        let verdict = orders.and_then(|orders| {
            let (place, sequence) = (|| ended.path(), || ended.sequence());
            let verdict = observed.table.observe(orders, termination, output.as_ref(), place, sequence);
            verdict.map_err(JudgementError::from)
        });
        if let Err(error) = verdict {
            let path = ended.path();
            if observed.error.as_ref().is_none_or(|(first, _)| path < *first) {
                observed.error = Some((path, error));
            }
        }
    }
}

/// Explores a program, judges its sequences, and forces its tests.
pub(super) fn check(
    program: &Program,
    explorer: &Explorer,
    oracle: &Oracle,
    input: &Input,
    watch: impl Fn(&Ended<'_>) + Send + Sync + 'static,
    function: Function<'_>,
) -> Result<Checked, JudgementError> {
    if oracle.spec.is_none() && oracle.tests.tests.is_empty() {
        return Err(JudgementErrorKind::NoOracle { program: program.about.path() }.into());
    }
    let instance = oracle.instance(input.data.as_ref())?;
    let observed = instance.as_ref().map(|instance| Arc::new(Mutex::new(Observed::new(instance, 0))));
    let observer = {
        let observed = instance.clone().zip(observed.clone());
        move |ended: &Ended<'_>| {
            watch(ended);
            if let Some((instance, observed)) = &observed {
                Observed::observe(observed, instance, ended);
            }
        }
    };
    let mut watched = explorer.clone().observe(observer);
    if program.sample.is_some() {
        // A random run has no place in an exploration, so the first error in time is reported.
        watched = watched.workers(1);
    }
    let (mut exploration, refinement) = program.explore(&watched, input, program.sample);
    explorer.find_differences(&mut exploration, &refinement, &input.program);
    let mut observed = instance.as_ref().zip(observed).map(|(instance, observed)| {
        let mut observed = observed.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *observed, Observed::new(instance, 0))
    });
    if let Some((_, error)) = observed.as_mut().and_then(|observed| observed.error.take()) {
        return Err(error);
    }
    let expected = |end: Termination| {
        let ends = instance.as_ref().map(|instance| instance.spec().terminations());
        ends.is_some_and(|ends| ends.contains(&in_files(end)))
    };
    // A program that fails may not have come to the events, and its failure matters more.
    let fails = exploration.failures.iter().any(|it| !expected(it.termination));
    if let Some(observed) = observed.as_ref().filter(|_| exploration.is_complete() && !fails) {
        let unknown = observed.table.unknown_events()?;
        if !unknown.is_empty() {
            return Err(JudgementErrorKind::unknown_events(&unknown, &program.about.path()).into());
        }
    }
    let mut knowledge = Knowledge::default();
    if exploration.is_complete() {
        let orders = observed.iter().flat_map(|observed| observed.table.orders().cloned());
        knowledge.add(input.data.as_ref(), Known::new(refinement, orders));
    }
    let tried = forcing::tests(program, explorer, &mut knowledge, oracle, function)?;
    let known = knowledge.get(input.data.as_ref());
    let compared = match (&instance, observed) {
        (Some(instance), Some(Observed { mut table, .. })) => {
            for (word, feasibility) in words(oracle, instance.spec(), input, &tried) {
                table.tried(word, feasibility);
            }
            let result =
                compare(explorer, known, table, instance, exploration.is_complete(), &input.program)?;
            let file = |it: &correctness::Witness| {
                let races = races(explorer, &it.sequence, &input.program);
                saved::witness(&program.about, input.text.as_deref(), it, races)
            };
            Some(comparison(instance.spec(), result, file))
        }
        _ => None,
    };
    let may_be_cut = exploration.bound.is_some()
        || instance
            .as_ref()
            .is_some_and(|it| it.spec().terminations().contains(&insyn_sequences::Termination::Bound));
    let unexpected = exploration.failures.iter().filter(|it| !expected(it.termination));
    let failures: Vec<Failed> =
        unexpected.map(|it| saved::failed(&program.about, input.text.as_deref(), it)).collect();
    let tests: Vec<Tested> = tried.into_iter().map(|it| it.tested).collect();
    let mut checked = Checked {
        sequences: exploration.sequences,
        executions: exploration.executions,
        complete: exploration.is_complete(),
        bound: exploration.bound.map(|bound| bound.to_string()),
        comparison: compared,
        tests,
        failures,
        left_out: exploration.left_out_of(|it| !expected(it)),
        oversight: exploration.oversight().map(|it| it.to_string()),
        idle_threads: exploration.idle_threads,
        as_expected: None,
        passed: false,
        input: input.data.clone(),
    };
    checked.passed = checked.passes(may_be_cut);
    Ok(checked)
}

/// The races of a sequence that the program has done, if it can be replayed.
fn races(explorer: &Explorer, sequence: &Sequence, program: &Body) -> Option<RaceTable> {
    let found: Arc<Mutex<Option<RaceTable>>> = Arc::default();
    let observer = {
        let found = found.clone();
        move |ended: &Ended<'_>| {
            *found.lock().unwrap_or_else(PoisonError::into_inner) = ended.shown_race_table();
        }
    };
    explorer.clone().observe(observer).follow(sequence, program, Extent::Whole).ok()?;
    found.lock().unwrap_or_else(PoisonError::into_inner).take()
}

/// The words that tests have tried with the same input.
fn words(
    oracle: &Oracle,
    spec: &Spec,
    input: &Input,
    tried: &[Tried],
) -> Vec<(insyn_specs::Word, Feasibility)> {
    let tests = oracle.tests.tests.iter().zip(tried);
    let same = tests.filter(|(_, tried)| tried.input == input.data);
    same.filter_map(|(test, tried)| Some((test.sequence.word(spec)?, tried.feasibility.clone()))).collect()
}

/// Compares in both directions, and describes the obstacles to words that are missing.
fn compare(
    explorer: &Explorer,
    known: Option<&Known>,
    table: Table,
    instance: &Arc<Instance>,
    complete: bool,
    program: &Body,
) -> Result<Correctness, JudgementError> {
    let mut refused = None;
    let mut force = |word: &insyn_specs::Word| {
        let sequence = TestSequence::from(word);
        let task = Task { sequence: &sequence, instance: Some(instance), all: false, program };
        match task.force(explorer, known) {
            Ok(attempt) => attempt.feasibility,
            Err(error) => {
                refused.get_or_insert(error);
                Feasibility::Unknown
            }
        }
    };
    let mut result = table.finish(complete, &mut force)?;
    if complete {
        for (word, why) in &mut result.missing {
            match force(word) {
                Feasibility::Infeasible(obstacle) => *why = obstacle,
                Feasibility::Unknown => {}
                Feasibility::Feasible => {
                    return Err(JudgementErrorKind::Overlooked { word: word.to_string() }.into());
                }
            }
        }
    }
    match refused {
        Some(error) => Err(error),
        None => Ok(result),
    }
}

fn comparison(
    spec: &Spec,
    result: Correctness,
    file: impl Fn(&correctness::Witness) -> String,
) -> Comparison {
    let witness = |condition: usize, it: correctness::Witness| Witness {
        condition,
        file: file(&it),
        word: it.word.to_string(),
        objection: it.bad.map(|bad| bad.objection.to_string()),
        termination: it.termination,
        output: it.output,
        expected: it.expected,
    };
    let answer = result.answer();
    let witnesses = result.witnesses.into_iter();
    Comparison {
        spec: spec.file().to_owned(),
        conformance: result.conformance,
        answer,
        feasible_valid: result.feasible_valid,
        feasible_invalid: result.feasible_invalid,
        unjudged: result.unjudged,
        valid_words_feasible: result.valid_words_feasible,
        infeasible_valid: result.infeasible_valid,
        undecided: result.undecided,
        generated: result.generated == Generated::All,
        infeasible_invalid: result.infeasible_invalid,
        conditions: result.conditions,
        witnesses: witnesses
            .flat_map(|(condition, all)| all.into_iter().map(move |it| (condition as usize + 1, it)))
            .map(|(condition, it)| witness(condition, it))
            .collect(),
        missing: result
            .missing
            .into_iter()
            .map(|(word, why)| Missing { word: word.to_string(), why })
            .collect(),
        unshown: result.unshown.iter().map(ToString::to_string).collect(),
        warnings: result.unmatched.iter().map(Problem::to_string).collect(),
    }
}
