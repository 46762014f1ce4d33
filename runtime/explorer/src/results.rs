//! The results of running a program: [`Exploration`] and [`Execution`].

use std::fmt;

use insyn_sequences::Sequence;
use insyn_sequences::failing::Share;
use insyn_sequences::report::Style;
use insyn_verdicts::protocol::{idle_sentence, not_shown};

use crate::exploration::ended::Ended;
use crate::exploration::plan::Bound;
use crate::exploration::tally::Tally;
use crate::failure::{Failure, Termination, terminal};

/// What an exploration found.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use = "what went wrong is in here; `assert_ok` panics with it"]
pub struct Exploration {
    /// Distinct SYN-sequences, each run once.
    pub sequences: u64,
    /// Runs of the program: sequences, repeats and inconsistent runs.
    pub executions: u64,
    /// Runs that only repeated a sequence; they lead to other sequences.
    pub repeats: u64,
    /// Runs that no real program could have done; they lead to other sequences.
    pub inconsistent: u64,
    /// Sequences that end with threads blocked forever.
    pub deadlocks: u64,
    /// Sequences that end with a panic.
    pub panics: u64,
    /// Sequences that were cut at the bound on steps.
    pub step_bounds: u64,
    /// Sequences that ended because a thread ran out of stack.
    pub stack_overflows: u64,
    /// Executions that did not repeat what the program had done before with the same picks. They are no sequences, and
    /// their variants were not explored.
    pub nondeterminism: u64,
    /// Repeats and inconsistent runs that were cut by the bound on steps or by a stack overflow: sequences that they lead
    /// to may be missing.
    pub lost: u64,
    /// Threads whose stacks were abandoned because the values on them could not be dropped.
    pub leaked: u64,
    /// What went wrong, each kind and place once, in the order of the exploration. For each kind 32 places are kept, the
    /// first ones by their names; failures at other places are only counted, in [`left_out`](Self::left_out).
    pub failures: Vec<Failure>,
    /// Sequences that failed at places which are not kept in [`failures`](Self::failures), since there are too many.
    pub left_out: u64,
    /// The bound that ended the exploration before it was complete.
    pub bound: Option<Bound>,
    /// Threads that had no event in any execution: insyn observed only that they start and end. Perhaps their code is not
    /// annotated. The thread of the closure itself is never listed.
    pub idle_threads: Vec<String>,
    /// Whether insyn observed any synchronization of the program, and whether the program is declared to have none.
    synchronizes: bool,
    sequential: bool,
    /// How many sequences ended in each way.
    terminations: [u64; Termination::ALL.len()],
}

impl Exploration {
    /// How many sequences ended in this way. (Executions that were not under control are no sequences, but are counted
    /// here too.)
    pub fn ended(&self, termination: Termination) -> u64 {
        self.terminations[termination as usize]
    }

    /// How many of the sequences that are left out ended in one of these ways.
    #[doc(hidden)]
    pub fn left_out_of(&self, is_meant: impl Fn(Termination) -> bool) -> u64 {
        if self.failures.iter().all(|failure| is_meant(failure.termination)) {
            return self.left_out;
        }
        let meant = Termination::ALL.into_iter().filter(|&it| it != Termination::Normal && is_meant(it));
        let ended: u64 = meant.map(|it| self.ended(it)).sum();
        let kept = self.failures.iter().filter(|failure| is_meant(failure.termination));
        ended.saturating_sub(kept.map(|failure| failure.occurrences).sum()).min(self.left_out)
    }

    /// Panics with the whole report if anything went wrong, if not every sequence was run, or if there was nothing to
    /// explore. Meant for tests.
    ///
    /// # Panics
    /// If there are failures, the exploration is not [complete](Self::is_complete), or it has an
    /// [oversight](Self::oversight).
    #[track_caller]
    pub fn assert_ok(&self) {
        if !self.failures.is_empty() || !self.is_complete() || self.oversight().is_some() {
            let style = terminal::style();
            let mut text = String::new();
            let written = self.write_report(&mut text, |failure| failure.report(&style));
            written.expect("text can be written to a string");
            panic!("{text}");
        }
    }

    /// Whether insyn observed no synchronization: no execution synchronized, or started a thread that is under control.
    /// (`label!` does not synchronize.) Either the program is sequential, or its threads are real ones, and one arbitrary
    /// interleaving of them was run.
    pub fn is_sequential(&self) -> bool {
        !self.synchronizes
    }

