//! An operation that a select can choose, and has chosen.

use std::fmt;
use std::panic::Location;
use std::sync::OnceLock;

use ::crossbeam_channel as real;
use real::{RecvError, SendError};

use super::moment::{self, Instant};
use super::receiver::{self, Receiver};
use super::sender::Sender;
use crate::backend::Backend;
use insyn_engine::access::is_alive;
use insyn_engine::channels::{Arm, Got, Side};
use insyn_engine::ids::{EventId, ExecutionId};
use insyn_engine::threads::panics;

/// A sender or receiver whose type of message does not matter.
pub(super) trait Handle {
    /// Where its channel is.
    fn place(&self) -> Where;
    /// Adds the operation to a real select.
    fn add_to<'a>(&'a self, select: &mut real::Select<'a>);
    /// The result of a receive that was chosen under control.
    fn delivered(&self, event: EventId) -> Token {
        Token::Message(event)
    }
    /// The running thread has found, under control, that the operation is ready.
    fn seen_ready(&self, _got: Got) {}
}

/// Where the channel of an operation is.
pub(super) enum Where {
    Real,
    Controlled {
        execution: ExecutionId,
        arm: Arm,
    },
    /// Never ready, with either backend.
    Never,
}

impl<T> Handle for Sender<T> {
    fn place(&self) -> Where {
        match &self.0 {
            Backend::Real(_) => Where::Real,
            Backend::Controlled(tx) => Where::Controlled {
                execution: tx.0.execution,
                arm: Arm { object: tx.0.object, side: Side::Put },
            },
        }
    }

    fn add_to<'a>(&'a self, select: &mut real::Select<'a>) {
        if let Backend::Real(s) = &self.0 {
            select.send(s);
        }
    }
}

impl<T> Handle for Receiver<T> {
    fn place(&self) -> Where {
        match &self.0 {
            receiver::Which::Real(_) | receiver::Which::RealTimer(..) => Where::Real,
            receiver::Which::Controlled(rx) => Where::Controlled {
                execution: rx.0.execution,
                arm: Arm { object: rx.0.object, side: Side::Take },
            },
            receiver::Which::Timer(timer, _) => {
                let (execution, arm) = timer.arm();
                Where::Controlled { execution, arm }
            }
            receiver::Which::Never => Where::Never,
        }
    }

    fn add_to<'a>(&'a self, select: &mut real::Select<'a>) {
        match &self.0 {
            receiver::Which::Real(r) => drop(select.recv(r)),
            receiver::Which::RealTimer(r, _) => drop(select.recv(r)),
            // A message that is never received may be of any type.
            receiver::Which::Never => drop(select.recv(never())),
            receiver::Which::Controlled(_) | receiver::Which::Timer(..) => {}
        }
    }

    fn delivered(&self, event: EventId) -> Token {
        match &self.0 {
            receiver::Which::Timer(timer, _) => Token::Time(timer.delivered(event)),
            _ => Token::Message(event),
        }
    }

    fn seen_ready(&self, got: Got) {
        if let receiver::Which::Timer(timer, _) = &self.0 {
            timer.seen(got);
        }
    }
}

fn never() -> &'static real::Receiver<()> {
    static NEVER: OnceLock<real::Receiver<()>> = OnceLock::new();
    NEVER.get_or_init(real::never)
}

/// The result of an operation that was chosen under control.
#[derive(Clone, Copy, Debug)]
pub(super) enum Token {
    /// A place for a message.
    Put(EventId),
    Message(EventId),
    Time(Instant),
    Disconnected,
}

/// An operation that was chosen and must be completed. See `crossbeam_channel::SelectedOperation`.
///
/// ```
/// use insyn::crossbeam_channel::{Select, bounded};
///
/// let (s, r) = bounded(1);
/// let mut select = Select::new();
/// select.send(&s);
/// let operation = select.select();
/// operation.send(&s, 1).unwrap();
/// assert_eq!(r.recv(), Ok(1));
/// ```
///
/// # Panics
/// When it is dropped without having been completed.
#[must_use]
pub struct SelectedOperation<'a> {
    index: usize,
    which: Chosen<'a>,
}

