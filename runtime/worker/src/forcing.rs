//! Forces sequences of tests, and words of specifications, on a program.

use std::sync::Arc;

use insyn_sequences::ObservedEvent;
use insyn_specs::Names;
use insyn_specs::Problem;
use insyn_specs::correctness::Feasibility;
use insyn_specs::spec::{Instance, Reading};
use insyn_specs::test_file::{self, Among, Test, TestSequence};
use insyn_verdicts::protocol::{Outcome, Tested};
use serde_json::Value as Data;

use super::attempt::Attempt;
use super::error::{JudgementError, JudgementErrorKind};
use super::function::Function;
use super::input::{self, Input};
use super::input_text::InputError;
use super::knowledge::{self, Knowledge, Known};
use super::oracle::Oracle;
use super::replay;
use super::{Program, output};
use insyn_explorer::body::Body;
use insyn_explorer::explorer::Explorer;
use insyn_explorer::failure::in_files;
use insyn_explorer::forced::{Answer, Obstacle, Steps};
use insyn_explorer::results::Execution;

/// Makes the program do a sequence, or shows that it cannot. If `all`, finds every result that it can have then.
pub(super) fn force(
    explorer: &Explorer,
    sequence: &TestSequence,
    instance: Option<&Arc<Instance>>,
    all: bool,
    program: &Body,
) -> Result<Attempt, JudgementError> {
    Task { sequence, instance, all, program }.force(explorer, None)
}

/// A sequence that a program is to be made to do.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub(super) sequence: &'a TestSequence,
    pub(super) instance: Option<&'a Arc<Instance>>,
    /// Every result that the sequence can have is wanted.
    pub(super) all: bool,
    pub(super) program: &'a Body,
}

impl Task<'_> {
    /// Forces the sequence, using what is known of the program.
    pub(super) fn force(
        &self,
        explorer: &Explorer,
        known: Option<&Known>,
    ) -> Result<Attempt, JudgementError> {
        if self.sequence.is_total() {
            return self.force_line(explorer, known);
        }
        // The program can do the steps if it can do them in some order; otherwise the order in which it gets furthest
        // counts.
        let lines = self.sequence.lines();
        let mut all: Option<Attempt> = None;
        for line in &lines {
            let mut attempt = Task { sequence: line, ..*self }.force_line(explorer, known)?;
            attempt.event = attempt.step.map(|step| self.sequence.place_of(line, step));
            let is_enough = matches!(attempt.feasibility, Feasibility::Feasible) && !self.all;
            all = Some(match all {
                Some(all) => all.or(attempt, self.all),
                None => attempt,
            });
            if is_enough {
                break;
            }
        }
        let mut all = all.ok_or(JudgementErrorKind::NoOrder)?;
        if let Feasibility::Infeasible(why) = &mut all.feasibility
            && lines.len() > 1
        {
            *why = format!("in none of {} orders; in the one that comes furthest, {why}", lines.len());
        }
        Ok(all)
    }

    fn force_line(&self, explorer: &Explorer, known: Option<&Known>) -> Result<Attempt, JudgementError> {
        let sequence = self.sequence;
        if let TestSequence::Recorded(recorded) = sequence {
            return replay::replay(explorer, recorded, self.program);
        }
        // A run that leaves the sequence ends there, and that end is no failure of the program; and the bound on
        // sequences is not meant for the runs that are tried to find this one.
        let mut explorer = explorer.clone().stop_at_first_failure(false).max_sequences(u64::MAX);
        if let Some(known) = known {
            explorer = explorer.refined(known.refinement.clone());
        }
        let steps = self.steps();
        let class = known.and_then(|known| known.classify(sequence));
        let forced = match class {
            Some(Among::Infeasible(step)) => explorer.force_up_to(&steps, step, self.program),
            _ => explorer.force_body(&steps, self.all, self.program),
        };
        let (mut found, mut step, mut furthest, mut note) = (Vec::new(), None, None, None);
        let feasibility = match (forced.answer, class) {
            (Answer::Refused(message), _) => return Err(JudgementErrorKind::Unforceable(message).into()),
            (Answer::Unforceable(_), Some(Among::Feasible)) if !self.all => Feasibility::Feasible,
            (Answer::Feasible(_), Some(Among::Infeasible(_)))
            | (Answer::Infeasible(_), Some(Among::Feasible)) => {
                return Err(JudgementErrorKind::Contradiction { executions: forced.executions }.into());
            }
            (Answer::Feasible(executions), _) => {
                found = executions;
                Feasibility::Feasible
            }
            (Answer::Infeasible(obstacle), _) => {
                step = Some(obstacle.step);
                let why = describe(&obstacle, sequence);
                furthest = Some(obstacle.execution.sequence);
                Feasibility::Infeasible(why)
            }
            (Answer::Unknown(_) | Answer::Unforceable(_), Some(Among::Infeasible(first))) => {
                step = Some(first);
                Feasibility::Infeasible(name_step(first, sequence))
            }
            (Answer::Unforceable(message), _) => {
                note = Some(message);
                Feasibility::Unknown
            }
            (Answer::Unknown(_), _) => Feasibility::Unknown,
        };
        let executions = forced.executions;
        Ok(Attempt { feasibility, found, executions, step, event: step, left: None, furthest, note })
    }

    fn steps(&self) -> Steps {
        let whole = matches!(self.sequence, TestSequence::Whole(_));
        let steps = {
            let (sequence, instance) = (self.sequence.clone(), self.instance.cloned());
            Steps::new(sequence.steps().len(), whole, move |event| sequence.fit(instance.as_deref(), event))
        };
        let (sequence, its, named) = (self.sequence.clone(), self.instance.cloned(), self.instance.cloned());
        steps
            .among(move |op| sequence.may_name(its.as_deref(), op))
            .describing(move |event| describe_event(named.as_deref(), event))
    }

    /// Whether the events of the sequence have the same names whatever facts are known about the program.
    pub(super) fn is_stable(&self) -> bool {
        matches!(self.sequence, TestSequence::Recorded(_)) || self.steps().is_stable()
    }

    /// Forces the sequence, and explores the program for its facts, whichever is less work: first with few executions each,
    /// then with more and more. The facts are kept for other tests.
    fn force_or_explore(
        &self,
        explorer: &Explorer,
        knowledge: &mut Knowledge,
        input: Option<&Data>,
    ) -> Result<Attempt, JudgementError> {
        /// The first number of executions, and the factor by which it grows.
        const FEW: u64 = 256;
        const MORE: u64 = 8;
        /// An exploration serves all tests, so it may take this many times as many executions.
        const SHARED: u64 = 128;
        let is_recorded = matches!(self.sequence, TestSequence::Recorded(_));
        let is_stable = self.steps().is_stable();
        let free = explorer.clone().stop_at_first_failure(false).max_sequences(u64::MAX);
        let (mut few, mut executions) = (FEW, 0);
        while !is_recorded && knowledge.get(input).is_none() && explorer.allows_more_than(few) {
            let within = explorer.clone().within(few);
            let attempt = self.force(&within, None)?;
            executions += attempt.executions;
            let is_known = match attempt.feasibility {
                Feasibility::Feasible => true,
                Feasibility::Infeasible(_) => is_stable,
                Feasibility::Unknown => false,
            };
            let could_be_told = self.instance.is_some() && self.sequence.is_of_specification();
            if is_known || attempt.note.is_some() && !could_be_told {
                return Ok(Attempt { executions, ..attempt });
            }
            let free = free.clone().within(few.saturating_mul(SHARED));
            if let Some(known) = Known::explore(&free, self.instance, self.program)? {
                knowledge.add(input, known);
            }
            few = few.saturating_mul(MORE);
        }
        let attempt = self.force(explorer, knowledge.get(input))?;
        Ok(Attempt { executions: executions + attempt.executions, ..attempt })
    }
}

