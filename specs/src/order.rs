//! Happens-before: which events of a [`Sequence`] come before which, and one line that they can all stand in.
//!
//! An event comes after
//! - the previous event of its process,
//! - the partners it picked,
//! - the events it is [`after`](crate::Event::after),
//!
//! and, where one of these is a thread's call that an object completed, the completion as well: that something
//! comes after an event of a thread means that the thread had got past it, and a thread does not get past a call
//! before it is completed. Only the completion itself comes after the bare call.
//!
//! A thread's call is completed by the event on an object whose pick contains it. These *direct* predecessors
//! generate happens-before; [`Order::happens_before`] decides it by vector clocks with one component for each
//! process, threads and objects alike. (The timestamps of the literature, which have fewer components and
//! therefore decide less, are in [`timestamps`](crate::timestamps).)
//!
//! [`Order::line`] is the canonical total order: always the smallest event, by process and index, of those that
//! nothing holds back. It is a function of the sequence and thus the same however the execution was collected.

use std::sync::OnceLock;

use crate::canonical::{Malformed, MalformedKind};
use crate::sequence::{EventRef, Sequence};
use crate::topology::smallest_first;

/// The happens-before relation of one sequence.
#[derive(Clone, Debug)]
pub struct Order<'s> {
    sequence: &'s Sequence,
    /// For each process the number of events of the processes before it: events are numbered by process and index.
    first: Vec<usize>,
    /// For each event, the completion that took it as its call.
    completions: Vec<Option<EventRef>>,
    /// For each event, its direct predecessors, sorted.
    predecessors: Vec<Vec<EventRef>>,
    line: Vec<EventRef>,
    /// For each event and process, how many events of the process are the event itself or happen before it.
    /// Made when first asked for: whoever wants only the line does not pay for it.
    clocks: OnceLock<Vec<usize>>,
}

