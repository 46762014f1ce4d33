//! Which events of a specification were observed, to warn about those that match nothing in the program.

use std::collections::BTreeSet;

use insyn_sequences::{Op, Sequence};

use crate::names::Names;
use crate::problem::{Position, Problem, ProblemKind, did_you_mean, nearest};
use crate::spec::{Instance, Matcher, Origin, Spec};
use crate::word::Letter;

/// How many states of a specification are visited in search of an event.
const MOST_STATES: usize = 10_000;

/// How many names are kept, for hints.
const MOST_NAMES: usize = 1000;

/// The events of a specification that executions did, and the names in these executions.
#[derive(Clone, Debug, Default)]
pub struct Sightings {
    /// The events that executions did, by their places in the specification.
    done: BTreeSet<usize>,
    /// The names of threads, objects and labels.
    names: BTreeSet<String>,
    /// The same, to be matched by patterns.
    known: Names,
    ops: BTreeSet<Op>,
}

impl Sightings {
    /// Observes an execution: its letters, and its sequence.
    pub fn observe(&mut self, letters: &[Letter], sequence: &Sequence) {
        self.done.extend(letters.iter().map(|letter| letter.event));
        self.known.add(sequence);
        self.ops.extend(sequence.processes.iter().flat_map(|it| &it.events).map(|event| event.op));
        for process in &sequence.processes {
            let labels =
                process.events.iter().filter_map(|event| event.label.as_ref()).map(|it| it.text.clone());
            let id = process.id.rsplit('/').next().unwrap_or_default().to_owned();
            // An object with several names matches by each of them.
            let names = process.name.iter().flat_map(|name| name.split('/')).map(str::to_owned);
            for name in labels.chain(names).chain([id]) {
                self.names.insert(name);
                if self.names.len() > MOST_NAMES {
                    self.names.pop_last();
                }
            }
        }
    }

    /// The events of a specification that no execution did, each with the nearest name. `all` is whether there are no
    /// other executions.
    pub fn unmatched(&self, spec: &Spec, all: bool) -> Vec<Problem> {
        // A program that has not run shows nothing.
        if self.names.is_empty() {
            return Vec::new();
        }
        let events = spec.matched_by().enumerate().filter(|(index, _)| !self.done.contains(index));
        events.map(|(_, event)| self.warning(event, all)).collect()
    }

    /// The events that a valid sequence may have, but that match nothing in the program: a name or an operation in `match`
    /// does not exist there. All executions must have been observed. An event that may never happen (`when: false`) is
    /// not among them: that the program does not have it is what the specification says.
    ///
    /// # Errors
    /// If an expression of the specification cannot be computed.
    pub fn unknown(&self, instance: &Instance) -> Result<Vec<Problem>, Problem> {
        let mut all = Vec::new();
        // A program that has not run shows nothing.
        if self.names.is_empty() {
            return Ok(all);
        }
        for (event, (name, position, _)) in instance.spec().matched_by().enumerate() {
            if self.done.contains(&event) {
                continue;
            }
            let missing: Vec<_> = instance.spec().matchers(event).map(|it| self.missing(it)).collect();
            // Another way to match it may still be right.
            let Some(Some((what, hint))) = missing.iter().find(|it| it.is_some()) else { continue };
            if missing.iter().all(Option::is_some) && instance.reaches(event, MOST_STATES)? {
                let message = format!("the program has no event `{name}`: {what}");
                all.push(Problem::new(position, ProblemKind::Unknown, message, hint.clone()));
            }
        }
        Ok(all)
    }

    /// The part of a matcher that nothing in the program has, and what may be meant.
    fn missing(&self, matcher: &Matcher) -> Option<(String, String)> {
        let from = match &matcher.from {
            Some(Origin::Thread(pattern)) => Some(pattern),
            _ => None,
        };
        let known = self.known.all();
        let near = |name: &str| did_you_mean(name, known.iter().map(String::as_str));
        let processes = [matcher.on.as_ref(), matcher.thread.as_ref(), from].into_iter().flatten();
        let process = processes.into_iter().find(|it| !self.known.has_process(it));
        let label = matcher.label.as_ref().filter(|it| !self.known.has_label(it));
        match (process.or(label), matcher.op.filter(|op| !self.ops.contains(op))) {
            (Some(pattern), _) => {
                let name = pattern.text();
                Some((format!("nothing in it is named `{}`", name.escape_debug()), near(name)))
            }
            (None, Some(op)) => {
                let ops: Vec<&str> = self.ops.iter().map(|op| op.word()).collect();
                Some((format!("nothing in it does `{}`", op.word()), did_you_mean(op.word(), ops)))
            }
            (None, None) => None,
        }
    }

    fn warning(&self, (name, position, patterns): (&str, &Position, Vec<&str>), all: bool) -> Problem {
        let names = || self.names.iter().map(String::as_str);
        let is_known = |it: &str| it.split('/').all(|name| self.names.contains(name));
        let unknown: Vec<&&str> = patterns.iter().filter(|it| !is_known(it)).collect();
        let near = unknown.iter().find_map(|it| nearest(it, names()));
        let hint = match near {
            Some(near) => format!("did you mean `{near}`?"),
            None if unknown.is_empty() && !patterns.is_empty() => {
                "its names exist in the program, but no such operation happens on them".to_owned()
            }
            None => did_you_mean("", names()),
        };
        let which = if all { "no execution" } else { "none of the observed executions" };
        Problem::new(position, ProblemKind::Unknown, format!("{which} does `{name}`"), hint)
    }
}
