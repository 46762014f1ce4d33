//! The sending side of a channel.

use std::fmt;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::time::Duration;

use ::crossbeam_channel as real;
use real::{SendError, SendTimeoutError, TrySendError};

use super::moment::{Instant, Limit, to_real};
use crate::backend::Backend;
use crate::channel::{Refused, Tx};
use insyn_engine::access::refuse_to_block;
use insyn_engine::ports::receives::Blocking;

/// The sending side of a channel. See `crossbeam_channel::Sender`.
///
/// ```
/// use insyn::crossbeam_channel::{Sender, unbounded};
///
/// let (s, r): (Sender<&str>, _) = unbounded();
/// let another = s.clone();
/// s.send("one").unwrap();
/// another.send("two").unwrap();
/// drop((s, another));
/// assert_eq!(r.iter().collect::<Vec<_>>(), ["one", "two"]);
/// ```
pub struct Sender<T>(pub(super) Backend<real::Sender<T>, Tx<T>>);

// As crossbeam's are.
impl<T> UnwindSafe for Sender<T> {}
impl<T> RefUnwindSafe for Sender<T> {}

impl<T> Sender<T> {
    pub(super) fn real(s: real::Sender<T>) -> Self {
        Sender(Backend::Real(s))
    }

    pub(super) fn controlled(tx: Tx<T>) -> Self {
        Sender(Backend::Controlled(tx))
    }

    /// Sends if there is room, or if a receiver waits. See `crossbeam_channel::Sender::try_send`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{TrySendError, bounded};
    ///
    /// let (s, r) = bounded(1);
    /// assert_eq!(s.try_send(1), Ok(()));
    /// assert_eq!(s.try_send(2), Err(TrySendError::Full(2)));
    /// drop(r);
    /// assert_eq!(s.try_send(3), Err(TrySendError::Disconnected(3)));
    /// ```
    ///
    /// # Errors
    /// The message, if there is no room or every receiver is gone.
    #[track_caller]
    pub fn try_send(&self, msg: T) -> Result<(), TrySendError<T>> {
        match &self.0 {
            Backend::Real(s) => s.try_send(msg),
            Backend::Controlled(tx) => {
                tx.0.offer(msg, Blocking::Try, Location::caller()).map_err(|refused| match refused {
                    Refused::Full(msg) => TrySendError::Full(msg),
                    Refused::Gone(msg) => TrySendError::Disconnected(msg),
                })
            }
        }
    }

    /// Sends, waiting for room. See `crossbeam_channel::Sender::send`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{SendError, unbounded};
    ///
    /// let (s, r) = unbounded();
    /// assert_eq!(s.send(1), Ok(()));
    /// drop(r);
    /// assert_eq!(s.send(2), Err(SendError(2)));
    /// ```
    ///
    /// # Errors
    /// The message, if every receiver is gone.
    #[track_caller]
    pub fn send(&self, msg: T) -> Result<(), SendError<T>> {
        match &self.0 {
            Backend::Real(s) => match s.try_send(msg) {
                Ok(()) => Ok(()),
                Err(TrySendError::Disconnected(msg)) => Err(SendError(msg)),
                Err(TrySendError::Full(msg)) => {
                    refuse_to_block();
                    s.send(msg)
                }
            },
            Backend::Controlled(tx) => {
                let place = Location::caller();
                tx.0.offer(msg, Blocking::Wait, place)
                    .map_err(|(Refused::Full(msg) | Refused::Gone(msg))| SendError(msg))
            }
        }
    }

    /// Sends, waiting for room no longer than this. See `crossbeam_channel::Sender::send_timeout`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{SendTimeoutError, bounded};
    /// use std::time::Duration;
    ///
    /// let (s, r) = bounded(0);
    /// let in_time = s.send_timeout(1, Duration::from_millis(1));
    /// assert_eq!(in_time, Err(SendTimeoutError::Timeout(1)));
    /// # drop(r);
    /// ```
    ///
    /// # Errors
    /// The message, if there was no room in time or every receiver is gone.
    #[track_caller]
    pub fn send_timeout(&self, msg: T, timeout: Duration) -> Result<(), SendTimeoutError<T>> {
        match &self.0 {
            Backend::Real(s) => self.send_really(s, msg, |s, msg| s.send_timeout(msg, timeout)),
            Backend::Controlled(tx) => {
                tx.0.offer_within(msg, timeout, Location::caller()).map_err(|refused| match refused {
                    Refused::Full(msg) => SendTimeoutError::Timeout(msg),
                    Refused::Gone(msg) => SendTimeoutError::Disconnected(msg),
                })
            }
        }
    }

