//! Writes tests: the same bytes for the same tests, which read back as the same tests.

use std::fmt::Write as _;

use insyn_sequences::file::{atom, flow, write_processes};
use insyn_sequences::{Malformed, Value};
use serde_json::Value as Data;

use super::{Expectation, Step, StepKind, TestFile, TestSequence};
use crate::spec::{Matcher, Origin, ValuePattern};

impl TestFile {
    /// Writes the text of a file, deterministically.
    ///
    /// # Errors
    /// If a recorded sequence is not in canonical form.
    pub fn write(&self) -> Result<String, Malformed> {
        let mut text = "insyn: tests\nversion: 1\n".to_owned();
        let mut line = |content: String| writeln!(text, "{content}").expect("a string takes any text");
        if let Some(program) = &self.program {
            line(format!("program: {}", flow(program)));
        }
        if let Some(spec) = &self.spec {
            line(format!("spec: {}", flow(spec)));
        }
        line(format!("tests:{}", if self.tests.is_empty() { " []" } else { "" }));
        for test in &self.tests {
            let mut line = |content: String| writeln!(text, "{content}").expect("a string takes any text");
            line(format!("- name: {}", flow(&test.name)));
            if let Some(about) = &test.about {
                line(format!("  about: {}", flow(about)));
            }
            if test.input != Data::Null {
                line(format!("  input: {}", data(&test.input)));
            }
            match &test.sequence {
                TestSequence::Whole(steps) => steps_of(&mut text, "sequence", steps),
                TestSequence::Prefix(steps) => steps_of(&mut text, "prefix", steps),
                TestSequence::Recorded(sequence) => {
                    sequence.check()?;
                    text.push_str("  recorded:\n");
                    write_processes(sequence, "    ", &mut text);
                }
            }
            writeln!(text, "  expect: {}", expectation(&test.expect)).expect("a string takes any text");
        }
        Ok(text)
    }
}

fn steps_of(text: &mut String, key: &str, steps: &[Step]) {
    writeln!(text, "  {key}:{}", if steps.is_empty() { " []" } else { "" }).expect("a string takes any text");
    for step in steps {
        writeln!(text, "  - {}", step_of(step)).expect("a string takes any text");
    }
}

pub(super) fn step_of(step: &Step) -> String {
    let after = step.after.as_ref().map(|after| {
        let numbers: Vec<String> = after.iter().map(|it| (it + 1).to_string()).collect();
        format!("after: [{}]", numbers.join(", "))
    });
    match &step.kind {
        StepKind::Abstract { name, arguments: None, thread: None } if after.is_none() => flow(name),
        StepKind::Abstract { name, arguments: Some(arguments), thread: None }
            if after.is_none() && is_plain(name, arguments) =>
        {
            let all: Vec<String> = arguments.iter().map(Value::to_string).collect();
            format!("{name}({})", all.join(", "))
        }
        StepKind::Abstract { name, arguments, thread } => {
            let mut fields = vec![format!("event: {}", flow(name))];
            if let Some(arguments) = arguments {
                let all: Vec<String> = arguments.iter().map(atom).collect();
                fields.push(format!("arguments: [{}]", all.join(", ")));
            }
            fields.extend(thread.as_ref().map(|it| format!("thread: {}", flow(it.text()))));
            fields.extend(after);
            format!("{{{}}}", fields.join(", "))
        }
        StepKind::Concrete(matcher) => {
            let fields: Vec<String> = [fields_of(matcher)].into_iter().chain(after).collect();
            format!("{{{}}}", fields.join(", "))
        }
    }
}

/// Whether an event with these arguments reads back as the same when it is written as in an expression, without quotes around it:
/// `take(0)`.
fn is_plain(name: &str, arguments: &[Value]) -> bool {
    let is_word = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let starts_well = |text: &str| text.starts_with(|c: char| c.is_ascii_alphabetic());
    starts_well(name)
        && is_word(name)
        && !arguments.is_empty()
        && arguments.iter().all(|argument| match argument {
            Value::Boolean(_) => true,
            // The least number is no literal: it would be the negation of one that is too large.
            Value::Integer(n) => *n != i64::MIN,
            Value::Text(text) => is_word(text),
        })
}

fn fields_of(matcher: &Matcher) -> String {
    let from = matcher.from.as_ref().map(|from| match from {
        Origin::Nothing => "nothing",
        Origin::Closed => "closed",
        Origin::Anything => "anything",
        Origin::Thread(pattern) => pattern.text(),
    });
    let value = matcher.value.as_ref().map(|value| match value {
        ValuePattern::Exactly(value) => atom(value),
        ValuePattern::Text(pattern) => atom(&Value::Text(pattern.text().to_owned())),
        ValuePattern::Argument(..) => unreachable!("steps have no arguments to give values to"),
    });
    let pattern = |pattern: &Option<crate::spec::Pattern>| pattern.as_ref().map(|it| flow(it.text()));
    let fields = [
        ("op", matcher.op.map(|op| op.word().to_owned())),
        ("on", pattern(&matcher.on)),
        ("thread", pattern(&matcher.thread)),
        ("from", from.map(flow)),
        ("label", pattern(&matcher.label)),
        ("value", value),
    ];
    let fields: Vec<String> =
        fields.into_iter().filter_map(|(name, value)| Some(format!("{name}: {}", value?))).collect();
    fields.join(", ")
}

pub(super) fn expectation(expect: &Expectation) -> String {
    let Expectation { feasible, termination, output } = expect;
    match (feasible, termination, output) {
        (false, ..) => "infeasible".to_owned(),
        (true, None, None) => "feasible".to_owned(),
        _ => {
            let mut fields = vec!["feasible: true".to_owned()];
            fields.extend(termination.map(|it| format!("termination: {it}")));
            fields.extend(output.as_ref().map(|it| format!("output: {}", data(it))));
            format!("{{{}}}", fields.join(", "))
        }
    }
}

/// Any value, on one line.
pub(crate) fn data(value: &Data) -> String {
    match value {
        Data::Null => "null".to_owned(),
        Data::Bool(it) => it.to_string(),
        Data::Number(it) => it.to_string(),
        Data::String(it) => flow(it),
        Data::Array(all) => format!("[{}]", all.iter().map(data).collect::<Vec<_>>().join(", ")),
        Data::Object(all) => {
            let entries: Vec<String> =
                all.iter().map(|(key, it)| format!("{}: {}", flow(key), data(it))).collect();
            format!("{{{}}}", entries.join(", "))
        }
    }
}
