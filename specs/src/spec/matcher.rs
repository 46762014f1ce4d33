//! From the events of a program to those of a specification.
//!
//! A field that a matcher leaves out matches anything, except that an `accept` or a `receive` must have taken a call
//! or a message, unless `from` says otherwise.

use insyn_sequences::{Named, ObservedEvent, Op, Took, Value};

use super::pattern::{Found, Pattern};
use super::value::Type;
use crate::problem::Position;

/// Which events of a program match.
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

/// What an event must have taken.
#[derive(Clone, Debug)]
pub(crate) enum Origin {
    /// Nothing was available.
    Nothing,
    /// No thread was left that could send.
    Closed,
    /// Anything, or nothing.
    Anything,
    /// A message or call of a thread with such a name.
    Thread(Pattern),
}

/// The value that a label must carry.
#[derive(Clone, Debug)]
pub(crate) enum ValuePattern {
    Exactly(Value),
    Argument(usize, Type),
    Text(Pattern),
}

impl Matcher {
    /// The names of threads, objects and labels that it matches.
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

    /// Whether it can match an event with this operation.
    pub(crate) fn may_mean(&self, op: Op) -> bool {
        let is_label = self.label.is_some() || self.value.is_some();
        self.op.is_none_or(|it| it == op) && (!is_label || op == Op::Label)
    }

    /// Whether it matches an event; for a matcher without arguments.
    pub(crate) fn matches(&self, event: &ObservedEvent<'_>) -> bool {
        self.find(event, 0).is_some()
    }

    /// The values of so many `arguments` in an event, if it matches.
    pub(super) fn find(&self, event: &ObservedEvent<'_>, arguments: usize) -> Option<Found> {
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
