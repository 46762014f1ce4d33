//! The way in: [`explore`], and [`Explorer`] for everything that can be set.

use std::collections::BTreeSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::panic;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use insyn_specs::Sequence;
use insyn_specs::file::SequenceFile;
use serde::Serialize;

use crate::ended::Ended;
use crate::execution::forcing::Forcing;
use crate::execution::openness::Liberties;
use crate::execution::topology::{Fact, Topology};
use crate::execution::{self, Execution as Engine, Settings};
use crate::exploration::share::Share;
use crate::exploration::tally::Tally;
use crate::exploration::worker::{Worker, run};
use crate::failure::{self, Termination};
use crate::fingerprint::fingerprint;
use crate::replay::{ReplayError, first_difference, is_real, write_script};
use crate::results::{Bound, BruteForce, Execution, Exploration, finish};
use crate::rules::{Rule, Rules};
use crate::sequence::{self, shown_by};

/// Runs `program` once for every SYN-sequence it has, with the defaults of [`Explorer::new`].
///
/// What the closure returns is the output of an execution; it must be serializable, so that executions can be compared.
/// (A closure that never returns, `|| loop { .. }`, has the type `!`, which is not; end it with `()`.)
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
pub fn explore<F, R>(program: F) -> Exploration
where
    F: Fn() -> R + Send + Sync + 'static,
    R: Serialize + 'static,
{
    Explorer::new().explore(program)
}

/// Says how a program is run: exhaustively, once, at random, or again as it ran before.
#[derive(Clone)]
#[must_use = "an explorer does nothing until it is told what to run"]
pub struct Explorer {
    /// None: one for each core, which takes longer to find out than a short exploration does.
    workers: Option<usize>,
    settings: Settings,
    plan: Plan,
    prefix: Option<Arc<Sequence>>,
    /// What is known of the program to begin with.
    known: Topology,
    time_limit: Option<Duration>,
}

/// What holds for all workers of an exploration.
#[derive(Clone)]
pub(crate) struct Plan {
    pub(crate) seed: Option<u64>,
    pub(crate) max_executions: Option<u64>,
    pub(crate) max_sequences: Option<u64>,
    pub(crate) deadline: Option<Instant>,
    pub(crate) stop_at_first_failure: bool,
    pub(crate) shortest_failure: bool,
    pub(crate) ignore_detached: bool,
    pub(crate) observer: Option<Arc<Observer>>,
    /// How often the exploration has started again.
    pub(crate) round: u32,
    /// What the program is forced to do.
    pub(crate) forcing: Option<Arc<Forcing>>,
    /// Somebody has seen enough.
    pub(crate) over: Option<Arc<AtomicBool>>,
}

