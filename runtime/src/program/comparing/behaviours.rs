//! All that a program does, as far as a mutant and its original are compared by it; and which of it is a variant of what.
//!
//! Without a specification a behaviour is a complete sequence, of which a fingerprint is kept. With one it is what the
//! specification sees of it: letters in a partial order, whose linear extensions are its words.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use insyn_specs::file::SequenceFile;
use insyn_specs::spec::{Instance, Poset};
use insyn_specs::{Sequence, Word};

use super::super::function::Bound;
use super::super::output;
use super::super::protocol::Outcome;
use crate::ended::Ended;
use crate::explorer::{Explorer, fingerprint};
use crate::failure::Termination;
use crate::results::Exploration;

/// A sequence, as far as programs are compared by it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Key {
    /// What a specification sees of it.
    Abstract(Poset),
    /// All of it: there is no specification, or it has no words for it.
    Complete(u128),
}

/// How an execution ended.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Ending {
    termination: Termination,
    /// As JSON.
    output: Option<String>,
}

impl Ending {
    pub(super) fn new(termination: Termination, output: Option<String>) -> Self {
        Ending { termination, output }
    }

    pub(super) fn outcome(&self) -> Outcome {
        Outcome { termination: self.termination.to_string(), output: output(self.output.as_deref()) }
    }

    pub(super) fn termination(&self) -> Termination {
        self.termination
    }

    pub(super) fn output(&self) -> Option<&str> {
        self.output.as_deref()
    }

    pub(super) fn has_termination_of(&self, other: &Ending) -> bool {
        self.termination == other.termination
    }

    pub(super) fn is_cut(&self) -> bool {
        self.termination == Termination::StepBound
    }
}

/// An execution that is kept whole.
pub(super) struct Kept {
    pub(super) key: Key,
    /// The sequence, with its races.
    pub(super) file: SequenceFile,
    /// The events that the variant changed, by their names.
    pub(super) changes: Vec<String>,
}

impl Kept {
    pub(super) fn sequence(&self) -> &Sequence {
        &self.file.sequence
    }
}

/// What a program does.
#[derive(Default)]
pub(super) struct Behaviours {
    pub(super) endings: BTreeMap<Key, BTreeSet<Ending>>,
    /// For each sequence its place in the order of their discovery, and that of the one that it is a variant of.
    pub(super) origins: BTreeMap<Key, (usize, Option<usize>)>,
    /// Some executions, in the order of the exploration.
    pub(super) kept: Vec<Kept>,
    /// The most steps of an execution.
    pub(super) longest: u64,
    lineage: Lineage,
    round: u32,
    error: Option<String>,
}

/// Whether an execution is kept whole; the last is how many are.
type Keeping = dyn Fn(&Key, &Ending, usize) -> bool + Send + Sync;

impl Behaviours {
    /// Explores a program. Those executions are kept whole whose key is new, if `keep` says so.
    pub(super) fn of(
        explorer: &Explorer,
        instance: Option<&Arc<Instance>>,
        keep: Box<Keeping>,
        watch: impl Fn(&Ended<'_>) + Send + Sync + 'static,
        program: &Bound,
    ) -> Result<(Behaviours, Exploration), String> {
        let all = Arc::new(Mutex::new(Behaviours::default()));
        let observer = {
            let (all, instance) = (all.clone(), instance.cloned());
            move |ended: &Ended<'_>| {
                watch(ended);
                all.lock().unwrap_or_else(PoisonError::into_inner).see(ended, instance.as_deref(), &*keep);
            }
        };
        let program = program.clone();
        // Which executions are kept must not depend on who is faster.
        let exploration = explorer.clone().workers(1).observe(observer).explore(move || program());
        let behaviours = std::mem::take(&mut *all.lock().unwrap_or_else(PoisonError::into_inner));
        match behaviours.error {
            Some(error) => Err(error),
            None => Ok((behaviours, exploration)),
        }
    }

