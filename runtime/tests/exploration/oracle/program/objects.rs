//! The objects of a program, and which threads have their handles.

/// A set of threads, one bit each.
pub(crate) type Threads = u8;

/// How an unbounded channel delivers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// An `mpsc::channel`.
    Channel,
    /// A port with mailbox delivery, that is, like a channel.
    Mailbox,
    Fifo,
    Causal,
    Bag,
}

/// Where the receiving handle is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holder {
    Thread(usize),
    /// In this mutex: a thread that holds the mutex can use it.
    Under(usize),
}

/// A closure that runs once, in the forms of the standard library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OnceShape {
    /// `Once`: shows whether it is done.
    Once,
    /// `OnceLock`: then has a value.
    Lock,
    /// `LazyLock`: then has [`LAZY_VALUE`]. It can neither be asked nor waited for.
    Lazy,
    /// A `LazyLock` whose initializer panics.
    Doomed,
}

/// The value of every `LazyLock`.
pub(crate) const LAZY_VALUE: u8 = 7;

/// An object of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Object {
    Port {
        delivery: Delivery,
        senders: Threads,
        receiver: Holder,
    },
    /// A bounded channel of `mpsc`; with capacity 0 a rendezvous.
    Buffer {
        capacity: usize,
        senders: Threads,
        receiver: Holder,
    },
    /// A channel of `crossbeam_channel`, of any capacity if there is none. Each of the receivers has a handle.
    Flow {
        capacity: Option<usize>,
        senders: Threads,
        receivers: Threads,
    },
    /// A channel that delivers the time, once or repeatedly.
    Timer {
        tick: bool,
        receivers: Threads,
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
    Atomic {
        initial: u8,
    },
    RwLock,
    Barrier {
        size: usize,
    },
    /// Each of the holders has a handle.
    WaitGroup {
        holders: Threads,
    },
    Once {
        shape: OnceShape,
    },
    /// A counted pointer; each of the holders has one, each of the weak holders a weak one. What it points to is a
    /// sending handle of that channel; or that mutex, which then only threads with a pointer can take; or nothing of
    /// interest.
    Arc {
        holders: Threads,
        weak: Threads,
        to: Option<usize>,
    },
}

impl Object {
    /// The word for its kind in ids.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Object::Port { delivery: Delivery::Channel, .. } | Object::Flow { capacity: None, .. } => {
                "channel"
            }
            Object::Port { .. } => "port",
            Object::Buffer { capacity: 0, .. } | Object::Flow { capacity: Some(0), .. } => "rendezvous",
            Object::Buffer { .. } | Object::Flow { .. } => "bounded",
            Object::Timer { .. } => "timer",
            Object::Entry { .. } => "entry",
            Object::Mutex => "mutex",
            Object::Reentrant => "reentrant",
            Object::Condvar { .. } => "condvar",
            Object::Semaphore { .. } => "semaphore",
            Object::Monitor { .. } => "monitor",
            Object::Atomic { .. } => "atomic",
            Object::RwLock => "rwlock",
            Object::Barrier { .. } => "barrier",
            Object::WaitGroup { .. } => "waitgroup",
            Object::Once { .. } => "once",
            Object::Arc { .. } => "arc",
        }
    }

    /// The threads that have a sending handle.
    pub(crate) fn senders(self) -> Threads {
        match self {
            Object::Port { senders, .. }
            | Object::Buffer { senders, .. }
            | Object::Flow { senders, .. }
            | Object::Entry { senders, .. } => senders,
            _ => 0,
        }
    }

    /// The holder of the only receiving handle.
    pub(crate) fn receiver(self) -> Option<Holder> {
        match self {
            Object::Port { receiver, .. }
            | Object::Buffer { receiver, .. }
            | Object::Entry { receiver, .. } => Some(receiver),
            _ => None,
        }
    }

    /// The threads that have a receiving handle, if there can be several.
    pub(crate) fn receivers(self) -> Threads {
        match self {
            Object::Flow { receivers, .. } | Object::Timer { receivers, .. } => receivers,
            _ => 0,
        }
    }

    /// The sets of threads that have handles.
    pub(crate) fn holders_mut(&mut self) -> Vec<&mut Threads> {
        match self {
            Object::Port { senders, .. } | Object::Buffer { senders, .. } | Object::Entry { senders, .. } => {
                vec![senders]
            }
            Object::Flow { senders, receivers, .. } => vec![senders, receivers],
            Object::Timer { receivers, .. } => vec![receivers],
            Object::Arc { holders, weak, .. } => vec![holders, weak],
            Object::WaitGroup { holders } => vec![holders],
            _ => Vec::new(),
        }
    }

    /// Whether it is a channel of any kind that has a handle for sending and never makes a sender wait for long.
    pub(crate) fn takes_sends(self) -> bool {
        matches!(self, Object::Port { delivery: Delivery::Channel, .. } | Object::Flow { capacity: None, .. })
    }

    /// Whether its messages can be something other than numbers.
    pub(crate) fn carries_handles(self) -> bool {
        match self {
            Object::Port { delivery: Delivery::Channel, receiver: Holder::Thread(_), .. }
            | Object::Buffer { receiver: Holder::Thread(_), .. } => true,
            Object::Flow { receivers, .. } => receivers.count_ones() == 1,
            _ => false,
        }
    }

    /// Whether its receiving handle, of which there is only one, can be sent.
    pub(crate) fn has_movable_receiver(self) -> bool {
        match self {
            Object::Port { delivery: Delivery::Channel, receiver: Holder::Thread(_), .. }
            | Object::Buffer { receiver: Holder::Thread(_), .. } => true,
            Object::Flow { receivers, .. } => receivers.count_ones() == 1,
            _ => false,
        }
    }

    /// The other object that it refers to.
    pub(crate) fn other_mut(&mut self) -> Option<&mut usize> {
        match self {
            Object::Port { receiver: Holder::Under(mutex), .. }
            | Object::Buffer { receiver: Holder::Under(mutex), .. }
            | Object::Condvar { mutex } => Some(mutex),
            Object::Arc { to, .. } => to.as_mut(),
            _ => None,
        }
    }
}
