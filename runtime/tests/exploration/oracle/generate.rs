//! Random programs: a family determines their constructs, a seed determines the program.
//!
//! [`generate`] makes the objects that the family calls for (see [`objects`]), gives every thread a few chunks of
//! operations (see [`chunks`]), and puts spawns, joins and drops around them.

mod chunks;
mod flows;
mod looks;
mod memory;
mod objects;
mod panics;
mod parcels;
mod times;
mod wait_groups;

use super::program::{Holder, Object, Op, Program, Thread};
use super::random::Random;

/// What a program is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Family {
    /// Unbounded channels and ports of every delivery.
    Ports,
    /// Three and more threads that receive, and send depending on what came.
    Tangled,
    /// Receivers handed between threads under a mutex.
    Handed,
    /// Bounded channels and rendezvous.
    Buffers,
    Locks,
    Condvars,
    Semaphores,
    Entries,
    /// Guarded selects over entries and ports.
    Selects,
    /// Signal-and-continue.
    Monitors,
    /// Signal-and-urgent-wait.
    UrgentMonitors,
    /// Threads spawned by threads.
    Nested,
    /// Any of the above.
    Mixed,
    /// Channels of `mpsc`, with sends and receives that give up.
    Timeouts,
    Atomics,
    RwLocks,
    /// Condition variables, with waits that give up.
    TimedWaits,
    Barriers,
    /// `Once`, `OnceLock` and `LazyLock`.
    Onces,
    /// Threads that park, and are asked whether they have finished.
    Parking,
    /// Counted pointers.
    Pointers,
    /// Channels that are sent over channels.
    Carriers,
    /// Channels of crossbeam, each with one receiver or several.
    Flows,
    /// Bounded channels of crossbeam, and rendezvous, each with several receivers.
    Crowds,
    /// Selects over unbounded channels and timers.
    PortChoices,
    /// Selects over all channels of crossbeam, for sending, too.
    Choices,
    /// Any of the above.
    Jumble,
    /// Threads that panic, with locks in hand and without.
    Panics,
    /// Channels of which both ends are sent over channels, and sending handles cloned at any point.
    Parcels,
    /// Counted pointers and atomics, and their rare operations.
    Counts,
    /// Selects with three arms, timers among them.
    Arms,
    /// Threads that look at their clocks.
    Times,
    /// Handles of wait groups, dropped and waited for.
    WaitGroups,
    /// Looks at rendezvous and timers before they are used.
    Looks,
    /// Rwlocks that are usually written while no thread reads.
    Readers,
}

impl Family {
    /// Every family.
    pub(crate) const ALL: [Family; 35] = [
        Family::Ports,
        Family::Tangled,
        Family::Handed,
        Family::Buffers,
        Family::Locks,
        Family::Condvars,
        Family::Semaphores,
        Family::Entries,
        Family::Selects,
        Family::Monitors,
        Family::UrgentMonitors,
        Family::Nested,
        Family::Mixed,
        Family::Timeouts,
        Family::Atomics,
        Family::RwLocks,
        Family::TimedWaits,
        Family::Barriers,
        Family::Onces,
        Family::Parking,
        Family::Pointers,
        Family::Carriers,
        Family::Flows,
        Family::Crowds,
        Family::PortChoices,
        Family::Choices,
        Family::Jumble,
        Family::Panics,
        Family::Parcels,
        Family::Counts,
        Family::Arms,
        Family::Times,
        Family::WaitGroups,
        Family::Looks,
        Family::Readers,
    ];

    /// Whether it is one of the first families, which do not have later constructs.
    pub(crate) fn is_first(self) -> bool {
        self <= Family::Mixed
    }
}

/// A program in the making.
struct Builder {
    random: Random,
    family: Family,
    objects: Vec<Object>,
    threads: Vec<Thread>,
    /// Receives that do not wait.
    tries: bool,
    /// Sends, receives and waits that give up.
    timeouts: bool,
    /// Handles dropped at any point.
    drops: bool,
    /// Operations that depend on received values.
    branches: bool,
    /// Several threads wait on the same condition, and main wakes them. By chance alone it would hardly ever matter
    /// which thread is woken, and in which order.
    crowd: bool,
    /// Threads send from inside a monitor, which orders what they send.
    relay: bool,
}

/// The program of a family that belongs to a seed.
pub(crate) fn generate(family: Family, seed: u64) -> Program {
    let mut random = Random::new(seed.wrapping_mul(31).wrapping_add(family as u64));
    let count = match family {
        Family::Tangled => random.between(3, 4),
        Family::Nested => 3,
        Family::Condvars => random.pick(&[3, 3, 4]),
        Family::Locks | Family::Semaphores | Family::Flows | Family::Choices => random.pick(&[2, 3, 3, 3]),
        Family::Crowds | Family::Arms => 3,
        Family::Looks => random.pick(&[2, 3, 3, 3]),
        Family::Panics | Family::Parcels | Family::Counts | Family::Times => random.pick(&[2, 3, 3, 3]),
        Family::Barriers => random.between(2, 4),
        _ => random.pick(&[2, 3, 3, 3, 3, 3, 3, 4]),
    };
    let nested = family == Family::Nested || count > 2 && random.chance(8);
    let threads = (0..count)
        .map(|t| Thread { parent: if nested && t == count - 1 { t - 1 } else { 0 }, ops: Vec::new() })
        .collect();
    let [tries, drops, branches] = [random.chance(40), random.chance(40), random.chance(60)];
    let waiting =
        matches!(family, Family::Condvars | Family::TimedWaits | Family::Monitors | Family::UrgentMonitors);
    let timeouts = matches!(
        family,
        Family::Timeouts | Family::TimedWaits | Family::Carriers | Family::Jumble | Family::Times
    );
    let crowd = waiting && count > 2 && random.chance(60);
    let mut builder = Builder {
        crowd,
        relay: false,
        random,
        family,
        objects: Vec::new(),
        threads,
        tries,
        timeouts,
        drops,
        branches,
    };
    builder.add_objects();
    builder.relay = matches!(builder.objects[..], [Object::Monitor { .. }, Object::Port { .. }, ..])
        && builder.random.chance(40);
    if family == Family::Tangled {
        builder.tangle();
    } else {
        for t in 0..count {
            builder.add_chunks(t);
        }
    }
    if !family.is_first() {
        builder.add_panics();
    }
    if family == Family::Panics || family == Family::WaitGroups && builder.random.chance(20) {
        builder.add_ends();
    }
    builder.finish()
}

