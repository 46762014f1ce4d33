//! Small concurrent programs as data: what [`super::generate`] makes, [`super::enumerate`] enumerates and
//! [`super::interpret`] runs.
//!
//! Thread 0 is `main`. It makes all objects, in the order listed, and deals out their handles: each thread in
//! `senders` gets one sending handle, the `receiver` the receiving one. Then every thread runs its operations.
//!
//! An operation that its thread cannot do (it lacks the handle, does not hold the lock, is not inside the
//! monitor, has no call to reply to; or it holds the mutex already) is skipped without an event. So every list
//! of operations is a meaningful program that cannot panic, and lists can be cut at will.
//!
//! A thread keeps the last value it got: a message, a reply, 1 or 0 for a `try-lock` or `try-acquire` that succeeded or
//! failed; none after a disconnect, after finding nothing, and after a send or call that failed. Branches,
//! [`Guard`] and [`Value::LastPlus`] look at it. Every mutex and monitor protects a number, which starts at 0 and which
//! whoever is inside can load as its last value, or add to.
//!
//! When its operations are done, a thread (1) gives back its locks and leaves its monitors, in the order of the
//! objects, (2) drops the calls it has accepted and not replied to, the latest first, (3) goes through the
//! objects in order and drops its sending handle, then its receiving handle.

use std::fmt;

/// A program: objects and the threads that use them.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) objects: Vec<Object>,
    pub(crate) threads: Vec<Thread>,
    /// Whether `main` runs inside a scope and spawns into it.
    pub(crate) scoped: bool,
}

/// A thread of a program.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    /// Who spawns it, with an [`Op::Spawn`] that is always reached.
    pub(crate) parent: usize,
    pub(crate) ops: Vec<Op>,
}

/// A set of threads, one bit each.
pub(crate) type Threads = u8;

/// How an unbounded channel delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// An `mpsc::channel`.
    Channel,
    /// A port with mailbox delivery, that is, as a channel.
    Mailbox,
    Fifo,
    Causal,
    Bag,
}

/// Who has the receiving handle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    Thread(usize),
    /// It lies in this mutex: whoever holds the mutex can use it.
    Under(usize),
}

/// An object of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Object {
    Port {
        delivery: Delivery,
        senders: Threads,
        receiver: Holder,
    },
    /// A bounded channel; with capacity 0 a rendezvous.
    Buffer {
        capacity: usize,
        senders: Threads,
        receiver: Holder,
    },
    Entry {
        senders: Threads,
        receiver: Holder,
    },
    Mutex,
    Reentrant,
    Condvar {
        mutex: usize,
    },
    Semaphore {
        permits: u8,
        binary: bool,
    },
    Monitor {
        urgent: bool,
        conditions: usize,
    },
}

impl Object {
    /// The word for its kind in ids.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Object::Port { delivery: Delivery::Channel, .. } => "channel",
            Object::Port { .. } => "port",
            Object::Buffer { capacity: 0, .. } => "rendezvous",
            Object::Buffer { .. } => "bounded",
            Object::Entry { .. } => "entry",
            Object::Mutex => "mutex",
            Object::Reentrant => "reentrant",
            Object::Condvar { .. } => "condvar",
            Object::Semaphore { .. } => "semaphore",
            Object::Monitor { .. } => "monitor",
        }
    }

    /// Who has a sending handle.
    pub(crate) fn senders(self) -> Threads {
        match self {
            Object::Port { senders, .. } | Object::Buffer { senders, .. } | Object::Entry { senders, .. } => {
                senders
            }
            _ => 0,
        }
    }

    /// Who has the receiving handle.
    pub(crate) fn receiver(self) -> Option<Holder> {
        match self {
            Object::Port { receiver, .. }
            | Object::Buffer { receiver, .. }
            | Object::Entry { receiver, .. } => Some(receiver),
            _ => None,
        }
    }
}

/// What is sent.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value {
    Just(u8),
    /// The last value (0 if none) plus this.
    LastPlus(u8),
}

impl Value {
    /// The value, for a thread whose last one is given.
    pub(crate) fn of(self, last: Option<u8>) -> u8 {
        match self {
            Value::Just(value) => value,
            Value::LastPlus(more) => last.unwrap_or(0).wrapping_add(more),
        }
    }
}

