//! Random programs and random executions of them, as a source of valid sequences.
//!
//! A program is a list of steps for each thread over a fixed set of objects; an execution takes one enabled action
//! after the other, chosen by a list of bytes. Steps that make no sense where they come up (an unlock by who does
//! not hold the lock) are skipped. Threads may block for ever.

use insyn_sequences::{EventRef, Kind, Op, Pick, Sequence};
use proptest::prelude::*;

use super::build::Build;

const THREADS: usize = 4;
const CHANNELS: usize = 2;

/// What a thread does next.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// To the channel of this number.
    Send(usize),
    /// From the thread's own channel, if it has one.
    Receive,
    TryReceive,
    /// The mutex of this number.
    Lock(usize),
    Unlock(usize),
    Acquire,
    Release,
    Meet(Op),
    Buffer(Op),
    /// A call to the entry, or by the server an accept with reply.
    Rendezvous,
    Wait,
    Notify(Op),
}

pub fn sequences() -> impl Strategy<Value = Sequence> {
    let step = prop_oneof![
        4 => (0..CHANNELS).prop_map(Step::Send),
        4 => Just(Step::Receive),
        1 => Just(Step::TryReceive),
        3 => (0..2usize).prop_map(Step::Lock),
        3 => (0..2usize).prop_map(Step::Unlock),
        2 => Just(Step::Acquire),
        2 => Just(Step::Release),
        3 => prop_oneof![Just(Op::Put), Just(Op::Take), Just(Op::TryTake)].prop_map(Step::Meet),
        3 => prop_oneof![Just(Op::Put), Just(Op::Take)].prop_map(Step::Buffer),
        3 => Just(Step::Rendezvous),
        1 => Just(Step::Wait),
        1 => prop_oneof![Just(Op::NotifyOne), Just(Op::NotifyAll)].prop_map(Step::Notify),
    ];
    let scripts = prop::collection::vec(prop::collection::vec(step, 0..7), THREADS);
    (scripts, prop::collection::vec(any::<u8>(), 200))
        .prop_map(|(scripts, choices)| Run::new(scripts).run(&choices))
}

/// Where a thread stands.
#[derive(Clone, Debug, PartialEq)]
enum State {
    Unborn,
    Ready,
    /// In a call that is not completed.
    Called(Op, usize, EventRef),
    /// Waits for a reply to its call.
    AwaitsReply,
    /// Notified or not, on the condition; it has given back the mutex.
    Asleep,
    /// Has finished its script and drops its handles; the number that is left.
    Dropping(usize),
    Ended,
}

struct Run {
    build: Build,
    scripts: Vec<Vec<Step>>,
    states: Vec<State>,
    threads: Vec<usize>,
    channels: Vec<usize>,
    mutexes: Vec<usize>,
    semaphore: usize,
    meeting: usize,
    buffer: usize,
    entry: usize,
    condvar: usize,
    permits: usize,
    buffered: usize,
    holders: [Option<usize>; 2],
    /// Sends not yet received, for each channel.
    queues: Vec<Vec<EventRef>>,
    dropped: Vec<Vec<EventRef>>,
    disconnects: Vec<Option<EventRef>>,
    receiver_gone: Vec<Option<EventRef>>,
    calls: Vec<(usize, EventRef)>,
    /// Threads on the condition, with the completion of their wait.
    sleepers: Vec<(usize, EventRef)>,
    /// What the next event of a thread comes after.
    pending: Vec<Vec<EventRef>>,
}

impl Run {
    fn new(scripts: Vec<Vec<Step>>) -> Run {
        let mut build = Build::default();
        let id = |thread: usize| if thread == 0 { "main".to_owned() } else { format!("main/thread{thread}") };
        let threads: Vec<usize> = (0..THREADS).map(|it| build.process(&id(it), Kind::Thread)).collect();
        let channels: Vec<usize> =
            (1..=CHANNELS).map(|it| build.process(&format!("main/channel{it}"), Kind::Channel)).collect();
        let mutexes = (1..=2).map(|it| build.process(&format!("main/mutex{it}"), Kind::Mutex)).collect();
        let mut states = vec![State::Unborn; THREADS];
        states[0] = State::Ready;
        Run {
            threads,
            channels,
            mutexes,
            semaphore: build.process("main/semaphore1", Kind::Semaphore),
            meeting: build.process("main/rendezvous1", Kind::Rendezvous),
            buffer: build.process("main/bounded1", Kind::Bounded),
            entry: build.process("main/entry1", Kind::Entry),
            condvar: build.process("main/condvar1", Kind::Condvar),
            build,
            scripts: scripts.into_iter().map(|script| script.into_iter().rev().collect()).collect(),
            states,
            permits: 1,
            buffered: 0,
            holders: [None; 2],
            queues: vec![Vec::new(); CHANNELS],
            dropped: vec![Vec::new(); CHANNELS],
            disconnects: vec![None; CHANNELS],
            receiver_gone: vec![None; CHANNELS],
            calls: Vec::new(),
            sleepers: Vec::new(),
            pending: vec![Vec::new(); THREADS],
        }
    }

