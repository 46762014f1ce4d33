//! Facts about a program that an exploration finds out on the way and starts again with.
//!
//! Some objects have a simple form that most programs need no more of (a channel whose receives are ordered needs no
//! order of its own; nobody looks at the count of an `Arc`). The first execution that needs the other form says so
//! ([`Execution::learn`]), and the exploration starts again with the fact. Facts are named by the path of a process, so
//! they hold for all executions and all workers; they are only ever added, so starting again comes to an end.

use std::collections::BTreeSet;

use insyn_specs::{Event, Kind, Op, Sequence};

use super::polling::Known;
use super::process::Path;
use super::{Execution, Phase, Place};

/// See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fact {
    /// A channel that is never full needs an order of its puts and takes.
    Shared(Path),
    /// Two objects meet in a select, so they need one order.
    Joined(Path, Path),
    /// It matters in which order handles are dropped: a pointer, the receivers of a channel, the result of a thread.
    Counted(Path),
    /// Somebody asks whether a thread has finished.
    Watched(Path),
    /// Somebody asks who the leader of a barrier is.
    Leader(Path),
    /// A thread that polls at a place gives up at some time.
    GivesUp(Path, Place),
    /// A thread that polls at a place does so until something changes.
    PollsOn(Path, Place),
}

/// Whether events with an operation are called the same whatever is known. The others are about what facts are about:
/// channels, pointers and other handles that are counted, the ends of threads, barriers.
pub(crate) fn is_steady(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        Label
            | Call
            | Accept
            | Reply
            | Return
            | Lock
            | TryLock
            | FailedLock
            | Unlock
            | Acquire
            | TryAcquire
            | FailedAcquire
            | Release
            | Wait
            | NotifyOne
            | NotifyAll
            | Enter
            | Reenter
            | Signal
            | Resume
            | Load
            | Store
            | Update
            | FailedUpdate
            | Read
            | TryRead
            | FailedRead
            | UnlockRead
            | Write
            | TryWrite
            | FailedWrite
            | Downgrade
            | Block
            | Park
            | ParkTimeout
            | Unpark
    )
}

/// All facts known so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Topology(BTreeSet<Fact>);

/// What is known about one process.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Facts {
    pub(crate) shared: bool,
    pub(crate) counted: bool,
    pub(crate) watched: bool,
    pub(crate) leader: bool,
}

impl Topology {
    /// Adds facts; false if there is nothing new among them.
    pub(crate) fn add(&mut self, facts: impl IntoIterator<Item = Fact>) -> bool {
        let known = self.0.len();
        self.0.extend(facts);
        self.0.len() > known
    }

    /// The facts that a recorded sequence shows.
    pub(crate) fn of(sequence: &Sequence, path: impl Fn(&str) -> Option<Path>) -> Self {
        let mut facts = BTreeSet::new();
        let object_of = |event: &Event| path(&sequence.processes.get(event.object?)?.id);
        for process in &sequence.processes {
            let Some(at) = path(&process.id) else { continue };
            let completes =
                process.events.iter().any(|e| !e.pick.partners().is_empty() && e.op != Op::Receive);
            match process.kind {
                Kind::Channel | Kind::Timer if completes => drop(facts.insert(Fact::Shared(at.clone()))),
                Kind::Arc if completes => drop(facts.insert(Fact::Counted(at.clone()))),
                Kind::End => {
                    let thread = at[..at.len() - 1].to_vec();
                    facts.insert(if completes { Fact::Counted(thread) } else { Fact::Watched(thread) });
                }
                _ => {}
            }
            // The drop of a receiver has a place in the order if it is the only one, when it does not matter whether
            // receivers are counted, or if they are.
            let is_counted = |e: &&Event| e.op == Op::DropReceiver && !e.pick.partners().is_empty();
            facts.extend(process.events.iter().filter(is_counted).filter_map(object_of).map(Fact::Counted));
            if process.kind == Kind::Thread {
                // Between a select and whatever is no offer: objects that meet.
                let mut first: Option<Path> = None;
                for event in &process.events {
                    match (event.op.is_offer(), object_of(event), &first) {
                        (true, Some(object), Some(first)) if object != *first => {
                            facts.insert(Fact::Joined(first.clone(), object));
                        }
                        (true, Some(object), None) => first = Some(object),
                        (false, ..) => first = None,
                        _ => {}
                    }
                }
            }
        }
        Topology(facts)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Fact> {
        self.0.iter()
    }

    /// Objects that share a timeline, as groups; the first of each is the smallest, which gives the timeline its name.
    pub(crate) fn groups(&self) -> Vec<BTreeSet<Path>> {
        let mut groups: Vec<BTreeSet<Path>> = Vec::new();
        for fact in &self.0 {
            let Fact::Joined(a, b) = fact else { continue };
            let mut joined = BTreeSet::from([a.clone(), b.clone()]);
            groups.retain(|group| {
                let apart = !group.contains(a) && !group.contains(b);
                if !apart {
                    joined.extend(group.iter().cloned());
                }
                apart
            });
            groups.push(joined);
        }
        groups
    }
}

impl Execution {
    /// Finds out a fact. The run is of no further use; the running thread must not go on. What threads do when the program
    /// is over tells nothing about it.
    #[cold]
    #[inline(never)]
    pub(crate) fn learn(&mut self, fact: Fact) {
        if self.phase != Phase::Running {
            return;
        }
        self.learned.push(fact);
        self.is_cut = true;
        self.unasked = 0;
    }

    /// Takes facts into account from the next run on.
    pub(crate) fn know(&mut self, topology: &Topology) {
        self.polls.clear();
        for fact in topology.iter() {
            let of = |x: &mut Self, path: &Path| x.processes.find(path);
            match fact {
                Fact::Shared(path) => {
                    let process = of(self, path);
                    self.processes.facts_mut(process).shared = true;
                }
                Fact::Counted(path) => {
                    let process = of(self, path);
                    self.processes.facts_mut(process).counted = true;
                }
                Fact::Watched(path) => {
                    let process = of(self, path);
                    self.processes.facts_mut(process).watched = true;
                }
                Fact::Leader(path) => {
                    let process = of(self, path);
                    self.processes.facts_mut(process).leader = true;
                }
                Fact::GivesUp(path, place) | Fact::PollsOn(path, place) => {
                    let gives_up = matches!(fact, Fact::GivesUp(..));
                    let thread = of(self, path);
                    self.polls.push(Known { thread, place, gives_up });
                }
                Fact::Joined(..) => {}
            }
        }
        for group in topology.groups() {
            let members: Vec<u32> = group.iter().map(|path| self.processes.find(path)).collect();
            for &member in &members {
                self.processes.set_line(member, members[0]);
                self.processes.facts_mut(member).shared = true;
            }
        }
    }
}
