//! Names in tests that nothing in the program goes by: a sequence that asks for them is infeasible, but hardly as meant.

use std::collections::BTreeSet;

use super::{Step, StepKind, TestSequence};
use crate::problem::{Position, Problem, ProblemKind, did_you_mean};
use crate::sequence::Sequence;
use crate::spec::{Named, Origin, Pattern, Spec};

impl TestSequence {
    /// The first name in its steps that no thread, object or label has in these executions.
    pub fn unknown_name(&self, spec: Option<&Spec>, executions: &[&Sequence]) -> Option<Problem> {
        let names = Names::of(executions);
        self.steps().iter().find_map(|step| {
            let name = step.names(spec.is_some()).into_iter().find_map(|(kind, pattern)| {
                let is_known = match kind {
                    Kind::Process => names.processes.iter().any(|&it| pattern.matches(it)),
                    Kind::Label => {
                        names.labels.iter().any(|it| pattern.matches(Named { id: it, name: None }))
                    }
                };
                (!is_known).then(|| pattern.text().to_owned())
            })?;
            let position =
                step.position().cloned().unwrap_or(Position { file: "".into(), line: 1, column: 1 });
            let all = names.all();
            let hint = did_you_mean(&name, all.iter().map(String::as_str));
            let message = format!("nothing in the program was called `{name}`");
            Some(Problem::new(&position, ProblemKind::Unknown, message, hint))
        })
    }
}

/// What a name may be of.
#[derive(Clone, Copy)]
enum Kind {
    Process,
    Label,
}

impl Step {
    /// The names that it looks for.
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

/// What threads, objects and labels were called.
struct Names<'s> {
    processes: Vec<Named<'s>>,
    labels: BTreeSet<&'s str>,
}

impl<'s> Names<'s> {
    fn of(executions: &[&'s Sequence]) -> Self {
        let processes = || executions.iter().flat_map(|sequence| &sequence.processes);
        let events = processes().flat_map(|process| &process.events);
        Names {
            processes: processes().map(Named::from).collect(),
            labels: events
                .filter_map(|event| event.label.as_ref())
                .map(|label| label.text.as_str())
                .collect(),
        }
    }

    fn all(&self) -> BTreeSet<String> {
        let processes = self.processes.iter().map(ToString::to_string);
        processes.chain(self.labels.iter().map(ToString::to_string)).collect()
    }
}
