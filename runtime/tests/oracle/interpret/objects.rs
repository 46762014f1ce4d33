//! The objects of a program as the library has them, and the handles that go to its threads.

use std::collections::BTreeMap;

use insyn::std::sync::{Condvar, Mutex, mpsc};
use insyn::sync::{
    Caller, Condition, Delivery, Entry, Monitor, PortReceiver, PortSender, ReentrantLock, Semaphore, entry,
    port,
};

use super::super::program::{self, Holder, Object, Program};

/// A sending handle.
#[derive(Clone)]
pub(super) enum SendHandle {
    Channel(mpsc::Sender<u8>),
    Bounded(mpsc::SyncSender<u8>),
    Port(PortSender<u8>),
    Caller(Caller<u8, u8>),
}

/// A receiving handle.
pub(super) enum ReceiveHandle {
    /// Unbounded, bounded or rendezvous.
    Channel(mpsc::Receiver<u8>),
    Port(PortReceiver<u8>),
    Entry(Entry<u8, u8>),
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
    pub(super) receivers: Receivers,
}

/// An object that threads share by reference.
pub(super) enum Shared {
    Mutex(Mutex<Protected>),
    Reentrant(ReentrantLock<()>),
    /// With the mutex it goes with.
    Condvar(Condvar, usize),
    Semaphore(Semaphore),
    Monitor(Monitor<u8>, Vec<Condition>),
    /// It has handles instead.
    Handles,
}

/// All that the threads of a program share.
pub(super) struct World {
    pub(super) program: Program,
    pub(super) objects: Vec<Shared>,
    /// What each thread takes along when it starts. A lock of the real library: it is never contended, and
    /// nobody is to see it.
    bundles: std::sync::Mutex<Vec<Option<Bundle>>>,
}

impl World {
    /// Makes the objects: those of each kind in the order listed, mutexes last, as receivers lie in them.
    pub(super) fn new(program: &Program) -> World {
        let mut bundles: Vec<Bundle> = program.threads.iter().map(|_| Bundle::default()).collect();
        let mut under: BTreeMap<usize, Receivers> = BTreeMap::new();
        for (o, object) in program.objects.iter().enumerate() {
            let Some((sender, receiver)) = handles(*object) else { continue };
            let mut sender = Some(sender);
            let holders: Vec<usize> = (0..bundles.len()).filter(|t| object.senders() >> t & 1 == 1).collect();
            for (i, holder) in holders.iter().enumerate() {
                let handle = if i + 1 == holders.len() { sender.take() } else { sender.clone() };
                bundles[*holder].senders.extend(handle.map(|handle| (o, handle)));
            }
            match object.receiver() {
                Some(Holder::Thread(t)) => bundles[t].receivers.insert(o, receiver),
                Some(Holder::Under(mutex)) => under.entry(mutex).or_default().insert(o, receiver),
                None => unreachable!("it has handles"),
            };
        }
        let objects = program.objects.iter().enumerate();
        let objects =
            objects.map(|(o, object)| shared(*object, under.remove(&o).unwrap_or_default())).collect();
        let bundles = std::sync::Mutex::new(bundles.into_iter().map(Some).collect());
        World { program: program.clone(), objects, bundles }
    }

    /// What the thread takes along.
    pub(super) fn take_bundle(&self, t: usize) -> Bundle {
        self.bundles.lock().expect("nothing panics")[t].take().expect("a thread starts once")
    }
}

/// The two ends of an object that has such.
fn handles(object: Object) -> Option<(SendHandle, ReceiveHandle)> {
    let delivery = match object {
        Object::Buffer { capacity, .. } => {
            let (sender, receiver) = mpsc::sync_channel(capacity);
            return Some((SendHandle::Bounded(sender), ReceiveHandle::Channel(receiver)));
        }
        Object::Entry { .. } => {
            let (caller, entry) = entry();
            return Some((SendHandle::Caller(caller), ReceiveHandle::Entry(entry)));
        }
        Object::Port { delivery, .. } => delivery,
        _ => return None,
    };
    let (sender, receiver) = port(match delivery {
        program::Delivery::Channel => {
            let (sender, receiver) = mpsc::channel();
            return Some((SendHandle::Channel(sender), ReceiveHandle::Channel(receiver)));
        }
        program::Delivery::Mailbox => Delivery::Mailbox,
        program::Delivery::Fifo => Delivery::Fifo,
        program::Delivery::Causal => Delivery::Causal,
        program::Delivery::Bag => Delivery::Bag,
    });
    Some((SendHandle::Port(sender), ReceiveHandle::Port(receiver)))
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
        Object::Port { .. } | Object::Buffer { .. } | Object::Entry { .. } => Shared::Handles,
    }
}
