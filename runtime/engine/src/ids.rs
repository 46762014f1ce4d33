//! Ids of what a run is made of, each a type of its own, and the tables that they are places in.
//!
//! Ids count from one, so that an `Option` of one takes no more memory than the id. The first place of every table is
//! therefore never used; that is cheaper than to subtract one at every access.

use std::fmt;
use std::marker::PhantomData;
use std::num::{NonZeroU32, NonZeroU64};
use std::ops::{Index, IndexMut};
use std::sync::atomic::{AtomicU64, Ordering};

/// A place in a [`Table`].
pub trait Id: Copy {
    /// The id that stands for a place; none for the place that is never used.
    fn at(place: usize) -> Option<Self>;

    /// The place.
    fn place(self) -> usize;

    /// As [`at`](Self::at), without a check.
    ///
    /// # Safety
    /// The place is not zero, nor is it beyond four billion.
    unsafe fn at_unchecked(place: usize) -> Self;
}

/// Defines a type of ids.
macro_rules! ids {
    ($($(#[$about:meta])* $name:ident;)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(NonZeroU32);

        impl Id for $name {
            #[inline]
            fn at(place: usize) -> Option<Self> {
                NonZeroU32::new(place as u32).map($name)
            }

            #[inline]
            fn place(self) -> usize {
                self.0.get() as usize
            }

            #[inline]
            unsafe fn at_unchecked(place: usize) -> Self {
                // SAFETY: the caller vouches for the place.
                $name(unsafe { NonZeroU32::new_unchecked(place as u32) })
            }
        }

        impl $name {
            /// The first of all.
            #[allow(dead_code, reason = "not every kind of id has a first one that is special")]
            pub const FIRST: $name = $name(NonZeroU32::MIN);

            /// As a number, which is never zero.
            #[inline]
            #[allow(dead_code, reason = "not every kind of id is ever a number")]
            pub fn number(self) -> u32 {
                self.0.get()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!(stringify!($name), "({})"), self.0)
            }
        }
    )*};
}

ids! {
    /// An object of a run: a lock, a channel, a variable.
    ObjectId;
    /// A thread of a run.
    ThreadId;
    /// A process: a thread or an object, by its interned name, which holds for all runs of a worker.
    ProcessId;
    /// An event of a run. Events are numbered in the order in which they happened.
    EventId;
    /// The state of an object just before a completion of a run.
    SnapshotId;
}

/// An execution: identifies a run among those of all workers, so that an object kept from an earlier one is noticed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ExecutionId(NonZeroU64);

impl ExecutionId {
    /// The number of ids of a worker, larger than its number of executions.
    const BLOCK: u64 = 1 << 40;

    /// The first of a block of ids that no other worker uses: handles may outlive the worker that made them.
    pub(crate) fn first_of_a_worker() -> Self {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        let first = NEXT.fetch_add(Self::BLOCK, Ordering::Relaxed);
        ExecutionId(NonZeroU64::new(first).expect("it counts from one"))
    }

    /// The next execution of the same worker.
    pub fn next(self) -> Self {
        ExecutionId(self.0.saturating_add(1))
    }

    /// The worker that it is of.
    pub fn worker(self) -> u64 {
        self.0.get() / Self::BLOCK
    }
}

/// Items by id. The memory of items that have been cleared is kept for those that come after them.
#[derive(Clone, Debug)]
pub struct Table<I, T> {
    /// The first is never used.
    items: Vec<T>,
    /// How many of them belong to this run, the unused one included.
    live: usize,
    by: PhantomData<I>,
}

impl<I: Id, T> Table<I, T> {
    /// An empty table; `unused` fills the place that no id stands for.
    pub fn new(unused: T) -> Self {
        Table { items: vec![unused], live: 1, by: PhantomData }
    }

    /// How many items there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.live - 1
    }

    /// Forgets all items, but keeps their memory.
    #[inline]
    pub fn clear(&mut self) {
        self.live = 1;
    }

    /// The id of a new item. It is what an item of an earlier run has left there, or else what `blank` makes.
    #[inline]
    pub fn add(&mut self, blank: fn() -> T) -> I {
        let place = self.live;
        if place == self.items.len() {
            self.items.push(blank());
        }
        self.live += 1;
        // SAFETY: a table has at least one place that is live, and far fewer than four billion.
        unsafe { I::at_unchecked(place) }
    }

    /// Adds an item.
    pub fn push(&mut self, item: T) -> I {
        self.items.truncate(self.live);
        self.items.push(item);
        self.live += 1;
        I::at(self.live - 1).expect("the first place is taken")
    }

    /// The item of an id, if there is one.
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.items[..self.live].get(id.place())
    }

    /// The ids of all items, in order.
    #[inline]
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        // SAFETY: places are counted from one, and there are far fewer than four billion.
        (1..self.live).map(|place| unsafe { I::at_unchecked(place) })
    }

    /// All items, in the order of their ids.
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.items[1..self.live].iter()
    }

    /// All items, in the order of their ids.
    pub fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.items[1..self.live].iter_mut()
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.items[id.place()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.items[id.place()]
    }
}

/// A value for each id of a table, in memory that is filled anew for every run.
#[derive(Debug)]
pub struct Values<I, T> {
    /// The first is never used.
    all: Vec<T>,
    by: PhantomData<I>,
}

