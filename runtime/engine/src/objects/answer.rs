//! What a completion is given, and what it results in.

use insyn_sequences::Op;

use crate::ids::{EventId, ThreadId};

/// How a variable is changed: the value to store, or none to leave it.
pub(crate) type Update = fn(old: u64, a: u64, b: u64) -> Option<u64>;

/// Which kind of pointer an operation is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pointer {
    /// A pointer that keeps its value alive.
    Strong,
    /// A pointer that does not.
    Weak,
}

/// What a call passes to its completion.
#[derive(Clone, Copy, Debug, Default)]
pub enum Argument {
    /// Nothing.
    #[default]
    None,
    /// Whether to run a closure once even after a panic has left it incomplete.
    Force(bool),
    /// Whether the closure that is run once has panicked.
    Poisoned(bool),
    /// The pointer that is cloned or dropped.
    Pointer(Pointer),
    /// How to change a variable, with the two values for that.
    Update(Update, u64, u64),
    /// As an update, with the expected value and the new one; it may fail spuriously.
    WeakUpdate(Update, u64, u64),
    /// Whether the receiver that is dropped is the last.
    LastReceiver(bool),
    /// The wait that a thread gives up.
    Wait(EventId),
    /// What the lock protects may have changed.
    Changed,
}

impl Argument {
    /// How many changes of what a lock protects a completion adds.
    pub(super) fn changes(self) -> u32 {
        u32::from(matches!(self, Argument::Changed))
    }
}

/// The completion of a call.
#[derive(Clone, Copy, Debug)]
pub struct Completion<'a> {
    pub op: Op,
    /// The thread that has called; none if the call belongs to no thread.
    pub thread: Option<ThreadId>,
    pub argument: Argument,
    /// What it takes: the call, and what else it needs.
    pub partners: &'a [EventId],
    /// The partner beside the call is the disconnect of the channel.
    pub(crate) takes_disconnect: bool,
    /// The completion itself.
    pub event: EventId,
}

/// What a completion returns to the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// It has failed, or has no value.
    No,
    /// It has succeeded.
    Yes,
    /// The channel is disconnected.
    Disconnected,
    /// The channel is empty, or full.
    WouldBlock,
    /// The time is up.
    TimedOut,
    /// A panic has left it incomplete.
    Poisoned,
    /// The caller is to run the closure that is run once.
    Begin {
        /// An earlier closure has panicked.
        was_poisoned: bool,
    },
    /// The message of this put, or this fire of a timer, was taken; or this fire was observed.
    Message(EventId),
    /// The number of messages inside.
    Count(u64),
    /// The numbers of pointers.
    Pointers {
        /// Strong ones.
        strong: u32,
        /// Weak ones.
        weak: u32,
    },
    /// The value of a variable that was read.
    Read(u64),
    /// The value of a variable before it was written.
    Wrote {
        /// That value.
        old: u64,
        /// The value written differs from the one before.
        changed: bool,
    },
    /// The value of a variable that was left as it is.
    Kept(u64),
    /// The value of a variable that was left as it is, although it was what was expected.
    Missed(u64),
    /// The call of an entry was replied to.
    Replied,
    /// The server of an entry is gone, or has let the call go without a reply.
    Gone,
}

/// What a completion does beyond its object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Nothing.
    None,
    /// The caller waits to be notified.
    Waits,
    /// The thread of this wait is notified.
    Notifies(EventId),
    /// All waiting threads are notified.
    NotifiesAll,
    /// There is a new version of a variable, with this value.
    Writes(u64),
    /// The fire of a timer is taken; a timer that ticks has another.
    TakesFire,
    /// A call is observed waiting, and keeps waiting.
    Finds(EventId),
    /// All turns of a forced sequence have been taken.
    EndsTurns,
}

/// The result of a completion.
#[derive(Clone, Copy, Debug)]
pub struct Outcome {
    pub answer: Answer,
    pub effect: Effect,
    /// The operation that the completion is recorded as, if it is another than that of the call: mostly because the
    /// completion could not do what was asked for.
    pub renamed: Option<Op>,
}

impl Outcome {
    /// It has succeeded, without a value.
    pub(super) const YES: Outcome = Outcome::of(Answer::Yes);

    /// The answer to the caller.
    #[inline]
    pub(super) const fn of(answer: Answer) -> Self {
        Outcome { answer, effect: Effect::None, renamed: None }
    }

    /// The engine has something to do.
    #[inline]
    pub(super) const fn with(answer: Answer, effect: Effect) -> Self {
        Outcome { answer, effect, renamed: None }
    }

    /// The completion could not do what was asked for.
    #[inline]
    pub(super) const fn failed(op: Op, answer: Answer) -> Self {
        Outcome { answer, effect: Effect::None, renamed: Some(op) }
    }

    /// The completion is recorded as another operation than that of the call.
    #[inline]
    pub(super) const fn renamed(self, op: Op) -> Self {
        Outcome { renamed: Some(op), ..self }
    }

    /// A take that returns empty-handed.
    #[inline]
    pub(super) fn nothing_taken(op: Op) -> Self {
        match op {
            Op::TakeTimeout => Outcome::failed(Op::FailedTake, Answer::TimedOut),
            Op::TryTake => Outcome::failed(Op::FailedTake, Answer::WouldBlock),
            _ => Outcome::of(Answer::WouldBlock),
        }
    }

    /// A put that returns without having put its message.
    #[inline]
    pub(super) fn nothing_put(op: Op) -> Self {
        match op {
            Op::PutTimeout => Outcome::failed(Op::FailedPut, Answer::TimedOut),
            Op::TryPut => Outcome::failed(Op::FailedPut, Answer::WouldBlock),
            _ => Outcome::of(Answer::WouldBlock),
        }
    }
}
