//! Exploration: from the run of one variant to the next variants, until there are none.
//!
//! Reachability testing without history, as section 7.5.6 of the textbook has it: a worker runs a variant
//! ([`worker::Worker`], on [`crate::engine`]), finds the race sets of what it did ([`races::Races::find`], the textbook's
//! `raceSet(r)`, on the happens-before of [`past`]), and goes through the rows of the race table ([`table::Table::next`], whose
//! [`columns`] are found one after the other), each of which is a new variant ([`variant::Maker::make`]): what happens after a
//! change is removed, what only lost its partner is renewed, and the changed events with all that happens before them turn
//! black. Nothing is remembered but a stack of half-read tables, so memory does not grow with the number of sequences.
//!
//! What the textbook has not: NOTHING, pairs, disconnects and declared deliveries; and the variants of *repeats* (a renewed
//! event could take an old partner only) are explored too. What Lei and Carver's paper of 2005 has and this has not: grey events,
//! and the exception for tangled cycles. Runs that no real objects could have done are not counted ([`consistency`], by the
//! [`constraints`] on the events that are [`relevant`]).
//!
//! [`worker`] puts these together; [`share`] lets several workers explore at once; [`tally`] holds the results, which
//! are the same whatever the number of workers, and [`sights`] whether there was anything to explore.

pub(crate) mod columns;
pub(crate) mod consistency;
mod constraints;
pub(crate) mod ended;
pub(crate) mod past;
pub(crate) mod plan;
pub(crate) mod race_table;
pub(crate) mod races;
pub(crate) mod relevant;
mod set;
pub(crate) mod share;
pub(crate) mod sights;
pub(crate) mod table;
pub(crate) mod tally;
pub(crate) mod variant;
pub(crate) mod worker;
