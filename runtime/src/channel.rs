//! Typed channels under control: what the handles of `std::sync::mpsc`, `crossbeam_channel`, ports and entries share.
//!
//! The engine identifies a message by the event that put it; the messages themselves are kept here. A channel is a *port*
//! (a receive on the receiving thread picks a send) or an *object* (puts and takes complete on it in an order); which of
//! the two does not change while a program runs.

mod messages;
mod owners;

use std::cell::{Cell, UnsafeCell};
use std::mem::needs_drop;
use std::sync::mpsc::TryRecvError;
use std::time::Duration;

use insyn_engine::Engine;
use insyn_engine::access::{current_execution, is_alive, is_under_control, with, with_alive};
use insyn_engine::calls;
use insyn_engine::calls::pointers;
use insyn_engine::ids::{EventId, ExecutionId, ObjectId};
use insyn_engine::objects::channel::State as Inside;
use insyn_engine::objects::{Answer, Argument};
use insyn_engine::ports;
use insyn_engine::ports::Sent;
use insyn_engine::ports::receives;
use insyn_engine::ports::receives::{Blocking, Received};
use insyn_engine::record::event::{Kind, Op};
use insyn_engine::shared::Shared;
use insyn_engine::{NOWHERE, Place, channels, clock};
use messages::{Messages, drop_each};
use owners::Owners;

/// The form of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Flavor {
    /// Receives pick sends.
    Port,
    /// Puts and takes complete in an order.
    Object,
}

/// A message that could not be sent.
#[derive(Debug)]
pub(crate) enum Refused<T> {
    /// There was no room, or none in time.
    Full(T),
    /// No receiver is left to take it.
    Gone(T),
}

/// A channel under control.
pub(crate) struct Channel<T> {
    pub(crate) execution: ExecutionId,
    pub(crate) object: ObjectId,
    flavor: Flavor,
    /// How many messages fit inside, if there is a limit.
    pub(crate) capacity: Option<usize>,
    messages: UnsafeCell<Messages<T>>,
    /// Messages have been handed over after they were taken: by selects, which offer first.
    hands_over: Cell<bool>,
    /// The last receiver was dropped in this run, and the messages inside were handled as `on_disconnect` says.
    is_drained: Cell<bool>,
    on_disconnect: OnDisconnect,
}

/// What happens to the messages inside when the last receiver is dropped.
enum OnDisconnect {
    /// They are dropped.
    Drop,
    /// They stay; when they are dropped cannot be observed.
    Keep,
    /// They are dropped when the last sender is dropped too.
    KeepForSenders(Unreceived),
}

/// Messages that no receiver will take any more.
struct Unreceived {
    owners: Owners,
    /// In the order in which they were put.
    messages: UnsafeCell<Vec<EventId>>,
}

// SAFETY: everything under control runs on one OS thread; messages are touched only between two suspensions, and only
// while the execution that made the channel is running there (the engine's operations check that). Moving the handles
// between the program's own threads moves messages, hence `T: Send`.
unsafe impl<T: Send> Send for Channel<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Channel<T> {}

impl<T> Channel<T> {
    /// The shared part of a channel that is never full, for an object of the engine.
    pub(crate) fn new(execution: ExecutionId, object: ObjectId, flavor: Flavor) -> Shared<Self> {
        Self::with_policy(execution, object, flavor, None, OnDisconnect::Drop)
    }

    fn with_policy(
        execution: ExecutionId,
        object: ObjectId,
        flavor: Flavor,
        capacity: Option<usize>,
        on_disconnect: OnDisconnect,
    ) -> Shared<Self> {
        let messages = UnsafeCell::new(Messages::new());
        let (hands_over, is_drained) = (Cell::new(false), Cell::new(false));
        let channel =
            Channel { execution, object, flavor, capacity, messages, hands_over, is_drained, on_disconnect };
        Shared::new(execution, channel)
    }

