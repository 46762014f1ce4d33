//! From one recorded run of a program to all of its SYN-sequences.
//!
//! [`explorer::Explorer`] is the entry point. [`exploration`] has the algorithm: it takes a recorded run of `insyn-engine`
//! and finds the next variants. Around it: the program that is run ([`body`]), the results ([`results`], [`failure`]),
//! replaying a recorded run ([`replay`]), and sequences that a program is made to follow ([`forced`]).
//!
//! Users depend on `insyn`, which exports the public items of this crate.

#![allow(rustdoc::private_intra_doc_links, reason = "read in the source as often as in the documentation")]
// Without specifications, some of the code is unused.
#![cfg_attr(not(feature = "specs"), allow(dead_code))]

pub mod body;
pub mod exploration;
pub mod explorer;
pub mod failure;
pub mod fingerprint;
pub mod forced;
#[cfg(feature = "specs")]
pub mod reading;
pub mod replay;
pub mod results;
pub mod sequence;

pub use exploration::ended::Ended;
pub use exploration::plan::Bound;
pub use explorer::{Explorer, explore};
pub use failure::{Blocked, Failure, Panic, Termination};
pub use replay::ReplayError;
pub use results::{Execution, Exploration, Oversight};
