//! Entries: a client calls and waits for the reply; a server accepts calls when it is ready for them.

use std::cell::Cell;
use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;
use std::sync::{Arc, Mutex, PoisonError};

use super::Delivery;
use crate::backend::Backend;
use crate::channel::{Channel, Flavor};
use crate::mailbox::{Bell, Mailbox, ring};
use crate::select::{Accept, Source, Ticket};
use insyn_engine::NOWHERE;
use insyn_engine::access::{current_execution, is_alive, with};
use insyn_engine::ids::EventId;
use insyn_engine::objects::Answer;
use insyn_engine::ports;
use insyn_engine::ports::receives;
use insyn_engine::ports::receives::{Blocking, Received};
use insyn_engine::record::event::{Kind, Op};
use insyn_engine::shared::Shared;

/// Makes an entry: one side for clients to call, one for the server to accept from.
///
/// ```
/// use insyn::std::thread;
/// use insyn::sync::entry;
///
/// let exploration = insyn::explore(|| {
///     let (square, server) = entry::<u32, u32>();
///     thread::spawn(move || {
///         while let Ok(mut call) = server.accept() {
///             let n = call.take().unwrap();
///             call.reply(n * n);
///         }
///     });
///     square.call(7).unwrap()
/// });
/// assert_eq!(exploration.sequences, 1);
/// ```
pub fn entry<Req, Rep>() -> (Caller<Req, Rep>, Entry<Req, Rep>) {
    match current_execution() {
        None => {
            let mailbox = Arc::new(Mailbox::new());
            (Caller(Backend::Real(mailbox.clone())), Entry(Backend::Real(mailbox), PhantomData))
        }
        Some(execution) => {
            let object = ports::new_port(execution, Kind::Entry, Delivery::Mailbox);
            let channel = Channel::new(execution, object, Flavor::Port);
            (Caller(Backend::Controlled(channel.clone())), Entry(Backend::Controlled(channel), PhantomData))
        }
    }
}

/// What the handles of an entry share.
type Line<Req, Rep> = Backend<Arc<Mailbox<Envelope<Req, Rep>>>, Shared<Desk<Req, Rep>>>;

struct Envelope<Req, Rep> {
    request: Req,
    reply: Arc<RealReply<Rep>>,
}

/// The outer `None` until it is decided; then the reply, or the inner `None` if there will be none.
type RealReply<Rep> = Mutex<Option<Option<Rep>>>;

/// Under control, the server leaves its reply where the client's request was.
type Desk<Req, Rep> = Channel<Mail<Req, Rep>>;

enum Mail<Req, Rep> {
    Request(Req),
    Reply(Rep),
}

/// The server is gone, or has dropped the call, without a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the server ended the call without a reply")]
#[non_exhaustive]
pub struct CallError;

/// Every caller is gone and no call is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("every caller of the entry has gone")]
#[non_exhaustive]
pub struct Closed;

/// Calls an entry.
pub struct Caller<Req, Rep>(Line<Req, Rep>);

impl<Req, Rep> Caller<Req, Rep> {
    /// Calls, and waits until the server has accepted and replied.
    ///
    /// # Errors
    /// If the server is dropped, or drops the call, without a reply.
    #[track_caller]
    pub fn call(&self, request: Req) -> Result<Rep, CallError> {
        match &self.0 {
            Backend::Real(mailbox) => {
                let reply = Arc::new(Mutex::new(None));
                mailbox.send(Envelope { request, reply: reply.clone() }).map_err(|_| CallError)?;
                Bell::until(|| reply.lock().unwrap_or_else(PoisonError::into_inner).take()).ok_or(CallError)
            }
            Backend::Controlled(channel) => {
                let place = Location::caller();
                let call = channel.send(Op::Call, Mail::Request(request), place).map_err(|_| CallError)?;
                if ports::await_reply(channel.execution, channel.object, call, place) != Answer::Replied {
                    return Err(CallError);
                }
                match channel.take(call) {
                    Mail::Reply(reply) => Ok(reply),
                    Mail::Request(_) => unreachable!("the server has taken it and left its reply"),
                }
            }
        }
    }
}

