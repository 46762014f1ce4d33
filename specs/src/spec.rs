//! Specifications: which sequences are valid, written in YAML.
//!
//! ```yaml
//! insyn: spec
//! version: 1
//! about: A buffer that holds no more than it has room for.
//! parameters: {capacity: 2, items: 3}      # from the input, else these
//! state: {full: 0, deposited: 0}
//! events:
//!   deposit:
//!     match: {entry: deposit}
//!     when: full < capacity and deposited < items
//!     then: {full: full + 1, deposited: deposited + 1}
//!   withdraw:
//!     match: {entry: withdraw}
//!     when: full > 0
//!     then: {full: full - 1}
//! accept: deposited == items and full == 0
//! constraints:
//! - deposit precedes each withdraw
//! ```
//!
//! | key | meaning | if left out |
//! |---|---|---|
//! | `parameters` | names that take their values from the input | none |
//! | `state` | variables and their initial values | none |
//! | `events` | the events that words are made of: which events of the program they are (`match`), their `arguments`, in which state they may happen (`when`) and what they change (`then`; all at once) | is required |
//! | `hidden` | events of the program that do not count; then any that is neither in `events` nor in `hidden` is invalid | all that are not in `events` |
//! | `accept` | in which state a sequence may end | in any |
//! | `constraints` | what must, may and must never follow what | none |
//! | `conformance` | `equal`: feasible and valid are the same; `subset`: every feasible sequence is valid; `superset`: every valid one is feasible | `equal` |
//! | `expect` | the `termination` and the `output` of every execution | a normal end, any output |
//!
//! A specification judges sequences and generates words once its parameters are known: see [`Instance`].

use std::sync::Arc;

use insyn_sequences::{Termination, Value};
use insyn_verdicts::Conformance;

use crate::problem::{Position, Problem, ProblemKind};
use crate::reader::Reader;

mod constraint;
mod contradiction;
mod declarations;
mod events;
mod expression;
mod generate;
mod graph;
mod instance;
mod judge;
mod lexer;
mod matcher;
mod orders;
mod pattern;
mod poset;
mod read;
mod value;

pub(crate) use events::{call_of, matcher_of, pattern};
pub use generate::{Bounds, Generated, Words};
pub use graph::{Graph, GraphEdge, GraphState};
pub use instance::{Instance, Objection, Reading};
pub use judge::{BadWord, Judged, Verdict};
pub(crate) use lexer::is_name;
pub(crate) use matcher::{Matcher, Origin, ValuePattern};
pub use orders::Orders;
pub(crate) use pattern::Pattern;
pub use poset::{Extensions, Poset};
pub use value::Type;

use constraint::Constraint;
use expression::{Expression, Name};
use value::Slot;

/// A specification that has been read and checked.
#[derive(Clone, Debug)]
pub struct Spec {
    file: Arc<str>,
    about: Option<String>,
    program: Option<(String, Position)>,
    parameters: Vec<Parameter>,
    state: Vec<Variable>,
    events: Vec<Event>,
    hidden: Option<Vec<Matcher>>,
    accept: Option<Guard>,
    constraints: Vec<Constraint>,
    conformance: Conformance,
    terminations: Vec<Termination>,
    output: Option<Output>,
}

#[derive(Clone, Debug)]
struct Parameter {
    name: String,
    position: Position,
    of: Type,
    is_list: bool,
    /// Where it is in the input, from outer to inner.
    path: Vec<String>,
    default: Option<Slot>,
}

#[derive(Clone, Debug)]
struct Variable {
    name: String,
    initially: Expression,
    /// For a family: the least and the greatest index.
    over: Option<[Expression; 2]>,
}

/// An expression that is a condition, and its text.
#[derive(Clone, Debug)]
struct Guard {
    position: Position,
    text: String,
    condition: Expression,
}

#[derive(Clone, Debug)]
pub(crate) struct Event {
    name: Arc<str>,
    position: Position,
    arguments: Vec<Argument>,
    matchers: Vec<Matcher>,
    when: Option<Guard>,
    then: Vec<Update>,
}

#[derive(Clone, Debug)]
pub(crate) struct Argument {
    name: String,
    of: Type,
    domain: Domain,
}

/// The values of an argument.
#[derive(Clone, Debug)]
enum Domain {
    Open,
    Values(Vec<Value>),
    Range([Expression; 2]),
    /// Those in a parameter.
    List(usize),
}

impl Domain {
    fn is_finite(&self) -> bool {
        !matches!(self, Domain::Open)
    }
}

/// A state variable and its next value.
#[derive(Clone, Debug)]
struct Update {
    variable: usize,
    index: Option<Expression>,
    value: Expression,
}

/// What an execution should return.
#[derive(Clone, Debug)]
enum Output {
    Data(serde_json::Value),
    Expression(Expression),
    /// All values of a name.
    List(Name),
}

impl Spec {
    /// Reads the text of a file. Any text yields a specification or a problem, in bounded time and memory.
    ///
    /// # Errors
    /// The first problem in the file, with its position.
    pub fn read(file: &str, text: &str) -> Result<Spec, Problem> {
        let (reader, node) = Reader::open(file, text, "spec")?;
        let spec = read::spec(&reader, &node)?;
        contradiction::check(&spec)?;
        Ok(spec)
    }

    /// The name of its file.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// Its description of itself.
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// The program that it is for, if it names one.
    pub fn program(&self) -> Option<&str> {
        self.program.as_ref().map(|(name, _)| name.as_str())
    }

    /// Refuses to be used for another program than the one that it names: `path` is the crate, modules and function of the
    /// program.
    ///
    /// # Errors
    /// If the name in the file is neither the path nor the end of it.
    pub fn is_for(&self, path: &str) -> Result<(), Problem> {
        let Some((name, position)) = &self.program else { return Ok(()) };
        if path.strip_suffix(name.as_str()).is_some_and(|before| before.is_empty() || before.ends_with("::"))
        {
            return Ok(());
        }
        let message =
            format!("this specification is for program `{}`, not for `{path}`", name.escape_debug());
        let hint = "use the specification of that program, or remove the line if this one is for both";
        Err(Problem::new(position, ProblemKind::Header, message, hint))
    }

    /// How feasible and valid sequences should compare.
    pub fn conformance(&self) -> Conformance {
        self.conformance
    }

    /// The names of its events, in the order of the file.
    pub fn events(&self) -> impl Iterator<Item = &str> {
        self.events.iter().map(|event| &*event.name)
    }

    /// For each event its name, its place, and the names of threads, objects and labels that it matches.
    pub(crate) fn matched_by(&self) -> impl Iterator<Item = (&str, &Position, Vec<&str>)> {
        self.events.iter().map(|event| {
            let patterns = event.matchers.iter().flat_map(Matcher::names).collect();
            (&*event.name, &event.position, patterns)
        })
    }

    /// What an event matches, by its place in the file.
    pub(crate) fn matchers(&self, event: usize) -> impl Iterator<Item = &Matcher> {
        self.events[event].matchers.iter()
    }

    /// Finds an event by its name, with the types of its arguments.
    pub(crate) fn event(&self, name: &str) -> Option<(usize, impl Iterator<Item = Type>)> {
        let index = self.events.iter().position(|event| *event.name == *name)?;
        Some((index, self.events[index].arguments.iter().map(|argument| argument.of)))
    }

    /// How executions may end.
    pub fn terminations(&self) -> &[Termination] {
        &self.terminations
    }
}
