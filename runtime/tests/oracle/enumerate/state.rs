//! A state on the way through an interleaving: where each thread is, what is in each object, what has happened.

use super::super::program::{Object, Program, Threads};
use super::clocks::Clocks;
use super::history::At;

/// A state; equal encodings, equal futures.
#[derive(Clone)]
pub(super) struct State {
    pub(super) threads: Vec<ThreadState>,
    pub(super) objects: Vec<ObjectState>,
    /// What each mutex, rwlock or monitor protects.
    pub(super) numbers: Vec<u8>,
    /// The threads that have been unparked and have not parked since.
    pub(super) tokens: Threads,
    /// The locks that are poisoned.
    pub(super) poisoned: u16,
    /// The threads that have been joined.
    pub(super) joined: Threads,
    /// The events of each process, see [`super::history::Histories`].
    pub(super) histories: Vec<u32>,
    /// The events of the last steps, in order; of no matter for the future.
    pub(super) latest: Vec<At>,
    pub(super) clocks: Option<Clocks>,
}

/// Where in its operation a thread is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// Not spawned yet.
    Unborn,
    /// About to do its operation, or blocked in it.
    Ready,
    /// Its call is open, and some completion has picked it that left it waiting.
    Called,
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
    /// It has seen that it is not done, and wants to do it.
    Beginning,
    /// It has begun to do what is done once.
    Doing,
    /// It has done it, but for saying so.
    Completing,
    /// It has seen that it is not done, and waits until it is.
    Awaiting,
    /// It has got the answer to its call, or its monitor, and is about to go on; only where every order counts.
    GoingOn,
    /// It has accepted a call and is about to reply; only where every order counts.
    Replying,
    /// It has read an atomic that it updates.
    Updating,
    /// It has taken a lock in the middle of a panic, and is about to give it back.
    Unwinding,
    /// It has done everything, but its end is still to be seen.
    Ending,
    Finished,
}

/// The state of a thread.
#[derive(Clone, Copy)]
pub(super) struct ThreadState {
    pub(super) pc: u8,
    pub(super) phase: Phase,
    pub(super) last: Option<u8>,
    /// What it has asked of an entry, while it is calling; what it has read, while it is updating.
    pub(super) request: u8,
    /// The callers whose calls it has accepted and not replied to.
    pub(super) kept: Few,
    /// The channels of which it has to drop a sending handle before it goes on, and (above [`LEAVING`]) those of which it
    /// has dropped a handle, but is still to be counted.
    pub(super) dying: Few,
    /// The index of the event that is its first open call, in [`Phase::Called`] and while it waits with a timeout.
    pub(super) called: u8,
    /// The notify that woke it from a condition variable.
    pub(super) woken_by: Option<At>,
    /// Its wait on a condition variable is over without a notify.
    pub(super) expired: bool,
    /// How often it has woken for no reason.
    pub(super) woke_early: u8,
}

/// How often a thread may wake for no reason.
pub(super) const EARLY_WAKINGS: u8 = 2;

impl ThreadState {
    pub(super) fn new() -> ThreadState {
        ThreadState {
            pc: 0,
            phase: Phase::Unborn,
            last: None,
            request: 0,
            kept: Few::NONE,
            dying: Few::NONE,
            called: 0,
            woken_by: None,
            expired: false,
            woke_early: 0,
        }
    }
}

/// Set in a channel's number when it is about a handle that has been dropped.
pub(super) const LEAVING: u8 = 0x80;

/// A few small numbers, in order.
#[derive(Clone, Copy)]
pub(super) struct Few {
    items: [u8; 8],
    len: u8,
}

impl Few {
    const NONE: Few = Few { items: [u8::MAX; 8], len: 0 };

