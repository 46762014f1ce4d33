//! Forcing a sequence on a program: [`Explorer::force`], and its results.
//!
//! The sequence names some events of the program, in an order; all other events are hidden and free. The sequence is
//! feasible if some execution does the named events in that order, and infeasible if all hidden choices have been tried
//! without success. No timeout decides.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use insyn_sequences::{ObservedEvent, Op};
use serde::Serialize;

use crate::body::{self, Body};
use crate::exploration::ended::Ended;
use crate::exploration::plan::Bound;
use crate::explorer::Explorer;
use crate::failure::{self, Blocked, Stuck, Termination};
use crate::replay::{is_in_step, steps_done};
use crate::results::{Execution, Exploration};
use insyn_engine::forcing::Forcing;

/// Events in an order, for a program to follow.
#[derive(Debug)]
pub struct Steps(Arc<Forcing>);

impl Steps {
    /// A sequence of `len` steps. `fit` returns which of them an event can be, from 0; none if the event is not named. If
    /// the sequence is `whole`, no named event may happen after the last step; otherwise the sequence is a prefix, and
    /// the rest is free.
    pub fn new(
        len: usize,
        whole: bool,
        fit: impl Fn(&ObservedEvent<'_>) -> Option<Vec<u32>> + Send + Sync + 'static,
    ) -> Self {
        let len = u32::try_from(len).expect("a sequence that fits into memory");
        Steps(Arc::new(Forcing {
            names: Box::new(|_| true),
            stable: OnceLock::new(),
            steps: Box::new(fit),
            len,
            whole,
            describe: Box::new(|event| event.to_string()),
            wanted: Mutex::default(),
        }))
    }

    /// Calls `fit` only for events with these operations; others are not named.
    #[must_use]
    pub fn among(self, names: impl Fn(Op) -> bool + Send + Sync + 'static) -> Self {
        let mut forcing = Arc::into_inner(self.0).expect("nobody has been forced yet");
        forcing.names = Box::new(names);
        forcing.stable = OnceLock::new();
        Steps(Arc::new(forcing))
    }

    /// Sets how events are described when an obstacle lists what could have happened instead of a step.
    #[must_use]
    pub fn describing(self, describe: impl Fn(&ObservedEvent<'_>) -> String + Send + Sync + 'static) -> Self {
        let mut forcing = Arc::into_inner(self.0).expect("nobody has been forced yet");
        forcing.describe = Box::new(describe);
        Steps(Arc::new(forcing))
    }
}

impl Steps {
    /// Whether the named events have the same names whatever facts are known about the program.
    #[doc(hidden)]
    pub fn is_stable(&self) -> bool {
        self.0.is_stable()
    }
}

/// The result of forcing a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Forced {
    /// Whether the program can do the sequence.
    pub answer: Answer,
    /// How many forced executions it took to decide.
    pub executions: u64,
}

/// Whether a program can do a sequence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It can. Holds the first execution that does the sequence; if all were requested, the first of each result.
    Feasible(Vec<Execution>),
    /// It cannot: all choices have been tried.
    Infeasible(Box<Obstacle>),
    /// A bound was reached first.
    Unknown(Option<Bound>),
    /// The sequence names an event that no thread performs, such as a disconnect, so that no thread can delay it until its
    /// turn.
    Unforceable(String),
    /// Something that insyn does not control decides what the program does.
    Refused(String),
}

/// The obstacle in a sequence that a program cannot do.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Obstacle {
    /// The first step that cannot happen, from 0. All steps before it can happen, one after the other and before all other
    /// named events. A number beyond the last step means that some named event always happens after the last step.
    pub step: usize,
    /// What could have happened there instead.
    pub instead: Vec<String>,
    /// The threads that could not go on, and what each waited for.
    pub blocked: Vec<Blocked>,
    /// The execution that did the most steps.
    pub execution: Execution,
}

impl Obstacle {
    /// What happens instead of the step, and which threads wait for what; `step` describes the step.
    #[doc(hidden)]
    pub fn describe(&self, step: &str) -> String {
        let mut told = step.to_owned();
        if !self.instead.is_empty() {
            told = format!("{told}; there could be {}", self.instead.join(" or "));
        }
        self.blocked.iter().fold(told, |told, blocked| format!("{told}\n  {blocked}"))
    }
}

