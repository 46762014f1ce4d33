//! The SYN-sequence: for each process its events in order, and for each receiving event its partner.
//!
//! A *process* is a thread or a synchronization object. Threads perform sending events (a send, a call) and
//! receives; objects perform completions. Two executions are the same behaviour exactly when their sequences
//! are [`Sequence::same_behaviour`]; source locations are carried along but do not count.

use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

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
    /// Its maker, and its number among those of its kind: `main`, `main/thread2`, `main/thread2/mutex1`. Unique.
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
    /// A shared variable; writes complete in an order on it, loads pick a write.
    Atomic,
    /// A lock for many readers or one writer.
    RwLock,
    /// A barrier; its completions pick all that arrive together.
    Barrier,
    /// Handles of which threads wait until all are gone; its only event is the disconnect after all drops.
    WaitGroup,
    /// Something that is done or set once.
    Once,
    /// What a thread parks on.
    Parker,
    /// A counted pointer, where it matters in which order it is counted.
    Arc,
    /// A channel that delivers the time.
    Timer,
    /// The end of a thread, where the program asks for it, or where it matters which thread drops its result.
    End,
    /// A static variable: it does nothing itself, but makes objects.
    Static,
    /// The turns of a sequence that a program is forced to do; no part of what it does.
    Turns,
}

impl Kind {
    /// Every kind, in the order of their declaration.
    pub const ALL: [Kind; 22] = [
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
        Kind::Atomic,
        Kind::RwLock,
        Kind::Barrier,
        Kind::WaitGroup,
        Kind::Once,
        Kind::Parker,
        Kind::Arc,
        Kind::Timer,
        Kind::End,
        Kind::Static,
        Kind::Turns,
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
            Kind::Atomic => "atomic",
            Kind::RwLock => "rwlock",
            Kind::Barrier => "barrier",
            Kind::WaitGroup => "waitgroup",
            Kind::Once => "once",
            Kind::Parker => "parker",
            Kind::Arc => "arc",
            Kind::Timer => "timer",
            Kind::End => "end",
            Kind::Static => "static",
            Kind::Turns => "turns",
        }
    }

    /// Whether this operation of a thread on such an object is a call that the object completes. A call without
    /// completion is a thread that is blocked, unless it was withdrawn: an offer of a [`select`](Op::Select) of which
    /// another was taken, or an [`expire`](Op::Expire) that a notification came before. Any other operation is over as
    /// soon as the thread has done it; and so is one that has picked something: a reader of a lock follows the last
    /// completion on it, while readers have no order.
    pub fn completes(self, op: Op) -> bool {
        match self {
            Kind::Thread | Kind::Static => false,
            Kind::Port | Kind::Entry | Kind::WaitGroup => false,
            Kind::Turns => matches!(op, Op::Turn | Op::Done),
            Kind::End => op == Op::Drop,
            Kind::Bounded | Kind::Rendezvous => op.is_transfer() || op == Op::DropReceiver,
            // While it is a port, its operations are sends and receives.
            Kind::Channel | Kind::Timer => op.is_transfer(),
            Kind::Mutex | Kind::ReentrantLock => {
                matches!(op, Op::Lock | Op::TryLock | Op::Unlock | Op::Observe)
            }
            Kind::Semaphore => matches!(op, Op::Acquire | Op::TryAcquire | Op::Release),
            Kind::Condvar => matches!(op, Op::Wait | Op::Expire | Op::NotifyOne | Op::NotifyAll),
            Kind::Monitor => matches!(op, Op::Enter | Op::Reenter),
            Kind::Atomic => {
                matches!(op, Op::Store | Op::Update | Op::OfferUpdate | Op::OfferFailure | Op::Observe)
            }
            Kind::RwLock => matches!(
                op,
                Op::Read
                    | Op::TryRead
                    | Op::UnlockRead
                    | Op::Write
                    | Op::TryWrite
                    | Op::Unlock
                    | Op::Downgrade
                    | Op::Observe
            ),
            Kind::Barrier => op == Op::Arrive,
            Kind::Once => matches!(op, Op::Begin | Op::Complete | Op::Await),
            Kind::Parker => matches!(op, Op::Park | Op::ParkTimeout | Op::Unpark),
            Kind::Arc => matches!(op, Op::Clone | Op::Drop | Op::TryUnwrap | Op::Upgrade | Op::Observe),
        }
    }
}

impl Op {
    /// Whether it moves a message into or out of a channel, or asks about that.
    fn is_transfer(self) -> bool {
        matches!(
            self,
            Op::Put
                | Op::TryPut
                | Op::PutTimeout
                | Op::Take
                | Op::TryTake
                | Op::TakeTimeout
                | Op::OfferPut
                | Op::OfferTake
                | Op::ReadyPut
                | Op::ReadyTake
                | Op::OfferDefault
                | Op::OfferTimeout
                | Op::Observe
        )
    }

