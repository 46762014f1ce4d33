//! Operations on channels of all kinds, ports and entries.

use std::collections::btree_map::Entry;
use std::time::Duration;

use insyn::crossbeam_channel as crossbeam;
use insyn::std::sync::mpsc;
use insyn::std::time::Instant;

use super::super::program::{HANDLE, Holder, NOTHING_THERE, Object, Op, TIME, Value};
use super::Runner;
use super::objects::{Message, ReceiveHandle, SendHandle};

/// How long a thread that gives up at some time waits: time is virtual, so it does not matter.
pub(super) const A_WHILE: Duration = Duration::from_millis(10);

/// The result of a send.
pub(super) enum Sent {
    Yes,
    /// No room, or no thread to take it.
    NotNow,
    /// No thread will receive it.
    Never,
}

/// The result of a receive.
pub(super) enum Got {
    Message(Message),
    Time,
    Nothing,
    /// No thread will send.
    Never,
}

impl Runner<'_> {
    /// The receiving handle, if the thread can use it.
    pub(super) fn receiver(&self, o: usize) -> Option<&ReceiveHandle> {
        match self.world.program.objects[o].receiver() {
            Some(Holder::Under(mutex)) => self.mutexes.get(&mutex)?.receivers.get(&o),
            _ => self.handles.receivers.get(&o),
        }
    }

    pub(super) fn drop_receiver(&mut self, o: usize) {
        match self.world.program.objects[o].receiver() {
            Some(Holder::Under(mutex)) => {
                if let Some(guard) = self.mutexes.get_mut(&mutex) {
                    drop(guard.receivers.remove(&o));
                }
            }
            _ => drop(self.handles.receivers.remove(&o)),
        }
    }

    pub(super) fn send(&mut self, op: &Op, o: usize) {
        if !self.handles.senders.contains_key(&o) {
            return;
        }
        let message = match op {
            Op::Send(_, value) | Op::TrySend(_, value) | Op::SendTimeout(_, value) => {
                Message::Number(value.of(self.last))
            }
            Op::SendHandle(_, x) => {
                let objects = &self.world.program.objects;
                let is_channel =
                    matches!(objects[*x], Object::Port { .. } | Object::Buffer { .. } | Object::Flow { .. });
                if x == &o || !is_channel || !objects[o].carries_handles() {
                    return;
                }
                let Some(handle) = self.handles.take_sender(*x) else { return };
                Message::Handle(*x, Box::new(handle))
            }
            Op::SendReceiver(_, x) => {
                let objects = &self.world.program.objects;
                if x == &o || !objects[*x].has_movable_receiver() || !objects[o].carries_handles() {
                    return;
                }
                let Some(handle) = self.handles.receivers.remove(x) else { return };
                Message::Receiver(*x, Box::new(handle))
            }
            _ => unreachable!("it sends"),
        };
        let sent = match (&self.handles.senders[&o], op) {
            (SendHandle::Channel(sender), Op::Send(..) | Op::SendHandle(..) | Op::SendReceiver(..)) => {
                sender.send(message).into()
            }
            (SendHandle::Port(sender), Op::Send(..)) => {
                if sender.send(message).is_ok() {
                    Sent::Yes
                } else {
                    Sent::Never
                }
            }
            (SendHandle::Bounded(sender), Op::Send(..) | Op::SendHandle(..) | Op::SendReceiver(..)) => {
                sender.send(message).into()
            }
            (SendHandle::Bounded(sender), Op::TrySend(..)) => sender.try_send(message).into(),
            (SendHandle::Flow(sender), Op::Send(..) | Op::SendHandle(..) | Op::SendReceiver(..)) => {
                sender.send(message).into()
            }
            (SendHandle::Flow(sender), Op::TrySend(..)) => sender.try_send(message).into(),
            (SendHandle::Flow(sender), Op::SendTimeout(..)) if self.has_deadlines(o) => {
                sender.send_deadline(message, soon()).into()
            }
            (SendHandle::Flow(sender), Op::SendTimeout(..)) => sender.send_timeout(message, A_WHILE).into(),
            _ => return,
        };
        self.after_sending(sent);
    }

    pub(super) fn after_sending(&mut self, sent: Sent) {
        match sent {
            Sent::Yes => {}
            Sent::NotNow => self.last = Some(NOTHING_THERE),
            Sent::Never => self.last = None,
        }
    }

    /// Sends by the handle that a counted pointer points to.
    pub(super) fn send_by(&mut self, o: usize, value: Value) {
        let Some(pointer) = self.handles.pointers.get(&o).and_then(|pointers| pointers.last()) else {
            return;
        };
        let message = Message::Number(value.of(self.last));
        let sent = match &pointer.sender {
            Some(SendHandle::Channel(sender)) => sender.send(message).is_ok(),
            Some(SendHandle::Bounded(sender)) => sender.send(message).is_ok(),
            Some(SendHandle::Flow(sender)) => sender.send(message).is_ok(),
            _ => return,
        };
        if !sent {
            self.last = None;
        }
    }

    pub(super) fn receive(&mut self, op: &Op, o: usize) {
        let Some(handle) = self.receiver(o) else { return };
        let got: Got = match (handle, op) {
            (ReceiveHandle::Channel(receiver), Op::Recv(_)) => receiver.recv().into(),
            (ReceiveHandle::Channel(receiver), Op::TryRecv(_)) => receiver.try_recv().into(),
            (ReceiveHandle::Channel(receiver), Op::RecvTimeout(_)) => receiver.recv_timeout(A_WHILE).into(),
            (ReceiveHandle::Port(receiver), Op::Recv(_)) => receiver.recv().into(),
            (ReceiveHandle::Port(receiver), Op::TryRecv(_)) => receiver.try_recv().into(),
            (ReceiveHandle::Flow(receiver), Op::Recv(_)) => receiver.recv().into(),
            (ReceiveHandle::Flow(receiver), Op::TryRecv(_)) => receiver.try_recv().into(),
            (ReceiveHandle::Flow(receiver), Op::RecvTimeout(_)) if self.has_deadlines(o) => {
                receiver.recv_deadline(soon()).into()
            }
            (ReceiveHandle::Flow(receiver), Op::RecvTimeout(_)) => receiver.recv_timeout(A_WHILE).into(),
            (ReceiveHandle::Timer(receiver), Op::Recv(_)) => time(receiver.recv()),
            (ReceiveHandle::Timer(receiver), Op::TryRecv(_)) => time(receiver.try_recv()),
            (ReceiveHandle::Timer(receiver), Op::RecvTimeout(_)) => time(receiver.recv_timeout(A_WHILE)),
            _ => return,
        };
        self.after_receiving(got);
    }

    /// Whether the thread waits for an object until a deadline, and not for a duration.
    pub(super) fn has_deadlines(&self, o: usize) -> bool {
        (self.t + o) % 2 == 1
    }

    /// Receives until there is nothing, or no thread left to send.
    pub(super) fn drain(&mut self, op: &Op, o: usize) {
        // Taken out meanwhile: received messages may be handles, which go to its place.
        let Some(handle) = self.take_receiver(o) else { return };
        let tries = matches!(op, Op::TryDrain(_));
        match &handle {
            ReceiveHandle::Channel(receiver) if tries => {
                receiver.try_iter().for_each(|message| self.got(message));
            }
            ReceiveHandle::Flow(receiver) if tries => {
                receiver.try_iter().for_each(|message| self.got(message));
            }
            ReceiveHandle::Channel(receiver) => receiver.iter().for_each(|message| self.got(message)),
            ReceiveHandle::Flow(receiver) => receiver.iter().for_each(|message| self.got(message)),
            ReceiveHandle::Port(receiver) if !tries => {
                while let Ok(message) = receiver.recv() {
                    self.got(message);
                }
            }
            _ => return self.put_receiver(o, handle),
        }
        self.last = None;
        self.put_receiver(o, handle);
    }

    fn take_receiver(&mut self, o: usize) -> Option<ReceiveHandle> {
        match self.world.program.objects[o].receiver() {
            Some(Holder::Under(mutex)) => self.mutexes.get_mut(&mutex)?.receivers.remove(&o),
            _ => self.handles.receivers.remove(&o),
        }
    }

    fn put_receiver(&mut self, o: usize, handle: ReceiveHandle) {
        let place = match self.world.program.objects[o].receiver() {
            Some(Holder::Under(mutex)) => {
                &mut self.mutexes.get_mut(&mutex).expect("it is still held").receivers
            }
            _ => &mut self.handles.receivers,
        };
        place.insert(o, handle);
    }

    pub(super) fn after_receiving(&mut self, got: Got) {
        match got {
            Got::Message(message) => self.got(message),
            Got::Time => self.last = Some(TIME),
            Got::Nothing => self.last = Some(NOTHING_THERE),
            Got::Never => self.last = None,
        }
    }

    /// A number becomes the last value; a handle is kept if the thread has none of the kind.
    pub(super) fn got(&mut self, message: Message) {
        match message {
            Message::Number(number) => self.last = Some(number),
            Message::Handle(o, handle) => {
                self.last = Some(HANDLE);
                if let Entry::Vacant(place) = self.handles.senders.entry(o) {
                    place.insert(*handle);
                }
            }
            Message::Receiver(o, handle) => {
                self.last = Some(HANDLE);
                self.handles.receivers.insert(o, *handle);
            }
        }
    }

    /// Asks what is inside a channel, by the handle that the thread has.
    pub(super) fn look(&mut self, op: &Op, o: usize) {
        let sender = self.handles.senders.get(&o);
        self.last = Some(match (op, sender, self.handles.receivers.get(&o)) {
            (Op::Len(_), Some(SendHandle::Flow(sender)), _) => sender.len() as u8,
            (Op::IsEmpty(_), Some(SendHandle::Flow(sender)), _) => u8::from(sender.is_empty()),
            (Op::IsFull(_), Some(SendHandle::Flow(sender)), _) => u8::from(sender.is_full()),
            (Op::Len(_), _, Some(ReceiveHandle::Flow(receiver))) => receiver.len() as u8,
            (Op::IsEmpty(_), _, Some(ReceiveHandle::Flow(receiver))) => u8::from(receiver.is_empty()),
            (Op::IsEmpty(_), _, Some(ReceiveHandle::Timer(receiver))) => u8::from(receiver.is_empty()),
            (Op::IsFull(_), _, Some(ReceiveHandle::Flow(receiver))) => u8::from(receiver.is_full()),
            _ => return,
        });
    }

    pub(super) fn call(&mut self, o: usize, value: Value) {
        if let Some(SendHandle::Caller(caller)) = self.handles.senders.get(&o) {
            self.last = caller.call(value.of(self.last)).ok();
        }
    }
}