/// Describes an event of the program, with its name in the specification.
fn describe_event(instance: Option<&Instance>, event: &ObservedEvent<'_>) -> String {
    match instance.map(|instance| instance.reading(event)) {
        Some(Reading::Letter(letter)) => format!("`{letter}` ({event})"),
        _ => event.to_string(),
    }
}

/// Describes the obstacle, with the step by its name.
fn describe(obstacle: &Obstacle, sequence: &TestSequence) -> String {
    obstacle.describe(&name_step(obstacle.step, sequence))
}

/// A step that cannot happen.
fn name_step(step: usize, sequence: &TestSequence) -> String {
    match sequence.steps().get(step) {
        Some(it) => {
            let place = it.position().map(|at| format!(" ({at})")).unwrap_or_default();
            format!("step {}, `{}`{place}, cannot happen", step + 1, it.brief())
        }
        None => format!("it does not end after step {step}"),
    }
}

/// The result of a test, and its entry in the table of feasible and valid sequences.
pub(super) struct Tried {
    pub(super) tested: Tested,
    pub(super) feasibility: Feasibility,
    /// The input that it was forced with.
    pub(super) input: Option<Data>,
}

/// Forces the tests of a file, each with its own input or else with that of the attribute. Tests with the same input share
/// what is known of the program.
pub(super) fn tests(
    program: &Program,
    explorer: &Explorer,
    knowledge: &mut Knowledge,
    oracle: &Oracle,
    function: Function<'_>,
) -> Result<Vec<Tried>, JudgementError> {
    let mut one = |test: &Test| {
        let input = input_of(program, test, function)?;
        let instance = oracle.instance(input.data.as_ref())?;
        // The result must not depend on which execution is found first.
        let all = test.expect.termination.is_some() || test.expect.output.is_some();
        let task =
            Task { sequence: &test.sequence, instance: instance.as_ref(), all, program: &input.program };
        let attempt = task.force_or_explore(explorer, knowledge, input.data.as_ref());
        let attempt = attempt
            .map_err(|error| JudgementErrorKind::Test { test: test.name.clone(), error: Box::new(error) })?;
        let mut tested = tested(test, &attempt);
        if let Some((problem, is_sure)) = unknown_name(explorer, test, instance.as_deref(), &attempt, &input)
        {
            // A test of something that does not exist is no evidence about the program, whatever it expects.
            tested.passed &= !is_sure;
            let warning = if is_sure { "" } else { "warning: " };
            tested.why = format!("{warning}{problem}\n{}", tested.why);
        }
        Ok(Tried { tested, feasibility: attempt.feasibility, input: input.data })
    };
    oracle.tests.tests.iter().map(&mut one).collect()
}