    fn items(&self) -> &[u8] {
        &self.items[..usize::from(self.len)]
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn first(&self) -> Option<u8> {
        self.items().first().copied()
    }

    pub(super) fn latest(&self) -> Option<usize> {
        self.items().last().copied().map(usize::from)
    }

    pub(super) fn push(&mut self, item: u8) {
        self.items[usize::from(self.len)] = item;
        self.len += 1;
    }

    pub(super) fn pop(&mut self) {
        self.len -= 1;
        self.items[usize::from(self.len)] = u8::MAX;
    }

    pub(super) fn push_first(&mut self, item: u8) {
        assert!(usize::from(self.len) < self.items.len(), "few enough");
        self.items.rotate_right(1);
        self.items[0] = item;
        self.len += 1;
    }

    pub(super) fn pop_first(&mut self) {
        self.items.rotate_left(1);
        self.len -= 1;
        self.items[usize::from(self.len)..].fill(u8::MAX);
    }

    fn encode(&self, code: &mut Vec<u8>) {
        code.push(self.len);
        code.extend_from_slice(self.items());
    }
}

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Payload {
    Number(u8),
    /// A sending handle of this channel.
    Handle(u8),
    Time,
}

/// A message or a call that has not been taken.
#[derive(Clone, Copy)]
pub(super) struct Message {
    /// What sent it.
    pub(super) at: At,
    pub(super) payload: Payload,
}

/// The state of a channel of any kind, of a timer, or of an entry.
#[derive(Clone)]
pub(super) struct Channel {
    /// In the order they came.
    pub(super) messages: Vec<Message>,
    /// The threads that have a sending handle.
    pub(super) senders: Threads,
    /// How many sending handles there are, be they inside channels or behind pointers.
    pub(super) handles: u8,
    /// How many handles of either side are left, as far as they have been counted.
    pub(super) owners: u8,
    /// The threads that have a receiving handle; of a channel with only one, wherever it is, thread 0.
    pub(super) receivers: Threads,
    /// What a send that fails picks: no receiver is left.
    pub(super) gone: Option<At>,
    /// The latest receive, while it is a port.
    pub(super) last_receive: Option<At>,
}

/// The state of an object.
#[derive(Clone)]
pub(super) enum ObjectState {
    Channel(Channel),
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
    /// The value and the completion that wrote it.
    Atomic {
        value: u8,
        written: Option<At>,
    },
    /// How often each thread holds it for reading; whether readers have to wait for a writer.
    RwLock {
        writer: Option<u8>,
        readers: [u8; 8],
        announced: bool,
    },
    Barrier,
    /// Who is at it; the completion that finished it; the value that was set.
    Once {
        running: Option<u8>,
        done: Option<At>,
        value: u8,
    },
    /// How many pointers each thread has, and who has a weak one.
    Arc {
        strong: [u8; 8],
        weak: Threads,
    },
}

impl ObjectState {
    pub(super) fn new(program: &Program, o: usize) -> ObjectState {
        match program.objects[o] {
            object @ (Object::Port { .. }
            | Object::Entry { .. }
            | Object::Buffer { .. }
            | Object::Flow { .. }
            | Object::Timer { .. }) => ObjectState::Channel(Channel {
                messages: Vec::new(),
                senders: object.senders(),
                handles: program.sending_handles(o),
                owners: program.sending_handles(o) + object.receivers().count_ones() as u8,
                receivers: if object.receiver().is_some() { 1 } else { object.receivers() },
                gone: None,
                last_receive: None,
            }),
            Object::Mutex | Object::Reentrant => ObjectState::Lock { owner: None, depth: 0 },
            Object::Condvar { .. } => ObjectState::Condvar { waiters: Vec::new() },
            Object::Semaphore { permits, .. } => ObjectState::Semaphore { value: permits },
            Object::Monitor { conditions, .. } => ObjectState::Monitor {
                owner: None,
                conditions: vec![Vec::new(); conditions],
                urgent: Vec::new(),
            },
            Object::Atomic { initial } => ObjectState::Atomic { value: initial, written: None },
            Object::RwLock => ObjectState::RwLock { writer: None, readers: [0; 8], announced: false },
            Object::Barrier { .. } => ObjectState::Barrier,
            Object::Once { .. } => ObjectState::Once { running: None, done: None, value: 0 },
            Object::Arc { holders, weak, .. } => {
                ObjectState::Arc { strong: std::array::from_fn(|t| holders >> t & 1), weak }
            }
        }
    }
}

impl State {
    /// The state of a channel, timer or entry.
    pub(super) fn channel(&self, o: usize) -> &Channel {
        match &self.objects[o] {
            ObjectState::Channel(channel) => channel,
            _ => unreachable!("it is a channel"),
        }
    }