    /// Makes a channel that holds at most `capacity` messages, with a handle for each side. If messages `stay`, those that
    /// are inside when the last receiver is dropped are not dropped before the last sender.
    pub(crate) fn pair(execution: ExecutionId, capacity: Option<usize>, stay: bool) -> (Tx<T>, Rx<T>) {
        let kind = match capacity {
            None => Kind::Channel,
            Some(0) => Kind::Rendezvous,
            Some(_) => Kind::Bounded,
        };
        let object = channels::new(execution, kind, capacity.unwrap_or(0));
        let flavor = if channels::is_port(execution, object) { Flavor::Port } else { Flavor::Object };
        let on_disconnect = match (stay, needs_drop::<T>()) {
            (false, _) => OnDisconnect::Drop,
            (true, false) => OnDisconnect::Keep,
            (true, true) => OnDisconnect::KeepForSenders(Unreceived {
                owners: Owners::new(execution, object),
                messages: UnsafeCell::new(Vec::new()),
            }),
        };
        let channel = Self::with_policy(execution, object, flavor, capacity, on_disconnect);
        (Tx(channel.clone()), Rx(channel))
    }

    pub(crate) fn is_port(&self) -> bool {
        self.flavor == Flavor::Port
    }

    /// Whether both are the same channel.
    pub(crate) fn is(&self, other: &Self) -> bool {
        (self.execution, self.object) == (other.execution, other.object)
    }

    /// Keeps a message until the thread that picks its put collects it.
    pub(crate) fn put(&self, event: EventId, message: T) {
        // SAFETY: see the impl of `Send`; no user code runs while the reference lives.
        unsafe { (*self.messages.get()).put(event, message) }
    }

    #[inline]
    fn find(&self, event: EventId) -> Option<T> {
        // SAFETY: as in `put`.
        unsafe { (*self.messages.get()).take(event) }
    }

    /// The message of a send that has been picked.
    pub(crate) fn take(&self, event: EventId) -> T {
        self.find(event).expect("a message that was sent is here")
    }

    /// As [`take`](Self::take), if the message may not be there yet: a select offers first and hands over afterwards.
    #[inline(always)]
    pub(crate) fn fetch(&self, event: EventId, place: Place) -> T {
        if let Some(message) = self.find(event) {
            if self.hands_over.get() {
                channels::note_handover(self.execution, event);
            }
            return message;
        }
        channels::await_handover(self.execution, self.object, event, place);
        self.take(event)
    }

    /// Hands over the message of an offer that has been taken.
    pub(crate) fn hand_over(&self, event: EventId, message: T) {
        self.put(event, message);
        self.hands_over.set(true);
        channels::handed_over(self.execution, self.object, event);
        self.settle(event);
    }

    /// A message has been put. If in this run the receivers were dropped first, although the put comes before that in the
    /// sequence, the message was not there when the others were dropped.
    fn settle(&self, event: EventId) {
        if self.is_drained.get()
            && matches!(self.on_disconnect, OnDisconnect::Drop)
            && let Some(message) = self.find(event)
        {
            self.let_die(message);
        }
    }

    /// Sends to a port (`op` is a send or the call of an entry) and returns the event; returns the message as an error if
    /// the receiver is gone.
    #[track_caller]
    pub(crate) fn send(&self, op: Op, message: T, place: Place) -> Result<EventId, T> {
        if !is_under_control() {
            // The program is over; the other end is gone.
            return Err(message);
        }
        match ports::send(self.execution, self.object, op, place) {
            Ok(Sent { event, is_late }) => {
                if is_late {
                    self.let_die(message);
                } else {
                    self.put(event, message);
                }
                Ok(event)
            }
            Err(()) => Err(message),
        }
    }

    /// Drops a message that was sent before its receiver was dropped, by the sequence, although in this run the receiver
    /// was dropped first. The message is dropped with its receiver; if that synchronizes, the channel needs an order of its
    /// own.
    #[cold]
    #[inline(never)]
    fn let_die(&self, message: T) {
        let touches = pointers::touches(self.execution);
        drop(message);
        if pointers::touches(self.execution) != touches {
            channels::need_object(self.execution, self.object);
        }
    }