    fn run(mut self, choices: &[u8]) -> Sequence {
        let mut spawned = 1;
        for &choice in choices {
            // `main` spawns the others one by one, between its own steps.
            if spawned < THREADS && choice % 8 == 0 && self.at_rest(0) {
                self.states[spawned] = State::Ready;
                self.pending[spawned] = self.last(0).into_iter().collect();
                spawned += 1;
            }
            let thread = usize::from(choice / 8) % THREADS;
            let Some(thread) = (0..THREADS).map(|it| (it + thread) % THREADS).find(|&it| self.can_move(it))
            else {
                continue;
            };
            self.advance(thread);
        }
        self.build.finish()
    }

    /// Whether a thread has got past everything it has begun.
    fn at_rest(&self, thread: usize) -> bool {
        matches!(self.states[thread], State::Ready | State::Dropping(_) | State::Ended)
    }

    fn last(&self, thread: usize) -> Option<EventRef> {
        let process = self.threads[thread];
        let index = self.build.events_of(process).checked_sub(1)?;
        Some(EventRef { process, index })
    }

    fn add(&mut self, thread: usize, op: Op, object: Option<usize>, pick: Pick) -> EventRef {
        let event = self.build.event(self.threads[thread], op, object, pick);
        let pending = std::mem::take(&mut self.pending[thread]);
        self.build.after(event, &pending);
        self.build.at(event, "src/program.rs", event.index as u32 + 1, event.process as u32 + 1);
        event
    }

    fn can_move(&self, thread: usize) -> bool {
        match &self.states[thread] {
            State::Unborn | State::Ended | State::AwaitsReply | State::Asleep => false,
            State::Dropping(_) => true,
            State::Ready => match self.scripts[thread].last() {
                Some(Step::Receive) if thread < CHANNELS => self.can_receive(thread),
                Some(Step::Rendezvous) if thread == 0 => !self.calls.is_empty(),
                _ => true,
            },
            State::Called(op, object, _) => match op {
                Op::Lock => self.holders[self.mutex(*object)].is_none(),
                Op::Acquire => self.permits > 0,
                Op::Put if *object == self.buffer => self.buffered < 2,
                Op::Take if *object == self.buffer => self.buffered > 0,
                Op::Put => self.other(thread, Op::Take).is_some(),
                Op::Take => self.other(thread, Op::Put).is_some(),
                _ => true,
            },
        }
    }

    fn can_receive(&self, channel: usize) -> bool {
        !self.queues[channel].is_empty() || self.disconnects[channel].is_some()
    }

    fn mutex(&self, object: usize) -> usize {
        usize::from(object == self.mutexes[1])
    }

    /// A thread that waits at the rendezvous with such a call.
    fn other(&self, thread: usize, op: Op) -> Option<(usize, EventRef)> {
        (0..THREADS).filter(|&it| it != thread).find_map(|it| match self.states[it] {
            State::Called(called, object, call) if called == op && object == self.meeting => Some((it, call)),
            _ => None,
        })
    }

    fn advance(&mut self, thread: usize) {
        match self.states[thread].clone() {
            State::Called(op, object, call) => self.complete(thread, op, object, call),
            State::Dropping(left) => self.drop_handle(thread, left),
            _ => match self.scripts[thread].pop() {
                Some(step) => self.step(thread, step),
                None => self.states[thread] = State::Dropping(CHANNELS + 1),
            },
        }
    }

    fn call(&mut self, thread: usize, op: Op, object: usize) {
        let call = self.add(thread, op, Some(object), Pick::None);
        self.states[thread] = State::Called(op, object, call);
    }

