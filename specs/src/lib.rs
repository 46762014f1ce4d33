//! Specifications, tests, and the comparison of what a program can do with what it should do. The
//! sequences themselves are in [`insyn_sequences`]; this crate adds what is read from YAML.
//!
//! | module | what it gives |
//! |---|---|
//! | [`file`](mod@file) | reads sequence files |
//! | [`input`] | the input of a program, read from YAML |
//! | [`spec`] | specifications: which sequences are valid; they judge sequences and generate words |
//! | [`test_file`] | IN-SYN tests: an input, a sequence, and the expected result |
//! | [`correctness`] | feasible against valid, in both directions |
//! | [`draft`] | a first specification of a program, from what it does |
//!
//! All of it is pure: no module does input or output, and equal values give equal results.
//!
//! ```
//! use insyn_sequences::{Order, text};
//! use insyn_specs::file;
//!
//! let file = file::read(
//!     "insyn: sequence
//! version: 1
//! processes:
//! - id: main
//!   kind: thread
//!   events:
//!   - {op: receive, on: main/channel1, from: main/thread1#0, at: src/main.rs:7:9}
//! - id: main/channel1
//!   kind: channel
//! - id: main/thread1
//!   kind: thread
//!   name: greeter
//!   events:
//!   - {op: send, on: main/channel1, from: nothing, at: src/main.rs:4:12}
//! ",
//! )?;
//!
//! let order = Order::of(&file.sequence)?;
//! let &[send, receive] = order.line() else { panic!("there are two events") };
//! assert!(order.happens_before(send, receive));
//!
//! assert_eq!(
//!     text::render_order(&order),
//!     "1  greeter  send     channel1                  src/main.rs:4:12
//! 2  main     receive  channel1  from 1 greeter  src/main.rs:7:9
//! "
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod correctness;
pub mod draft;
pub mod file;
pub mod input;
mod names;
mod problem;
mod reader;
pub mod spec;
pub mod test_file;
#[doc(hidden)]
pub mod vocabulary;
mod word;
mod yaml;

pub use file::{FileError, FileErrorKind};
pub use names::Names;
pub use problem::{Position, Problem, ProblemKind, nearest};
pub use spec::Spec;
pub use test_file::TestFile;
pub use word::{Letter, Word};
