//! From the YAML tree to the events of a [`Spec`](super::Spec): what they match, when they may happen, what they change.

use insyn_sequences::{Op, Value};

use super::declarations::{check_name, declare, entries, guard, range};
use super::expression::{Environment, Expression, Name, Parser, Scope, Symbol};
use super::lexer::Token;
use super::matcher::{Matcher, Origin, ValuePattern};
use super::pattern::{Pattern, UnknownArgument};
use super::value::Type;
use super::{Argument, Domain, Event, Update};
use crate::problem::{Problem, ProblemKind, did_you_mean};
use crate::reader::{Reader, Source};
use crate::vocabulary;
use crate::yaml::{Content, Key, Node};

pub(super) fn events(
    reader: &Reader,
    nodes: &[(Key, Node)],
    constants: &Scope,
    names: &Scope,
) -> Result<Vec<Event>, Problem> {
    nodes.iter().map(|(key, node)| event(reader, key, node, constants, names)).collect()
}

fn event(
    reader: &Reader,
    key: &Key,
    node: &Node,
    constants: &Scope,
    names: &Scope,
) -> Result<Event, Problem> {
    check_name(&key.text, &reader.key(key))?;
    let empty = Node { content: Content::Map(Vec::new()), ..node.clone() };
    let node = if matches!(node.content, Content::Null) { &empty } else { node };
    let fields = reader.fields(node, &vocabulary::EVENT)?;
    fields.get("about").map(|it| reader.text(it)).transpose()?;
    let mut names = names.clone();
    let mut arguments: Vec<Argument> = Vec::new();
    for (key, node) in entries(reader, fields.get("arguments"))? {
        let (of, domain) = domain(reader, node, constants)?;
        let name = Name::Argument(arguments.len());
        declare(&mut names, reader, key, Symbol { name, of, is_family: false })?;
        arguments.push(Argument { name: key.text.clone(), of, domain });
    }
    let matchers = match fields.get("match") {
        Some(it) => {
            let all = reader.one_or_many(it).iter();
            all.map(|it| matcher_of(reader, it, &arguments)).collect::<Result<Vec<_>, _>>()?
        }
        None => vec![label_of(reader, key, &arguments)],
    };
    for matcher in &matchers {
        if let Some(unbound) = (0..arguments.len()).find(|&it| !matcher.binds(it)) {
            let name = &arguments[unbound].name;
            let message = format!("the argument `{name}` gets no value here");
            let hint = format!("write `<{name}>` where the value is, as in `thread: worker<{name}>`");
            return Err(Problem::new(&matcher.position, ProblemKind::Type, message, hint));
        }
    }
    let then = entries(reader, fields.get("then"))?;
    Ok(Event {
        name: key.text.as_str().into(),
        position: reader.key(key),
        matchers,
        when: fields.get("when").map(|it| guard(reader, it, &names)).transpose()?,
        then: then.iter().map(|(key, node)| update(reader, key, node, &names)).collect::<Result<_, _>>()?,
        arguments,
    })
}

/// The matcher of an event without `match`: a label with the event's name, whose value is the event's only argument.
fn label_of(reader: &Reader, key: &Key, arguments: &[Argument]) -> Matcher {
    let value = arguments.first().map(|argument| ValuePattern::Argument(0, argument.of));
    let label = Some(Pattern::plain(&key.text));
    Matcher { position: reader.key(key), op: None, on: None, thread: None, from: None, label, value }
}

fn domain(reader: &Reader, node: &Node, constants: &Scope) -> Result<(Type, Domain), Problem> {
    if let Content::List(nodes) = &node.content {
        let values: Vec<Value> = nodes.iter().map(|it| reader.value(it)).collect::<Result<_, _>>()?;
        let Some(of) = values.first().map(Type::of) else {
            return Err(reader.problem(node, ProblemKind::Type, "the argument has no values", "list them"));
        };
        if let Some((node, _)) = nodes.iter().zip(&values).find(|(_, value)| Type::of(value) != of) {
            let message = format!("this is not {}", of.words());
            return Err(reader.problem(node, ProblemKind::Type, message, "use values of one type"));
        }
        return Ok((of, Domain::Values(values)));
    }
    let source = reader.source(node)?;
    let word = source.text.trim();
    match (Type::WORDS.iter().find(|it| it.0 == word), constants.get(word)) {
        (Some((_, Type::Boolean)), _) => {
            Ok((Type::Boolean, Domain::Values([false, true].map(Value::Boolean).to_vec())))
        }
        (Some(&(_, of)), _) => Ok((of, Domain::Open)),
        (_, Some(&Symbol { name: Name::Parameter(parameter), of, is_family: true })) => {
            Ok((of, Domain::List(parameter)))
        }
        _ => Ok((Type::Integer, Domain::Range(range(reader, node, constants)?))),
    }
}

