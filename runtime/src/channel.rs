//! Channels under control, with types: what the handles of `std::sync::mpsc`, `crossbeam_channel`, ports and entries share.
//!
//! The engine knows which message is where by the event that put it there; the messages themselves are kept here. A
//! channel is a *port* (a receive on the receiving thread picks a send) or an *object* (puts and takes complete on it in
//! an order); which of the two does not change while a program runs.

mod messages;
mod owners;

use std::cell::{Cell, UnsafeCell};
use std::mem::needs_drop;
use std::sync::mpsc::TryRecvError;
use std::time::Duration;

use crate::engine::Engine;
use crate::engine::access::{current_execution, is_alive, is_under_control, with, with_alive};
use crate::engine::calls;
use crate::engine::calls::pointers;
use crate::engine::ids::{EventId, ExecutionId, ObjectId};
use crate::engine::objects::channel::State as Inside;
use crate::engine::objects::{Answer, Argument};
use crate::engine::ports;
use crate::engine::ports::Sent;
use crate::engine::ports::receives;
use crate::engine::ports::receives::{Blocking, Received};
use crate::engine::record::event::{Kind, Op};
use crate::engine::shared::Shared;
use crate::engine::{NOWHERE, Place, channels, clock};
use messages::Messages;
use owners::Owners;

/// Which of its two forms a channel has.
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
    /// Nobody is left to receive it.
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
    /// The last receiver was dropped, in this run, and what was inside has met its fate.
    is_settled: Cell<bool>,
    fate: Fate,
}

/// What becomes of messages that are inside when the last receiver goes.
enum Fate {
    /// They are dropped.
    Die,
    /// They stay, and nobody can tell when they are dropped.
    Stay,
    /// They are dropped when the last sender goes too.
    Remain(Remains),
}

/// Messages that nobody will receive any more.
struct Remains {
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
    /// What the handles of an object of the engine share; it is never full.
    pub(crate) fn new(execution: ExecutionId, object: ObjectId, flavor: Flavor) -> Shared<Self> {
        Self::with_fate(execution, object, flavor, None, Fate::Die)
    }

    fn with_fate(
        execution: ExecutionId,
        object: ObjectId,
        flavor: Flavor,
        capacity: Option<usize>,
        fate: Fate,
    ) -> Shared<Self> {
        let messages = UnsafeCell::new(Messages::new());
        let (hands_over, is_settled) = (Cell::new(false), Cell::new(false));
        let channel = Channel { execution, object, flavor, capacity, messages, hands_over, is_settled, fate };
        Shared::new(execution, channel)
    }

    /// Makes a channel that holds at most `capacity` messages, with a handle for each side. If they `stay`, those that are
    /// inside when the last receiver goes are not dropped before the last sender goes.
    pub(crate) fn pair(execution: ExecutionId, capacity: Option<usize>, stay: bool) -> (Tx<T>, Rx<T>) {
        let kind = match capacity {
            None => Kind::Channel,
            Some(0) => Kind::Rendezvous,
            Some(_) => Kind::Bounded,
        };
        let object = channels::new(execution, kind, capacity.unwrap_or(0));
        let flavor = if channels::is_port(execution, object) { Flavor::Port } else { Flavor::Object };
        let fate = match (stay, needs_drop::<T>()) {
            (false, _) => Fate::Die,
            (true, false) => Fate::Stay,
            (true, true) => Fate::Remain(Remains {
                owners: Owners::new(execution, object),
                messages: UnsafeCell::new(Vec::new()),
            }),
        };
        let channel = Self::with_fate(execution, object, flavor, capacity, fate);
        (Tx(channel.clone()), Rx(channel))
    }

    pub(crate) fn is_port(&self) -> bool {
        self.flavor == Flavor::Port
    }

    /// Whether both are the same channel.
    pub(crate) fn is(&self, other: &Self) -> bool {
        (self.execution, self.object) == (other.execution, other.object)
    }

    /// Keeps a message until whoever picks the event that put it comes for it.
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

    /// As [`take`](Self::take), where the message may be on its way: a select offers first and hands over afterwards.
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

    /// The message of an offer that has been taken.
    pub(crate) fn hand_over(&self, event: EventId, message: T) {
        self.put(event, message);
        self.hands_over.set(true);
        channels::handed_over(self.execution, self.object, event);
        self.settle(event);
    }

    /// A message has been put. If in this run the receivers went first, although it comes before that in the sequence, it
    /// was not there when others met their fate.
    fn settle(&self, event: EventId) {
        if self.is_settled.get()
            && matches!(self.fate, Fate::Die)
            && let Some(message) = self.find(event)
        {
            self.let_die(message);
        }
    }

