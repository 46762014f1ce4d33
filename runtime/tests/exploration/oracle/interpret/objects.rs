//! The objects of a program as the library has them, and the handles that go to its threads.

use std::collections::BTreeMap;

use insyn::crossbeam_channel as crossbeam;
use insyn::crossbeam_utils::sync::WaitGroup;
use insyn::std::sync::atomic::AtomicU8;
use insyn::std::sync::{Arc, Barrier, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, Weak, mpsc};
use insyn::std::thread::{self, Thread};
use insyn::std::time::Instant;
use insyn::sync::{
    Caller, Condition, Delivery, Entry, Monitor, PortReceiver, PortSender, ReentrantLock, Semaphore, entry,
    port,
};

use super::super::program::{self, Holder, LAZY_VALUE, Object, OnceShape, Op, Program, Threads};
use super::messages::A_WHILE;

/// What goes through a channel.
pub(super) enum Message {
    Number(u8),
    /// A sending handle of this object.
    Handle(usize, Box<SendHandle>),
    /// The receiving handle of this object.
    Receiver(usize, Box<ReceiveHandle>),
}

/// A sending handle.
#[derive(Clone)]
pub(super) enum SendHandle {
    Channel(mpsc::Sender<Message>),
    Bounded(mpsc::SyncSender<Message>),
    Flow(crossbeam::Sender<Message>),
    Port(PortSender<Message>),
    Caller(Caller<u8, u8>),
}

/// A receiving handle.
pub(super) enum ReceiveHandle {
    /// Unbounded, bounded or rendezvous.
    Channel(mpsc::Receiver<Message>),
    Flow(crossbeam::Receiver<Message>),
    Timer(crossbeam::Receiver<Instant>),
    Port(PortReceiver<Message>),
    Entry(Entry<u8, u8>),
}

impl ReceiveHandle {
    /// Another handle, where there can be several.
    fn another(&self) -> ReceiveHandle {
        match self {
            ReceiveHandle::Flow(receiver) => ReceiveHandle::Flow(receiver.clone()),
            ReceiveHandle::Timer(receiver) => ReceiveHandle::Timer(receiver.clone()),
            _ => unreachable!("there is only one"),
        }
    }
}

/// Receiving handles by object.
pub(super) type Receivers = BTreeMap<usize, ReceiveHandle>;

/// What a mutex protects.
#[derive(Default)]
pub(super) struct Protected {
    /// The receivers that lie in it.
    pub(super) receivers: Receivers,
    pub(super) number: u8,
}

/// The handles that a thread has, by object.
#[derive(Default)]
pub(super) struct Bundle {
    pub(super) senders: BTreeMap<usize, SendHandle>,
    /// Handles that it has made itself.
    clones: BTreeMap<usize, Vec<SendHandle>>,
    pub(super) receivers: Receivers,
    pub(super) pointers: BTreeMap<usize, Vec<Arc<Pointee>>>,
    pub(super) weak: BTreeMap<usize, Vec<Weak<Pointee>>>,
    pub(super) groups: BTreeMap<usize, Vec<WaitGroup>>,
}

impl Bundle {
    /// Makes another sending handle, if there is one.
    pub(super) fn clone_sender(&mut self, o: usize) {
        let another = self.senders.get(&o).cloned();
        self.clones.entry(o).or_default().extend(another);
    }

    /// Takes a sending handle out: the one that was made last.
    pub(super) fn take_sender(&mut self, o: usize) -> Option<SendHandle> {
        self.clones.get_mut(&o).and_then(Vec::pop).or_else(|| self.senders.remove(&o))
    }
}

/// What a counted pointer points to: perhaps a sending handle, or a mutex.
#[derive(Default)]
pub(super) struct Pointee {
    pub(super) sender: Option<SendHandle>,
    pub(super) mutex: Option<Mutex<Protected>>,
}

/// An object that threads share by reference.
pub(super) enum Shared {
    Mutex(Mutex<Protected>),
    Reentrant(ReentrantLock<()>),
    /// With its mutex.
    Condvar(Condvar, usize),
    Semaphore(Semaphore),
    Monitor(Monitor<u8>, Vec<Condition>),
    Atomic(AtomicU8),
    RwLock(RwLock<u8>),
    Barrier(Barrier),
    Once(Once),
    OnceLock(OnceLock<u8>),
    LazyLock(LazyLock<u8>),
    /// A mutex that is behind this counted pointer.
    Behind(usize),
    /// It has handles instead.
    Handles,
}

