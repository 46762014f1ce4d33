//! Names in tests that do not exist in the program: a sequence with such a name is infeasible, but probably by mistake.

use super::{Step, StepKind, TestSequence};
use crate::names::Names;
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
            let unknown = sequence.processes.iter().find(|it| !names.has_id(&it.id));
            return unknown.map(|it| problem(&it.id, None));
        }
        self.steps().iter().find_map(|step| {
            let mut wanted = step.names(spec.is_some()).into_iter();
            let (_, pattern) = wanted.find(|(kind, pattern)| !kind.has(names, pattern))?;
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

impl Kind {
    fn has(self, names: &Names, pattern: &Pattern) -> bool {
        match self {
            Kind::Process => names.has_process(pattern),
            Kind::Label => names.has_label(pattern),
        }
    }
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
