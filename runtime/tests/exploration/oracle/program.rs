//! Small concurrent programs as data: what [`super::generate`] makes, [`super::enumerate`] enumerates and
//! [`super::interpret`] runs.
//!
//! Thread 0 is `main`. It makes all objects, in the order listed, and deals out their handles: each thread in
//! `senders` gets one sending handle, the `receiver` the receiving one, each of the `receivers` one, and so on. Then
//! every thread runs its operations.
//!
//! An operation that its thread cannot do (it lacks the handle, does not hold the lock, is not inside the
//! monitor, has no call to reply to; or it holds the mutex already) is skipped without an event. So every list
//! of operations is a meaningful program that cannot panic, and lists can be cut at will.
//!
//! A thread keeps the last value it got: a message, a reply, 1 or 0 for a `try-lock` or `try-acquire` that succeeded or
//! failed, [`NOTHING_THERE`] after finding nothing; none after a disconnect, and after a send or call that failed
//! because no thread will receive. Branches, [`Guard`] and [`Value::LastPlus`] read it. Every mutex, rwlock and monitor
//! protects a number, which starts at 0 and which a thread inside can load as its last value, or add to.
//!
//! A thread may panic, and be joined by one whose last value is then 1. Its last duties are then part of the panic, so that
//! its locks are poisoned.
//!
//! When its operations are done, a thread (1) releases its locks and leaves its monitors, in the order of the
//! objects, (2) drops the calls it has accepted and not replied to, the latest first, (3) goes through the
//! objects in order and drops its sending handles, then its receiving handle; its handles of wait groups; its counted
//! pointers, then the weak ones. `main`, if it runs inside a scope, then joins those of its threads that it has not joined,
//! and panics if one of them has.

mod objects;
mod ops;

use std::fmt;

pub(crate) use objects::{Delivery, Holder, LAZY_VALUE, Object, OnceShape, Threads};
pub(crate) use ops::{
    Choice, EARLY_REPLY, Guard, HANDLE, NOTHING_THERE, Op, Otherwise, POISONED, Select, Side, TIME, Value,
    reply_to, steer,
};

/// A program: objects and the threads that use them.
#[derive(Clone, Debug)]
pub(crate) struct Program {
    pub(crate) objects: Vec<Object>,
    pub(crate) threads: Vec<Thread>,
    /// Whether `main` runs inside a scope and spawns into it.
    pub(crate) scoped: bool,
}

/// A thread of a program.
#[derive(Clone, Debug)]
pub(crate) struct Thread {
    /// The thread that spawns it, with an [`Op::Spawn`] that is always reached.
    pub(crate) parent: usize,
    pub(crate) ops: Vec<Op>,
}

impl Program {
    /// Whether the parts fit together, as far as skipping operations cannot repair that.
    pub(crate) fn is_well_formed(&self) -> bool {
        let spawned = (1..self.threads.len()).all(|child| {
            let parent = self.threads[child].parent;
            let spawns = |thread: &Thread| {
                thread.ops.iter().filter(|op| matches!(op, Op::Spawn(c) if *c == child)).count()
            };
            parent < child
                && self.threads.iter().map(spawns).sum::<usize>() == 1
                && self.always_does(parent, |op| matches!(op, Op::Spawn(c) if *c == child)).is_some()
        });
        let dealt = (0..self.objects.len()).all(|o| {
            let mut object = self.objects[o];
            let known =
                object.holders_mut().iter().all(|holders| usize::from(**holders) >> self.threads.len() == 0);
            known
                && match object {
                    Object::Flow { receivers, .. } | Object::Timer { receivers, .. } if receivers == 0 => {
                        false
                    }
                    Object::Flow { .. } => self.sending_handles(o) > 0,
                    Object::WaitGroup { holders } => holders != 0,
                    Object::Arc { holders, to, .. } => {
                        let may_point_to = |x: usize| {
                            self.objects[x].takes_sends()
                                || matches!(
                                    self.objects[x],
                                    Object::Buffer { .. } | Object::Flow { .. } | Object::Mutex
                                )
                        };
                        holders != 0 && to.is_none_or(may_point_to)
                    }
                    _ => object.receiver().is_none() || self.sending_handles(o) > 0,
                }
        });
        spawned && dealt && self.joins_suffice() && self.panics_are_late() && self.threads[0].parent == 0
    }

    /// A thread that panics has spawned all that it ever does; and if receivers lie under mutexes, it is neither `main` nor
    /// has it spawned others.
    fn panics_are_late(&self) -> bool {
        let under = self.objects.iter().any(|object| matches!(object.receiver(), Some(Holder::Under(_))));
        self.threads.iter().enumerate().all(|(t, thread)| {
            let last_spawn = thread.ops.iter().rposition(|op| matches!(op, Op::Spawn(_)));
            match thread.ops.iter().position(Op::may_panic) {
                Some(first) => last_spawn.is_none_or(|at| !under && at < first) && !(under && t == 0),
                None => true,
            }
        })
    }

