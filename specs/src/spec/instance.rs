//! A specification whose parameters are known: a machine that reads words letter by letter.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use insyn_sequences::{ObservedEvent, Op, Value};
use serde_json::Value as Data;

use super::constraint::{Memory, Watch};
use super::expression::{Environment, Expression};
use super::value::{Slot, Type};
use super::{Domain, Event, Name, Output, Spec};
use crate::problem::{Position, Problem, ProblemKind};
use crate::reader::value_of;
use crate::word::Letter;

/// Families, domains, alphabets and the constraints with variables have no more members than this.
const MOST: usize = 10_000;

/// A specification for one input. It owns a copy of the specification, so that it can move to a worker.
#[derive(Clone, Debug)]
pub struct Instance {
    pub(super) spec: Arc<Spec>,
    parameters: Vec<Slot>,
    initial: State,
    /// For each event and argument its values; none if there are infinitely many.
    domains: Vec<Vec<Option<Vec<Value>>>>,
    /// The constraints, one for each value of its variables, by their index.
    watches: Vec<(usize, Watch)>,
}

/// Everything that determines which letters may follow.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct State {
    slots: Vec<Slot>,
    memories: Vec<Memory>,
}

/// Why a word is not valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Objection {
    /// The part of the specification that rejects the word.
    pub position: Position,
    /// The reason, in a sentence.
    pub message: String,
}

impl fmt::Display for Objection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.message, self.position)
    }
}

impl State {
    /// The values of the variables, in the order of their declaration.
    pub(super) fn slots(&self) -> &[Slot] {
        &self.slots
    }
}

impl Spec {
    /// Takes the parameters from an input.
    ///
    /// # Errors
    /// If the input lacks a parameter without a default or has one of another type, if an initial value or a range cannot
    /// be computed, or if there are too many of something.
    pub fn with(&self, input: &Data) -> Result<Instance, Problem> {
        let mut parameters = Vec::with_capacity(self.parameters.len());
        for parameter in &self.parameters {
            let mut path = parameter.path.iter();
            let found = path.try_fold(input, |data, step| data.get(step)).filter(|it| !it.is_null());
            let name = &parameter.name;
            let slot = match (found, &parameter.default) {
                (Some(data), _) => slot_of(data, parameter.of, parameter.is_list).ok_or_else(|| {
                    let many = if parameter.is_list { "a list of which each item is " } else { "" };
                    let message = format!("the input has {} for `{name}`", shorten(&data.to_string()));
                    let hint = format!("give {many}{}", parameter.of.words());
                    Problem::new(&parameter.position, ProblemKind::Input, message, hint)
                })?,
                (None, Some(default)) => default.clone(),
                (None, None) => {
                    let message = format!("the input has no `{}`", parameter.path.join("."));
                    let hint = "add it to the input, or give the parameter a default";
                    return Err(Problem::new(&parameter.position, ProblemKind::Input, message, hint));
                }
            };
            parameters.push(slot);
        }
        let mut instance = Instance {
            spec: Arc::new(self.clone()),
            parameters,
            initial: State { slots: Vec::new(), memories: Vec::new() },
            domains: Vec::new(),
            watches: Vec::new(),
        };
        instance.initial.slots = self.initial(instance.constants())?;
        instance.domains =
            self.events.iter().map(|event| instance.domains_of(event)).collect::<Result<_, _>>()?;
        instance.watches = instance.watches()?;
        instance.initial.memories = vec![0; instance.watches.len()];
        Ok(instance)
    }

    fn initial(&self, names: Environment<'_>) -> Result<Vec<Slot>, Problem> {
        let slot = |variable: &super::Variable| {
            let value = variable.initially.value(names)?;
            let Some(over) = &variable.over else { return Ok(Slot::One(value)) };
            let (first, count) = range(over, names)?;
            Ok(Slot::Many { first, values: vec![value; count] })
        };
        self.state.iter().map(slot).collect()
    }
}

impl Instance {
    /// The specification.
    pub fn spec(&self) -> &Spec {
        &self.spec
    }

