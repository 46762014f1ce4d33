//! The progress of a thread with the turns of a forced sequence.

use crate::ids::{EventId, ObjectId};
use crate::objects::Answer;
use crate::record::event::Op;

/// The progress of a thread with turns.
#[derive(Clone, Copy, Debug, Default)]
pub struct Progress {
    /// This many events of the run have been checked: those of this thread have had their turns.
    pub seen: usize,
    /// The step whose turn it has, while its call is not completed.
    pub(crate) claimed: Option<u32>,
    /// It is taking a turn, or giving one back.
    pub taking: bool,
    /// It knows that the forced prefix is over, and wants no more turns.
    pub(crate) is_free: bool,
    /// What it wants the turn for.
    pub wants: Option<Want>,
    /// How many turns it has wanted, and whether that includes one for the call that it is about to make.
    pub wanted: u32,
    pub counted: bool,
    /// The answer to its call of an entry, and the event that brought it, if the answer came while it was taking a turn.
    pub answer: Option<(EventId, Answer)>,
}

/// What a thread wants a turn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Want {
    /// An event that it has done.
    Event(EventId),
    /// A call that it is about to make of an object.
    Call(Op, ObjectId),
}