    fn step(&mut self, thread: usize, step: Step) {
        match step {
            Step::Send(channel) => {
                let gone = self.receiver_gone[channel];
                let pick = gone.map_or(Pick::Nothing, |drop| Pick::Partners(vec![drop]));
                let send = self.add(thread, Op::Send, Some(self.channels[channel]), pick);
                if gone.is_none() {
                    self.queues[channel].push(send);
                }
            }
            Step::Receive | Step::TryReceive if thread < CHANNELS => {
                let pick = if !self.queues[thread].is_empty() {
                    Pick::Partners(vec![self.queues[thread].remove(0)])
                } else if let Some(disconnect) = self.disconnects[thread] {
                    Pick::Partners(vec![disconnect])
                } else {
                    Pick::Nothing
                };
                self.add(thread, Op::Receive, Some(self.channels[thread]), pick);
            }
            Step::Receive | Step::TryReceive => {}
            Step::Lock(mutex) if self.holders[mutex] != Some(thread) => {
                self.call(thread, Op::Lock, self.mutexes[mutex]);
            }
            Step::Unlock(mutex) if self.holders[mutex] == Some(thread) => {
                self.call(thread, Op::Unlock, self.mutexes[mutex]);
            }
            Step::Lock(_) | Step::Unlock(_) => {}
            Step::Acquire => self.call(thread, Op::Acquire, self.semaphore),
            Step::Release => self.call(thread, Op::Release, self.semaphore),
            Step::Meet(op) => self.call(thread, op, self.meeting),
            Step::Buffer(op) => self.call(thread, op, self.buffer),
            Step::Rendezvous if thread == 0 => {
                let (caller, call) = self.calls.remove(0);
                self.add(0, Op::Accept, Some(self.entry), Pick::Partners(vec![call]));
                let reply = self.add(0, Op::Reply, Some(self.entry), Pick::None);
                self.pending[caller].push(reply);
                self.add(caller, Op::Return, Some(self.entry), Pick::None);
                self.states[caller] = State::Ready;
            }
            Step::Rendezvous => {
                let call = self.add(thread, Op::Call, Some(self.entry), Pick::Nothing);
                self.calls.push((thread, call));
                self.states[thread] = State::AwaitsReply;
            }
            Step::Wait if self.holders[0] == Some(thread) => self.call(thread, Op::Wait, self.condvar),
            Step::Wait => {
                self.scripts[thread].push(Step::Wait);
                self.call(thread, Op::Lock, self.mutexes[0]);
            }
            Step::Notify(op) => self.call(thread, op, self.condvar),
        }
    }

    fn complete(&mut self, thread: usize, op: Op, object: usize, call: EventRef) {
        self.states[thread] = State::Ready;
        if object == self.meeting {
            let other = match op {
                Op::Put => self.other(thread, Op::Take),
                _ => self.other(thread, Op::Put),
            };
            let taker = if op == Op::Put { Op::Take } else { op };
            let calls = match (op, other) {
                (Op::Put, Some((_, take))) => vec![call, take],
                (_, Some((_, put))) => vec![put, call],
                (_, None) => vec![call],
            };
            self.build.completes(object, taker, &calls);
            if let Some((other, _)) = other {
                self.states[other] = State::Ready;
            }
            return;
        }
        let mut partners = vec![call];
        let mut woken = Vec::new();
        match op {
            Op::NotifyOne if !self.sleepers.is_empty() => {
                woken.push(self.sleepers.remove(self.sleepers.len() / 2));
                partners.push(woken[0].1);
            }
            Op::NotifyAll => woken = std::mem::take(&mut self.sleepers),
            _ => {}
        }
        let completion = self.build.completes(object, op, &partners);
        for (sleeper, _) in woken {
            self.pending[sleeper].push(completion);
            self.call(sleeper, Op::Lock, self.mutexes[0]);
        }
        match op {
            Op::Lock => self.holders[self.mutex(object)] = Some(thread),
            Op::Unlock => self.holders[self.mutex(object)] = None,
            Op::Acquire => self.permits -= 1,
            Op::Release => self.permits += 1,
            Op::Put => self.buffered += 1,
            Op::Take => self.buffered -= 1,
            Op::Wait => {
                self.call(thread, Op::Unlock, self.mutexes[0]);
                let State::Called(_, mutex, unlock) = self.states[thread] else {
                    unreachable!("it just called")
                };
                self.build.completes(mutex, Op::Unlock, &[unlock]);
                self.holders[0] = None;
                self.sleepers.push((thread, completion));
                self.states[thread] = State::Asleep;
            }
            _ => {}
        }
    }

    /// A thread that has ended drops its sender of each channel, receives what is left, and drops its receiver;
    /// `main` joins who has ended.
    fn drop_handle(&mut self, thread: usize, left: usize) {
        if left > 1 {
            let channel = left - 2;
            let drop = self.add(thread, Op::DropSender, Some(self.channels[channel]), Pick::None);
            self.dropped[channel].push(drop);
            if self.dropped[channel].len() == THREADS {
                let object = self.channels[channel];
                let disconnect = self.build.event(object, Op::Disconnect, Some(object), Pick::None);
                let drops = self.dropped[channel].clone();
                self.build.after(disconnect, &drops);
                self.disconnects[channel] = Some(disconnect);
            }
            self.states[thread] = State::Dropping(left - 1);
            return;
        }
        if left == 1 && thread < CHANNELS && self.can_receive(thread) {
            if self.queues[thread].is_empty() {
                self.states[thread] = State::Dropping(0);
            }
            return self.step(thread, Step::Receive);
        }
        if thread < CHANNELS {
            let drop = self.add(thread, Op::DropReceiver, Some(self.channels[thread]), Pick::None);
            self.receiver_gone[thread] = Some(drop);
        }
        self.states[thread] = State::Ended;
        if thread == 0 {
            for other in 1..THREADS {
                if self.states[other] == State::Ended {
                    let last = self.last(other);
                    self.pending[0].extend(last);
                    self.add(0, Op::Join, None, Pick::None);
                }
            }
        }
    }
}
