//! SYN-sequences as data: what an execution did, process by process, and every form it is read or written in; and what
//! it should have done: specifications, tests, and the comparison of the two.
//!
//! | module | what it gives |
//! |---|---|
//! | [`sequence`] | the [`Sequence`] itself: threads, objects, their events and partners |
//! | [`order`] | happens-before, and the canonical line of all events |
//! | [`views`] | SYN-events in a total order, by thread, or by object; conversions between these |
//! | [`timestamps`] | thread-centric vectors and object-centric version vectors |
//! | [`races`] | the race table of a sequence: what could have been taken instead |
//! | [`versions`] | reads and writes of shared variables with version numbers; race variants and their diagram |
//! | [`file`](mod@file) | the YAML form |
//! | [`input`] | the input of a program, read from YAML |
//! | [`harmless`] | texts that a program chose, made harmless for terminals |
//! | [`text`] | the text form for terminals and reports |
//! | [`spec`] | specifications: which sequences are valid; they judge sequences and generate words |
//! | [`test_file`] | IN-SYN tests: an input, a sequence, and what should come of them |
//! | [`correctness`] | feasible against valid, in both directions |
//!
//! All of it is pure: no module does input or output, and equal values give equal results.
//!
//! ```
//! use insyn_specs::{Order, SequenceFile, text};
//!
//! let file = SequenceFile::read(
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

mod canonical;
pub mod correctness;
mod demands;
pub mod file;
pub mod harmless;
pub mod input;
mod labels;
pub mod order;
mod problem;
pub mod races;
mod reader;
pub mod sequence;
pub mod spec;
mod termination;
pub mod test_file;
pub mod text;
pub mod timestamps;
mod topology;
pub mod versions;
pub mod views;
mod word;
mod yaml;

pub use canonical::{Malformed, MalformedKind};
pub use demands::Demands;
pub use file::{FileError, FileErrorKind, SequenceFile};
pub use order::Order;
pub use problem::{Position, Problem, ProblemKind, nearest};
pub use races::{RaceColumn, RaceTable};
pub use sequence::{Event, EventRef, Kind, Label, Location, Op, Pick, Process, Sequence, Value};
pub use spec::Spec;
pub use termination::Termination;
pub use test_file::TestFile;
pub use versions::{RvDiagram, RwSequence};
pub use views::{ObjectView, ThreadView, TotalView};
pub use word::{Letter, Word};
