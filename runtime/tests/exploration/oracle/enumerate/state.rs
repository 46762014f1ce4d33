//! A state on the way through an interleaving: where each thread is, what is in each object, what has happened.

use super::super::program::{Holder, Object, POISONED, Program, Threads};
use super::clocks::Clocks;
use super::few::Few;
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
    /// The events of the last steps, in order; they do not matter for the future.
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
    /// Its call is open, and a completion has picked the call and left it waiting.
    Called,
    /// It waits on a condition variable and has not released the mutex yet.
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
    /// It has seen that the closure has not run, and wants to run it.
    Beginning,
    /// It has begun to run the closure.
    Doing,
    /// It has run the closure, but not recorded that yet.
    Completing,
    /// It has seen that the closure has not run, and waits until it has; or it has given up its handle of a wait group.
    Awaiting,
    /// It has got the answer to its call, or its monitor, and is about to go on; only where every order counts.
    GoingOn,
    /// It has accepted a call and is about to reply; only where every order counts.
    Replying,
    /// It has read an atomic that it updates.
    Updating,
    /// It has taken a lock in the middle of a panic, and is about to give it back.
    Unwinding,
    /// It has done everything, but its end has not been observed yet.
    Ending,
    Finished,
}

/// The state of a thread.
#[derive(Clone, Copy)]
pub(super) struct ThreadState {
    pub(super) pc: u8,
    pub(super) phase: Phase,
    pub(super) last: Option<u8>,
    /// Its request to an entry, while it is calling; what it has read, while it is updating.
    pub(super) request: u8,
    /// The callers whose calls it has accepted and not replied to.
    pub(super) kept: Few,
    /// The channels of which it has to drop a sending handle before it goes on, or (with [`RECEIVER`]) the receiving one;
    /// and (with [`LEAVING`]) those of which it has dropped a handle that has not been counted yet.
    pub(super) dying: Few,
    /// The index of the event that is its first open call, in [`Phase::Called`] and while it waits with a timeout.
    pub(super) called: u8,
    /// The notify that woke it from a condition variable.
    pub(super) woken_by: Option<At>,
    /// Its wait on a condition variable has ended without a notify.
    pub(super) expired: bool,
    /// How often it has woken spuriously.
    pub(super) woke_early: u8,
    /// How often an update of it has failed spuriously. (The events determine this.)
    pub(super) failed_early: u8,
    /// It has panicked.
    pub(super) panicked: bool,
    /// Since when it has been waiting with a timeout for a condition, and for how long it still does. (The events determine
    /// this.)
    pub(super) since: Option<u32>,
    pub(super) left: u32,
}

/// How often a thread may wake spuriously.
pub(super) const EARLY_WAKINGS: u8 = 2;

/// How often the updates of a thread may fail spuriously.
pub(super) const EARLY_FAILURES: u8 = 2;

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
            failed_early: 0,
            panicked: false,
            since: None,
            left: 0,
        }
    }
}

/// Set in a channel's number when it is about a handle that has been dropped.
pub(super) const LEAVING: u8 = 0x80;

/// Set in a channel's number when it is about the receiving handle.
pub(super) const RECEIVER: u8 = 0x40;

/// What a message is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Payload {
    Number(u8),
    /// A sending handle of this channel.
    Handle(u8),
    /// The receiving handle of this channel.
    Receiver(u8),
    Time,
}