type Observer = dyn Fn(&Ended<'_>) + Send + Sync;

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
                liberties: Liberties {
                    longest_waiter: false,
                    spurious_wakeups: false,
                    waiting_writers_block: true,
                },
                ordered_loads: false,
                patient_polling: true,
                stack_size: 1 << 20,
                patience: Duration::from_secs(10),
                rules: Rules::ALL,
            },
            plan: Plan {
                seed: None,
                max_executions: None,
                max_sequences: None,
                deadline: None,
                stop_at_first_failure: false,
                shortest_failure: false,
                ignore_detached: false,
                observer: None,
                round: 0,
                forcing: None,
                over: None,
            },
            prefix: None,
            known: Topology::default(),
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

    /// How many steps (operations on threads and objects) an execution may have. One that has more is cut there and
    /// reported as a failure.
    ///
    /// This also bounds a loop that never ends, as long as it synchronizes. A loop that does not synchronize at all
    /// cannot be stopped from inside the process: it hangs the exploration, as it would hang the program, and
    /// [a warning](Self::warn_after) says so.
    pub fn max_steps(mut self, steps: u64) -> Self {
        self.settings.max_steps = steps;
        self
    }

    /// Ends the exploration after this many executions. Which ones is decided depth first, so a bound on counts makes
    /// the exploration use one worker.
    pub fn max_executions(mut self, executions: u64) -> Self {
        self.plan.max_executions = Some(executions);
        self
    }

    /// Ends the exploration after this many sequences. Which ones is decided depth first, so a bound on counts makes
    /// the exploration use one worker.
    pub fn max_sequences(mut self, sequences: u64) -> Self {
        self.plan.max_sequences = Some(sequences);
        self
    }

    /// Ends the exploration after this much time. The only setting whose effect differs from run to run.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// Makes free choices at random, by this seed. An exploration visits the same sequences all the same, in another
    /// order.
    pub fn seed(mut self, seed: u64) -> Self {
        self.plan.seed = Some(seed);
        self
    }

    /// Warns on standard error when the program has done nothing that insyn can see for so long (10 s if not set): it
    /// loops without synchronizing, or is blocked in something real. Nothing else follows from it.
    pub fn warn_after(mut self, patience: Duration) -> Self {
        self.settings.patience = patience;
        self
    }

    /// The size of each thread's stack, in bytes.
    pub fn stack_size(mut self, bytes: usize) -> Self {
        self.settings.stack_size = bytes;
        self
    }

    /// `notify_one` wakes the thread that has waited longest. Otherwise which one it wakes is explored, as the standard
    /// library promises nothing.
    pub fn longest_waiter(mut self, only: bool) -> Self {
        self.settings.liberties.longest_waiter = only;
        self
    }

    /// Waits on a condition variable and parked threads may also wake for no reason, as the standard library allows: each
    /// thread at most twice in an execution, since a loop around a wait would have no end otherwise. Unless switched on,
    /// nobody wakes but by a notification.
    pub fn spurious_wakeups(mut self, may_happen: bool) -> Self {
        self.settings.liberties.spurious_wakeups = may_happen;
        self
    }

    /// While others read, a reader may have to wait behind a writer that waits, as the standard library allows: a thread
    /// that reads twice may deadlock. On unless switched off, which means fewer sequences.
    pub fn waiting_writers_block(mut self, may_happen: bool) -> Self {
        self.settings.liberties.waiting_writers_block = may_happen;
        self
    }

    /// Gives each load of an atomic a place in the order of the variable's writes, so that it can never turn out that no
    /// real variable could have been read like that. More sequences; for programs whose `unsafe` code would crash on
    /// values that cannot be.
    pub fn ordered_loads(mut self, ordered: bool) -> Self {
        self.settings.ordered_loads = ordered;
        self
    }

    /// A thread that polls one thing and yields waits until that has changed (see
    /// [`yield_now`](crate::std::thread::yield_now)). On unless switched off; then a loop that polls without end runs
    /// into the bound on steps.
    pub fn patient_polling(mut self, patient: bool) -> Self {
        self.settings.patient_polling = patient;
        self
    }

    /// Ends the exploration at the first failure, in depth-first order, which makes the exploration use one worker.
    pub fn stop_at_first_failure(mut self, stop: bool) -> Self {
        self.plan.stop_at_first_failure = stop;
        self
    }

    /// Of the sequences that fail in the same way, shows the one with the fewest events instead of the first.
    pub fn shortest_failure(mut self, shortest: bool) -> Self {
        self.plan.shortest_failure = shortest;
        self
    }

    /// A thread that nobody can join any more and that is still blocked when the closure has returned is no deadlock.
    pub fn ignore_detached(mut self, ignore: bool) -> Self {
        self.plan.ignore_detached = ignore;
        self
    }

    /// Every execution begins with this sequence (the beginning of one that the program can do); the rest is explored.
    pub fn prefix(mut self, prefix: Sequence) -> Self {
        self.prefix = Some(Arc::new(prefix));
        self
    }

    /// Shows each execution to `observer` as it ends. With several workers it is called from all of them at once, in no
    /// particular order.
    ///
    /// An exploration that finds out something about the program that changes what its sequences look like (two threads
    /// receive from one channel, say) starts again, and executions are shown anew: what was seen in an earlier
    /// [round](Ended::round) is void.
    pub fn observe(mut self, observer: impl Fn(&Ended<'_>) + Send + Sync + 'static) -> Self {
        self.plan.observer = Some(Arc::new(observer));
        self
    }

    /// Forces the program, until somebody has seen enough.
    pub(crate) fn forcing(mut self, forcing: Arc<Forcing>, over: Arc<AtomicBool>) -> Self {
        self.plan.forcing = Some(forcing);
        self.plan.over = Some(over);
        self
    }

    /// These facts about the program are known to begin with, so that its sequences look as they do where the facts were
    /// found.
    pub(crate) fn knowing(mut self, known: Topology) -> Self {
        self.known = known;
        self
    }

    /// Finds out what a few free runs show of the program, by these seeds.
    pub(crate) fn get_to_know<F, R>(&mut self, seeds: impl Iterator<Item = Option<u64>>, program: &F)
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        refuse_nesting();
        crate::coroutine::watch();
        let mut x = Engine::new(self.settings);
        for seed in seeds {
            loop {
                x.know(&self.known);
                x.choose_by(seed);
                run(&mut x, program);
                if !self.known.add(x.learned.drain(..)) {
                    break;
                }
            }
        }
    }

    /// Switches a rule of the algorithm off, which makes the result wrong.
    #[doc(hidden)]
    pub fn without(mut self, rule: Rule) -> Self {
        self.settings.rules = self.settings.rules.without(rule);
        self
    }

    /// Runs the program once for every SYN-sequence it has.
    ///
    /// # Panics
    /// Inside a program under test: explorations do not nest. If a [`prefix`](Self::prefix) is malformed.
    pub fn explore<F, R>(&self, program: F) -> Exploration
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        self.explore_and_learn(program).0
    }

    /// As [`explore`](Self::explore); and the facts that it has found out about the program.
    pub(crate) fn explore_and_learn<F, R>(&self, program: F) -> (Exploration, Topology)
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        refuse_nesting();
        let mut plan = self.plan.clone();
        plan.deadline = self.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let ordered =
            plan.max_executions.is_some() || plan.max_sequences.is_some() || plan.stop_at_first_failure;
        let workers = if ordered { 1 } else { self.worker_count() };
        let mut topology = self.prefix.as_deref().map_or_else(Topology::default, shown_by);
        topology.add(self.known.iter().cloned());
        loop {
            let (mut learned, tally, bound) = self.explore_knowing(&plan, workers, &topology, &program);
            if learned.is_empty() {
                return (finish(tally, bound), topology);
            }
            if workers > 1 {
                // Which worker is first to learn something is chance. Which fact comes first, depth first, is not.
                (learned, ..) = self.explore_knowing(&plan, 1, &topology, &program);
            }
            plan.round += 1;
            assert!(topology.add(learned), "what is learned was not known");
        }
    }

    /// Explores with the facts known so far, until it is done or there is a new fact.
    fn explore_knowing<F, R>(
        &self,
        plan: &Plan,
        workers: usize,
        topology: &Topology,
        program: &F,
    ) -> (Vec<Fact>, Tally, Option<Bound>)
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        let share = Share::new();
        let results = on_workers(workers, || {
            let mut worker = Worker::new(plan, self.settings, program);
            worker.x.know(topology);
            worker.x.turns.forcing.clone_from(&plan.forcing);
            if let Some(prefix) = &self.prefix {
                write_script(prefix, &mut worker.x).unwrap_or_else(|e| panic!("insyn: bad prefix: {e}"));
            }
            worker.explore(&share);
            (worker.learned, worker.tally, worker.bound)
        });
        let mut learned = Vec::new();
        let mut tally = Tally::default();
        let mut bound = None;
        for (facts, theirs, reached) in results {
            learned.extend(facts);
            tally.merge(theirs);
            bound = bound.or(reached);
        }
        (learned, tally, bound)
    }

    /// Runs the program once. Free choices are fixed, or random if a [`seed`](Self::seed) is set.
    ///
    /// # Panics
    /// Inside a program under test.
    pub fn run<F, R>(&self, program: F) -> Execution
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        refuse_nesting();
        crate::coroutine::watch();
        let mut x = Engine::new(self.settings);
        let mut topology = Topology::default();
        let mut seed = self.plan.seed;
        loop {
            x.choose_by(seed);
            let output = run(&mut x, &program);
            if topology.add(x.learned.drain(..)) {
                x.know(&topology);
                continue;
            }
            let execution = self.ended(&x, &output);
            // Random picks are causal, but now and then no real objects could have made all of them.
            match seed {
                Some(n) if !is_real(&x) => seed = Some(n.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1)),
                _ => return execution,
            }
        }
    }

    /// From the seed of a run of a sample to that of the next.
    pub(crate) const NEXT_SEED: u64 = 0x9e37_79b9_7f4a_7c15;

    /// Runs the program `runs` times with random choices, by the [`seed`](Self::seed) (0 if none is set), and counts
    /// the distinct sequences seen: for spaces too large to exhaust. Remembers a fingerprint of 16 bytes for each.
    ///
    /// # Panics
    /// Inside a program under test.
    pub fn sample<F, R>(&self, runs: u64, program: F) -> Exploration
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        refuse_nesting();
        let deadline = self.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut topology = self.known.clone();
        let mut round = 0;
        loop {
            let (learned, exploration) = self.sample_knowing(runs, deadline, round, &topology, &program);
            // All runs are made before anything is learned, so it does not matter who learned it first.
            if !topology.add(learned) {
                return exploration;
            }
            round += 1;
        }
    }

    fn sample_knowing<F, R>(
        &self,
        runs: u64,
        deadline: Option<Instant>,
        round: u32,
        topology: &Topology,
        program: &F,
    ) -> (Vec<Fact>, Exploration)
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        let seed = self.plan.seed.unwrap_or(0);
        let next = AtomicU64::new(0);
        let results = on_workers(self.worker_count(), || {
            let mut x = Engine::new(self.settings);
            x.know(topology);
            let mut learned = Vec::new();
            let mut tally = Tally::default();
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
                x.choose_by(Some(seed.wrapping_add(n.wrapping_mul(Self::NEXT_SEED))));
                let output = run(&mut x, program);
                if !x.learned.is_empty() {
                    learned.append(&mut x.learned);
                    continue;
                }
                let termination = failure::termination(&x, self.plan.ignore_detached);
                tally.executions += 1;
                tally.leaked += x.leaked;
                if !is_real(&x) {
                    tally.unreal += 1;
                    continue;
                }
                seen.insert((fingerprint(&sequence::collect(&x)), termination));
                if termination != Termination::Normal {
                    tally.fail(&x, termination, vec![n], self.plan.shortest_failure);
                }
                if let Some(observer) = &self.plan.observer {
                    observer(&Ended::new(&x, true, termination, &output, round, &()));
                }
            }
            (learned, tally, seen, bound)
        });
        let mut learned = Vec::new();
        let mut tally = Tally::default();
        let mut seen = BTreeSet::new();
        let mut bound = None;
        for (facts, theirs, sequences, reached) in results {
            learned.extend(facts);
            tally.merge(theirs);
            seen.extend(sequences);
            bound = bound.or(reached);
        }
        for (_, termination) in seen {
            tally.count(termination);
        }
        (learned, finish(tally, bound.or(Some(Bound::Sample))))
    }

    /// Runs the program under every order of its threads' steps, as long as that takes no more than `most` executions, and
    /// counts the distinct sequences: what an exploration must count too. The number of executions grows exponentially
    /// with that of steps; this is for confirming counts at small sizes, by other means than those of an exploration.
    ///
    /// # Panics
    /// Inside a program under test.
    #[doc(hidden)]
    pub fn brute_force<F, R>(&self, most: u64, program: F) -> Option<BruteForce>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        refuse_nesting();
        crate::coroutine::watch();
        let mut topology = Topology::default();
        'anew: loop {
            let mut x = Engine::new(self.settings);
            x.know(&topology);
            let mut seen: BTreeSet<(u128, Termination)> = BTreeSet::new();
            let mut executions = 0;
            while x.choose_next() {
                if executions == most {
                    return None;
                }
                executions += 1;
                run(&mut x, &program);
                if topology.add(x.learned.drain(..)) {
                    continue 'anew;
                }
                if is_real(&x) {
                    let termination = failure::termination(&x, self.plan.ignore_detached);
                    seen.insert((fingerprint(&sequence::collect(&x)), termination));
                }
            }
            return Some(BruteForce { sequences: seen.len() as u64, executions });
        }
    }

    /// Runs the program once more as `sequence` says.
    ///
    /// # Errors
    /// If the program does not do that: it has changed, or the sequence is another program's.
    ///
    /// # Panics
    /// Inside a program under test.
    pub fn replay<F, R>(&self, sequence: &Sequence, program: F) -> Result<Execution, ReplayError>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        self.follow(sequence, program, true)
    }

    /// As [`replay`](Self::replay), with a sequence from a file, such as [`Failure::save`](crate::Failure::save) writes.
    ///
    /// # Errors
    /// If the file cannot be read, is no sequence file, or the program does not do what it says.
    ///
    /// # Panics
    /// Inside a program under test.
    pub fn replay_file<F, R>(&self, path: impl AsRef<Path>, program: F) -> Result<Execution, ReplayError>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        let path = path.as_ref();
        let unreadable =
            |reason: String| ReplayError::Unreadable { path: path.display().to_string(), reason };
        let text = std::fs::read_to_string(path).map_err(|e| unreadable(e.to_string()))?;
        let file = SequenceFile::read(&text).map_err(|e| unreadable(e.to_string()))?;
        self.replay(&file.sequence, program)
    }

    /// Runs the program once: first as `prefix` says, then freely.
    ///
    /// # Errors
    /// If the program cannot begin like that.
    ///
    /// # Panics
    /// Inside a program under test.
    pub fn force_prefix<F, R>(&self, prefix: &Sequence, program: F) -> Result<Execution, ReplayError>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        self.follow(prefix, program, false)
    }

    fn follow<F, R>(&self, sequence: &Sequence, program: F, whole: bool) -> Result<Execution, ReplayError>
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        refuse_nesting();
        crate::coroutine::watch();
        let mut topology = shown_by(sequence);
        let (x, execution) = loop {
            let mut x = Engine::new(self.settings);
            x.know(&topology);
            x.choose_by(self.plan.seed);
            write_script(sequence, &mut x)?;
            let output = run(&mut x, &program);
            if !topology.add(x.learned.drain(..)) {
                let execution = self.ended(&x, &output);
                break (x, execution);
            }
        };
        if let Some(d) = &x.divergence {
            return Err(ReplayError::Diverged {
                process: d.process.clone(),
                index: d.index,
                expected: d.expected.clone(),
                found: d.found.clone().unwrap_or_else(|| "nothing".to_string()),
            });
        }
        if !is_real(&x) {
            return Err(ReplayError::Unreal);
        }
        first_difference(sequence, &execution.sequence, whole).map_or(Ok(execution), Err)
    }

    /// What came of a run.
    fn ended<R: Serialize>(&self, x: &Engine, output: &Option<R>) -> Execution {
        let termination = failure::termination(x, self.plan.ignore_detached);
        let ended = Ended::new(x, true, termination, output, 0, &());
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
        execution::current().is_none(),
        "insyn: an exploration cannot be started inside a program under test; explore the inner program by itself"
    );
}

/// Runs `work` as so many workers; a single one is the calling thread itself.
fn on_workers<T: Send>(workers: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    crate::coroutine::watch();
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
