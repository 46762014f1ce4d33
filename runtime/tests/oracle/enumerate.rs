//! Brute force: every interleaving of a program, and the set of behaviours that come out.
//!
//! [`behaviours`] walks through all states that can be reached, merging those that are equal: the same events so far
//! and the same state of threads and objects. A state with no way on is an end: normal if all threads have
//! finished, else a deadlock. Objects are plain state machines (a queue, an owner, a list of waiters), one file
//! for each family: [`ports`], [`channels`] and [`choices`], [`locks`], [`rwlocks`], [`monitors`], [`atomics`],
//! [`meetings`] and [`pointers`]. Some of them have two forms; a state that shows that the simple one is not enough is
//! a [fact](facts), with which the walk starts again.
//!
//! Two things keep the number of states down, and change no behaviour. A call and its completion are one step,
//! as nobody can see a call that has not completed, and so are the calls that complete together; the calls still open
//! at the end are added then. (Where a completion picks a call and leaves it waiting, that step makes the call.) And an
//! operation that nothing else can interfere with is done at once, before any other thread moves: spawn, join, reply,
//! and what a thread does inside a monitor.

mod atomics;
mod channels;
mod choices;
mod clocks;
mod duties;
mod events;
mod facts;
mod handles;
mod history;
mod locks;
mod meetings;
mod monitors;
mod pointers;
mod ports;
mod rwlocks;
mod state;
mod words;

use std::collections::BTreeSet;

use super::program::{Object, Op, Program};
use clocks::Clocks;
pub(crate) use facts::Fact;
use facts::Facts;
use history::{Histories, Pick};
use state::{ObjectState, Phase, State};
pub(crate) use words::{Executions, Letter};

/// Whether a call that finds the server gone also has a `return` event.
const REFUSED_CALL_RETURNS: bool = false;

/// How to enumerate.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    /// A `notify-one` wakes the longest waiter only.
    pub(crate) longest_waiter: bool,
    /// Waits and parks may end for no reason.
    pub(crate) spurious_wakeups: bool,
    /// Loads of atomics have their place on the timeline.
    pub(crate) ordered_loads: bool,
    /// A waiting writer may keep readers from an rwlock.
    pub(crate) waiting_writers_block: bool,
    /// Give up beyond so many states.
    pub(crate) max_states: usize,
}

impl Options {
    /// What the engine does when it is not told otherwise.
    pub(crate) const DEFAULT: Options = Options {
        longest_waiter: false,
        spurious_wakeups: false,
        ordered_loads: false,
        waiting_writers_block: true,
        max_states: 1_000_000,
    };
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
    /// What had to be known of the program.
    pub(crate) facts: BTreeSet<Fact>,
}

/// In which order to walk; it makes no difference to what is found.
#[derive(Clone, Copy)]
pub(crate) enum Walk {
    LastFirst,
    FirstFirst,
}

/// Enumerates the behaviours of a program; none if there are too many states.
pub(crate) fn behaviours(program: &Program, options: Options) -> Option<Enumeration> {
    behaviours_by(program, options, Walk::LastFirst)
}

/// Enumerates the behaviours of a program; none if there are too many states. Starts again whenever a state shows a
/// fact that was not known.
pub(crate) fn behaviours_by(program: &Program, options: Options, walk: Walk) -> Option<Enumeration> {
    let mut facts = Facts::none(program);
    loop {
        let mut enumerator = Enumerator::new(program, options, facts);
        let enumeration = enumerator.walk(walk);
        facts = enumerator.facts;
        if enumerator.shown.is_empty() {
            return enumeration;
        }
        for fact in enumerator.shown {
            facts.add(program, fact);
        }
    }
}

/// The program under enumeration and what all its states share.
struct Enumerator<'p> {
    program: &'p Program,
    options: Options,
    ids: Vec<String>,
    histories: Histories,
    facts: Facts,
    /// Facts that have shown and were not known.
    shown: BTreeSet<Fact>,
    /// Go through every order of events, also where the behaviour is the same.
    every_order: bool,
}