impl<I, T: Clone> Clone for Values<I, T> {
    fn clone(&self) -> Self {
        Values { all: self.all.clone(), by: PhantomData }
    }

    // Every variant copies some, and must not take new memory for that.
    fn clone_from(&mut self, other: &Self) {
        self.all.clone_from(&other.all);
    }
}

impl<I, T> Default for Values<I, T> {
    fn default() -> Self {
        Values { all: Vec::new(), by: PhantomData }
    }
}

impl<I: Id, T> Values<I, T> {
    /// The same value for each of the first `len` ids.
    pub fn of(len: usize, value: T) -> Self
    where
        T: Clone,
    {
        Values { all: vec![value; len + 1], by: PhantomData }
    }

    /// The same value for each of the first `len` ids.
    pub fn fill(&mut self, len: usize, value: T)
    where
        T: Clone,
    {
        self.all.clear();
        self.all.resize(len + 1, value);
    }

    /// Makes room for this many values, new ones being the default; and lends the ones that are there.
    pub fn resize(&mut self, len: usize) -> &mut [T]
    where
        T: Default,
    {
        self.all.resize_with(len + 1, T::default);
        &mut self.all
    }

    /// Room for this many values, new ones being `value`; by their places, of which the first is never used.
    #[inline]
    pub(crate) fn make_room(&mut self, len: usize, value: T) -> &mut [T]
    where
        T: Clone,
    {
        self.extend_to(len, value);
        &mut self.all
    }

    /// All values by their places, of which the first is never used.
    #[inline]
    pub(crate) fn slots(&self) -> &[T] {
        &self.all
    }

    /// None yet; `unused` fills the place that no id stands for.
    pub fn with(unused: T) -> Self {
        Values { all: vec![unused], by: PhantomData }
    }

    /// The id that the next value will have.
    #[inline]
    pub fn next(&self) -> I {
        debug_assert!(!self.all.is_empty(), "the first place is taken");
        // SAFETY: the first place is taken, and there are far fewer than four billion.
        unsafe { I::at_unchecked(self.all.len()) }
    }

    /// Adds a value for the next id, where there is one for the first place.
    #[inline]
    pub fn push(&mut self, value: T) -> I {
        let id = self.next();
        self.all.push(value);
        id
    }

    /// The values from `other`, and then others up to this many.
    pub fn copy(&mut self, other: &Self, len: usize, value: T)
    where
        T: Clone,
    {
        self.clone_from(other);
        self.all.resize(len + 1, value);
    }

    /// Makes room for this many values, new ones being `value`.
    pub fn extend_to(&mut self, len: usize, value: T)
    where
        T: Clone,
    {
        self.all.resize(len + 1, value);
    }

    /// Forgets all of them.
    #[inline]
    pub fn clear(&mut self) {
        self.all.truncate(1);
    }

    /// The value of an id, if it has one.
    #[inline]
    pub fn get(&self, id: I) -> Option<&T> {
        self.all.get(id.place())
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.all.len().saturating_sub(1)
    }

    /// The ids that have values, with these, in order.
    #[inline]
    pub fn pairs(&self) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        self.pairs_after(0)
    }

    /// As [`pairs`](Self::pairs), without this many at the beginning.
    #[inline]
    pub fn pairs_after(
        &self,
        skipped: usize,
    ) -> impl DoubleEndedIterator<Item = (I, &T)> + ExactSizeIterator {
        let first = skipped + 1;
        // SAFETY: places are counted from the second on, and there are far fewer than four billion.
        let item = move |(n, value)| (unsafe { I::at_unchecked(first + n) }, value);
        self.all.get(first..).unwrap_or_default().iter().enumerate().map(item)
    }

    /// The ids that have values, in order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = I> + use<I, T> {
        // SAFETY: places are counted from one, and there are far fewer than four billion.
        (1..self.all.len()).map(|place| unsafe { I::at_unchecked(place) })
    }
}

impl<I: Id, T> Values<I, T> {
    /// All values, in the order of their ids.
    #[inline]
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.all[1..].iter()
    }
}

impl<I: Id, T> Index<I> for Values<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.all[id.place()]
    }
}

impl<I: Id, T> IndexMut<I> for Values<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.all[id.place()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_id_takes_no_memory() {
        assert_eq!(size_of::<Option<ObjectId>>(), size_of::<u32>());
    }

    #[test]
    fn a_copy_takes_no_new_memory() {
        let mut values: Values<EventId, u64> = Values::of(10, 1);
        let memory = values.all.as_ptr();
        values.clone_from(&Values::of(5, 2));
        assert_eq!((values.all.as_ptr(), values.len()), (memory, 5));
    }

    #[test]
    fn what_is_cleared_leaves_its_memory() {
        let mut table: Table<ObjectId, String> = Table::new(String::new());
        let first = table.add(String::new);
        table[first].push_str("kept");
        table.clear();
        assert_eq!((table.len(), table.ids().count()), (0, 0));
        assert_eq!((table.add(String::new), table[first].as_str()), (first, "kept"));
        let second = table.add(String::new);
        assert_eq!(table.ids().collect::<Vec<_>>(), [first, second]);
        assert_eq!(table.iter().collect::<Vec<_>>(), ["kept", ""]);
    }
}