/// All that the threads of a program share.
pub(super) struct World {
    pub(super) program: Program,
    pub(super) objects: Vec<Shared>,
    /// What each thread takes along when it starts. A lock of the real library: it is never contended, and
    /// the program must not observe it.
    bundles: std::sync::Mutex<Vec<Option<Bundle>>>,
    /// The threads that have been started. As above; a thread that asks for one knows that it is there.
    threads: std::sync::Mutex<Vec<Option<Thread>>>,
    /// When the program started, if an operation needs it.
    start: Option<Instant>,
}

impl World {
    /// Makes the objects: those of each kind in the order listed, mutexes last, as receivers lie in them.
    pub(super) fn new(program: &Program) -> World {
        let mut bundles: Vec<Bundle> = program.threads.iter().map(|_| Bundle::default()).collect();
        let mut under: BTreeMap<usize, Receivers> = BTreeMap::new();
        let mut senders: BTreeMap<usize, SendHandle> = BTreeMap::new();
        for (o, object) in program.objects.iter().enumerate() {
            if let Object::WaitGroup { holders } = *object {
                let give = |t: usize, group| bundles[t].groups.entry(o).or_default().push(group);
                deal(holders, WaitGroup::new(), WaitGroup::clone, give);
            }
            let (sender, receiver) = handles(*object);
            senders.extend(sender.map(|sender| (o, sender)));
            match (object.receiver(), receiver) {
                (_, None) => {}
                (Some(Holder::Thread(t)), Some(receiver)) => {
                    bundles[t].receivers.insert(o, receiver);
                }
                (Some(Holder::Under(mutex)), Some(receiver)) => {
                    under.entry(mutex).or_default().insert(o, receiver);
                }
                (None, Some(receiver)) => {
                    let give = |t: usize, receiver| drop(bundles[t].receivers.insert(o, receiver));
                    deal(object.receivers(), receiver, ReceiveHandle::another, give);
                }
            }
        }
        let objects = program.objects.iter().enumerate();
        let mut objects: Vec<Shared> =
            objects.map(|(o, object)| shared(*object, under.remove(&o).unwrap_or_default())).collect();
        deal_pointers(program, &mut senders, &mut objects, &mut bundles);
        for (o, sender) in senders {
            let give = |t: usize, sender| drop(bundles[t].senders.insert(o, sender));
            deal(program.objects[o].senders(), sender, SendHandle::clone, give);
        }
        let threads = std::sync::Mutex::new(vec![None; bundles.len()]);
        let bundles = std::sync::Mutex::new(bundles.into_iter().map(Some).collect());
        let mut ops = program.threads.iter().flat_map(|thread| &thread.ops);
        let start = ops.any(|op| matches!(op, Op::Now)).then(Instant::now);
        let world = World { program: program.clone(), objects, bundles, threads, start };
        world.started(0, thread::current());
        world
    }

    /// The time of the running thread, as the number of timeouts that have passed. (Reading the clock takes a little.)
    pub(super) fn time(&self) -> u8 {
        let passed = self.start.expect("somebody wants to know").elapsed();
        ((passed + A_WHILE / 2).as_nanos() / A_WHILE.as_nanos()) as u8
    }

    /// The thread has started.
    pub(super) fn started(&self, t: usize, thread: Thread) {
        self.threads.lock().expect("nothing panics")[t] = Some(thread);
    }

    /// A thread that has certainly started.
    pub(super) fn thread(&self, t: usize) -> Thread {
        self.threads.lock().expect("nothing panics")[t].clone().expect("it has been started")
    }

    /// What the thread takes along.
    pub(super) fn take_bundle(&self, t: usize) -> Bundle {
        self.bundles.lock().expect("nothing panics")[t].take().expect("a thread starts once")
    }
}

/// Gives a handle to each of the threads, so that none is left over.
fn deal<H>(threads: Threads, handle: H, another: impl Fn(&H) -> H, mut give: impl FnMut(usize, H)) {
    let holders: Vec<usize> = (0..8).filter(|t| threads >> t & 1 == 1).collect();
    if let Some((last, first)) = holders.split_last() {
        for t in first {
            give(*t, another(&handle));
        }
        give(*last, handle);
    }
}

