//! Replacement for [`std::sync::mpsc`].
//!
//! Under control, insyn explores which message a receive gets, whether a `try_recv` finds one, whether a timeout fires, and
//! whether a send finds the receiver gone. Messages in one channel arrive in the order of one queue.
//!
//! ```
//! use insyn::std::sync::mpsc;
//! use insyn::std::thread;
//!
//! let exploration = insyn::explore(|| {
//!     let (tx, rx) = mpsc::channel();
//!     for n in 0..3 {
//!         let tx = tx.clone();
//!         thread::spawn(move || tx.send(n).unwrap());
//!     }
//!     drop(tx);
//!     assert_eq!(rx.iter().sum::<u32>(), 3);
//! });
//! assert_eq!(exploration.sequences, 6); // The messages of three senders come in any order.
//! assert!(exploration.failures.is_empty());
//! ```

mod real;

use std::fmt;
use std::mem::needs_drop;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::time::Duration;

pub(crate) use crate::backend::Backend;
use crate::channel::Channel;
use crate::channel::{Refused, Rx, Tx};
use crate::select::{Receive, Source, Ticket};
use insyn_engine::access::{current_execution, with};
use insyn_engine::ports::receives::Blocking;
use insyn_engine::{Place, channels};

pub use std::sync::mpsc::{RecvError, RecvTimeoutError, SendError, TryRecvError, TrySendError};

/// Makes a channel that is never full. See [`std::sync::mpsc::channel`].
///
/// ```
/// let (tx, rx) = insyn::std::sync::mpsc::channel();
/// tx.send(1).unwrap();
/// assert_eq!(rx.recv(), Ok(1));
/// ```
pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
    let Some(execution) = current_execution() else {
        let (tx, rx) = real::channel();
        return (Sender(Backend::Real(tx)), Receiver(Backend::Real(Box::new(rx))));
    };
    let (tx, rx) = Channel::pair(execution, None, false);
    if !needs_drop::<T>() {
        channels::stays_port(tx.0.execution, tx.0.object);
    }
    (Sender(Backend::Controlled(tx)), Receiver(Backend::Controlled(rx)))
}

/// Makes a channel that holds at most `bound` messages; if it holds none, a send waits for a receive. See
/// [`std::sync::mpsc::sync_channel`].
///
/// ```
/// use insyn::std::sync::mpsc::{TrySendError, sync_channel};
///
/// let (tx, rx) = sync_channel(1);
/// tx.send(1).unwrap();
/// assert_eq!(tx.try_send(2), Err(TrySendError::Full(2)));
/// assert_eq!(rx.recv(), Ok(1));
/// ```
pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
    let Some(execution) = current_execution() else {
        let (tx, rx) = real::sync_channel(bound);
        return (SyncSender(Backend::Real(tx)), Receiver(Backend::Real(Box::new(rx))));
    };
    let (tx, rx) = Channel::pair(execution, Some(bound), false);
    (SyncSender(Backend::Controlled(tx)), Receiver(Backend::Controlled(rx)))
}

// As the standard library's are.
impl<T> UnwindSafe for Sender<T> {}
impl<T> RefUnwindSafe for Sender<T> {}
impl<T> UnwindSafe for SyncSender<T> {}
impl<T> RefUnwindSafe for SyncSender<T> {}
impl<T> UnwindSafe for Receiver<T> {}
impl<T> RefUnwindSafe for Receiver<T> {}

/// Sends on a channel that is never full. See [`std::sync::mpsc::Sender`].
///
/// ```
/// let (tx, rx) = insyn::std::sync::mpsc::channel();
/// let another = tx.clone();
/// drop(tx);
/// another.send("still open").unwrap();
/// drop(another);
/// assert_eq!(rx.iter().collect::<Vec<_>>(), ["still open"]);
/// ```
pub struct Sender<T>(Backend<real::Sender<T>, Tx<T>>);

impl<T> Sender<T> {
    /// Sends; never waits. See [`std::sync::mpsc::Sender::send`].
    ///
    /// ```
    /// let (tx, rx) = insyn::std::sync::mpsc::channel();
    /// drop(rx);
    /// assert_eq!(tx.send(1).unwrap_err().0, 1);
    /// ```
    ///
    /// # Errors
    /// The message, if the receiver is gone.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        match &self.0 {
            Backend::Real(tx) => tx.send(message),
            Backend::Controlled(tx) => match tx.0.offer(message, Blocking::Wait, Location::caller()) {
                Ok(()) => Ok(()),
                Err(Refused::Full(message) | Refused::Gone(message)) => Err(SendError(message)),
            },
        }
    }
}