    /// Sends, waiting for room no longer than until `deadline`. See `crossbeam_channel::Sender::send_deadline`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{SendTimeoutError, bounded};
    /// use insyn::std::time::Instant;
    ///
    /// let (s, r) = bounded(0);
    /// assert_eq!(s.send_deadline(1, Instant::now()), Err(SendTimeoutError::Timeout(1)));
    /// # drop(r);
    /// ```
    ///
    /// # Errors
    /// The message, if there was no room in time or every receiver is gone.
    #[track_caller]
    pub fn send_deadline(&self, msg: T, deadline: Instant) -> Result<(), SendTimeoutError<T>> {
        match &self.0 {
            Backend::Real(s) => self.send_really(s, msg, |s, msg| s.send_deadline(msg, to_real(deadline))),
            Backend::Controlled(_) => self.send_timeout(msg, Limit::Until(deadline).left()),
        }
    }

    /// Sends at once if that is possible, otherwise as `wait` does.
    #[track_caller]
    fn send_really(
        &self,
        s: &real::Sender<T>,
        msg: T,
        wait: impl FnOnce(&real::Sender<T>, T) -> Result<(), SendTimeoutError<T>>,
    ) -> Result<(), SendTimeoutError<T>> {
        match s.try_send(msg) {
            Ok(()) => Ok(()),
            Err(TrySendError::Disconnected(msg)) => Err(SendTimeoutError::Disconnected(msg)),
            Err(TrySendError::Full(msg)) => {
                refuse_to_block();
                wait(s, msg)
            }
        }
    }

    /// Whether no message is inside. Always true for a channel that holds none. See `crossbeam_channel::Sender::is_empty`.
    ///
    /// ```
    /// let (s, r) = insyn::crossbeam_channel::unbounded();
    /// assert!(s.is_empty());
    /// s.send(1).unwrap();
    /// assert!(!s.is_empty());
    /// # drop(r);
    /// ```
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there is no room. Always true for a channel that holds none. See `crossbeam_channel::Sender::is_full`.
    ///
    /// ```
    /// let (s, r) = insyn::crossbeam_channel::bounded(1);
    /// assert!(!s.is_full());
    /// s.send(1).unwrap();
    /// assert!(s.is_full());
    /// # drop(r);
    /// ```
    #[track_caller]
    pub fn is_full(&self) -> bool {
        // Counting the messages is an event; a channel that is never full does not need it.
        self.capacity().is_some_and(|capacity| self.len() == capacity)
    }

    /// How many messages are inside. See `crossbeam_channel::Sender::len`.
    ///
    /// ```
    /// let (s, r) = insyn::crossbeam_channel::unbounded();
    /// s.send(1).unwrap();
    /// s.send(2).unwrap();
    /// assert_eq!(s.len(), 2);
    /// # drop(r);
    /// ```
    #[track_caller]
    pub fn len(&self) -> usize {
        match &self.0 {
            Backend::Real(s) => s.len(),
            Backend::Controlled(tx) => tx.0.len(Location::caller()),
        }
    }

    /// How many messages fit inside; none if there is no limit. See `crossbeam_channel::Sender::capacity`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{bounded, unbounded};
    ///
    /// assert_eq!(unbounded::<()>().0.capacity(), None);
    /// assert_eq!(bounded::<()>(5).0.capacity(), Some(5));
    /// ```
    pub fn capacity(&self) -> Option<usize> {
        match &self.0 {
            Backend::Real(s) => s.capacity(),
            Backend::Controlled(tx) => tx.0.capacity,
        }
    }

    /// Whether the other sender belongs to the same channel. See `crossbeam_channel::Sender::same_channel`.
    ///
    /// ```
    /// let (s, _r) = insyn::crossbeam_channel::unbounded::<()>();
    /// assert!(s.same_channel(&s.clone()));
    /// ```
    pub fn same_channel(&self, other: &Sender<T>) -> bool {
        match (&self.0, &other.0) {
            (Backend::Real(a), Backend::Real(b)) => a.same_channel(b),
            (Backend::Controlled(a), Backend::Controlled(b)) => a.0.is(&b.0),
            _ => false,
        }
    }
}

impl<T> Clone for Sender<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        Sender(match &self.0 {
            Backend::Real(s) => Backend::Real(s.clone()),
            Backend::Controlled(tx) => Backend::Controlled(tx.clone()),
        })
    }
}

impl<T> fmt::Debug for Sender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Sender { .. }")
    }
}
