//! Forces sequences of tests, and words of specifications, on a program.

use std::sync::{Arc, Mutex, PoisonError};

use insyn_specs::correctness::Feasibility;
use insyn_specs::spec::{Happening, Instance, Reading};
use insyn_specs::test_file::{self, Test, TestSequence};
use insyn_specs::{Order, Problem, Sequence};
use serde_json::Value as Data;

use super::function::Function;
use super::input::{self, Input};
use super::oracle::Oracle;
use super::protocol::{Outcome, Tested};
use super::{Program, output, termination};
use crate::body::Body;
use crate::ended::Ended;
use crate::execution::topology::Topology;
use crate::explorer::Explorer;
use crate::failure::Termination;
use crate::forced::{Answer, Obstacle, Steps};
use crate::replay::ReplayError;
use crate::results::Execution;

/// What came of forcing a sequence.
pub(super) struct Attempt {
    pub(super) feasibility: Feasibility,
    /// Executions that do it, one for each result that was asked for.
    pub(super) found: Vec<Execution>,
    pub(super) executions: u64,
    /// The first step that it could not follow, if it was not all.
    pub(super) step: Option<usize>,
    /// The same for a recorded sequence: process and place among its events.
    diverged: Option<(String, u32)>,
    /// The execution that came furthest, if none does it.
    furthest: Option<Sequence>,
}

impl Attempt {
    /// The place, in the total order of a recorded sequence, of the event where the program left it.
    pub(super) fn left_at(&self, sequence: &Sequence) -> Option<usize> {
        let (id, index) = self.diverged.as_ref()?;
        let order = Order::of(sequence).ok()?;
        order
            .line()
            .iter()
            .position(|at| sequence.processes[at.process].id == *id && at.index == *index as usize)
    }
}

/// Makes the program do a sequence, or shows that it cannot. If `all`, finds every result that it can have then.
pub(super) fn force(
    explorer: &Explorer,
    sequence: &TestSequence,
    instance: Option<&Arc<Instance>>,
    all: bool,
    program: &Body,
) -> Result<Attempt, String> {
    let whole = match sequence {
        TestSequence::Recorded(recorded) => return replay(explorer, recorded, program),
        TestSequence::Whole(_) => true,
        TestSequence::Prefix(_) => false,
    };
    let steps = {
        let steps = {
            let (sequence, instance) = (sequence.clone(), instance.cloned());
            let len = sequence.steps().len();
            Steps::new(len, whole, move |event| sequence.fit(instance.as_deref(), event))
        };
        let (sequence, its, told) = (sequence.clone(), instance.cloned(), instance.cloned());
        steps
            .among(move |op| sequence.may_name(its.as_deref(), op))
            .telling(move |event| tell(told.as_deref(), event))
    };
    // A run that leaves the sequence ends where it does, which says nothing about the program; and how many sequences are
    // wanted says nothing about how many must be tried to find this one.
    let explorer = explorer.clone().stop_at_first_failure(false).max_sequences(u64::MAX);
    let forced = explorer.force_body(&steps, all, program);
    let (mut found, mut step, mut furthest) = (Vec::new(), None, None);
    let feasibility = match forced.answer {
        Answer::Feasible(executions) => {
            found = executions;
            Feasibility::Feasible
        }
        Answer::Infeasible(obstacle) => {
            step = Some(obstacle.step);
            let why = describe(&obstacle, sequence);
            furthest = Some(obstacle.execution.sequence);
            Feasibility::Infeasible(why)
        }
        Answer::Unknown(_) => Feasibility::Unknown,
        Answer::Refused(message) => return Err(message),
    };
    Ok(Attempt { feasibility, found, executions: forced.executions, step, diverged: None, furthest })
}

/// An event of the program, and what the specification calls it.
fn tell(instance: Option<&Instance>, event: &Happening<'_>) -> String {
    match instance.map(|instance| instance.reading(event)) {
        Some(Reading::Letter(letter)) => format!("`{letter}` ({event})"),
        _ => event.to_string(),
    }
}

/// A complete sequence leaves nothing open: one execution shows whether the program does it.
fn replay(explorer: &Explorer, recorded: &Sequence, program: &Body) -> Result<Attempt, String> {
    let (mut found, mut diverged) = (Vec::new(), None);
    let feasibility = match explorer.follow(recorded, program, true) {
        Ok(execution) if execution.termination == Termination::Nondeterminism => {
            let story = execution.failure.map(|failure| failure.message);
            return Err(
                story.unwrap_or_else(|| "something uncontrolled decides what the program does".to_owned())
            );
        }
        Ok(execution) => {
            found.push(execution);
            Feasibility::Feasible
        }
        Err(error @ (ReplayError::Diverged { .. } | ReplayError::Unreal)) => {
            if let ReplayError::Diverged { process, index, .. } = &error {
                diverged = Some((process.clone(), *index));
            }
            Feasibility::Infeasible(error.to_string())
        }
        Err(error) => return Err(error.to_string()),
    };
    Ok(Attempt { feasibility, found, executions: 1, step: None, diverged, furthest: None })
}