impl<Req, Rep> Clone for Caller<Req, Rep> {
    #[track_caller]
    fn clone(&self) -> Self {
        Caller(match &self.0 {
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

impl<Req, Rep> Drop for Caller<Req, Rep> {
    fn drop(&mut self) {
        match &self.0 {
            Backend::Real(mailbox) => mailbox.drop_sender(),
            Backend::Controlled(channel) => ports::drop_sender(channel.execution, channel.object, NOWHERE),
        }
    }
}

impl<Req, Rep> fmt::Debug for Caller<Req, Rep> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Caller").finish_non_exhaustive()
    }
}

/// Accepts calls. It belongs to one thread at a time. Use [`select!`](macro@crate::select) to accept from several.
pub struct Entry<Req, Rep>(Line<Req, Rep>, PhantomData<Cell<()>>);

impl<Req, Rep> Entry<Req, Rep> {
    /// Waits for a call.
    ///
    /// # Errors
    /// If every caller has gone and no call is left.
    #[track_caller]
    pub fn accept(&self) -> Result<Call<Req, Rep>, Closed> {
        match &self.0 {
            Backend::Real(mailbox) => {
                let envelope = mailbox.take().ok_or(Closed)?;
                Ok(Call { request: Some(envelope.request), reply: Some(ReplyTo::Real(envelope.reply)) })
            }
            Backend::Controlled(channel) => {
                let open = [channel.object];
                match receives::receive(channel.execution, &open, Blocking::Wait, Location::caller()) {
                    Received::Message { send, .. } => Ok(Call::controlled(channel, send)),
                    Received::Closed | Received::OneClosed { .. } | Received::Nothing => Err(Closed),
                }
            }
        }
    }

    /// Waits for a call and replies at once; the request can be taken later.
    ///
    /// # Errors
    /// If every caller has gone and no call is left.
    #[track_caller]
    pub fn accept_and_reply(&self, reply: Rep) -> Result<Req, Closed> {
        let mut call = self.accept()?;
        let request = call.take().expect("nobody has taken it yet");
        call.reply(reply);
        Ok(request)
    }
}

impl<Req, Rep> Drop for Entry<Req, Rep> {
    fn drop(&mut self) {
        match &self.0 {
            Backend::Real(mailbox) => {
                let left = std::mem::take(&mut mailbox.inside().messages);
                for envelope in left {
                    *envelope.reply.lock().unwrap_or_else(PoisonError::into_inner) = Some(None);
                }
                mailbox.drop_receiver();
            }
            Backend::Controlled(channel) => channel.drop_receiver(),
        }
    }
}

impl<Req, Rep> fmt::Debug for Entry<Req, Rep> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Entry").finish_non_exhaustive()
    }
}

impl<Req, Rep> Accept for Entry<Req, Rep> {
    type Call = Call<Req, Rep>;

    fn source(&self) -> Source<'_> {
        match &self.0 {
            Backend::Real(mailbox) => Source::real(&**mailbox),
            Backend::Controlled(channel) => Source::controlled(channel.execution, channel.object),
        }
    }

    fn take(&self, ticket: Ticket) -> Call<Req, Rep> {
        match &self.0 {
            Backend::Real(mailbox) => {
                let envelope = mailbox.try_take().unwrap_or_else(|_| unreachable!("the select saw a call"));
                Call { request: Some(envelope.request), reply: Some(ReplyTo::Real(envelope.reply)) }
            }
            Backend::Controlled(channel) => Call::controlled(channel, ticket.event()),
        }
    }
}

/// A call that has been accepted. Dropping it without a reply ends the call with an error.
pub struct Call<Req, Rep> {
    request: Option<Req>,
    reply: Option<ReplyTo<Req, Rep>>,
}

enum ReplyTo<Req, Rep> {
    Real(Arc<RealReply<Rep>>),
    Controlled { desk: Shared<Desk<Req, Rep>>, call: EventId },
}

impl<Req, Rep> Call<Req, Rep> {
    fn controlled(desk: &Shared<Desk<Req, Rep>>, call: EventId) -> Self {
        let Mail::Request(request) = desk.take(call) else { unreachable!("a call is accepted once") };
        Call { request: Some(request), reply: Some(ReplyTo::Controlled { desk: desk.clone(), call }) }
    }

    /// What the client asks for.
    ///
    /// # Panics
    /// If it has been [taken](Self::take).
    pub fn request(&self) -> &Req {
        self.request.as_ref().expect("the request has been taken")
    }

    /// Returns the client's request, the first time it is called.
    pub fn take(&mut self) -> Option<Req> {
        self.request.take()
    }

    /// Lets the client go on.
    #[track_caller]
    pub fn reply(mut self, value: Rep) {
        match self.reply.take() {
            Some(ReplyTo::Real(reply)) => {
                *reply.lock().unwrap_or_else(PoisonError::into_inner) = Some(Some(value));
                ring();
            }
            Some(ReplyTo::Controlled { desk, call }) => {
                // The desk may be touched only in its own execution.
                with(desk.execution, |_| ());
                desk.put(call, Mail::Reply(value));
                ports::reply(desk.execution, desk.object, call, Answer::Replied, Location::caller());
            }
            None => unreachable!("a call is replied to once"),
        }
    }
}

impl<Req, Rep> Drop for Call<Req, Rep> {
    fn drop(&mut self) {
        match self.reply.take() {
            Some(ReplyTo::Real(reply)) => {
                *reply.lock().unwrap_or_else(PoisonError::into_inner) = Some(None);
                ring();
            }
            Some(ReplyTo::Controlled { desk, call }) if is_alive(desk.execution) => {
                ports::reply(desk.execution, desk.object, call, Answer::Gone, NOWHERE);
            }
            _ => {}
        }
    }
}

impl<Req: fmt::Debug, Rep> fmt::Debug for Call<Req, Rep> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call").field("request", &self.request).finish_non_exhaustive()
    }
}