/// When a thread that gives up at some time does so.
pub(super) fn soon() -> Instant {
    Instant::now() + A_WHILE
}

/// What a timer delivered.
fn time<T, E>(result: Result<T, E>) -> Got
where
    Got: From<Result<Message, E>>,
{
    match result {
        Ok(_) => Got::Time,
        Err(error) => Err(error).into(),
    }
}

macro_rules! sent_by {
    ($($error:ty: [$($never:pat),*] [$($not_now:pat),*],)*) => {$(
        impl From<Result<(), $error>> for Sent {
            fn from(result: Result<(), $error>) -> Sent {
                match result {
                    Ok(()) => Sent::Yes,
                    $(Err($never) => Sent::Never,)*
                    $(Err($not_now) => Sent::NotNow,)*
                }
            }
        }
    )*};
}

sent_by! {
    mpsc::SendError<Message>: [mpsc::SendError(_)] [],
    mpsc::TrySendError<Message>: [mpsc::TrySendError::Disconnected(_)] [mpsc::TrySendError::Full(_)],
    crossbeam::SendError<Message>: [crossbeam::SendError(_)] [],
    crossbeam::TrySendError<Message>:
        [crossbeam::TrySendError::Disconnected(_)] [crossbeam::TrySendError::Full(_)],
    crossbeam::SendTimeoutError<Message>:
        [crossbeam::SendTimeoutError::Disconnected(_)] [crossbeam::SendTimeoutError::Timeout(_)],
}

macro_rules! got_by {
    ($($error:ty: [$($never:pat),*] [$($nothing:pat),*],)*) => {$(
        impl From<Result<Message, $error>> for Got {
            fn from(result: Result<Message, $error>) -> Got {
                match result {
                    Ok(message) => Got::Message(message),
                    $(Err($never) => Got::Never,)*
                    $(Err($nothing) => Got::Nothing,)*
                }
            }
        }
    )*};
}

got_by! {
    mpsc::RecvError: [mpsc::RecvError] [],
    mpsc::TryRecvError: [mpsc::TryRecvError::Disconnected] [mpsc::TryRecvError::Empty],
    mpsc::RecvTimeoutError: [mpsc::RecvTimeoutError::Disconnected] [mpsc::RecvTimeoutError::Timeout],
    crossbeam::RecvError: [crossbeam::RecvError] [],
    crossbeam::TryRecvError: [crossbeam::TryRecvError::Disconnected] [crossbeam::TryRecvError::Empty],
    crossbeam::RecvTimeoutError:
        [crossbeam::RecvTimeoutError::Disconnected] [crossbeam::RecvTimeoutError::Timeout],
}
