//! What has been learned about a program: which of its objects need more than their simple form.
//!
//! An enumeration starts knowing nothing. When a state shows a fact that is not known yet, the enumeration starts again
//! with it (see [`super::behaviours`]).

use std::collections::BTreeSet;

use super::super::program::{Object, Program};

/// A fact about a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fact {
    /// The channel or timer is an object, on which puts and takes complete in an order.
    Shared(usize),
    /// The two have one timeline.
    Joined(usize, usize),
    /// The pointer is an object, on which clones and drops complete in an order.
    Counted(usize),
    /// The end of the thread is an event.
    Watched(usize),
    /// The rwlock is read and written at the same time, so its readers have an order.
    Met(usize),
    /// It matters who is the leader at the barrier.
    Leader(usize),
    /// It matters which thread drops the last handle of the channel, of either side.
    Owned(usize),
}

/// All facts that are known.
#[derive(Clone)]
pub(super) struct Facts {
    known: BTreeSet<Fact>,
    /// For each object the one whose process holds its completions, by the order of their ids.
    roots: Vec<usize>,
}

impl Facts {
    pub(super) fn none(program: &Program) -> Facts {
        Facts { known: BTreeSet::new(), roots: (0..program.objects.len()).collect() }
    }

    pub(super) fn add(&mut self, program: &Program, fact: Fact) {
        self.known.insert(fact);
        if let Fact::Joined(a, b) = fact {
            let [a, b] = [self.roots[a], self.roots[b]];
            let [first, second] = if rank(program, a) <= rank(program, b) { [a, b] } else { [b, a] };
            for root in self.roots.iter_mut().filter(|root| **root == second) {
                *root = first;
            }
        }
    }

    pub(super) fn is_known(&self, fact: Fact) -> bool {
        self.known.contains(&fact)
    }

    /// All that is known, in the same form however it was learned: objects that are joined are listed by object and
    /// the one whose process holds the completions.
    pub(super) fn all(&self) -> BTreeSet<Fact> {
        let joined = |o: &usize| self.roots[*o] != *o;
        let joints = (0..self.roots.len()).filter(joined).map(|o| Fact::Joined(self.roots[o], o));
        self.known.iter().copied().filter(|fact| !matches!(fact, Fact::Joined(..))).chain(joints).collect()
    }

    /// The object whose process holds the completions of this one.
    pub(super) fn root(&self, o: usize) -> usize {
        self.roots[o]
    }

    /// Whether the object shares its timeline with another one.
    fn is_joined(&self, o: usize) -> bool {
        self.roots.iter().enumerate().any(|(other, root)| other != o && *root == self.roots[o])
    }

    /// Whether sends and receives on the channel or timer are puts and takes that complete on it.
    pub(super) fn is_object(&self, program: &Program, o: usize) -> bool {
        match program.objects[o] {
            Object::Buffer { .. } | Object::Flow { capacity: Some(_), .. } => true,
            Object::Port { .. } | Object::Flow { .. } | Object::Timer { .. } => {
                self.is_known(Fact::Shared(o)) || self.is_joined(o)
            }
            _ => false,
        }
    }
}

/// The place of an object's id among others that main has made.
fn rank(program: &Program, o: usize) -> (usize, usize) {
    let words = ["channel", "bounded", "rendezvous", "timer"];
    let word = program.objects[o].word();
    let kind = words.iter().position(|other| *other == word).expect("only channels and timers are joined");
    (kind, program.number(o))
}