    /// Whether a thread makes such calls several at once, after a [`select`](Op::Select); one of them is taken.
    pub fn is_offer(self) -> bool {
        matches!(
            self,
            Op::OfferPut
                | Op::OfferTake
                | Op::ReadyPut
                | Op::ReadyTake
                | Op::OfferDefault
                | Op::OfferTimeout
                | Op::OfferUpdate
                | Op::OfferFailure
        )
    }

    /// The operations that a recorded sequence can have, in the order of their declaration.
    pub fn recorded() -> impl Iterator<Item = Op> + Clone {
        Op::ALL.iter().copied().filter(|op| !op.is_turn())
    }

    /// Whether it is about reading a lock that many threads may read at a time.
    pub fn is_reading(self) -> bool {
        matches!(self, Op::Read | Op::TryRead | Op::FailedRead | Op::UnlockRead | Op::Block)
    }

    /// Whether it belongs to the forcing of a program and not to what the program does: no recorded sequence has it.
    pub fn is_turn(self) -> bool {
        matches!(self, Op::Turn | Op::Done)
    }

    /// Whether a completion of this name leaves calls waiting that it picks: [`block`](Op::Block) both, the others the
    /// second.
    pub fn leaves_waiting(self) -> bool {
        matches!(self, Op::Block | Op::FailedRead | Op::ReadyPut | Op::ReadyTake)
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
    /// Objects that the event found with nothing to receive and not at their end, beside the one that it is on: the other
    /// ports of a receive that found nothing; on a completion, the channels that a select passed over. Sorted. They follow
    /// from the program, so they do not count when behaviours are compared; they show in which order the events can have
    /// happened.
    pub empty: Vec<usize>,
    /// What the program called this moment; only of an [`Op::Label`].
    pub label: Option<Label>,
    /// Where in the source it happened.
    pub location: Option<Location>,
}

/// A moment that the program gave a name: `insyn::label!("deposit", item)`. The event that holds it is on the thread,
/// about no object, and picks nothing: it is there to be found again by a specification.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label {
    /// The name.
    pub text: String,
    /// The value that the program gave with it.
    pub value: Option<Value>,
}

/// A single value: what a label carries, and what the expressions of a specification work on.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A text.
    Text(String),
}

/// As in an expression: texts are in single quotes.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Boolean(it) => it.fmt(f),
            Value::Integer(it) => it.fmt(f),
            Value::Text(it) => write!(f, "'{}'", it.replace('\'', "''")),
        }
    }
}

/// Names an event: the `index`-th (from 0) of `process` (an index into [`Sequence::processes`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EventRef {
    /// Index of the process.
    pub process: usize,
    /// Index of the event in the process.
    pub index: usize,
}

/// What a receiving event took.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Pick {
    /// The event is not a receiving event.
    None,
    /// Nothing was there: empty, timed out, or (for a send) the receiver was still alive.
    Nothing,
    /// These sending events: one, or a pair, or (a select that saw all its arms closed) several.
    Partners(Vec<EventRef>),
}