    /// Its parameters, as the end of a sentence: ` for slots = 2`.
    pub(super) fn for_parameters(&self) -> String {
        let shown = |slot: &Slot| match slot {
            Slot::One(value) => value.to_string(),
            Slot::Many { values, .. } => {
                let all: Vec<String> = values.iter().map(ToString::to_string).collect();
                format!("[{}]", all.join(", "))
            }
        };
        let parameters = self.spec.parameters.iter().zip(&self.parameters);
        let all: Vec<String> =
            parameters.map(|(it, slot)| format!("{} = {}", it.name, shorten(&shown(slot)))).collect();
        if all.is_empty() { String::new() } else { format!(" for {}", all.join(", ")) }
    }

    fn constants(&self) -> Environment<'_> {
        Environment { parameters: &self.parameters, state: &[], arguments: &[] }
    }

    fn names<'a>(&'a self, state: &'a State, arguments: &'a [Value]) -> Environment<'a> {
        Environment { parameters: &self.parameters, state: &state.slots, arguments }
    }

    fn domains_of(&self, event: &Event) -> Result<Vec<Option<Vec<Value>>>, Problem> {
        let values = |argument: &super::Argument| {
            Ok(match &argument.domain {
                Domain::Open => None,
                Domain::Values(values) => Some(distinct(values)),
                Domain::List(parameter) => match &self.parameters[*parameter] {
                    Slot::Many { values, .. } => Some(distinct(values)),
                    Slot::One(value) => Some(vec![value.clone()]),
                },
                Domain::Range(over) => {
                    let (first, count) = range(over, self.constants())?;
                    Some((first..).take(count).map(Value::Integer).collect())
                }
            })
        };
        event.arguments.iter().map(values).collect()
    }

    fn watches(&self) -> Result<Vec<(usize, Watch)>, Problem> {
        let mut watches = Vec::new();
        for (index, constraint) in self.spec.constraints.iter().enumerate() {
            let domain = |&(event, argument): &(usize, usize)| self.domains[event][argument].as_deref();
            let domains: Vec<&[Value]> = constraint.variables().iter().filter_map(domain).collect();
            let all = product(&domains, MOST - watches.len()).ok_or_else(|| {
                let message = format!("this stands for more than {MOST} constraints");
                Problem::new(
                    &constraint.position,
                    ProblemKind::Limit,
                    message,
                    "use fewer or smaller variables",
                )
            })?;
            for values in all {
                watches.push((index, constraint.watch(&values, self.constants())?));
            }
        }
        Ok(watches)
    }

    /// Every letter that a word may have, in the order of the specification.
    ///
    /// # Errors
    /// If an argument has infinitely many values, or there are too many letters.
    pub fn alphabet(&self) -> Result<Vec<Letter>, Problem> {
        let mut letters = Vec::new();
        for (index, (event, domains)) in self.spec.events.iter().zip(&self.domains).enumerate() {
            let refuse = |message: String, hint: &str| {
                Problem::new(&event.position, ProblemKind::Limit, message, hint)
            };
            if let Some(open) = domains.iter().position(Option::is_none) {
                let message = format!("`{}` has infinitely many values", event.arguments[open].name);
                return Err(refuse(message, "to generate sequences, give it a range or a list"));
            }
            let domains: Vec<&[Value]> = domains.iter().flatten().map(Vec::as_slice).collect();
            let all = product(&domains, MOST - letters.len())
                .ok_or_else(|| refuse(format!("there are more than {MOST} events"), "use smaller ranges"))?;
            let letter = |arguments: Vec<Value>| Letter {
                event: index,
                name: event.name.clone(),
                arguments: arguments.into(),
            };
            letters.extend(all.into_iter().map(letter));
        }
        Ok(letters)
    }

    pub(super) fn initial(&self) -> &State {
        &self.initial
    }

    /// The state after an event, or why it may not happen.
    pub(super) fn step(&self, state: &State, letter: &Letter) -> Result<Result<State, Objection>, Problem> {
        let event = &self.spec.events[letter.event];
        for ((argument, domain), value) in
            event.arguments.iter().zip(&self.domains[letter.event]).zip(letter.arguments.iter())
        {
            if domain.as_ref().is_some_and(|domain| !domain.contains(value)) {
                let message = format!("{value} is not a value of `{}`", argument.name);
                return Ok(Err(Objection { position: event.position.clone(), message }));
            }
        }
        let names = self.names(state, &letter.arguments);
        if let Some(guard) = &event.when
            && !guard.condition.truth(names)?
        {
            let message = format!("`{letter}` may happen only when {}", guard.text);
            return Ok(Err(Objection { position: guard.position.clone(), message }));
        }
        let mut next =
            State { slots: state.slots.clone(), memories: Vec::with_capacity(state.memories.len()) };
        for ((index, watch), memory) in self.watches.iter().zip(&state.memories) {
            match watch.step(*memory, letter) {
                Some(memory) => next.memories.push(memory),
                None => return Ok(Err(self.broken(*index))),
            }
        }
        for update in &event.then {
            let value = update.value.value(names)?;
            let slot = &mut next.slots[update.variable];
            match &update.index {
                None => *slot = Slot::One(value),
                Some(index) => {
                    let number = index.integer(names)?;
                    match slot.get_mut(number) {
                        Some(place) => *place = value,
                        None => return Err(slot.out_of_range(index.position(), number)),
                    }
                }
            }
        }
        Ok(Ok(next))
    }

    /// Why a word may not end in a state; none if it may.
    pub(super) fn end(&self, state: &State) -> Result<Option<Objection>, Problem> {
        let mut watches = self.watches.iter().zip(&state.memories);
        if let Some(((index, _), _)) = watches.find(|((_, watch), memory)| !watch.may_end(**memory)) {
            return Ok(Some(self.broken(*index)));
        }
        let Some(accept) = &self.spec.accept else { return Ok(None) };
        Ok(if accept.condition.truth(self.names(state, &[]))? {
            None
        } else {
            let message = format!("a sequence may end only when {}", accept.text);
            Some(Objection { position: accept.position.clone(), message })
        })
    }

    fn broken(&self, constraint: usize) -> Objection {
        let constraint = &self.spec.constraints[constraint];
        Objection { position: constraint.position.clone(), message: constraint.text.clone() }
    }

    /// The `may` constraints, by the index of their watch, that the way to a state has shown.
    pub(super) fn shown(&self, state: &State) -> impl Iterator<Item = usize> {
        let watches = self.watches.iter().zip(&state.memories).enumerate();
        watches
            .filter(|(_, ((_, watch), memory))| watch.is_shown(**memory))
            .map(|(i, _)| i)
            .collect::<Vec<_>>()
            .into_iter()
    }

    /// Every `may` constraint: the index of its watch, its sentence and its place.
    pub fn permissions(&self) -> Vec<(usize, Objection)> {
        let is_may = |(_, (constraint, _)): &(usize, &(usize, Watch))| {
            matches!(self.spec.constraints[*constraint].form, super::constraint::Form::May { .. })
        };
        let watches = self.watches.iter().enumerate();
        watches.filter(is_may).map(|(i, (constraint, _))| (i, self.broken(*constraint))).collect()
    }

    /// The output that an execution should return if it ends in a state; none if any output is correct.
    pub(super) fn output(&self, state: &State) -> Result<Option<Data>, Problem> {
        let names = self.names(state, &[]);
        Ok(match &self.spec.output {
            None => None,
            Some(Output::Data(data)) => Some(data.clone()),
            Some(Output::Expression(expression)) => Some(data(&expression.value(names)?)),
            Some(Output::List(name)) => {
                let slot = match name {
                    Name::Parameter(i) => &self.parameters[*i],
                    Name::State(i) => &state.slots[*i],
                    Name::Argument(_) => unreachable!("there are no arguments at the end"),
                };
                let Slot::Many { values, .. } = slot else { unreachable!("it is a list") };
                Some(values.iter().map(data).collect())
            }
        })
    }

    /// Whether the correct output of an execution depends on its sequence.
    pub(crate) fn output_depends_on_sequence(&self) -> bool {
        match &self.spec.output {
            Some(Output::Expression(expression)) => Expression::mentions_state(expression),
            Some(Output::List(name)) => matches!(name, Name::State(_)),
            _ => false,
        }
    }

    /// The output that every execution should return, whatever its sequence; none if any output is correct.
    pub(crate) fn fixed_output(&self) -> Result<Option<Data>, Problem> {
        self.output(&self.initial)
    }

    /// The position of `hidden`, if the specification has it: then every event that is not listed there counts.
    pub(super) fn hidden_at(&self) -> Position {
        let first = self.spec.hidden.as_ref().and_then(|hidden| hidden.first()).map(|it| it.position.clone());
        first.unwrap_or(Position { file: self.spec.file.clone(), line: 1, column: 1 })
    }

    /// Whether an event of the program with an operation can be anything but hidden.
    pub fn may_read(&self, op: Op) -> bool {
        let mut matchers = self.spec.events.iter().flat_map(|event| &event.matchers);
        self.spec.hidden.is_some() || matchers.any(|it| it.may_mean(op))
    }

    /// How the specification reads an event of the program: as the first of its own events that matches.
    pub fn reading(&self, candidate: &ObservedEvent<'_>) -> Reading {
        let hides = |matchers: &Vec<super::Matcher>| matchers.iter().any(|it| it.matches(candidate));
        if self.spec.hidden.as_ref().is_some_and(hides) {
            return Reading::Hidden;
        }
        for (index, event) in self.spec.events.iter().enumerate() {
            let found =
                event.matchers.iter().find_map(|matcher| matcher.find(candidate, event.arguments.len()));
            if let Some(arguments) = found.and_then(|found| found.into_iter().collect()) {
                return Reading::Letter(Letter { event: index, name: event.name.clone(), arguments });
            }
        }
        if self.spec.hidden.is_some() { Reading::Unexpected } else { Reading::Hidden }
    }
}

