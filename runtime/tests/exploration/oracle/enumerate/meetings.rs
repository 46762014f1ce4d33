//! Steps on barriers, on closures that run once, on parkers, and on the ends of threads.

use super::super::program::{LAZY_VALUE, Object, OnceShape, Op};
use super::Enumerator;
use super::facts::Fact;
use super::history::{At, Pick};
use super::state::{EARLY_WAKINGS, ObjectState, Phase, State};

impl Enumerator<'_> {
    /// The thread and others that have arrived go on together: every choice of them in which it is the first.
    pub(super) fn step_barrier(&mut self, state: &State, t: usize, o: usize, out: &mut Vec<State>) {
        let Object::Barrier { size } = self.program.objects[o] else { unreachable!("it is a barrier") };
        let others: Vec<usize> = (t + 1..state.threads.len())
            .filter(|u| matches!(self.next_op(state, *u), Some(Op::Arrive(at, _)) if at == o))
            .collect();
        for chosen in choices(&others, size.max(1) - 1) {
            let mut together = [vec![t], chosen].concat();
            together.sort_by(|a, b| self.ids[*a].cmp(&self.ids[*b]));
            if self.facts.is_known(Fact::Leader(o)) {
                for leader in 0..together.len() {
                    let mut led = together.clone();
                    let first = led.remove(leader);
                    led.insert(0, first);
                    self.go_on_together(state, o, &led, out);
                }
            } else {
                self.go_on_together(state, o, &together, out);
            }
        }
    }

    fn go_on_together(&mut self, state: &State, o: usize, together: &[usize], out: &mut Vec<State>) {
        let mut next = state.clone();
        let calls: Vec<At> =
            together.iter().map(|&t| self.emit(&mut next, t, "arrive", Some(o), Pick::None)).collect();
        let timeline = self.timeline(o);
        self.emit(&mut next, timeline, "arrive", Some(o), Pick::partners(&calls));
        for (i, &t) in together.iter().enumerate() {
            next.order(timeline, t);
            if let Some(Op::Arrive(_, true)) = self.next_op(state, t) {
                self.show(Fact::Leader(o));
                next.threads[t].last = Some(u8::from(i == 0));
            }
            self.advance(&mut next, t);
        }
        out.push(next);
    }

    pub(super) fn step_once(&mut self, state: &State, t: usize, op: &Op, o: usize, out: &mut Vec<State>) {
        let ObjectState::Once { running, done, poisoned, .. } = state.objects[o] else {
            unreachable!("it is done once")
        };
        let mut next = state.clone();
        match state.threads[t].phase {
            Phase::Beginning if running.is_some() => return,
            Phase::Beginning => {
                self.attempt_call(&mut next, t, ("begin", "failed-begin"), o, done.is_none());
                if done.is_some() {
                    self.go_on_once_done(&mut next, t, op, o);
                } else if poisoned && self.minds_poison(op, o) {
                    self.fail(&mut next, t, op);
                } else {
                    let (running, .., poisoned) = parts(&mut next, o);
                    *running = Some(t as u8);
                    *poisoned = false;
                    let sends =
                        matches!(op, Op::DoOnce(_, Some(x)) if self.sends_while_doing(state, t, o, *x));
                    next.threads[t].phase = if sends { Phase::Doing } else { Phase::Completing };
                }
            }
            Phase::Doing => {
                let Op::DoOnce(_, Some(x)) = op else { unreachable!("it sends something") };
                self.send_at_once(&mut next, t, *x, t as u8);
                next.threads[t].phase = Phase::Completing;
            }
            Phase::Completing => {
                let at = self.call(&mut next, t, "complete", o, &[]);
                let last = state.threads[t].last;
                let shape = self.shape(o);
                let (running, done, value, poisoned) = parts(&mut next, o);
                *running = None;
                *poisoned = matches!(op, Op::FailOnce(_)) || shape == OnceShape::Doomed;
                if *poisoned {
                    self.fail(&mut next, t, op);
                    out.push(next);
                    return;
                }
                *done = Some(at);
                *value = match (op, shape) {
                    (_, OnceShape::Lazy) => LAZY_VALUE,
                    (Op::SetOnce(_, value), _) => value.of(last),
                    _ => t as u8,
                };
                if matches!(op, Op::SetOnce(..)) {
                    next.threads[t].last = Some(1);
                    self.advance(&mut next, t);
                } else {
                    self.go_on_once_done(&mut next, t, op, o);
                }
            }
            Phase::Awaiting if done.is_none() && poisoned && matches!(op, Op::AwaitOnceOrPanic(_)) => {
                self.call(&mut next, t, "await", o, &[]);
                self.fail(&mut next, t, op);
            }
            Phase::Awaiting if done.is_none() => return,
            Phase::Awaiting => {
                self.call(&mut next, t, "await", o, &[]);
                self.go_on_once_done(&mut next, t, op, o);
            }
            _ => self.see_whether_done(&mut next, t, op, o, done),
        }
        out.push(next);
    }

    /// The first look: is it done?
    fn see_whether_done(&mut self, next: &mut State, t: usize, op: &Op, o: usize, done: Option<At>) {
        match done {
            Some(done) => {
                let clocks = next.clocks.as_ref().expect("kept for what is done once");
                if !clocks.is_past(done, t) {
                    self.emit(next, t, "load", Some(o), Pick::partners(&[done]));
                }
                self.go_on_once_done(next, t, op, o);
            }
            None => {
                self.emit(next, t, "load", Some(o), Pick::Nothing);
                match op {
                    Op::IsDone(_) => {
                        next.threads[t].last = (self.shape(o) == OnceShape::Once).then_some(0);
                        self.advance(next, t);
                    }
                    Op::AwaitOnce(_) | Op::AwaitOnceOrPanic(_) => next.threads[t].phase = Phase::Awaiting,
                    _ => next.threads[t].phase = Phase::Beginning,
                }
            }
        }
    }

    /// Whether an earlier panic keeps the thread from going on.
    fn minds_poison(&self, op: &Op, o: usize) -> bool {
        match self.shape(o) {
            OnceShape::Once => matches!(op, Op::DoOnceOrPanic(_)),
            OnceShape::Lock => false,
            OnceShape::Lazy | OnceShape::Doomed => true,
        }
    }

    /// The thread panics, by its own operation or because another thread has. It catches the panic if it can, and knows if
    /// the panic was its own.
    fn fail(&mut self, next: &mut State, t: usize, op: &Op) {
        match op {
            Op::DoOnceOrPanic(_) | Op::AwaitOnceOrPanic(_) => self.panic(next, t),
            Op::DoOnce(..) => {
                next.threads[t].last = Some(1);
                self.advance(next, t);
            }
            _ => self.advance(next, t),
        }
    }

    /// The closure has run: sets what the thread gets.
    fn go_on_once_done(&mut self, next: &mut State, t: usize, op: &Op, o: usize) {
        let value = *parts(next, o).2;
        match (op, self.shape(o)) {
            (Op::SetOnce(..), _) => next.threads[t].last = Some(0),
            (Op::IsDone(_), OnceShape::Once) => next.threads[t].last = Some(1),
            (_, OnceShape::Once) => {}
            _ => next.threads[t].last = Some(value),
        }
        self.advance(next, t);
    }

    /// Whether running it includes a send: it is not lazy (which does not depend on threads), and the thread has the handle.
    fn sends_while_doing(&self, state: &State, t: usize, o: usize, x: usize) -> bool {
        !matches!(self.shape(o), OnceShape::Lazy | OnceShape::Doomed)
            && self.program.objects[x].takes_sends()
            && state.has_sender(t, x)
    }

    fn shape(&self, o: usize) -> OnceShape {
        let Object::Once { shape } = self.program.objects[o] else { unreachable!("it is done once") };
        shape
    }

    pub(super) fn step_park(&mut self, state: &State, t: usize, op: &Op, out: &mut Vec<State>) {
        let mut next = state.clone();
        let token = state.tokens >> t & 1 == 1;
        match op {
            Op::Unpark(other) => {
                self.call(&mut next, t, "unpark", self.parker(*other), &[]);
                next.tokens |= 1 << *other;
            }
            Op::Park
                if !token
                    && (!self.options.spurious_wakeups || state.threads[t].woke_early >= EARLY_WAKINGS) =>
            {
                return;
            }
            _ => {
                next.threads[t].woke_early += u8::from(matches!(op, Op::Park) && !token);
                let is_late = matches!(op, Op::ParkTimeout) && !token;
                let word = if matches!(op, Op::Park) { "park" } else { "park-timeout" };
                self.call(&mut next, t, word, self.parker(t), &[]);
                next.tokens &= !(1 << t);
                if is_late {
                    next.pass_time(t);
                }
            }
        }
        self.advance(&mut next, t);
        out.push(next);
    }

    pub(super) fn step_is_finished(&mut self, state: &State, t: usize, child: usize, out: &mut Vec<State>) {
        self.show(Fact::Watched(child));
        let mut next = state.clone();
        let finished = state.threads[child].phase == Phase::Finished;
        let end = self.thread_end(child);
        let disconnect = At { process: self.process(end) as u8, index: 0 };
        let known = self.facts.is_known(Fact::Watched(child));
        let pick = if finished && known { Pick::partners(&[disconnect]) } else { Pick::Nothing };
        self.emit(&mut next, t, "receive", Some(end), pick);
        next.threads[t].last = Some(u8::from(finished));
        self.advance(&mut next, t);
        out.push(next);
    }
}

/// The thread that runs it, the completion that finished it, the value, and whether a thread has panicked.
fn parts(next: &mut State, o: usize) -> (&mut Option<u8>, &mut Option<At>, &mut u8, &mut bool) {
    let ObjectState::Once { running, done, value, poisoned } = &mut next.objects[o] else {
        unreachable!("it is done once")
    };
    (running, done, value, poisoned)
}

/// Every choice of `count` items.
fn choices(items: &[usize], count: usize) -> Vec<Vec<usize>> {
    match (count, items) {
        (0, _) => vec![Vec::new()],
        (_, []) => Vec::new(),
        (_, [first, rest @ ..]) => {
            let with = choices(rest, count - 1).into_iter().map(|chosen| [vec![*first], chosen].concat());
            with.chain(choices(rest, count)).collect()
        }
    }
}
