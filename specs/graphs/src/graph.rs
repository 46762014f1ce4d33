//! The state graph of a program, as compact data.
//!
//! A state has, for each thread, the label of its next statement, whether the thread is blocked or has ended, and whether that
//! statement is a progress statement; and a text with the values of the objects. A transition is one step of a thread, or of
//! several threads that meet in it. What a thread can be in, labels, operations and places are kept once each: a state takes
//! four bytes for each thread and eight more, a transition takes eight.
//!
//! States are numbered breadth first from the initial state, which is number 0. So the numbers of states are in the order of their
//! distance from it, and equal graphs are equal values, in whatever order they were found.

use std::ops::Range;

use crate::interner::Texts;
use crate::thread::{ThreadId, ThreadSet};

/// A state, by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// A transition, by its number. The transitions of a state are in one range, in the order of their threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TransitionId(pub u32);

/// What is known of a thread in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThreadState<'a> {
    /// The label of its next statement.
    pub next: &'a str,
    /// What it can do.
    pub activity: Activity,
    /// Whether the next statement is a progress statement.
    pub progress: bool,
}

/// What a thread can do in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Activity {
    /// It can make a step.
    Ready,
    /// It cannot make a step in this state.
    Blocked,
    /// It has made its last step.
    Ended,
}

/// A transition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition<'a> {
    /// The state that it leaves.
    pub from: StateId,
    /// The thread that makes the step.
    pub thread: ThreadId,
    /// All threads that make the step; more than one if they meet in it.
    pub threads: ThreadSet,
    /// The operation.
    pub operation: &'a str,
    /// Where the operation is in the source; empty if that is not known.
    pub place: &'a str,
    /// The state that it leads to.
    pub to: StateId,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Situation {
    pub(crate) next: u32,
    pub(crate) activity: Activity,
    pub(crate) progress: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    pub(crate) thread: u8,
    pub(crate) threads: u64,
    pub(crate) operation: u32,
    pub(crate) place: u32,
}

/// The states of a program and the steps between them. [`GraphBuilder`](crate::GraphBuilder) makes one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateGraph {
    pub(crate) names: Vec<Box<str>>,
    pub(crate) texts: Texts,
    pub(crate) situations: Vec<Situation>,
    pub(crate) steps: Vec<Step>,
    /// For each state and thread its situation.
    pub(crate) at: Vec<u32>,
    /// For each state the text of its objects.
    pub(crate) objects: Vec<u32>,
    /// The states whose transitions are not all known, in order.
    pub(crate) open: Vec<u32>,
    /// For each state the end of its transitions.
    pub(crate) ends: Vec<u32>,
    pub(crate) step_of: Vec<u32>,
    pub(crate) targets: Vec<u32>,
}

impl StateGraph {
    /// The initial state.
    pub const INITIAL: StateId = StateId(0);

    /// The number of states.
    pub fn states(&self) -> usize {
        self.objects.len()
    }

    /// The number of transitions.
    pub fn transitions(&self) -> usize {
        self.targets.len()
    }