    /// It must be determined which thread drops the last reference to a receiver under a mutex: so all threads are joined,
    /// and `main` ends such receivers after that.
    fn joins_suffice(&self) -> bool {
        let under =
            |object: &Object| matches!(object.receiver(), Some(Holder::Under(m)) if !self.is_pointed_to(m));
        if !self.objects.iter().any(under) {
            return true;
        }
        let mut last_join = 0;
        for child in 1..self.threads.len() {
            let parent = self.threads[child].parent;
            let Some(at) = self.always_does(parent, |op| matches!(op, Op::Join(c) if *c == child)) else {
                return false;
            };
            if parent == 0 {
                last_join = last_join.max(at);
            }
        }
        let ops = &self.threads[0].ops;
        !ops[last_join..].iter().any(|op| matches!(op, Op::UnlessOdd(_) | Op::UnlessIs(..)))
            && self.objects.iter().enumerate().all(|(o, object)| match object.receiver() {
                Some(Holder::Under(mutex)) if !self.is_pointed_to(mutex) => {
                    let ends = ops.iter().rposition(|op| matches!(op, Op::DropReceiver(r) if *r == o));
                    ends.is_some_and(|at| {
                        let before = ops[..at].iter().rposition(|op| !matches!(op, Op::DropReceiver(_)));
                        before.is_some_and(|b| b > last_join && matches!(ops[b], Op::Lock(m) if m == mutex))
                    })
                }
                _ => true,
            })
    }

    /// Where the thread has the last such operation that no branch can skip.
    fn always_does(&self, thread: usize, is: impl Fn(&Op) -> bool) -> Option<usize> {
        let mut skippable = 0;
        let mut found = None;
        for (at, op) in self.threads[thread].ops.iter().enumerate() {
            if skippable == 0 && is(op) {
                found = Some(at);
            }
            skippable = skippable.max(1) - 1;
            if let Op::UnlessOdd(n) | Op::UnlessIs(_, n) = op {
                skippable = skippable.max(*n);
            }
        }
        found
    }

    /// Whether it is behind a counted pointer.
    pub(crate) fn is_pointed_to(&self, o: usize) -> bool {
        self.objects.iter().any(|object| matches!(object, Object::Arc { to: Some(x), .. } if *x == o))
    }

    /// How many sending handles of the object there are at first: those of threads, and those behind pointers.
    pub(crate) fn sending_handles(&self, o: usize) -> u8 {
        let behind = |object: &&Object| matches!(object, Object::Arc { to: Some(x), .. } if *x == o);
        (self.objects[o].senders().count_ones() as usize + self.objects.iter().filter(behind).count()) as u8
    }

    /// Whether the thread, at the operation with this index, certainly knows that the other one exists: itself, its
    /// ancestors, those it has spawned, and those that one of its ancestors spawned earlier.
    pub(crate) fn can_unpark(&self, t: usize, at: usize, other: usize) -> bool {
        if other == 0 || other == t {
            return true;
        }
        let parent = self.threads[other].parent;
        let spawn = |child: usize| {
            self.threads[parent].ops.iter().position(|op| matches!(op, Op::Spawn(c) if *c == child))
        };
        let mut known_since = (t, at);
        loop {
            let (descendant, since) = known_since;
            if descendant == other {
                return true;
            }
            if descendant == parent {
                return spawn(other).is_some_and(|spawned| spawned < since);
            }
            if descendant == 0 {
                return false;
            }
            let above = self.threads[descendant].parent;
            let spawned =
                self.threads[above].ops.iter().position(|op| matches!(op, Op::Spawn(c) if *c == descendant));
            known_since = (above, spawned.unwrap_or(0));
        }
    }

    /// The ids of threads and objects, as processes of a sequence: threads first, then objects; for each object
    /// the process that disconnects it, if that is not itself, and the one that hangs up; for each thread the process
    /// of its end, and what it parks on; for each object the count of its handles.
    pub(crate) fn process_ids(&self) -> Vec<String> {
        let mut ids = vec![String::from("main")];
        for child in 1..self.threads.len() {
            let parent = self.threads[child].parent;
            let nth = self.threads[parent]
                .ops
                .iter()
                .filter(|op| matches!(op, Op::Spawn(_)))
                .position(|op| matches!(op, Op::Spawn(c) if *c == child))
                .expect("every thread is spawned");
            ids.push(format!("{}/thread{}", ids[parent], nth + 1));
        }
        let threads = 0..self.threads.len();
        let objects = self.threads.len()..self.threads.len() + self.objects.len();
        for (o, object) in self.objects.iter().enumerate() {
            ids.push(format!("main/{}{}", object.word(), self.number(o)));
        }
        for (of, what) in [
            (&objects, "end"),
            (&objects, "hang-up"),
            (&threads, "end1"),
            (&threads, "parker1"),
            (&objects, "arc1"),
        ] {
            ids.extend(of.clone().map(|process| format!("{}/{what}", ids[process])).collect::<Vec<_>>());
        }
        ids
    }

    /// The number of the object among those of its kind, from 1.
    pub(crate) fn number(&self, o: usize) -> usize {
        let word = self.objects[o].word();
        self.objects[..=o].iter().filter(|other| other.word() == word).count()
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ids = self.process_ids();
        for (o, object) in self.objects.iter().enumerate() {
            writeln!(f, "  [{o}] {} = {object:?}", ids[self.threads.len() + o])?;
        }
        for (t, thread) in self.threads.iter().enumerate() {
            let scope = if t == 0 && self.scoped { " (scope)" } else { "" };
            writeln!(f, "  thread {t} {}{scope}:", ids[t])?;
            for op in &thread.ops {
                writeln!(f, "      {op:?}")?;
            }
        }
        Ok(())
    }
}
