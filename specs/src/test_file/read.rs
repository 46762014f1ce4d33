//! From the YAML tree to tests.

use std::collections::BTreeSet;

use insyn_sequences::file::{EventEntry, ProcessEntry, resolve};
use insyn_sequences::{Order, Sequence, Termination, Value};
use serde_json::Value as Data;

use super::lines::{MOST_LINES, MOST_STEPS, lines};
use super::{Expectation, Places, Step, StepKind, Test, TestFile, TestSequence};
use crate::problem::{Problem, ProblemKind};
use crate::reader::Reader;
use crate::spec::{call_of, matcher_of, pattern};
use crate::vocabulary;
use crate::yaml::{Content, Node};

pub(super) fn file(reader: &Reader, node: &Node) -> Result<TestFile, Problem> {
    let fields = reader.fields(node, &vocabulary::TESTS)?;
    let text = |name: &str| fields.get(name).map(|it| reader.text(it).map(str::to_owned)).transpose();
    let nodes = reader.list(reader.required(&fields, "tests")?)?;
    let mut names = BTreeSet::new();
    let mut tests = Vec::with_capacity(nodes.len());
    for node in nodes {
        let test = test(reader, node)?;
        if !names.insert(test.name.clone()) {
            let message = format!("another test is named `{}`", test.name.escape_debug());
            return Err(reader.problem(
                node,
                ProblemKind::Contradiction,
                message,
                "give each test its own name",
            ));
        }
        tests.push(test);
    }
    let spec_at = fields.get("spec").map(|it| reader.position(it));
    Ok(TestFile { program: text("program")?, spec: text("spec")?, spec_at, tests })
}

fn test(reader: &Reader, node: &Node) -> Result<Test, Problem> {
    let fields = reader.fields(node, &vocabulary::TEST)?;
    let steps = |node: &Node| steps(reader, node);
    let sequence = match (fields.get("sequence"), fields.get("prefix"), fields.get("recorded")) {
        (Some(it), None, None) => TestSequence::Whole(steps(it)?),
        (None, Some(it), None) => TestSequence::Prefix(steps(it)?),
        (None, None, Some(it)) => TestSequence::Recorded(recorded(reader, it)?),
        (None, None, None) => {
            let hint = "add `sequence`, `prefix` or `recorded`";
            return Err(reader.problem(node, ProblemKind::Type, "this test has no sequence", hint));
        }
        _ => {
            let hint = "keep one of `sequence`, `prefix` and `recorded`";
            return Err(reader.problem(
                node,
                ProblemKind::Contradiction,
                "this test has two sequences",
                hint,
            ));
        }
    };
    Ok(Test {
        name: reader.text(reader.required(&fields, "name")?)?.to_owned(),
        about: fields.get("about").map(|it| reader.text(it).map(str::to_owned)).transpose()?,
        input: fields.get("input").map_or(Data::Null, Node::to_data),
        sequence,
        position: Some(reader.position(fields.get("input").unwrap_or(node))),
        places: fields.get("input").map(|it| Places::of(reader, it)).unwrap_or_default(),
        expect: fields.get("expect").map(|it| expectation(reader, it)).transpose()?.unwrap_or_default(),
    })
}

fn expectation(reader: &Reader, node: &Node) -> Result<Expectation, Problem> {
    if let Content::Text(_) = &node.content {
        let feasible = reader.word(node, "expectation", &[("feasible", true), ("infeasible", false)])?;
        return Ok(Expectation { feasible, ..Expectation::default() });
    }
    let fields = reader.fields(node, &vocabulary::EXPECTATION)?;
    let termination = fields.get("termination").map(|it| reader.word(it, "termination", &Termination::WORDS));
    let expectation = Expectation {
        feasible: fields.get("feasible").map_or(Ok(true), |it| reader.boolean(it))?,
        termination: termination.transpose()?,
        output: fields.get("output").map(Node::to_data),
    };
    if !expectation.feasible && (expectation.termination.is_some() || expectation.output.is_some()) {
        let message = "an infeasible sequence has no termination and no output";
        return Err(reader.problem(node, ProblemKind::Contradiction, message, "remove them"));
    }
    Ok(expectation)
}

fn steps(reader: &Reader, node: &Node) -> Result<Vec<Step>, Problem> {
    let nodes = reader.list(node)?;
    let steps: Vec<Step> =
        nodes.iter().enumerate().map(|(index, it)| step(reader, it, index)).collect::<Result<_, _>>()?;
    if steps.iter().any(|step| step.after.is_some()) && lines(&steps).is_none() {
        let message =
            format!("there are more than {MOST_STEPS} steps, or more than {MOST_LINES} orders of them");
        return Err(reader.problem(node, ProblemKind::Limit, message, "add `after` to more of the steps"));
    }
    Ok(steps)
}

