//! Facts about a program that an exploration finds out on the way and starts again with.
//!
//! Some objects have a simple form that most programs need no more of (a channel whose receives are ordered needs no
//! order of its own; nobody looks at the count of an `Arc`). The first execution that needs the other form says so
//! ([`Engine::refine`]), and the exploration starts again with the fact. Facts are named by the path of a process, so
//! they hold for all executions and all workers; they are only ever added, so starting again comes to an end.

use std::collections::BTreeSet;

use insyn_sequences::{Event, Kind, Op, Sequence};

use crate::engine::ids::ProcessId;
use crate::engine::process::Path;
use crate::engine::{Engine, Phase, Place};

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
pub(crate) struct Refinement(BTreeSet<Fact>);

impl Refinement {
    /// Adds facts; false if there is nothing new among them.
    pub(crate) fn add(&mut self, facts: impl IntoIterator<Item = Fact>) -> bool {
        let known = self.0.len();
        self.0.extend(facts);
        self.0.len() > known
    }

    /// The facts that a recorded sequence shows.
    pub(crate) fn of(sequence: &Sequence, path: impl Fn(&str) -> Option<Path>) -> Self {
        let mut facts = BTreeSet::new();
        for process in &sequence.processes {
            let Some(at) = path(&process.id) else { continue };
            if let (Kind::End, [thread @ .., (_, number)]) = (process.kind, &at[..]) {
                // The first tells that a thread has come to its end, the second who gives its result up.
                let fact = if *number == 1 { Fact::Watched } else { Fact::Counted };
                facts.insert(fact(thread.to_vec()));
            }
            // Objects that meet in a select: offers with nothing else between them.
            let mut offered: Option<Path> = None;
            for event in &process.events {
                let object = event.object.and_then(|object| sequence.processes.get(object));
                let on = object.and_then(|object| Some((object.kind, path(&object.id)?)));
                match (&on, &offered) {
                    (Some((_, on)), Some(first)) if event.op.is_offer() && on != first => {
                        facts.insert(Fact::Joined(first.clone(), on.clone()));
                    }
                    (Some((_, on)), None) if event.op.is_offer() => offered = Some(on.clone()),
                    _ if !event.op.is_offer() => offered = None,
                    _ => {}
                }
                if let Some((kind, on)) = on {
                    facts.extend(shown_by(event, (process.kind, &at), (kind, &on)));
                }
            }
        }
        Refinement(facts)
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

/// The facts that one event of a process, on an object, shows.
fn shown_by(
    event: &Event,
    (process, at): (Kind, &Path),
    (object, on): (Kind, &Path),
) -> impl Iterator<Item = Fact> {
    let is_completion = process != Kind::Thread && !event.pick.partners().is_empty();
    // What completes shows it, and a call that nothing has completed does so too.
    let ordered = match object {
        Kind::Channel | Kind::Timer if object.completes(event.op) || is_completion && at == on => {
            Some(Fact::Shared(on.clone()))
        }
        Kind::Arc if object.completes(event.op) => Some(Fact::Counted(on.clone())),
        // Otherwise they are in the order of their names.
        Kind::Barrier if is_completion && !event.pick.partners().is_sorted() => {
            Some(Fact::Leader(on.clone()))
        }
        _ => None,
    };
    // The drop of a receiver has a place in the order if it is the only one, when it does not matter whether receivers are
    // counted, or if they are.
    let is_counted = event.op == Op::DropReceiver && is_completion;
    let counted = is_counted.then(|| Fact::Counted(on.clone()));
    // A timeline has events of other objects if it is theirs, too. (That of the end of a channel is the channel's own.)
    let is_channel = matches!(object, Kind::Channel | Kind::Bounded | Kind::Rendezvous | Kind::Timer);
    let is_joined = is_completion && is_channel && !at.starts_with(on);
    let joined = is_joined.then(|| Fact::Joined(at.clone(), on.clone()));
    ordered.into_iter().chain(counted).chain(joined)
}

/// What the exploration has found out about the polls of a thread at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownPoll {
    pub(crate) process: ProcessId,
    pub(crate) place: Place,
    pub(crate) gives_up: bool,
}

impl Engine {
    /// Finds out a fact. The run is of no further use; the running thread must not go on. What threads do when the program
    /// is over tells nothing about it.
    #[cold]
    #[inline(never)]
    pub(crate) fn refine(&mut self, fact: Fact) {
        if self.phase != Phase::Running {
            return;
        }
        self.ending.new_facts.push(fact);
        self.ending.is_cut = true;
        self.schedule.unasked = 0;
    }

    /// Takes facts into account from the next run on.
    pub(crate) fn apply(&mut self, refinement: &Refinement) {
        self.polls.known.clear();
        for fact in refinement.iter() {
            let of = |engine: &mut Self, path: &Path| engine.processes.find(path);
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
                    let process = of(self, path);
                    self.polls.known.push(KnownPoll { process, place, gives_up });
                }
                Fact::Joined(..) => {}
            }
        }
        for group in refinement.groups() {
            let members: Vec<ProcessId> = group.iter().map(|path| self.processes.find(path)).collect();
            for &member in &members {
                self.processes.set_timeline(member, members[0]);
                self.processes.facts_mut(member).shared = true;
            }
        }
    }
}