impl Builder {
    /// Whether the thread is in the set of an object's senders.
    fn sends(&self, t: usize, o: usize) -> bool {
        self.objects[o].senders() >> t & 1 == 1
    }

    /// Whether the thread is in the set of an object's receivers.
    fn receives(&self, t: usize, o: usize) -> bool {
        self.objects[o].receivers() >> t & 1 == 1
    }

    fn finish(mut self) -> Program {
        if self.drops {
            self.add_drops();
        }
        let under: Vec<(usize, usize)> = self
            .objects
            .iter()
            .enumerate()
            .filter_map(|(o, object)| match object.receiver() {
                Some(Holder::Under(mutex)) if self.family != Family::Parcels => Some((mutex, o)),
                _ => None,
            })
            .collect();
        let panics = self.family == Family::Panics;
        let scoped = self.random.chance(if panics { 25 } else { 10 });
        let join_all = scoped && !panics || !under.is_empty() || self.random.chance(75);
        // Before it waits for others, main usually drops what they might wait for.
        for o in 0..self.objects.len() {
            if self.sends(0, o) && self.random.chance(75) {
                self.threads[0].ops.push(Op::DropSender(o));
            }
        }
        for child in 1..self.threads.len() {
            let parent = self.threads[child].parent;
            let percent = if self.family == Family::Readers { 70 } else { 15 };
            let late = parent != 0 && self.random.chance(50) || parent == 0 && self.random.chance(percent);
            // Whoever may panic spawns first: what it never comes to would be no program.
            let may_panic = self.threads[parent].ops.iter().any(Op::may_panic);
            let at = if late && !panics && !may_panic { self.place(parent) } else { 0 };
            self.threads[parent].ops.insert(at, Op::Spawn(child));
            if parent != 0 && (join_all || self.random.chance(60)) {
                self.threads[parent].ops.push(Op::Join(child));
            }
        }
        self.spawn_in_order();
        if matches!(self.family, Family::Parking | Family::Jumble) {
            self.add_questions();
        }
        for child in
            (1..self.threads.len()).filter(|&child| self.threads[child].parent == 0).collect::<Vec<_>>()
        {
            if join_all || self.random.chance(30) {
                self.threads[0].ops.push(Op::Join(child));
                if panics {
                    let branch = self.branch(0);
                    self.threads[0].ops.extend(branch);
                }
            }
        }
        // What is known once the others have ended.
        let percent = if self.family == Family::Readers { 80 } else { 30 };
        if !self.family.is_first() && !scoped && self.random.chance(percent) {
            let chunk = self.chunk(0);
            self.threads[0].ops.extend(chunk);
        }
        for (mutex, o) in under {
            self.threads[0].ops.extend([Op::Lock(mutex), Op::DropReceiver(o), Op::Unlock(mutex)]);
        }
        Program { objects: self.objects, threads: self.threads, scoped }
    }

    /// Main spawns its threads in the order of their numbers.
    fn spawn_in_order(&mut self) {
        let mut children =
            (1..self.threads.len()).filter(|&c| self.threads[c].parent == 0).collect::<Vec<_>>().into_iter();
        for op in &mut self.threads[0].ops {
            if let Op::Spawn(child) = op {
                *child = children.next().expect("one spawn for each child");
            }
        }
    }

    /// A place among the operations of a thread that no branch jumps over.
    fn place(&mut self, t: usize) -> usize {
        let mut places = Vec::new();
        let mut skippable = 0;
        for (at, op) in self.threads[t].ops.iter().enumerate() {
            if skippable == 0 {
                places.push(at);
            }
            skippable = if let Op::UnlessOdd(n) | Op::UnlessIs(_, n) = op {
                *n.max(&skippable)
            } else {
                skippable.max(1) - 1
            };
        }
        places.push(self.threads[t].ops.len());
        self.random.pick(&places)
    }

    /// Drops handles here and there, usually late.
    fn add_drops(&mut self) {
        for o in 0..self.objects.len() {
            for t in 0..self.threads.len() {
                let receives = self.objects[o].receiver() == Some(Holder::Thread(t)) || self.receives(t, o);
                let drop = if self.sends(t, o) && self.random.chance(40) {
                    Op::DropSender(o)
                } else if receives && self.random.chance(50) {
                    Op::DropReceiver(o)
                } else {
                    continue;
                };
                let at = if self.random.chance(50) { self.threads[t].ops.len() } else { self.place(t) };
                self.threads[t].ops.insert(at, drop);
            }
        }
    }
}
