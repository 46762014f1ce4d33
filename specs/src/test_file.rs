//! IN-SYN tests in YAML: each is an input, a sequence, and the expected result of the two.
//!
//! ```yaml
//! insyn: tests
//! version: 1
//! program: bounded_buffer
//! spec: bounded_buffer.yaml
//! tests:
//! - name: three deposits into two slots
//!   input: {capacity: 2, items: [A, B, C]}
//!   sequence: [deposit, deposit, deposit, withdraw, withdraw, withdraw]
//!   expect: infeasible
//! - name: one after the other
//!   sequence:
//!   - deposit
//!   - {event: withdraw, thread: consumer*}
//!   - {op: accept, on: deposit}
//!   expect: {feasible: true, termination: normal, output: [A, B, C]}
//! ```
//!
//! | key of a test | meaning | if left out |
//! |---|---|---|
//! | `name` | one that no other test of the file has | is required |
//! | `about` | a note | none |
//! | `input` | any value | nothing |
//! | `sequence` | the whole sequence: all that happens, but for hidden events, in this order | one of these |
//! | `prefix` | how the sequence begins; the rest is free | three is |
//! | `recorded` | the complete form: `processes` as in a sequence file, a partial order | required |
//! | `expect` | `feasible`, `infeasible`, or `{feasible, termination, output}` | `feasible` |
//!
//! A step is an event of the specification, with arguments or without: `deposit`, `deposit(3)`,
//! `{event: deposit, arguments: [3], thread: producer*}`; or an event of the program, as under `match` in a specification.
//! Without a specification, a name is that of a label, and what no step could be is hidden.
//!
//! A step comes after the one before it. With `after: 1` or `after: [1, 3]` it comes after those steps instead, numbered from
//! 1, and with `after: []` after none. The steps are then in a partial order, and the test is feasible if the program can do
//! them in any order that agrees with it.

use std::fmt;

use insyn_sequences::{ObservedEvent, Op, Sequence, Termination, Value};
use serde_json::Value as Data;

use crate::correctness::Feasibility;
use crate::problem::{Position, Problem, ProblemKind, did_you_mean};
use crate::reader::Reader;
use crate::spec::{Instance, Matcher, Pattern, Reading, Spec, Type};
use crate::word::{Letter, Word};

mod among;
mod lines;
mod names;
mod places;
mod read;
mod write;

pub use among::Among;
pub use places::Places;
pub(crate) use write::data;

/// A file of tests.
#[derive(Clone, Debug, Default)]
pub struct TestFile {
    /// The program that they are for.
    pub program: Option<String>,
    /// The file of the specification whose events they name.
    pub spec: Option<String>,
    /// Its place in the file; none if it was not read from a file.
    pub spec_at: Option<Position>,
    /// The tests.
    pub tests: Vec<Test>,
}

/// One test.
#[derive(Clone, Debug)]
pub struct Test {
    /// Its name, the only one in its file.
    pub name: String,
    /// A note.
    pub about: Option<String>,
    /// The input.
    pub input: Data,
    /// The sequence.
    pub sequence: TestSequence,
    /// The expected result.
    pub expect: Expectation,
    /// The position of its input, or of the test if it has no input; none if it was not read from a file.
    pub position: Option<Position>,
    /// The positions of the parts of its input.
    pub places: Places,
}

/// The sequence that a program is forced to do.
#[derive(Clone, Debug)]
pub enum TestSequence {
    /// These, and nothing else but hidden events.
    Whole(Vec<Step>),
    /// These first.
    Prefix(Vec<Step>),
    /// All of this.
    Recorded(Sequence),
}

/// One event of a test.
#[derive(Clone, Debug)]
pub struct Step {
    position: Option<Position>,
    kind: StepKind,
    /// The steps that it comes after, from 0; by default the one before it.
    after: Option<Vec<usize>>,
}

#[derive(Clone, Debug)]
enum StepKind {
    Abstract { name: String, arguments: Option<Vec<Value>>, thread: Option<Pattern> },
    Concrete(Matcher),
}

