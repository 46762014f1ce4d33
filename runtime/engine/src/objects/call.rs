//! Calls that wait to be completed, and in what way an object enables them.

use insyn_sequences::Op;

use crate::flags::Flags;
use crate::ids::{EventId, ObjectId, ThreadId};

/// A call that waits to be completed.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub event: EventId,
    pub thread: Option<ThreadId>,
    pub object: ObjectId,
    pub op: Op,
    /// See [`Flags::NO_WAIT`] and [`Flags::BIASED`].
    pub flags: Flags,
}

impl Call {
    /// Puts a message.
    pub fn puts(&self) -> bool {
        matches!(self.op, Op::Put | Op::TryPut | Op::PutTimeout | Op::OfferPut)
    }

    /// Takes a message.
    pub fn takes(&self) -> bool {
        matches!(self.op, Op::Take | Op::TryTake | Op::TakeTimeout | Op::OfferTake)
    }

    /// Puts a message, or asks whether one could be put.
    pub(crate) fn is_for_puts(&self) -> bool {
        self.puts() || self.op == Op::ReadyPut
    }

    /// Whether the call waits for a partner. Two calls that do not wait are never partners.
    pub fn waits(&self) -> bool {
        !matches!(self.op, Op::TryPut | Op::TryTake) && !self.flags.has(Flags::NO_WAIT)
    }
}

/// When the running program makes a choice that no script requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum When {
    /// At once.
    Now,
    /// When nothing else can move: a wait times out.
    Late,
    /// Never, unless the script requires it.
    Never,
}

/// Whether a call can be completed in some state of its object, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enabled {
    /// It cannot.
    No,
    /// By itself.
    Alone(When),
    /// Only together with the disconnect.
    WithDisconnect,
    /// Together with the disconnect if there is one; or by itself, empty-handed.
    MaybeDisconnect(When),
    /// Together with one of the waiters.
    WithWaiter,
    /// By itself, while its wait is among the waiters.
    WhileWaiting,
    /// A put that needs a take, which lists the pair; some puts may also return by themselves.
    NeedsTake(Option<When>),
    /// A take that needs a put, or the disconnect; some takes may also return by themselves.
    NeedsPut(Option<When>),
    /// Asks whether a take waits at the other side.
    AsksForTake,
    /// Asks whether a put waits at the other side.
    AsksForPut,
    /// Together with the fire of a timer, if there is one; some takes may also return by themselves.
    WithFire {
        /// The fire.
        fire: Option<EventId>,
        /// When the timer fires, if it is not known to have fired already.
        when: When,
        /// When it returns by itself.
        alone: Option<When>,
    },
    /// By itself; or the offer to fail that was made with it is taken instead, if the object is as expected.
    OrFailure,
    /// By itself; or together with a waiting writer, which makes it wait or fail.
    UnlessBlocked,
    /// Together with a waiting writer, which makes it wait.
    Blocked,
    /// Together with others, this many in all.
    Together(u32),
    /// If no other offer of its select is enabled.
    IfNothingElse(When),
    /// If this step is one of those that it can be.
    AtStep(u32),
}

impl Enabled {
    /// By itself, at once.
    pub(super) const NOW: Enabled = Enabled::Alone(When::Now);

    /// By itself and at once, or not at all.
    #[inline]
    pub(super) fn now_if(is_enabled: bool) -> Enabled {
        if is_enabled { Enabled::NOW } else { Enabled::No }
    }
}
