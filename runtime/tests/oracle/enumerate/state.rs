//! A state on the way through an interleaving: where each thread is, what is in each object, what has happened.

use super::super::program::{Object, Threads};
use super::clocks::Clocks;
use super::history::At;

/// A state; equal encodings, equal futures.
#[derive(Clone)]
pub(super) struct State {
    pub(super) threads: Vec<ThreadState>,
    pub(super) objects: Vec<ObjectState>,
    /// What each mutex or monitor protects.
    pub(super) numbers: Vec<u8>,
    /// The events of each process, see [`super::history::Histories`].
    pub(super) histories: Vec<u32>,
    pub(super) clocks: Option<Clocks>,
}

/// Where in its operation a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Not spawned yet.
    Unborn,
    /// About to do its operation, or blocked in it.
    Ready,
    /// Its put on a rendezvous is open.
    Putting,
    /// It waits on a condition variable and has the mutex still to give back.
    Unlocking,
    /// It waits on a condition variable, or was woken and needs the mutex.
    Sleeping,
    /// Its call to an entry has no reply yet.
    Calling,
    /// It waits on a condition of a monitor.
    OnCondition,
    /// It was signalled and enters its monitor again.
    Reentering,
    /// It has signalled and waits for its monitor.
    Urgent,
    Finished,
}

/// The state of a thread.
#[derive(Clone, Copy)]
pub(super) struct ThreadState {
    pub(super) pc: u8,
    pub(super) phase: Phase,
    pub(super) last: Option<u8>,
    /// What it has asked of an entry, while it is calling.
    pub(super) request: u8,
    /// The callers whose calls it has accepted and not replied to.
    pub(super) kept: Kept,
    /// The notify that woke it from a condition variable.
    pub(super) woken_by: Option<At>,
}

impl ThreadState {
    pub(super) fn new() -> ThreadState {
        let kept = Kept { callers: [u8::MAX; 8], len: 0 };
        ThreadState { pc: 0, phase: Phase::Unborn, last: None, request: 0, kept, woken_by: None }
    }
}

/// A stack of callers.
#[derive(Clone, Copy)]
pub(super) struct Kept {
    callers: [u8; 8],
    len: u8,
}

impl Kept {
    pub(super) fn latest(&self) -> Option<usize> {
        (self.len > 0).then(|| usize::from(self.callers[usize::from(self.len) - 1]))
    }

    pub(super) fn push(&mut self, caller: u8) {
        self.callers[usize::from(self.len)] = caller;
        self.len += 1;
    }

    pub(super) fn pop(&mut self) {
        self.len -= 1;
        self.callers[usize::from(self.len)] = u8::MAX;
    }
}

/// A message or a call that has not been taken.
#[derive(Clone, Copy)]
pub(super) struct Message {
    pub(super) at: At,
    pub(super) value: u8,
}

/// The state of an object.
#[derive(Clone)]
pub(super) enum ObjectState {
    /// Also an entry. Messages in the order they came; the drop of the receiver.
    Port {
        messages: Vec<Message>,
        senders: Threads,
        dropped: Option<At>,
    },
    Buffer {
        values: Vec<u8>,
        senders: Threads,
        dropped: bool,
    },
    /// A mutex or a reentrant lock.
    Lock {
        owner: Option<u8>,
        depth: u8,
    },
    /// Waiters not woken: thread, and index of the wait's completion.
    Condvar {
        waiters: Vec<(u8, u8)>,
    },
    Semaphore {
        value: u8,
    },
    /// Threads waiting on each condition, and signallers waiting.
    Monitor {
        owner: Option<u8>,
        conditions: Vec<Vec<u8>>,
        urgent: Vec<u8>,
    },
}

impl ObjectState {
    pub(super) fn new(object: &Object) -> ObjectState {
        match *object {
            Object::Port { senders, .. } | Object::Entry { senders, .. } => {
                ObjectState::Port { messages: Vec::new(), senders, dropped: None }
            }
            Object::Buffer { senders, .. } => {
                ObjectState::Buffer { values: Vec::new(), senders, dropped: false }
            }
            Object::Mutex | Object::Reentrant => ObjectState::Lock { owner: None, depth: 0 },
            Object::Condvar { .. } => ObjectState::Condvar { waiters: Vec::new() },
            Object::Semaphore { permits, .. } => ObjectState::Semaphore { value: permits },
            Object::Monitor { conditions, .. } => ObjectState::Monitor {
                owner: None,
                conditions: vec![Vec::new(); conditions],
                urgent: Vec::new(),
            },
        }
    }
}