impl fmt::Display for Obstacle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.describe(&format!("step {} cannot happen", self.step + 1)))
    }
}

/// This many runs start from the beginning before the search becomes exhaustive.
const ATTEMPTS: u32 = 4;

/// This many free runs show most of the facts about a program.
const PROBES: u64 = 16;

/// This many of the executions that did the most steps are compared, to find the one that shows the obstacle best.
const CANDIDATES: u32 = 16;

/// When the search is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Goal {
    /// Some execution does all steps.
    One,
    /// All executions that do all steps have been found.
    All,
    /// No execution can do more steps than this: the obstacle there has been found.
    Obstacle(usize),
}

/// The results of the search so far.
#[derive(Default)]
struct Search {
    round: u32,
    found: Vec<Execution>,
    /// The execution that did the most steps, and how many threads were held up by others that wait for their turns.
    furthest: Option<(Obstacle, usize)>,
    /// How many executions did as many steps.
    candidates: u32,
    unforceable: Option<String>,
    refused: Option<String>,
    /// In some execution, or in one that was found, events could have other names if more facts about the program were
    /// known.
    is_unstable: bool,
    found_unstable: bool,
}

impl Search {
    fn observe(&mut self, ended: &Ended<'_>) {
        if ended.round() != self.round {
            *self = Search { round: ended.round(), ..Search::default() };
        }
        if ended.termination() == Termination::Nondeterminism {
            self.refused = ended.failure().map(|failure| failure.message);
        }
        if !ended.counted() {
            return;
        }
        let engine = ended.engine();
        if let Some(event) = &engine.turns.unforceable {
            self.unforceable =
                Some(format!("`{event}` is done by no thread, so it cannot be forced; hide it"));
        }
        self.is_unstable |= !engine.turns.is_stable;
        if is_in_step(engine) {
            self.found_unstable |= !engine.turns.is_stable;
            let (termination, output) = (ended.termination(), ended.output());
            if !self.found.iter().any(|it| (it.termination, &it.output) == (termination, &output)) {
                self.found.push(ended.to_execution());
            }
            return;
        }
        let furthest = self.furthest.as_ref().map(|(obstacle, _)| obstacle.step);
        if furthest.is_some_and(|furthest| furthest > engine.turns.done() as usize) {
            return;
        }
        let step = steps_done(engine) as usize;
        if furthest.is_some_and(|furthest| furthest > step) {
            return;
        }
        let is_further = furthest.is_none_or(|furthest| furthest < step);
        self.candidates = if is_further { 1 } else { self.candidates + 1 };
        // Among executions that did equally many steps, keep the one that shows the obstacle for the most threads.
        let Stuck { instead, blocked, held_up } = failure::stuck(engine);
        if is_further || self.furthest.as_ref().is_some_and(|it| it.1 > held_up) {
            let obstacle = Obstacle { step, instead, blocked, execution: ended.to_execution() };
            self.furthest = Some((obstacle, held_up));
        }
    }

    fn is_over(&self, goal: Goal) -> bool {
        let is_shown = |step| {
            let furthest = self.furthest.as_ref().filter(|(obstacle, _)| obstacle.step >= step);
            furthest.is_some_and(|(_, held_up)| *held_up == 0 || self.candidates >= CANDIDATES)
        };
        self.refused.is_some()
            || self.unforceable.is_some()
            || match goal {
                Goal::One => !self.found.is_empty(),
                Goal::All => false,
                Goal::Obstacle(step) => is_shown(step),
            }
    }

    /// Whether the result would be the same whatever other facts about the program were known.
    fn is_sure(&self, goal: Goal) -> bool {
        match goal {
            Goal::One if !self.found.is_empty() => !self.found_unstable,
            _ => !self.is_unstable,
        }
    }

    /// What follows from the results of the search.
    fn answer(self, goal: Goal, exploration: &Exploration) -> Answer {
        let is_known = exploration.is_complete() || matches!(goal, Goal::Obstacle(_)) && self.is_over(goal);
        if let Some(event) = self.unforceable {
            return Answer::Unforceable(event);
        }
        match (self.refused, self.furthest) {
            (Some(message), _) => Answer::Refused(message),
            (None, _) if !self.found.is_empty() && (goal != Goal::All || is_known) => {
                Answer::Feasible(self.found)
            }
            (None, Some((obstacle, _))) if is_known => Answer::Infeasible(Box::new(obstacle)),
            _ => Answer::Unknown(exploration.bound),
        }
    }
}