enum Chosen<'a> {
    Real(real::SelectedOperation<'a>),
    Controlled(Pending),
}

/// An operation under control that was chosen and has not been completed.
struct Pending {
    execution: ExecutionId,
    address: *const u8,
    token: Token,
}

impl Pending {
    fn complete(self) -> Token {
        let token = self.token;
        std::mem::forget(self);
        token
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        // If the thread is already unwinding, a second panic would end the process.
        if is_alive(self.execution) && !panics::is_panicking() {
            panic!("dropped `SelectedOperation` without completing the operation");
        }
    }
}

impl<'a> SelectedOperation<'a> {
    pub(super) fn real(index: usize, operation: real::SelectedOperation<'a>) -> Self {
        SelectedOperation { index, which: Chosen::Real(operation) }
    }

    pub(super) fn controlled(index: usize, execution: ExecutionId, address: *const u8, token: Token) -> Self {
        SelectedOperation { index, which: Chosen::Controlled(Pending { execution, address, token }) }
    }

    /// The index of the operation. See `crossbeam_channel::SelectedOperation::index`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{Select, bounded};
    ///
    /// let (s, _r) = bounded(1);
    /// let mut select = Select::new();
    /// let number = select.send(&s);
    /// let operation = select.select();
    /// assert_eq!(operation.index(), number);
    /// operation.send(&s, 1).unwrap();
    /// ```
    pub fn index(&self) -> usize {
        self.index
    }

    /// Completes a send. See `crossbeam_channel::SelectedOperation::send`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{Select, SendError, bounded};
    ///
    /// let (s, r) = bounded(0);
    /// drop(r);
    /// let mut select = Select::new();
    /// select.send(&s);
    /// assert_eq!(select.select().send(&s, 1), Err(SendError(1)));
    /// ```
    ///
    /// # Errors
    /// The message, if every receiver is gone.
    ///
    /// # Panics
    /// If it is not the sender that was chosen.
    #[track_caller]
    pub fn send<T>(self, s: &Sender<T>, msg: T) -> Result<(), SendError<T>> {
        let address: *const u8 = (&raw const *s).cast();
        match (self.which, &s.0) {
            (Chosen::Real(operation), Backend::Real(s)) => operation.send(s, msg),
            (Chosen::Controlled(pending), Backend::Controlled(tx)) if pending.address == address => {
                match pending.complete() {
                    Token::Put(event) => {
                        tx.0.hand_over(event, msg);
                        Ok(())
                    }
                    _ => Err(SendError(msg)),
                }
            }
            _ => panic!("passed a sender that wasn't selected"),
        }
    }

    /// Completes a receive. See `crossbeam_channel::SelectedOperation::recv`.
    ///
    /// ```
    /// use insyn::crossbeam_channel::{RecvError, Select, unbounded};
    ///
    /// let (s, r) = unbounded::<()>();
    /// drop(s);
    /// let mut select = Select::new();
    /// select.recv(&r);
    /// assert_eq!(select.select().recv(&r), Err(RecvError));
    /// ```
    ///
    /// # Errors
    /// If no message is left and every sender is gone.
    ///
    /// # Panics
    /// If it is not the receiver that was chosen.
    #[track_caller]
    pub fn recv<T>(self, r: &Receiver<T>) -> Result<T, RecvError> {
        let address: *const u8 = (&raw const *r).cast();
        match (self.which, &r.0) {
            (Chosen::Real(operation), receiver::Which::Real(r)) => operation.recv(r),
            (Chosen::Real(operation), receiver::Which::RealTimer(r, make)) => {
                operation.recv(r).map(|i| make(moment::from_real(i)))
            }
            (Chosen::Controlled(pending), which) if pending.address == address => {
                match (pending.complete(), which) {
                    (Token::Message(event), receiver::Which::Controlled(rx)) => {
                        Ok(rx.0.fetch(event, Location::caller()))
                    }
                    (Token::Time(due), receiver::Which::Timer(_, make)) => Ok(make(due)),
                    _ => Err(RecvError),
                }
            }
            _ => panic!("passed a receiver that wasn't selected"),
        }
    }
}

impl fmt::Debug for SelectedOperation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad("SelectedOperation { .. }")
    }
}
