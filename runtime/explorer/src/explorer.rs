//! The entry points: [`explore`], and [`Explorer`] for all settings.

mod confirmation;
mod differences;
pub mod playback;
mod samples;

use std::fmt;
use std::num::NonZeroUsize;
use std::panic;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::thread;
use std::time::{Duration, Instant};

use insyn_sequences::Sequence;
use serde::Serialize;

use crate::body::{self, Body, Output};
use crate::exploration::consistency::is_consistent;
use crate::exploration::ended::Ended;
use crate::exploration::plan::{Bound, Plan};
use crate::exploration::share::Share;
use crate::exploration::tally::Tally;
use crate::exploration::worker::{Worker, run};
use crate::failure;
use crate::replay::{self, ReplayError, write_script};
use crate::results::{Execution, Exploration, finish};
use crate::sequence::shown_by;
use insyn_engine::access::is_under_control;
use insyn_engine::forcing::Forcing;
use insyn_engine::objects::Liberties;
use insyn_engine::refinement::{Fact, Refinement};
use insyn_engine::rules::{Rule, Rules};
use insyn_engine::{Engine, Settings};

/// Runs `program` once for every SYN-sequence it has, with the defaults of [`Explorer::new`].
///
/// What the closure returns is the output of an execution; it must be serializable, so that executions can be compared.
/// (A closure that never returns, `|| loop { .. }`, returns `!`, which is not serializable; end it with `()`.)
///
/// ```
/// use insyn::std::{sync::mpsc, thread};
///
/// let exploration = insyn::explore(|| {
///     let (tx, rx) = mpsc::channel();
///     for id in 0..3 {
///         let tx = tx.clone();
///         thread::spawn(move || tx.send(id).unwrap());
///     }
///     drop(tx);
///     rx.iter().collect::<Vec<i32>>()
/// });
/// assert_eq!(exploration.sequences, 6); // three messages arrive in 3! orders
/// exploration.assert_ok();
/// ```
#[track_caller]
pub fn explore<F, R>(program: F) -> Exploration
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Serialize + 'static,
{
    Explorer::new().explore(program)
}

/// Settings for running a program: exhaustively, once, at random, or as recorded.
#[derive(Clone)]
#[must_use = "an explorer does nothing until it is told what to run"]
pub struct Explorer {
    /// None: one for each core. The number of cores is read late, since that takes longer than a short exploration.
    workers: Option<usize>,
    settings: Settings,
    plan: Plan,
    prefix: Option<Arc<Sequence>>,
    /// The facts known about the program, if an earlier exploration has found them.
    known: Option<Refinement>,
    time_limit: Option<Duration>,
}

/// See [`Explorer::record_limit`].
const RECORD_LIMIT: usize = 2 << 30;

impl Default for Explorer {
    fn default() -> Self {
        Explorer::new()
    }
}

impl Explorer {
    /// Defaults: a worker per core, at most 5,000 steps in an execution, 1 MiB of stack for each thread, no other bound,
    /// choices fixed.
    pub fn new() -> Self {
        Explorer {
            workers: None,
            settings: Settings {
                max_steps: 5_000,
                record_limit: RECORD_LIMIT,
                liberties: Liberties {
                    longest_waiter: false,
                    spurious_wakeups: false,
                    spurious_failures: false,
                    waiting_writers_block: true,
                },
                ordered_loads: false,
                patient_polling: true,
                stack_size: 1 << 20,
                patience: Duration::from_secs(10),
                rules: Rules::ALL,
                is_consistent,
                least_words: 1,
            },
            plan: Plan {
                seed: None,
                max_executions: None,
                max_sequences: None,
                deadline: None,
                stop_at_first_failure: false,
                shortest_failure: true,
                ignore_detached: false,
                sequential: false,
                observer: None,
                round: 0,
                forcing: None,
                over: None,
            },
            prefix: None,
            known: None,
            time_limit: None,
        }
    }

    /// How many OS threads explore. The result is the same for any number.
    pub fn workers(mut self, workers: usize) -> Self {
        self.workers = Some(workers.max(1));
        self
    }

    fn worker_count(&self) -> usize {
        let cores = || thread::available_parallelism().map_or(1, NonZeroUsize::get);
        self.workers.unwrap_or_else(cores)
    }

