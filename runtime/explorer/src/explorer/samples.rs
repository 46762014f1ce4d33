//! Runs of a program that are not driven by an exploration: at random, or in every order of steps.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use serde::Serialize;

use super::{Explorer, on_workers, refuse_nesting};
use crate::body::{self, Body};
use crate::exploration::activity::ActivityLog;
use crate::exploration::ended::Ended;
use crate::exploration::plan::Bound;
use crate::exploration::tally::Tally;
use crate::exploration::worker::run;
use crate::failure::{self, Termination};
use crate::fingerprint;
use crate::replay::is_consistent;
use crate::results::{BruteForce, Exploration, finish};
use insyn_engine::Engine;
use insyn_engine::refinement::{Fact, Refinement};
use insyn_engine::schedule::chance::List;

impl Explorer {
    /// The difference between the seeds of two successive runs of a sample.
    pub const NEXT_SEED: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Runs the program `runs` times with random choices, by the [`seed`](Self::seed) (0 if none is set), and counts the
    /// distinct sequences observed: for programs with too many sequences to explore. Remembers a fingerprint of 16 bytes
    /// for each. The only bounds are `runs` and the [time limit](Self::time_limit): the bounds on counts, the stop at the
    /// first failure and a [prefix](Self::prefix) are for explorations.
    ///
    /// # Panics
    /// Inside a program under test.
    #[track_caller]
    pub fn sample<F, R>(&self, runs: u64, program: F) -> Exploration
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        self.sample_body(runs, &body::of(program)).0
    }

    /// As [`sample`](Self::sample); also returns the facts discovered about the program.
    #[doc(hidden)]
    pub fn sample_body(&self, runs: u64, program: &Body) -> (Exploration, Refinement) {
        refuse_nesting();
        let deadline = self.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut refinement = self.known.clone().unwrap_or_default();
        let mut round = 0;
        loop {
            let (new_facts, exploration) = self.sample_refined(runs, deadline, round, &refinement, program);
            // All runs are made before any new fact is used, so it does not matter which worker discovers a fact first.
            if !refinement.add(new_facts) {
                return (exploration, refinement);
            }
            round += 1;
        }
    }

    fn sample_refined(
        &self,
        runs: u64,
        deadline: Option<Instant>,
        round: u32,
        refinement: &Refinement,
        program: &Body,
    ) -> (Vec<Fact>, Exploration) {
        let seed = self.plan.seed.unwrap_or(0);
        let next = AtomicU64::new(0);
        let results = on_workers(self.worker_count(), || {
            let mut engine = Engine::new(self.settings);
            engine.apply(refinement);
            engine.limits.deadline = deadline;
            let mut new_facts = Vec::new();
            let mut tally = Tally::default();
            let mut activity = ActivityLog::default();
            let mut seen: BTreeSet<(u128, Termination)> = BTreeSet::new();
            let mut bound = None;
            loop {
                if deadline.is_some_and(|at| Instant::now() >= at) {
                    bound = Some(Bound::Time);
                    break;
                }
                let n = next.fetch_add(1, Ordering::Relaxed);
                if n >= runs {
                    break;
                }
                engine.choose_by(Some(seed.wrapping_add(n.wrapping_mul(Self::NEXT_SEED))));
                let output = run(&mut engine, program);
                if let Some(limit) = engine.ending.limit {
                    bound = Some(limit.into());
                    break;
                }
                if !engine.ending.new_facts.is_empty() {
                    new_facts.append(&mut engine.ending.new_facts);
                    continue;
                }
                let termination = failure::termination(&engine, self.plan.ignore_detached);
                tally.executions += 1;
                tally.leaked += engine.ending.leaked;
                activity.observe(&engine);
                if !is_consistent(&engine) {
                    tally.inconsistent += 1;
                    continue;
                }
                seen.insert((fingerprint::of(&engine), termination));
                if termination != Termination::Normal {
                    tally.fail(&engine, termination, vec![n], self.plan.shortest_failure);
                }
                if let Some(observer) = &self.plan.observer {
                    observer(&Ended::new(&engine, true, termination, output.as_ref(), round, &()));
                }
            }
            tally.activity = activity.summary(&engine, true);
            (new_facts, tally, seen, bound)
        });
        let mut new_facts = Vec::new();
        let mut tally = Tally::default();
        let mut seen = BTreeSet::new();
        let mut bound = None;
        for (facts, theirs, sequences, reached) in results {
            new_facts.extend(facts);
            tally.merge(theirs);
            seen.extend(sequences);
            bound = bound.or(reached);
        }
        for (_, termination) in seen {
            tally.count(termination);
        }
        if new_facts.is_empty() {
            self.confirm(&mut tally, refinement, program);
        }
        (new_facts, finish(tally, bound.or(Some(Bound::Sample)), self.plan.sequential))
    }

    /// Runs the program under every order of its threads' steps, if that takes no more than `most` executions, and counts
    /// the distinct sequences: an exploration must count the same. If two orders have led to the same events with the
    /// same partners, only one is followed; 16 bytes are remembered for each such state, and their number grows
    /// exponentially with the number of threads. This confirms counts at small sizes, independently of the exploration.
    ///
    /// # Panics
    /// Inside a program under test.
    #[doc(hidden)]
    #[track_caller]
    pub fn brute_force<F, R>(&self, most: u64, program: F) -> Option<BruteForce>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        self.try_orders(most, &List::with_memory(), &body::of(program))
    }

    /// As [`brute_force`](Self::brute_force), but follows every order to its end: the number of executions grows
    /// exponentially with the number of steps. This confirms that `brute_force` loses nothing by the orders that it skips.
    ///
    /// # Panics
    /// Inside a program under test.
    #[doc(hidden)]
    #[track_caller]
    pub fn every_order<F, R>(&self, most: u64, program: F) -> Option<BruteForce>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        self.try_orders(most, &List::default(), &body::of(program))
    }

    fn try_orders(&self, most: u64, list: &List, program: &Body) -> Option<BruteForce> {
        refuse_nesting();
        insyn_engine::coroutine::watch();
        let mut refinement = Refinement::default();
        'anew: loop {
            let mut engine = Engine::new(self.settings);
            engine.apply(&refinement);
            engine.choose_from(list.clone());
            let mut seen: BTreeSet<(u128, Termination)> = BTreeSet::new();
            for executions in 1..=most {
                run(&mut engine, program);
                if refinement.add(engine.ending.new_facts.drain(..)) {
                    continue 'anew;
                }
                if !engine.was_left_early() && is_consistent(&engine) {
                    let termination = failure::termination(&engine, self.plan.ignore_detached);
                    seen.insert((fingerprint::of(&engine), termination));
                }
                if !engine.choose_next() {
                    return Some(BruteForce { sequences: seen.len() as u64, executions });
                }
            }
            return None;
        }
    }

    /// Discovers the facts that a few free runs with these seeds show. Returns whether there are new ones.
    pub(crate) fn discover_facts(
        &mut self,
        seeds: impl Iterator<Item = Option<u64>>,
        program: &Body,
    ) -> bool {
        refuse_nesting();
        insyn_engine::coroutine::watch();
        let mut engine = Engine::new(self.settings);
        let known = self.known.get_or_insert_default();
        let mut is_new = false;
        for seed in seeds {
            loop {
                engine.apply(known);
                engine.choose_by(seed);
                run(&mut engine, program);
                if !known.add(engine.ending.new_facts.drain(..)) {
                    break;
                }
                is_new = true;
            }
        }
        is_new
    }
}
