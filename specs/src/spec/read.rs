//! From the YAML tree to a [`Spec`]: parameters, state and the rest. [`events`] has a file of its own.

use insyn_sequences::{Termination, Value};

use super::declarations::{declare, entries, guard, limit, range};
use super::expression::{Expression, Name, Scope, Symbol};
use super::value::{Slot, Type};
use super::{Conformance, Constraint, Output, Parameter, Spec, Variable, events};
use crate::problem::{Problem, ProblemKind};
use crate::reader::Reader;
use crate::vocabulary;
use crate::yaml::{Content, Key, Node};

pub(super) fn spec(reader: &Reader, node: &Node) -> Result<Spec, Problem> {
    let fields = reader.fields(node, &vocabulary::SPEC)?;
    let text = |name: &str| fields.get(name).map(|it| reader.text(it).map(str::to_owned)).transpose();
    let mut names = Scope::new();
    let mut parameters = Vec::new();
    for (key, node) in entries(reader, fields.get("parameters"))? {
        let parameter = parameter(reader, key, node)?;
        let name = Name::Parameter(parameters.len());
        declare(&mut names, reader, key, Symbol { name, of: parameter.of, is_family: parameter.is_list })?;
        parameters.push(parameter);
    }
    let constants = names.clone();
    let mut state = Vec::new();
    for (key, node) in entries(reader, fields.get("state"))? {
        let variable = variable(reader, key, node, &constants)?;
        let (of, is_family) = (variable.initially.of(), variable.over.is_some());
        declare(&mut names, reader, key, Symbol { name: Name::State(state.len()), of, is_family })?;
        state.push(variable);
    }
    let events = reader.required(&fields, "events")?;
    let events = events::events(reader, entries(reader, Some(events))?, &constants, &names)?;
    let hidden = fields.get("hidden").map(|it| {
        reader
            .one_or_many(it)
            .iter()
            .map(|it| events::matcher_of(reader, it, &[]))
            .collect::<Result<Vec<_>, _>>()
    });
    let constraints = fields.get("constraints").map_or(Ok(&[][..]), |it| reader.list(it))?;
    limit(reader, node, constraints.len())?;
    let constraints: Vec<Constraint> = constraints
        .iter()
        .map(|it| Constraint::parse(&reader.source(it)?, &constants, &events))
        .collect::<Result<_, _>>()?;
    let accept = fields.get("accept").map(|it| guard(reader, it, &names)).transpose()?;
    let conformance = fields.get("conformance").map(|it| reader.word(it, "conformance", &Conformance::WORDS));
    let (terminations, output) = match fields.get("expect") {
        None => (vec![Termination::Normal], None),
        Some(expect) => {
            let fields = reader.fields(expect, &vocabulary::EXPECT)?;
            let word = |it: &Node| reader.word(it, "termination", &Termination::WORDS);
            let terminations = match fields.get("termination") {
                None => vec![Termination::Normal],
                Some(it) => reader.one_or_many(it).iter().map(word).collect::<Result<_, _>>()?,
            };
            (terminations, fields.get("output").map(|it| output(reader, it, &names)).transpose()?)
        }
    };
    Ok(Spec {
        file: reader.file.clone(),
        about: text("about")?,
        program: text("program")?.zip(fields.get("program").map(|it| reader.position(it))),
        parameters,
        state,
        events,
        hidden: hidden.transpose()?,
        accept,
        constraints,
        conformance: conformance.transpose()?.unwrap_or_default(),
        terminations,
        output,
    })
}

fn parameter(reader: &Reader, key: &Key, node: &Node) -> Result<Parameter, Problem> {
    let plain = |default: &Node| slot(reader, default, None);
    let (of, is_list, path, default) = match &node.content {
        Content::Map(_) => {
            let fields = reader.fields(node, &vocabulary::PARAMETER)?;
            let of = fields.get("type").map(|it| reader.word(it, "type", &Type::WORDS)).transpose()?;
            let list = fields.get("list").map(|it| reader.boolean(it)).transpose()?;
            let default = fields.get("default").map(|it| slot(reader, it, of)).transpose()?;
            let known = default.as_ref().map(|(of, slot)| (*of, matches!(slot, Slot::Many { .. })));
            let Some(of) = of.or(known.map(|(of, _)| of)) else {
                let message = format!("the type of `{}` is unknown", key.text);
                return Err(reader.problem(
                    node,
                    ProblemKind::Type,
                    message,
                    "add `type: …` or `default: …`",
                ));
            };
            let is_list = list.or(known.map(|(_, is_list)| is_list)).unwrap_or(false);
            if known.is_some_and(|(_, it)| it != is_list) {
                let message = format!("`list: {is_list}` and the default contradict each other");
                return Err(reader.problem(node, ProblemKind::Contradiction, message, "correct one of them"));
            }
            let path = fields.get("from").map(|it| reader.text(it)).transpose()?;
            (of, is_list, path.map(str::to_owned), default.map(|(_, slot)| slot))
        }
        _ => {
            let (of, slot) = plain(node)?;
            (of, matches!(slot, Slot::Many { .. }), None, Some(slot))
        }
    };
    let path = path.unwrap_or_else(|| key.text.clone()).split('.').map(str::to_owned).collect();
    Ok(Parameter { name: key.text.clone(), position: reader.key(key), of, is_list, path, default })
}

/// A value or a list of values of one type.
fn slot(reader: &Reader, node: &Node, of: Option<Type>) -> Result<(Type, Slot), Problem> {
    let nodes = reader.one_or_many(node);
    let values: Vec<Value> = nodes.iter().map(|it| reader.value(it)).collect::<Result<_, _>>()?;
    let Some(of) = of.or(values.first().map(Type::of)) else {
        let hint = "write `{type: …, default: []}`";
        return Err(reader.problem(node, ProblemKind::Type, "the type of an empty list is unknown", hint));
    };
    if let Some((node, value)) = nodes.iter().zip(&values).find(|(_, value)| Type::of(value) != of) {
        let message = format!("this is {}, not {}", Type::of(value).words(), of.words());
        return Err(reader.problem(node, ProblemKind::Type, message, "use values of one type"));
    }
    let is_list = matches!(node.content, Content::List(_));
    let single = |mut values: Vec<Value>| Slot::One(values.remove(0));
    Ok((of, if is_list { Slot::Many { first: 0, values } } else { single(values) }))
}

fn variable(reader: &Reader, key: &Key, node: &Node, constants: &Scope) -> Result<Variable, Problem> {
    let Content::Map(_) = &node.content else {
        let initially = Expression::parse_any(&reader.source(node)?, constants)?;
        return Ok(Variable { name: key.text.clone(), initially, over: None });
    };
    let fields = reader.fields(node, &vocabulary::STATE)?;
    let initially = reader.required(&fields, "initially")?;
    let initially = Expression::parse_any(&reader.source(initially)?, constants)?;
    let over = reader.required(&fields, "over")?;
    Ok(Variable { name: key.text.clone(), initially, over: Some(range(reader, over, constants)?) })
}

fn output(reader: &Reader, node: &Node, names: &Scope) -> Result<Output, Problem> {
    let Content::Text(text) = &node.content else { return Ok(Output::Data(node.to_data())) };
    if let Some(symbol) = names.get(text.trim()).filter(|symbol| symbol.is_family) {
        return Ok(Output::List(symbol.name));
    }
    Ok(Output::Expression(Expression::parse_any(&reader.source(node)?, names)?))
}