fn update(reader: &Reader, key: &Key, node: &Node, names: &Scope) -> Result<Update, Problem> {
    let mut parser = Parser::new(&reader.source_of_key(key), names)?;
    let (token, at) = parser.take();
    let Token::Word(word) = &token else {
        let message = format!("found {}", token.show());
        return Err(Problem::new(&at, ProblemKind::Syntax, message, "expected a state variable"));
    };
    let is_state = |symbol: &Symbol| matches!(symbol.name, Name::State(_));
    let Some(&Symbol { name: Name::State(variable), of, is_family }) = names.get(word) else {
        let known = names.iter().filter(|(_, it)| is_state(it)).map(|(name, _)| name.as_str());
        let message = format!("unknown state variable `{word}`");
        return Err(Problem::new(&at, ProblemKind::Unknown, message, did_you_mean(word, known)));
    };
    let index = if is_family {
        parser.symbol("[")?;
        let index = parser.expression()?.expect(Type::Integer)?;
        parser.symbol("]")?;
        Some(index)
    } else {
        None
    };
    parser.end()?;
    let value = Expression::parse(&reader.source(node)?, names, of)?;
    Ok(Update { variable, index, value })
}

/// A name, with or without values for its arguments: `deposit`, `deposit(3, 'A')`.
pub(crate) fn call_of(source: &Source) -> Result<(String, Option<Vec<Value>>), Problem> {
    let nothing = Scope::new();
    let mut parser = Parser::new(source, &nothing)?;
    let (token, at) = parser.take();
    let Token::Word(name) = token else {
        let message = format!("found {}", token.show());
        return Err(Problem::new(&at, ProblemKind::Syntax, message, "expected the name of an event"));
    };
    check_name(&name, &at)?;
    let mut arguments = None;
    if parser.takes_symbol("(") {
        let environment = Environment { parameters: &[], state: &[], arguments: &[] };
        let values = arguments.insert(Vec::new());
        loop {
            values.push(parser.expression()?.value(environment)?);
            if !parser.takes_symbol(",") {
                break;
            }
        }
        parser.symbol(")")?;
    }
    parser.end()?;
    Ok((name, arguments))
}

/// Reads a matcher whose patterns may name these arguments.
pub(crate) fn matcher_of(reader: &Reader, node: &Node, arguments: &[Argument]) -> Result<Matcher, Problem> {
    let fields = reader.fields(node, &vocabulary::MATCH)?;
    let pattern = |name: &str| fields.get(name).map(|it| pattern(reader, it, arguments)).transpose();
    let ops: Vec<(&str, Op)> = Op::recorded().map(|op| (op.word(), op)).collect();
    let mut op = fields.get("op").map(|it| reader.word(it, "operation", &ops)).transpose()?;
    let mut on = pattern("on")?;
    if let Some(entry) = fields.get("entry") {
        if op.is_some() || on.is_some() {
            let hint = "`entry: E` means `op: accept, on: E`; leave those out";
            let message = "`entry` already implies `op` and `on`";
            return Err(reader.problem(entry, ProblemKind::Contradiction, message, hint));
        }
        (op, on) = (Some(Op::Accept), pattern("entry")?);
    }
    let from = match fields.get("from") {
        None => None,
        Some(node) => Some(match reader.text(node)? {
            "nothing" => Origin::Nothing,
            "closed" => Origin::Closed,
            "anything" => Origin::Anything,
            _ => Origin::Thread(self::pattern(reader, node, arguments)?),
        }),
    };
    let value = fields.get("value").map(|it| value_pattern(reader, it, arguments)).transpose()?;
    let (thread, label) = (pattern("thread")?, pattern("label")?);
    if op.is_none()
        && on.is_none()
        && thread.is_none()
        && from.is_none()
        && label.is_none()
        && value.is_none()
    {
        let hint = "restrict it by `op`, `on`, `thread`, `from`, `entry`, `label` or `value`";
        return Err(reader.problem(node, ProblemKind::Type, "this matches everything", hint));
    }
    Ok(Matcher { position: reader.position(node), op, on, thread, from, label, value })
}

/// Reads a pattern that may name these arguments.
pub(crate) fn pattern(reader: &Reader, node: &Node, arguments: &[Argument]) -> Result<Pattern, Problem> {
    /// Matching takes time and stack space proportional to the length.
    const LONGEST: usize = 1000;
    if reader.text(node)?.len() > LONGEST {
        let message = format!("this pattern is longer than {LONGEST} bytes");
        return Err(reader.problem(node, ProblemKind::Limit, message, "shorten it, with `*`"));
    }
    let find = |name: &str| arguments.iter().position(|it| it.name == name).map(|it| (it, arguments[it].of));
    Pattern::parse(reader.text(node)?, find).map_err(|UnknownArgument { name }| {
        let message = format!("unknown argument `{}`", name.escape_debug());
        let known = arguments.iter().map(|it| it.name.as_str());
        reader.problem(node, ProblemKind::Unknown, message, did_you_mean(&name, known))
    })
}

fn value_pattern(reader: &Reader, node: &Node, arguments: &[Argument]) -> Result<ValuePattern, Problem> {
    let Content::Text(text) = &node.content else { return Ok(ValuePattern::Exactly(reader.value(node)?)) };
    let whole = text.strip_prefix('<').and_then(|it| it.strip_suffix('>'));
    match whole.and_then(|name| arguments.iter().position(|it| it.name == name)) {
        Some(argument) => Ok(ValuePattern::Argument(argument, arguments[argument].of)),
        None => pattern(reader, node, arguments).map(ValuePattern::Text),
    }
}
