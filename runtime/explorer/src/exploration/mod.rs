//! Exploration: from the run of one variant to the next variants, until there are none.
//!
//! Reachability testing without history, as in section 7.5.6 of the textbook: a worker runs a variant ([`worker::Worker`],
//! on [`insyn_engine`]), finds the race sets of the run ([`races::Races::find`], the textbook's `raceSet(r)`, on the
//! happens-before of [`past`], by the questions in [`order`]), and iterates over the rows of the race table ([`table::Table::next`], whose [`columns`] are
//! found one after the other), each of which is a new variant ([`variant::Maker::make`]): events that happen after a change
//! are removed, events that only lost their partner are renewed, and the changed events with all that happens before them
//! turn black. Only a stack of half-read tables is remembered, so memory does not grow with the number of sequences.
//!
//! Not in the textbook: NOTHING, pairs, disconnects and declared deliveries; and the variants of *repeats* (a renewed event
//! could take only an old partner) are explored too. In Lei and Carver's paper of 2005 but not here: grey events, and the
//! exception for tangled cycles. Runs that no real objects could have done are not counted ([`consistency`], by the
//! [`constraints`] on the events that are [`relevant`]).
//!
//! [`worker`] combines these; [`share`] lets several workers explore at once; [`tally`] holds the results, which are the
//! same whatever the number of workers; [`activity`] records whether there was anything to explore.

pub(crate) mod activity;
mod bits;
mod clocks;
pub(crate) mod columns;
pub(crate) mod consistency;
mod constraints;
pub mod ended;
pub(crate) mod order;
pub(crate) mod past;
pub mod plan;
pub(crate) mod prefix;
pub(crate) mod race_table;
pub(crate) mod races;
pub(crate) mod relevant;
mod senders;
mod set;
pub(crate) mod share;
pub(crate) mod table;
pub(crate) mod tally;
pub(crate) mod variant;
pub(crate) mod worker;