/// How a specification reads an event of the program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reading {
    /// One of its events.
    Letter(Letter),
    /// A hidden event.
    Hidden,
    /// An event that is neither named nor hidden.
    Unexpected,
}

/// The value of a parameter in the input.
fn slot_of(data: &Data, of: Type, is_list: bool) -> Option<Slot> {
    let value = |it: &Data| value_of(it).filter(|value| Type::of(value) == of);
    match data {
        Data::Array(all) if is_list => {
            Some(Slot::Many { first: 0, values: all.iter().map(value).collect::<Option<_>>()? })
        }
        _ if is_list => None,
        _ => value(data).map(Slot::One),
    }
}

fn data(value: &Value) -> Data {
    match value {
        Value::Boolean(it) => (*it).into(),
        Value::Integer(it) => (*it).into(),
        Value::Text(it) => it.as_str().into(),
    }
}

fn shorten(text: &str) -> String {
    if text.chars().count() <= 40 { text.to_owned() } else { text.chars().take(40).chain(['…']).collect() }
}

/// The values, each once, in the order of the list.
fn distinct(values: &[Value]) -> Vec<Value> {
    let mut seen = BTreeSet::new();
    values.iter().filter(|value| seen.insert(*value)).cloned().collect()
}

/// The first number of a range, and how many there are.
fn range(over: &[Expression; 2], names: Environment<'_>) -> Result<(i64, usize), Problem> {
    let [first, last] = [over[0].integer(names)?, over[1].integer(names)?];
    let count = (i128::from(last) - i128::from(first) + 1).max(0);
    match usize::try_from(count) {
        Ok(count) if count <= MOST => Ok((first, count)),
        _ => {
            let message = format!("{first}..{last} has more than {MOST} numbers");
            Err(Problem::new(over[0].position(), ProblemKind::Limit, message, "use a smaller range"))
        }
    }
}

/// Every way to choose one value of each domain, in order; none if there are more than `most`.
fn product(domains: &[&[Value]], most: usize) -> Option<Vec<Vec<Value>>> {
    let mut all = vec![Vec::new()];
    for domain in domains {
        if all.len().saturating_mul(domain.len()) > most {
            return None;
        }
        let longer = |start: Vec<Value>| {
            domain.iter().map(move |value| start.iter().cloned().chain([value.clone()]).collect::<Vec<_>>())
        };
        all = all.into_iter().flat_map(longer).collect();
    }
    (all.len() <= most).then_some(all)
}
