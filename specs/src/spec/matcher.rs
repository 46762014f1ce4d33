//! From the events of a program to those of a specification.
//!
//! A call and its completion are one event, which is where the completion is; a call without completion has not
//! happened. What a matcher does not mention may be anything, but that an `accept` or a `receive` is one that took a call
//! or a message, unless `from` says otherwise.

use std::fmt;

use super::pattern::{Found, Pattern};
use super::value::Type;
use crate::order::Order;
use crate::problem::Position;
use crate::sequence::{EventRef, Label, Op, Process, Value};

/// Which events of a program are meant.
#[derive(Clone, Debug)]
pub(crate) struct Matcher {
    pub(crate) position: Position,
    pub(crate) op: Option<Op>,
    pub(crate) on: Option<Pattern>,
    pub(crate) thread: Option<Pattern>,
    pub(crate) from: Option<Origin>,
    pub(crate) label: Option<Pattern>,
    pub(crate) value: Option<ValuePattern>,
}

/// What an event is to have taken.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// There was nothing.
    Nothing,
    /// Nobody was left who could send.
    Closed,
    /// Whatever it was, or was not.
    Anything,
    /// Something of such a thread.
    Thread(Pattern),
}

/// What a label may carry.
#[derive(Clone, Debug)]
pub(crate) enum ValuePattern {
    Exactly(Value),
    Argument(usize, Type),
    Text(Pattern),
}

/// An event of a program, with all that matchers look at.
#[derive(Clone, Debug)]
pub struct Happening<'a> {
    /// What happened.
    pub op: Op,
    /// The object that it is about.
    pub object: Option<Named<'a>>,
    /// Who did it: the thread, or those whose calls were completed.
    pub threads: Vec<Named<'a>>,
    /// What it took.
    pub took: Took<'a>,
    /// What the program called the moment.
    pub label: Option<&'a Label>,
}

/// What a thread or object goes by.
#[derive(Clone, Copy, Debug)]
pub struct Named<'a> {
    /// Its id in the sequence.
    pub id: &'a str,
    /// The name that the program gave it.
    pub name: Option<&'a str>,
}

/// What an event took.
#[derive(Clone, Debug)]
pub enum Took<'a> {
    /// There was nothing, or it takes nothing.
    Nothing,
    /// Nobody was left who could send.
    Closed,
    /// Events of these threads.
    Threads(Vec<Named<'a>>),
}

impl<'a> From<&'a Process> for Named<'a> {
    fn from(process: &'a Process) -> Self {
        Named { id: &process.id, name: process.name.as_deref() }
    }
}

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name.unwrap_or_else(|| self.id.rsplit('/').next().unwrap_or_default()))
    }
}

/// The event for people: `accept on entry1 by server`.
impl fmt::Display for Happening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.op.word())?;
        if let Some(label) = self.label {
            write!(f, " {}", label.text)?;
        }
        if let Some(object) = self.object {
            write!(f, " on {object}")?;
        }
        let threads = self.threads.iter().enumerate();
        threads
            .into_iter()
            .try_for_each(|(i, thread)| write!(f, " {} {thread}", if i == 0 { "by" } else { "and" }))
    }
}

/// The events of an execution that may be in a word, in the canonical order.
pub fn happenings<'s>(order: &Order<'s>) -> Vec<(EventRef, Happening<'s>)> {
    happenings_among(order, |_| true).collect()
}

