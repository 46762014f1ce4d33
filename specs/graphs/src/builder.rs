//! Builds a state graph from states and transitions, in whatever order they are found.

use std::cmp::Ordering;

use crate::error::GraphError;
use crate::graph::{Activity, Situation, StateGraph, StateId, Step, ThreadState};
use crate::interner::{Interner, TextInterner};
use crate::thread::{ThreadId, ThreadSet};

/// A state graph that is being built.
///
/// ```
/// use insyn_graphs::{Activity, GraphBuilder, ThreadId, ThreadState};
///
/// let mut builder = GraphBuilder::new(["spinner"])?;
/// let spinner = ThreadId::new(0).expect("there is one");
/// let at = |next| [ThreadState { next, activity: Activity::Ready, progress: false }];
/// let start = builder.state(&at("store"), "flag = false")?;
/// let spin = builder.state(&at("load"), "flag = true")?;
/// builder.transition(start, &[spinner], "store", "src/lib.rs:3:5", spin)?;
/// builder.transition(spin, &[spinner], "load", "src/lib.rs:4:11", spin)?;
/// let graph = builder.finish(start)?;
/// assert_eq!((graph.states(), graph.transitions()), (2, 2));
/// # Ok::<(), insyn_graphs::GraphError>(())
/// ```
#[derive(Debug)]
pub struct GraphBuilder {
    names: Vec<Box<str>>,
    texts: TextInterner,
    situations: Interner<Situation>,
    steps: Interner<Step>,
    at: Vec<u32>,
    objects: Vec<u32>,
    open: Vec<bool>,
    /// From, step, to.
    transitions: Vec<(u32, u32, u32)>,
}