/// A place in the source of the program under test.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
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
    /// A handle for sending, or of a wait group, is dropped.
    DropSender = "drop-sender",
    /// The receiver is dropped.
    DropReceiver = "drop-receiver",
    /// Every handle for sending, or of a wait group, is gone.
    Disconnect = "disconnect",
    /// An entry is called; picks like a send.
    Call = "call",
    /// A server accepts a call; picks the call, the disconnect(s), or nothing.
    Accept = "accept",
    /// A server replies to an accepted call.
    Reply = "reply",
    /// A caller continues, after the reply or after the server has gone.
    Return = "return",
    /// A message is put into a bounded channel.
    Put = "put",
    /// A message is taken out of a bounded channel.
    Take = "take",
    /// As take, but does not wait.
    TryTake = "try-take",
    /// A lock is taken.
    Lock = "lock",
    /// As lock, but does not wait.
    TryLock = "try-lock",
    /// A lock is released.
    Unlock = "unlock",
    /// A semaphore's permit is taken.
    Acquire = "acquire",
    /// As acquire, but does not wait.
    TryAcquire = "try-acquire",
    /// A semaphore's permit is released.
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
    /// A thread continues inside its monitor after a signal, or after the thread it signalled (signal-and-urgent-wait).
    Resume = "resume",
    /// A thread waits for the end of another.
    Join = "join",
    /// As put, but does not wait.
    TryPut = "try-put",
    /// As put, but gives up at some time.
    PutTimeout = "put-timeout",
    /// As take, but gives up at some time.
    TakeTimeout = "take-timeout",
    /// A thread makes the offers that follow, of which one is taken.
    Select = "select",
    /// A select offers a message.
    OfferPut = "offer-put",
    /// A select offers to take a message.
    OfferTake = "offer-take",
    /// A select waits until a message could be put.
    ReadyPut = "ready-put",
    /// A select waits until a message could be taken.
    ReadyTake = "ready-take",
    /// A select does not wait if no other offer can be taken.
    OfferDefault = "offer-default",
    /// A select gives up at some time.
    OfferTimeout = "offer-timeout",
    /// Every handle for receiving is gone, of several.
    HangUp = "hang-up",
    /// The time has come.
    Fire = "fire",
    /// A thread's wait with a timeout is over, or it wakes for no reason.
    Expire = "expire",
    /// A variable is read; picks the write that it sees, or nothing: the initial value. For a [`Kind::Once`]: picks the
    /// completion, or nothing: it is not done.
    Load = "load",
    /// A variable is written.
    Store = "store",
    /// A variable is read and written at once.
    Update = "update",
    /// The completion of an update that writes nothing: the variable is not what was expected, or the update fails
    /// spuriously and picks the [`offer-failure`](Op::OfferFailure).
    FailedUpdate = "failed-update",
    /// As update, but may fail spuriously: after a select, together with an [`offer-failure`](Op::OfferFailure).
    OfferUpdate = "offer-update",
    /// An update may fail although the variable is what was expected.
    OfferFailure = "offer-failure",
    /// The completion of a try-lock that finds the lock taken.
    FailedLock = "failed-lock",
    /// The completion of a try-acquire that finds no permit.
    FailedAcquire = "failed-acquire",
    /// The completion of a try-read that finds a writer, inside or waiting.
    FailedRead = "failed-read",
    /// The completion of a try-write that finds the lock taken.
    FailedWrite = "failed-write",
    /// The completion of a try-put that finds no room, or of a put-timeout that gives up.
    FailedPut = "failed-put",
    /// The completion of a try-take that finds nothing, or of a take-timeout that gives up.
    FailedTake = "failed-take",
    /// The completion of a begin that finds it done already.
    FailedBegin = "failed-begin",
    /// The completion of an upgrade that finds nothing to point to any more.
    FailedUpgrade = "failed-upgrade",
    /// The completion of a try-unwrap that finds another counted pointer.
    FailedUnwrap = "failed-unwrap",
    /// A lock is taken for reading.
    Read = "read",
    /// As read, but does not wait.
    TryRead = "try-read",
    /// A reader releases the lock.
    UnlockRead = "unlock-read",
    /// A lock is taken for writing.
    Write = "write",
    /// As write, but does not wait.
    TryWrite = "try-write",
    /// A writer becomes a reader.
    Downgrade = "downgrade",
    /// A waiting writer keeps a reader from the lock; picks both calls and completes neither.
    Block = "block",
    /// A thread reaches a barrier; the completion picks all threads that pass it together, the leader first.
    Arrive = "arrive",
    /// A thread tries to start what is done once.
    Begin = "begin",
    /// What is done once has been done, or given up in a panic.
    Complete = "complete",
    /// A thread waits until another has done what is done once. For a [`Kind::WaitGroup`]: it continues after the disconnect.
    Await = "await",
    /// A thread waits to be unparked.
    Park = "park",
    /// As park, but gives up at some time.
    ParkTimeout = "park-timeout",
    /// A thread is unparked.
    Unpark = "unpark",
    /// A counted pointer is cloned.
    Clone = "clone",
    /// A counted pointer is dropped.
    Drop = "drop",
    /// As drop, but of the last counted pointer only: what it points to is taken out.
    TryUnwrap = "try-unwrap",
    /// A weak pointer becomes a counted one, if there is still something to point to.
    Upgrade = "upgrade",
    /// The state of an object is read or set apart from its other operations: a length, a count, a poisoning.
    Observe = "observe",
    /// The program gives the moment a name.
    Label = "label",
    /// A thread has the turn to do the next step of a forced sequence.
    Turn = "turn",
    /// It has done it.
    Done = "done",
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

    /// Whether two executions are the same behaviour: equal except for source locations and what was found
    /// [empty](Event::empty).
    pub fn same_behaviour(&self, other: &Sequence) -> bool {
        self.bare() == other.bare()
    }

    /// Feeds a hasher with everything that [`same_behaviour`](Self::same_behaviour) compares.
    pub fn hash_behaviour(&self, hasher: &mut impl Hasher) {
        self.processes.len().hash(hasher);
        for Process { id, kind, name, events } in &self.processes {
            (id, kind, name, events.len()).hash(hasher);
            for Event { op, object, pick, after, empty: _, label, location: _ } in events {
                (op, object, pick, after, label).hash(hasher);
            }
        }
    }

    /// The same sequence without all that behaviours may differ in.
    fn bare(&self) -> Sequence {
        let mut bare = self.without_locations();
        bare.processes.iter_mut().flat_map(|it| &mut it.events).for_each(|event| event.empty.clear());
        bare
    }

    /// The same sequence without source locations.
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
