//! The SYN-sequence: for each process its events in order, and for each receiving event its partner.
//!
//! A *process* is a thread or a synchronization object. Threads perform sending events (a send, a call) and
//! receives; objects perform completions. Two executions are the same behaviour exactly when their sequences
//! are [`Sequence::same_behaviour`]; source locations are carried along but do not count.

use std::fmt;

/// What one execution did, in canonical form: processes sorted by id, so that equal behaviours are equal values
/// whatever order the execution happened to take.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sequence {
    /// Threads and objects, sorted by [`Process::id`].
    pub processes: Vec<Process>,
}

/// A thread or a synchronization object, with its events.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Process {
    /// Who made it and as which of its kind: `main`, `main/thread2`, `main/thread2/mutex1`. Unique.
    pub id: String,
    /// What it is.
    pub kind: Kind,
    /// The name the program gave it. Names need not be unique.
    pub name: Option<String>,
    /// Its events, in order.
    pub events: Vec<Event>,
}

/// The kinds of process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A thread.
    Thread,
    /// An unbounded channel; its only event of its own is the disconnect.
    Channel,
    /// A bounded channel; puts and takes complete in an order on it.
    Bounded,
    /// A channel of capacity zero; its completions pair a send with a receive.
    Rendezvous,
    /// A port with a declared delivery.
    Port,
    /// An entry of a server.
    Entry,
    /// A mutex.
    Mutex,
    /// A condition variable.
    Condvar,
    /// A counting or binary semaphore.
    Semaphore,
    /// A lock that its owner may take again.
    ReentrantLock,
    /// A monitor, signal-and-continue or signal-and-urgent-wait.
    Monitor,
}

impl Kind {
    /// Every kind, in the order of their declaration.
    pub const ALL: [Kind; 11] = [
        Kind::Thread,
        Kind::Channel,
        Kind::Bounded,
        Kind::Rendezvous,
        Kind::Port,
        Kind::Entry,
        Kind::Mutex,
        Kind::Condvar,
        Kind::Semaphore,
        Kind::ReentrantLock,
        Kind::Monitor,
    ];

    /// The word that stands for the kind in ids and files.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Thread => "thread",
            Kind::Channel => "channel",
            Kind::Bounded => "bounded",
            Kind::Rendezvous => "rendezvous",
            Kind::Port => "port",
            Kind::Entry => "entry",
            Kind::Mutex => "mutex",
            Kind::Condvar => "condvar",
            Kind::Semaphore => "semaphore",
            Kind::ReentrantLock => "reentrant",
            Kind::Monitor => "monitor",
        }
    }

    /// Whether this operation of a thread on such an object is a call that the object completes. A call without
    /// completion is a thread that is blocked; any other operation is over as soon as the thread has done it.
    pub fn completes(self, op: Op) -> bool {
        match self {
            Kind::Thread | Kind::Channel | Kind::Port | Kind::Entry => false,
            Kind::Bounded | Kind::Rendezvous => {
                matches!(op, Op::Put | Op::Take | Op::TryTake | Op::DropReceiver)
            }
            Kind::Mutex | Kind::ReentrantLock => matches!(op, Op::Lock | Op::TryLock | Op::Unlock),
            Kind::Semaphore => matches!(op, Op::Acquire | Op::TryAcquire | Op::Release),
            Kind::Condvar => matches!(op, Op::Wait | Op::NotifyOne | Op::NotifyAll),
            Kind::Monitor => matches!(op, Op::Enter | Op::Reenter),
        }
    }
}

/// One event of a process.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// What happened.
    pub op: Op,
    /// The object it happened on; none for a thread's own affairs ([`Op::Join`]).
    /// On a completion, the object itself.
    pub object: Option<usize>,
    /// Which partner a receiving event took; [`Pick::None`] for every other event.
    pub pick: Pick,
    /// Events of other processes that come before this one without having been picked: the thread that was
    /// joined or that spawned this one, the reply that ended a call, the drops behind a disconnect. Sorted.
    pub after: Vec<EventRef>,
    /// Where in the source it happened.
    pub location: Option<Location>,
}

