//! The receiving side of a channel or a timer.

use std::fmt;
use std::iter::FusedIterator;
use std::panic::{Location, RefUnwindSafe, UnwindSafe};
use std::time::Duration;

use ::crossbeam_channel as real;
use real::{RecvError, RecvTimeoutError, TryRecvError};

use super::moment::{self, Instant, Limit};
use super::timer::{self, Timer};
use crate::channel::Rx;
use insyn_engine::Place;
use insyn_engine::access::refuse_to_block;
use insyn_engine::ports::receives::Blocking;
use insyn_engine::shared::Shared;

/// The receiving side of a channel or a timer. See `crossbeam_channel::Receiver`.
///
/// ```
/// use insyn::crossbeam_channel::{Receiver, RecvError, unbounded};
///
/// let (s, r): (_, Receiver<u32>) = unbounded();
/// s.send(1).unwrap();
/// drop(s);
/// assert_eq!(r.recv(), Ok(1)); // What was sent before the last sender went is still there.
/// assert_eq!(r.clone().recv(), Err(RecvError));
/// ```
pub struct Receiver<T>(pub(super) Which<T>);

pub(super) enum Which<T> {
    Real(real::Receiver<T>),
    RealTimer(real::Receiver<std::time::Instant>, fn(Instant) -> T),
    Controlled(Rx<T>),
    /// A timer's messages are made when they are taken; here `T` is always an instant.
    Timer(Shared<Timer>, fn(Instant) -> T),
    Never,
}

// As crossbeam's are.
impl<T> UnwindSafe for Receiver<T> {}
impl<T> RefUnwindSafe for Receiver<T> {}

impl<T> Receiver<T> {
    pub(super) fn real(r: real::Receiver<T>) -> Self {
        Receiver(Which::Real(r))
    }

    pub(super) fn controlled(rx: Rx<T>) -> Self {
        Receiver(Which::Controlled(rx))
    }