/// Sends on a channel that can be full. See [`std::sync::mpsc::SyncSender`].
///
/// ```
/// let (tx, rx) = insyn::std::sync::mpsc::sync_channel(2);
/// tx.clone().send(1).unwrap();
/// tx.send(2).unwrap();
/// assert_eq!(rx.try_iter().collect::<Vec<_>>(), [1, 2]);
/// ```
pub struct SyncSender<T>(Backend<real::SyncSender<T>, Tx<T>>);

impl<T> SyncSender<T> {
    /// Sends, waiting for room, or for the receiver if the channel holds nothing. See
    /// [`std::sync::mpsc::SyncSender::send`].
    ///
    /// ```
    /// use insyn::std::sync::mpsc::sync_channel;
    /// use insyn::std::thread;
    ///
    /// let (tx, rx) = sync_channel(0);
    /// let sender = thread::spawn(move || tx.send("met").unwrap());
    /// assert_eq!(rx.recv(), Ok("met"));
    /// sender.join().unwrap();
    /// ```
    ///
    /// # Errors
    /// The message, if the receiver is gone.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        match &self.0 {
            Backend::Real(tx) => tx.send(message),
            Backend::Controlled(tx) => match tx.0.offer(message, Blocking::Wait, Location::caller()) {
                Ok(()) => Ok(()),
                Err(Refused::Full(message) | Refused::Gone(message)) => Err(SendError(message)),
            },
        }
    }

    /// Sends if there is room, or if a receiver waits. See [`std::sync::mpsc::SyncSender::try_send`]. A
    /// [`select!`](macro@crate::select) that waits to receive takes messages from [`send`](Self::send), but not from
    /// `try_send`.
    ///
    /// ```
    /// use insyn::std::sync::mpsc::{TrySendError, sync_channel};
    ///
    /// let (tx, rx) = sync_channel(0);
    /// assert_eq!(tx.try_send(1), Err(TrySendError::Full(1))); // No thread waits to receive.
    /// drop(rx);
    /// assert_eq!(tx.try_send(2), Err(TrySendError::Disconnected(2)));
    /// ```
    ///
    /// # Errors
    /// The message, if there is no room or the receiver is gone.
    #[track_caller]
    pub fn try_send(&self, message: T) -> Result<(), TrySendError<T>> {
        match &self.0 {
            Backend::Real(tx) => tx.try_send(message),
            Backend::Controlled(tx) => match tx.0.offer(message, Blocking::Try, Location::caller()) {
                Ok(()) => Ok(()),
                Err(Refused::Full(message)) => Err(TrySendError::Full(message)),
                Err(Refused::Gone(message)) => Err(TrySendError::Disconnected(message)),
            },
        }
    }
}

impl<T> Clone for Sender<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        Sender(self.0.clone())
    }
}

impl<T> Clone for SyncSender<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        SyncSender(self.0.clone())
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

/// The receiving side of a channel. See [`std::sync::mpsc::Receiver`].
///
/// ```
/// use insyn::std::sync::mpsc::{RecvError, channel};
///
/// let (tx, rx) = channel();
/// tx.send(1).unwrap();
/// drop(tx);
/// assert_eq!(rx.recv(), Ok(1)); // What was sent before the last sender went is still there.
/// assert_eq!(rx.recv(), Err(RecvError));
/// ```
pub struct Receiver<T>(Backend<Box<real::Receiver<T>>, Rx<T>>);

