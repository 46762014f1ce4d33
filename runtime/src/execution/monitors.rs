//! What happens inside a monitor. Entering is a completion like any other ([`super::objects`]); waiting, signalling
//! and leaving are decided by the thread inside, so they pick nothing.
//!
//! Leaving is no event: the next entry comes after whatever the leaving thread did last.

use std::collections::VecDeque;

use super::event::{NONE, Op};
use super::stepping::{begin, wait};
use super::threads::WaitFor;
use super::{Execution, Place, alive, forcing, of};

/// A new condition of a monitor.
#[track_caller]
pub(crate) fn new_condition(stamp: u64, monitor: u32) -> u32 {
    let conditions = &mut of(stamp).objects[monitor as usize].conditions;
    conditions.push(VecDeque::new());
    conditions.len() as u32 - 1
}

/// How many threads wait on a condition.
#[track_caller]
pub(crate) fn waiting(stamp: u64, monitor: u32, condition: u32) -> usize {
    of(stamp).objects[monitor as usize].conditions[condition as usize].len()
}

/// Leaves the monitor.
pub(crate) fn leave(stamp: u64, monitor: u32) {
    if let Some(x) = alive(stamp) {
        x.hand_on(monitor);
    }
}

/// Waits on a condition. In a signal-and-continue monitor the thread then calls to enter again; in a
/// signal-and-urgent-wait monitor it owns the monitor at once.
#[track_caller]
pub(crate) fn wait_on(stamp: u64, monitor: u32, condition: u32, urgent: bool, place: Place) {
    let x = begin(stamp);
    let me = x.running;
    x.record_thread(Op::Wait, monitor, place);
    x.objects[monitor as usize].conditions[condition as usize].push_back(me);
    x.threads[me as usize].woken_by = NONE;
    x.hand_on(monitor);
    sleep(stamp, WaitFor::Signal { object: monitor }, place);
    if urgent {
        of(stamp).record_thread(Op::Resume, monitor, place);
    } else {
        super::calling::call(stamp, monitor, Op::Reenter, place);
    }
}

/// Signals a condition. With urgent wait, the longest waiter goes on at once and the signaller after it.
#[track_caller]
pub(crate) fn signal(stamp: u64, monitor: u32, condition: u32, urgent: bool, place: Place) {
    let x = begin(stamp);
    let me = x.running;
    let signal = x.record_thread(Op::Signal, monitor, place);
    let Some(waiter) = x.objects[monitor as usize].conditions[condition as usize].pop_front() else { return };
    x.threads[waiter as usize].woken_by = signal;
    x.wake(waiter);
    if urgent {
        x.objects[monitor as usize].state = u64::from(waiter) + 1;
        x.objects[monitor as usize].urgent.push(me);
        x.threads[me as usize].woken_by = NONE;
        sleep(stamp, WaitFor::Urgent { object: monitor }, place);
        of(stamp).record_thread(Op::Resume, monitor, place);
    }
}

/// Signals a condition until nobody waits on it (signal-and-continue only).
#[track_caller]
pub(crate) fn signal_all(stamp: u64, monitor: u32, condition: u32, place: Place) {
    let x = begin(stamp);
    let signal = x.record_thread(Op::Signal, monitor, place);
    while let Some(waiter) = x.objects[monitor as usize].conditions[condition as usize].pop_front() {
        x.threads[waiter as usize].woken_by = signal;
        x.wake(waiter);
    }
}

/// Blocks until somebody names the event that ends the wait.
fn sleep(stamp: u64, on: WaitFor, place: Place) {
    forcing::catch_up_before_waiting(stamp);
    let mut x = of(stamp);
    let me = x.running as usize;
    while x.threads[me].woken_by == NONE {
        x.block(on, place);
        wait();
        x = of(stamp);
    }
    x.threads[me].also = std::mem::replace(&mut x.threads[me].woken_by, NONE);
}

impl Execution {
    /// The running thread gives the monitor up: to the latest signaller that waits, else to whoever enters next.
    fn hand_on(&mut self, monitor: u32) {
        let last = self.threads[self.running as usize].prev;
        let object = &mut self.objects[monitor as usize];
        if let Some(signaller) = object.urgent.pop() {
            object.state = u64::from(signaller) + 1;
            self.threads[signaller as usize].woken_by = last;
            self.hear_of(self.running, signaller);
            self.wake(signaller);
            return;
        }
        object.prev = last;
        object.state = 0;
        let line = object.line;
        self.hand_down_time(self.running, line);
        self.advance(monitor);
    }
}