    /// Takes a message if there is one. See `crossbeam_channel::Receiver::try_recv`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{TryRecvError, unbounded};
    ///
    /// let (s, r) = unbounded();
    /// assert_eq!(r.try_recv(), Err(TryRecvError::Empty));
    /// s.send(1).unwrap();
    /// drop(s);
    /// assert_eq!(r.try_recv(), Ok(1));
    /// assert_eq!(r.try_recv(), Err(TryRecvError::Disconnected));
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
        self.receive(Limit::Now, place).map_err(|e| match e {
            RecvTimeoutError::Timeout => TryRecvError::Empty,
            RecvTimeoutError::Disconnected => TryRecvError::Disconnected,
        })
    }

    /// Waits for a message. See `crossbeam_channel::Receiver::recv`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::unbounded;
    /// use insyn::std::thread;
    ///
    /// let (s, r) = unbounded();
    /// thread::spawn(move || s.send(1).unwrap());
    /// assert_eq!(r.recv(), Ok(1));
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
        self.receive(Limit::None, place).map_err(|_| RecvError)
    }

    /// Waits for a message, but no longer than this. See `crossbeam_channel::Receiver::recv_timeout`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{RecvTimeoutError, unbounded};
    /// use std::time::Duration;
    ///
    /// let exploration = insyn::explore(|| {
    ///     let (s, r) = unbounded::<()>();
    ///     assert_eq!(r.recv_timeout(Duration::from_secs(60)), Err(RecvTimeoutError::Timeout));
    ///     drop(s);
    /// });
    /// assert!(exploration.failures.is_empty());
    /// ```
    ///
    /// # Errors
    /// If none came in time, or if there will never be one.
    #[track_caller]
    pub fn recv_timeout(&self, timeout: Duration) -> Result<T, RecvTimeoutError> {
        self.receive(Limit::For(timeout), Location::caller())
    }

    /// Waits for a message, but no longer than until `deadline`. See `crossbeam_channel::Receiver::recv_deadline`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{RecvTimeoutError, unbounded};
    /// use insyn::std::time::Instant;
    ///
    /// let (s, r) = unbounded::<()>();
    /// assert_eq!(r.recv_deadline(Instant::now()), Err(RecvTimeoutError::Timeout));
    /// # drop(s);
    /// ```
    ///
    /// # Errors
    /// If none came in time, or if there will never be one.
    #[track_caller]
    pub fn recv_deadline(&self, deadline: Instant) -> Result<T, RecvTimeoutError> {
        self.receive(Limit::Until(deadline), Location::caller())
    }

    /// Receives within a limit; a receive that does not wait times out at once.
    #[track_caller]
    fn receive(&self, limit: Limit, place: Place) -> Result<T, RecvTimeoutError> {
        let late = |e: std::sync::mpsc::TryRecvError| match e {
            std::sync::mpsc::TryRecvError::Empty => RecvTimeoutError::Timeout,
            std::sync::mpsc::TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
        };
        match &self.0 {
            Which::Real(r) => receive_really(r, limit),
            Which::RealTimer(r, make) => receive_really(r, limit).map(|i| make(moment::from_real(i))),
            Which::Controlled(rx) => match limit {
                Limit::Now => rx.0.receive(Blocking::Try, place),
                Limit::None => rx.0.receive(Blocking::Wait, place),
                limited => rx.0.receive_within(limited.left(), place),
            }
            .map_err(late),
            Which::Timer(timer, make) => match timer.receive(limit, place) {
                Some(due) => Ok(make(due)),
                None => Err(RecvTimeoutError::Timeout),
            },
            Which::Never => {
                timer::wait_in_vain(limit, place);
                Err(RecvTimeoutError::Timeout)
            }
        }
    }

    /// Whether no message is inside. See `crossbeam_channel::Receiver::is_empty`.
    ///
    /// ```
    /// let (s, r) = insyn::crossbeam_channel::unbounded();
    /// assert!(r.is_empty());
    /// s.send(1).unwrap();
    /// assert!(!r.is_empty());
    /// ```
    #[track_caller]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether there is no room. See `crossbeam_channel::Receiver::is_full`.
    ///
    /// ```
    /// let (s, r) = insyn::crossbeam_channel::bounded(1);
    /// assert!(!r.is_full());
    /// s.send(1).unwrap();
    /// assert!(r.is_full());
    /// ```
    #[track_caller]
    pub fn is_full(&self) -> bool {
        // Counting the messages is an event; a channel that is never full does not need it.
        self.capacity().is_some_and(|capacity| self.len() == capacity)
    }

    /// How many messages are inside. See `crossbeam_channel::Receiver::len`.
    ///
    /// ```
    /// let (s, r) = insyn::crossbeam_channel::unbounded();
    /// s.send(1).unwrap();
    /// s.send(2).unwrap();
    /// assert_eq!(r.len(), 2);
    /// ```
    #[track_caller]
    pub fn len(&self) -> usize {
        match &self.0 {
            Which::Real(r) => r.len(),
            Which::RealTimer(r, _) => r.len(),
            Which::Controlled(rx) => rx.0.len(Location::caller()),
            Which::Timer(timer, _) => timer.len(Location::caller()),
            Which::Never => 0,
        }
    }

    /// How many messages fit inside; none if there is no limit. See `crossbeam_channel::Receiver::capacity`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{bounded, unbounded};
    ///
    /// assert_eq!(unbounded::<()>().1.capacity(), None);
    /// assert_eq!(bounded::<()>(5).1.capacity(), Some(5));
    /// ```
    pub fn capacity(&self) -> Option<usize> {
        match &self.0 {
            Which::Real(r) => r.capacity(),
            Which::RealTimer(r, _) => r.capacity(),
            Which::Controlled(rx) => rx.0.capacity,
            Which::Timer(..) => Some(1),
            Which::Never => Some(0),
        }
    }

    /// Messages until every sender is gone. See `crossbeam_channel::Receiver::iter`.
    ///
    /// ```
    /// let (s, r) = insyn::crossbeam_channel::unbounded();
    /// (0..3).for_each(|n| s.send(n).unwrap());
    /// drop(s);
    /// assert_eq!(r.iter().collect::<Vec<_>>(), [0, 1, 2]);
    /// ```
    #[track_caller]
    pub fn iter(&self) -> Iter<'_, T> {
        Iter { receiver: self, place: Location::caller() }
    }

    /// Messages until there is none. See `crossbeam_channel::Receiver::try_iter`.
    ///
    /// ```
    /// let (s, r) = insyn::crossbeam_channel::unbounded();
    /// s.send(1).unwrap();
    /// assert_eq!(r.try_iter().collect::<Vec<_>>(), [1]);
    /// ```
    #[track_caller]
    pub fn try_iter(&self) -> TryIter<'_, T> {
        TryIter { receiver: self, place: Location::caller() }
    }

    /// Whether the other receiver belongs to the same channel. See `crossbeam_channel::Receiver::same_channel`.
    ///
    /// ```
    /// let (_s, r) = insyn::crossbeam_channel::unbounded::<()>();
    /// assert!(r.same_channel(&r.clone()));
    /// ```
    pub fn same_channel(&self, other: &Receiver<T>) -> bool {
        match (&self.0, &other.0) {
            (Which::Real(a), Which::Real(b)) => a.same_channel(b),
            (Which::RealTimer(a, _), Which::RealTimer(b, _)) => a.same_channel(b),
            (Which::Controlled(a), Which::Controlled(b)) => a.0.is(&b.0),
            (Which::Timer(a, _), Which::Timer(b, _)) => a.is(b),
            (Which::Never, Which::Never) => true,
            _ => false,
        }
    }
}

