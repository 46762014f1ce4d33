//! Which events of a specification were observed, to warn about those that match nothing in the program.

use std::collections::BTreeSet;

use insyn_sequences::Sequence;

use crate::problem::{Position, Problem, ProblemKind, did_you_mean, nearest};
use crate::spec::Spec;
use crate::word::Letter;

/// How many names are kept, for hints.
const MOST_NAMES: usize = 1000;

/// The events of a specification that executions did, and the names in these executions.
#[derive(Clone, Debug, Default)]
pub struct Sightings {
    /// The events that executions did, by their places in the specification.
    done: BTreeSet<usize>,
    /// The names of threads, objects and labels.
    names: BTreeSet<String>,
}

impl Sightings {
    /// Observes an execution: its letters, and its sequence.
    pub fn observe(&mut self, letters: &[Letter], sequence: &Sequence) {
        self.done.extend(letters.iter().map(|letter| letter.event));
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
