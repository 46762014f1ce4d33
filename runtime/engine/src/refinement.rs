//! Facts about a program that an exploration discovers on the way and starts again with.
//!
//! Some objects have a simple form that is enough for most programs (a channel whose receives are ordered needs no order of
//! its own; the count of an `Arc` is never read; readers of a lock that no writer meets). The first execution that needs the other form reports it
//! ([`Engine::refine`]), and the exploration starts again with the fact. Facts are named by the path of a process, so they
//! hold for all executions and all workers; they are only ever added, so the restarts end.

use std::collections::BTreeSet;

use insyn_sequences::{Event, Kind, Op, Pick, Sequence};

use crate::ids::ProcessId;
use crate::process::Path;
use crate::{Engine, Phase, Place};

/// See the [module](self).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fact {
    /// A channel that is never full needs an order of its puts and takes.
    Shared(Path),
    /// Two objects are used in one select, so they need one order.
    Joined(Path, Path),
    /// It matters in which order handles are dropped: a pointer, the receivers of a channel, the result of a thread.
    Counted(Path),
    /// The program asks whether a thread has finished.
    Watched(Path),
    /// The program asks which thread is the leader of a barrier.
    Leader(Path),
    /// It matters in which order threads read a lock, since a writer meets the readers.
    Ordered(Path),
    /// A thread that polls at a place gives up eventually.
    GivesUp(Path, Place),
    /// A thread that polls at a place keeps polling until something changes.
    PollsOn(Path, Place),
}

/// Whether events with an operation have the same names whatever facts are known. Facts concern the other operations: on
/// channels, counted pointers and other counted handles, the ends of threads, barriers.
pub fn is_stable(op: Op) -> bool {
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
            | OfferUpdate
            | OfferFailure
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
pub struct Refinement(BTreeSet<Fact>);

impl Refinement {
    /// Adds facts; false if there is nothing new among them.
    pub fn add(&mut self, facts: impl IntoIterator<Item = Fact>) -> bool {
        let known = self.0.len();
        self.0.extend(facts);
        self.0.len() > known
    }

    /// The facts that a recorded sequence shows.
    pub fn of(sequence: &Sequence, path: impl Fn(&str) -> Option<Path>) -> Self {
        let mut facts = BTreeSet::new();
        for process in &sequence.processes {
            let Some(at) = path(&process.id) else { continue };
            if let (Kind::End, [thread @ .., (_, number)]) = (process.kind, &at[..]) {
                // The first records that a thread has ended, the second in which order its result is given up.
                let fact = if *number == 1 { Fact::Watched } else { Fact::Counted };
                facts.insert(fact(thread.to_vec()));
            }
            // Objects that are used in one select: offers with nothing else between them.
            let mut offered: Option<Path> = None;
            for event in &process.events {
                let object = event.object.and_then(|object| sequence.processes.get(object));
                let on = object.and_then(|object| Some((object.kind, path(&object.id)?)));
                let offers = event.op.is_offer();
                match (&on, &offered) {
                    (Some((kind, on)), Some(first)) if offers && is_channel(*kind) && on != first => {
                        facts.insert(Fact::Joined(first.clone(), on.clone()));
                    }
                    (Some((kind, on)), None) if offers && is_channel(*kind) => offered = Some(on.clone()),
                    _ if !offers => offered = None,
                    _ => {}
                }
                if let Some((kind, on)) = on {
                    facts.extend(shown_by(event, (process.kind, &at), (kind, &on)));
                }
            }
        }
        Refinement(facts)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Fact> {
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
    // A completion shows that the object has an order of its own; so does a call, even one that was never completed; and so
    // does a disconnect or a fire on a process of its own, apart from the timeline of its channel.
    let is_end = matches!(event.op, Op::Disconnect | Op::Fire) && at != on;
    let ordered = match object {
        Kind::Channel | Kind::Timer if object.completes(event.op) || is_completion && at == on || is_end => {
            Some(Fact::Shared(on.clone()))
        }
        Kind::Arc if object.completes(event.op) => Some(Fact::Counted(on.clone())),
        // If readers are not ordered, their events follow the last completion, or nothing.
        Kind::RwLock if event.op.is_reading() && (is_completion || event.pick == Pick::None) => {
            Some(Fact::Ordered(on.clone()))
        }
        // Without a leader, the partners are in the order of their names.
        Kind::Barrier if is_completion && !event.pick.partners().is_sorted() => {
            Some(Fact::Leader(on.clone()))
        }
        _ => None,
    };
    // The drop of a receiver is completed in two cases: receivers are counted, or there is only one, and then it does not
    // matter whether they are counted.
    let is_counted = event.op == Op::DropReceiver && is_completion;
    let counted = is_counted.then(|| Fact::Counted(on.clone()));
    // A timeline with events of another object is shared with that object. (The timeline of the end of a channel is the
    // channel's own.)
    let is_joined = is_completion && is_channel(process) && is_channel(object) && !at.starts_with(on);
    let joined = is_joined.then(|| Fact::Joined(at.clone(), on.clone()));
    ordered.into_iter().chain(counted).chain(joined)
}

/// Whether objects of this kind can be used in one select.
fn is_channel(kind: Kind) -> bool {
    matches!(kind, Kind::Channel | Kind::Bounded | Kind::Rendezvous | Kind::Timer)
}

/// What the exploration has discovered about the polls of a thread at a place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownPoll {
    pub process: ProcessId,
    pub place: Place,
    pub(crate) gives_up: bool,
}

impl Engine {
    /// Discovers a fact. The run is discarded, and the running thread must not go on. What threads do after the program is
    /// over is no evidence about the program.
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
    pub fn apply(&mut self, refinement: &Refinement) {
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
                Fact::Ordered(path) => {
                    let process = of(self, path);
                    self.processes.facts_mut(process).ordered = true;
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
