//! A worker: runs variants depth first, keeping a stack of half-read race tables.

use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use super::activity::ActivityLog;
use super::consistency::Consistency;
use super::ended::{Ended, Origin};
use super::order::HappensBefore as _;
use super::past::{self, Pasts};
use super::plan::{Bound, Plan};
use super::prefix;
use super::races;
use super::relevant::Relevant;
use super::share::{Share, Work};
use super::table::Table;
use super::tally::{Key, Tally};
use super::variant::Maker;
use crate::body::{Body, Output};
use crate::failure::{self, Termination};
use insyn_engine::lifecycle::execute;
use insyn_engine::refinement::Fact;
use insyn_engine::rules::Rule;
use insyn_engine::script::Name;
use insyn_engine::{Engine, Settings};

/// One OS thread's part of an exploration.
pub(crate) struct Worker<'a> {
    plan: &'a Plan,
    program: &'a Body,
    pub engine: Engine,
    pub(crate) tally: Tally,
    pub(crate) activity: ActivityLog,
    /// The bound that ended the exploration, if one did.
    pub bound: Option<Bound>,
    /// Facts that ended the exploration: it must start again with them.
    pub(crate) new_facts: Vec<Fact>,
    /// The stack; above its top, frames that are kept only for their memory.
    frames: Vec<Frame>,
    /// How many frames are in the stack.
    depth: usize,
    /// When the clock was last read, at how many executions it is read next, and how many lie between two readings.
    last_look: Option<Instant>,
    next_look: u64,
    stride: u64,
    /// The place of the bottom of the stack in the order of the exploration.
    base: Key,
    pasts: Pasts,
    maker: Maker,
    consistency: Consistency,
}

/// A run whose variants have not all been run.
#[derive(Default, Debug)]
struct Frame {
    table: Table,
    relevant: Relevant,
    /// The row whose variant this worker is exploring. (Later rows may have been given away meanwhile.)
    row: u64,
    /// How many bytes its records take, if the run is long; else they are not worth counting.
    bytes: usize,
}

impl<'a> Worker<'a> {
    pub(crate) fn new(plan: &'a Plan, settings: Settings, program: &'a Body) -> Self {
        Worker {
            plan,
            program,
            engine: {
                let mut engine = Engine::new(settings);
                engine.limits.deadline = plan.deadline;
                engine
            },
            tally: Tally::default(),
            activity: ActivityLog::default(),
            bound: None,
            new_facts: Vec::new(),
            frames: Vec::new(),
            depth: 0,
            last_look: None,
            next_look: 0,
            stride: 1,
            base: Key::new(),
            pasts: Pasts::default(),
            maker: Maker::default(),
            consistency: Consistency::default(),
        }
    }

    /// Explores until there is no work left anywhere.
    pub(crate) fn explore(&mut self, share: &Share) {
        while let Some(work) = share.take() {
            let busy = share.busy();
            self.begin(work);
            self.explore_below(share);
            busy.done();
        }
    }

    /// Explores from the variant in the engine's script, until no variant of it is left or all workers stop.
    fn explore_below(&mut self, share: &Share) {
        loop {
            // Checked only if there is something left to run: a bound that is reached exactly at the end has cut nothing.
            if let Some(bound) = self.reached() {
                self.bound = Some(bound);
                share.stop();
            }
            if self.plan.over.as_ref().is_some_and(|over| over.load(Ordering::Relaxed)) {
                share.stop();
            }
            if share.is_stopped() {
                return;
            }
            self.run_variant();
            if let Some(limit) = self.engine.ending.limit {
                self.bound = Some(limit.into());
                share.stop();
                return;
            }
            if !self.new_facts.is_empty() {
                share.stop();
                return;
            }
            if share.wants_work() {
                self.donate(share);
            }
            if !self.next_variant() {
                return;
            }
        }
    }

    fn begin(&mut self, work: Work) {
        self.base = work.key;
        if let Some(script) = work.script {
            let Engine { processes, script: mine, .. } = &mut self.engine;
            mine.import(script, processes);
        }
    }

