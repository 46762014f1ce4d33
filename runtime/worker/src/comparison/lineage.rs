//! Which sequence an execution is a variant of.

/// The ancestors of the latest execution, from the first on. One worker shows executions depth first, so no more has to be
/// remembered to know what each execution is a variant of.
#[derive(Default)]
pub(super) struct Lineage(Vec<Ancestor>);

pub(super) enum Ancestor {
    /// Its place in the order of discovery.
    Sequence(usize),
    /// A repeat or an inconsistent run, with the events that its variant changed. Its variants count as variants of the
    /// nearest ancestor that is a sequence, changed in all these events.
    Uncounted(Vec<String>),
}

impl Lineage {
    /// Moves to an execution that has this many ancestors.
    pub(super) fn climb(&mut self, ancestors: usize) {
        self.0.truncate(ancestors);
    }

    pub(super) fn put(&mut self, ancestor: Ancestor) {
        self.0.push(ancestor);
    }

    /// The nearest ancestor that is a sequence.
    pub(super) fn parent(&self) -> Option<usize> {
        self.0.iter().rev().find_map(|it| match it {
            Ancestor::Sequence(place) => Some(*place),
            Ancestor::Uncounted(_) => None,
        })
    }

    /// The events that were changed since that ancestor.
    pub(super) fn changes(&self) -> impl Iterator<Item = &String> {
        let after = self.0.iter().rposition(|it| matches!(it, Ancestor::Sequence(_))).map_or(0, |at| at + 1);
        self.0[after..].iter().flat_map(|it| match it {
            Ancestor::Sequence(_) => &[][..],
            Ancestor::Uncounted(changes) => changes,
        })
    }
}
