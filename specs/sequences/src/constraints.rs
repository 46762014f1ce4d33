//! The constraints that real objects put on the order of events, beyond happens-before.
//!
//! A sequence has the message that each receive took, and no more. A queue delivers messages in the order in which they
//! were sent, though nothing else may order their sends; a receive that found nothing came before the messages that were
//! received later; a load came before the next store. The possible orders of the events of an execution are those that
//! agree with happens-before and with such constraints.

use crate::sequence::EventRef;

/// The constraints of the objects of one execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderConstraints {
    /// The first event comes before the second.
    pub before: Vec<(EventRef, EventRef)>,
    /// The event comes before at least one of the others.
    pub before_one: Vec<(EventRef, Vec<EventRef>)>,
}