    pub(super) fn channel_mut(&mut self, o: usize) -> &mut Channel {
        match &mut self.objects[o] {
            ObjectState::Channel(channel) => channel,
            _ => unreachable!("it is a channel"),
        }
    }

    pub(super) fn has_sender(&self, t: usize, o: usize) -> bool {
        matches!(&self.objects[o], ObjectState::Channel(channel) if channel.senders >> t & 1 == 1)
    }

    /// Whether a receiving handle is left: the only one, or the thread's own of several.
    pub(super) fn has_receiver(&self, t: usize, o: usize) -> bool {
        matches!(&self.objects[o], ObjectState::Channel(channel) if channel.receivers >> t & 1 == 1)
    }

    /// Whether the thread holds the lock or is inside the monitor, so that it may change the number.
    pub(super) fn owns(&self, t: usize, o: usize) -> bool {
        match &self.objects[o] {
            ObjectState::Lock { owner, .. }
            | ObjectState::Monitor { owner, .. }
            | ObjectState::RwLock { writer: owner, .. } => *owner == Some(t as u8),
            _ => false,
        }
    }

    /// The thread has taken a lock, and is told if it is poisoned.
    pub(super) fn hear_of_poison(&mut self, t: usize, o: usize) {
        if self.poisoned >> o & 1 == 1 {
            self.threads[t].last = Some(1);
        }
    }

    /// Whether the thread holds the lock for reading.
    pub(super) fn reads(&self, t: usize, o: usize) -> bool {
        matches!(&self.objects[o], ObjectState::RwLock { readers, .. } if readers[t] > 0)
    }

    /// Whether the thread waits on the condition variable and has not been woken.
    pub(super) fn is_waiting(&self, t: usize, o: usize) -> bool {
        match &self.objects[o] {
            ObjectState::Condvar { waiters } => waiters.iter().any(|(waiter, _)| usize::from(*waiter) == t),
            _ => false,
        }
    }

    /// How many counted pointers the thread has, and whether it has a weak one.
    pub(super) fn pointers(&self, t: usize, o: usize) -> (u8, bool) {
        match &self.objects[o] {
            ObjectState::Arc { strong, weak } => (strong[t], weak >> t & 1 == 1),
            _ => (0, false),
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
            let expired = u8::from(thread.expired);
            code.extend_from_slice(&[thread.pc, thread.phase as u8, has, last, thread.request, expired]);
            thread.kept.encode(&mut code);
            thread.dying.encode(&mut code);
        }
        code.extend_from_slice(&[self.tokens, self.joined]);
        code.extend_from_slice(&self.poisoned.to_le_bytes());
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
            ObjectState::Channel(channel) => {
                let Channel { messages, senders, handles, owners, receivers, gone, .. } = channel;
                code.push(u8::from(gone.is_some()));
                code.extend_from_slice(&[*senders, *handles, *owners, *receivers, messages.len() as u8]);
                for Message { at, payload } in messages {
                    code.extend_from_slice(&[at.process, at.index]);
                    code.extend_from_slice(&match payload {
                        Payload::Number(number) => [0, *number],
                        Payload::Handle(o) => [1, *o],
                        Payload::Time => [2, 0],
                    });
                }
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
            // What wrote it is settled by the events.
            ObjectState::Atomic { value, .. } => code.push(*value),
            ObjectState::RwLock { writer, readers, announced } => {
                code.extend_from_slice(&[owned(writer), u8::from(*announced)]);
                code.extend_from_slice(readers);
            }
            ObjectState::Barrier => {}
            ObjectState::Once { running, done, value } => {
                code.extend_from_slice(&[owned(running), u8::from(done.is_some()), *value]);
            }
            ObjectState::Arc { strong, weak } => {
                code.extend_from_slice(strong);
                code.push(*weak);
            }
        }
    }
}