/// Receives at once if that is possible, otherwise waits as long as it may.
#[track_caller]
fn receive_really<T>(r: &real::Receiver<T>, limit: Limit) -> Result<T, RecvTimeoutError> {
    match r.try_recv() {
        Ok(message) => Ok(message),
        Err(TryRecvError::Disconnected) => Err(RecvTimeoutError::Disconnected),
        Err(TryRecvError::Empty) if matches!(limit, Limit::Now) => Err(RecvTimeoutError::Timeout),
        Err(TryRecvError::Empty) => {
            refuse_to_block();
            match limit {
                Limit::Now | Limit::None => r.recv().map_err(RecvTimeoutError::from),
                Limit::For(timeout) => r.recv_timeout(timeout),
                Limit::Until(deadline) => r.recv_deadline(moment::to_real(deadline)),
            }
        }
    }
}

impl<T> Clone for Receiver<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        Receiver(match &self.0 {
            Which::Real(r) => Which::Real(r.clone()),
            Which::RealTimer(r, make) => Which::RealTimer(r.clone(), *make),
            Which::Controlled(rx) => Which::Controlled(rx.clone()),
            Which::Timer(timer, make) => Which::Timer(timer.clone(), *make),
            Which::Never => Which::Never,
        })
    }
}

impl<T> fmt::Debug for Receiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Receiver { .. }")
    }
}

/// See [`Receiver::iter`].
pub struct Iter<'a, T> {
    receiver: &'a Receiver<T>,
    place: Place,
}

/// See [`Receiver::try_iter`].
pub struct TryIter<'a, T> {
    receiver: &'a Receiver<T>,
    place: Place,
}

/// A receiver's messages, by value.
///
/// ```
/// let (s, r) = insyn::crossbeam_channel::unbounded();
/// s.send(1).unwrap();
/// drop(s);
/// for message in r {
///     assert_eq!(message, 1);
/// }
/// ```
pub struct IntoIter<T> {
    receiver: Receiver<T>,
    place: Place,
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

impl<T> FusedIterator for Iter<'_, T> {}
impl<T> FusedIterator for IntoIter<T> {}

impl<T> fmt::Debug for Iter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("Iter { .. }")
    }
}

impl<T> fmt::Debug for TryIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("TryIter { .. }")
    }
}

impl<T> fmt::Debug for IntoIter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("IntoIter { .. }")
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
