//! A failing sequence, prepared for reports and causes: its steps in the order in which they are listed, which of them matter
//! for the failure, and their numbers.
//!
//! Left out are
//! - what does not happen before the failure: the teardown, and what other threads did beside it. Before a deadlock is what happens
//!   before the last step of a thread that cannot go on, or before a step on an object that such a thread waits for;
//! - steps on objects that only one thread uses, of several, unless a thread fails there or waits for them;
//! - drops of handles of which nobody takes notice before the failure.
//!
//! Of executions that were cut by a bound nothing is left out.
//!
//! The steps that are left have the numbers 1, 2, 3, …, and keep them when all steps are shown.

use std::collections::{BTreeMap, BTreeSet};

use crate::failing::{Difference, Failing, Panicked, Wait, Waiting};
use crate::harmless::end;
use crate::order::Order;
use crate::sequence::{EventRef, Kind, Op};
use crate::termination::Termination;
use crate::text::{done, names};
use crate::views::{TotalEvent, TotalView, listed};

/// Names are cut to this.
const LONGEST_NAME: usize = 40;

/// A failing sequence with its steps.
pub(crate) struct Scene<'a> {
    pub(crate) order: &'a Order<'a>,
    pub(crate) failing: &'a Failing,
    pub(crate) view: TotalView,
    /// For each process, its name.
    pub(crate) labels: Vec<String>,
    /// For each step, the events of threads that it represents.
    pub(crate) done: Vec<Vec<EventRef>>,
    /// For each step its number; none if it is left out.
    pub(crate) numbers: Vec<Option<usize>>,
    /// The step that an event is, or is part of.
    step_of: BTreeMap<EventRef, usize>,
    /// The events that happen before the failure; none if all of them do.
    before: Option<BTreeSet<EventRef>>,
}

impl<'a> Scene<'a> {
    pub(crate) fn of(order: &'a Order<'a>, failing: &'a Failing) -> Self {
        let view = TotalView::of_order(order);
        let done = done(order, &view);
        let mut step_of = BTreeMap::new();
        for (step, at) in listed(order).into_iter().enumerate() {
            step_of.insert(at, step);
        }
        for (step, events) in done.iter().enumerate() {
            step_of.extend(events.iter().map(|&at| (at, step)));
        }
        let labels = names(order.sequence()).iter().map(|name| end(name, LONGEST_NAME)).collect();
        let numbers = Vec::new();
        let mut scene = Scene { order, failing, view, labels, done, numbers, step_of, before: None };
        scene.before = scene.before_failure();
        let matters = scene.matters();
        let mut count = 0;
        scene.numbers = matters
            .into_iter()
            .map(|matters| {
                count += usize::from(matters);
                matters.then_some(count)
            })
            .collect();
        scene
    }