    /// Sends, waiting for room as `blocking` says; a channel that is never full makes no thread wait.
    #[track_caller]
    pub(crate) fn offer(&self, message: T, blocking: Blocking, place: Place) -> Result<(), Refused<T>> {
        if self.is_port() || !is_under_control() {
            return self.send(Op::Send, message, place).map(drop).map_err(Refused::Gone);
        }
        let op = match blocking {
            Blocking::Wait => Op::Put,
            Blocking::Try => Op::TryPut,
            Blocking::Timeout => Op::PutTimeout,
        };
        let (event, answer) =
            calls::call_as(self.execution, self.object, op, Argument::None, place, |event| {
                self.put(event, message);
            });
        match answer {
            Answer::Yes => {
                self.settle(event);
                Ok(())
            }
            Answer::WouldBlock | Answer::TimedOut => Err(Refused::Full(self.take(event))),
            _ => Err(Refused::Gone(self.take(event))),
        }
    }

    /// Receives, waiting as `blocking` says; a wait that timed out has found the channel empty.
    #[track_caller]
    pub(crate) fn receive(&self, blocking: Blocking, place: Place) -> Result<T, TryRecvError> {
        if !is_under_control() {
            return Err(TryRecvError::Disconnected);
        }
        if self.is_port() {
            return match receives::receive(self.execution, &[self.object], blocking, place) {
                Received::Message { send, .. } => Ok(self.fetch(send, place)),
                Received::Closed | Received::OneClosed { .. } => Err(TryRecvError::Disconnected),
                Received::Nothing => Err(TryRecvError::Empty),
            };
        }
        let op = match blocking {
            Blocking::Wait => Op::Take,
            Blocking::Try => Op::TryTake,
            Blocking::Timeout => Op::TakeTimeout,
        };
        match calls::call(self.execution, self.object, op, place) {
            Answer::Message(put) => Ok(self.fetch(put, place)),
            Answer::Disconnected => Err(TryRecvError::Disconnected),
            _ => Err(TryRecvError::Empty),
        }
    }

    /// As [`offer`](Self::offer), with a limit on how long to wait.
    #[track_caller]
    pub(crate) fn offer_within(&self, message: T, limit: Duration, place: Place) -> Result<(), Refused<T>> {
        let is_late = |r: &Result<(), Refused<T>>| matches!(r, Err(Refused::Full(_)));
        within(self.execution, limit, |blocking| self.offer(message, blocking, place), is_late)
    }

    /// As [`receive`](Self::receive), with a limit on how long to wait.
    #[track_caller]
    pub(crate) fn receive_within(&self, limit: Duration, place: Place) -> Result<T, TryRecvError> {
        let is_late = |r: &Result<T, TryRecvError>| matches!(r, Err(TryRecvError::Empty));
        within(self.execution, limit, |blocking| self.receive(blocking, place), is_late)
    }

    /// How many messages are inside. For a channel that holds none, no event is needed.
    #[track_caller]
    pub(crate) fn len(&self, place: Place) -> usize {
        if self.capacity == Some(0) {
            return 0;
        }
        channels::observe(self.execution, self.object, place) as usize
    }

    /// Drops a receiver. The last one also drops every message that was delivered, unless messages stay.
    pub(crate) fn drop_receiver(&self) {
        if !is_alive(self.execution) {
            return;
        }
        let dying = channels::drop_receiver(self.execution, self.object, NOWHERE);
        let receivers = with_alive(self.execution, |engine| engine.objects[self.object].receivers);
        let Some(receivers) = receivers else { return };
        let is_drained = !self.is_port() && receivers == 0;
        match &self.on_disconnect {
            OnDisconnect::Keep => {}
            // SAFETY: as in `put`.
            OnDisconnect::KeepForSenders(unreceived) => unsafe { (*unreceived.messages.get()).extend(dying) },
            OnDisconnect::Drop => {
                let dying = self.collect(dying);
                self.is_drained.set(is_drained);
                // Then the order of the messages, and the thread that drops them, are part of the synchronization.
                self.drop_unreceived(dying, || channels::need_object(self.execution, self.object));
            }
        }
    }

