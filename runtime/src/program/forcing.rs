//! Forces sequences of tests, and words of specifications, on a program.

use std::sync::Arc;

use insyn_sequences::{ObservedEvent, Sequence};
use insyn_specs::Problem;
use insyn_specs::correctness::Feasibility;
use insyn_specs::spec::{Instance, Reading};
use insyn_specs::test_file::{self, Among, Names, Test, TestSequence};
use insyn_verdicts::protocol::{Outcome, Tested};
use serde_json::Value as Data;

use super::error::{JudgementError, JudgementErrorKind};
use super::function::Function;
use super::input::{self, Input, InputError};
use super::knowledge::{self, Knowledge, Known};
use super::oracle::Oracle;
use super::replay::{self, Left};
use super::{Program, output};
use crate::body::Body;
use crate::explorer::Explorer;
use crate::failure::in_files;
use crate::forced::{Answer, Obstacle, Steps};
use crate::results::Execution;

/// What came of forcing a sequence.
pub(super) struct Attempt {
    pub(super) feasibility: Feasibility,
    /// Executions that do it, one for each result that was asked for.
    pub(super) found: Vec<Execution>,
    pub(super) executions: u64,
    /// How many steps it could follow, if it was not all.
    step: Option<usize>,
    /// The first that it could not, by its place in the file: steps may have several orders.
    pub(super) event: Option<usize>,
    /// Where it left a recorded sequence.
    pub(super) left: Option<Left>,
    /// The execution that came furthest, if none does it.
    furthest: Option<Sequence>,
    /// Why it is not known, if no bound was reached.
    note: Option<String>,
}

impl Attempt {
    /// What came of a recorded sequence.
    pub(super) fn replayed(
        feasibility: Feasibility,
        found: Vec<Execution>,
        left: Option<Left>,
        executions: u64,
    ) -> Attempt {
        Attempt { feasibility, found, executions, step: None, event: None, left, furthest: None, note: None }
    }

    /// What stands in the way, if something does.
    pub(super) fn why(&self) -> String {
        match &self.feasibility {
            Feasibility::Infeasible(why) => why.clone(),
            Feasibility::Feasible | Feasibility::Unknown => String::new(),
        }
    }

    /// What came of two orders of the same steps. If `all` results are wanted, none may be unknown.
    fn or(self, other: Attempt, all: bool) -> Attempt {
        let executions = self.executions + other.executions;
        let rank = |it: &Attempt| match it.feasibility {
            Feasibility::Infeasible(_) => (0, it.step),
            Feasibility::Unknown => (if all { 3 } else { 1 }, None),
            Feasibility::Feasible => (2, None),
        };
        let (better, worse) = if rank(&other) > rank(&self) { (other, self) } else { (self, other) };
        let mut found = better.found;
        let is_new = |found: &[Execution], it: &Execution| {
            !found.iter().any(|known| (known.termination, &known.output) == (it.termination, &it.output))
        };
        for execution in worse.found {
            if is_new(&found, &execution) {
                found.push(execution);
            }
        }
        Attempt { found, executions, ..better }
    }
}

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
    /// Every result that it can have is wanted.
    pub(super) all: bool,
    pub(super) program: &'a Body,
}