impl<'s> Order<'s> {
    /// Works out the order of a sequence.
    ///
    /// # Errors
    /// If the sequence is not in canonical form, completes a call twice, or has events that wait for each other.
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
            predecessors: Vec::with_capacity(count),
            line: Vec::new(),
            clocks: OnceLock::new(),
        };
        order.find_completions()?;
        order.predecessors = sequence.events().map(|at| order.direct(at)).collect();
        order.line = order.line_up()?;
        Ok(order)
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

    /// The completion of a thread's call; none if the event is no call or the thread is blocked in it.
    pub fn completion(&self, call: EventRef) -> Option<EventRef> {
        self.completions[self.number(call)]
    }

    /// Whether `a` happens before `b`. No event happens before itself.
    pub fn happens_before(&self, a: EventRef, b: EventRef) -> bool {
        a != b && a.index < self.seen(b, a.process)
    }

    /// Whether neither of two different events happens before the other.
    pub fn concurrent(&self, a: EventRef, b: EventRef) -> bool {
        a != b && !self.happens_before(a, b) && !self.happens_before(b, a)
    }

    /// How many events of `process` are `at` or happen before it; they are its first ones.
    pub fn seen(&self, at: EventRef, process: usize) -> usize {
        let clocks = self.clocks.get_or_init(|| self.clocks());
        clocks[self.number(at) * self.first.len() + process]
    }

    fn number(&self, at: EventRef) -> usize {
        self.first[at.process] + at.index
    }

    fn find_completions(&mut self) -> Result<(), Malformed> {
        let sequence = self.sequence;
        for at in sequence.events().filter(|at| !sequence.is_thread(at.process)) {
            for &call in sequence.event(at).pick.partners() {
                if !sequence.is_thread(call.process) {
                    continue;
                }
                let number = self.number(call);
                if let Some(first) = self.completions[number].replace(at) {
                    return Err(MalformedKind::CompletedTwice {
                        call: sequence.event_name(call),
                        first: sequence.event_name(first),
                        second: sequence.event_name(at),
                    }
                    .into());
                }
            }
        }
        Ok(())
    }

    fn direct(&self, at: EventRef) -> Vec<EventRef> {
        let event = self.sequence.event(at);
        let previous = at.index.checked_sub(1).map(|index| EventRef { index, ..at });
        let mut before = Vec::new();
        for &earlier in previous.iter().chain(event.pick.partners()).chain(&event.after) {
            before.push(earlier);
            before.extend(self.completion(earlier).filter(|&completion| completion != at));
        }
        before.sort_unstable();
        before.dedup();
        before
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
mod tests {
    use super::*;
    use crate::sequence::{Event, Kind, Op, Pick, Process};

    fn at(process: usize, index: usize) -> EventRef {
        EventRef { process, index }
    }

    fn event(op: Op, object: usize, partners: &[EventRef], after: &[EventRef]) -> Event {
        let pick = if partners.is_empty() { Pick::None } else { Pick::Partners(partners.to_vec()) };
        Event { op, object: Some(object), pick, after: after.to_vec(), location: None }
    }

    fn process(id: &str, kind: Kind, events: Vec<Event>) -> Process {
        Process { id: id.into(), kind, name: None, events }
    }

    /// `main` locks and unlocks a mutex, then `main/thread1`, spawned after the lock, does the same.
    fn two_locks() -> Sequence {
        let spawned = [at(0, 0)];
        Sequence {
            processes: vec![
                process(
                    "main",
                    Kind::Thread,
                    vec![event(Op::Lock, 1, &[], &[]), event(Op::Unlock, 1, &[], &[])],
                ),
                process(
                    "main/mutex1",
                    Kind::Mutex,
                    vec![
                        event(Op::Lock, 1, &[at(0, 0)], &[]),
                        event(Op::Unlock, 1, &[at(0, 1)], &[]),
                        event(Op::Lock, 1, &[at(2, 0)], &[]),
                    ],
                ),
                process("main/thread1", Kind::Thread, vec![event(Op::Lock, 1, &[], &spawned)]),
            ],
        }
    }

    #[test]
    fn a_thread_goes_on_after_the_completion_of_its_call() {
        let sequence = two_locks();
        let order = Order::of(&sequence).unwrap();
        assert_eq!(order.completion(at(0, 1)), Some(at(1, 1)));
        assert_eq!(order.predecessors(at(0, 1)), [at(0, 0), at(1, 0)]);
        assert!(order.happens_before(at(1, 0), at(0, 1)));
        assert!(order.happens_before(at(0, 1), at(1, 2)));
        assert!(order.concurrent(at(0, 1), at(2, 0)));
        assert!(!order.happens_before(at(1, 0), at(1, 0)));
    }

    #[test]
    fn after_a_call_is_after_its_completion() {
        let sequence = two_locks();
        let order = Order::of(&sequence).unwrap();
        assert_eq!(order.predecessors(at(2, 0)), [at(0, 0), at(1, 0)]);
        assert!(order.happens_before(at(1, 0), at(2, 0)));
    }

    #[test]
    fn the_line_takes_the_smallest_available_event() {
        let sequence = two_locks();
        let order = Order::of(&sequence).unwrap();
        assert_eq!(order.line(), [at(0, 0), at(1, 0), at(0, 1), at(1, 1), at(2, 0), at(1, 2)]);
    }

    #[test]
    fn events_that_wait_for_each_other_are_named() {
        let mut sequence = two_locks();
        sequence.processes[0].events[0].after.push(at(1, 1));
        let error = Order::of(&sequence).unwrap_err();
        assert_eq!(
            error.to_string(),
            "malformed sequence: each of these events must come before the next and the last before the first: \
             main#1, main/mutex1#1, main#0"
        );
    }

    #[test]
    fn a_call_completes_once() {
        let mut sequence = two_locks();
        sequence.processes[1].events[2].pick = Pick::Partners(vec![at(0, 1)]);
        let error = Order::of(&sequence).unwrap_err();
        assert_eq!(
            error.to_string(),
            "malformed sequence: main/mutex1#1 and main/mutex1#2 both complete the call main#1; \
             a call completes once"
        );
    }

    #[test]
    fn an_empty_sequence_has_an_order() {
        let sequence = Sequence::default();
        assert!(Order::of(&sequence).unwrap().line().is_empty());
    }
}