impl Explorer {
    /// Makes the program do a sequence, or shows that it cannot. Stops at the first execution that does the sequence; with
    /// `all`, continues until there are no others, and keeps one for each result. Uses no [observer](Self::observe), and a
    /// single worker except where it explores the whole program: the names of events on channels and handles can depend
    /// on all executions together (see the guide), so if these names could make a difference they must be known first.
    ///
    /// # Panics
    /// Inside a program under test.
    #[track_caller]
    pub fn force<F, R>(&self, steps: &Steps, all: bool, program: F) -> Forced
    where
        F: Fn() -> R + Send + Sync + 'static,
        R: Serialize + 'static,
    {
        self.force_body(steps, all, &body::of(program))
    }

    #[doc(hidden)]
    pub fn force_body(&self, steps: &Steps, all: bool, program: &Body) -> Forced {
        let goal = if all { Goal::All } else { Goal::One };
        if self.knows_program() {
            return self.force_refined(steps, goal, program).0;
        }
        let mut refined = self.clone();
        if !steps.is_stable() {
            // A few free runs show more facts than forced ones.
            refined.discover_facts(std::iter::once(None).chain((0..PROBES).map(Some)), program);
        }
        let (forced, is_sure) = refined.force_refined(steps, goal, program);
        if is_sure || !matches!(forced.answer, Answer::Feasible(_) | Answer::Infeasible(_)) {
            return forced;
        }
        let (exploration, refinement) = self.clone().stop_at_first_failure(false).explore_body(program);
        if !exploration.is_complete() {
            return Forced { answer: Answer::Unknown(exploration.bound), ..forced };
        }
        if refined.knows(&refinement) {
            return forced;
        }
        let (again, _) = self.clone().refined(refinement).force_refined(steps, goal, program);
        Forced { executions: forced.executions + again.executions, ..again }
    }

    /// Shows the obstacle in a sequence that is known to be infeasible, and how many steps can be done.
    #[doc(hidden)]
    pub fn force_up_to(&self, steps: &Steps, step: usize, program: &Body) -> Forced {
        self.force_refined(steps, Goal::Obstacle(step), program).0
    }

    /// Forces a sequence with the names that are known so far; also returns whether the answer would be the same with all
    /// facts known.
    fn force_refined(&self, steps: &Steps, goal: Goal, program: &Body) -> (Forced, bool) {
        steps.0.forget();
        let mut executions = 0;
        // A few runs start from the beginning, each with better guesses than the one before about which thread does what.
        // This finds most feasible sequences without exploring everything that follows from a bad start.
        for _ in 0..if goal == Goal::All { 0 } else { ATTEMPTS } {
            let (search, exploration) = self.clone().max_executions(1).search(steps, goal, program);
            executions += exploration.executions;
            if search.is_over(goal) || exploration.is_complete() {
                let is_sure = search.is_sure(goal);
                return (Forced { answer: search.answer(goal, &exploration), executions }, is_sure);
            }
        }
        let (search, exploration) = self.search(steps, goal, program);
        executions += exploration.executions;
        let is_sure = search.is_sure(goal);
        (Forced { answer: search.answer(goal, &exploration), executions }, is_sure)
    }

    /// Searches through the executions of a forced program.
    fn search(&self, steps: &Steps, goal: Goal, program: &Body) -> (Search, Exploration) {
        let search = Arc::new(Mutex::new(Search::default()));
        let over = Arc::new(AtomicBool::new(false));
        let observer = {
            let (search, over) = (search.clone(), over.clone());
            move |ended: &Ended<'_>| {
                let mut search = search.lock().unwrap_or_else(PoisonError::into_inner);
                search.observe(ended);
                over.store(search.is_over(goal), Ordering::Relaxed);
            }
        };
        // Which execution is the first must not depend on which worker is faster.
        let explorer = self.clone().workers(1).observe(observer);
        let (exploration, _) = explorer.forcing(steps.0.clone(), over).explore_body(program);
        let search = std::mem::take(&mut *search.lock().unwrap_or_else(PoisonError::into_inner));
        (search, exploration)
    }
}