    /// Takes out the messages that are there. Dropping one may let other threads go on, so all are taken before the first
    /// is dropped.
    fn collect(&self, events: Vec<EventId>) -> Vec<T> {
        if !needs_drop::<T>() {
            return Vec::new();
        }
        events.into_iter().filter_map(|event| self.find(event)).collect()
    }

    /// Drops messages that no receiver will take, and calls a function if that has synchronized, even if it panics.
    fn drop_unreceived(&self, dying: Vec<T>, if_synchronized: impl Fn()) {
        let execution = self.execution;
        let before = pointers::touches(execution);
        let _then = Finally(|| {
            if is_alive(execution) && pointers::touches(execution) != before {
                if_synchronized();
            }
        });
        drop_each(dying);
    }

    /// Counts another handle.
    #[inline]
    fn join(&self) {
        if let OnDisconnect::KeepForSenders(unreceived) = &self.on_disconnect {
            unreceived.owners.join();
        }
    }

    /// Counts the drop of a handle; the last one drops all messages.
    #[inline]
    fn leave(&self) {
        if let OnDisconnect::KeepForSenders(unreceived) = &self.on_disconnect {
            self.leave_behind(unreceived);
        }
    }

    #[cold]
    #[inline(never)]
    fn leave_behind(&self, unreceived: &Unreceived) {
        if !is_alive(self.execution) || !unreceived.owners.leave() {
            return;
        }
        // SAFETY: as in `put`.
        let mut dying = std::mem::take(unsafe { &mut *unreceived.messages.get() });
        // Also the messages that were put later in this run.
        let take_out = |engine: &mut Engine| {
            let inside = engine.objects[self.object].state.channel_mut();
            dying.extend(inside.into_iter().flat_map(Inside::drain));
        };
        if with_alive(self.execution, take_out).is_none() {
            return;
        }
        // Messages that were not handed over never will be: no thread is left to do so.
        self.drop_unreceived(self.collect(dying), || unreceived.owners.must_matter());
    }
}

/// Calls a function at the end of its scope, even in a panic.
struct Finally<F: Fn()>(F);

impl<F: Fn()> Drop for Finally<F> {
    fn drop(&mut self) {
        (self.0)();
    }
}

/// The sending side of a controlled channel; cloning and dropping it counts.
pub(crate) struct Tx<T>(pub(crate) Shared<Channel<T>>);

impl<T> Clone for Tx<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        ports::clone_sender(self.0.execution, self.0.object);
        self.0.join();
        Tx(self.0.clone())
    }
}

impl<T> Drop for Tx<T> {
    fn drop(&mut self) {
        ports::drop_sender(self.0.execution, self.0.object, NOWHERE);
        self.0.leave();
    }
}

/// The receiving side of a controlled channel; cloning and dropping it counts.
pub(crate) struct Rx<T>(pub(crate) Shared<Channel<T>>);

impl<T> Clone for Rx<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        channels::clone_receiver(self.0.execution, self.0.object);
        self.0.join();
        Rx(self.0.clone())
    }
}

impl<T> Drop for Rx<T> {
    fn drop(&mut self) {
        self.0.drop_receiver();
        self.0.leave();
    }
}

/// Lets a thread wait for no longer than `limit`. `wait` is called with the way of blocking; `is_empty` returns whether the
/// wait ended empty-handed, and then that much time has passed for the thread. A limit that is too long for a clock is no
/// limit.
#[track_caller]
pub(crate) fn within<R>(
    execution: ExecutionId,
    limit: Duration,
    wait: impl FnOnce(Blocking) -> R,
    is_empty: impl FnOnce(&R) -> bool,
) -> R {
    with(execution, |_| ());
    let ends = clock::nanos(limit).is_some();
    let result = wait(if ends { Blocking::Timeout } else { Blocking::Wait });
    if ends && is_empty(&result) {
        pass(execution, limit);
    }
    result
}

/// Lets this much time pass for the running thread.
pub(crate) fn pass(execution: ExecutionId, time: Duration) {
    if current_execution() == Some(execution) {
        clock::pass(execution, clock::nanos(time).unwrap_or(u64::MAX));
    }
}
