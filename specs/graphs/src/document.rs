//! State graphs as JSON, in both directions.
//!
//! ```json
//! {
//!   "insyn": "graph", "version": 1,
//!   "threads": ["main", "worker"],
//!   "initial": 0,
//!   "states": [
//!     {"threads": [{"next": "3", "activity": "blocked"}, {"next": "7", "progress": true}], "objects": "lock: worker"},
//!     {"threads": [{"next": "3", "activity": "blocked"}, {"next": "end", "activity": "ended"}], "open": true}
//!   ],
//!   "transitions": [{"from": 0, "threads": [1], "operation": "unlock", "place": "src/lib.rs:7:5", "to": 1}]
//! }
//! ```
//!
//! States and threads are named by their places, from 0. A transition lists the threads that make the step, first the one that
//! performs the operation. `activity` is `ready` unless it is given; `progress` and `open` are false, `objects` and `place` empty.
//! A state is `open` if a bound was reached before all of its transitions were found. The states may be in any order; a file that was
//! written here has them breadth first, so that equal graphs have equal files.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::builder::GraphBuilder;
use crate::error::GraphError;
use crate::graph::{Activity, StateGraph, StateId, ThreadState};
use crate::thread::ThreadId;

/// The version of the format.
pub const VERSION: u64 = 1;

/// Why a text is no graph.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReadError {
    /// It is not JSON, or not of this shape.
    #[error("this is no graph in JSON: {0}")]
    Json(#[from] serde_json::Error),
    /// It is some other document of insyn.
    #[error("this is insyn's {found:?}; a graph begins with `\"insyn\": \"graph\"`")]
    Kind {
        /// What it says it is.
        found: String,
    },
    /// It is of another version.
    #[error("this graph has version {found}; version {VERSION} is read")]
    Version {
        /// The version that it says.
        found: u64,
    },
    /// States and transitions do not fit together.
    #[error(transparent)]
    Graph(#[from] GraphError),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document<'a> {
    #[serde(borrow)]
    insyn: Cow<'a, str>,
    version: u64,
    #[serde(borrow)]
    threads: Vec<Cow<'a, str>>,
    initial: u32,
    #[serde(borrow)]
    states: Vec<State<'a>>,
    #[serde(borrow)]
    transitions: Vec<Transition<'a>>,
}

/// The beginning of a document, which says how to read the rest.
#[derive(Deserialize)]
struct Head {
    insyn: String,
    version: u64,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State<'a> {
    #[serde(borrow)]
    threads: Vec<At<'a>>,
    #[serde(borrow, default, skip_serializing_if = "str::is_empty")]
    objects: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "is_false")]
    open: bool,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct At<'a> {
    #[serde(borrow)]
    next: Cow<'a, str>,
    #[serde(default, skip_serializing_if = "Doing::is_ready")]
    activity: Doing,
    #[serde(default, skip_serializing_if = "is_false")]
    progress: bool,
}

impl At<'_> {
    fn thread(&self) -> ThreadState<'_> {
        let activity = match self.activity {
            Doing::Ready => Activity::Ready,
            Doing::Blocked => Activity::Blocked,
            Doing::Ended => Activity::Ended,
        };
        ThreadState { next: &self.next, activity, progress: self.progress }
    }
}

#[derive(Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Doing {
    #[default]
    Ready,
    Blocked,
    Ended,
}

impl Doing {
    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
    fn is_ready(&self) -> bool {
        *self == Doing::Ready
    }
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Transition<'a> {
    from: u32,
    threads: Vec<usize>,
    #[serde(borrow)]
    operation: Cow<'a, str>,
    #[serde(borrow, default, skip_serializing_if = "str::is_empty")]
    place: Cow<'a, str>,
    to: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(value: &bool) -> bool {
    !value
}

/// Writes a graph as JSON.
pub fn write(graph: &StateGraph) -> String {
    let state = |state: StateId| {
        let at = |thread: ThreadId| {
            let ThreadState { next, activity, progress } = graph.at(state, thread);
            let activity = match activity {
                Activity::Ready => Doing::Ready,
                Activity::Blocked => Doing::Blocked,
                Activity::Ended => Doing::Ended,
            };
            At { next: next.into(), activity, progress }
        };
        State {
            threads: graph.all_threads().iter().map(at).collect(),
            objects: graph.objects(state).into(),
            open: graph.is_open(state),
        }
    };
    let transition = |id| {
        let it = graph.transition(id);
        let others = it.threads.iter().filter(|&other| other != it.thread);
        Transition {
            from: it.from.0,
            threads: std::iter::once(it.thread).chain(others).map(ThreadId::index).collect(),
            operation: it.operation.into(),
            place: it.place.into(),
            to: it.to.0,
        }
    };
    let document = Document {
        insyn: "graph".into(),
        version: VERSION,
        threads: graph.threads().map(Into::into).collect(),
        initial: StateGraph::INITIAL.0,
        states: graph.state_ids().map(state).collect(),
        transitions: graph.state_ids().flat_map(|it| graph.outgoing(it)).map(transition).collect(),
    };
    serde_json::to_string(&document).expect("numbers and texts can always be written")
}

/// Reads a graph from JSON.
///
/// # Errors
/// If the text is no graph, or one of another version, or if its states and transitions do not fit together.
pub fn read(text: &str) -> Result<StateGraph, ReadError> {
    // The rest of another version may have another shape, which is not what is wrong with it.
    let Head { insyn, version } = serde_json::from_str(text)?;
    if insyn != "graph" {
        return Err(ReadError::Kind { found: insyn });
    }
    if version != VERSION {
        return Err(ReadError::Version { found: version });
    }
    let document: Document<'_> = serde_json::from_str(text)?;
    let mut builder = GraphBuilder::new(document.threads.iter().map(|name| &**name))?;
    for State { threads, objects, open } in &document.states {
        let threads: Vec<ThreadState<'_>> = threads.iter().map(At::thread).collect();
        let state = builder.state(&threads, objects)?;
        if *open {
            builder.open(state)?;
        }
    }
    for Transition { from, threads, operation, place, to } in &document.transitions {
        let thread = |&index: &usize| ThreadId::new(index).ok_or(GraphError::UnknownThread { index });
        let threads = threads.iter().map(thread).collect::<Result<Vec<ThreadId>, GraphError>>()?;
        builder.transition(StateId(*from), &threads, operation, place, StateId(*to))?;
    }
    Ok(builder.finish(StateId(document.initial))?)
}