    /// Runs the variant in the engine's script, counts it, and prepares its own variants.
    fn run_variant(&mut self) {
        let seed = self.plan.seed.map(|seed| mix(seed, &self.key()));
        self.engine.choose_by(seed);
        let output = run(&mut self.engine, self.program);
        if self.engine.ending.limit.is_some() {
            return;
        }
        if !self.engine.ending.new_facts.is_empty() {
            self.new_facts.append(&mut self.engine.ending.new_facts);
            return;
        }
        if self.engine.script.doubtful {
            prefix::check(&mut self.engine);
        }
        self.tally.executions += 1;
        self.tally.leaked += self.engine.ending.leaked;
        self.activity.observe(&self.engine);
        let repeat = self.is_repeat();
        if self.depth == self.frames.len() {
            self.frames.push(Frame::default());
        }
        let frame = &mut self.frames[self.depth];
        let mut real = true;
        let in_doubt =
            self.engine.settings.rules.has(Rule::Consistency) && frame.relevant.is_in_doubt(&self.engine.run);
        if in_doubt {
            self.compute_pasts();
            let Worker { engine, frames, pasts, consistency, .. } = self;
            let relevant = &mut frames[self.depth].relevant;
            if relevant.read(&engine.run, |a, b| pasts.before(a, b)) {
                real = consistency.check_run(&engine.run, pasts, relevant, &engine.settings);
            }
        }
        let counted = real && !repeat;
        if repeat {
            self.tally.repeats += 1;
        } else if !real {
            self.tally.inconsistent += 1;
        }
        let termination = failure::termination(&self.engine, self.plan.ignore_detached);
        // A run that left its script is no sequence, and is always reported.
        let diverged = termination == Termination::Nondeterminism;
        if !counted
            && matches!(
                termination,
                Termination::StepBound | Termination::LocalDeadlock | Termination::StackOverflow
            )
        {
            self.tally.lost += 1;
        }
        if counted || diverged {
            self.tally.count(termination);
            if termination != Termination::Normal {
                let key = self.key();
                self.tally.fail(&self.engine, termination, key, self.plan.shortest_failure);
            }
        }
        if let Some(observer) = &self.plan.observer {
            let ended =
                Ended::new(&self.engine, counted, termination, output.as_ref(), self.plan.round, self);
            observer(&ended.repeated(repeat));
        }
        self.push(repeat, real, in_doubt);
    }

    /// Whether a renewed receiving event found no new partner although an old one was there.
    fn is_repeat(&mut self) -> bool {
        !self.engine.run.unresolved.is_empty()
            && self.engine.settings.rules.has(Rule::RepeatsUncounted)
            && self.engine.has_repeat()
    }

    /// Puts the run on the stack if it has variants.
    fn push(&mut self, repeat: bool, real: bool, pasts_are_known: bool) {
        let settings = &self.engine.settings;
        let unexplored = repeat && !settings.rules.has(Rule::RepeatsExplored)
            || !real && !settings.rules.has(Rule::InconsistentExplored);
        if self.engine.ending.divergence.is_some() || unexplored {
            return;
        }
        if repeat && !settings.rules.has(Rule::StillRenewed) {
            self.engine.run.unresolved.clear();
        }
        if !settings.rules.has(Rule::Black) {
            self.engine.run.reopen();
        }
        let run = &self.engine.run;
        let is_long = past::is_long(run, settings.least_words);
        let first = match is_long {
            // Which of many events may race is found out when it is its turn.
            true => (!run.open.is_empty()).then_some(0),
            false => races::first(run),
        };
        let Some(first) = first else { return };
        if !pasts_are_known {
            self.compute_pasts();
        }
        let Worker { engine, frames, pasts, .. } = self;
        let Frame { table, bytes, .. } = &mut frames[self.depth];
        if table.start(&mut engine.run, first, pasts, engine.processes.len(), &engine.settings) {
            *bytes = if is_long { table.bytes() } else { 0 };
            engine.limits.held += *bytes;
            self.depth += 1;
        }
    }