impl<'p> Enumerator<'p> {
    fn new(program: &'p Program, options: Options, facts: Facts) -> Enumerator<'p> {
        let ids = program.process_ids();
        let histories = Histories::new(ids.len());
        Enumerator { program, options, ids, histories, facts, shown: BTreeSet::new(), every_order: false }
    }

    /// Goes through all states; none if there are too many, or if a fact shows.
    fn walk(&mut self, walk: Walk) -> Option<Enumeration> {
        let start = self.start();
        let mut seen = BTreeSet::from([start.encode()]);
        let mut stack = vec![start];
        let mut behaviours = BTreeSet::new();
        while let Some(state) = stack.pop() {
            let mut next = self.successors(&state);
            if !self.shown.is_empty() {
                return None;
            }
            if next.is_empty() {
                behaviours.insert(self.behaviour(state));
            }
            if matches!(walk, Walk::FirstFirst) {
                next.reverse();
            }
            for state in next {
                if seen.insert(state.encode()) {
                    if seen.len() > self.options.max_states {
                        return None;
                    }
                    stack.push(state);
                }
            }
        }
        Some(Enumeration { behaviours, states: seen.len(), facts: self.facts.all() })
    }

    fn start(&mut self) -> State {
        let mut state = State {
            threads: vec![state::ThreadState::new(); self.program.threads.len()],
            objects: (0..self.program.objects.len()).map(|o| ObjectState::new(self.program, o)).collect(),
            numbers: vec![0; self.program.objects.len()],
            tokens: 0,
            poisoned: 0,
            joined: 0,
            histories: (0..self.ids.len() as u32).collect(),
            latest: Vec::new(),
            clocks: needs_clocks(self.program).then(|| Clocks::new(self.ids.len())),
        };
        let objects = || self.program.objects.iter().enumerate();
        for (o, object) in objects() {
            if matches!(object, Object::Timer { .. }) {
                self.fire(&mut state, o);
            }
            self.deal_handles(&mut state, o, object.receivers().count_ones());
        }
        for (o, _) in objects().filter(|(_, object)| matches!(object, Object::Arc { .. })) {
            self.deal_pointers(&mut state, o);
        }
        for (o, object) in objects() {
            self.deal_handles(&mut state, o, object.senders().count_ones());
        }
        self.begin(&mut state, 0);
        state
    }

    /// A fact that shows makes the walk start again, unless it is known.
    fn show(&mut self, fact: Fact) {
        if !self.facts.is_known(fact) {
            self.shown.insert(fact);
        }
    }

    /// Every state that one step leads to.
    fn successors(&mut self, state: &State) -> Vec<State> {
        self.look_for_sharing(state);
        let mut out = Vec::new();
        for t in 0..state.threads.len() {
            if !self.every_order
                && let Some(op) = self.next_op(state, t)
                && self.is_undisturbed(state, t, &op)
            {
                self.step(state, t, &op, &mut out);
                debug_assert_eq!(out.len(), 1);
                return out;
            }
        }
        for t in 0..state.threads.len() {
            if let Some(item) = state.threads[t].dying.first() {
                self.bury(state, t, item, &mut out);
            } else if state.threads[t].phase == Phase::Ending {
                self.end(state, t, &mut out);
            } else if state.threads[t].phase == Phase::GoingOn {
                let (word, o) = match self.next_op(state, t) {
                    Some(Op::Call(o, _)) => ("return", o),
                    Some(Op::MonitorWait(o, _) | Op::Signal(o, _)) => ("resume", o),
                    _ => unreachable!("nobody else is let go on"),
                };
                let mut next = state.clone();
                self.go_on(&mut next, t, word, o);
                out.push(next);
            } else if let Some(op) = self.next_op(state, t) {
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
            Op::Len(o) => matches!(self.program.objects[*o], Object::Flow { capacity: Some(0), .. }),
            Op::DropReceiver(o) => matches!(self.program.objects[*o], Object::Timer { .. }),
            Op::CloneArc(o) | Op::DropArc(o) | Op::DropWeak(o) => !self.is_counted(*o),
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
                    next.joined |= 1 << *child;
                    self.emit(&mut next, t, "join", None, Pick::None);
                    self.advance(&mut next, t);
                    out.push(next);
                }
            }
            Op::IsFinished(child) => self.step_is_finished(state, t, *child, out),
            Op::Send(o, _)
            | Op::TrySend(o, _)
            | Op::SendTimeout(o, _)
            | Op::SendHandle(o, _)
            | Op::Recv(o)
            | Op::TryRecv(o)
            | Op::RecvTimeout(o)
            | Op::Drain(o) => {
                if self.is_object(*o) {
                    self.step_attempt(state, t, out);
                } else {
                    self.step_port(state, t, op, *o, out);
                }
            }
            Op::SendBy(o, value) => self.step_send_by(state, t, *o, *value, out),
            Op::Len(o) => self.step_len(state, t, *o, out),
            Op::DropSender(o) => {
                let mut next = state.clone();
                next.channel_mut(*o).senders &= !(1 << t);
                self.drop_sender(&mut next, t, *o);
                self.advance(&mut next, t);
                out.push(next);
            }
            Op::DropReceiver(o) => self.step_drop_receiver(state, t, *o, out),
            Op::Choose(choice) => self.step_choice(state, t, choice, out),
            Op::Call(..) | Op::Accept(_) | Op::AcceptReply(_) | Op::Serve(_) | Op::Reply | Op::DropCall => {
                self.step_entry(state, t, op, out);
            }
            Op::Select(select) => self.step_select(state, t, select, out),
            Op::Poison(o) if matches!(self.program.objects[*o], Object::RwLock) => {
                self.step_rwlock(state, t, op, *o, out);
            }
            Op::Lock(o) | Op::TryLock(o) | Op::Unlock(o) | Op::Poison(o) | Op::LockInPanic(o) => {
                self.step_lock(state, t, op, *o, out);
            }
            Op::IsPoisoned(o) | Op::ClearPoison(o) => self.step_is_poisoned(state, t, op, *o, out),
            Op::Acquire(o) | Op::TryAcquire(o) | Op::Release(o) => self.step_semaphore(state, t, op, *o, out),
            Op::Wait(o) | Op::WaitTimeout(o) | Op::NotifyOne(o) | Op::NotifyAll(o) => {
                self.step_condvar(state, t, op, *o, out);
            }
            Op::Enter(o) | Op::Exit(o) | Op::MonitorWait(o, _) | Op::Signal(o, _) | Op::SignalAll(o, _) => {
                self.step_monitor(state, t, op, *o, out);
            }
            Op::Store(o, _)
            | Op::AtomicLoad(o)
            | Op::Swap(o, _)
            | Op::FetchAdd(o, _)
            | Op::CompareExchange(o, ..)
            | Op::FetchUpdate(o) => self.step_atomic(state, t, op, *o, out),
            Op::Read(o)
            | Op::TryRead(o)
            | Op::Write(o)
            | Op::TryWrite(o)
            | Op::UnlockRw(o)
            | Op::Downgrade(o) => self.step_rwlock(state, t, op, *o, out),
            Op::Arrive(o, _) => self.step_barrier(state, t, *o, out),
            Op::IsDone(o) | Op::DoOnce(o, _) | Op::SetOnce(o, _) | Op::AwaitOnce(o) | Op::FailOnce(o) => {
                self.step_once(state, t, op, *o, out);
            }
            Op::Park | Op::ParkTimeout | Op::Unpark(_) => self.step_park(state, t, op, out),
            Op::CloneArc(o)
            | Op::DropArc(o)
            | Op::DropWeak(o)
            | Op::TryUnwrap(o)
            | Op::StrongCount(o)
            | Op::WeakCount(o)
            | Op::Upgrade(o) => self.step_pointer(state, t, op, *o, out),
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

    /// The end of a thread that others watch.
    fn end(&mut self, state: &State, t: usize, out: &mut Vec<State>) {
        let mut next = state.clone();
        let end = self.thread_end(t);
        self.emit(&mut next, t, "drop-sender", Some(end), Pick::None);
        next.order(t, self.process(end));
        self.emit(&mut next, self.process(end), "disconnect", Some(end), Pick::None);
        next.threads[t].phase = Phase::Finished;
        out.push(next);
    }
}

/// Whether the program has an object that needs to know what happened before what.
fn needs_clocks(program: &Program) -> bool {
    use super::program::Delivery;
    program.objects.iter().any(|object| match object {
        Object::Port { delivery: Delivery::Causal, .. } | Object::Once { .. } => true,
        Object::Flow { capacity: None, receivers, .. } | Object::Timer { receivers, .. } => {
            receivers.count_ones() > 1
        }
        _ => false,
    })
}
