//! Happens-before: which events of a [`Sequence`] come before which, and one total order of them.
//!
//! An event comes after
//! - the previous event of its process,
//! - the partners it picked,
//! - the events it is [`after`](crate::Event::after),
//!
//! and, where one of these is a thread's call that an object completed, the completion as well. An event that
//! comes after an event of a thread shows that the thread has got past it, and a thread does not get past a call
//! before the call is completed. Only the events that pick the call on an object come after the bare call.
//!
//! A thread's call is completed by the event on an object whose pick contains it, unless that event
//! [leaves it waiting](crate::Op::leaves_waiting): then the call is completed later, or never. The offers of a
//! [`select`](crate::Op::Select) are calls made at once: what picks one of them comes after all of them, and the
//! thread gets past all of them when one is completed. The others are *withdrawn*, as is any call without a
//! completion from which its thread went on.
//!
//! These *direct* predecessors generate happens-before; [`Order::happens_before`] decides it by vector clocks with
//! one component for each process, threads and objects alike. (The timestamps of the literature, which have fewer
//! components and therefore decide less, are in [`timestamps`](crate::timestamps).)
//!
//! [`Order::line`] is the canonical total order: the next event is always the smallest, by process and index, of those that
//! have no predecessor left. It is a function of the sequence, and so does not depend on how the execution was recorded.

use std::sync::OnceLock;

use crate::canonical::{Malformed, MalformedKind};
use crate::sequence::{EventRef, Op, Sequence};
use crate::topology::smallest_first;

/// The happens-before relation of one sequence.
#[derive(Clone, Debug)]
pub struct Order<'s> {
    sequence: &'s Sequence,
    /// For each process the number of events of the processes before it: events are numbered by process and index.
    first: Vec<usize>,
    /// For each event, the completion that took it as its call.
    completions: Vec<Option<EventRef>>,
    /// For each call, the first event on an object that picked it or, if it is an offer, any offer of its select.
    picked: Vec<Option<EventRef>>,
    /// For each call, the completion with which its thread went on: its own or that of another offer of its select.
    passed: Vec<Option<EventRef>>,
    /// For each offer the index of the last one of its select; for any other event its own index.
    last_offer: Vec<usize>,
    /// For each event, its direct predecessors, sorted.
    predecessors: Vec<Vec<EventRef>>,
    line: Vec<EventRef>,
    /// For each event and process, how many events of the process are the event itself or happen before it.
    /// Computed on first use: the line alone does not need it.
    clocks: OnceLock<Vec<usize>>,
}

impl<'s> Order<'s> {
    /// Computes the order of a sequence.
    ///
    /// # Errors
    /// If the sequence is not in canonical form, completes a call twice or two offers of one select, or has events
    /// that wait for each other.
    pub fn of(sequence: &'s Sequence) -> Result<Order<'s>, Malformed> {
        sequence.check()?;
        let mut first = Vec::with_capacity(sequence.processes.len());
        let mut count = 0;
        for process in &sequence.processes {
            first.push(count);
            count += process.events.len();
        }
        let mut order = Order {
            sequence,
            first,
            completions: vec![None; count],
            picked: vec![None; count],
            passed: Vec::new(),
            last_offer: Vec::new(),
            predecessors: Vec::with_capacity(count),
            line: Vec::new(),
            clocks: OnceLock::new(),
        };
        order.find_completions()?;
        order.find_selects()?;
        order.predecessors = sequence.events().map(|at| order.direct(at)).collect();
        order.line = order.line_up()?;
        Ok(order)
    }

    /// The same order with more constraints: the first event of each pair comes before the second.
    ///
    /// # Errors
    /// If the events then wait for each other.
    pub fn with(mut self, more: &[(EventRef, EventRef)]) -> Result<Order<'s>, Malformed> {
        if !more.is_empty() {
            for &(earlier, later) in more {
                let number = self.number(later);
                self.predecessors[number].push(earlier);
            }
            self.line = self.line_up()?;
            self.clocks = OnceLock::new();
        }
        Ok(self)
    }