/// Those of them with some operations.
pub(super) fn happenings_among<'o, 's>(
    order: &'o Order<'s>,
    is_wanted: impl Fn(Op) -> bool + 'o,
) -> impl Iterator<Item = (EventRef, Happening<'s>)> + 'o {
    let wanted = order.line().iter().filter(move |&&at| is_wanted(order.sequence().event(at).op));
    wanted.filter_map(|&at| Some((at, happening(order, at)?)))
}

fn happening<'s>(order: &Order<'s>, at: EventRef) -> Option<Happening<'s>> {
    let sequence = order.sequence();
    let event = sequence.event(at);
    let is_thread = sequence.is_thread(at.process);
    if order.completion(at).is_some() || event.op == Op::Select {
        return None;
    }
    let object = event.object.map(|object| &sequence.processes[object]);
    // A handle for receiving that is not the only one is dropped without a completion.
    let is_call =
        event.op != Op::DropReceiver && object.is_some_and(|object| object.kind.completes(event.op));
    if is_thread && is_call {
        return None;
    }
    let named = |at: EventRef| Named::from(&sequence.processes[at.process]);
    let took = |threads: Vec<Named<'s>>| match threads.is_empty() {
        true if event.pick.partners().is_empty() => Took::Nothing,
        true => Took::Closed,
        false => Took::Threads(threads),
    };
    let (threads, took) = if is_thread {
        let partners = event.pick.partners().iter().filter(|it| sequence.is_thread(it.process));
        (vec![named(at)], took(partners.map(|&it| named(it)).collect()))
    } else {
        let callers: Vec<Named<'s>> = order.completed(at).map(named).collect();
        (callers.clone(), took(callers))
    };
    Some(Happening {
        op: event.op,
        object: object.map(Named::from),
        threads,
        took,
        label: event.label.as_ref(),
    })
}

impl Matcher {
    /// The names of threads, objects and labels that it looks for.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        [&self.on, &self.thread, &self.label].into_iter().flatten().map(Pattern::text)
    }

    /// Whether it gives an argument its value.
    pub(super) fn binds(&self, argument: usize) -> bool {
        let from =
            self.from.as_ref().and_then(|from| if let Origin::Thread(it) = from { Some(it) } else { None });
        let patterns = [self.on.as_ref(), self.thread.as_ref(), from, self.label.as_ref()];
        let value = match &self.value {
            Some(ValuePattern::Argument(it, _)) => *it == argument,
            Some(ValuePattern::Text(pattern)) => pattern.binds(argument),
            _ => false,
        };
        value || patterns.into_iter().flatten().any(|pattern| pattern.binds(argument))
    }

    /// Whether it can mean an event with an operation.
    pub(crate) fn may_mean(&self, op: Op) -> bool {
        let is_label = self.label.is_some() || self.value.is_some();
        self.op.is_none_or(|it| it == op) && (!is_label || op == Op::Label)
    }

    /// Whether the event is meant, by a matcher without arguments.
    pub(crate) fn matches(&self, event: &Happening<'_>) -> bool {
        self.find(event, 0).is_some()
    }

    /// The so many arguments of the event, if it is meant.
    pub(super) fn find(&self, event: &Happening<'_>, arguments: usize) -> Option<Found> {
        if self.op.is_some_and(|op| op != event.op) {
            return None;
        }
        let any = |pattern: &Pattern, named: &[Named<'_>], found: &Found| {
            named.iter().find_map(|&it| pattern.find(it, found))
        };
        let mut found = vec![None; arguments];
        if let Some(pattern) = &self.on {
            found = pattern.find(event.object?, &found)?;
        }
        if let Some(pattern) = &self.thread {
            found = any(pattern, &event.threads, &found)?;
        }
        match (&self.from, &event.took) {
            (None, Took::Nothing | Took::Closed) => {
                (!matches!(event.op, Op::Accept | Op::Receive)).then_some(())?;
            }
            (None, Took::Threads(_)) | (Some(Origin::Anything), _) => {}
            (Some(Origin::Nothing), Took::Nothing) | (Some(Origin::Closed), Took::Closed) => {}
            (Some(Origin::Thread(pattern)), Took::Threads(threads)) => found = any(pattern, threads, &found)?,
            _ => return None,
        }
        if let Some(pattern) = &self.label {
            found = pattern.find_in(&event.label?.text, &found)?;
        }
        if let Some(pattern) = &self.value {
            let value = event.label?.value.as_ref()?;
            found = pattern.find(value, found)?;
        }
        Some(found)
    }
}

impl ValuePattern {
    fn find(&self, value: &Value, mut found: Found) -> Option<Found> {
        match (self, value) {
            (ValuePattern::Exactly(it), _) => (it == value).then_some(found),
            (ValuePattern::Text(pattern), Value::Text(text)) => pattern.find_in(text, &found),
            (ValuePattern::Text(_), _) => None,
            (ValuePattern::Argument(argument, of), _) => {
                if Type::of(value) != *of || found[*argument].as_ref().is_some_and(|known| known != value) {
                    return None;
                }
                found[*argument] = Some(value.clone());
                Some(found)
            }
        }
    }
}
