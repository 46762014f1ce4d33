//! Runs concurrent Rust programs under control: every synchronization behaviour once, a chosen one, or one at random.
//!
//! [`explore`] runs a closure once for each distinct SYN-sequence it has. Inside, use [`mod@std`] where you would use the
//! standard library's threads, channels and locks, and [`sync`] for what the standard library lacks.
//!
//! A *SYN-sequence* is the synchronization of an execution: for each thread and each object its events in order, and for
//! each receive (or completion of a call) which send (or call) it took. Two executions with the same sequence are the same
//! behaviour, whatever the order of unrelated events was. [`Explorer`] has all settings; [`Exploration`] is the result;
//! each [`Failure`] in it can be [saved](Failure::save) and run again (`Explorer::replay_file`).
//!
//! Specifications, IN-SYN tests and reading files in YAML need the feature `specs`, which `cargo insyn` switches on; without
//! it, no YAML library is compiled.
//!
//! ```
//! use insyn::std::sync::mpsc;
//! use insyn::std::thread;
//!
//! // Two threads send; either message may arrive first.
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
//! Ordinary code needs only an attribute: [`macro@instrument`] rewrites it to use the replacements, and [`macro@test`]
//! turns a function into a test that explores it, and into a program of `cargo insyn`. The guide in the repository's
//! `docs/guide.md` leads from there to specifications, invalid sequences and mutation runs.

// Without crossbeam, some of the code is unused.
#![cfg_attr(not(feature = "crossbeam-channel"), allow(dead_code))]

mod backend;
mod channel;
mod macros;
mod mailbox;

#[cfg(feature = "crossbeam-channel")]
pub mod crossbeam_channel;
#[cfg(feature = "crossbeam-utils")]
pub mod crossbeam_utils {
    //! Replacements for parts of `crossbeam_utils`, with the same signatures.

    pub mod sync;
}
#[doc(hidden)]
pub mod macro_support;
pub mod program {
    //! Programs: what `#[insyn::test]` turns functions into.

    pub use insyn_worker::{About, Given, NoInput, Program};
}
pub mod select;
pub mod statics;
pub mod std;
pub mod sync;

#[doc(hidden)]
pub use insyn_engine::rules::Rule;
#[doc(hidden)]
pub use insyn_explorer::results::BruteForce;
pub use insyn_explorer::{
    Blocked, Bound, Ended, Execution, Exploration, Explorer, Failure, Oversight, Panic, ReplayError,
    Termination, explore, forced,
};
pub use insyn_sequences::{self as sequences, RaceColumn, RaceTable, Sequence};
#[cfg(feature = "specs")]
pub use insyn_specs as specs;
#[doc(hidden)]
pub use insyn_worker::mutation;
pub use macros::{instrument, instrumented, label, name, select, test};

#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;

#[cfg(doctest)]
#[doc = include_str!("../../docs/guide.md")]
struct Guide;