/// The expected result of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Expectation {
    /// Whether some execution does it.
    pub feasible: bool,
    /// How that execution should end; none if any end is right.
    pub termination: Option<Termination>,
    /// The output that it should return; none if any output is right.
    pub output: Option<Data>,
}

/// The result of a test.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// Whether some execution does it.
    pub feasibility: Feasibility,
    /// How that execution ended.
    pub termination: Option<Termination>,
    /// The output of that execution.
    pub output: Option<Data>,
}

impl TestFile {
    /// Reads the text of a file. Any text yields tests or a problem, in bounded time and memory.
    ///
    /// # Errors
    /// The first problem in the file, with its position.
    pub fn read(file: &str, text: &str) -> Result<TestFile, Problem> {
        let (reader, node) = Reader::open(file, text, "tests")?;
        read::file(&reader, &node)
    }

    /// Checks the steps against the specification whose events they name.
    ///
    /// # Errors
    /// The first step that names no event, or has other arguments.
    pub fn check(&self, spec: &Spec) -> Result<(), Problem> {
        let steps = self.tests.iter().flat_map(|test| test.sequence.steps());
        steps.into_iter().try_for_each(|step| step.check(spec))
    }
}

impl TestSequence {
    /// Its steps; none if it is recorded.
    pub fn steps(&self) -> &[Step] {
        match self {
            TestSequence::Whole(steps) | TestSequence::Prefix(steps) => steps,
            TestSequence::Recorded(_) => &[],
        }
    }

    /// Which of its steps an event of the program can be, from 0; none if the event is hidden. An event that counts but matches
    /// no step is in none of the test's executions.
    pub fn fit(&self, instance: Option<&Instance>, event: &ObservedEvent<'_>) -> Option<Vec<u32>> {
        let steps = self.steps();
        let reading = instance.map(|instance| instance.reading(event));
        let counts = match &reading {
            Some(reading) => *reading != Reading::Hidden,
            None => event.label.is_some_and(|label| steps.iter().any(|step| step.is_called(&label.text))),
        };
        let fitting = (0..).zip(steps).filter(|(_, step)| step.is(event, reading.as_ref()));
        let fitting: Vec<u32> = fitting.map(|(index, _)| index).collect();
        (counts || !fitting.is_empty()).then_some(fitting)
    }

    /// Whether an event with an operation can be anything but hidden.
    pub fn may_name(&self, instance: Option<&Instance>, op: Op) -> bool {
        let counts = instance.map_or(op == Op::Label, |instance| instance.may_read(op));
        let is_meant = |step: &Step| matches!(&step.kind, StepKind::Concrete(it) if it.may_mean(op));
        counts || self.steps().iter().any(is_meant)
    }

    /// The word that its steps determine, if they do.
    pub fn word(&self, spec: &Spec) -> Option<Word> {
        match self {
            TestSequence::Whole(steps) if self.is_total() => {
                steps.iter().map(|step| step.letter(spec)).collect::<Option<_>>().map(Word)
            }
            _ => None,
        }
    }
}

impl From<&Word> for TestSequence {
    fn from(word: &Word) -> Self {
        TestSequence::Whole(word.0.iter().map(Step::from).collect())
    }
}

impl From<&Letter> for Step {
    fn from(letter: &Letter) -> Self {
        let arguments = (!letter.arguments.is_empty()).then(|| letter.arguments.to_vec());
        let kind = StepKind::Abstract { name: letter.name.to_string(), arguments, thread: None };
        Step { position: None, kind, after: None }
    }
}

impl Step {
    /// Its position; none if it was not read from a file.
    pub fn position(&self) -> Option<&Position> {
        self.position.as_ref()
    }