/// The value replied to a request.
pub(crate) fn reply_to(request: u8) -> u8 {
    request.wrapping_add(1)
}

/// The value replied by `accept_and_reply`, which is settled before the request is known.
pub(crate) const EARLY_REPLY: u8 = 3;

/// Whether a value steers a branch: odd, and there.
pub(crate) fn is_odd(last: Option<u8>) -> bool {
    last.is_some_and(|value| value % 2 == 1)
}

/// Where a thread at an operation that only steers it goes on; none if the operation does more.
pub(crate) fn steer(op: &Op, pc: usize, last: Option<u8>) -> Option<usize> {
    match op {
        Op::UnlessOdd(n) => Some(pc + 1 + if is_odd(last) { 0 } else { *n }),
        Op::UnlessIs(value, n) => Some(pc + 1 + if last == Some(*value) { 0 } else { *n }),
        Op::Back(n) => Some(pc - n),
        _ => None,
    }
}

/// When an arm of a select is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Guard {
    Always,
    /// The last value is odd.
    Odd,
    /// The last value is even, or there is none.
    NotOdd,
    /// There is a last value, and it is below this.
    Below(u8),
    /// There is a last value, and it is above this.
    Above(u8),
}

impl Guard {
    /// Whether the arm is open for a thread whose last value is given.
    pub(crate) fn holds(self, last: Option<u8>) -> bool {
        match self {
            Guard::Always => true,
            Guard::Odd => is_odd(last),
            Guard::NotOdd => !is_odd(last),
            Guard::Below(bound) => last.is_some_and(|value| value < bound),
            Guard::Above(bound) => last.is_some_and(|value| value > bound),
        }
    }
}

/// What a select does besides its arms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Otherwise {
    Wait,
    Default,
    Timeout,
}

/// A select over ports and entries of one thread.
#[derive(Clone, Debug)]
pub(crate) struct Select {
    /// Up to three objects with their guards.
    pub(crate) arms: Vec<(usize, Guard)>,
    pub(crate) otherwise: Otherwise,
}

/// An operation of a thread. Numbers are indices of objects, but for threads in `Spawn` and `Join`, and conditions
/// (the second number) of monitors.
#[derive(Clone, Debug)]
pub(crate) enum Op {
    Spawn(usize),
    Join(usize),
    /// On ports and buffers, as the next five.
    Send(usize, Value),
    Recv(usize),
    TryRecv(usize),
    /// Receives until disconnected.
    Drain(usize),
    /// Also drops a caller.
    DropSender(usize),
    /// Also drops an entry.
    DropReceiver(usize),
    /// On mutexes and reentrant locks, as the next two.
    Lock(usize),
    TryLock(usize),
    Unlock(usize),
    Wait(usize),
    NotifyOne(usize),
    NotifyAll(usize),
    Acquire(usize),
    TryAcquire(usize),
    Release(usize),
    Call(usize, Value),
    /// Accepts a call and keeps it.
    Accept(usize),
    AcceptReply(usize),
    /// Accepts and replies until closed.
    Serve(usize),
    /// Replies to the call kept last.
    Reply,
    /// Drops the call kept last.
    DropCall,
    /// A call that was taken is kept.
    Select(Select),
    Enter(usize),
    Exit(usize),
    MonitorWait(usize, usize),
    Signal(usize, usize),
    SignalAll(usize, usize),
    /// Makes this the last value.
    Remember(u8),
    /// Makes the number under a mutex or monitor the last value.
    Load(usize),
    /// Adds to the number under a mutex or monitor, wrapping.
    Add(usize, Value),
    /// Skips the next operations, this many, when the last value is even or none.
    UnlessOdd(usize),
    /// Skips the next operations (the second number) when the last value is not this.
    UnlessIs(u8, usize),
    /// Goes back by so many operations. Never generated, as loops are to end.
    Back(usize),
}

