//! Which picks of a failing sequence make a difference, by all sequences of the program.
//!
//! An exploration keeps no sequences. So the program is explored once more when a failure is to be shown, and each sequence is
//! compared with the failing ones: it is counted for an event that picks if everything that happens before the event is the same
//! in both, either as one that picks the same or as one that picks something else which the failing sequence has too.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use insyn_sequences::failing::{Difference, Outcomes};
use insyn_sequences::{Event, EventRef, Order, Pick, Sequence};
use serde::Serialize;

use super::Explorer;
use crate::body::{self, Body};
use crate::failure::Termination;
use crate::results::Exploration;
use insyn_engine::refinement::Refinement;

/// Explorations with more executions than this are not repeated.
const MOST_EXECUTIONS: u64 = 5_000;

/// How many failures are compared.
const MOST_FAILURES: usize = 8;

impl Explorer {
    /// As [`explore`](Self::explore); if the program fails, explores it once more to find out which picks decide that. Then the
    /// text of a failure names more causes, and says what passes instead. Nothing is added if the exploration is not complete, or
    /// took more than 5,000 executions. `#[insyn::test]` and `cargo insyn` do this; an observer is not called again.
    ///
    /// # Panics
    /// Inside a program under test: explorations do not nest.
    #[track_caller]
    pub fn explain<F, R>(&self, program: F) -> Exploration
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        let program = body::of(program);
        let (mut exploration, known) = self.explore_body(&program);
        self.find_differences(&mut exploration, &known, &program);
        exploration
    }

    /// Fills in the differences of the failures of an exploration, if it was complete and is not too long to be repeated. The
    /// result does not depend on the number of workers.
    #[doc(hidden)]
    pub fn find_differences(&self, exploration: &mut Exploration, known: &Refinement, program: &Body) {
        let is_short = exploration.executions <= MOST_EXECUTIONS && exploration.is_complete();
        if exploration.failures.is_empty()
            || !is_short
            || self.prefix.is_some()
            || self.plan.forcing.is_some()
        {
            return;
        }
        let failing = exploration.failures.iter().take(MOST_FAILURES);
        let subjects: Vec<Subject> = failing.filter_map(|it| Subject::new(&it.sequence)).collect();
        if subjects.len() < exploration.failures.len().min(MOST_FAILURES) {
            return;
        }
        let subjects = Arc::new(subjects);
        let counts: Arc<Mutex<Vec<Counts>>> = Arc::new(Mutex::new(vec![Counts::default(); subjects.len()]));
        let again = self.clone().refined(known.clone()).observe({
            let (subjects, counts) = (Arc::clone(&subjects), Arc::clone(&counts));
            move |ended| {
                if !ended.counted() || ended.termination() == Termination::Nondeterminism {
                    return;
                }
                let (sequence, passes) = (ended.sequence(), ended.termination() == Termination::Normal);
                let seen: Vec<_> = subjects.iter().map(|subject| subject.picks_in(&sequence)).collect();
                let mut counts = counts.lock().unwrap_or_else(PoisonError::into_inner);
                for (counts, seen) in counts.iter_mut().zip(seen) {
                    seen.into_iter().for_each(|pick| counts.add(pick, passes));
                }
            }
        });
        let (repeated, _) = again.explore_body(program);
        if (repeated.sequences, repeated.executions) != (exploration.sequences, exploration.executions) {
            return;
        }
        let counts = std::mem::take(&mut *counts.lock().unwrap_or_else(PoisonError::into_inner));
        for ((failure, counts), subject) in exploration.failures.iter_mut().zip(counts).zip(subjects.iter()) {
            failure.differences = counts.differences(&subject.sequence);
        }
    }
}

/// A failing sequence.
struct Subject {
    sequence: Sequence,
    /// Every event after all that happen before it; each with the events that come directly before it whatever it picks.
    line: Vec<(EventRef, Vec<EventRef>)>,
}

/// What an event picks in some sequence: events of the failing one.
type Picked = (EventRef, Vec<EventRef>);

