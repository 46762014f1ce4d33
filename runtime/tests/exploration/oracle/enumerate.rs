//! Brute force: every interleaving of a program, and the set of behaviours that come out.
//!
//! [`behaviours`] walks through all states that can be reached, merging those that are equal: the same events so far
//! and the same state of threads and objects. A state with no way on is an end: normal if all threads have
//! finished, else a deadlock. Objects are plain state machines (a queue, an owner, a list of waiters), one file
//! for each family: [`ports`], [`channels`] and [`choices`], [`locks`], [`rwlocks`], [`monitors`], [`atomics`],
//! [`meetings`], [`wait_groups`] and [`pointers`]. Some of them have two forms; a state that shows that the simple one is not enough is
//! a [fact](facts), with which the walk starts again.
//!
//! Two things keep the number of states down, and change no behaviour. A call and its completion are one step,
//! since a call that has not completed cannot be observed, and so are the calls that complete together; the calls still open
//! at the end are added then. (Where a completion picks a call and leaves it waiting, that step makes the call.) And an
//! operation that nothing else can interfere with is done at once, before any other thread moves: spawn, join, reply,
//! and what a thread does inside a monitor.

mod atomics;
mod channels;
mod choices;
mod clocks;
mod duties;
mod encode;
mod events;
mod facts;
mod few;
mod handles;
mod history;
mod locks;
mod meetings;
mod monitors;
mod pointers;
mod ports;
mod rwlocks;
mod state;
mod steps;
mod wait_groups;
mod words;

use std::collections::BTreeSet;

use super::program::{Object, Op, Program};
use clocks::Clocks;
pub(crate) use facts::Fact;
use facts::Facts;
use history::{Histories, Pick};
use state::{ObjectState, Phase, State};
pub(crate) use words::{Executions, Letter};

/// Whether a call that finds the server gone also has a `return` event.
const REFUSED_CALL_RETURNS: bool = false;

/// How to enumerate.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    /// A `notify-one` wakes the longest waiter only.
    pub(crate) longest_waiter: bool,
    /// Waits and parks may end spuriously.
    pub(crate) spurious_wakeups: bool,
    /// A weak `compare_exchange` may fail spuriously.
    pub(crate) spurious_failures: bool,
    /// Loads of atomics have their place on the timeline.
    pub(crate) ordered_loads: bool,
    /// A waiting writer may block readers of an rwlock.
    pub(crate) waiting_writers_block: bool,
    /// Gives up beyond this many states.
    pub(crate) max_states: usize,
}

impl Options {
    /// What the engine does by default.
    pub(crate) const DEFAULT: Options = Options {
        longest_waiter: false,
        spurious_wakeups: false,
        spurious_failures: false,
        ordered_loads: false,
        waiting_writers_block: true,
        max_states: 1_000_000,
    };
}

/// What one execution did, in a form that can be compared and read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Behaviour {
    /// A line for each process that has events, sorted: its id and the events.
    pub(crate) lines: Vec<String>,
    pub(crate) end: End,
}

/// How an execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum End {
    Normal,
    /// Some thread was blocked forever.
    Deadlock,
    /// Some thread panicked, and was not joined; or main did.
    Panic,
}

/// All that a program can do.
pub(crate) struct Enumeration {
    pub(crate) behaviours: BTreeSet<Behaviour>,
    pub(crate) states: usize,
    /// The facts that had to be known about the program.
    pub(crate) facts: BTreeSet<Fact>,
}

/// The order of the walk; it makes no difference to the result.
#[derive(Clone, Copy)]
pub(crate) enum Walk {
    LastFirst,
    FirstFirst,
}

/// Enumerates the behaviours of a program; none if there are too many states.
pub(crate) fn behaviours(program: &Program, options: Options) -> Option<Enumeration> {
    behaviours_by(program, options, Walk::LastFirst)
}

/// Enumerates the behaviours of a program; none if there are too many states. Starts again whenever a state shows a
/// fact that was not known.
pub(crate) fn behaviours_by(program: &Program, options: Options, walk: Walk) -> Option<Enumeration> {
    let mut facts = Facts::none(program);
    loop {
        let mut enumerator = Enumerator::new(program, options, facts);
        let enumeration = enumerator.walk(walk);
        facts = enumerator.facts;
        if enumerator.shown.is_empty() {
            return enumeration;
        }
        for fact in enumerator.shown {
            facts.add(program, fact);
        }
    }
}

/// The program under enumeration and what all its states share.
struct Enumerator<'p> {
    program: &'p Program,
    options: Options,
    ids: Vec<String>,
    histories: Histories,
    facts: Facts,
    /// New facts that have been discovered.
    shown: BTreeSet<Fact>,
    /// Goes through every order of events, even if the behaviour is the same.
    every_order: bool,
}

