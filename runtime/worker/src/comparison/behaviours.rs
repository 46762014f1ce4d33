//! All behaviours of a program, as far as a mutant and its original are compared, and which behaviour is a variant of
//! which.
//!
//! Without a specification a behaviour is a complete sequence, of which a fingerprint is kept. With one it is the part that
//! the specification names: letters and their possible orders, which are its words.

use std::collections::{BTreeMap, BTreeSet};
use std::iter::zip;
use std::sync::{Arc, Mutex, PoisonError};

use insyn_sequences::{Sequence, SequenceFile};
use insyn_specs::Word;
use insyn_specs::spec::{Instance, Judged, Orders};

use super::super::error::JudgementError;
use super::Baseline;
use super::behaviour::{Ending, Kept, Key};
use super::lineage::{Ancestor, Lineage};
use super::rejection::Rejected;
use insyn_engine::mixer;
use insyn_engine::refinement::Refinement;
use insyn_explorer::body::Body;
use insyn_explorer::exploration::ended::Ended;
use insyn_explorer::explorer::Explorer;
use insyn_explorer::failure::Termination;
use insyn_explorer::fingerprint;
use insyn_explorer::reading::Readings;
use insyn_explorer::results::Exploration;

/// A sequence with at most this many words is found by them; others are found by a linear search.
const MOST_INDEXED: usize = 32;

/// What a program does.
#[derive(Default)]
pub(super) struct Behaviours {
    pub(super) endings: BTreeMap<Key, BTreeSet<Ending>>,
    /// Each sequence once, in the order of discovery.
    pub(super) discovered: Vec<Discovered>,
    /// The results of a word of a sequence with few words.
    by_word: BTreeMap<Word, BTreeSet<Ending>>,
    /// The sequences with many words.
    wide: Vec<Arc<Orders>>,
    /// Represents all complete sequences with their endings, whatever part of them a specification names.
    whole: Whole,
    /// Some executions, in the order of the exploration.
    pub(super) kept: Vec<Arc<Kept>>,
    /// For a mutant: why the test suite rejects it, the first of each kind.
    pub(super) rejected: Vec<Rejected>,
    /// The number of steps of the longest execution.
    pub(super) longest: u64,
    /// What the exploration has discovered about the program.
    pub(super) refinement: Refinement,
    observed: Observed,
    lineage: Lineage,
    /// How often the exploration had started again.
    pub(super) round: u32,
    error: Option<JudgementError>,
}

/// A sequence that was discovered.
pub(super) struct Discovered {
    pub(super) key: Key,
    /// The place of the sequence that it is a variant of.
    pub(super) of: Option<usize>,
    endings: BTreeSet<Ending>,
    /// For a mutant: how the specification judges it, once that has been computed.
    judged: Option<Judged>,
}

/// What has been observed so far, to recognize it again.
#[derive(Default)]
struct Observed {
    readings: Readings,
    /// The place of each sequence in the order of discovery.
    places: BTreeMap<Sight, usize>,
}

/// A key in short.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Sight {
    /// The number of its orders.
    Abstract(usize),
    Complete(u128),
}

/// The sum of the fingerprints of complete sequences, since an exploration reaches each once.
#[derive(PartialEq)]
enum Whole {
    Sum(u128),
    /// Not needed: the mutant already differs from the original in events that the specification names.
    Different,
}

impl Default for Whole {
    fn default() -> Self {
        Whole::Sum(0)
    }
}

/// Which executions are kept whole.
#[derive(Default)]
pub(super) struct Keeping {
    /// The maximal number.
    pub(super) most: usize,
    /// For a mutant: only executions that the original does not have.
    pub(super) original: Option<Arc<Baseline>>,
}

impl Keeping {
    /// Whether the original has this behaviour with this ending too.
    fn is_known(&self, key: &Key, ending: &Ending) -> bool {
        let known = self.original.as_ref().and_then(|it| it.behaviours.endings.get(key));
        known.is_some_and(|endings| endings.contains(ending))
    }
}

