//! Threads of a graph, and sets of them.

use std::ops::{BitAnd, BitOr, BitOrAssign, Sub};

/// A thread, by its place among the threads of its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ThreadId(u8);

impl ThreadId {
    /// A graph has no more threads than this, so that a set of threads is one word.
    pub const MOST: usize = 64;

    /// The thread at this place; none if no graph has so many.
    pub fn new(index: usize) -> Option<ThreadId> {
        (index < ThreadId::MOST).then(|| ThreadId(u8::try_from(index).expect("it is below 64")))
    }

    /// Its place.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of threads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ThreadSet(u64);

impl ThreadSet {
    /// No thread.
    pub const EMPTY: ThreadSet = ThreadSet(0);

    /// The first `count` threads.
    pub fn first(count: usize) -> ThreadSet {
        ThreadSet(if count >= ThreadId::MOST { u64::MAX } else { (1 << count) - 1 })
    }

    /// This thread alone.
    pub fn of(thread: ThreadId) -> ThreadSet {
        ThreadSet(1 << thread.0)
    }

    /// Whether the thread is a member.
    pub fn contains(self, thread: ThreadId) -> bool {
        self.0 >> thread.0 & 1 == 1
    }

    /// Whether there is no member.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of members.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether every member is one of the other set.
    pub fn is_subset(self, other: ThreadSet) -> bool {
        self.0 & !other.0 == 0
    }

    /// Adds a thread.
    pub fn insert(&mut self, thread: ThreadId) {
        self.0 |= 1 << thread.0;
    }

    /// The members, in order.
    pub fn iter(self) -> impl Iterator<Item = ThreadId> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let next = rest.trailing_zeros();
            rest &= rest.wrapping_sub(1);
            ThreadId::new(next as usize)
        })
    }
}

impl BitOr for ThreadSet {
    type Output = ThreadSet;
    fn bitor(self, other: ThreadSet) -> ThreadSet {
        ThreadSet(self.0 | other.0)
    }
}

impl BitOrAssign for ThreadSet {
    fn bitor_assign(&mut self, other: ThreadSet) {
        self.0 |= other.0;
    }
}

impl BitAnd for ThreadSet {
    type Output = ThreadSet;
    fn bitand(self, other: ThreadSet) -> ThreadSet {
        ThreadSet(self.0 & other.0)
    }
}

impl Sub for ThreadSet {
    type Output = ThreadSet;
    fn sub(self, other: ThreadSet) -> ThreadSet {
        ThreadSet(self.0 & !other.0)
    }
}

impl FromIterator<ThreadId> for ThreadSet {
    fn from_iter<I: IntoIterator<Item = ThreadId>>(threads: I) -> ThreadSet {
        let mut set = ThreadSet::EMPTY;
        threads.into_iter().for_each(|thread| set.insert(thread));
        set
    }
}

impl ThreadSet {
    pub(crate) fn bits(self) -> u64 {
        self.0
    }

    pub(crate) fn from_bits(bits: u64) -> ThreadSet {
        ThreadSet(bits)
    }
}
