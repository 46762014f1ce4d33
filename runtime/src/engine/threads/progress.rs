//! What a thread has to do with the turns of a forced sequence.

use crate::engine::ids::{EventId, ObjectId};
use crate::engine::objects::Answer;
use crate::engine::record::event::Op;

/// What a thread has to do with turns.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Progress {
    /// So many events of the run have been looked at: those of this thread have had their turns.
    pub(crate) seen: usize,
    /// The step whose turn it has, while its call is not completed.
    pub(crate) claimed: Option<u32>,
    /// It is busy with a turn.
    pub(crate) taking: bool,
    /// It knows that a beginning is over, and wants no more turns.
    pub(crate) is_free: bool,
    /// What it wants the turn for.
    pub(crate) wants: Option<Want>,
    /// How many turns it has wanted, and whether that counts the call that it is about to make.
    pub(crate) wanted: u32,
    pub(crate) counted: bool,
    /// The answer to its call of an entry, and what brought it, if that came while it was busy with a turn.
    pub(crate) answer: Option<(EventId, Answer)>,
}

/// What a thread wants a turn for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// An event that it has done.
    Event(EventId),
    /// A call that it is about to make of an object.
    Call(Op, ObjectId),
}