impl Behaviours {
    /// Explores a program. Some of the executions whose ending is new for their key are kept whole.
    pub(super) fn of(
        explorer: &Explorer,
        instance: Option<&Arc<Instance>>,
        keep: Keeping,
        watch: impl Fn(&Ended<'_>) + Send + Sync + 'static,
        program: &Body,
    ) -> Result<(Behaviours, Exploration), JudgementError> {
        let (mut behaviours, (exploration, refinement)) =
            Behaviours::observed(instance, keep, watch, |observer| {
                // Which executions are kept must not depend on which worker is faster.
                explorer.clone().workers(1).observe(observer).explore_body(program)
            })?;
        behaviours.refinement = refinement;
        behaviours.index();
        Ok((behaviours, exploration))
    }

    /// An explorer with the facts that an exploration has discovered about the program, if `is_known` says that they hold
    /// for this input.
    pub(super) fn informed(&self, explorer: &Explorer, is_known: bool) -> Explorer {
        match is_known {
            true => explorer.clone().refined(self.refinement.clone()),
            false => explorer.clone(),
        }
    }

    /// Runs a program at random, this many times by a seed, with the facts that an exploration of it has discovered.
    pub(super) fn at_random(
        explorer: &Explorer,
        instance: Option<&Arc<Instance>>,
        (runs, seed): (u64, u64),
        refinement: &Refinement,
        program: &Body,
    ) -> Result<(Behaviours, Exploration), JudgementError> {
        let explorer = explorer.clone().workers(1).seed(seed).refined(refinement.clone());
        Behaviours::observed(
            instance,
            Keeping { most: usize::MAX, original: None },
            |_| {},
            |observer| explorer.observe(observer).sample_body(runs, program).0,
        )
    }

    /// What an observer records while `run` runs.
    fn observed<T>(
        instance: Option<&Arc<Instance>>,
        keep: Keeping,
        watch: impl Fn(&Ended<'_>) + Send + Sync + 'static,
        run: impl FnOnce(Box<dyn Fn(&Ended<'_>) + Send + Sync>) -> T,
    ) -> Result<(Behaviours, T), JudgementError> {
        let all = Arc::new(Mutex::new(Behaviours::default()));
        let observer = {
            let (all, instance) = (all.clone(), instance.cloned());
            move |ended: &Ended<'_>| {
                watch(ended);
                all.lock().unwrap_or_else(PoisonError::into_inner).observe(ended, instance.as_deref(), &keep);
            }
        };
        let result = run(Box::new(observer));
        let mut behaviours = std::mem::take(&mut *all.lock().unwrap_or_else(PoisonError::into_inner));
        behaviours.observed = Observed::default();
        for it in &mut behaviours.discovered {
            behaviours.endings.insert(it.key.clone(), std::mem::take(&mut it.endings));
        }
        match behaviours.error {
            Some(error) => Err(error),
            None => Ok((behaviours, result)),
        }
    }

    /// Adds the behaviours of other runs. Returns whether any of them is new.
    pub(super) fn add(&mut self, more: Behaviours) -> bool {
        let known = self.endings.len();
        for (key, endings) in more.endings {
            self.endings.entry(key).or_default().extend(endings);
        }
        self.longest = self.longest.max(more.longest);
        let kept: BTreeSet<Key> = self.kept.iter().map(|it| it.key.clone()).collect();
        self.kept.extend(more.kept.into_iter().filter(|it| !kept.contains(&it.key)));
        self.endings.len() > known
    }

    /// Indexes the words: they are looked up once for every sequence.
    pub(super) fn index(&mut self) {
        (self.by_word, self.wide) = (BTreeMap::new(), Vec::new());
        for (key, endings) in &self.endings {
            let Key::Abstract(orders) = key else { continue };
            let words: Vec<Word> = orders.words().take(MOST_INDEXED + 1).collect();
            if words.len() > MOST_INDEXED {
                self.wide.push(orders.clone());
                continue;
            }
            for word in words {
                self.by_word.entry(word).or_default().extend(endings.iter().cloned());
            }
        }
    }

    fn observe(&mut self, ended: &Ended<'_>, instance: Option<&Instance>, keep: &Keeping) {
        if ended.round() != self.round {
            *self = Behaviours { round: ended.round(), ..Behaviours::default() };
        }
        let counts = ended.counted() && ended.termination() != Termination::Nondeterminism;
        let path = ended.path();
        self.lineage.climb(path.len());
        if self.error.is_some() {
            return;
        }
        if !counts {
            self.lineage.put(Ancestor::Uncounted(ended.names_of_changes()));
            return;
        }
        self.longest = self.longest.max(ended.steps());
        let orders = match instance.map(|instance| self.observed.readings.read(ended, instance)).transpose() {
            Ok(orders) => orders,
            Err(error) => {
                self.error = Some(error.into());
                return;
            }
        };
        let read = orders.as_ref().map(|(_, orders)| orders.clone());
        // A sequence with events that the specification has no letters for is compared as a whole.
        let orders = orders.filter(|(_, orders)| orders.unexpected().is_none());
        // A fingerprint takes a while, and is needed only if nothing else distinguishes the sequence or the mutant.
        let is_wanted = orders.is_none() || self.whole != Whole::Different;
        let fingerprint = if is_wanted { fingerprint::of(ended.engine()) } else { 0 };
        let ending = Ending::new(ended.termination(), ended.output());
        if let Whole::Sum(sum) = &mut self.whole {
            *sum = sum.wrapping_add(mixer::with(fingerprint, &ending));
        }
        let (sight, key) = match orders {
            Some((number, orders)) => (Sight::Abstract(number), Key::Abstract(orders)),
            None => (Sight::Complete(fingerprint), Key::Complete(fingerprint)),
        };
        let place = *self.observed.places.entry(sight).or_insert_with(|| {
            let of = self.lineage.parent();
            let endings = BTreeSet::new();
            self.discovered.push(Discovered { key: key.clone(), of, endings, judged: None });
            self.discovered.len() - 1
        });
        if self.discovered[place].endings.insert(ending.clone()) && !keep.is_known(&key, &ending) {
            let rejected = match &keep.original {
                Some(original) => {
                    self.whole = Whole::Different;
                    match self.judge(original, (place, read.as_deref()), &ending, ended) {
                        Ok(rejected) => rejected,
                        Err(error) => {
                            self.error = Some(error);
                            return;
                        }
                    }
                }
                None => Vec::new(),
            };
            if self.kept.len() < keep.most || !rejected.is_empty() {
                let changes = self.lineage.changes().cloned().chain(ended.names_of_changes()).collect();
                let (sequence, races) = (ended.sequence(), ended.shown_race_table());
                let file = SequenceFile { sequence, races, ..SequenceFile::default() };
                let kept = Arc::new(Kept { key, ending, file, changes });
                for it in rejected {
                    self.rejected.push(Rejected { kept: Some(kept.clone()), ..it });
                }
                if self.kept.len() < keep.most {
                    self.kept.push(kept);
                }
            }
        }
        self.lineage.put(Ancestor::Sequence(place));
    }

    /// Why the test suite rejects a mutant that can do a sequence with an ending which the original does not have, unless
    /// that kind of rejection is known already.
    fn judge(
        &mut self,
        original: &Baseline,
        (place, orders): (usize, Option<&Orders>),
        ending: &Ending,
        ended: &Ended<'_>,
    ) -> Result<Vec<Rejected>, JudgementError> {
        let judged = &mut self.discovered[place].judged;
        if let (None, Some(orders)) = (&judged, orders) {
            *judged = original.suite.judged(orders)?;
        }
        let describe = || match ended.failure() {
            Some(it) => it.cause(),
            None => ending.termination().to_string(),
        };
        let mut rejected = original.suite.judge(ending, judged.as_ref(), describe);
        rejected.retain(|it| self.rejected.iter().all(|known| known.kind != it.kind));
        Ok(rejected)
    }

    /// Whether two completely explored programs have the same complete sequences and endings.
    pub(super) fn is_wholly(&self, other: &Behaviours) -> bool {
        self.whole == other.whole
    }

    /// The sequences that another program does not do, or does with other results.
    pub(super) fn beyond(&self, other: &Behaviours) -> impl Iterator<Item = &Key> {
        let is_known = |key: &Key, endings: &BTreeSet<Ending>| {
            other.endings.get(key).is_some_and(|known| endings.is_subset(known))
        };
        self.endings.iter().filter(move |(key, endings)| !is_known(key, endings)).map(|(key, _)| key)
    }

    /// The results of a word.
    pub(super) fn endings_of(&self, word: &Word) -> BTreeSet<Ending> {
        let mut all = self.by_word.get(word).cloned().unwrap_or_default();
        for orders in self.wide.iter().filter(|orders| orders.has_word(word)) {
            all.extend(self.endings[&Key::Abstract(orders.clone())].iter().cloned());
        }
        all
    }

    /// A kept execution that does a word and has this ending.
    pub(super) fn execution(&self, word: &Word, ending: &Ending) -> Option<&Sequence> {
        let does = |it: &&Kept| match &it.key {
            Key::Abstract(orders) => it.ending == *ending && orders.has_word(word),
            Key::Complete(_) => false,
        };
        self.kept.iter().map(|it| &**it).find(does).map(Kept::sequence)
    }

    /// How many events of a word the program can do, from the first on.
    pub(super) fn follow(&self, word: &Word) -> usize {
        // In an ordered list of words, a neighbour has the longest common prefix.
        let neighbours = [self.by_word.range(..=word).next_back(), self.by_word.range(word..).next()]
            .into_iter()
            .flatten();
        let in_common = |(other, _): (&Word, &_)| zip(&other.0, &word.0).take_while(|(a, b)| a == b).count();
        let wide = self.wide.iter().map(|orders| orders.follow(word));
        neighbours.map(in_common).chain(wide).max().unwrap_or(0)
    }
}