    /// Sends to a port (`op` is a send or the call of an entry), or gives the message back if the receiver is gone. Output:
    /// the event.
    #[track_caller]
    pub(crate) fn send(&self, op: Op, message: T, place: Place) -> Result<EventId, T> {
        if !is_under_control() {
            // The program is over; nobody is at the other end.
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

    /// Drops a message that was sent before its receiver was dropped, as the sequence has it, although in this run the
    /// receiver went first. It died with its receiver; if that synchronizes, the channel needs an order of its own.
    #[cold]
    #[inline(never)]
    fn let_die(&self, message: T) {
        let touches = pointers::touches(self.execution);
        drop(message);
        if pointers::touches(self.execution) != touches {
            channels::need_object(self.execution, self.object);
        }
    }

    /// Sends, waiting for room as `patience` says; a channel that is never full does not make anybody wait.
    #[track_caller]
    pub(crate) fn offer(&self, message: T, patience: Blocking, place: Place) -> Result<(), Refused<T>> {
        if self.is_port() || !is_under_control() {
            return self.send(Op::Send, message, place).map(drop).map_err(Refused::Gone);
        }
        let op = match patience {
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

    /// Receives, waiting as `patience` says; a wait that ran out of time has found the channel empty.
    #[track_caller]
    pub(crate) fn receive(&self, patience: Blocking, place: Place) -> Result<T, TryRecvError> {
        if !is_under_control() {
            return Err(TryRecvError::Disconnected);
        }
        if self.is_port() {
            return match receives::receive(self.execution, &[self.object], patience, place) {
                Received::Message { send, .. } => Ok(self.fetch(send, place)),
                Received::Closed | Received::OneClosed { .. } => Err(TryRecvError::Disconnected),
                Received::Nothing => Err(TryRecvError::Empty),
            };
        }
        let op = match patience {
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
        within(self.execution, limit, |patience| self.offer(message, patience, place), is_late)
    }

    /// As [`receive`](Self::receive), with a limit on how long to wait.
    #[track_caller]
    pub(crate) fn receive_within(&self, limit: Duration, place: Place) -> Result<T, TryRecvError> {
        let is_late = |r: &Result<T, TryRecvError>| matches!(r, Err(TryRecvError::Empty));
        within(self.execution, limit, |patience| self.receive(patience, place), is_late)
    }

    /// How many messages are inside. Where none can be, nobody needs to look.
    #[track_caller]
    pub(crate) fn len(&self, place: Place) -> usize {
        if self.capacity == Some(0) {
            return 0;
        }
        channels::observe(self.execution, self.object, place) as usize
    }

    /// A receiver is dropped, and with the last one, unless they stay, every message that was delivered.
    pub(crate) fn drop_receiver(&self) {
        if !is_alive(self.execution) {
            return;
        }
        let dying = channels::drop_receiver(self.execution, self.object, NOWHERE);
        let receivers = with_alive(self.execution, |engine| engine.objects[self.object].receivers);
        let Some(receivers) = receivers else { return };
        let is_settled = !self.is_port() && receivers == 0;
        match &self.fate {
            Fate::Stay => {}
            // SAFETY: as in `put`.
            Fate::Remain(remains) => unsafe { (*remains.messages.get()).extend(dying) },
            Fate::Die => {
                let dying = self.collect(dying);
                self.is_settled.set(is_settled);
                if self.bury(dying) {
                    // In which order they came to be there, and who drops them, is then a matter of synchronization.
                    channels::need_object(self.execution, self.object);
                }
            }
        }
    }

    /// Takes out those messages that are there. To drop one may let other threads go on, so all are taken before the first
    /// is dropped.
    fn collect(&self, events: Vec<EventId>) -> Vec<T> {
        if !needs_drop::<T>() {
            return Vec::new();
        }
        events.into_iter().filter_map(|event| self.find(event)).collect()
    }

    /// Drops messages that nobody will receive; whether that has synchronized.
    fn bury(&self, dying: Vec<T>) -> bool {
        let mut synchronized = false;
        for message in dying {
            let before = pointers::touches(self.execution);
            drop(message);
            synchronized |= pointers::touches(self.execution) != before;
        }
        is_alive(self.execution) && synchronized
    }

    /// There is another handle.
    #[inline]
    fn join(&self) {
        if let Fate::Remain(remains) = &self.fate {
            remains.owners.join();
        }
    }

    /// A handle has been dropped; with the last one everything goes.
    #[inline]
    fn leave(&self) {
        if let Fate::Remain(remains) = &self.fate {
            self.leave_behind(remains);
        }
    }

    #[cold]
    #[inline(never)]
    fn leave_behind(&self, remains: &Remains) {
        if !is_alive(self.execution) || !remains.owners.leave() {
            return;
        }
        // SAFETY: as in `put`.
        let mut dying = std::mem::take(unsafe { &mut *remains.messages.get() });
        // And what was put later, in this run.
        let take_out = |engine: &mut Engine| {
            let inside = engine.objects[self.object].state.channel_mut();
            dying.extend(inside.into_iter().flat_map(Inside::drain));
        };
        if with_alive(self.execution, take_out).is_none() {
            return;
        }
        // What was not handed over never will be: there is nobody to do it.
        if self.bury(self.collect(dying)) {
            remains.owners.must_matter();
        }
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

/// Something that a thread waits for no longer than `limit`: `wait` gets the patience to have, `is_empty` says whether it
/// came back empty-handed; then so much time has gone by for the thread. A wait that would end beyond all time does not
/// end.
#[track_caller]
pub(crate) fn within<R>(
    execution: ExecutionId,
    limit: Duration,
    wait: impl FnOnce(Blocking) -> R,
    is_empty: impl FnOnce(&R) -> bool,
) -> R {
    with(execution, |_| ());
    let ends = u64::try_from(limit.as_nanos()).is_ok();
    let result = wait(if ends { Blocking::Timeout } else { Blocking::Wait });
    if ends && is_empty(&result) {
        pass(execution, limit);
    }
    result
}

/// So much time has gone by for the running thread.
pub(crate) fn pass(execution: ExecutionId, time: Duration) {
    if current_execution() == Some(execution) {
        clock::pass(execution, u64::try_from(time.as_nanos()).unwrap_or(u64::MAX));
    }
}