    /// How many steps an execution may have: operations on threads and objects; making sixteen objects is one step too. An
    /// execution with more steps is cut there and reported as a failure.
    ///
    /// This also bounds a loop that never ends, as long as it synchronizes. A loop that does not synchronize at all cannot
    /// be stopped from inside the process: it hangs the exploration, as it would hang the program, and [a
    /// warning](Self::warn_after) is printed.
    pub fn max_steps(mut self, steps: u64) -> Self {
        self.settings.max_steps = steps;
        self
    }

    /// Ends the exploration after this many executions, in depth-first order; to keep that order, the exploration uses one
    /// worker. Executions of earlier [rounds](Ended::round) are not counted, nor are failures that are run once more.
    pub fn max_executions(mut self, executions: u64) -> Self {
        self.plan.max_executions = Some(executions);
        self
    }

    /// Ends the exploration after this many sequences, in depth-first order; to keep that order, the exploration uses one
    /// worker.
    pub fn max_sequences(mut self, sequences: u64) -> Self {
        self.plan.max_sequences = Some(sequences);
        self
    }

    /// Ends the exploration after this much time, in the middle of an execution too, at the next operation that insyn
    /// observes. The only setting whose effect differs from run to run.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// How much memory the records of executions may take, in bytes, all workers together (2 GiB if not set): of the one that
    /// runs, about 100 bytes for each event, and of those whose variants have not all been run. When more is needed, the
    /// exploration ends, in the middle of an execution too, and is not [complete](Exploration::is_complete); a single run
    /// that reaches the limit is cut there, as by the bound on steps.
    pub fn record_limit(mut self, bytes: usize) -> Self {
        self.settings.record_limit = bytes;
        self
    }

    /// Makes free choices at random, with this seed. An exploration still visits the same sequences, in another order.
    pub fn seed(mut self, seed: u64) -> Self {
        self.plan.seed = Some(seed);
        self
    }

    /// Warns on standard error when the program has done nothing that insyn can observe for this long (10 s if not set): it
    /// loops without synchronizing, or is blocked in something real. The warning has no other effect.
    pub fn warn_after(mut self, patience: Duration) -> Self {
        self.settings.patience = patience;
        self
    }