impl GraphBuilder {
    /// A graph without states, whose threads have these names.
    ///
    /// # Errors
    /// If there are no threads, too many, or two of one name.
    pub fn new<N: Into<Box<str>>>(names: impl IntoIterator<Item = N>) -> Result<GraphBuilder, GraphError> {
        let names: Vec<Box<str>> = names.into_iter().map(Into::into).collect();
        if names.is_empty() || names.len() > ThreadId::MOST {
            return Err(GraphError::Threads { count: names.len() });
        }
        if let Some((_, name)) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)) {
            return Err(GraphError::SameName { name: name.to_string() });
        }
        Ok(GraphBuilder {
            names,
            texts: TextInterner::default(),
            situations: Interner::default(),
            steps: Interner::default(),
            at: Vec::new(),
            objects: Vec::new(),
            open: Vec::new(),
            transitions: Vec::new(),
        })
    }

    /// The number of states so far.
    pub fn states(&self) -> usize {
        self.objects.len()
    }

    /// The number of transitions so far.
    pub fn transitions(&self) -> usize {
        self.transitions.len()
    }

    /// Adds a state. The number is that of this builder: the finished graph has others.
    ///
    /// # Errors
    /// If it describes more or fewer threads than there are, or if there is no room for it.
    pub fn state(&mut self, threads: &[ThreadState<'_>], objects: &str) -> Result<StateId, GraphError> {
        let state = small(self.objects.len())?;
        if threads.len() != self.names.len() {
            return Err(GraphError::Described { state, threads: threads.len(), expected: self.names.len() });
        }
        for &ThreadState { next, activity, progress } in threads {
            let next = self.texts.id(next).ok_or(GraphError::TooLarge)?;
            let situation = self.situations.id(Situation { next, activity, progress });
            self.at.push(situation.ok_or(GraphError::TooLarge)?);
        }
        self.objects.push(self.texts.id(objects).ok_or(GraphError::TooLarge)?);
        self.open.push(false);
        Ok(StateId(state))
    }

    /// Says that not all transitions of a state are known, because a bound was reached.
    ///
    /// # Errors
    /// If there is no such state.
    pub fn open(&mut self, state: StateId) -> Result<(), GraphError> {
        let open = self.open.get_mut(state.0 as usize).ok_or(GraphError::UnknownState { state: state.0 })?;
        *open = true;
        Ok(())
    }

    /// Adds a transition. The first of the threads makes the step, and the others meet it. The states may be added later.
    ///
    /// # Errors
    /// If no thread makes it, if one is unknown, or if there is no room for it.
    pub fn transition(
        &mut self,
        from: StateId,
        threads: &[ThreadId],
        operation: &str,
        place: &str,
        to: StateId,
    ) -> Result<(), GraphError> {
        let [thread, ..] = threads else { return Err(GraphError::NobodyMoves { state: from.0 }) };
        if let Some(unknown) = threads.iter().find(|it| it.index() >= self.names.len()) {
            return Err(GraphError::UnknownThread { index: unknown.index() });
        }
        let step = Step {
            thread: u8::try_from(thread.index()).expect("it is below 64"),
            threads: threads.iter().copied().collect::<ThreadSet>().bits(),
            operation: self.texts.id(operation).ok_or(GraphError::TooLarge)?,
            place: self.texts.id(place).ok_or(GraphError::TooLarge)?,
        };
        let step = self.steps.id(step).ok_or(GraphError::TooLarge)?;
        small(self.transitions.len())?;
        self.transitions.push((from.0, step, to.0));
        Ok(())
    }

    /// The finished graph. Transitions that are equal in everything count once.
    ///
    /// # Errors
    /// If a transition names an unknown state; if a blocked or ended thread moves, or another one has no transition in a state that
    /// is not open; if a thread that has ended is there again; or if a state cannot be reached.
    pub fn finish(mut self, initial: StateId) -> Result<StateGraph, GraphError> {
        let states = small(self.objects.len())?;
        let mut named = self.transitions.iter().flat_map(|&(from, _, to)| [from, to]).chain([initial.0]);
        if let Some(state) = named.find(|&state| state >= states) {
            return Err(GraphError::UnknownState { state });
        }
        self.check()?;
        self.sort_transitions();
        let firsts = self.firsts();
        let order = self.breadth_first(initial.0, &firsts)?;
        Ok(self.renumber(&order, &firsts))
    }

    fn activity(&self, state: u32, thread: ThreadId) -> Activity {
        let at = state as usize * self.names.len() + thread.index();
        self.situations.get(self.at[at]).activity
    }

    fn check(&self) -> Result<(), GraphError> {
        let name = |thread: ThreadId| self.names[thread.index()].to_string();
        let all = ThreadSet::first(self.names.len());
        let mut moving = vec![ThreadSet::EMPTY; self.objects.len()];
        for &(from, step, to) in &self.transitions {
            let threads = ThreadSet::from_bits(self.steps.get(step).threads);
            moving[from as usize] |= threads;
            for thread in threads.iter() {
                let activity = self.activity(from, thread);
                if activity != Activity::Ready {
                    return Err(GraphError::Moves { state: from, thread: name(thread), activity });
                }
            }
            for thread in all.iter() {
                let ended = |state| self.activity(state, thread) == Activity::Ended;
                if ended(from) && !ended(to) {
                    return Err(GraphError::Revived { state: to, thread: name(thread) });
                }
            }
        }
        for (state, moving) in (0..).zip(moving) {
            let stuck = |thread: &ThreadId| {
                self.activity(state, *thread) == Activity::Ready && !moving.contains(*thread)
            };
            if let Some(thread) = all.iter().find(stuck).filter(|_| !self.open[state as usize]) {
                return Err(GraphError::Stuck { state, thread: name(thread) });
            }
        }
        Ok(())
    }

    /// Sorts transitions by their state, then by thread, operation and place, and then by what is in the states they lead to; only
    /// where all of that is equal, the order in which the states were added decides.
    fn sort_transitions(&mut self) {
        let mut transitions = std::mem::take(&mut self.transitions);
        // Ranks make the comparison of texts rare.
        let mut by_rank: Vec<u32> = (0..).take(self.steps.len()).collect();
        by_rank.sort_by(|&a, &b| self.compare_steps(a, b));
        let mut ranks = vec![0_u32; by_rank.len()];
        for (rank, &step) in (0..).zip(&by_rank) {
            ranks[step as usize] = rank;
        }
        transitions.sort_unstable_by(|a, b| {
            let targets = || self.compare_states(a.2, b.2).then(a.2.cmp(&b.2));
            a.0.cmp(&b.0).then_with(|| ranks[a.1 as usize].cmp(&ranks[b.1 as usize])).then_with(targets)
        });
        transitions.dedup();
        self.transitions = transitions;
    }

    fn compare_steps(&self, a: u32, b: u32) -> Ordering {
        let key = |step: u32| {
            let step = self.steps.get(step);
            (step.thread, step.threads, self.texts.get(step.operation), self.texts.get(step.place))
        };
        key(a).cmp(&key(b))
    }

    fn compare_states(&self, a: u32, b: u32) -> Ordering {
        let key = |state: u32| {
            let begin = state as usize * self.names.len();
            let threads = self.at[begin..begin + self.names.len()].iter().map(|&it| {
                let Situation { next, activity, progress } = *self.situations.get(it);
                (self.texts.get(next), activity, progress)
            });
            (self.texts.get(self.objects[state as usize]), threads)
        };
        if a == b {
            return Ordering::Equal;
        }
        let ((a, threads), (b, others)) = (key(a), key(b));
        threads.cmp(others).then_with(|| a.cmp(b))
    }

    /// For each state the first of its transitions, and the end of all of them.
    fn firsts(&self) -> Vec<u32> {
        let mut firsts = vec![0_u32; self.objects.len() + 1];
        self.transitions.iter().for_each(|&(from, _, _)| firsts[from as usize + 1] += 1);
        for i in 1..firsts.len() {
            firsts[i] += firsts[i - 1];
        }
        firsts
    }

    fn outgoing(&self, state: u32, firsts: &[u32]) -> &[(u32, u32, u32)] {
        &self.transitions[firsts[state as usize] as usize..firsts[state as usize + 1] as usize]
    }

    /// The states in their new order.
    fn breadth_first(&self, initial: u32, firsts: &[u32]) -> Result<Vec<u32>, GraphError> {
        let mut seen = vec![false; self.objects.len()];
        let mut order = Vec::with_capacity(seen.len());
        order.push(initial);
        seen[initial as usize] = true;
        let mut next = 0;
        while let Some(&state) = order.get(next) {
            next += 1;
            for &(_, _, to) in self.outgoing(state, firsts) {
                if !std::mem::replace(&mut seen[to as usize], true) {
                    order.push(to);
                }
            }
        }
        match (0..).zip(seen).find(|(_, seen)| !seen) {
            Some((state, _)) => Err(GraphError::Unreachable { state }),
            None => Ok(order),
        }
    }

    /// Copies everything in the new order. Texts, situations and steps are numbered by their first use, so that nothing of the order
    /// of discovery is left.
    fn renumber(self, order: &[u32], firsts: &[u32]) -> StateGraph {
        let mut numbers = vec![0_u32; order.len()];
        for (number, &state) in (0..).zip(order) {
            numbers[state as usize] = number;
        }
        let (mut texts, mut situations, mut steps) =
            (TextInterner::default(), Interner::default(), Interner::default());
        let mut text = |id: u32| texts.id(self.texts.get(id)).expect("there was room for it before");
        let mut graph = StateGraph {
            names: Vec::new(),
            texts: crate::interner::Texts::default(),
            situations: Vec::new(),
            steps: Vec::new(),
            at: Vec::with_capacity(self.at.len()),
            objects: Vec::with_capacity(order.len()),
            open: Vec::new(),
            ends: Vec::with_capacity(order.len()),
            step_of: Vec::with_capacity(self.transitions.len()),
            targets: Vec::with_capacity(self.transitions.len()),
        };
        for (number, &state) in (0..).zip(order) {
            let begin = state as usize * self.names.len();
            for &situation in &self.at[begin..begin + self.names.len()] {
                let old = *self.situations.get(situation);
                let new = situations.id(Situation { next: text(old.next), ..old });
                graph.at.push(new.expect("there was room for it before"));
            }
            graph.objects.push(text(self.objects[state as usize]));
            if self.open[state as usize] {
                graph.open.push(number);
            }
            for &(_, step, to) in self.outgoing(state, firsts) {
                let old = *self.steps.get(step);
                let new = Step { operation: text(old.operation), place: text(old.place), ..old };
                graph.step_of.push(steps.id(new).expect("there was room for it before"));
                graph.targets.push(numbers[to as usize]);
            }
            graph.ends.push(u32::try_from(graph.targets.len()).expect("there are no more than before"));
        }
        graph.names = self.names;
        (graph.texts, graph.situations, graph.steps) = (texts.finish(), situations.finish(), steps.finish());
        graph
    }
}

/// A number that still leaves one for "none".
fn small(count: usize) -> Result<u32, GraphError> {
    u32::try_from(count).ok().filter(|&it| it < u32::MAX - 1).ok_or(GraphError::TooLarge)
}
