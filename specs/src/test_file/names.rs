//! Names in tests that do not exist in the program: a sequence with such a name is infeasible, but probably by mistake.

use std::collections::{BTreeMap, BTreeSet};

use insyn_sequences::{Named, Sequence};

use super::{Step, StepKind, TestSequence};
use crate::problem::{Position, Problem, ProblemKind, did_you_mean};
use crate::spec::{Origin, Pattern, Spec};

impl TestSequence {
    /// The first name in it that no thread, object or label has; `place` is the position of the test.
    pub fn unknown_name(
        &self,
        spec: Option<&Spec>,
        names: &Names,
        place: Option<&Position>,
    ) -> Option<Problem> {
        let nowhere = || Position { file: "".into(), line: 1, column: 1 };
        let problem = |name: &str, position: Option<&Position>| {
            let position = position.or(place).cloned().unwrap_or_else(nowhere);
            let all = names.all();
            let hint = did_you_mean(name, all.iter().map(String::as_str));
            let message = format!("nothing in the program is named `{name}`");
            Problem::new(&position, ProblemKind::Unknown, message, hint)
        };
        if let TestSequence::Recorded(sequence) = self {
            let unknown = sequence.processes.iter().find(|it| !names.processes.contains_key(&it.id));
            return unknown.map(|it| problem(&it.id, None));
        }
        self.steps().iter().find_map(|step| {
            let mut wanted = step.names(spec.is_some()).into_iter();
            let (_, pattern) = wanted.find(|(kind, pattern)| !names.know(*kind, pattern))?;
            Some(problem(pattern.text(), step.position()))
        })
    }
}

/// What a name can belong to.
#[derive(Clone, Copy)]
enum Kind {
    Process,
    Label,
}

impl Step {
    /// The names that it matches.
    fn names(&self, has_spec: bool) -> Vec<(Kind, Pattern)> {
        let process = |pattern: &Pattern| (Kind::Process, pattern.clone());
        match &self.kind {
            StepKind::Abstract { name, thread, .. } => {
                let label = (!has_spec).then(|| (Kind::Label, Pattern::plain(name)));
                thread.iter().map(process).chain(label).collect()
            }
            StepKind::Concrete(matcher) => {
                let from = match &matcher.from {
                    Some(Origin::Thread(pattern)) => Some(pattern),
                    _ => None,
                };
                let processes = [matcher.on.as_ref(), matcher.thread.as_ref(), from];
                let labels = matcher.label.iter().map(|pattern| (Kind::Label, pattern.clone()));
                processes.into_iter().flatten().map(process).chain(labels).collect()
            }
        }
    }
}

/// The names of threads, objects and labels in executions.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// By id.
    processes: BTreeMap<String, BTreeSet<Option<String>>>,
    labels: BTreeSet<String>,
}

impl Names {
    /// Adds the names of another execution.
    pub fn add(&mut self, sequence: &Sequence) {
        for process in &sequence.processes {
            let known = self.processes.get(&process.id);
            if !known.is_some_and(|names| names.contains(&process.name)) {
                self.processes.entry(process.id.clone()).or_default().insert(process.name.clone());
            }
            for label in process.events.iter().filter_map(|event| event.label.as_ref()) {
                if !self.labels.contains(&label.text) {
                    self.labels.insert(label.text.clone());
                }
            }
        }
    }

    fn processes(&self) -> impl Iterator<Item = Named<'_>> {
        self.processes
            .iter()
            .flat_map(|(id, names)| names.iter().map(move |name| Named { id, name: name.as_deref() }))
    }

    fn know(&self, kind: Kind, pattern: &Pattern) -> bool {
        match kind {
            Kind::Process => self.processes().any(|it| pattern.matches(it)),
            Kind::Label => self.labels.iter().any(|it| pattern.matches(Named { id: it, name: None })),
        }
    }

    /// All names, for hints. An object with several names is listed under each.
    fn all(&self) -> BTreeSet<String> {
        let each = |it: Named<'_>| it.to_string().split('/').map(str::to_owned).collect::<Vec<_>>();
        self.processes().flat_map(each).chain(self.labels.iter().cloned()).collect()
    }
}