    /// The size of each thread's stack, in bytes.
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.settings.stack_size = bytes;
        self
    }

    /// `notify_one` wakes the thread that has waited longest. Otherwise which thread it wakes is explored, as the standard
    /// library promises nothing.
    pub fn longest_waiter(mut self, only: bool) -> Self {
        self.settings.liberties.longest_waiter = only;
        self
    }

    /// Threads that wait on a condition variable or are parked may also wake spuriously, as the standard library allows:
    /// each thread at most twice in an execution, since a loop around a wait would never end otherwise. Off by default:
    /// only a notification wakes a thread.
    pub fn spurious_wakeups(mut self, may_happen: bool) -> Self {
        self.settings.liberties.spurious_wakeups = may_happen;
        self
    }

    /// A `compare_exchange_weak` may also fail spuriously, as the standard library allows, and so may each attempt of
    /// `fetch_update`, `try_update` and `update`: each thread at most twice in an execution, since a loop around it would
    /// never end otherwise. Where the value differs from the expected one, the failure is not spurious and does not count.
    /// Off by default.
    pub fn spurious_failures(mut self, may_happen: bool) -> Self {
        self.settings.liberties.spurious_failures = may_happen;
        self
    }

    /// While others read, a reader may have to wait behind a waiting writer, or fail if it only tries, as the standard library
    /// allows: a thread that reads twice may deadlock. On by default; off means fewer sequences.
    pub fn waiting_writers_block(mut self, may_happen: bool) -> Self {
        self.settings.liberties.waiting_writers_block = may_happen;
        self
    }

    /// Gives each load of an atomic a place in the order of the variable's writes, so that no run reads values that no real
    /// variable could have had. More sequences; for programs whose `unsafe` code would crash on impossible values.
    pub fn ordered_loads(mut self, ordered: bool) -> Self {
        self.settings.ordered_loads = ordered;
        self
    }

    /// A thread that polls one object and yields waits until the object has changed (see `yield_now`). On by default; if
    /// off, a loop that polls without end reaches the bound on steps.
    pub fn patient_polling(mut self, patient: bool) -> Self {
        self.settings.patient_polling = patient;
        self
    }

    /// Ends the exploration at the first failure in depth-first order; to keep that order, the exploration uses one worker.
    pub fn stop_at_first_failure(mut self, stop: bool) -> Self {
        self.plan.stop_at_first_failure = stop;
        self
    }

    /// Shows, for each way of failing, the sequence with the fewest steps up to the failure, and of several the first in
    /// depth-first order. On by default; off means the first of all.
    pub fn shortest_failure(mut self, shortest: bool) -> Self {
        self.plan.shortest_failure = shortest;
        self
    }

    /// A thread that can no longer be joined and is still blocked when the closure has returned does not count as a
    /// deadlock.
    pub fn ignore_detached(mut self, ignore: bool) -> Self {
        self.plan.ignore_detached = ignore;
        self
    }

    /// Declares that the program has no synchronization that insyn observes. Without this declaration, an exploration that
    /// observes none has an [oversight](Exploration::oversight): most likely something was not annotated. With it, an
    /// exploration that does observe synchronization has one.
    pub fn sequential(mut self, is_meant: bool) -> Self {
        self.plan.sequential = is_meant;
        self
    }

    /// Every execution of an [exploration](Self::explore) begins with this sequence (a prefix of one that the program can
    /// do); the rest is explored. If the program does not follow the prefix, a failure reports where it diverges. Single
    /// runs and samples ignore the prefix; [`force_prefix`](Self::force_prefix) makes a single run begin with one.
    ///
    /// # Errors
    /// If no program could begin with the prefix: a process or a partner in it is impossible.
    pub fn prefix(mut self, prefix: Sequence) -> Result<Self, ReplayError> {
        replay::check(&prefix)?;
        self.prefix = Some(Arc::new(prefix));
        Ok(self)
    }

    /// Calls `observer` with each execution as it ends. Several workers call the observer concurrently, in no particular
    /// order.
    ///
    /// An exploration that discovers a fact about the program that changes what its sequences look like (two threads
    /// receive from one channel, say) starts again and shows executions anew: discard what was observed in an earlier
    /// [round](Ended::round).
    pub fn observe(mut self, observer: impl Fn(&Ended<'_>) + Send + Sync + 'static) -> Self {
        self.plan.observer = Some(Arc::new(observer));
        self
    }

    /// Forces the program, until `over` is set.
    #[doc(hidden)]
    pub fn forcing(mut self, forcing: Arc<Forcing>, over: Arc<AtomicBool>) -> Self {
        self.plan.forcing = Some(forcing);
        self.plan.over = Some(over);
        self
    }

    /// Starts from these facts, which an exploration has discovered about the program. Sequences then look as they did
    /// there.
    #[doc(hidden)]
    pub fn refined(mut self, known: Refinement) -> Self {
        self.known = Some(known);
        self
    }

    /// Whether the facts about the program have been discovered.
    pub(crate) fn knows_program(&self) -> bool {
        self.known.is_some()
    }

    /// Limits the number of executions, in addition to other bounds.
    #[doc(hidden)]
    pub fn within(mut self, executions: u64) -> Self {
        let max = &mut self.plan.max_executions;
        *max = Some(max.map_or(executions, |max| max.min(executions)));
        self
    }

    /// Whether this number of executions is below the bound.
    #[doc(hidden)]
    pub fn allows_more_than(&self, executions: u64) -> bool {
        executions < self.plan.max_executions.unwrap_or(u64::MAX)
    }

    /// Whether these facts about the program are known, and no others.
    #[doc(hidden)]
    pub fn knows(&self, facts: &Refinement) -> bool {
        self.known.as_ref() == Some(facts)
    }

    /// Switches a rule of the algorithm off, which makes the result wrong.
    #[doc(hidden)]
    pub fn without(mut self, rule: Rule) -> Self {
        self.settings.rules = self.settings.rules.without(rule);
        self
    }

    /// Analyses every execution with sets of at least this many words, as if it had more events. This only changes the
    /// speed.
    #[doc(hidden)]
    pub fn as_if_long(mut self, words: usize) -> Self {
        self.settings.least_words = words;
        self
    }

    /// Runs the program once for every SYN-sequence it has. Outputs are compared as JSON; an execution whose output
    /// cannot be written as JSON ([`serde_json::to_string`]) ends with a panic.
    ///
    /// # Panics
    /// Inside a program under test: explorations do not nest.
    #[track_caller]
    pub fn explore<F, R>(&self, program: F) -> Exploration
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        self.explore_body(&body::of(program)).0
    }

    /// As [`explore`](Self::explore); also returns the facts discovered about the program.
    #[doc(hidden)]
    pub fn explore_body(&self, program: &Body) -> (Exploration, Refinement) {
        refuse_nesting();
        let mut plan = self.plan.clone();
        plan.deadline = self.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let ordered =
            plan.max_executions.is_some() || plan.max_sequences.is_some() || plan.stop_at_first_failure;
        let workers = if ordered { 1 } else { self.worker_count() };
        let mut refinement = self.prefix.as_deref().map_or_else(Refinement::default, shown_by);
        refinement.add(self.known.iter().flat_map(Refinement::iter).cloned());
        loop {
            let (mut new_facts, mut tally, bound) =
                self.explore_refined(&plan, workers, &refinement, program);
            if new_facts.is_empty() {
                self.confirm(&mut tally, &refinement, program);
                return (finish(tally, bound, plan.sequential), refinement);
            }
            if workers > 1 {
                // Which fact several workers discover first is a matter of chance; which one comes first in depth-first
                // order is not.
                (new_facts, ..) = self.explore_refined(&plan, 1, &refinement, program);
            }
            plan.round += 1;
            assert!(refinement.add(new_facts), "what is new_facts was not known");
        }
    }

    /// Explores with the facts known so far, until the exploration is complete or discovers a new fact.
    fn explore_refined(
        &self,
        plan: &Plan,
        workers: usize,
        refinement: &Refinement,
        program: &Body,
    ) -> (Vec<Fact>, Tally, Option<Bound>) {
        let share = Share::new();
        let results = on_workers(workers, || {
            let record_limit = self.settings.record_limit / workers;
            let settings = Settings { record_limit, ..self.settings };
            let mut worker = Worker::new(plan, settings, program);
            worker.engine.apply(refinement);
            worker.engine.turns.forcing.clone_from(&plan.forcing);
            if let Some(prefix) = &self.prefix {
                write_script(prefix, &mut worker.engine).expect("a prefix is checked when it is set");
            }
            worker.explore(&share);
            worker.tally.activity = worker.activity.summary(&worker.engine, workers > 1);
            (worker.new_facts, worker.tally, worker.bound)
        });
        let mut new_facts = Vec::new();
        let mut tally = Tally::default();
        let mut bound = None;
        for (facts, theirs, reached) in results {
            new_facts.extend(facts);
            tally.merge(theirs);
            bound = bound.or(reached);
        }
        (new_facts, tally, bound)
    }

    /// Runs the program once. Free choices are fixed, or random if a [`seed`](Self::seed) is set.
    ///
    /// # Panics
    /// Inside a program under test.
    #[track_caller]
    pub fn run<F, R>(&self, program: F) -> Execution
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        refuse_nesting();
        insyn_engine::coroutine::watch();
        let program = body::of(program);
        let mut engine = Engine::new(self.settings);
        let mut refinement = Refinement::default();
        let mut seed = self.plan.seed;
        loop {
            engine.choose_by(seed);
            let output = run(&mut engine, &program);
            if refinement.add(engine.ending.new_facts.drain(..)) {
                engine.apply(&refinement);
                continue;
            }
            let execution = self.ended(&engine, output.as_ref());
            // Random picks are causal, but sometimes no real objects could have made all of them.
            match seed {
                Some(n) if !replay::is_consistent(&engine) => {
                    seed = Some(n.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1))
                }
                _ => return execution,
            }
        }
    }

    /// The result of a run.
    fn ended(&self, engine: &Engine, output: Option<&Output>) -> Execution {
        let termination = failure::termination(engine, self.plan.ignore_detached);
        let ended = Ended::new(engine, true, termination, output, 0, &());
        if let Some(observer) = &self.plan.observer {
            observer(&ended);
        }
        ended.to_execution()
    }
}

impl fmt::Debug for Explorer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Explorer").field("workers", &self.workers).field("settings", &self.settings).finish()
    }
}

#[track_caller]
fn refuse_nesting() {
    assert!(
        !is_under_control(),
        "insyn: an exploration cannot be started inside a program under test; explore the inner program by itself"
    );
}

/// Runs `work` on this many workers; a single one is the calling thread itself.
fn on_workers<T: Send>(workers: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    insyn_engine::coroutine::watch();
    if workers == 1 {
        return vec![work()];
    }
    thread::scope(|scope| {
        let start = |n| {
            let named = thread::Builder::new().name(format!("insyn-worker-{n}"));
            named.spawn_scoped(scope, &work).expect("the system gives us a thread")
        };
        let others: Vec<_> = (1..workers).map(start).collect();
        let mine = work();
        let theirs = others.into_iter().map(|h| h.join().unwrap_or_else(|p| panic::resume_unwind(p)));
        std::iter::once(mine).chain(theirs).collect()
    })
}
