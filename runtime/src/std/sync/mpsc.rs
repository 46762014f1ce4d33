//! Mirror of [`std::sync::mpsc`].

use std::cell::UnsafeCell;
use std::fmt;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::sync::mpsc as real;

use crate::execution::event::{Ix, Kind, Op};
use crate::execution::objects::{self, answer};
use crate::execution::ports::{self, Delivery, Patience, Received};
use crate::execution::shared::Shared;
use crate::execution::{NOWHERE, Place, alive, current, of, refuse_to_block};
use crate::select::{Receive, Source, Ticket};

pub use std::sync::mpsc::{RecvError, SendError, TryRecvError};

/// Makes a channel that is never full. See [`std::sync::mpsc::channel`].
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let Some(x) = current() else {
        let (tx, rx) = real::channel();
        return (Sender(Side::Real(tx)), Receiver(Side::Real(rx)));
    };
    let stamp = x.stamp();
    let object = ports::new_port(stamp, Kind::Channel, Delivery::Mailbox);
    let (tx, rx) = Channel::pair(stamp, object, Flavor::Port);
    (Sender(Side::Controlled(tx)), Receiver(Side::Controlled(rx)))
}

/// Makes a channel that holds at most `bound` messages; with none, sender and receiver meet. See
/// [`std::sync::mpsc::sync_channel`].
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let Some(x) = current() else {
        let (tx, rx) = real::sync_channel(bound);
        return (SyncSender(Side::Real(tx)), Receiver(Side::Real(rx)));
    };
    let stamp = x.stamp();
    let kind = if bound == 0 { Kind::Rendezvous } else { Kind::Bounded };
    let object = objects::new_object(stamp, kind, bound as u64, 0);
    let (tx, rx) = Channel::pair(stamp, object, Flavor::Bounded);
    (SyncSender(Side::Controlled(tx)), Receiver(Side::Controlled(rx)))
}

enum Side<R, C> {
    Real(R),
    Controlled(C),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flavor {
    Port,
    Bounded,
}

/// A channel under control: the engine knows which message is where by the event that sent it; the messages themselves
/// are here.
pub(crate) struct Channel<T> {
    pub(crate) stamp: u64,
    pub(crate) object: u32,
    flavor: Flavor,
    messages: UnsafeCell<Vec<(Ix, T)>>,
}

// SAFETY: everything under control runs on one OS thread; messages are touched only between two suspensions, and only
// while the execution that made the channel is running there ([`of`] checks that). Moving the handles between the
// program's own threads moves messages, hence `T: Send`.
unsafe impl<T: Send> Send for Channel<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Channel<T> {}

impl<T> Channel<T> {
    pub(crate) fn new(stamp: u64, object: u32, flavor: Flavor) -> Shared<Self> {
        // Room for a few, so that a short run allocates once.
        let room = if size_of::<T>() <= 64 { 8 } else { 0 };
        let messages = UnsafeCell::new(Vec::with_capacity(room));
        Shared::new(stamp, Channel { stamp, object, flavor, messages })
    }

    fn pair(stamp: u64, object: u32, flavor: Flavor) -> (Tx<T>, Rx<T>) {
        let channel = Channel::new(stamp, object, flavor);
        (Tx(channel.clone()), Rx(channel))
    }

    fn put(&self, event: Ix, message: T) {
        // SAFETY: see the impl of `Send`; no user code runs while the reference lives.
        unsafe { (*self.messages.get()).push((event, message)) }
    }

    pub(crate) fn take(&self, event: Ix) -> T {
        // SAFETY: as above.
        let messages = unsafe { &mut *self.messages.get() };
        let at = messages.iter().position(|m| m.0 == event).expect("a message that was sent is here");
        messages.swap_remove(at).1
    }

    /// Sends, or gives the message back if the receiver is gone.
    pub(crate) fn send(&self, op: Op, message: T, place: Place) -> Result<(), T> {
        if current().is_none() {
            // The program is over; nobody is at the other end.
            return Err(message);
        }
        match self.flavor {
            Flavor::Port => match ports::send(self.stamp, self.object, op, place) {
                Ok(event) => {
                    self.put(event, message);
                    Ok(())
                }
                Err(()) => Err(message),
            },
            Flavor::Bounded => {
                let put = |event| self.put(event, message);
                let (event, answer) = objects::call_as(self.stamp, self.object, Op::Put, place, put);
                if answer == answer::YES { Ok(()) } else { Err(self.take(event)) }
            }
        }
    }