impl Payload {
    /// What has to be dropped with it.
    pub(super) fn dies(self) -> Option<u8> {
        match self {
            Payload::Handle(x) => Some(x),
            Payload::Receiver(x) => Some(RECEIVER | x),
            Payload::Number(_) | Payload::Time => None,
        }
    }
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
    /// How many more than one each of them has.
    pub(super) clones: [u8; 8],
    /// How many sending handles there are, including those inside channels and behind pointers.
    pub(super) handles: u8,
    /// How many handles of either side are left, as far as they have been counted.
    pub(super) owners: u8,
    /// The threads that have a receiving handle. While the only one lies in a mutex, that is thread 0.
    pub(super) receivers: Threads,
    /// What a send that fails picks: no receiver is left.
    pub(super) gone: Option<At>,
    /// The latest receive, while it is a port.
    pub(super) last_receive: Option<At>,
    /// Timer: a thread has observed that it has fired, and no thread has taken its message.
    pub(super) has_fired: bool,
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
    /// How often each thread holds it for reading; whether a writer that waits keeps others from that.
    RwLock {
        writer: Option<u8>,
        readers: [u8; 8],
        queue: Queue,
    },
    Barrier,
    /// How many handles each thread has.
    WaitGroup {
        handles: [u8; 8],
    },
    /// The thread that runs it; the completion that finished it; the value that was set.
    Once {
        running: Option<u8>,
        done: Option<At>,
        value: u8,
        /// The thread that ran it last has panicked.
        poisoned: bool,
    },
    /// How many pointers each thread has, and how many weak ones.
    Arc {
        strong: [u8; 8],
        weak: [u8; 8],
    },
}

/// The threads that are known to wait for an rwlock that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Queue {
    Nobody,
    /// A writer: while any thread reads, no other starts to.
    Writer,
    /// A writer and a reader: no thread starts to read before a thread has written.
    WriterAndReader,
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
                clones: [0; 8],
                handles: program.sending_handles(o),
                owners: program.sending_handles(o) + object.receivers().count_ones() as u8,
                receivers: match object.receiver() {
                    Some(Holder::Thread(t)) => 1 << t,
                    Some(Holder::Under(_)) => 1,
                    None => object.receivers(),
                },
                gone: None,
                last_receive: None,
                has_fired: false,
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
            Object::RwLock => ObjectState::RwLock { writer: None, readers: [0; 8], queue: Queue::Nobody },
            Object::Barrier { .. } => ObjectState::Barrier,
            Object::WaitGroup { holders } => {
                ObjectState::WaitGroup { handles: std::array::from_fn(|t| holders >> t & 1) }
            }
            Object::Once { .. } => ObjectState::Once { running: None, done: None, value: 0, poisoned: false },
            Object::Arc { holders, weak, .. } => ObjectState::Arc {
                strong: std::array::from_fn(|t| holders >> t & 1),
                weak: std::array::from_fn(|t| weak >> t & 1),
            },
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

    /// The thread has one sending handle fewer: the one that it got last.
    pub(super) fn give_sender(&mut self, t: usize, o: usize) {
        let channel = self.channel_mut(o);
        if channel.clones[t] > 0 {
            channel.clones[t] -= 1;
        } else {
            channel.senders &= !(1 << t);
        }
    }

    /// The thread gives away what it sends.
    pub(super) fn give(&mut self, t: usize, payload: Payload) {
        match payload {
            Payload::Handle(x) => self.give_sender(t, usize::from(x)),
            Payload::Receiver(x) => self.channel_mut(usize::from(x)).receivers = 0,
            Payload::Number(_) | Payload::Time => {}
        }
    }

    /// Whether the thread has a receiving handle.
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

    /// The thread has taken a lock, and learns whether it is poisoned.
    pub(super) fn hear_of_poison(&mut self, t: usize, o: usize) {
        if self.is_poisoned(o) {
            self.threads[t].last = Some(1);
        }
    }

    pub(super) fn is_poisoned(&self, o: usize) -> bool {
        self.poisoned >> o & 1 == 1
    }

    /// The last value of a thread that has tried to take a lock.
    pub(super) fn tried(&self, o: usize, succeeds: bool) -> u8 {
        if succeeds && self.is_poisoned(o) { POISONED } else { u8::from(succeeds) }
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

    /// How many counted pointers the thread has, and how many weak ones.
    pub(super) fn pointers(&self, t: usize, o: usize) -> (u8, u8) {
        match &self.objects[o] {
            ObjectState::Arc { strong, weak } => (strong[t], weak[t]),
            _ => (0, 0),
        }
    }
}