    /// The names of the threads.
    pub fn threads(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    /// The name of a thread.
    pub fn name(&self, thread: ThreadId) -> &str {
        &self.names[thread.index()]
    }

    /// The thread of this name.
    pub fn thread(&self, name: &str) -> Option<ThreadId> {
        self.names.iter().position(|it| **it == *name).and_then(ThreadId::new)
    }

    /// All threads.
    pub fn all_threads(&self) -> ThreadSet {
        ThreadSet::first(self.names.len())
    }

    /// All states, in order.
    pub fn state_ids(&self) -> impl ExactSizeIterator<Item = StateId> + use<> {
        (0..u32::try_from(self.states()).expect("a builder allows no more")).map(StateId)
    }

    /// Whether the transitions of every state are known. Otherwise a bound was reached.
    pub fn is_complete(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether more transitions than those in the graph may leave this state.
    pub fn is_open(&self, state: StateId) -> bool {
        self.open.binary_search(&state.0).is_ok()
    }

    /// The states whose transitions are not all known.
    pub fn open_states(&self) -> impl ExactSizeIterator<Item = StateId> {
        self.open.iter().copied().map(StateId)
    }

    /// What is known of a thread in a state.
    pub fn at(&self, state: StateId, thread: ThreadId) -> ThreadState<'_> {
        let Situation { next, activity, progress } = self.situation(state.0, thread);
        ThreadState { next: self.texts.get(next), activity, progress }
    }

    pub(crate) fn situation(&self, state: u32, thread: ThreadId) -> Situation {
        self.situations[self.at[state as usize * self.names.len() + thread.index()] as usize]
    }

    /// The values of the objects.
    pub fn objects(&self, state: StateId) -> &str {
        self.texts.get(self.objects[state.0 as usize])
    }

    fn those(&self, state: StateId, is: impl Fn(Situation) -> bool) -> ThreadSet {
        self.all_threads().iter().filter(|&thread| is(self.situation(state.0, thread))).collect()
    }

    /// The threads that are blocked in a state.
    pub fn blocked(&self, state: StateId) -> ThreadSet {
        self.those(state, |it| it.activity == Activity::Blocked)
    }

    /// The threads that have ended in a state.
    pub fn ended(&self, state: StateId) -> ThreadSet {
        self.those(state, |it| it.activity == Activity::Ended)
    }

    /// The threads that are blocked or have ended in a state.
    pub fn idle(&self, state: StateId) -> ThreadSet {
        self.those(state, |it| it.activity != Activity::Ready)
    }

    /// The threads whose next statement in a state is a progress statement.
    pub fn progress(&self, state: StateId) -> ThreadSet {
        self.those(state, |it| it.progress)
    }

    /// The transitions that leave a state.
    pub fn outgoing(&self, state: StateId) -> impl ExactSizeIterator<Item = TransitionId> + use<> {
        self.range(state.0).map(TransitionId)
    }

    pub(crate) fn range(&self, state: u32) -> Range<u32> {
        let state = state as usize;
        if state == 0 { 0..self.ends[0] } else { self.ends[state - 1]..self.ends[state] }
    }

    /// A transition.
    pub fn transition(&self, id: TransitionId) -> Transition<'_> {
        let step = self.steps[self.step_of[id.0 as usize] as usize];
        // The ends of states without transitions equal those of the state before them.
        let from = self.ends.partition_point(|&end| end <= id.0);
        Transition {
            from: StateId(u32::try_from(from).expect("a builder allows no more")),
            thread: ThreadId::new(usize::from(step.thread)).expect("a builder allows no more"),
            threads: self.moved(id.0),
            operation: self.texts.get(step.operation),
            place: self.texts.get(step.place),
            to: StateId(self.targets[id.0 as usize]),
        }
    }

    pub(crate) fn moved(&self, transition: u32) -> ThreadSet {
        let step = self.steps[self.step_of[transition as usize] as usize];
        ThreadSet::from_bits(step.threads)
    }

    /// A state in one line, as the textbook writes it: the next statement of each thread, then the objects.
    pub fn describe(&self, state: StateId) -> String {
        let mut line = String::from("(");
        for thread in self.all_threads().iter() {
            if thread.index() > 0 {
                line.push_str(", ");
            }
            line.push_str(self.at(state, thread).next);
        }
        if !self.objects(state).is_empty() {
            line.push_str("; ");
            line.push_str(self.objects(state));
        }
        line.push(')');
        line
    }

    /// How many bytes the graph takes.
    pub fn bytes(&self) -> usize {
        let words = [&self.at, &self.objects, &self.open, &self.ends, &self.step_of, &self.targets];
        let words: usize = words.iter().map(|it| it.capacity() * size_of::<u32>()).sum();
        let kept =
            self.situations.capacity() * size_of::<Situation>() + self.steps.capacity() * size_of::<Step>();
        words + kept + self.texts.bytes()
    }
}