impl State {
    /// The sending handles that are left.
    pub(super) fn senders(&self, o: usize) -> Threads {
        match &self.objects[o] {
            ObjectState::Port { senders, .. } | ObjectState::Buffer { senders, .. } => *senders,
            _ => 0,
        }
    }

    pub(super) fn senders_mut(&mut self, o: usize) -> &mut Threads {
        match &mut self.objects[o] {
            ObjectState::Port { senders, .. } | ObjectState::Buffer { senders, .. } => senders,
            _ => unreachable!("it has handles"),
        }
    }

    pub(super) fn has_sender(&self, t: usize, o: usize) -> bool {
        self.senders(o) >> t & 1 == 1
    }

    /// Whether the receiving handle has not been dropped.
    pub(super) fn has_receiver(&self, o: usize) -> bool {
        match &self.objects[o] {
            ObjectState::Port { dropped, .. } => dropped.is_none(),
            ObjectState::Buffer { dropped, .. } => !dropped,
            _ => false,
        }
    }

    /// Whether the thread holds the lock or is inside the monitor.
    pub(super) fn owns(&self, t: usize, o: usize) -> bool {
        match &self.objects[o] {
            ObjectState::Lock { owner, .. } | ObjectState::Monitor { owner, .. } => *owner == Some(t as u8),
            _ => false,
        }
    }

    /// Whether the thread waits on the condition variable and has not been woken.
    pub(super) fn is_waiting(&self, t: usize, o: usize) -> bool {
        match &self.objects[o] {
            ObjectState::Condvar { waiters } => waiters.iter().any(|(waiter, _)| usize::from(*waiter) == t),
            _ => false,
        }
    }

    /// All that matters for the future, as bytes.
    pub(super) fn encode(&self) -> Vec<u8> {
        let mut code = Vec::with_capacity(128);
        for history in &self.histories {
            code.extend_from_slice(&history.to_le_bytes()[..3]);
        }
        for thread in &self.threads {
            let [has, last] = thread.last.map_or([0, 0], |last| [1, last]);
            code.extend_from_slice(&[
                thread.pc,
                thread.phase as u8,
                has,
                last,
                thread.request,
                thread.kept.len,
            ]);
            code.extend_from_slice(&thread.kept.callers[..usize::from(thread.kept.len)]);
        }
        code.extend_from_slice(&self.numbers);
        for object in &self.objects {
            object.encode(&mut code);
        }
        code
    }
}

impl ObjectState {
    fn encode(&self, code: &mut Vec<u8>) {
        let owned = |owner: &Option<u8>| owner.unwrap_or(u8::MAX);
        match self {
            ObjectState::Port { messages, senders, dropped } => {
                code.extend_from_slice(&[*senders, u8::from(dropped.is_some()), messages.len() as u8]);
                for message in messages {
                    code.extend_from_slice(&[message.at.process, message.at.index, message.value]);
                }
            }
            ObjectState::Buffer { values, senders, dropped } => {
                code.extend_from_slice(&[*senders, u8::from(*dropped), values.len() as u8]);
                code.extend_from_slice(values);
            }
            ObjectState::Lock { owner, depth } => code.extend_from_slice(&[owned(owner), *depth]),
            ObjectState::Condvar { waiters } => {
                code.push(waiters.len() as u8);
                for (thread, index) in waiters {
                    code.extend_from_slice(&[*thread, *index]);
                }
            }
            ObjectState::Semaphore { value } => code.push(*value),
            ObjectState::Monitor { owner, conditions, urgent } => {
                code.push(owned(owner));
                for waiting in conditions.iter().chain([urgent]) {
                    code.push(waiting.len() as u8);
                    code.extend_from_slice(waiting);
                }
            }
        }
    }
}