/// Makes the counted pointers, and for each the weak ones first. A pointer to a handle takes the first one along, if
/// no other needs it.
fn deal_pointers(
    program: &Program,
    senders: &mut BTreeMap<usize, SendHandle>,
    objects: &mut [Shared],
    bundles: &mut [Bundle],
) {
    for (o, object) in program.objects.iter().enumerate() {
        let Object::Arc { holders, weak, to } = *object else { continue };
        let mut pointee = Pointee::default();
        if let Some(x) = to
            && matches!(objects[x], Shared::Mutex(_))
            && let Shared::Mutex(mutex) = std::mem::replace(&mut objects[x], Shared::Behind(o))
        {
            pointee.mutex = Some(mutex);
        }
        pointee.sender = to.and_then(|x| {
            let later = |object: &Object| matches!(object, Object::Arc { to: Some(y), .. } if *y == x);
            let needed = program.objects[x].senders() != 0 || program.objects[o + 1..].iter().any(later);
            if needed { senders.get(&x).cloned() } else { senders.remove(&x) }
        });
        let pointer = Arc::new(pointee);
        for (t, bundle) in bundles.iter_mut().enumerate() {
            if weak >> t & 1 == 1 {
                bundle.weak.entry(o).or_default().push(Arc::downgrade(&pointer));
            }
        }
        deal(holders, pointer, Arc::clone, |t, pointer| {
            bundles[t].pointers.entry(o).or_default().push(pointer);
        });
    }
}

/// The two ends of an object that has ends.
fn handles(object: Object) -> (Option<SendHandle>, Option<ReceiveHandle>) {
    use std::time::Duration;
    let delivery = match object {
        Object::Buffer { capacity, .. } => {
            let (sender, receiver) = mpsc::sync_channel(capacity);
            return (Some(SendHandle::Bounded(sender)), Some(ReceiveHandle::Channel(receiver)));
        }
        Object::Flow { capacity, .. } => {
            let (sender, receiver) = match capacity {
                Some(capacity) => crossbeam::bounded(capacity),
                None => crossbeam::unbounded(),
            };
            return (Some(SendHandle::Flow(sender)), Some(ReceiveHandle::Flow(receiver)));
        }
        Object::Timer { tick, .. } => {
            let make = if tick { crossbeam::tick } else { crossbeam::after };
            return (None, Some(ReceiveHandle::Timer(make(Duration::from_millis(10)))));
        }
        Object::Entry { .. } => {
            let (caller, entry) = entry();
            return (Some(SendHandle::Caller(caller)), Some(ReceiveHandle::Entry(entry)));
        }
        Object::Port { delivery, .. } => delivery,
        _ => return (None, None),
    };
    let (sender, receiver) = port(match delivery {
        program::Delivery::Channel => {
            let (sender, receiver) = mpsc::channel();
            return (Some(SendHandle::Channel(sender)), Some(ReceiveHandle::Channel(receiver)));
        }
        program::Delivery::Mailbox => Delivery::Mailbox,
        program::Delivery::Fifo => Delivery::Fifo,
        program::Delivery::Causal => Delivery::Causal,
        program::Delivery::Bag => Delivery::Bag,
    });
    (Some(SendHandle::Port(sender)), Some(ReceiveHandle::Port(receiver)))
}

fn shared(object: Object, receivers: Receivers) -> Shared {
    match object {
        Object::Mutex => Shared::Mutex(Mutex::new(Protected { receivers, number: 0 })),
        Object::Reentrant => Shared::Reentrant(ReentrantLock::new(())),
        Object::Condvar { mutex } => Shared::Condvar(Condvar::new(), mutex),
        Object::Semaphore { permits, binary: true } => {
            Shared::Semaphore(Semaphore::binary(usize::from(permits)))
        }
        Object::Semaphore { permits, binary: false } => {
            Shared::Semaphore(Semaphore::new(usize::from(permits)))
        }
        Object::Monitor { urgent, conditions } => {
            let monitor = if urgent { Monitor::urgent(0) } else { Monitor::new(0) };
            let conditions = (0..conditions).map(|_| monitor.condition()).collect();
            Shared::Monitor(monitor, conditions)
        }
        Object::Atomic { initial } => Shared::Atomic(AtomicU8::new(initial)),
        Object::RwLock => Shared::RwLock(RwLock::new(0)),
        Object::Barrier { size } => Shared::Barrier(Barrier::new(size)),
        Object::Once { shape: OnceShape::Once } => Shared::Once(Once::new()),
        Object::Once { shape: OnceShape::Lock } => Shared::OnceLock(OnceLock::new()),
        Object::Once { shape: OnceShape::Lazy } => Shared::LazyLock(LazyLock::new(|| LAZY_VALUE)),
        Object::Once { shape: OnceShape::Doomed } => Shared::LazyLock(LazyLock::new(|| panic!("is doomed"))),
        Object::Port { .. }
        | Object::Buffer { .. }
        | Object::Flow { .. }
        | Object::Timer { .. }
        | Object::Entry { .. }
        | Object::WaitGroup { .. }
        | Object::Arc { .. } => Shared::Handles,
    }
}