    /// Whether the exploration is meaningless although nothing has failed: it observed no synchronization although the
    /// program is not declared [sequential](crate::Explorer::sequential), or some although it is.
    pub fn oversight(&self) -> Option<Oversight> {
        match (self.synchronizes, self.sequential) {
            (true, true) => Some(Oversight::NotSequential),
            // A program that fails before it synchronizes may still be under control.
            (false, false) if self.ended(Termination::Normal) > 0 => Some(Oversight::NothingUnderControl),
            (true, false) | (false, _) => None,
        }
    }

    /// A sentence that names the [idle threads](Self::idle_threads), if there are any.
    #[doc(hidden)]
    pub fn idle_sentence(&self) -> Option<String> {
        idle_sentence(&self.idle_threads)
    }

    /// Whether every sequence that the program has was run to its end.
    pub fn is_complete(&self) -> bool {
        let cut = self.step_bounds + self.stack_overflows + self.nondeterminism + self.lost;
        self.bound.is_none() && cut == 0
    }
}

impl fmt::Display for Exploration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_report(f, |failure| failure.report(&Style::default()))
    }
}

impl Exploration {
    /// Its text, with the text of each failure.
    #[doc(hidden)]
    pub fn write_report(&self, f: &mut impl fmt::Write, text_of: impl Fn(&Failure) -> String) -> fmt::Result {
        write!(f, "{} sequences in {} executions", self.sequences, self.executions)?;
        write!(f, " ({} repeats, {} inconsistent)", self.repeats, self.inconsistent)?;
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
            write!(f, "\n\n{}", text_of(failure).trim_end())?;
        }
        if let Some(sentence) = not_shown(self.left_out) {
            write!(f, "\n\n{sentence}")?;
        }
        if let Some(oversight) = self.oversight() {
            write!(f, "\n\n{oversight}")?;
        }
        self.idle_sentence().map_or(Ok(()), |sentence| write!(f, "\n\n{sentence}"))
    }
}

/// Why an exploration without a failure is meaningless. Its text explains what to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Oversight {
    /// insyn observed no synchronization, and the program is not declared sequential.
    NothingUnderControl,
    /// insyn observed synchronization in a program that is declared sequential.
    NotSequential,
}

impl fmt::Display for Oversight {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Oversight::NothingUnderControl => {
                "nothing is under control: insyn saw no thread, channel, lock or atomic of this program\n  \
                 put `#[insyn::instrument]` on the modules that use them, and build with insyn's feature `instrument`,\n  \
                 or use the types of `insyn::std`, `insyn::sync` and `insyn::crossbeam_channel`;\n  \
                 if the program is meant to have no synchronization, write `#[insyn::test(sequential)]`\n  \
                 (without the attribute: `Explorer::sequential(true)`)"
            }
            Oversight::NotSequential => {
                "not sequential: insyn saw the program synchronize; remove `sequential` from `#[insyn::test(sequential)]`\n  \
                 (without the attribute: `Explorer::sequential(true)`)"
            }
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

/// The result of running a program under every order of its threads' steps.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BruteForce {
    /// Distinct sequences.
    pub sequences: u64,
    /// Runs of the program.
    pub executions: u64,
}

/// Makes the result of an exploration from the counts of its workers.
pub fn finish(mut tally: Tally, bound: Option<Bound>, sequential: bool) -> Exploration {
    let activity = std::mem::take(&mut tally.activity);
    let ended = |t: Termination| tally.ended(t);
    let mut exploration = Exploration {
        sequences: tally.sequences(),
        executions: tally.executions,
        repeats: tally.repeats,
        inconsistent: tally.inconsistent,
        deadlocks: ended(Termination::Deadlock) + ended(Termination::LocalDeadlock),
        panics: ended(Termination::Panic),
        step_bounds: ended(Termination::StepBound) + ended(Termination::LocalDeadlock),
        stack_overflows: ended(Termination::StackOverflow),
        nondeterminism: ended(Termination::Nondeterminism),
        lost: tally.lost,
        leaked: tally.leaked,
        left_out: tally.forgotten,
        bound,
        synchronizes: activity.synchronizes,
        idle_threads: activity.idle_threads(),
        sequential,
        terminations: Termination::ALL.map(ended),
        failures: tally.into_failures(),
    };
    let (of, complete) = (exploration.sequences, exploration.is_complete());
    for failure in &mut exploration.failures {
        // Executions that are not under control are no sequences.
        let is_sequence = failure.termination != Termination::Nondeterminism;
        failure.share = is_sequence.then_some(Share { failing: failure.occurrences, of, complete });
    }
    exploration
}

impl Ended<'_> {
    /// The whole execution.
    pub(crate) fn to_execution(&self) -> Execution {
        Execution {
            sequence: self.sequence(),
            termination: self.termination(),
            output: self.output(),
            failure: self.failure(),
        }
    }
}
