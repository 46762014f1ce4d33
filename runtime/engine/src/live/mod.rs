//! The objects of the running program.

pub(crate) mod readings;
pub mod unreceived;

use std::borrow::Cow;

use crate::ids::{EventId, ObjectId, Table, ThreadId};
use crate::objects::{Call, State};
use readings::Readings;
use unreceived::Unreceived;

/// The objects of the running program. What the analysis asks about them is in the recorded run, under the same ids.
pub(crate) type Objects = Table<ObjectId, Object>;

/// An object of the running program. One type for all kinds, so that the memory of one run serves the next.
#[derive(Debug)]
pub struct Object {
    pub state: State,
    /// What the program calls it, if that is known.
    pub names: Option<&'static [&'static str]>,
    /// What its next completion comes after.
    pub prev: Option<EventId>,
    /// Host: calls that wait to be completed, in the order they came.
    pub pending: Vec<Call>,
    /// Port: what has been sent and not received.
    pub unreceived: Unreceived,
    /// Port: the thread that waits to receive, the last receive, and whether several threads may try.
    pub receiver: Option<ThreadId>,
    pub(crate) last_receive: Option<EventId>,
    pub(crate) many_receivers: bool,
    /// Port: no operation of the program can require an order of its own.
    pub stays_port: bool,
    /// Timer: it fires again and again.
    pub ticks: bool,
    /// Channel: handles for receiving that are left, and the drops of the others.
    pub receivers: u32,
    pub(crate) receiver_drops: Vec<EventId>,
    /// Channel: handles for sending that are left, and the drops of the others.
    pub handles: u32,
    pub drops: Vec<EventId>,
    /// Lock whose readers are not ordered: the threads that have read.
    pub(crate) readings: Readings,
}

impl Object {
    /// Fresh memory for an object.
    pub(crate) fn blank() -> Self {
        Object {
            state: State::Port,
            names: None,
            prev: None,
            pending: Vec::new(),
            unreceived: Unreceived::new(),
            receiver: None,
            last_receive: None,
            many_receivers: false,
            stays_port: false,
            ticks: false,
            receivers: 0,
            receiver_drops: Vec::new(),
            handles: 0,
            drops: Vec::new(),
            readings: Readings::default(),
        }
    }

    /// Becomes a new object with one handle on each side.
    #[inline]
    pub(crate) fn restart(
        &mut self,
        fresh: State,
        called: Option<&'static [&'static str]>,
        before: Option<EventId>,
    ) {
        let Object {
            state,
            names,
            prev,
            pending,
            unreceived,
            receiver,
            last_receive,
            many_receivers,
            stays_port,
            ticks,
            receivers,
            receiver_drops,
            handles,
            drops,
            readings,
        } = self;
        state.restart(fresh);
        (*names, *prev) = (called, before);
        pending.clear();
        unreceived.clear();
        (*receiver, *last_receive) = (None, None);
        (*many_receivers, *stays_port, *ticks) = (false, false, false);
        (*receivers, *handles) = (1, 1);
        receiver_drops.clear();
        drops.clear();
        readings.clear();
    }

    /// What the program calls it.
    pub fn title(&self) -> Option<Cow<'static, str>> {
        self.names.map(joined)
    }
}

/// The name of an object that several names apply to.
pub fn joined(names: &'static [&'static str]) -> Cow<'static, str> {
    match names {
        [name] => Cow::Borrowed(name),
        names => Cow::Owned(names.join("/")),
    }
}