impl Task<'_> {
    /// Does it, going by what is known of the program.
    pub(super) fn force(
        &self,
        explorer: &Explorer,
        known: Option<&Known>,
    ) -> Result<Attempt, JudgementError> {
        if self.sequence.is_total() {
            return self.force_line(explorer, known);
        }
        // The program can do it if it can do so in some order; how far it comes is how far it comes in any.
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
        // A run that leaves the sequence ends where it does, which says nothing about the program; and how many sequences
        // are wanted says nothing about how many must be tried to find this one.
        let mut explorer = explorer.clone().stop_at_first_failure(false).max_sequences(u64::MAX);
        if let Some(known) = known {
            explorer = explorer.knowing(known.refinement.clone());
        }
        let steps = self.steps();
        let told = known.and_then(|known| known.tell(sequence));
        let forced = match told {
            Some(Among::Infeasible(step)) => explorer.force_up_to(&steps, step, self.program),
            _ => explorer.force_body(&steps, self.all, self.program),
        };
        let (mut found, mut step, mut furthest, mut note) = (Vec::new(), None, None, None);
        let feasibility = match (forced.answer, told) {
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
        let (sequence, its, told) = (self.sequence.clone(), self.instance.cloned(), self.instance.cloned());
        steps
            .among(move |op| sequence.may_name(its.as_deref(), op))
            .telling(move |event| tell(told.as_deref(), event))
    }

    /// Whether the events of the sequence are called the same whatever is known of the program.
    pub(super) fn is_steady(&self) -> bool {
        matches!(self.sequence, TestSequence::Recorded(_)) || self.steps().is_steady()
    }

    /// Does it, and finds out what there is to know of the program, whichever is less work: first with few executions each,
    /// then with more and more. What was found out is left for others.
    fn force_or_explore(
        &self,
        explorer: &Explorer,
        knowledge: &mut Knowledge,
        input: Option<&Data>,
    ) -> Result<Attempt, JudgementError> {
        /// So many executions are few, and so many times as many are more.
        const FEW: u64 = 256;
        const MORE: u64 = 8;
        /// An exploration serves all tests, so it may take so many times as many.
        const SHARED: u64 = 128;
        let is_recorded = matches!(self.sequence, TestSequence::Recorded(_));
        let is_steady = self.steps().is_steady();
        let free = explorer.clone().stop_at_first_failure(false).max_sequences(u64::MAX);
        let (mut few, mut executions) = (FEW, 0);
        while !is_recorded && knowledge.get(input).is_none() && explorer.allows_more_than(few) {
            let within = explorer.clone().within(few);
            let attempt = self.force(&within, None)?;
            executions += attempt.executions;
            let is_known = match attempt.feasibility {
                Feasibility::Feasible => true,
                Feasibility::Infeasible(_) => is_steady,
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

/// An event of the program, and what the specification calls it.
fn tell(instance: Option<&Instance>, event: &ObservedEvent<'_>) -> String {
    match instance.map(|instance| instance.reading(event)) {
        Some(Reading::Letter(letter)) => format!("`{letter}` ({event})"),
        _ => event.to_string(),
    }
}

/// What stood in the way, with the step by its name.
fn describe(obstacle: &Obstacle, sequence: &TestSequence) -> String {
    obstacle.tell(&name_step(obstacle.step, sequence))
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

/// What came of a test, and what the table of feasible and valid wants to know of it.
pub(super) struct Tried {
    pub(super) tested: Tested,
    pub(super) feasibility: Feasibility,
    /// The input that it was forced with.
    pub(super) input: Option<Data>,
}

/// Forces the tests of a file, each with its own input or else with that of the attribute. What is known of the program
/// with one input is known of the tests that have the same.
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
        // Which execution is found first must not decide what it is compared with.
        let all = test.expect.termination.is_some() || test.expect.output.is_some();
        let task =
            Task { sequence: &test.sequence, instance: instance.as_ref(), all, program: &input.program };
        let attempt = task.force_or_explore(explorer, knowledge, input.data.as_ref());
        let attempt = attempt
            .map_err(|error| JudgementErrorKind::Test { test: test.name.clone(), error: Box::new(error) })?;
        let mut tested = tested(test, &attempt);
        if let Some((problem, is_sure)) = unknown_name(explorer, test, instance.as_deref(), &attempt, &input)
        {
            // A test of what does not exist says nothing about the program, whatever it expects.
            tested.passed &= !is_sure;
            let warning = if is_sure { "" } else { "warning: " };
            tested.why = format!("{warning}{problem}\n{}", tested.why);
        }
        Ok(Tried { tested, feasibility: attempt.feasibility, input: input.data })
    };
    oracle.tests.tests.iter().map(&mut one).collect()
}

/// A name in an infeasible test that nothing goes by in any execution; and whether that is sure, or a bound kept some from
/// being looked at.
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
    // Few tests get here, so it does not matter that this looks at everything.
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
    // It is read from its text form, which nobody has seen.
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