    /// The differences that decide: those at events that happen before the failure.
    pub(crate) fn deciding(&self) -> impl Iterator<Item = &'a Difference> {
        self.failing.differences.iter().filter(|it| it.decides() && self.is_before(it.event))
    }

    /// Whether an event happens before the failure.
    pub(crate) fn is_before(&self, at: EventRef) -> bool {
        self.before.as_ref().is_none_or(|before| before.contains(&at))
    }

    /// The process with an id.
    pub(crate) fn process(&self, id: &str) -> Option<usize> {
        self.order.sequence().processes.iter().position(|process| process.id == id)
    }

    /// The name of a process, by its id.
    pub(crate) fn label_of(&self, id: &str) -> String {
        self.process(id).map_or_else(|| crate::harmless::line(id), |process| self.labels[process].clone())
    }

    /// The step that an event is part of.
    pub(crate) fn step(&self, at: EventRef) -> Option<usize> {
        self.step_of.get(&at).copied()
    }

    /// The number of the step that an event is part of; none if it is left out.
    pub(crate) fn number(&self, at: EventRef) -> Option<usize> {
        self.numbers[self.step(at)?]
    }

    /// The event that a thread had last when it panicked.
    pub(crate) fn last_before(&self, panic: &Panicked) -> Option<EventRef> {
        let process = self.process(&panic.thread)?;
        let index = panic.after.checked_sub(1)?;
        let events = &self.order.sequence().processes[process].events;
        (index < events.len()).then_some(EventRef { process, index })
    }

    /// The last event of a thread that waits.
    pub(crate) fn last_of(&self, waiting: &Waiting) -> Option<EventRef> {
        self.last_event(self.process(&waiting.thread)?)
    }

    fn last_event(&self, process: usize) -> Option<EventRef> {
        let index = self.order.sequence().processes[process].events.len().checked_sub(1)?;
        Some(EventRef { process, index })
    }

    fn is_event(&self, at: EventRef) -> bool {
        at.index < self.order.sequence().processes[at.process].events.len()
    }

    /// The panic that ended the execution.
    pub(crate) fn fatal(&self) -> Option<&'a Panicked> {
        self.failing.panics.get(self.failing.fatal?)
    }

    /// The events that happen before the failure; none if all of them do.
    fn before_failure(&self) -> Option<BTreeSet<EventRef>> {
        let sequence = self.order.sequence();
        let mut open: Vec<EventRef> = Vec::new();
        if let Some(panic) = self.fatal() {
            match self.last_before(panic) {
                Some(last) => open.extend(self.order.passed(last).into_iter().chain([last])),
                None => {
                    let first = self.process(&panic.thread).map(|process| EventRef { process, index: 0 });
                    let first = first.filter(|at| !sequence.processes[at.process].events.is_empty());
                    open.extend(first.iter().flat_map(|&at| self.order.predecessors(at)));
                }
            }
        } else if self.failing.waiting.is_empty() || self.failing.termination == Termination::Bound {
            return None;
        } else {
            for waiting in &self.failing.waiting {
                open.extend(self.last_of(waiting));
                for object in waiting.on.iter().filter_map(|id| self.process(id)) {
                    match waiting.wait {
                        Wait::Join => open.extend(self.last_event(object)),
                        _ => {
                            let on =
                                sequence.events().filter(|&at| sequence.event(at).object == Some(object));
                            open.extend(on);
                        }
                    }
                }
            }
        }
        let mut before = BTreeSet::new();
        while let Some(at) = open.pop() {
            if before.insert(at) {
                open.extend_from_slice(self.order.predecessors(at));
            }
        }
        Some(before)
    }

    /// For each step, whether it matters for the failure.
    fn matters(&self) -> Vec<bool> {
        let sequence = self.order.sequence();
        let is_before = |at: &EventRef| self.is_before(*at);
        let ends = matches!(
            self.failing.termination,
            Termination::Deadlock | Termination::LocalDeadlock | Termination::Panic
        );
        let active = sequence.processes.iter().filter(|it| it.kind == Kind::Thread && !it.events.is_empty());
        let hides_private = ends && active.count() > 1;
        let is_awaited = |object: usize| {
            self.failing.waiting.iter().any(|it| it.on.contains(&sequence.processes[object].id))
        };
        let mut users: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        // What is taken before the failure.
        let mut taken: BTreeSet<EventRef> = BTreeSet::new();
        for at in sequence.events() {
            let event = sequence.event(at);
            if let Some(object) = event.object.filter(|_| sequence.is_thread(at.process)) {
                users.entry(object).or_default().insert(at.process);
            }
            if is_before(&at) && event.op != Op::DropReceiver {
                taken.extend(event.pick.partners());
            }
        }
        let closed: BTreeSet<EventRef> = sequence
            .events()
            .filter(|at| taken.contains(at) && matches!(sequence.event(*at).op, Op::Disconnect | Op::HangUp))
            .flat_map(|at| sequence.event(at).after.clone())
            .collect();
        let last: BTreeSet<EventRef> = match self.fatal() {
            Some(panic) => self.last_before(panic).into_iter().collect(),
            None => self.failing.waiting.iter().filter_map(|it| self.last_of(it)).collect(),
        };
        let matters = |(event, done): (&TotalEvent, &Vec<EventRef>)| {
            if done.is_empty() || !done.iter().any(is_before) {
                return false;
            }
            if done.iter().any(|at| last.contains(at)) {
                return true;
            }
            let object = event.additional.about.unwrap_or(event.object);
            let is_shared = !hides_private
                || sequence.is_thread(object)
                || users.get(&object).is_none_or(|users| users.len() > 1)
                || sequence.processes[object].kind == Kind::Parker
                || is_awaited(object);
            let is_noticed = match event.op {
                _ if !ends => true,
                Op::DropSender => done.iter().any(|at| closed.contains(at)),
                Op::DropReceiver => done.iter().any(|at| {
                    let completion = self.order.completion(*at);
                    let next = completion.map(|it| EventRef { index: it.index + 1, ..it });
                    closed.contains(at) || taken.contains(at) || next.is_some_and(|next| self.is_event(next))
                }),
                _ => true,
            };
            is_shared && is_noticed
        };
        self.view.events.iter().zip(&self.done).map(matters).collect()
    }
}
