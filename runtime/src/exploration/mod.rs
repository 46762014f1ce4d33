//! Exploration: from the run of one variant to the next variants, until there are none.
//!
//! History-free reachability testing (Lei and Carver): a worker runs a variant ([`crate::engine`]), finds the race
//! sets of what it did ([`races`], on the happens-before of [`past`]), and goes through the rows of the race table
//! ([`table`], whose [`columns`] are found one after the other), each of which is a new variant ([`variant`]). Nothing is
//! remembered but a stack of half-read tables, so memory does not grow with the number of sequences. Runs that no real
//! program could do are not counted ([`consistency`], which goes by the [`relevant`] of a run).
//!
//! [`worker`] puts these together; [`share`] lets several workers explore at once; [`tally`] holds the results, which
//! are the same whatever the number of workers, and [`sights`] whether there was anything to explore.

pub(crate) mod columns;
pub(crate) mod consistency;
pub(crate) mod past;
pub(crate) mod races;
pub(crate) mod relevant;
mod set;
pub(crate) mod share;
pub(crate) mod sights;
pub(crate) mod table;
pub(crate) mod tally;
pub(crate) mod variant;
pub(crate) mod worker;
