//! Brute force: every interleaving of a program, and the set of behaviours that come out.
//!
//! [`behaviours`] walks through all states that can be reached, merging those that are equal: the same events so far
//! and the same state of threads and objects. A state with no way on is an end: normal if all threads have
//! finished, else a deadlock. Objects are plain state machines (a queue, an owner, a list of waiters), one file
//! for each family: [`ports`], [`buffers`], [`locks`], [`monitors`].
//!
//! Two things keep the number of states down, and change no behaviour. A call and its completion are one step,
//! as nobody can see a call that has not completed (the exception, a put on a rendezvous, is two steps); the
//! calls still open at the end are added then. And an operation that nothing else can interfere with is done at
//! once, before any other thread moves: spawn, join, reply, and what a thread does inside a monitor.

mod buffers;
mod clocks;
mod history;
mod locks;
mod monitors;
mod ports;
mod state;

use std::collections::BTreeSet;

use super::program::{Holder, Object, Op, Program, steer};
use clocks::Clocks;
use history::{At, Histories, Pick, Token};
use state::{ObjectState, Phase, State};

/// Whether a call that finds the server gone also has a `return` event.
const REFUSED_CALL_RETURNS: bool = false;

/// How to enumerate.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    /// A `notify-one` wakes the longest waiter only.
    pub(crate) longest_waiter: bool,
    /// Give up beyond so many states.
    pub(crate) max_states: usize,
}

/// What one execution did, in a form that can be compared and read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Behaviour {
    /// A line for each process that has events, sorted: its id and the events.
    pub(crate) lines: Vec<String>,
    /// Whether some thread was blocked for good.
    pub(crate) deadlock: bool,
}

/// All that a program can do.
pub(crate) struct Enumeration {
    pub(crate) behaviours: BTreeSet<Behaviour>,
    pub(crate) states: usize,
}

/// Enumerates the behaviours of a program; none if there are too many states.
pub(crate) fn behaviours(program: &Program, options: Options) -> Option<Enumeration> {
    let mut enumerator = Enumerator::new(program, options);
    let start = enumerator.start();
    let mut seen = BTreeSet::from([start.encode()]);
    let mut stack = vec![start];
    let mut behaviours = BTreeSet::new();
    while let Some(state) = stack.pop() {
        let next = enumerator.successors(&state);
        if next.is_empty() {
            behaviours.insert(enumerator.behaviour(state));
        }
        for state in next {
            if seen.insert(state.encode()) {
                if seen.len() > options.max_states {
                    return None;
                }
                stack.push(state);
            }
        }
    }
    Some(Enumeration { behaviours, states: seen.len() })
}

/// The program under enumeration and what all its states share.
struct Enumerator<'p> {
    program: &'p Program,
    options: Options,
    ids: Vec<String>,
    histories: Histories,
}

