//! Replacement for [`crossbeam_channel`](https://docs.rs/crossbeam-channel/0.5), version 0.5: channels with many senders
//! and many receivers, timers, and selection. Inside a program under test they are under control; elsewhere they are the
//! real thing.
//!
//! An unbounded channel whose receives are ordered costs no more than one of `std::sync::mpsc`: only which send each
//! receive takes is explored. If two receives turn out to be concurrent, or the program asks how many messages are
//! inside, the channel gets an order of puts and takes of its own and the exploration starts again. Channels that are
//! used in one select share one such order, unless the select only receives, and only from channels without such an
//! order.
//!
//! ```
//! use insyn::crossbeam_channel::unbounded;
//! use insyn::std::thread;
//!
//! let exploration = insyn::explore(|| {
//!     let (s, r) = unbounded();
//!     for n in 0..3 {
//!         let s = s.clone();
//!         thread::spawn(move || s.send(n).unwrap());
//!     }
//!     drop(s);
//!     r.iter().collect::<Vec<u32>>()
//! });
//! assert_eq!(exploration.sequences, 6);
//! ```
//!
//! # Time
//! Under control time is virtual ([`insyn::std::time`](crate::std::time)): a timeout may fire, and a timer may have fired,
//! at any point where nothing else is sure to be ready, however long it is set to.
//!
//! # Bias
//! [`select_biased!`](select_biased) takes the first arm that is ready. Which arms are ready depends on what other threads
//! have done so far, so every arm can be the one taken if those before it can be late.

mod macros;
mod moment;
mod operation;
mod receiver;
mod select;
mod sender;
mod timer;
mod timers;

pub use ::crossbeam_channel::{
    ReadyTimeoutError, RecvError, RecvTimeoutError, SelectTimeoutError, SendError, SendTimeoutError,
    TryReadyError, TryRecvError, TrySelectError, TrySendError,
};
#[doc(hidden)]
pub use macros::internal;
pub use operation::SelectedOperation;
pub use receiver::{IntoIter, Iter, Receiver, TryIter};
pub use select::Select;
pub use sender::Sender;
pub use timers::{after, at, never, tick};

#[doc(inline)]
pub use crate::__crossbeam_channel_select as select;
#[doc(inline)]
pub use crate::__crossbeam_channel_select_biased as select_biased;

use ::crossbeam_channel as real;

use crate::channel::Channel;
use insyn_engine::access::current_execution;

/// Makes a channel that is never full. See `crossbeam_channel::unbounded`.
///
/// ```
/// let (s, r) = insyn::crossbeam_channel::unbounded();
/// s.send(1).unwrap();
/// s.send(2).unwrap();
/// assert_eq!((r.recv(), r.clone().recv()), (Ok(1), Ok(2)));
/// ```
pub fn unbounded<T>() -> (Sender<T>, Receiver<T>) {
    match current_execution() {
        None => {
            let (s, r) = real::unbounded();
            (Sender::real(s), Receiver::real(r))
        }
        Some(execution) => {
            let (tx, rx) = Channel::pair(execution, None, false);
            (Sender::controlled(tx), Receiver::controlled(rx))
        }
    }
}

/// Makes a channel that holds at most `capacity` messages; if it holds none, a send waits for a receive. See
/// `crossbeam_channel::bounded`.
///
/// ```
/// use insyn::crossbeam_channel::{TrySendError, bounded};
///
/// let (s, r) = bounded(1);
/// s.send(1).unwrap();
/// assert_eq!(s.try_send(2), Err(TrySendError::Full(2)));
/// assert_eq!(r.recv(), Ok(1));
/// ```
pub fn bounded<T>(capacity: usize) -> (Sender<T>, Receiver<T>) {
    match current_execution() {
        None => {
            let (s, r) = real::bounded(capacity);
            (Sender::real(s), Receiver::real(r))
        }
        Some(execution) => {
            // Messages stay until the last handle to the channel is dropped.
            let (tx, rx) = Channel::pair(execution, Some(capacity), capacity > 0);
            (Sender::controlled(tx), Receiver::controlled(rx))
        }
    }
}
