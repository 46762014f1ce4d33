//! The names that a program gives to its threads, objects and labels.

use std::collections::{BTreeMap, BTreeSet};

use insyn_sequences::{Named, Sequence};

use crate::spec::Pattern;

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

    /// Whether a thread or an object has an id.
    pub(crate) fn has_id(&self, id: &str) -> bool {
        self.processes.contains_key(id)
    }

    fn processes(&self) -> impl Iterator<Item = Named<'_>> {
        self.processes
            .iter()
            .flat_map(|(id, names)| names.iter().map(move |name| Named { id, name: name.as_deref() }))
    }

    /// Whether a pattern matches a thread or an object.
    pub(crate) fn has_process(&self, pattern: &Pattern) -> bool {
        self.processes().any(|it| pattern.may_match(it))
    }

    /// Whether a pattern matches a label.
    pub(crate) fn has_label(&self, pattern: &Pattern) -> bool {
        self.labels.iter().any(|it| pattern.may_match(Named { id: it, name: None }))
    }

    /// All names, for hints. An object with several names is listed under each.
    pub(crate) fn all(&self) -> BTreeSet<String> {
        let each = |it: Named<'_>| it.to_string().split('/').map(str::to_owned).collect::<Vec<_>>();
        self.processes().flat_map(each).chain(self.labels.iter().cloned()).collect()
    }
}
