//! What happens inside a monitor. Entering is a completion like any other ([`crate::objects`]); waiting, signalling
//! and leaving are decided by the thread inside, so they pick nothing.
//!
//! Leaving is no event: the next entry comes after the last event of the thread that left.

use std::collections::VecDeque;

use crate::access::{with, with_alive};
use crate::ids::{ExecutionId, ObjectId};
use crate::record::event::Op;
use crate::schedule::steps;
use crate::schedule::steps::{begin, wait};
use crate::threads::WaitFor;
use crate::{Engine, Place};

/// A new condition of a monitor.
#[track_caller]
pub fn new_condition(execution: ExecutionId, monitor: ObjectId) -> u32 {
    with(execution, |engine| {
        let conditions = &mut engine.objects[monitor].state.monitor_mut().conditions;
        conditions.push(VecDeque::new());
        conditions.len() as u32 - 1
    })
}

/// How many threads wait on a condition.
#[track_caller]
pub fn waiting(execution: ExecutionId, monitor: ObjectId, condition: u32) -> usize {
    with(execution, |engine| engine.objects[monitor].state.monitor_mut().conditions[condition as usize].len())
}

/// Leaves the monitor.
pub fn leave(execution: ExecutionId, monitor: ObjectId) {
    with_alive(execution, |engine| engine.hand_on(monitor));
}

/// Waits on a condition. In a signal-and-continue monitor the thread then calls to enter again; in a
/// signal-and-urgent-wait monitor it owns the monitor at once.
#[track_caller]
pub fn wait_on(execution: ExecutionId, monitor: ObjectId, condition: u32, urgent: bool, place: Place) {
    begin(execution, |engine| {
        let me = engine.schedule.running;
        engine.record_thread(Op::Wait, monitor, place);
        engine.objects[monitor].state.monitor_mut().conditions[condition as usize].push_back(me);
        engine.threads[me].woken_by = None;
        engine.hand_on(monitor);
    });
    sleep(execution, WaitFor::Signal { object: monitor }, place);
    if urgent {
        with(execution, |engine| engine.record_thread(Op::Resume, monitor, place));
    } else {
        crate::calls::call(execution, monitor, Op::Reenter, place);
    }
}

/// Signals a condition. With urgent wait, the longest waiter goes on at once and the signaller after it.
#[track_caller]
pub fn signal(execution: ExecutionId, monitor: ObjectId, condition: u32, urgent: bool, place: Place) {
    let has_woken = begin(execution, |engine| {
        let me = engine.schedule.running;
        let signal = engine.record_thread(Op::Signal, monitor, place);
        let inside = engine.objects[monitor].state.monitor_mut();
        let Some(waiter) = inside.conditions[condition as usize].pop_front() else { return false };
        if urgent {
            inside.owner = Some(waiter);
            inside.urgent.push(me);
            engine.threads[me].woken_by = None;
        }
        engine.threads[waiter].woken_by = Some(signal);
        engine.wake(waiter);
        true
    });
    if has_woken && urgent {
        sleep(execution, WaitFor::Urgent { object: monitor }, place);
        with(execution, |engine| engine.record_thread(Op::Resume, monitor, place));
    }
}

/// Signals a condition until no thread waits on it (signal-and-continue only).
#[track_caller]
pub fn signal_all(execution: ExecutionId, monitor: ObjectId, condition: u32, place: Place) {
    begin(execution, |engine| {
        let signal = engine.record_thread(Op::Signal, monitor, place);
        let next = |engine: &mut Engine| {
            engine.objects[monitor].state.monitor_mut().conditions[condition as usize].pop_front()
        };
        while let Some(waiter) = next(engine) {
            engine.threads[waiter].woken_by = Some(signal);
            engine.wake(waiter);
        }
    });
}

/// Blocks until another thread has set the event that ends the wait.
fn sleep(execution: ExecutionId, on: WaitFor, place: Place) {
    steps::catch_up();
    while with(execution, |engine| engine.sleep_until_woken(on, place)) {
        wait();
    }
}

impl Engine {
    /// The running thread gives up the monitor: to the latest waiting signaller, else to the next thread that enters.
    fn hand_on(&mut self, monitor: ObjectId) {
        let last = self.threads[self.schedule.running].prev;
        let inside = self.objects[monitor].state.monitor_mut();
        if let Some(signaller) = inside.urgent.pop() {
            inside.owner = Some(signaller);
            self.threads[signaller].woken_by = last;
            self.advance_clock_to(self.schedule.running, signaller);
            self.wake(signaller);
            return;
        }
        inside.owner = None;
        self.objects[monitor].prev = last;
        let timeline = self.run.objects[monitor].timeline;
        self.hand_down_time(self.schedule.running, timeline);
        self.advance(monitor);
    }
}