    /// The sequence whose order this is.
    pub fn sequence(&self) -> &'s Sequence {
        self.sequence
    }

    /// Every event, each after all that happen before it: the canonical total order.
    pub fn line(&self) -> &[EventRef] {
        &self.line
    }

    /// The direct predecessors of an event, sorted: with those of all other events they generate happens-before.
    pub fn predecessors(&self, at: EventRef) -> &[EventRef] {
        &self.predecessors[self.number(at)]
    }

    /// The direct predecessors that an event has whatever it picks.
    pub fn predecessors_but_partners(&self, at: EventRef) -> Vec<EventRef> {
        let mut before = self.before_in_process(at);
        before.extend(self.before_by_after(at));
        before
    }

    /// The completion of a thread's call; none if the event is not a call, the thread is blocked in it, or the call was
    /// withdrawn.
    pub fn completion(&self, call: EventRef) -> Option<EventRef> {
        self.completions[self.number(call)]
    }

    /// The calls of threads that an event on an object completes.
    pub fn completed(&self, at: EventRef) -> impl Iterator<Item = EventRef> + use<'s> {
        self.of_threads(self.calls(at).0)
    }

    /// The calls of threads that an event on an object picks and leaves waiting: all or the rest of those that an
    /// operation picks which [leaves waiting](Op::leaves_waiting).
    pub fn left_waiting(&self, at: EventRef) -> impl Iterator<Item = EventRef> + use<'s> {
        self.of_threads(self.calls(at).1)
    }

    /// The events of a process in the order in which it completed them: as they are, except that the offer of a select
    /// which was taken comes after those that were not.
    pub fn completion_order(&self, process: usize) -> Vec<EventRef> {
        let events =
            (0..self.sequence.processes[process].events.len()).map(|index| EventRef { process, index });
        let mut completed: Vec<EventRef> = events.collect();
        completed.sort_by_key(|&at| {
            let last = self.last_offer[self.number(at)];
            (last, self.is_offer(at) && self.completion(at).is_some(), at.index)
        });
        completed
    }

    /// Whether an event has no completion and its thread did not go on: if it is a call, the thread is blocked in it.
    pub fn is_open(&self, at: EventRef) -> bool {
        let number = self.number(at);
        let last = self.sequence.processes[at.process].events.len() - 1;
        self.passed[number].is_none() && self.last_offer[number] == last
    }

    /// Whether `a` happens before `b`. No event happens before itself.
    pub fn happens_before(&self, a: EventRef, b: EventRef) -> bool {
        a != b && a.index < self.clock(b, a.process)
    }

    /// Whether neither of two different events happens before the other.
    pub fn concurrent(&self, a: EventRef, b: EventRef) -> bool {
        a != b && !self.happens_before(a, b) && !self.happens_before(b, a)
    }

    /// The vector clock of `at`: how many events of `process` are `at` or happen before it; they are its first ones.
    pub fn clock(&self, at: EventRef, process: usize) -> usize {
        let clocks = self.clocks.get_or_init(|| self.clocks());
        clocks[self.number(at) * self.first.len() + process]
    }

    /// How many events are `at` or happen before it: less than for anything that it happens before.
    pub fn height(&self, at: EventRef) -> usize {
        (0..self.first.len()).map(|process| self.clock(at, process)).sum()
    }

    fn number(&self, at: EventRef) -> usize {
        self.first[at.process] + at.index
    }

    /// The completion with which the thread of a call went on.
    pub(crate) fn passed(&self, call: EventRef) -> Option<EventRef> {
        self.passed[self.number(call)]
    }

    /// The first event on an object that picked a call, or any offer of its select.
    pub(crate) fn picked(&self, call: EventRef) -> Option<EventRef> {
        self.picked[self.number(call)]
    }

    /// Whether two events are offers of one select.
    pub(crate) fn are_offered_together(&self, a: EventRef, b: EventRef) -> bool {
        self.is_offer(a) && self.is_offer(b) && self.last_offer(a) == self.last_offer(b)
    }

    /// The last of the offers that were made together with this one; for any other event, itself.
    pub(crate) fn last_offer(&self, at: EventRef) -> EventRef {
        EventRef { index: self.last_offer[self.number(at)], ..at }
    }

    fn is_offer(&self, at: EventRef) -> bool {
        self.sequence.is_thread(at.process) && self.sequence.event(at).op.is_offer()
    }

    /// The partners of an event on an object, divided into those it completes and those it leaves waiting.
    fn calls(&self, at: EventRef) -> (&'s [EventRef], &'s [EventRef]) {
        let event = self.sequence.event(at);
        let partners = if self.sequence.is_thread(at.process) { &[] } else { event.pick.partners() };
        let completed = match event.op {
            Op::Block => 0,
            op if op.leaves_waiting() => partners.len().min(1),
            _ => partners.len(),
        };
        partners.split_at(completed)
    }

    fn of_threads(&self, partners: &'s [EventRef]) -> impl Iterator<Item = EventRef> + use<'s> {
        let sequence = self.sequence;
        partners.iter().copied().filter(|it| sequence.is_thread(it.process))
    }

    fn find_completions(&mut self) -> Result<(), Malformed> {
        let sequence = self.sequence;
        for at in sequence.events() {
            for call in self.completed(at) {
                let number = self.number(call);
                if let Some(first) = self.completions[number].replace(at) {
                    return Err(MalformedKind::CompletedTwice {
                        call: sequence.event_name(call),
                        first: sequence.event_name(first),
                        second: sequence.event_name(at),
                    }
                    .into());
                }
                self.picked[number].get_or_insert(at);
            }
            for call in self.left_waiting(at) {
                let number = self.number(call);
                self.picked[number].get_or_insert(at);
            }
        }
        Ok(())
    }

    /// Makes one of the offers of each select: offers that follow each other without another event between them.
    fn find_selects(&mut self) -> Result<(), Malformed> {
        self.passed = self.completions.clone();
        self.last_offer = self.sequence.events().map(|at| at.index).collect();
        let events: Vec<EventRef> = self.sequence.events().collect();
        let together =
            |a: &EventRef, b: &EventRef| a.process == b.process && self.is_offer(*a) && self.is_offer(*b);
        let selects: Vec<&[EventRef]> = events.chunk_by(together).filter(|offers| offers.len() > 1).collect();
        for offers in selects {
            let numbers = self.number(offers[0])..=self.number(offers[offers.len() - 1]);
            let mut taken = offers.iter().filter(|&&offer| self.completion(offer).is_some());
            if let (Some(&first), Some(&second)) = (taken.next(), taken.next()) {
                let [first, second] = [first, second].map(|offer| self.sequence.event_name(offer));
                return Err(MalformedKind::TakenTwice { first, second }.into());
            }
            let passed = offers.iter().find_map(|&offer| self.completion(offer));
            let picked = numbers.clone().filter_map(|number| self.picked[number]).min();
            for number in numbers {
                self.passed[number] = passed;
                self.picked[number] = picked;
                self.last_offer[number] = offers[offers.len() - 1].index;
            }
        }
        Ok(())
    }

    fn direct(&self, at: EventRef) -> Vec<EventRef> {
        let mut before = self.before_in_process(at);
        before.extend(self.before_by_pick(at));
        before.extend(self.before_by_after(at));
        before.sort_unstable();
        before.dedup();
        before
    }

    /// The direct predecessors that an event has as the next one of its process.
    pub(crate) fn before_in_process(&self, at: EventRef) -> Vec<EventRef> {
        let Some(index) = at.index.checked_sub(1) else { return Vec::new() };
        let previous = EventRef { index, ..at };
        if self.are_offered_together(previous, at) { vec![previous] } else { self.got_past(previous, at) }
    }

    /// The direct predecessors that an event has because of what it picked.
    pub(crate) fn before_by_pick(&self, at: EventRef) -> Vec<EventRef> {
        let mut before = Vec::new();
        for &partner in self.sequence.event(at).pick.partners() {
            if !self.sequence.is_thread(at.process) && self.sequence.is_thread(partner.process) {
                before.extend([partner, self.last_offer(partner)]);
            } else {
                before.extend(self.got_past(partner, at));
            }
        }
        before
    }

    /// The direct predecessors that an event is [`after`](crate::Event::after).
    pub(crate) fn before_by_after(&self, at: EventRef) -> Vec<EventRef> {
        self.sequence.event(at).after.iter().flat_map(|&earlier| self.got_past(earlier, at)).collect()
    }

    /// An event, and its completion if it is a call whose completion is not `at` itself.
    fn got_past(&self, earlier: EventRef, at: EventRef) -> Vec<EventRef> {
        let passed = self.passed(earlier).filter(|&completion| completion != at);
        std::iter::once(earlier).chain(passed).collect()
    }

    fn line_up(&self) -> Result<Vec<EventRef>, Malformed> {
        let events: Vec<EventRef> = self.sequence.events().collect();
        let predecessors: Vec<Vec<usize>> =
            self.predecessors.iter().map(|all| all.iter().map(|&at| self.number(at)).collect()).collect();
        match smallest_first(&predecessors) {
            Ok(line) => Ok(line.into_iter().map(|number| events[number]).collect()),
            Err(cycle) => {
                let events =
                    cycle.into_iter().map(|number| self.sequence.event_name(events[number])).collect();
                Err(MalformedKind::Cycle { events }.into())
            }
        }
    }

    fn clocks(&self) -> Vec<usize> {
        let width = self.first.len();
        let mut clocks = vec![0; self.line.len() * width];
        for &at in &self.line {
            let row = self.number(at) * width;
            for &earlier in self.predecessors(at) {
                let other = self.number(earlier) * width;
                for process in 0..width {
                    clocks[row + process] = clocks[row + process].max(clocks[other + process]);
                }
            }
            clocks[row + at.process] = at.index + 1;
        }
        clocks
    }
}

#[cfg(test)]
mod tests;
