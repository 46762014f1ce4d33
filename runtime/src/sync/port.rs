//! Ports: unbounded channels with a declared order of delivery, for modelling networks.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::Arc;
use std::sync::mpsc::{RecvError, SendError, TryRecvError};

use super::Delivery;
use crate::backend::Backend;
use crate::channel::{Channel, Flavor};
use crate::mailbox::Mailbox;
use crate::select::{Receive, Source, Ticket};
use insyn_engine::NOWHERE;
use insyn_engine::access::current_execution;
use insyn_engine::ports;
use insyn_engine::ports::receives::Blocking;
use insyn_engine::record::event::{Kind, Op};
use insyn_engine::shared::Shared;

/// Makes a port. A sent message is at the port at once; `delivery` decides which of the messages there may be received
/// next. Outside a program under test every port is a [mailbox](Delivery::Mailbox), which is a special case of all other
/// kinds of delivery.
///
/// Messages that the port still holds when its receiver is dropped are dropped too. If the destructor of one of them
/// synchronizes, as the end of a channel does, the program panics: the order in which they are dropped is not declared.
pub fn port<T>(delivery: Delivery) -> (PortSender<T>, PortReceiver<T>) {
    match current_execution() {
        None => {
            let mailbox = Arc::new(Mailbox::new());
            (PortSender(Backend::Real(mailbox.clone())), PortReceiver(Backend::Real(mailbox), PhantomData))
        }
        Some(execution) => {
            let object = ports::new_port(execution, Kind::Port, delivery);
            let channel = Channel::new(execution, object, Flavor::Port);
            (
                PortSender(Backend::Controlled(channel.clone())),
                PortReceiver(Backend::Controlled(channel), PhantomData),
            )
        }
    }
}

/// Sends to a port.
pub struct PortSender<T>(Backend<Arc<Mailbox<T>>, Shared<Channel<T>>>);

impl<T> PortSender<T> {
    /// Sends; never waits.
    ///
    /// # Errors
    /// The message, if the receiver is gone.
    #[track_caller]
    pub fn send(&self, message: T) -> Result<(), SendError<T>> {
        match &self.0 {
            Backend::Real(mailbox) => mailbox.send(message),
            Backend::Controlled(channel) => channel.send(Op::Send, message, Location::caller()).map(drop),
        }
        .map_err(SendError)
    }
}

impl<T> Clone for PortSender<T> {
    #[track_caller]
    fn clone(&self) -> Self {
        PortSender(match &self.0 {
            Backend::Real(mailbox) => {
                mailbox.add_sender();
                Backend::Real(mailbox.clone())
            }
            Backend::Controlled(channel) => {
                ports::clone_sender(channel.execution, channel.object);
                Backend::Controlled(channel.clone())
            }
        })
    }
}

impl<T> Drop for PortSender<T> {
    fn drop(&mut self) {
        match &self.0 {
            Backend::Real(mailbox) => mailbox.drop_sender(),
            Backend::Controlled(channel) => ports::drop_sender(channel.execution, channel.object, NOWHERE),
        }
    }
}

impl<T> fmt::Debug for PortSender<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PortSender").finish_non_exhaustive()
    }
}

/// Receives from a port. It belongs to one thread at a time.
pub struct PortReceiver<T>(Backend<Arc<Mailbox<T>>, Shared<Channel<T>>>, PhantomData<Cell<()>>);

impl<T> PortReceiver<T> {
    /// Waits for a message.
    ///
    /// # Errors
    /// If no message is left and every sender is gone.
    #[track_caller]
    pub fn recv(&self) -> Result<T, RecvError> {
        match &self.0 {
            Backend::Real(mailbox) => mailbox.take().ok_or(RecvError),
            Backend::Controlled(channel) => {
                channel.receive(Blocking::Wait, Location::caller()).map_err(|_| RecvError)
            }
        }
    }

    /// Takes a message if there is one.
    ///
    /// # Errors
    /// If there is none now, or if there will never be one.
    #[track_caller]
    pub fn try_recv(&self) -> Result<T, TryRecvError> {
        match &self.0 {
            Backend::Real(mailbox) => mailbox.try_take().map_err(|closed| match closed {
                true => TryRecvError::Disconnected,
                false => TryRecvError::Empty,
            }),
            Backend::Controlled(channel) => channel.receive(Blocking::Try, Location::caller()),
        }
    }
}

impl<T> Drop for PortReceiver<T> {
    fn drop(&mut self) {
        match &self.0 {
            Backend::Real(mailbox) => mailbox.drop_receiver(),
            Backend::Controlled(channel) => channel.drop_receiver(),
        }
    }
}

impl<T> fmt::Debug for PortReceiver<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PortReceiver").finish_non_exhaustive()
    }
}

impl<T> Receive for PortReceiver<T> {
    type Message = T;

    fn source(&self) -> Source<'_> {
        match &self.0 {
            Backend::Real(mailbox) => Source::real(&**mailbox),
            Backend::Controlled(channel) => Source::controlled(channel.execution, channel.object),
        }
    }

    fn take(&self, ticket: Ticket) -> T {
        match &self.0 {
            Backend::Real(mailbox) => {
                mailbox.try_take().unwrap_or_else(|_| unreachable!("the select saw a message"))
            }
            Backend::Controlled(channel) => channel.take(ticket.event()),
        }
    }
}