    /// Computes the pasts of the run. It begins like the run that it is a variant of.
    fn compute_pasts(&mut self) {
        let (run, least_words) = (&self.engine.run, self.engine.settings.least_words);
        match self.frames[..self.depth].last() {
            Some(frame) => {
                let known = &frame.table.pasts;
                self.pasts.compute_after(known, self.engine.same_beginning(), run, least_words);
            }
            None => self.pasts.compute(run, least_words),
        }
    }

    /// Writes the next variant into the engine's script; false if there is none.
    fn next_variant(&mut self) -> bool {
        while let Some(top) = self.depth.checked_sub(1) {
            if self.next_row_of(top) {
                self.frames[top].row = self.frames[top].table.produced;
                return true;
            }
            self.engine.limits.held -= self.frames[top].bytes;
            self.depth = top;
        }
        false
    }

    fn next_row_of(&mut self, depth: usize) -> bool {
        let Frame { table, relevant, .. } = &mut self.frames[depth];
        let Engine { script, settings, .. } = &mut self.engine;
        while table.next(settings) {
            if self.maker.make(table, relevant, settings, script) {
                // Often the script has this run already: the rows of one table follow one another.
                if !Rc::ptr_eq(&script.past, &table.recorded) {
                    script.past = Rc::clone(&table.recorded);
                }
                return true;
            }
        }
        false
    }

    /// Gives a variant away, from the shallowest table that has one, since it is likely to lead to the most others.
    fn donate(&mut self, share: &Share) {
        for depth in 0..self.depth {
            if self.frames[depth].table.has_more() && self.next_row_of(depth) {
                let script = Some(self.engine.script.export(&self.engine.processes));
                let mut key = self.key_below(depth);
                key.push(self.frames[depth].table.produced);
                share.give(Work { script, key });
                return;
            }
        }
    }

    /// The place of the current variant in the order of the exploration.
    fn key(&self) -> Key {
        self.key_below(self.depth)
    }

    fn key_below(&self, depth: usize) -> Key {
        self.base.iter().copied().chain(self.frames[..depth].iter().map(|frame| frame.row)).collect()
    }

    /// The bound that has been reached.
    fn reached(&mut self) -> Option<Bound> {
        let plan = self.plan;
        if plan.max_executions.is_some_and(|max| self.tally.executions >= max) {
            return Some(Bound::Executions);
        }
        if plan.max_sequences.is_some_and(|max| self.tally.sequences() >= max) {
            return Some(Bound::Sequences);
        }
        if plan.stop_at_first_failure && self.tally.has_failed() {
            return Some(Bound::FirstFailure);
        }
        // A short execution ends before it looks.
        if self.engine.limits.held > self.engine.settings.record_limit {
            return Some(Bound::Records);
        }
        if let Some(deadline) = plan.deadline
            && self.tally.executions >= self.next_look
            && self.look_at_clock() >= deadline
        {
            return Some(Bound::Time);
        }
        None
    }

    /// The time. Reading the clock costs more than a short execution, so the interval to the next reading grows unless
    /// executions take long.
    #[cold]
    fn look_at_clock(&mut self) -> Instant {
        const OFTEN: Duration = Duration::from_millis(1);
        const FEWEST_LOOKS: u64 = 64;
        let now = Instant::now();
        let last = self.last_look.replace(now);
        let is_often = last.is_some_and(|last| now - last < OFTEN);
        self.stride = if is_often { (self.stride * 2).min(FEWEST_LOOKS) } else { 1 };
        self.next_look = self.tally.executions + self.stride;
        now
    }
}

impl Origin for Worker<'_> {
    fn path(&self) -> Vec<u64> {
        self.key()
    }

    fn changes(&self) -> Vec<Name> {
        self.engine.script.changed().collect()
    }
}

/// Runs the program once with the engine's script.
pub(crate) fn run(engine: &mut Engine, program: &Body) -> Option<Output> {
    let mut output = None;
    execute(engine, &mut || output = Some(program()))
        .unwrap_or_else(|e| panic!("insyn: no memory for a stack: {e}"));
    output
}

/// A seed of its own for each execution, from its place in the exploration.
fn mix(seed: u64, key: &[u64]) -> u64 {
    key.iter().fold(seed, |h, k| (h ^ k).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23))
}
