//! Runs concurrent Rust programs under control: every synchronization behaviour once, a chosen one, or one at random.
//!
//! [`explore`] runs a closure once for each distinct SYN-sequence it has. Inside, use [`mod@std`] where you would use the
//! standard library's threads, channels and locks, and [`sync`] for what the standard library lacks.
//!
//! A *SYN-sequence* is what an execution did as far as synchronization goes: for each thread and each object its events in
//! order, and for each receive (or completion of a call) which send (or call) it took. Two executions with the same
//! sequence are the same behaviour, whatever the order of unrelated events was. [`Explorer`] has everything that can be
//! set; [`Exploration`] is what comes out; each [`Failure`] in it can be [saved](Failure::save) and run again
//! (`Explorer::replay_file`).
//!
//! Specifications, IN-SYN tests and reading files in YAML need the feature `specs`, which `cargo insyn` switches on; without
//! it, no YAML library is compiled.
//!
//! ```
//! use insyn::std::sync::mpsc;
//! use insyn::std::thread;
//!
//! // Two threads send; who comes first is open.
//! let exploration = insyn::explore(|| {
//!     let (sender, receiver) = mpsc::channel();
//!     let other = sender.clone();
//!     thread::spawn(move || sender.send("hello"));
//!     thread::spawn(move || other.send("goodbye"));
//!     let words = [receiver.recv(), receiver.recv()];
//!     assert_eq!(words, [Ok("hello"), Ok("goodbye")]);
//! });
//! assert_eq!(exploration.sequences, 2);
//! assert_eq!(exploration.panics, 1);
//! println!("{}", exploration.failures[0]);
//! ```
//!
//! Ordinary code needs no change but an attribute: [`macro@instrument`] rewrites it to the mirrors, [`macro@test`] makes a
//! test of a function that explores it, and a program of `cargo insyn`. The guide in the repository's `docs/guide.md` leads
//! from there to specifications, invalid sequences and campaigns with mutants.

// Without crossbeam nobody selects, and without specifications nobody forces.
#![cfg_attr(not(all(feature = "crossbeam-channel", feature = "specs")), allow(dead_code))]

mod backend;
mod body;
mod channel;
mod coroutine;
mod engine;
mod exploration;
mod explorer;
mod failure;
mod fingerprint;
pub mod forced;
mod journal;
mod macros;
mod mailbox;
mod mixer;
mod place;
#[cfg(feature = "specs")]
mod reading;
mod replay;
mod results;
mod rules;
mod sequence;
mod watchdog;

#[cfg(feature = "crossbeam-channel")]
pub mod crossbeam_channel;
#[doc(hidden)]
pub mod macro_support;
#[doc(hidden)]
pub mod mutation;
pub mod program;
pub mod select;
pub mod statics;
pub mod std;
pub mod sync;

pub use exploration::ended::Ended;
pub use exploration::plan::Bound;
pub use explorer::{Explorer, explore};
pub use failure::{Blocked, Failure, Panic, Termination};
pub use insyn_sequences::{self as sequences, RaceColumn, RaceTable, Sequence};
#[cfg(feature = "specs")]
pub use insyn_specs as specs;
pub use macros::{instrument, instrumented, label, name, select, test};
pub use replay::ReplayError;
#[doc(hidden)]
pub use results::BruteForce;
pub use results::{Execution, Exploration, Oversight};
#[doc(hidden)]
pub use rules::Rule;

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../docs/guide.md")]
struct Guide;