    /// In short: an event of the specification with its arguments as in expressions, `deposit(3)`.
    pub fn brief(&self) -> String {
        match &self.kind {
            StepKind::Abstract { name, arguments: Some(arguments), thread } => {
                let arguments: Vec<String> = arguments.iter().map(Value::to_string).collect();
                let by = thread.as_ref().map(|thread| format!(" by {}", thread.text()));
                format!("{name}({}){}", arguments.join(", "), by.unwrap_or_default())
            }
            _ => self.to_string(),
        }
    }

    /// Whether an event of the program matches the step.
    pub fn accepts(&self, instance: Option<&Instance>, event: &ObservedEvent<'_>) -> bool {
        self.is(event, instance.map(|instance| instance.reading(event)).as_ref())
    }

    /// The same, given how a specification reads the event.
    fn is(&self, event: &ObservedEvent<'_>, reading: Option<&Reading>) -> bool {
        match &self.kind {
            StepKind::Concrete(matcher) => matcher.matches(event),
            StepKind::Abstract { name, arguments, thread } => {
                let by =
                    thread.as_ref().is_none_or(|it| event.threads.iter().any(|&thread| it.matches(thread)));
                let found = match reading {
                    Some(Reading::Letter(letter)) if *letter.name == **name => Some(&letter.arguments[..]),
                    Some(_) => None,
                    None => event.label.filter(|label| label.text == *name).map(|it| it.value.as_slice()),
                };
                by && found.is_some_and(|found| arguments.as_ref().is_none_or(|wanted| *wanted == found))
            }
        }
    }

    fn is_called(&self, label: &str) -> bool {
        matches!(&self.kind, StepKind::Abstract { name, .. } if name == label)
    }

    fn letter(&self, spec: &Spec) -> Option<Letter> {
        let StepKind::Abstract { name, arguments, thread: None } = &self.kind else { return None };
        let (event, types) = spec.event(name)?;
        let arguments = arguments.as_deref().unwrap_or_default();
        (types.count() == arguments.len()).then(|| Letter {
            event,
            name: name.as_str().into(),
            arguments: arguments.into(),
        })
    }

    fn check(&self, spec: &Spec) -> Result<(), Problem> {
        let StepKind::Abstract { name, arguments, .. } = &self.kind else { return Ok(()) };
        let position = self.position.clone().unwrap_or(Position { file: "".into(), line: 1, column: 1 });
        let Some((_, types)) = spec.event(name) else {
            let hint = did_you_mean(name, spec.events().collect::<Vec<_>>());
            let message = format!("there is no event `{name}` in {}", spec.file());
            return Err(Problem::new(&position, ProblemKind::Unknown, message, hint));
        };
        let Some(arguments) = arguments else { return Ok(()) };
        let types: Vec<Type> = types.collect();
        if types != arguments.iter().map(Type::of).collect::<Vec<_>>() {
            let wanted: Vec<&str> = types.iter().map(|it| it.words()).collect();
            let hint = match wanted.is_empty() {
                true => "remove them".to_owned(),
                false => format!("write {}", wanted.join(", ")),
            };
            let message = format!("these are not the arguments of `{name}`");
            return Err(Problem::new(&position, ProblemKind::Type, message, hint));
        }
        Ok(())
    }
}

/// As it is written in a file.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write::step_of(self))
    }
}

/// As it is written in a file.
impl fmt::Display for Expectation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write::expectation(self))
    }
}

impl Default for Expectation {
    fn default() -> Self {
        Expectation { feasible: true, termination: None, output: None }
    }
}

impl Expectation {
    /// Whether the test passes; none if a bound was reached before that was known.
    pub fn is_met(&self, outcome: &Outcome) -> Option<bool> {
        let feasible = match outcome.feasibility {
            Feasibility::Feasible => true,
            Feasibility::Infeasible(_) => false,
            Feasibility::Unknown => return None,
        };
        let ended = self.termination.is_none_or(|it| outcome.termination == Some(it));
        let returned = self.output.as_ref().is_none_or(|it| outcome.output.as_ref() == Some(it));
        Some(feasible == self.feasible && (!feasible || ended && returned))
    }
}
