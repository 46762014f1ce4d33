//! Shared variables with version numbers: RW-sequences, their race variants, and the RV diagram that these come from
//! (Hwang, Tai and Huang, *Reachability Testing: An Approach to Testing Concurrent Software*, section 4).
//!
//! A variable has version 0 at first, and each write gives it the next one. `R(U,V)` is a read of variable `U` that
//! saw version `V`; `W(U,V)` is a write that made it. An [`RwSequence`] has, for each thread that uses variables, its
//! reads and writes in order, written `S[1] = (R(A,0), W(B,1))`. With the program and its input that determines
//! everything else.
//!
//! A *race variant* of a sequence `S` is a prefix of another sequence of the program: what `S` begins with, except that
//! the last event of one thread comes earlier or later than in `S` and so observes another version. The *RV diagram*
//! ([`RvDiagram`]) finds all of them by executing the events of `S` in every order, each up to the first event that
//! observes another version.
//!
//! | paper | recorded [`Sequence`] |
//! |---|---|
//! | process | thread with reads or writes |
//! | shared variable | object of kind [`Atomic`](crate::Kind::Atomic) that is read or written |
//! | `R(U,V)` | a [`load`](crate::Op::Load) that picks the write of version `V` (nothing: 0); an [`observe`](crate::Op::Observe) that completes between the writes `V` and `V + 1`; a [`failed-update`](crate::Op::FailedUpdate) |
//! | `W(U,V)` | the `V`-th completion of a [`store`](crate::Op::Store) or [`update`](crate::Op::Update) on `U` |
//!
//! Where threads of a recorded program synchronize by other means too (one starts another, they lock, they send
//! messages), that is taken as it was: events are not executed against it. The programs of the paper have nothing but
//! their variables, and there it makes no difference.
//!
//! ```
//! use insyn_sequences::SequenceFile;
//! use insyn_sequences::versions::RwSequence;
//!
//! // One thread sets `ready` while the other polls it; the first to read is the one that polls.
//! let file = SequenceFile::from_json(
//!     r#"{"insyn": "sequence", "version": 1, "processes": [
//!         {"id": "main", "kind": "thread", "events": [{"op": "load", "on": "main/atomic1", "from": "nothing"}]},
//!         {"id": "main/atomic1", "kind": "atomic", "name": "ready",
//!          "events": [{"op": "store", "from": "main/thread1#0"}]},
//!         {"id": "main/thread1", "kind": "thread", "events": [{"op": "store", "on": "main/atomic1"}]}
//!     ]}"#,
//! )?;
//! let sequence = RwSequence::of(&file.sequence)?;
//! assert_eq!(sequence.to_string(), "S[main] = (R(ready,0))\nS[thread1] = (W(ready,1))\n");
//!
//! let variants = sequence.race_variants();
//! assert_eq!(variants.len(), 1);
//! assert_eq!(variants[0].sequence.named("Q"), "Q[main] = (R(ready,1))\nQ[thread1] = (W(ready,1))\n");
//!
//! assert_eq!(
//!     sequence.diagram().to_string(),
//!     "index of (main, thread1), version of (ready)
//! (0,0) (0)
//! ├─ main: R(ready,0)  (1,0) (0)
//! │  └─ thread1: W(ready,1)  (1,1) (1)
//! └─ thread1: W(ready,1)  (0,1) (1)
//!    └─ main: R(ready,1)  (1,1) (1)  race variant N1
//! "
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::fmt;

use thiserror::Error;

use crate::canonical::Malformed;
use crate::sequence::{EventRef, Sequence};

mod diagram;
mod recorded;

pub use diagram::{RvDiagram, RvKind, RvNode};

/// A partially ordered sequence of reads and writes: for each thread its own, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RwSequence {
    threads: Vec<String>,
    variables: Vec<String>,
    events: Vec<Vec<RwEvent>>,
    /// By thread and event: for each thread, how many of its events come before this one whatever versions it observes.
    required: Vec<Vec<Vec<usize>>>,
}

/// A read or write of a shared variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RwEvent {
    /// Which of the two.
    pub access: Access,
    /// The variable, as an index into [`RwSequence::variables`].
    pub variable: usize,
    /// The version that was read, or the one that the write made.
    pub version: usize,
    /// The event of the thread in the recorded sequence.
    pub at: EventRef,
}

/// What an event does with its variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// It leaves the variable as it is.
    Read,
    /// It makes a new version.
    Write,
}

/// The beginning of another sequence, in which one event observes another version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RaceVariant {
    /// The beginning, which differs from one of the original sequence in one event.
    pub sequence: RwSequence,
    /// The thread whose last event that is.
    pub thread: usize,
}

/// Why a sequence has no RW-sequence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{kind}")]
pub struct VersionError {
    /// What is wrong with it.
    pub kind: VersionErrorKind,
}