/// A name in an infeasible test that nothing has in any execution; and whether all executions were checked, or a bound was
/// reached.
fn unknown_name(
    explorer: &Explorer,
    test: &Test,
    instance: Option<&Instance>,
    attempt: &Attempt,
    input: &Input,
) -> Option<(Problem, bool)> {
    if !matches!(attempt.feasibility, Feasibility::Infeasible(_)) {
        return None;
    }
    let spec = instance.map(Instance::spec);
    let unknown = |names: &Names| test.sequence.unknown_name(spec, names, test.position.as_ref());
    let mut names = Names::default();
    attempt.furthest.iter().for_each(|furthest| names.add(furthest));
    unknown(&names)?;
    // Few tests get here, so checking all executions is affordable.
    let free = explorer.clone().stop_at_first_failure(false).max_sequences(u64::MAX);
    let (names, is_sure) = knowledge::names(&free, &input.program);
    unknown(&names).map(|problem| (problem, is_sure))
}

/// The inputs of the tests, each once.
pub(super) fn inputs(
    program: &Program,
    oracle: &Oracle,
    function: Function<'_>,
) -> Result<Vec<Input>, JudgementError> {
    let mut inputs: Vec<Input> = Vec::new();
    for test in &oracle.tests.tests {
        let input = input_of(program, test, function)?;
        if !inputs.iter().any(|it| it.data == input.data) {
            inputs.push(input);
        }
    }
    Ok(inputs)
}

/// The input of a test.
pub(super) fn input_of(
    program: &Program,
    test: &Test,
    function: Function<'_>,
) -> Result<Input, JudgementError> {
    if test.input.is_null() {
        return Ok(program.given.read(&program.about, function)?);
    }
    if !program.given.is_taken() {
        let (at, test) = (test.position.clone(), test.name.clone());
        return Err(JudgementErrorKind::InputNotTaken { at, test, program: program.about.path() }.into());
    }
    // The input is parsed from a text form that the user never sees.
    let wrong = |error: &InputError| {
        let at = error.position.and_then(|(_, column)| test.places.at(column));
        let at = at.or(test.position.as_ref()).map(|at| format!("{at}: ")).unwrap_or_default();
        format!("{at}test `{}`: {}", test.name, error.bare())
    };
    Ok(input::read(Some(test.input.to_string()), wrong, &program.about, function)?)
}

fn tested(test: &Test, attempt: &Attempt) -> Tested {
    let outcome = |execution: Option<&Execution>| test_file::Outcome {
        feasibility: attempt.feasibility.clone(),
        termination: execution.map(|it| in_files(it.termination)),
        output: execution.and_then(|it| output(it.output.as_deref())),
    };
    let outcomes: Vec<test_file::Outcome> = match attempt.found.is_empty() {
        true => vec![outcome(None)],
        false => attempt.found.iter().map(|it| outcome(Some(it))).collect(),
    };
    let why = match &attempt.feasibility {
        Feasibility::Feasible => String::new(),
        Feasibility::Infeasible(why) => why.clone(),
        Feasibility::Unknown => {
            let place = test.position.as_ref().map(|at| format!("{at}: "));
            let note = attempt.note.as_ref().map(|note| place.unwrap_or_default() + note);
            note.unwrap_or_else(|| "a bound was reached before that was known".to_owned())
        }
    };
    let expected = match test.expect.feasible {
        true => insyn_verdicts::Feasibility::Feasible,
        false => insyn_verdicts::Feasibility::Infeasible,
    };
    Tested {
        name: test.name.clone(),
        verdict: attempt.feasibility.verdict(),
        expected,
        expectation: test.expect.to_string(),
        passed: outcomes.iter().all(|it| test.expect.is_met(it) == Some(true)),
        why,
        results: outcomes
            .into_iter()
            .filter_map(|it| Some(Outcome { termination: it.termination?, output: it.output }))
            .collect(),
        executions: attempt.executions,
    }
}