/// Names an event: the `index`-th (from 0) of `process` (an index into [`Sequence::processes`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EventRef {
    /// Index of the process.
    pub process: usize,
    /// Index of the event in the process.
    pub index: usize,
}

/// What a receiving event took.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Pick {
    /// The event is not a receiving event.
    None,
    /// Nothing was there: empty, timed out, or (for a send) the receiver was still alive.
    Nothing,
    /// These sending events: one, or a pair, or (a select that saw all its arms closed) several.
    Partners(Vec<EventRef>),
}

/// A place in the source of the program under test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Location {
    /// Path as the compiler saw it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// Declares [`Op`] together with the words used in files.
macro_rules! ops {
    ($($(#[$doc:meta])* $name:ident = $word:literal,)*) => {
        /// What an event does. On a thread: a send, a receive, a call to an object; on an object: the completion
        /// of a call of the same name.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Op { $($(#[$doc])* $name,)* }

        impl Op {
            /// Every operation, in the order of their declaration.
            pub const ALL: &[Op] = &[$(Op::$name,)*];

            /// The word that stands for the operation in files.
            pub fn word(self) -> &'static str {
                match self { $(Op::$name => $word,)* }
            }
        }
    };
}

ops! {
    /// A message is sent; picks nothing (it is delivered) or the receiver's drop (it is not).
    Send = "send",
    /// A message is received; picks the send, the disconnect, or nothing.
    Receive = "receive",
    /// A handle for sending is dropped.
    DropSender = "drop-sender",
    /// The receiver is dropped.
    DropReceiver = "drop-receiver",
    /// Every handle for sending is gone.
    Disconnect = "disconnect",
    /// An entry is called; picks like a send.
    Call = "call",
    /// A server accepts a call; picks the call, the disconnect(s), or nothing.
    Accept = "accept",
    /// A server replies to an accepted call.
    Reply = "reply",
    /// A caller goes on, after the reply or after the server has gone.
    Return = "return",
    /// A bounded channel takes a message in.
    Put = "put",
    /// A bounded channel gives a message out.
    Take = "take",
    /// As take, but does not wait.
    TryTake = "try-take",
    /// A lock is taken.
    Lock = "lock",
    /// As lock, but does not wait.
    TryLock = "try-lock",
    /// A lock is given back.
    Unlock = "unlock",
    /// A semaphore's permit is taken.
    Acquire = "acquire",
    /// As acquire, but does not wait.
    TryAcquire = "try-acquire",
    /// A semaphore's permit is given back.
    Release = "release",
    /// A thread starts to wait on a condition.
    Wait = "wait",
    /// One waiter is woken; picks it together with the call.
    NotifyOne = "notify-one",
    /// All waiters are woken.
    NotifyAll = "notify-all",
    /// A monitor is entered.
    Enter = "enter",
    /// A signalled thread enters its monitor again (signal-and-continue).
    Reenter = "reenter",
    /// A condition of a monitor is signalled.
    Signal = "signal",
    /// A thread goes on inside its monitor after a signal, or after the thread it signalled (signal-and-urgent-wait).
    Resume = "resume",
    /// A thread waits for the end of another.
    Join = "join",
}

impl Pick {
    /// The events picked; none for [`Pick::None`] and [`Pick::Nothing`].
    pub fn partners(&self) -> &[EventRef] {
        match self {
            Pick::None | Pick::Nothing => &[],
            Pick::Partners(partners) => partners,
        }
    }
}

impl Sequence {
    /// The event that a reference names.
    ///
    /// # Panics
    /// If there is no such event.
    pub fn event(&self, at: EventRef) -> &Event {
        &self.processes[at.process].events[at.index]
    }

    /// Whether two executions are the same behaviour: equal but for source locations.
    pub fn same_behaviour(&self, other: &Sequence) -> bool {
        self.without_locations() == other.without_locations()
    }

    /// The same sequence with no source locations.
    pub fn without_locations(&self) -> Sequence {
        let mut bare = self.clone();
        for process in &mut bare.processes {
            for event in &mut process.events {
                event.location = None;
            }
        }
        bare
    }
}