    pub(crate) fn receive(&self, patience: Patience, place: Place) -> Result<T, TryRecvError> {
        if current().is_none() {
            return Err(TryRecvError::Disconnected);
        }
        match self.flavor {
            Flavor::Port => match ports::receive(self.stamp, &[self.object], patience, place) {
                Received::Message { send, .. } => Ok(self.take(send)),
                Received::Closed => Err(TryRecvError::Disconnected),
                Received::Nothing => Err(TryRecvError::Empty),
            },
            Flavor::Bounded => {
                let op = if patience == Patience::Wait { Op::Take } else { Op::TryTake };
                match objects::call(self.stamp, self.object, op, place) {
                    answer::DISCONNECTED => Err(TryRecvError::Disconnected),
                    answer::EMPTY => Err(TryRecvError::Empty),
                    put => Ok(self.take((put - answer::MESSAGE) as Ix)),
                }
            }
        }
    }

    /// The receiver is dropped, and with it every message that was delivered.
    pub(crate) fn drop_receiver(&self) {
        match self.flavor {
            Flavor::Port => ports::drop_receiver(self.stamp, self.object, NOWHERE),
            Flavor::Bounded => objects::call_in_drop(self.stamp, self.object, Op::DropReceiver, NOWHERE),
        }
        let Some(x) = alive(self.stamp) else { return };
        let object = &mut x.objects[self.object as usize];
        let mut delivered: Vec<Ix> = match self.flavor {
            Flavor::Port => object.unreceived.clone(),
            Flavor::Bounded => object.inside.drain(..).collect(),
        };
        delivered.sort_unstable();
        for event in delivered {
            drop(self.take(event));
        }
    }
}

/// The sending side of a controlled channel; cloning and dropping it counts.
struct Tx<T>(Shared<Channel<T>>);

impl<T> Clone for Tx<T> {
    fn clone(&self) -> Self {
        ports::clone_sender(self.0.stamp, self.0.object);
        Tx(self.0.clone())
    }
}

impl<T> Drop for Tx<T> {
    fn drop(&mut self) {
        ports::drop_sender(self.0.stamp, self.0.object, NOWHERE);
    }
}

/// The receiving side of a controlled channel.
struct Rx<T>(Shared<Channel<T>>);

impl<T> Drop for Rx<T> {
    fn drop(&mut self) {
        self.0.drop_receiver();
    }
}

// As the standard library's are.
impl<T> UnwindSafe for Sender<T> {}
impl<T> RefUnwindSafe for Sender<T> {}
impl<T> UnwindSafe for SyncSender<T> {}
impl<T> RefUnwindSafe for SyncSender<T> {}
impl<T> UnwindSafe for Receiver<T> {}
impl<T> RefUnwindSafe for Receiver<T> {}

/// Sends on a channel that is never full. See [`std::sync::mpsc::Sender`].
pub struct Sender<T>(Side<real::Sender<T>, Tx<T>>);

impl<T> Sender<T> {
    /// Sends; never waits. See [`std::sync::mpsc::Sender::send`].
    ///
    /// # Errors
    /// The message, if the receiver is gone.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        match &self.0 {
            Side::Real(tx) => tx.send(message),
            Side::Controlled(tx) => tx.0.send(Op::Send, message, Location::caller()).map_err(SendError),
        }
    }
}

/// Sends on a channel that can be full. See [`std::sync::mpsc::SyncSender`].
pub struct SyncSender<T>(Side<real::SyncSender<T>, Tx<T>>);

impl<T> SyncSender<T> {
    /// Sends, waiting for room, or for the receiver if the channel holds nothing. See
    /// [`std::sync::mpsc::SyncSender::send`].
    ///
    /// # Errors
    /// The message, if the receiver is gone.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        match &self.0 {
            Side::Real(tx) => match tx.try_send(message) {
                Ok(()) => Ok(()),
                Err(real::TrySendError::Disconnected(message)) => Err(SendError(message)),
                Err(real::TrySendError::Full(message)) => {
                    refuse_to_block();
                    tx.send(message)
                }
            },
            Side::Controlled(tx) => tx.0.send(Op::Put, message, Location::caller()).map_err(SendError),
        }
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Sender(match &self.0 {
            Side::Real(tx) => Side::Real(tx.clone()),
            Side::Controlled(tx) => Side::Controlled(tx.clone()),
        })
    }
}