/// The numbers of the steps that a step comes after, which are smaller than its own.
fn after(reader: &Reader, node: &Node, index: usize) -> Result<Vec<usize>, Problem> {
    let number = |node: &Node| match reader.value(node)? {
        Value::Integer(n) if usize::try_from(n).is_ok_and(|n| (1..=index).contains(&n)) => Ok(n as usize - 1),
        _ => {
            let hint = match index {
                0 => "no step comes before the first; write `after: []`".to_owned(),
                _ => format!("write numbers from 1 to {index}"),
            };
            Err(reader.problem(node, ProblemKind::Type, "this is not the number of an earlier step", hint))
        }
    };
    reader.one_or_many(node).iter().map(number).collect()
}

fn step(reader: &Reader, node: &Node, index: usize) -> Result<Step, Problem> {
    let position = Some(reader.position(node));
    let Content::Map(entries) = &node.content else {
        reader.text(node)?;
        let (name, arguments) = call_of(&reader.source(node)?)?;
        return Ok(Step {
            position,
            kind: StepKind::Abstract { name, arguments, thread: None },
            after: None,
        });
    };
    let order = field(node, "after").map(|it| after(reader, it, index)).transpose()?;
    if !entries.iter().any(|(key, _)| key.text == "event") {
        let event: Vec<_> = entries.iter().filter(|(key, _)| key.text != "after").cloned().collect();
        let event = Node { content: Content::Map(event), ..node.clone() };
        let kind = StepKind::Concrete(matcher_of(reader, &event, &[])?);
        return Ok(Step { position, kind, after: order });
    }
    let fields = reader.fields(node, &vocabulary::STEP)?;
    let (name, mut arguments) = call_of(&reader.source(reader.required(&fields, "event")?)?)?;
    if let Some(list) = fields.get("arguments") {
        if arguments.is_some() {
            let message = "the arguments are given twice";
            return Err(reader.problem(list, ProblemKind::Contradiction, message, "keep one of the two"));
        }
        arguments = Some(reader.list(list)?.iter().map(|it| reader.value(it)).collect::<Result<_, _>>()?);
    }
    let thread = fields.get("thread").map(|it| pattern(reader, it, &[])).transpose()?;
    Ok(Step { position, kind: StepKind::Abstract { name, arguments, thread }, after: order })
}

fn recorded(reader: &Reader, node: &Node) -> Result<Sequence, Problem> {
    let fields = reader.fields(node, &vocabulary::RECORDED)?;
    let nodes = reader.list(reader.required(&fields, "processes")?)?;
    let entries: Vec<ProcessEntry> = nodes.iter().map(|it| process(reader, it)).collect::<Result<_, _>>()?;
    let sequence = resolve(entries).map_err(|error| {
        let place = error.kind.place().and_then(|place| find(nodes, place)).unwrap_or(node);
        reader.problem(place, ProblemKind::Type, error.to_string(), "correct it there")
    })?;
    match Order::of(&sequence) {
        Ok(_) => Ok(sequence),
        Err(error) => {
            let hint = "record it again, or correct `from` and `after` of its events";
            Err(reader.problem(node, ProblemKind::Type, error.to_string(), hint))
        }
    }
}

fn process(reader: &Reader, node: &Node) -> Result<ProcessEntry, Problem> {
    serde_json::from_value(node.to_data()).map_err(|error| {
        let bad = |node: &&Node| serde_json::from_value::<EventEntry>(node.to_data()).err();
        let event = events(node).iter().find_map(|it| bad(&it).map(|error| (it, error)));
        let (node, error) = event.unwrap_or((node, error));
        reader.problem(node, ProblemKind::Type, error.to_string(), "write it as in a sequence file")
    })
}

fn field<'n>(node: &'n Node, name: &str) -> Option<&'n Node> {
    let Content::Map(entries) = &node.content else { return None };
    entries.iter().find(|(key, _)| key.text == name).map(|(_, node)| node)
}

fn events(process: &Node) -> &[Node] {
    match field(process, "events").map(|it| &it.content) {
        Some(Content::List(events)) => events,
        _ => &[],
    }
}

/// The node of a process or event, by its name.
fn find<'n>(processes: &'n [Node], place: &str) -> Option<&'n Node> {
    let by_id = |id: &str| {
        let is_it = |node: &&Node| matches!(field(node, "id").map(|it| &it.content), Some(Content::Text(it)) if it == id);
        processes.iter().find(is_it)
    };
    let event =
        place.rsplit_once('#').and_then(|(id, index)| events(by_id(id)?).get(index.parse::<usize>().ok()?));
    event.or_else(|| by_id(place))
}
