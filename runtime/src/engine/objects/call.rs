//! Calls that wait to be completed, and what an object says of them.

use insyn_sequences::Op;

use crate::engine::flags::Flags;
use crate::engine::ids::{EventId, ObjectId, ThreadId};

/// A call that waits to be completed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call {
    pub(crate) event: EventId,
    pub(crate) thread: Option<ThreadId>,
    pub(crate) object: ObjectId,
    pub(crate) op: Op,
    /// See [`Flags::HASTY`] and [`Flags::BIASED`].
    pub(crate) flags: Flags,
}

impl Call {
    /// Puts a message.
    pub(crate) fn puts(&self) -> bool {
        matches!(self.op, Op::Put | Op::TryPut | Op::PutTimeout | Op::OfferPut)
    }

    /// Takes a message.
    pub(crate) fn takes(&self) -> bool {
        matches!(self.op, Op::Take | Op::TryTake | Op::TakeTimeout | Op::OfferTake)
    }

    /// Whether it waits for somebody to meet. Two that do not wait never meet.
    pub(crate) fn waits(&self) -> bool {
        !matches!(self.op, Op::TryPut | Op::TryTake) && !self.flags.has(Flags::HASTY)
    }
}

/// When the running program makes a choice of its own accord.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// At once.
    Now,
    /// When nothing else can move: somebody loses patience.
    Late,
    /// Never, unless told to.
    Never,
}

/// Whether a call can be completed in some state of its object, and with what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Enabled {
    /// It cannot.
    No,
    /// By itself.
    Alone(When),
    /// Only together with the disconnect.
    WithDisconnect,
    /// Together with the disconnect if that has come; or by itself, empty-handed.
    MaybeDisconnect(When),
    /// Together with one of the waiters.
    WithWaiter,
    /// By itself, while its wait is among the waiters.
    WhileWaiting,
    /// A put that needs a take, which lists the pair; some come back by themselves.
    NeedsTake(Option<When>),
    /// A take that needs a put, or the disconnect; some come back by themselves.
    NeedsPut(Option<When>),
    /// Asks whether somebody waits at the other side to take.
    AsksForTake,
    /// Asks whether somebody waits at the other side to put.
    AsksForPut,
    /// Together with the fire of a timer, if there is one; some come back by themselves.
    WithFire {
        /// The fire.
        fire: Option<EventId>,
        /// When it comes back by itself.
        alone: Option<When>,
    },
    /// By itself; or a waiting writer keeps it waiting.
    UnlessBlocked,
    /// Together with others, so many in all.
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