impl Subject {
    fn new(sequence: &Sequence) -> Option<Subject> {
        let order = Order::of(sequence).ok()?;
        let line = order.line().iter().map(|&at| (at, order.predecessors_but_partners(at))).collect();
        Some(Subject { sequence: sequence.clone(), line })
    }

    /// What the events of the failing sequence pick in another one, as far as both begin in the same way.
    fn picks_in(&self, other: &Sequence) -> Vec<Picked> {
        let there: Vec<Option<usize>> =
            self.sequence.processes.iter().map(|process| find(other, &process.id)).collect();
        let mut here = vec![None; other.processes.len()];
        for (place, there) in there.iter().enumerate() {
            there.iter().for_each(|&there| here[there] = Some(place));
        }
        let translated = |at: &EventRef| Some(EventRef { process: there[at.process]?, ..*at });
        let back = |at: &EventRef| Some(EventRef { process: here[at.process]?, ..*at });
        // The events that both have, with all that happens before them.
        let mut common: BTreeSet<EventRef> = BTreeSet::new();
        // The other's events where all that must happen before them is common, whatever they pick.
        let mut met: Vec<(EventRef, &Event)> = Vec::new();
        for (at, before) in &self.line {
            let event = self.sequence.event(*at);
            let its = translated(at).and_then(|at| other.processes[at.process].events.get(at.index));
            let Some(its) = its.filter(|_| before.iter().all(|it| common.contains(it))) else { continue };
            met.push((*at, its));
            let mut partners = event.pick.partners().iter();
            if are_same(event, its, &there, translated) && partners.all(|it| common.contains(it)) {
                common.insert(*at);
            }
        }
        let picked = |(at, its): (EventRef, &Event)| -> Option<Picked> {
            let picked: Vec<EventRef> = its.pick.partners().iter().map(back).collect::<Option<_>>()?;
            let is_other = self.sequence.event(at).pick.partners() != picked;
            let counts =
                if is_other { picked.iter().all(|it| common.contains(it)) } else { common.contains(&at) };
            (its.pick != Pick::None && counts).then_some((at, picked))
        };
        met.into_iter().filter_map(picked).collect()
    }
}

/// The place of a process in a sequence.
fn find(sequence: &Sequence, id: &str) -> Option<usize> {
    sequence.processes.binary_search_by(|process| process.id.as_str().cmp(id)).ok()
}

/// Whether two events are the same, of which the second is in a sequence whose processes have other places.
fn are_same(
    event: &Event,
    other: &Event,
    there: &[Option<usize>],
    translated: impl Fn(&EventRef) -> Option<EventRef>,
) -> bool {
    let all = |events: &[EventRef]| events.iter().map(&translated).collect::<Option<Vec<EventRef>>>();
    let picks_same = match (&event.pick, &other.pick) {
        (Pick::Partners(mine), Pick::Partners(theirs)) => all(mine).as_ref() == Some(theirs),
        (mine, theirs) => mine == theirs,
    };
    picks_same
        && event.op == other.op
        && event.label == other.label
        && event.object.map(|object| there[object]) == other.object.map(Some)
        && all(&event.after).as_ref() == Some(&other.after)
}

/// How sequences end, by what an event picks in them.
#[derive(Clone, Default)]
struct Counts(BTreeMap<Picked, Outcomes>);

impl Counts {
    fn add(&mut self, picked: Picked, passes: bool) {
        let outcomes = self.0.entry(picked).or_default();
        match passes {
            true => outcomes.pass += 1,
            false => outcomes.fail += 1,
        }
    }

    /// The picks that decide.
    fn differences(&self, failing: &Sequence) -> Vec<Difference> {
        let mut differences = Vec::new();
        for ((event, instead), &other) in &self.0 {
            let own = failing.event(*event).pick.partners();
            let same = self.0.get(&(*event, own.to_vec())).copied().unwrap_or_default();
            let difference = Difference { event: *event, instead: instead.clone(), other, same };
            if *instead != own && difference.decides() {
                differences.push(difference);
            }
        }
        differences
    }
}