impl Program {
    /// Whether the parts fit together in the ways that skipping operations cannot mend.
    pub(crate) fn is_well_formed(&self) -> bool {
        let spawned = (1..self.threads.len()).all(|child| {
            let parent = self.threads[child].parent;
            let spawns = |thread: &Thread| {
                thread.ops.iter().filter(|op| matches!(op, Op::Spawn(c) if *c == child)).count()
            };
            parent < child
                && self.threads.iter().map(spawns).sum::<usize>() == 1
                && self.always_does(parent, |op| matches!(op, Op::Spawn(c) if *c == child)).is_some()
        });
        let dealt = self.objects.iter().all(|object| {
            object.receiver().is_none()
                || object.senders() != 0 && usize::from(object.senders()) >> self.threads.len() == 0
        });
        spawned && dealt && self.joins_suffice() && self.threads[0].parent == 0
    }

    /// What a scope waits for at its end, and who drops the last reference to a receiver under a mutex, must not
    /// be left open: all threads are joined then, and `main` ends such receivers after that.
    fn joins_suffice(&self) -> bool {
        let under = |object: &Object| matches!(object.receiver(), Some(Holder::Under(_)));
        if !self.scoped && !self.objects.iter().any(under) {
            return true;
        }
        let mut last_join = 0;
        for child in 1..self.threads.len() {
            let parent = self.threads[child].parent;
            let Some(at) = self.always_does(parent, |op| matches!(op, Op::Join(c) if *c == child)) else {
                return false;
            };
            if parent == 0 {
                last_join = last_join.max(at);
            }
        }
        let ops = &self.threads[0].ops;
        !ops[last_join..].iter().any(|op| matches!(op, Op::UnlessOdd(_) | Op::UnlessIs(..)))
            && self.objects.iter().enumerate().all(|(o, object)| match object.receiver() {
                Some(Holder::Under(mutex)) => {
                    let ends = ops.iter().rposition(|op| matches!(op, Op::DropReceiver(r) if *r == o));
                    ends.is_some_and(|at| {
                        let before = ops[..at].iter().rposition(|op| !matches!(op, Op::DropReceiver(_)));
                        before.is_some_and(|b| b > last_join && matches!(ops[b], Op::Lock(m) if m == mutex))
                    })
                }
                _ => true,
            })
    }

    /// Where the thread has the last such operation that no branch can skip.
    fn always_does(&self, thread: usize, is: impl Fn(&Op) -> bool) -> Option<usize> {
        let mut skippable = 0;
        let mut found = None;
        for (at, op) in self.threads[thread].ops.iter().enumerate() {
            if skippable == 0 && is(op) {
                found = Some(at);
            }
            skippable = skippable.max(1) - 1;
            if let Op::UnlessOdd(n) | Op::UnlessIs(_, n) = op {
                skippable = skippable.max(*n);
            }
        }
        found
    }

    /// The ids of threads and objects, as processes of a sequence: threads first, then objects, then for each object
    /// the process that disconnects it, if that is not itself.
    pub(crate) fn process_ids(&self) -> Vec<String> {
        let mut ids = vec![String::from("main")];
        for child in 1..self.threads.len() {
            let parent = self.threads[child].parent;
            let nth = self.threads[parent]
                .ops
                .iter()
                .filter(|op| matches!(op, Op::Spawn(_)))
                .position(|op| matches!(op, Op::Spawn(c) if *c == child))
                .expect("every thread is spawned");
            ids.push(format!("{}/thread{}", ids[parent], nth + 1));
        }
        for (o, object) in self.objects.iter().enumerate() {
            let nth = self.objects[..o].iter().filter(|other| other.word() == object.word()).count();
            ids.push(format!("main/{}{}", object.word(), nth + 1));
        }
        for o in 0..self.objects.len() {
            ids.push(format!("{}/end", ids[self.threads.len() + o]));
        }
        ids
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.process_ids();
        for (o, object) in self.objects.iter().enumerate() {
            writeln!(f, "  [{o}] {} = {object:?}", ids[self.threads.len() + o])?;
        }
        for (t, thread) in self.threads.iter().enumerate() {
            let scope = if t == 0 && self.scoped { " (scope)" } else { "" };
            writeln!(f, "  thread {t} {}{scope}:", ids[t])?;
            for op in &thread.ops {
                writeln!(f, "      {op:?}")?;
            }
        }
        Ok(())
    }
}