impl<T> Clone for SyncSender<T> {
    fn clone(&self) -> Self {
        SyncSender(match &self.0 {
            Side::Real(tx) => Side::Real(tx.clone()),
            Side::Controlled(tx) => Side::Controlled(tx.clone()),
        })
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sender").finish_non_exhaustive()
    }
}

impl<T> fmt::Debug for SyncSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncSender").finish_non_exhaustive()
    }
}

/// Receives. See [`std::sync::mpsc::Receiver`].
pub struct Receiver<T>(Side<real::Receiver<T>, Rx<T>>);

impl<T> Receiver<T> {
    /// Waits for a message. See [`std::sync::mpsc::Receiver::recv`].
    ///
    /// # Errors
    /// If no message is left and every sender is gone.
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        self.recv_at(Location::caller())
    }

    fn recv_at(&self, place: Place) -> Result<T, RecvError> {
        match &self.0 {
            Side::Real(rx) => match rx.try_recv() {
                Ok(message) => Ok(message),
                Err(TryRecvError::Disconnected) => Err(RecvError),
                Err(TryRecvError::Empty) => {
                    refuse_to_block();
                    rx.recv()
                }
            },
            Side::Controlled(rx) => rx.0.receive(Patience::Wait, place).map_err(|_| RecvError),
        }
    }

    /// Takes a message if there is one. See [`std::sync::mpsc::Receiver::try_recv`].
    ///
    /// # Errors
    /// If there is none now, or if there will never be one.
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.try_recv_at(Location::caller())
    }

    fn try_recv_at(&self, place: Place) -> Result<T, TryRecvError> {
        match &self.0 {
            Side::Real(rx) => rx.try_recv(),
            Side::Controlled(rx) => rx.0.receive(Patience::None, place),
        }
    }

    /// Messages until every sender is gone. See [`std::sync::mpsc::Receiver::iter`].
    #[track_caller]
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { receiver: self, place: Location::caller() }
    }

    /// Messages until there is none. See [`std::sync::mpsc::Receiver::try_iter`].
    #[track_caller]
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter { receiver: self, place: Location::caller() }
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Receiver").finish_non_exhaustive()
    }
}

/// See [`Receiver::iter`]. (An iterator is driven from inside the standard library, so it remembers where it was made.)
#[derive(Debug)]
pub struct Iter<'a, T: 'a> {
    receiver: &'a Receiver<T>,
    place: Place,
}

/// See [`Receiver::try_iter`].
#[derive(Debug)]
pub struct TryIter<'a, T: 'a> {
    receiver: &'a Receiver<T>,
    place: Place,
}

/// A receiver's messages, by value.
#[derive(Debug)]
pub struct IntoIter<T> {
    receiver: Receiver<T>,
    place: Place,
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        self.receiver.recv_at(self.place).ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        self.receiver.try_recv_at(self.place).ok()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;
    fn next(&mut self) -> Option<T> {
        self.receiver.recv_at(self.place).ok()
    }
}

impl<'a, T> IntoIterator for &'a Receiver<T> {
    type Item = T;
    type IntoIter = Iter<'a, T>;
    #[track_caller]
    fn into_iter(self) -> Iter<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for Receiver<T> {
    type Item = T;
    type IntoIter = IntoIter<T>;
    #[track_caller]
    fn into_iter(self) -> IntoIter<T> {
        IntoIter { receiver: self, place: Location::caller() }
    }
}

impl<T> Receive for Receiver<T> {
    type Message = T;

    fn source(&self) -> Source<'_> {
        match &self.0 {
            Side::Real(_) => panic!(
                "insyn::select! on a std channel works only inside a program under test; use insyn::sync::port"
            ),
            Side::Controlled(rx) if rx.0.flavor == Flavor::Bounded => panic!(
                "insyn::select! cannot receive from a bounded channel: a select over bounded channels is one call \
                 that is open on several objects, which is not supported yet"
            ),
            Side::Controlled(rx) => {
                of(rx.0.stamp);
                Source::controlled(rx.0.stamp, rx.0.object)
            }
        }
    }

    fn take(&self, ticket: Ticket) -> T {
        match &self.0 {
            Side::Controlled(rx) => rx.0.take(ticket.event()),
            Side::Real(_) => unreachable!("`source` has refused it"),
        }
    }
}
