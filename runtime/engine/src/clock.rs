//! Virtual time. A thread's clock is a function of its causal past: it stands still while the thread computes, advances
//! when the thread sleeps or times out, and is never behind the events in the thread's past.

use std::collections::BTreeMap;
use std::time::Duration;

use crate::Engine;
use crate::access::with;
use crate::ids::{EventId, ExecutionId, ProcessId, ThreadId, Values};
use crate::record::event::{Event, Pick};

/// The time that reading the clock takes, so that a loop that waits for a point in time ends.
const LOOK: u64 = 1_000;

/// Virtual time, as far as the program has asked for it.
pub(crate) struct Clock {
    /// By event: the time at which it happened.
    times: Values<EventId, u64>,
    /// How long a process slept before an event.
    slept: BTreeMap<(ProcessId, u32), u64>,
}

impl Default for Clock {
    fn default() -> Self {
        Clock { times: Values::with(0), slept: BTreeMap::new() }
    }
}

impl Clock {
    /// Starts another run.
    #[inline]
    pub(crate) fn reset(&mut self) {
        let Clock { times, slept } = self;
        times.clear();
        // Clearing a map costs time even if it is empty; most programs do not sleep.
        if !slept.is_empty() {
            slept.clear();
        }
    }
}

/// Nanoseconds since the program began, by the running thread's clock.
#[track_caller]
pub fn now(execution: ExecutionId) -> u64 {
    pass(execution, LOOK);
    with(execution, |engine| engine.time_of(engine.schedule.running))
}

/// The nanoseconds of a duration. None if it is too long for a clock: then it never ends.
pub fn nanos(duration: Duration) -> Option<u64> {
    u64::try_from(duration.as_nanos()).ok()
}

/// Lets time pass for the running thread, before its next event.
#[track_caller]
pub fn pass(execution: ExecutionId, nanos: u64) {
    with(execution, |engine| engine.sleep(nanos));
}

impl Engine {
    fn sleep(&mut self, nanos: u64) {
        self.let_pass(self.threads[self.schedule.running].process, nanos);
    }

    /// Time passes before the next event of a process.
    fn let_pass(&mut self, process: ProcessId, nanos: u64) {
        let next = (process, self.events_of(process));
        let slept = self.clock.slept.entry(next).or_insert(0);
        *slept = slept.saturating_add(nanos);
    }

    /// What the clock of a thread shows.
    fn time_of(&mut self, thread: ThreadId) -> u64 {
        let run = &self.run;
        for (_, event) in run.events.pairs_after(self.clock.times.len()) {
            // The order of turns cannot be observed by the program.
            let own = run
                .own(event)
                .filter(|&p| !event.op.is_turn() || event.pick == Pick::No && Some(p) == event.prev);
            let before = own.chain(run.partners(event).iter().copied());
            let heard = before.map(|p| self.clock.times[p]).max().unwrap_or(0);
            let slept = self.clock.slept.get(&(event.process, event.index)).copied().unwrap_or(0);
            self.clock.times.push(heard.saturating_add(slept));
        }
        let t = &self.threads[thread];
        let at = |p: Option<EventId>| p.map_or(0, |p| self.clock.times[p]);
        at(t.prev).max(at(t.also)).saturating_add(self.slept_since(thread))
    }

    /// How long a thread has slept since its last event.
    pub(crate) fn slept_since(&self, thread: ThreadId) -> u64 {
        let process = self.threads[thread].process;
        self.clock.slept.get(&(process, self.events_of(process))).copied().unwrap_or(0)
    }

    /// A process continues from the time of a thread: a thread that it has just started, or a monitor that it leaves.
    /// (Neither is an event, so the time that the thread has slept before is in no event yet.)
    #[inline(always)]
    pub(crate) fn hand_down_time(&mut self, thread: ThreadId, process: ProcessId) {
        if !self.clock.slept.is_empty() {
            self.hand_down_sleep(thread, process);
        }
    }

    #[cold]
    #[inline(never)]
    fn hand_down_sleep(&mut self, thread: ThreadId, process: ProcessId) {
        let slept = self.slept_since(thread);
        if slept > 0 {
            self.let_pass(process, slept);
        }
    }

    /// A turn is not part of the program: the time that a thread has slept before a turn counts before its next event.
    pub(crate) fn sleep_through(&mut self, turn: EventId) {
        let Event { process, index, .. } = *self.run.at(turn);
        if let Some(slept) = self.clock.slept.remove(&(process, index)) {
            self.let_pass(process, slept);
        }
    }

    /// A thread has waited for another, which may have slept after its last event.
    pub(crate) fn advance_clock_to(&mut self, other: ThreadId, waiter: ThreadId) {
        if self.clock.slept.is_empty() || self.slept_since(other) == 0 {
            return;
        }
        let slept = self.slept_since(other);
        let there = self.time_of(other);
        self.advance_clock(there, slept, waiter);
    }

    /// The same, if the other had slept so long since an event of its, and may have gone on since.
    pub(crate) fn advance_clock_past(&mut self, last: Option<EventId>, slept: u64, waiter: ThreadId) {
        if slept > 0 {
            self.time_of(waiter);
            let there = last.map_or(0, |it| self.clock.times[it]).saturating_add(slept);
            self.advance_clock(there, slept, waiter);
        }
    }

    fn advance_clock(&mut self, there: u64, slept: u64, waiter: ThreadId) {
        // The time of its last event is known to the waiter anyway.
        let heard = there.saturating_sub(slept).saturating_add(self.slept_since(waiter));
        let here = self.time_of(waiter).max(heard);
        self.let_pass(self.threads[waiter].process, there.saturating_sub(here));
    }
}
