//! What real objects demand of the order of events, beyond happens-before.
//!
//! A sequence says which message each receive took, and no more. A queue hands out messages in the order in which they
//! came in, so they were sent in that order, though nothing else may order their sends; a receive that found nothing came
//! before what was received later; a load before the next store. The orders in which the events of an execution can
//! have come are those that agree with happens-before and with such demands.

use crate::sequence::EventRef;

/// OrderConstraints of the objects of one execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OrderConstraints {
    /// The first event comes before the second.
    pub before: Vec<(EventRef, EventRef)>,
    /// The event comes before at least one of the others.
    pub before_one: Vec<(EventRef, Vec<EventRef>)>,
}
