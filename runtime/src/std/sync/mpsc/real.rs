//! The standard library's channels, for use outside a program under test, and what [`select!`](macro@crate::select) needs
//! of them.
//!
//! Such a channel cannot be inspected, so a select that polls it ([`Receiver::probe`]) takes the message and leaves it in a
//! slot, from which every receive takes it first. Every send, and every drop of a sender, rings for selects afterwards.
//!
//! A sender of a channel that holds nothing (a rendezvous) waits inside the standard library, and cannot ring once it does.
//! So it promises its message first, and a select that finds a promise receives: it will not wait long.
//!
//! All of this is never inlined into programs under test: the standard library's code is larger than this crate's.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};
use std::sync::mpsc::{self, RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};
use std::time::Duration;

use crate::mailbox::ring_for_selects;
use crate::select::Probe;
use insyn_engine::access::refuse_to_block;

pub(super) fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let (tx, rx) = mpsc::channel();
    (Sender { tx, _end: End }, Receiver { slot: Cell::new(None), rx, promises: None })
}

pub(super) fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let (tx, rx) = mpsc::sync_channel(bound);
    let promises = (bound == 0).then(Arc::<Promises>::default);
    (
        SyncSender { tx, promises: promises.clone(), _end: End },
        Receiver { slot: Cell::new(None), rx, promises },
    )
}

/// How many messages of a rendezvous were promised but not received yet. A message that was not promised, because a receive
/// took it at once, is counted after it was sent; so the number may be below zero for a moment, but is never too large.
#[derive(Default)]
struct Promises(AtomicIsize);

impl Promises {
    fn add(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
        ring_for_selects();
    }

    fn remove(&self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }

    /// Whether a sender is there or on its way. Only the receiver can know: it alone takes what was promised.
    fn any(&self) -> bool {
        self.0.load(Ordering::Relaxed) > 0
    }
}

/// Wakes selects when a sender is dropped: it may have been the last one.
#[derive(Clone)]
struct End;

impl Drop for End {
    fn drop(&mut self) {
        ring_for_selects();
    }
}

pub(super) struct Sender<T> {
    tx: mpsc::Sender<T>,
    /// Fields are dropped in order, and this comes after the sender.
    _end: End,
}

impl<T> Sender<T> {
    #[inline(never)]
    pub(super) fn send(&self, message: T) -> Result<(), SendError<T>> {
        self.tx.send(message)?;
        ring_for_selects();
        Ok(())
    }
}

impl<T> Clone for Sender<T> {
    fn clone(&self) -> Self {
        Sender { tx: self.tx.clone(), _end: End }
    }
}

pub(super) struct SyncSender<T> {
    tx: mpsc::SyncSender<T>,
    promises: Option<Arc<Promises>>,
    /// As in a [`Sender`].
    _end: End,
}

impl<T> SyncSender<T> {
    #[inline(never)]
    #[track_caller]
    pub(super) fn send(&self, message: T) -> Result<(), SendError<T>> {
        let message = match self.try_send(message) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Disconnected(message)) => return Err(SendError(message)),
            Err(TrySendError::Full(message)) => message,
        };
        refuse_to_block();
        if let Some(promises) = &self.promises {
            promises.add();
            return self.tx.send(message);
        }
        self.tx.send(message)?;
        ring_for_selects();
        Ok(())
    }

    #[inline(never)]
    pub(super) fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        self.tx.try_send(message)?;
        match &self.promises {
            Some(promises) => promises.add(),
            None => ring_for_selects(),
        }
        Ok(())
    }
}

impl<T> Clone for SyncSender<T> {
    fn clone(&self) -> Self {
        SyncSender { tx: self.tx.clone(), promises: self.promises.clone(), _end: End }
    }
}

pub(super) struct Receiver<T> {
    /// The message that a select has probed and no receive has taken yet. It came first, and is dropped first.
    slot: Cell<Option<T>>,
    rx: mpsc::Receiver<T>,
    promises: Option<Arc<Promises>>,
}

impl<T> Receiver<T> {
    #[inline(never)]
    #[track_caller]
    pub(super) fn recv(&self) -> Result<T, RecvError> {
        match self.try_recv() {
            Ok(message) => Ok(message),
            Err(TryRecvError::Disconnected) => Err(RecvError),
            Err(TryRecvError::Empty) => {
                refuse_to_block();
                self.counted(self.rx.recv())
            }
        }
    }

    #[inline(never)]
    pub(super) fn try_recv(&self) -> Result<T, TryRecvError> {
        match self.slot.take() {
            Some(message) => Ok(message),
            None => self.counted(self.rx.try_recv()),
        }
    }

    #[inline(never)]
    #[track_caller]
    pub(super) fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        match self.try_recv() {
            Ok(message) => Ok(message),
            Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
            Err(TryRecvError::Empty) => {
                refuse_to_block();
                self.counted(self.rx.recv_timeout(timeout))
            }
        }
    }

    /// Takes the message that a select has probed, or that was promised to it.
    #[inline(never)]
    pub(super) fn take(&self) -> T {
        self.try_recv()
            .or_else(|_| self.counted(self.rx.recv()))
            .unwrap_or_else(|_| unreachable!("the select saw a message"))
    }

    /// A message that has come out of the channel is promised no longer.
    fn counted<E>(&self, received: Result<T, E>) -> Result<T, E> {
        if let (Ok(_), Some(promises)) = (&received, &self.promises) {
            promises.remove();
        }
        received
    }
}

impl<T> Probe for Receiver<T> {
    fn probe(&self) -> (bool, bool) {
        match self.try_recv() {
            Ok(message) => {
                self.slot.set(Some(message));
                (true, true)
            }
            // Receiving a promised message is deferred: its sender may still have to ring.
            Err(TryRecvError::Empty) => (self.promises.as_deref().is_some_and(Promises::any), true),
            Err(TryRecvError::Disconnected) => (false, false),
        }
    }
}