impl<'p> Enumerator<'p> {
    fn new(program: &'p Program, options: Options, facts: Facts) -> Enumerator<'p> {
        let ids = program.process_ids();
        let histories = Histories::new(ids.len());
        Enumerator { program, options, ids, histories, facts, shown: BTreeSet::new(), every_order: false }
    }

    /// Goes through all states; none if there are too many, or if a fact shows.
    fn walk(&mut self, walk: Walk) -> Option<Enumeration> {
        let start = self.start();
        let mut seen = BTreeSet::from([start.encode()]);
        let mut stack = vec![start];
        let mut behaviours = BTreeSet::new();
        while let Some(state) = stack.pop() {
            let mut next = self.successors(&state);
            if !self.shown.is_empty() {
                return None;
            }
            if next.is_empty() {
                behaviours.insert(self.behaviour(state));
            }
            if matches!(walk, Walk::FirstFirst) {
                next.reverse();
            }
            for state in next {
                if seen.insert(state.encode()) {
                    if seen.len() > self.options.max_states {
                        return None;
                    }
                    stack.push(state);
                }
            }
        }
        Some(Enumeration { behaviours, states: seen.len(), facts: self.facts.all() })
    }

    fn start(&mut self) -> State {
        let mut state = State {
            threads: vec![state::ThreadState::new(); self.program.threads.len()],
            objects: (0..self.program.objects.len()).map(|o| ObjectState::new(self.program, o)).collect(),
            numbers: vec![0; self.program.objects.len()],
            tokens: 0,
            poisoned: 0,
            joined: 0,
            histories: (0..self.ids.len() as u32).collect(),
            latest: Vec::new(),
            clocks: needs_clocks(self.program).then(|| Clocks::new(self.ids.len())),
        };
        let objects = || self.program.objects.iter().enumerate();
        for (o, object) in objects() {
            if matches!(object, Object::Timer { .. }) {
                self.fire(&mut state, o);
            }
            self.deal_handles(&mut state, o, object.receivers().count_ones());
        }
        for (o, _) in objects().filter(|(_, object)| matches!(object, Object::Arc { .. })) {
            self.deal_pointers(&mut state, o);
        }
        for (o, object) in objects() {
            self.deal_handles(&mut state, o, object.senders().count_ones());
        }
        let mut ops = self.program.threads.iter().flat_map(|thread| &thread.ops);
        if ops.any(|op| matches!(op, Op::Now)) {
            // When the program started.
            state.look_at_clock(0);
        }
        self.begin(&mut state, 0);
        state
    }

    /// A fact that shows makes the walk start again, unless it is known.
    fn show(&mut self, fact: Fact) {
        if !self.facts.is_known(fact) {
            self.shown.insert(fact);
        }
    }

    /// Every state that one step leads to.
    fn successors(&mut self, state: &State) -> Vec<State> {
        self.look_for_sharing(state);
        self.look_for_writers(state);
        let mut out = Vec::new();
        for t in 0..state.threads.len() {
            if !self.every_order
                && let Some(op) = self.next_op(state, t)
                && self.is_undisturbed(state, t, &op)
            {
                self.step(state, t, &op, &mut out);
                debug_assert_eq!(out.len(), 1);
                return out;
            }
        }
        for t in 0..state.threads.len() {
            if let Some(item) = state.threads[t].dying.first() {
                self.bury(state, t, item, &mut out);
            } else if state.threads[t].phase == Phase::Ending {
                self.end(state, t, &mut out);
            } else if state.threads[t].phase == Phase::GoingOn {
                let (word, o) = match self.next_op(state, t) {
                    Some(Op::Call(o, _)) => ("return", o),
                    Some(Op::MonitorWait(o, _) | Op::Signal(o, _)) => ("resume", o),
                    _ => unreachable!("nobody else is let go on"),
                };
                let mut next = state.clone();
                self.go_on(&mut next, t, word, o);
                out.push(next);
            } else if let Some(op) = self.next_op(state, t) {
                self.step(state, t, &op, &mut out);
            }
        }
        out
    }

    /// The end of a thread that others observe.
    fn end(&mut self, state: &State, t: usize, out: &mut Vec<State>) {
        let mut next = state.clone();
        let end = self.thread_end(t);
        self.emit(&mut next, t, "drop-sender", Some(end), Pick::None);
        next.order(t, self.process(end));
        self.emit(&mut next, self.process(end), "disconnect", Some(end), Pick::None);
        next.threads[t].phase = Phase::Finished;
        out.push(next);
    }
}

/// Whether the program has an object for which happens-before matters.
fn needs_clocks(program: &Program) -> bool {
    use super::program::Delivery;
    let looks = |thread: &super::program::Thread| {
        thread.ops.iter().any(|op| matches!(op, Op::Now | Op::WaitTimeoutWhile(_)))
    };
    program.threads.iter().any(looks)
        || program.objects.iter().any(|object| match object {
            Object::Port { delivery: Delivery::Causal, .. } | Object::Once { .. } => true,
            Object::Flow { capacity: None, receivers, .. } | Object::Timer { receivers, .. } => {
                receivers.count_ones() > 1
            }
            _ => false,
        })
}