    fn see(&mut self, ended: &Ended<'_>, instance: Option<&Instance>, keep: &Keeping) {
        if ended.round() != self.round {
            *self = Behaviours { round: ended.round(), ..Behaviours::default() };
        }
        let counts = ended.counted() && ended.termination() != Termination::Nondeterminism;
        let path = ended.path();
        self.lineage.climb(path.len());
        if self.error.is_some() {
            return;
        }
        let sequence = ended.sequence();
        let names = |ended: &Ended<'_>| ended.changes().into_iter().map(|it| sequence.event_name(it));
        if !counts {
            self.lineage.put(Ancestor::Uncounted(names(ended).collect()));
            return;
        }
        self.longest = self.longest.max(ended.steps());
        let poset = match instance.map(|instance| instance.poset(&sequence)).transpose() {
            Ok(poset) => poset.filter(|poset| poset.unexpected().is_none()),
            Err(error) => {
                self.error = Some(error.to_string());
                return;
            }
        };
        let key = poset.map_or_else(|| Key::Complete(fingerprint(&sequence)), Key::Abstract);
        let ending = Ending::new(ended.termination(), ended.output());
        let place = self.origins.len();
        let &mut (place, _) = self.origins.entry(key.clone()).or_insert((place, self.lineage.parent()));
        let endings = self.endings.entry(key.clone()).or_default();
        if endings.insert(ending.clone()) && keep(&key, &ending, self.kept.len()) {
            let changes = self.lineage.changes().cloned().chain(names(ended)).collect();
            let races = ended.shown_race_table();
            let file = SequenceFile { sequence, races, ..SequenceFile::default() };
            self.kept.push(Kept { key, file, changes });
        }
        self.lineage.put(Ancestor::Sequence(place));
    }

    /// What can come of a word.
    pub(super) fn endings_of(&self, word: &Word) -> BTreeSet<Ending> {
        let mut all = BTreeSet::new();
        for (key, endings) in &self.endings {
            if let Key::Abstract(poset) = key
                && poset.has_word(word)
            {
                all.extend(endings.iter().cloned());
            }
        }
        all
    }

    /// How many events of a word it can do, from the first on.
    pub(super) fn follow(&self, word: &Word) -> usize {
        let posets = self.endings.keys().filter_map(|key| match key {
            Key::Abstract(poset) => Some(poset.follow(word)),
            Key::Complete(_) => None,
        });
        posets.max().unwrap_or(0)
    }
}

/// The executions that the latest one descends from, from the first on. One worker shows executions depth first, so this is
/// all that has to be remembered to know what each is a variant of.
#[derive(Default)]
struct Lineage(Vec<Ancestor>);

enum Ancestor {
    /// Its place in the order of discovery.
    Sequence(usize),
    /// A repeat, or a run that no real program could do, with the events that its variant changed. Its variants are taken
    /// for those of the sequence before it, changed in all these events.
    Uncounted(Vec<String>),
}

impl Lineage {
    /// Goes to an execution that has so many ancestors.
    fn climb(&mut self, ancestors: usize) {
        self.0.truncate(ancestors);
    }

    fn put(&mut self, ancestor: Ancestor) {
        self.0.push(ancestor);
    }

    /// The nearest ancestor that is a sequence.
    fn parent(&self) -> Option<usize> {
        self.0.iter().rev().find_map(|it| match it {
            Ancestor::Sequence(place) => Some(*place),
            Ancestor::Uncounted(_) => None,
        })
    }

    /// What was changed since then.
    fn changes(&self) -> impl Iterator<Item = &String> {
        let after = self.0.iter().rposition(|it| matches!(it, Ancestor::Sequence(_))).map_or(0, |at| at + 1);
        self.0[after..].iter().flat_map(|it| match it {
            Ancestor::Sequence(_) => &[][..],
            Ancestor::Uncounted(changes) => changes,
        })
    }
}
