//! Steps on mutexes, reentrant locks, semaphores and condition variables.

use super::super::program::{Object, Op, POISONED};
use super::Enumerator;
use super::clocks::A_WHILE;
use super::history::{At, Pick};
use super::state::{EARLY_WAKINGS, ObjectState, Phase, State};

impl Enumerator<'_> {
    pub(super) fn step_lock(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        let ObjectState::Lock { owner, .. } = state.objects[o] else { unreachable!("it is a lock") };
        let free = owner.is_none() || owner == Some(t as u8);
        let mut next = state.clone();
        match op {
            Op::Lock(_) | Op::LockOrPanic(_) if free => {
                self.call(&mut next, t, "lock", o, &[]);
                take_lock(&mut next, t, o);
                next.hear_of_poison(t, o);
                if matches!(op, Op::LockOrPanic(_)) && state.is_poisoned(o) {
                    self.panic(&mut next, t);
                    out.push(next);
                    return;
                }
            }
            Op::LockInPanic(_) if state.threads[t].phase == Phase::Unwinding => {
                self.call(&mut next, t, "unlock", o, &[]);
                give_lock_back(&mut next, o);
            }
            Op::LockInPanic(_) if free => {
                self.call(&mut next, t, "lock", o, &[]);
                take_lock(&mut next, t, o);
                next.hear_of_poison(t, o);
                next.threads[t].phase = Phase::Unwinding;
                out.push(next);
                return;
            }
            Op::Lock(_) | Op::LockInPanic(_) | Op::LockOrPanic(_) => return,
            Op::TryLock(_) => {
                self.attempt_call(&mut next, t, ("try-lock", "failed-lock"), o, free);
                next.threads[t].last = Some(state.tried(o, free));
                if free {
                    take_lock(&mut next, t, o);
                }
            }
            _ => {
                self.call(&mut next, t, "unlock", o, &[]);
                give_lock_back(&mut next, o);
                let is_mutex = matches!(self.program.objects[o], Object::Mutex);
                if is_mutex && (matches!(op, Op::Poison(_)) || state.threads[t].panicked) {
                    next.poisoned |= 1 << o;
                }
            }
        }
        self.advance(&mut next, t);
        out.push(next);
    }

    /// The question has its place among the operations on the lock.
    /// A check of a lock that may be poisoned, or the clearing of its poison.
    pub(super) fn step_is_poisoned(
        &mut self,
        state: &State,
        t: usize,
        op: &Op,
        o: usize,
        out: &mut Vec<State>,
    ) {
        let mut next = state.clone();
        self.call(&mut next, t, "observe", o, &[]);
        if matches!(op, Op::ClearPoison(_)) {
            next.poisoned &= !(1 << o);
        } else {
            next.threads[t].last = Some(u8::from(state.is_poisoned(o)));
        }
        self.advance(&mut next, t);
        out.push(next);
    }

    pub(super) fn step_semaphore(
        &mut self,
        state: &State,
        t: usize,
        op: &Op,
        o: usize,
        out: &mut Vec<State>,
    ) {
        let Object::Semaphore { binary, .. } = self.program.objects[o] else {
            unreachable!("it is a semaphore")
        };
        let ObjectState::Semaphore { value } = state.objects[o] else { unreachable!("it is a semaphore") };
        let mut next = state.clone();
        let after = match op {
            Op::Acquire(_) if value > 0 => {
                self.call(&mut next, t, "acquire", o, &[]);
                value - 1
            }
            Op::TryAcquire(_) => {
                self.attempt_call(&mut next, t, ("try-acquire", "failed-acquire"), o, value > 0);
                next.threads[t].last = Some(u8::from(value > 0));
                value.saturating_sub(1)
            }
            Op::Release(_) if !binary || value == 0 => {
                self.call(&mut next, t, "release", o, &[]);
                value + 1
            }
            _ => return,
        };
        next.objects[o] = ObjectState::Semaphore { value: after };
        self.advance(&mut next, t);
        out.push(next);
    }

    pub(super) fn step_condvar(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        let Object::Condvar { mutex } = self.program.objects[o] else {
            unreachable!("it is a condition variable")
        };
        match op {
            Op::WaitTimeoutWhile(_) if state.threads[t].phase == Phase::Ready => {
                self.look_and_wait(state, t, op, (o, mutex), out);
            }
            Op::WaitWhile(_)
                if state.threads[t].phase == Phase::Ready && !state.numbers[mutex].is_multiple_of(2) =>
            {
                let mut next = state.clone();
                self.advance(&mut next, t);
                out.push(next);
            }
            Op::Wait(_) | Op::WaitTimeout(_) | Op::WaitWhile(_) | Op::WaitTimeoutWhile(_) => {
                self.wait(state, t, op, (o, mutex), out);
            }
            Op::NotifyAll(_) => {
                let mut next = state.clone();
                let notify = self.call(&mut next, t, "notify-all", o, &[]);
                for (waiter, _) in waiters(&mut next, o).split_off(0) {
                    next.threads[usize::from(waiter)].woken_by = Some(notify);
                }
                self.advance(&mut next, t);
                out.push(next);
            }
            _ => self.notify_one(state, t, o, out),
        }
    }

    fn notify_one(&mut self, state: &State, t: usize, o: usize, out: &mut Vec<State>) {
        let ObjectState::Condvar { waiters: all } = &state.objects[o] else { unreachable!() };
        if all.is_empty() {
            let mut next = state.clone();
            self.call(&mut next, t, "notify-one", o, &[]);
            self.advance(&mut next, t);
            out.push(next);
        }
        let choices = if self.options.longest_waiter { all.len().min(1) } else { all.len() };
        for (i, &(waiter, index)) in all.iter().enumerate().take(choices) {
            let mut next = state.clone();
            let wait = At { process: self.process(o) as u8, index };
            let notify = self.call(&mut next, t, "notify-one", o, &[wait]);
            waiters(&mut next, o).remove(i);
            next.threads[usize::from(waiter)].woken_by = Some(notify);
            self.advance(&mut next, t);
            out.push(next);
        }
    }

    /// Waits with what is left of a timeout, unless it does not have to.
    fn look_and_wait(
        &mut self,
        state: &State,
        t: usize,
        op: &Op,
        (o, mutex): (usize, usize),
        out: &mut Vec<State>,
    ) {
        let mut next = state.clone();
        let since = state.threads[t].since.unwrap_or_else(|| next.look_at_clock(t));
        next.threads[t].since = Some(since);
        let over = if state.numbers[mutex].is_multiple_of(2) {
            let waited = next.look_at_clock(t) - since;
            next.threads[t].left = A_WHILE.saturating_sub(waited);
            (waited > A_WHILE).then_some(1)
        } else {
            Some(0)
        };
        if over.is_some() {
            next.threads[t].since = None;
            next.threads[t].last = over;
            self.advance(&mut next, t);
            out.push(next);
        } else {
            self.wait(&next, t, op, (o, mutex), out);
        }
    }

    /// A wait in three steps: join the waiters; release the mutex; woken, take the mutex again. With a timeout, or if
    /// waits may end spuriously, the thread itself asks to be taken off the list, which may come before any notify.
    fn wait(&mut self, state: &State, t: usize, op: &Op, (o, mutex): (usize, usize), out: &mut Vec<State>) {
        let timed = matches!(op, Op::WaitTimeout(_) | Op::WaitTimeoutWhile(_));
        let wakes_early = self.options.spurious_wakeups && state.threads[t].woke_early < EARLY_WAKINGS;
        let expires = timed || wakes_early;
        let mut next = state.clone();
        match state.threads[t].phase {
            Phase::Unlocking => {
                self.call(&mut next, t, "unlock", mutex, &[]);
                give_lock_back(&mut next, mutex);
                if expires {
                    self.emit(&mut next, t, "expire", Some(o), Pick::None);
                }
                next.threads[t].phase = Phase::Sleeping;
            }
            Phase::Sleeping if state.is_waiting(t, o) => {
                if !expires {
                    return;
                }
                let call = self.latest(state, t);
                self.complete(&mut next, t, "expire", o, &[call]);
                waiters(&mut next, o).retain(|(waiter, _)| usize::from(*waiter) != t);
                next.threads[t].expired = true;
                next.threads[t].woke_early += u8::from(!timed);
                match op {
                    Op::WaitTimeout(_) => next.pass_time(t),
                    Op::WaitTimeoutWhile(_) => next.let_pass(t, state.threads[t].left),
                    _ => {}
                }
            }
            Phase::Sleeping => {
                let ObjectState::Lock { owner, .. } = state.objects[mutex] else {
                    unreachable!("it is a mutex")
                };
                if owner.is_some() {
                    return;
                }
                if let Some(notify) = next.threads[t].woken_by.take() {
                    next.order_event(notify, t);
                }
                self.call(&mut next, t, "lock", mutex, &[]);
                take_lock(&mut next, t, mutex);
                let expired = std::mem::take(&mut next.threads[t].expired);
                if timed {
                    let result = if state.is_poisoned(mutex) { POISONED } else { u8::from(expired) };
                    next.threads[t].last = Some(result);
                } else {
                    next.hear_of_poison(t, mutex);
                }
                let looks_again = matches!(op, Op::WaitWhile(_) | Op::WaitTimeoutWhile(_));
                if looks_again && !state.is_poisoned(mutex) {
                    // Checks again.
                    next.threads[t].phase = Phase::Ready;
                } else {
                    next.threads[t].since = None;
                    self.advance(&mut next, t);
                }
            }
            _ => {
                let wait = self.call(&mut next, t, "wait", o, &[]);
                waiters(&mut next, o).push((t as u8, wait.index));
                next.threads[t].phase = Phase::Unlocking;
            }
        }
        out.push(next);
    }
}

fn take_lock(next: &mut State, t: usize, o: usize) {
    let ObjectState::Lock { owner, depth } = &mut next.objects[o] else { unreachable!("it is a lock") };
    *owner = Some(t as u8);
    *depth += 1;
}

fn give_lock_back(next: &mut State, o: usize) {
    let ObjectState::Lock { owner, depth } = &mut next.objects[o] else { unreachable!("it is a lock") };
    *depth -= 1;
    if *depth == 0 {
        *owner = None;
    }
}

fn waiters(next: &mut State, o: usize) -> &mut Vec<(u8, u8)> {
    let ObjectState::Condvar { waiters } = &mut next.objects[o] else {
        unreachable!("it is a condition variable")
    };
    waiters
}