/// What stood in the way, with the step by its name.
fn describe(obstacle: &Obstacle, sequence: &TestSequence) -> String {
    let number = obstacle.step + 1;
    let step = match sequence.steps().get(obstacle.step) {
        Some(step) => {
            let place = step.position().map(|at| format!(" ({at})")).unwrap_or_default();
            format!("step {number}, `{}`{place}, cannot happen", step.brief())
        }
        None => format!("it does not end after step {}", obstacle.step),
    };
    obstacle.tell(&step)
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
    known: Option<(&Input, &Topology)>,
    oracle: &Oracle,
    function: Function<'_>,
) -> Result<Vec<Tried>, String> {
    let one = |test: &Test| {
        let input = input_of(program, test, function)?;
        let known = known.filter(|(with, _)| with.data == input.data);
        let explorer = &match known {
            Some((_, topology)) => explorer.clone().knowing(topology.clone()),
            None => explorer.clone(),
        };
        let instance = oracle.instance(input.data.as_ref())?;
        // Which execution is found first must not decide what it is compared with.
        let all = test.expect.termination.is_some() || test.expect.output.is_some();
        let attempt = force(explorer, &test.sequence, instance.as_ref(), all, &input.program);
        let attempt = attempt.map_err(|message| format!("test `{}`: {message}", test.name))?;
        let mut tested = tested(test, &attempt);
        if let Some(problem) = unknown_name(explorer, test, instance.as_deref(), &attempt, &input.program) {
            // Such a test says nothing about the program, whatever it expects.
            tested.passed = false;
            tested.why = format!("{problem}\n{}", tested.why);
        }
        Ok(Tried { tested, feasibility: attempt.feasibility, input: input.data })
    };
    oracle.tests.tests.iter().map(one).collect()
}

/// A name in an infeasible test that nothing goes by: in the execution that came furthest, and in one that is free.
fn unknown_name(
    explorer: &Explorer,
    test: &Test,
    instance: Option<&Instance>,
    attempt: &Attempt,
    program: &Body,
) -> Option<Problem> {
    let spec = instance.map(Instance::spec);
    let furthest = attempt.furthest.as_ref()?;
    test.sequence.unknown_name(spec, &[furthest])?;
    let seen: Arc<Mutex<Option<Sequence>>> = Arc::default();
    let observer = {
        let seen = seen.clone();
        move |ended: &Ended<'_>| *seen.lock().unwrap_or_else(PoisonError::into_inner) = Some(ended.sequence())
    };
    let _ = explorer.clone().workers(1).max_sequences(1).observe(observer).explore_body(program);
    let free = seen.lock().unwrap_or_else(PoisonError::into_inner).take();
    let executions: Vec<&Sequence> = [furthest].into_iter().chain(free.as_ref()).collect();
    test.sequence.unknown_name(spec, &executions)
}

/// The input of a test.
pub(super) fn input_of(program: &Program, test: &Test, function: Function<'_>) -> Result<Input, String> {
    if test.input.is_null() {
        return program.given.read(&program.about, function);
    }
    let place = test.position.as_ref().map(ToString::to_string).unwrap_or_default();
    let place = format!("{place}: test `{}`", test.name);
    if !program.given.is_taken() {
        return Err(format!("{place}: program `{}` takes no input; leave `input` out", program.about.path()));
    }
    input::read(Some(test.input.to_string()), &place, &program.about, function)
}

fn tested(test: &Test, attempt: &Attempt) -> Tested {
    let outcome = |execution: Option<&Execution>| test_file::Outcome {
        feasibility: attempt.feasibility.clone(),
        termination: execution.map(|it| termination(it.termination)),
        output: execution.and_then(|it| output(it.output.as_deref())),
    };
    let outcomes: Vec<test_file::Outcome> = match attempt.found.is_empty() {
        true => vec![outcome(None)],
        false => attempt.found.iter().map(|it| outcome(Some(it))).collect(),
    };
    let (verdict, why) = match &attempt.feasibility {
        Feasibility::Feasible => ("feasible", String::new()),
        Feasibility::Infeasible(why) => ("infeasible", why.clone()),
        Feasibility::Unknown => ("unknown", "a bound was reached before that was known".to_owned()),
    };
    Tested {
        name: test.name.clone(),
        verdict: verdict.to_owned(),
        expected: if test.expect.feasible { "feasible" } else { "infeasible" }.to_owned(),
        expectation: test.expect.to_string(),
        passed: outcomes.iter().all(|it| test.expect.is_met(it) == Some(true)),
        why,
        results: outcomes
            .into_iter()
            .filter_map(|it| Some(Outcome { termination: it.termination?.to_string(), output: it.output }))
            .collect(),
        executions: attempt.executions,
    }
}
