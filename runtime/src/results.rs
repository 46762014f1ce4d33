//! What comes out of running a program: [`Exploration`] and [`Execution`].

use std::fmt;

use insyn_specs::Sequence;

use crate::exploration::tally::Tally;
use crate::failure::{Failure, Termination};

/// What an exploration found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "what went wrong is in here; `assert_ok` panics with it"]
pub struct Exploration {
    /// Distinct SYN-sequences, each run once.
    pub sequences: u64,
    /// Runs of the program. More than `sequences` by the repeats and the unreal runs.
    pub executions: u64,
    /// Runs that only showed a sequence again; they lead to others.
    pub repeats: u64,
    /// Runs that no real program could have done; they lead to others.
    pub unreal: u64,
    /// Sequences that end with threads that can never go on.
    pub deadlocks: u64,
    /// Sequences that end with a panic.
    pub panics: u64,
    /// Sequences that were cut at the bound on steps.
    pub step_bounds: u64,
    /// Sequences that ended because a thread ran out of stack.
    pub stack_overflows: u64,
    /// Executions that did not do again what they had done before. They are no sequences, and what they lead to was not
    /// explored.
    pub nondeterminism: u64,
    /// Repeats and unreal runs that were cut by the bound on steps or by the end of the stack: what they lead to may be
    /// missing.
    pub lost: u64,
    /// Threads whose stacks were given up because what was on them could not be dropped.
    pub leaked: u64,
    /// What went wrong, each kind and place once, in the order of the exploration. Of each kind 32 places are kept, those
    /// that come first by their names; what failed at others is only counted, in [`left_out`](Self::left_out).
    pub failures: Vec<Failure>,
    /// Sequences that failed at places which are not kept in [`failures`](Self::failures), since there are too many.
    pub left_out: u64,
    /// The bound that ended the exploration before it was complete.
    pub bound: Option<Bound>,
    /// How many sequences ended in each way.
    terminations: [u64; Termination::ALL.len()],
}

impl Exploration {
    /// How many sequences ended in this way. (Executions that were not under control are no sequences, but are counted
    /// here too.)
    pub fn ended(&self, termination: Termination) -> u64 {
        self.terminations[termination as usize]
    }

    /// Of those that are left out, how many ended in such a way.
    pub(crate) fn left_out_of(&self, is_meant: impl Fn(Termination) -> bool) -> u64 {
        if self.failures.iter().all(|failure| is_meant(failure.termination)) {
            return self.left_out;
        }
        let meant = Termination::ALL.into_iter().filter(|&it| it != Termination::Normal && is_meant(it));
        let ended: u64 = meant.map(|it| self.ended(it)).sum();
        let kept = self.failures.iter().filter(|failure| is_meant(failure.termination));
        ended.saturating_sub(kept.map(|failure| failure.occurrences).sum()).min(self.left_out)
    }

    /// Panics with the whole report if anything went wrong, or if not every sequence was run: what a test wants.
    ///
    /// # Panics
    /// If there are failures, or the exploration is not [complete](Self::is_complete).
    #[track_caller]
    pub fn assert_ok(&self) {
        assert!(self.failures.is_empty() && self.is_complete(), "{self}");
    }

    /// Whether every sequence that the program has was run to its end.
    pub fn is_complete(&self) -> bool {
        let cut = self.step_bounds + self.stack_overflows + self.nondeterminism + self.lost;
        self.bound.is_none() && cut == 0
    }
}

impl fmt::Display for Exploration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} sequences in {} executions", self.sequences, self.executions)?;
        write!(f, " ({} repeats, {} unreal)", self.repeats, self.unreal)?;
        write!(f, ", {} deadlocks, {} panics", self.deadlocks, self.panics)?;
        for (count, what) in [
            (self.step_bounds, "cut at the bound on steps"),
            (self.stack_overflows, "out of stack"),
            (self.nondeterminism, "not under control"),
            (self.lost, "cut before they could lead to others"),
        ] {
            if count > 0 {
                write!(f, ", {count} {what}")?;
            }
        }
        if let Some(bound) = self.bound {
            write!(f, "; not complete: {bound}")?;
        }
        for failure in &self.failures {
            write!(f, "\n\n{failure}")?;
        }
        if self.left_out > 0 {
            write!(f, "\n\n{}", not_shown(self.left_out))?;
        }
        Ok(())
    }
}

/// That so many sequences failed which are not listed.
pub(crate) fn not_shown(left_out: u64) -> String {
    match left_out {
        1 => "1 more sequence fails at a place that is not shown".to_owned(),
        _ => format!("{left_out} more sequences fail at places that are not shown"),
    }
}

/// A bound that ended an exploration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Bound {
    /// [`Explorer::max_executions`](crate::Explorer::max_executions).
    Executions,
    /// [`Explorer::max_sequences`](crate::Explorer::max_sequences).
    Sequences,
    /// [`Explorer::time_limit`](crate::Explorer::time_limit).
    Time,
    /// [`Explorer::stop_at_first_failure`](crate::Explorer::stop_at_first_failure).
    FirstFailure,
    /// [`Explorer::sample`](crate::Explorer::sample) runs only some of the sequences.
    Sample,
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bound::Executions => "the bound on executions was reached",
            Bound::Sequences => "the bound on sequences was reached",
            Bound::Time => "the time limit was reached",
            Bound::FirstFailure => "stopped at the first failure",
            Bound::Sample => "only a sample was run",
        })
    }
}

/// A single execution.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Execution {
    /// What it did.
    pub sequence: Sequence,
    /// How it ended.
    pub termination: Termination,
    /// What the closure returned, as JSON; none if it did not return.
    pub output: Option<String>,
    /// What went wrong, if anything did.
    pub failure: Option<Failure>,
}

/// What came of running a program under every order of its threads' steps.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BruteForce {
    /// Distinct sequences.
    pub sequences: u64,
    /// Runs of the program.
    pub executions: u64,
}

/// Makes the result of an exploration out of what its workers counted.
pub(crate) fn finish(tally: Tally, bound: Option<Bound>) -> Exploration {
    let ended = |t: Termination| tally.ended(t);
    Exploration {
        sequences: tally.sequences(),
        executions: tally.executions,
        repeats: tally.repeats,
        unreal: tally.unreal,
        deadlocks: ended(Termination::Deadlock) + ended(Termination::LocalDeadlock),
        panics: ended(Termination::Panic),
        step_bounds: ended(Termination::StepBound) + ended(Termination::LocalDeadlock),
        stack_overflows: ended(Termination::StackOverflow),
        nondeterminism: ended(Termination::Nondeterminism),
        lost: tally.lost,
        leaked: tally.leaked,
        left_out: tally.forgotten,
        bound,
        terminations: Termination::ALL.map(ended),
        failures: tally.into_failures(),
    }
}