/// What is wrong with a sequence that has no RW-sequence.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum VersionErrorKind {
    /// It is the sequence of no execution.
    #[error("{0}")]
    Malformed(Malformed),
    /// A load picked something other than one write of its variable, or nothing.
    #[error("{load} does not say which write of its variable it saw; have it pick one, or nothing")]
    NoVersion {
        /// The load.
        load: String,
    },
    /// No event changed a variable.
    #[error("{event} completes the call of no thread; have it pick a call")]
    NoThread {
        /// What happened to the variable.
        event: String,
    },
    /// The loads saw versions that no variables could have shown.
    #[error(
        "no variables could have done that: each of these events must come before the next and the last before the \
         first, if a load comes before the next write: {}", events.join(", ")
    )]
    Inconsistent {
        /// The events of one circle.
        events: Vec<String>,
    },
}

impl From<VersionErrorKind> for VersionError {
    fn from(kind: VersionErrorKind) -> Self {
        VersionError { kind }
    }
}

impl RwSequence {
    /// The reads and writes of a recorded sequence.
    ///
    /// # Errors
    /// If the sequence is malformed, or its loads contradict each other.
    pub fn of(sequence: &Sequence) -> Result<RwSequence, VersionError> {
        recorded::read(sequence)
    }

    /// The labels of the threads that read or write.
    pub fn threads(&self) -> &[String] {
        &self.threads
    }

    /// The labels of the variables that are read or written.
    pub fn variables(&self) -> &[String] {
        &self.variables
    }

    /// The events of a thread: `S[thread]`, but that threads are counted from 0.
    ///
    /// # Panics
    /// If there is no such thread.
    pub fn events(&self, thread: usize) -> &[RwEvent] {
        &self.events[thread]
    }

    /// Whether another sequence of the same program begins like this one: each thread with the same reads and writes of
    /// the same versions. Threads and variables are the same if their labels are.
    pub fn is_prefix_of(&self, other: &RwSequence) -> bool {
        let same = |own: &RwEvent, its: &RwEvent| {
            let variables = (self.variables.get(own.variable), other.variables.get(its.variable));
            (own.access, own.version) == (its.access, its.version) && variables.0 == variables.1
        };
        self.threads.iter().zip(&self.events).all(|(thread, own)| {
            let at = other.threads.iter().position(|it| it == thread);
            let its = at.map_or(&[][..], |at| &other.events[at]);
            own.len() <= its.len() && own.iter().zip(its).all(|(own, its)| same(own, its))
        })
    }

    /// Its race variants, in the order in which they are numbered in its [diagram](RwSequence::diagram). In the worst case
    /// there are as many as the product of the lengths of its threads.
    pub fn race_variants(&self) -> Vec<RaceVariant> {
        self.diagram().variants().collect()
    }

    /// Its RV diagram. It has up to as many prefix nodes as the product of the lengths of its threads.
    pub fn diagram(&self) -> RvDiagram {
        RvDiagram::of(self, usize::MAX).expect("no diagram has more nodes than that")
    }

    /// Its RV diagram, if it has at most `most_nodes` nodes.
    pub fn diagram_within(&self, most_nodes: usize) -> Option<RvDiagram> {
        RvDiagram::of(self, most_nodes)
    }

    /// The sequence in the notation of the paper, under a name: `Q[1] = (R(A,0), W(B,1))`, a line for each thread.
    pub fn named(&self, name: &str) -> String {
        let event = |event: &RwEvent| self.notation(*event);
        let line = |(thread, events): (&String, &Vec<RwEvent>)| {
            let events: Vec<String> = events.iter().map(event).collect();
            format!("{name}[{thread}] = ({})\n", events.join(", "))
        };
        self.threads.iter().zip(&self.events).map(line).collect()
    }

    /// The notation of one of its events: `R(A,0)`.
    pub fn notation(&self, event: RwEvent) -> String {
        let access = match event.access {
            Access::Read => 'R',
            Access::Write => 'W',
        };
        let variable = self.variables.get(event.variable).map_or("?", String::as_str);
        format!("{access}({variable},{})", event.version)
    }

    /// Whether a thread can do its next event after the given number of events of each thread.
    fn is_enabled(&self, thread: usize, index: &[usize]) -> bool {
        let required = self.required[thread].get(index[thread]);
        required.is_some_and(|required| required.iter().zip(index).all(|(needed, done)| needed <= done))
    }

    /// The first events of each thread, as many as given for each.
    fn prefix(&self, index: &[usize]) -> RwSequence {
        RwSequence {
            threads: self.threads.clone(),
            variables: self.variables.clone(),
            events: self.events.iter().zip(index).map(|(all, &count)| all[..count].to_vec()).collect(),
            required: self.required.iter().zip(index).map(|(all, &count)| all[..count].to_vec()).collect(),
        }
    }
}

/// The notation of the paper, under the name `S`.
impl fmt::Display for RwSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.named("S"))
    }
}

impl RaceVariant {
    /// The event that observes another version than in the original sequence.
    pub fn changed(&self) -> RwEvent {
        *self.sequence.events[self.thread].last().expect("it was added to the beginning")
    }
}
