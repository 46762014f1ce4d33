//! SYN-sequences as data: what an execution did, process by process, and every form it is written in.
//!
//! | module | what it gives |
//! |---|---|
//! | [`sequence`] | the [`Sequence`] itself: threads, objects, their events and partners |
//! | [`order`] | happens-before, and the canonical line of all events |
//! | [`observed`] | events as specifications and tests name them: a call and its completion are one |
//! | [`views`] | SYN-events in a total order, by thread, or by object; conversions between these |
//! | [`timestamps`] | thread-centric vectors and object-centric version vectors |
//! | [`races`] | the race table of a sequence: what could have been taken instead |
//! | [`versions`] | reads and writes of shared variables with version numbers; race variants and their diagram |
//! | [`file`](mod@file) | the file form: written as YAML, read and written as JSON |
//! | [`text`] | the text form for terminals and reports |
//! | [`failing`], [`report`], [`causes`] | what is known of a failure, its text, and its cause |
//! | [`harmless`] | texts that a program chose, made harmless for terminals |
//!
//! All of it is pure: no module does input or output, and equal values give equal results. Nothing here knows
//! specifications or reads YAML: the engine builds on this crate alone.
//!
//! ```
//! use insyn_sequences::{Event, EventRef, Kind, Op, Order, Pick, Process, Sequence, text};
//!
//! let event = |op, pick| Event {
//!     op, object: Some(1), pick, after: vec![], empty: vec![], label: None, location: None,
//! };
//! let process = |id: &str, kind, events| Process { id: id.to_owned(), kind, name: None, events };
//! let sequence = Sequence {
//!     processes: vec![
//!         process(
//!             "main",
//!             Kind::Thread,
//!             vec![event(Op::Receive, Pick::Partners(vec![EventRef { process: 2, index: 0 }]))],
//!         ),
//!         process("main/channel1", Kind::Channel, vec![]),
//!         process("main/thread1", Kind::Thread, vec![event(Op::Send, Pick::Nothing)]),
//!     ],
//! };
//!
//! let order = Order::of(&sequence)?;
//! let &[send, receive] = order.line() else { panic!("there are two events") };
//! assert!(order.happens_before(send, receive));
//!
//! assert_eq!(
//!     text::render_order(&order),
//!     "1  thread1  send     channel1
//! 2  main     receive  channel1  from 1 thread1
//! "
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod canonical;
pub mod catalog;
pub mod causes;
mod constraints;
pub mod failing;
pub mod file;
mod folding;
pub mod harmless;
mod labels;
pub mod observed;
pub mod order;
pub mod races;
pub mod report;
mod scene;
pub mod sequence;
mod termination;
pub mod text;
pub mod timestamps;
mod topology;
pub mod versions;
pub mod views;

pub use canonical::{Malformed, MalformedKind};
pub use catalog::Catalog;
pub use constraints::OrderConstraints;
pub use file::SequenceFile;
pub use observed::{Named, ObservedEvent, Took, observed_events};
pub use order::Order;
pub use races::{RaceColumn, RaceTable};
pub use sequence::{Event, EventRef, Kind, Label, Location, Op, Pick, Process, Sequence, Value};
pub use termination::Termination;
pub use topology::smallest_first;
pub use versions::{RvDiagram, RwSequence};
pub use views::{ObjectView, ThreadView, TotalView, listed};