impl<T> Receiver<T> {
    /// Waits for a message. See [`std::sync::mpsc::Receiver::recv`].
    ///
    /// ```
    /// use insyn::std::sync::mpsc::channel;
    /// use insyn::std::thread;
    ///
    /// let (tx, rx) = channel();
    /// thread::spawn(move || tx.send(1).unwrap());
    /// assert_eq!(rx.recv(), Ok(1));
    /// ```
    ///
    /// # Errors
    /// If no message is left and every sender is gone.
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        self.recv_at(Location::caller())
    }

    #[track_caller]
    fn recv_at(&self, place: Place) -> Result<T, RecvError> {
        match &self.0 {
            Backend::Real(rx) => rx.recv(),
            Backend::Controlled(rx) => rx.0.receive(Blocking::Wait, place).map_err(|_| RecvError),
        }
    }

    /// Takes a message if there is one. See [`std::sync::mpsc::Receiver::try_recv`].
    ///
    /// ```
    /// use insyn::std::sync::mpsc::{TryRecvError, channel};
    ///
    /// let (tx, rx) = channel::<()>();
    /// assert_eq!(rx.try_recv(), Err(TryRecvError::Empty));
    /// drop(tx);
    /// assert_eq!(rx.try_recv(), Err(TryRecvError::Disconnected));
    /// ```
    ///
    /// # Errors
    /// If there is none now, or if there will never be one.
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        self.try_recv_at(Location::caller())
    }

    #[track_caller]
    fn try_recv_at(&self, place: Place) -> Result<T, TryRecvError> {
        match &self.0 {
            Backend::Real(rx) => rx.try_recv(),
            Backend::Controlled(rx) => rx.0.receive(Blocking::Try, place),
        }
    }

    /// Waits for a message, but no longer than this. See [`std::sync::mpsc::Receiver::recv_timeout`]. Under control it may
    /// time out at any point where no message is sure to be there, however long the timeout is.
    ///
    /// ```
    /// use insyn::std::sync::mpsc::{RecvTimeoutError, channel};
    /// use std::time::Duration;
    ///
    /// let exploration = insyn::explore(|| {
    ///     let (tx, rx) = channel::<()>();
    ///     assert_eq!(rx.recv_timeout(Duration::from_secs(60)), Err(RecvTimeoutError::Timeout));
    ///     drop(tx);
    ///     assert_eq!(rx.recv_timeout(Duration::from_secs(60)), Err(RecvTimeoutError::Disconnected));
    /// });
    /// assert!(exploration.failures.is_empty());
    /// ```
    ///
    /// # Errors
    /// If none came in time, or if there will never be one.
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        let got = match &self.0 {
            Backend::Real(rx) => return rx.recv_timeout(timeout),
            Backend::Controlled(rx) => rx.0.receive_within(timeout, Location::caller()),
        };
        got.map_err(|e| match e {
            TryRecvError::Empty => RecvTimeoutError::Timeout,
            TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
        })
    }

    /// Messages until every sender is gone. See [`std::sync::mpsc::Receiver::iter`].
    ///
    /// ```
    /// let (tx, rx) = insyn::std::sync::mpsc::channel();
    /// (0..3).for_each(|n| tx.send(n).unwrap());
    /// drop(tx);
    /// assert_eq!(rx.iter().collect::<Vec<_>>(), [0, 1, 2]);
    /// ```
    #[track_caller]
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { receiver: self, place: Location::caller() }
    }

    /// Messages until there is none. See [`std::sync::mpsc::Receiver::try_iter`].
    ///
    /// ```
    /// let (tx, rx) = insyn::std::sync::mpsc::channel();
    /// tx.send(1).unwrap();
    /// assert_eq!(rx.try_iter().collect::<Vec<_>>(), [1]);
    /// # drop(tx);
    /// ```
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
pub struct Iter<'a, T: 'a> {
    receiver: &'a Receiver<T>,
    place: Place,
}

/// See [`Receiver::try_iter`].
pub struct TryIter<'a, T: 'a> {
    receiver: &'a Receiver<T>,
    place: Place,
}

/// A receiver's messages, by value.
///
/// ```
/// let (tx, rx) = insyn::std::sync::mpsc::channel();
/// tx.send(1).unwrap();
/// drop(tx);
/// for message in rx {
///     assert_eq!(message, 1);
/// }
/// ```
pub struct IntoIter<T> {
    receiver: Receiver<T>,
    place: Place,
}

impl<T> fmt::Debug for Iter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Iter").field("rx", self.receiver).finish()
    }
}

impl<T> fmt::Debug for TryIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TryIter").field("rx", self.receiver).finish()
    }
}

impl<T> fmt::Debug for IntoIter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IntoIter").field("rx", &self.receiver).finish()
    }
}

impl<T> Iterator for Iter<'_, T> {
    type Item = T;
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.recv_at(self.place).ok()
    }
}

impl<T> Iterator for TryIter<'_, T> {
    type Item = T;
    #[track_caller]
    fn next(&mut self) -> Option<T> {
        self.receiver.try_recv_at(self.place).ok()
    }
}

impl<T> Iterator for IntoIter<T> {
    type Item = T;
    #[track_caller]
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
            Backend::Real(rx) => Source::real(&**rx),
            Backend::Controlled(rx) if !rx.0.is_port() => panic!(
                "insyn::select! receives from channels that are never full and whose receives are ordered; use \
                 insyn::crossbeam_channel and its select! for others"
            ),
            Backend::Controlled(rx) => {
                with(rx.0.execution, |_| ());
                Source::controlled(rx.0.execution, rx.0.object)
            }
        }
    }

    fn take(&self, ticket: Ticket) -> T {
        match &self.0 {
            Backend::Controlled(rx) => rx.0.take(ticket.event()),
            Backend::Real(rx) => rx.take(),
        }
    }
}