impl<'p> Enumerator<'p> {
    fn new(program: &'p Program, options: Options) -> Enumerator<'p> {
        let ids = program.process_ids();
        let histories = Histories::new(ids.len());
        Enumerator { program, options, ids, histories }
    }

    fn start(&self) -> State {
        let mut state = State::new(self.program, self.ids.len());
        self.begin(&mut state, 0);
        state
    }

    /// The process of an object.
    fn process(&self, object: usize) -> usize {
        self.program.threads.len() + object
    }

    /// Every state that one step leads to.
    fn successors(&mut self, state: &State) -> Vec<State> {
        let mut out = Vec::new();
        for t in 0..state.threads.len() {
            if let Some(op) = self.next_op(state, t)
                && self.is_undisturbed(state, t, &op)
            {
                self.step(state, t, &op, &mut out);
                debug_assert_eq!(out.len(), 1);
                return out;
            }
        }
        for t in 0..state.threads.len() {
            if let Some(op) = self.next_op(state, t) {
                self.step(state, t, &op, &mut out);
            }
        }
        out
    }

    /// Whether the operation can be done now, and neither changes nor is changed by what other threads may do first.
    fn is_undisturbed(&self, state: &State, t: usize, op: &Op) -> bool {
        match op {
            Op::Join(child) => state.threads[*child].phase == Phase::Finished,
            Op::Exit(_) | Op::Signal(..) | Op::SignalAll(..) | Op::MonitorWait(..) => {
                state.threads[t].phase == Phase::Ready
            }
            Op::Spawn(_) | Op::Reply | Op::DropCall | Op::Remember(_) | Op::Load(_) | Op::Add(..) => true,
            _ => false,
        }
    }

    /// Adds the states that the operation, which the thread has come to, can lead to now.
    fn step(&mut self, state: &State, t: usize, op: &Op, out: &mut Vec<State>) {
        match op {
            Op::Spawn(child) => {
                let mut next = state.clone();
                next.order(t, *child);
                self.begin(&mut next, *child);
                self.advance(&mut next, t);
                out.push(next);
            }
            Op::Join(child) => {
                if state.threads[*child].phase == Phase::Finished {
                    let mut next = state.clone();
                    next.order(*child, t);
                    self.emit(&mut next, t, "join", None, Pick::None);
                    self.advance(&mut next, t);
                    out.push(next);
                }
            }
            Op::Send(o, _)
            | Op::Recv(o)
            | Op::TryRecv(o)
            | Op::Drain(o)
            | Op::DropSender(o)
            | Op::DropReceiver(o) => {
                if let Object::Buffer { capacity, .. } = self.program.objects[*o] {
                    self.step_buffer(state, t, op, (*o, capacity), out);
                } else {
                    self.step_port(state, t, op, *o, out);
                }
            }
            Op::Call(..) | Op::Accept(_) | Op::AcceptReply(_) | Op::Serve(_) | Op::Reply | Op::DropCall => {
                self.step_entry(state, t, op, out);
            }
            Op::Select(select) => self.step_select(state, t, select, out),
            Op::Lock(o) | Op::TryLock(o) | Op::Unlock(o) => self.step_lock(state, t, op, *o, out),
            Op::Acquire(o) | Op::TryAcquire(o) | Op::Release(o) => self.step_semaphore(state, t, op, *o, out),
            Op::Wait(o) | Op::NotifyOne(o) | Op::NotifyAll(o) => self.step_condvar(state, t, op, *o, out),
            Op::Enter(o) | Op::Exit(o) | Op::MonitorWait(o, _) | Op::Signal(o, _) | Op::SignalAll(o, _) => {
                self.step_monitor(state, t, op, *o, out);
            }
            Op::Remember(value) => {
                let mut next = state.clone();
                next.threads[t].last = Some(*value);
                self.advance(&mut next, t);
                out.push(next);
            }
            Op::Load(o) | Op::Add(o, _) => {
                let mut next = state.clone();
                let last = state.threads[t].last;
                match op {
                    Op::Add(_, value) => {
                        let number = &mut next.numbers[*o];
                        *number = number.wrapping_add(value.of(last));
                    }
                    _ => next.threads[t].last = Some(state.numbers[*o]),
                }
                self.advance(&mut next, t);
                out.push(next);
            }
            Op::UnlessOdd(_) | Op::UnlessIs(..) | Op::Back(_) => unreachable!("passed by on the way"),
        }
    }

    /// The operation that the thread is in or about to do; none if it has not started or has finished.
    fn next_op(&self, state: &State, t: usize) -> Option<Op> {
        let thread = &state.threads[t];
        if matches!(thread.phase, Phase::Unborn | Phase::Finished) {
            return None;
        }
        self.program.threads[t].ops.get(usize::from(thread.pc)).cloned().or_else(|| self.last_duty(state, t))
    }

    /// What a thread still has to do when its operations are done.
    fn last_duty(&self, state: &State, t: usize) -> Option<Op> {
        let objects = || self.program.objects.iter().enumerate();
        for (o, _) in objects() {
            match &state.objects[o] {
                ObjectState::Lock { owner, .. } if *owner == Some(t as u8) => return Some(Op::Unlock(o)),
                ObjectState::Monitor { owner, .. } if *owner == Some(t as u8) => return Some(Op::Exit(o)),
                _ => {}
            }
        }
        if state.threads[t].kept.latest().is_some() {
            return Some(Op::DropCall);
        }
        for (o, object) in objects() {
            if state.has_sender(t, o) {
                return Some(Op::DropSender(o));
            }
            if object.receiver() == Some(Holder::Thread(t)) && state.has_receiver(o) {
                return Some(Op::DropReceiver(o));
            }
        }
        None
    }

    /// Starts the thread.
    fn begin(&self, state: &mut State, t: usize) {
        state.threads[t].phase = Phase::Ready;
        self.pass_by(state, t);
    }

    /// Moves the thread on to the next operation that it can do, or to its end.
    fn advance(&self, state: &mut State, t: usize) {
        let ops = &self.program.threads[t].ops;
        state.threads[t].phase = Phase::Ready;
        if usize::from(state.threads[t].pc) < ops.len() {
            state.threads[t].pc += 1;
        }
        self.pass_by(state, t);
    }

    /// Passes by the operations that the thread cannot do.
    fn pass_by(&self, state: &mut State, t: usize) {
        let ops = &self.program.threads[t].ops;
        while let Some(op) = ops.get(usize::from(state.threads[t].pc)) {
            let pc = usize::from(state.threads[t].pc);
            let next = match steer(op, pc, state.threads[t].last) {
                Some(next) => next,
                None if self.can_do(state, t, op) => break,
                None => pc + 1,
            };
            state.threads[t].pc = ops.len().min(next) as u8;
        }
        if usize::from(state.threads[t].pc) >= ops.len() {
            state.threads[t].last = None;
            if self.last_duty(state, t).is_none() {
                state.threads[t].phase = Phase::Finished;
            }
        }
    }

    /// Whether the thread is in a position to do the operation, be it that it has to wait then.
    fn can_do(&self, state: &State, t: usize, op: &Op) -> bool {
        match op {
            Op::Spawn(_) | Op::Join(_) | Op::UnlessOdd(_) | Op::UnlessIs(..) | Op::Back(_) => true,
            Op::Remember(_) => true,
            Op::Load(o) | Op::Add(o, _) => {
                matches!(self.program.objects[*o], Object::Mutex | Object::Monitor { .. })
                    && state.owns(t, *o)
            }
            Op::Send(o, _) | Op::DropSender(o) | Op::Call(o, _) => state.has_sender(t, *o),
            Op::Recv(o) | Op::TryRecv(o) | Op::Drain(o) | Op::DropReceiver(o) => {
                self.can_receive(state, t, *o)
            }
            Op::Accept(o) | Op::AcceptReply(o) | Op::Serve(o) => self.can_receive(state, t, *o),
            Op::Select(select) => !self.open_arms(state, t, select).is_empty(),
            Op::Lock(o) | Op::TryLock(o) => {
                matches!(self.program.objects[*o], Object::Reentrant) || !state.owns(t, *o)
            }
            Op::Unlock(o) | Op::Exit(o) | Op::MonitorWait(o, _) | Op::Signal(o, _) | Op::SignalAll(o, _) => {
                state.owns(t, *o)
            }
            Op::Enter(o) => !state.owns(t, *o),
            Op::Wait(o) => match self.program.objects[*o] {
                Object::Condvar { mutex } => state.owns(t, mutex),
                _ => false,
            },
            Op::NotifyOne(_) | Op::NotifyAll(_) | Op::Acquire(_) | Op::TryAcquire(_) | Op::Release(_) => true,
            Op::Reply | Op::DropCall => state.threads[t].kept.latest().is_some(),
        }
    }

    fn can_receive(&self, state: &State, t: usize, o: usize) -> bool {
        state.has_receiver(o)
            && match self.program.objects[o].receiver() {
                Some(Holder::Thread(holder)) => holder == t,
                Some(Holder::Under(mutex)) => state.owns(t, mutex),
                None => false,
            }
    }

    /// Adds an event to a process; says which.
    fn emit(
        &mut self,
        state: &mut State,
        process: usize,
        word: &'static str,
        object: Option<usize>,
        pick: Pick,
    ) -> At {
        let token = Token { word, object: object.map(|o| self.process(o) as u8), pick };
        let history = self.histories.append(state.histories[process], token);
        state.histories[process] = history;
        let at = At { process: process as u8, index: self.histories.len(history) - 1 };
        if let Some(clocks) = &mut state.clocks {
            clocks.tick(at, &pick);
        }
        at
    }

    /// The latest event of a process.
    fn latest(&self, state: &State, process: usize) -> At {
        At { process: process as u8, index: self.histories.len(state.histories[process]) - 1 }
    }

    /// The thread calls the object and the call completes: two events. `with` are partners besides the call.
    fn call(&mut self, state: &mut State, t: usize, word: &'static str, o: usize, with: &[At]) -> At {
        let call = self.emit(state, t, word, Some(o), Pick::None);
        self.complete(state, t, word, o, &[&[call], with].concat())
    }

    /// A completion on the object, which the thread goes on after.
    fn complete(&mut self, state: &mut State, t: usize, word: &'static str, o: usize, partners: &[At]) -> At {
        let completion = self.emit(state, self.process(o), word, Some(o), Pick::partners(partners));
        state.order(self.process(o), t);
        completion
    }

    /// The thread drops its sending handle; with the last one the object is disconnected.
    fn drop_sender(&mut self, state: &mut State, t: usize, o: usize) {
        self.emit(state, t, "drop-sender", Some(o), Pick::None);
        let disconnects = self.disconnects(o);
        state.order(t, disconnects);
        let senders = state.senders_mut(o);
        *senders &= !(1 << t);
        if *senders == 0 {
            self.emit(state, disconnects, "disconnect", Some(o), Pick::None);
        }
        self.advance(state, t);
    }

    /// The process that has the disconnect of the object as its event.
    fn disconnects(&self, o: usize) -> usize {
        match self.program.objects[o] {
            Object::Buffer { .. } => self.process(self.program.objects.len() + o),
            _ => self.process(o),
        }
    }

    /// The disconnect of the object, if it has come to that.
    fn disconnect(&self, state: &State, o: usize) -> Option<At> {
        let gone = state.senders(o) == 0;
        gone.then(|| At { process: self.disconnects(o) as u8, index: 0 })
    }

    /// The behaviour of an execution that has come to its end.
    fn behaviour(&mut self, mut state: State) -> Behaviour {
        let deadlock = state.threads.iter().any(|thread| !matches!(thread.phase, Phase::Finished));
        for t in 0..state.threads.len() {
            if let Some((word, o)) = self.open_call(&state, t) {
                self.emit(&mut state, t, word, Some(o), Pick::None);
            }
        }
        let mut lines: Vec<String> = (0..self.ids.len())
            .filter(|&p| self.histories.len(state.histories[p]) > 0)
            .map(|p| self.histories.render(p, state.histories[p], &self.ids, p < self.program.threads.len()))
            .collect();
        lines.sort();
        Behaviour { lines, deadlock }
    }

    /// The call that a blocked thread has made, where a call and its completion are one step.
    fn open_call(&self, state: &State, t: usize) -> Option<(&'static str, usize)> {
        let op = self.next_op(state, t)?;
        match (state.threads[t].phase, op) {
            (Phase::Ready, Op::Lock(o)) => Some(("lock", o)),
            (Phase::Ready, Op::Acquire(o)) => Some(("acquire", o)),
            (Phase::Ready, Op::Release(o)) => Some(("release", o)),
            (Phase::Ready, Op::Enter(o)) => Some(("enter", o)),
            (Phase::Ready, Op::Send(o, _)) => Some(("put", o)),
            (Phase::Ready, Op::Recv(o) | Op::Drain(o)) => {
                matches!(self.program.objects[o], Object::Buffer { .. }).then_some(("take", o))
            }
            (Phase::Sleeping, Op::Wait(o)) => match self.program.objects[o] {
                Object::Condvar { mutex } => (!state.is_waiting(t, o)).then_some(("lock", mutex)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// Whether the program has a port that needs to know what happened before what.
fn needs_clocks(program: &Program) -> bool {
    use super::program::Delivery;
    program.objects.iter().any(|object| matches!(object, Object::Port { delivery: Delivery::Causal, .. }))
}

impl State {
    fn new(program: &Program, processes: usize) -> State {
        State {
            threads: vec![state::ThreadState::new(); program.threads.len()],
            objects: program.objects.iter().map(ObjectState::new).collect(),
            numbers: vec![0; program.objects.len()],
            histories: (0..processes as u32).collect(),
            clocks: needs_clocks(program).then(|| Clocks::new(processes)),
        }
    }
}
